"""Factor analysis: do intervals hold the true shares as often as they say? And the CPU time on the paper's study.

Synthetic studies have known cells: three factors of 3, 4 and 5 levels, of which the first makes no difference at all,
the others do by themselves and together. Cells stay, runs are drawn again and again.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import debox
from benchmarks.measure import cpu_seconds, progress, verdict
from debox.analysis.cube import Cube
from debox.analysis.factors import factors
from debox.analysis.factors.analyse import remove_noise, weights_of
from debox.analysis.factors.cells import Cells, mean, quantiles, spread
from debox.analysis.factors.decompose import Floats, effects, subsets, variances
from debox.analysis.factors.intervals import forms, interval
from debox.analysis.old_runs import Runs

ROOT = Path(__file__).parents[1]
DATA, PAGE = ROOT / "data" / "paper.parquet", ROOT / "docs" / "factors.md"
LEVELS, STUDIES, CONFIDENCE, ROUNDS = (3, 4, 5), 1000, 0.95, 200
KINDS = ("first", "total", "shapley")
SUBSETS = subsets(len(LEVELS))
SHARES = [weights_of(kind, k, SUBSETS) for kind in KINDS for k in range(len(LEVELS))]

_, b, c = np.meshgrid(*(np.linspace(0, 1, length) for length in LEVELS), indexing="ij")
CELLS = 0.2 + 0.3 * b + 0.2 * c**2 + 0.2 * b * c  # between 0.2 and 0.9
SPREADS = 0.02 + 0.2 * CELLS**3  # the largest is eight times the smallest

Draw = Callable[[np.random.Generator, int], Floats]


def drawn(runs_of_cell: Callable[[np.random.Generator, tuple[int, ...]], Floats]) -> Draw:
    """Runs of every cell, of which the function gives one for each place of a shape."""
    return lambda rng, runs: np.moveaxis(runs_of_cell(rng, (runs, *LEVELS)), 0, -1)


LAWS: dict[str, Draw] = {
    "normal": drawn(lambda rng, shape: rng.normal(CELLS, 0.1, shape)),
    "uneven": drawn(lambda rng, shape: rng.normal(CELLS, SPREADS, shape)),
    "skewed": drawn(lambda rng, shape: CELLS - 0.2 + rng.exponential(0.2, shape)),
    "two camps": drawn(lambda rng, shape: (rng.random(shape) < CELLS).astype(float)),
    "few noisy cells": drawn(lambda rng, shape: rng.normal(CELLS, 0.5 * (c == 1) * (b > 0.5), shape)),
    "weak": drawn(lambda rng, shape: rng.normal(CELLS, 1.0, shape)),
}


def normal_order_statistics(runs: int) -> Floats:
    """Expected order statistics of so many standard normal runs: ∫ x dP(j-th ≤ x), by a fine sum."""
    from scipy.special import ndtr
    from scipy.stats import beta

    x = np.linspace(-9, 9, 20_001)
    j = np.arange(1, runs + 1)[:, None]
    mass = np.diff(beta.cdf(ndtr(x), j, runs + 1 - j))
    return np.asarray(mass @ (x[1:] + x[:-1]) / 2)


def truth_of_quantiles(runs: int) -> Floats:
    """The expected quantile function of half of the runs of law `uneven`: μ_c + σ_c m_j."""
    return np.asarray(CELLS[..., None] + SPREADS[..., None] * normal_order_statistics(runs // 2))


STATISTICS: dict[str, tuple[Callable[[Floats], Cells], Callable[[int], Floats]]] = {
    "mean": (mean, lambda _: CELLS[..., None]),
    "spread": (spread, lambda _: SPREADS[..., None]),  # E of a normal standard deviation is a multiple of σ_c
    "quantiles": (quantiles, truth_of_quantiles),
}
CASES = [("mean", law, runs) for law in LAWS for runs in (10, 50)]
CASES += [(of, "uneven", runs) for of in ("spread", "quantiles") for runs in (10, 50)]


def true_shares(truth: Floats) -> Floats:
    """First-order, total and Shapley shares of known cells."""
    V = variances(effects(truth))
    return np.array([w @ V / V[1:].sum() for w in SHARES])


def intervals(cells: Cells) -> Floats:
    """Low and high of every share."""
    return np.array([interval(form, CONFIDENCE) for form in forms(cells, SHARES, remove_noise(cells))])


def coverage(of: str, law: str, runs: int, studies: int, seed: int = 0) -> Floats:
    """How often the interval of each share holds the true one."""
    statistic, truth = STATISTICS[of]
    expected, rng = true_shares(truth(runs)), np.random.default_rng([seed, runs])
    found = [intervals(statistic(LAWS[law](rng, runs))) for _ in range(studies)]
    return np.mean([(low <= expected) & (expected <= high) for low, high in (one.T for one in found)], axis=0)


def percentile_coverage(law: str, runs: int, studies: int, seed: int = 0, rounds: int = ROUNDS) -> Floats:
    """The same for what does not work: percentiles of shares of runs drawn again from each cell with replacement."""
    expected, rng = true_shares(CELLS[..., None]), np.random.default_rng([seed, runs])
    hits = []
    for _ in range(studies):
        values = LAWS[law](rng, runs)
        again = np.array([estimated_shares(mean(one)) for one in resampled(values, rng, rounds)])
        low, high = np.quantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
        hits.append((low <= expected) & (expected <= high))
    return np.mean(hits, axis=0)


def estimated_shares(cells: Cells) -> Floats:
    """All shares of these cells, noise removed."""
    V = remove_noise(cells)
    return np.array([w @ V / V[1:].sum() for w in SHARES])


def resampled(values: Floats, rng: np.random.Generator, rounds: int) -> Iterator[Floats]:
    """Runs drawn from each cell with replacement."""
    for _ in range(rounds):
        yield np.take_along_axis(values, rng.integers(values.shape[-1], size=values.shape), axis=-1)


def bootstrap_sd(cube: Cube, rounds: int) -> Floats:
    """The standard deviation of all 63 shares of mean POIS, by runs drawn again from each cell."""
    rng, found = np.random.default_rng(0), []
    for values in resampled(cube.pois, rng, rounds):
        V = variances(effects(values.mean(axis=-1)[..., None]))[1:]
        found.append(V / V.sum())
    return np.asarray(np.std(found, axis=0, ddof=1))


def coverage_table() -> str:
    """How often intervals hold the true share, for every case; the last line is what does not work."""
    rows = []
    for of, law, runs in CASES:
        progress(f"coverage of {of}, {law}, {runs} runs")
        rows.append([of, law, runs, *coverage(of, law, runs, STUDIES)])
    progress("coverage of bootstrap percentiles")
    rows.append(["mean", "normal, by percentiles", 10, *percentile_coverage("normal", 10, STUDIES // 5)])
    head = ["of", "law of runs", "runs", *(f"{kind} {name}" for kind in KINDS for name in "abc")]
    lines = [head, ["---"] * len(head), *([of, law, str(n), *(f"{x:.3f}" for x in held)] for of, law, n, *held in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def with_coverage(page: str, table: str) -> str:
    """The page with another table between its marks."""
    marks = r"(<!-- coverage.*?-->\n).*?(<!-- end of coverage -->)"
    return re.sub(marks, lambda m: m[1] + table + m[2], page, flags=re.DOTALL)


def report() -> None:
    print(
        f"Factor analysis: how often {CONFIDENCE:.0%} intervals hold the true share, {STUDIES} synthetic studies each"
    )
    found = coverage_table()
    print(found)
    PAGE.write_text(with_coverage(PAGE.read_text(), found))
    store = debox.open_store(DATA)
    for of in ("mean", "logit", "spread", "quantiles"):
        progress(f"the paper's study, {of}")
        seconds, _ = cpu_seconds(lambda of=of: factors(store, of))
        print(verdict(f"factors(store, {of!r}), 300 000 runs", seconds, 60, "s"))
    cube = Cube.of(Runs.of(store.table(), store.study))
    seconds, sd = cpu_seconds(lambda: bootstrap_sd(cube, ROUNDS))
    print(verdict(f"{ROUNDS} bootstrap rounds of all 63 shares of mean POIS", seconds, 60, "s"))
    widths = np.array([share.high - share.low for share in factors(store).components.values()])
    ratio = np.median(widths / (2 * 1.96 * sd))
    print(f"  median width of an interval ÷ (2 · 1.96 bootstrap standard deviations): {ratio:.2f}")
