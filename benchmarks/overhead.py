"""The overhead of `minimize` on an objective in Python: what is left of the time of a run without the objective and DE.

overhead = t(run) − t(objective alone) − t(the same run on a compiled objective), per evaluation: three times, measured
one after the other, make a figure, of which the median of nine is shown.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import debox
from benchmarks.libraries import BOUNDS, CR, F, columns, compiled, n, point
from benchmarks.measure import cpu_seconds, progress, table, verdict

SIZES, BUDGET, TIMES = (5, 20, 100), 50_000, 9  # few enough evaluations that no number is denormal at the end
ALGORITHMS: dict[str, dict[str, Any]] = {
    "classic": {"variant": "DE/rand/1/bin", "F": F, "Cr": CR},
    "L-SHADE": {"variant": "L-SHADE"},
}
VECTORISED, BY_POINTS = "vectorised", "point by point"
LIMITS = {  # µs
    (VECTORISED, "classic"): (0.6, 0.25, 0.15),
    (VECTORISED, "L-SHADE"): (0.8, 0.4, 0.3),
    (BY_POINTS, "classic"): (1.2, 0.8, 0.6),
    (BY_POINTS, "L-SHADE"): (2.0, 1.2, 0.8),
}


def run(fun: Callable[..., Any], form: str, algorithm: str, N: int) -> None:
    """One run to the end of the budget."""
    options = ALGORITHMS[algorithm]
    found = debox.minimize(fun, BOUNDS, N=N, budget=BUDGET, rng=1, vectorized=form == VECTORISED, **options)
    if found.nfev != BUDGET:
        raise RuntimeError(f"{algorithm} stopped after {found.nfev} of {BUDGET} evaluations")


def calls_of_run(form: str, algorithm: str, N: int) -> list[Any]:
    """With what the run calls its objective: views of arrays of the same shapes, for L-SHADE has fewer and fewer."""
    sizes: list[int] = []
    X = np.random.default_rng(1).uniform(-5.0, 5.0, (N, n)).T
    if form == BY_POINTS:
        return [X.T[0].copy()] * BUDGET

    def noting(X: Any) -> Any:
        sizes.append(X.shape[1])
        return columns(X)

    run(noting, form, algorithm, N)
    views = {size: X[:, :size] for size in set(sizes)}
    return [views[size] for size in sizes]


def times(form: str, algorithm: str, N: int) -> NDArray[np.float64]:
    """µs per evaluation of a run, of the objective alone and of the compiled run, a row for each time."""
    fun = columns if form == VECTORISED else point
    calls = calls_of_run(form, algorithm, N)
    work = (
        lambda: run(fun, form, algorithm, N),
        lambda: [fun(X) for X in calls],
        lambda: run(compiled, "", algorithm, N),
    )
    found = [[cpu_seconds(one)[0] for one in work] for _ in range(TIMES + 1)]
    return 1e6 * np.array(found[1:]) / BUDGET  # the first time the compiled objective is compiled


def report() -> None:
    print(f"Overhead of minimize in µs per evaluation, medians of {TIMES}, sphere on [−5, 5]^{n}, budget {BUDGET}:")
    print("run − objective alone − the same run on a compiled objective, which has a loop in Python, too\n")
    rows, verdicts = [], []
    for (form, algorithm), limits in LIMITS.items():
        progress(f"overhead: {form}, {algorithm}")
        for N, limit in zip(SIZES, limits, strict=True):
            found = times(form, algorithm, N)
            overhead = float(np.median(found @ [1, -1, -1]))
            rows.append([form, algorithm, str(N), *(f"{value:.2f}" for value in (*np.median(found, axis=0), overhead))])
            verdicts.append(verdict(f"overhead, {form}, {algorithm}, N={N}", overhead, limit, "µs"))
    print(table(["objective", "algorithm", "N", "run", "objective", "compiled", "overhead"], rows, words=2))
    print("\nDemands")
    print("\n".join(verdicts))
