"""compare: the same runs of `minimize` with several strategies, and which of them are worse beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from inspect import signature
from itertools import combinations
from math import comb
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check, operators
from debox.operators.kinds import Operator
from debox.operators.outside import load_packages
from debox.optimize.minimize import minimize

Floats = NDArray[np.float64]
Strategies = str | Sequence[str | Operator | Sequence[str | Operator]] | Mapping[str, Any]

# One of each idea: onto the bound, mirrored at it, to the other side, anywhere, near the bound, halfway to the target,
# anywhere between bound and target, drawn again, given up.
DEFAULT = (
    "saturation",
    "mirror",
    "toroidal",
    "uniform",
    "COTN",
    "midpoint-target",
    "rand-target",
    "resample",
    "dismiss",
)
LEVEL = 0.05  # the chance to call any strategy worse that is not
CONFIDENCE = 0.95  # of the intervals for medians, where there are enough runs for it
WIDTH = 80  # of a table in text
MOST_DIGITS = 7  # of a median in it
HINTS = {
    "checkpoint": "runs of several strategies do not share a file",
    "on_interrupt": "Ctrl-C ends all runs at once",
    "strategy": "use strategies, the ones to compare",
    "target": "runs are compared by their final values, so that all spend their budget",
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """The runs of several strategies on one function, with paired seeds, and what they say.

    Two strategies are compared by Wilcoxon's signed-rank test, exact and two-sided, of the differences between the
    final values of runs with the same seed. Its p-values are corrected by Holm's method for all pairs of strategies,
    not only those with the best, since the best is chosen by the same runs. So the chance that `worse` names a strategy
    whose final values have the same distribution as those of the best is at most 5 %.

    Parameters
    ----------
    strategies : tuple of str
        Their names, in the order of the rows below.
    values : ndarray of float, shape (strategies, runs)
        The best value of each run; infinite if it found no number.
    pois : ndarray of float, shape (strategies, runs)
        The proportion of infeasible solutions of each run.
    evaluations : ndarray of int, shape (strategies, runs)
        How many evaluations each run did.
    x : ndarray, shape (strategies, runs, n)
        The best point of each run.
    seeds : tuple of int
        Run k of every strategy is ``minimize(…, polish=False, rng=seeds[k])``, with the `polish` of `compare`.
    variant : str
        The variant of all runs.
    params : tuple of tuples, optional
        With names or kinds of variables, the best point of each run as `result.params` has it.

    Examples
    --------
    >>> import debox
    >>> names = ["saturation", "toroidal"]
    >>> found = debox.compare(lambda x: x[0] + x[1], [(0, 1)] * 2, names, budget=300, runs=9)
    >>> found.best, found.worse, found.values.shape
    ('saturation', ('toroidal',), (2, 9))
    """

    strategies: tuple[str, ...]
    values: Floats
    pois: Floats
    evaluations: NDArray[np.int64]
    x: NDArray[Any]
    seeds: tuple[int, ...]
    variant: str
    params: tuple[tuple[Any, ...], ...] = ()

    def __post_init__(self) -> None:
        for array in (self.values, self.pois, self.evaluations, self.x):
            array.flags.writeable = False

    @cached_property
    def medians(self) -> Floats:
        """The median of the final values of each strategy, (strategies,)."""
        return np.median(self.values, axis=1)

    @cached_property
    def intervals(self) -> Floats:
        """For each strategy the interval for the median of its final values, (strategies, 2): order statistics."""
        ordered, k = np.sort(self.values, axis=1), order_statistic(len(self.seeds))
        return np.column_stack([ordered[:, k - 1], ordered[:, -k]])

    @property
    def confidence(self) -> float:
        """The chance of an interval to hold the median, for any distribution; below 0.95 with fewer than 6 runs."""
        runs = len(self.seeds)
        return coverage(order_statistic(runs), runs)

    @cached_property
    def identical(self) -> dict[str, str]:
        """Strategies whose runs are the same, point by point, as those of one before them: name → the other's name."""
        first: dict[bytes, str] = {}
        found: dict[str, str] = {}
        for name, *runs in zip(self.strategies, self.values, self.pois, self.evaluations, self.x, strict=True):
            other = first.setdefault(b"".join(array.tobytes() for array in runs), name)
            if other != name:
                found[name] = other
        return found

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The strategies from the best to the worst, by medians; of equal ones, by the upper end of the interval."""
        rows = np.lexsort((self.intervals[:, 1], self.medians))
        return tuple(self.strategies[row] for row in rows)

    @property
    def best(self) -> str:
        """The strategy with the lowest median."""
        return self.order[0]

    @cached_property
    def p_values(self) -> dict[str, float]:
        """For each strategy the corrected p-value of its difference from the best; 1 for the best."""
        distinct = [name for name in self.strategies if name not in self.identical]
        values = dict(zip(self.strategies, self.values, strict=True))
        pairs = list(combinations(distinct, 2))
        corrected = dict(zip(pairs, holm([signed_rank(values[a], values[b]) for a, b in pairs]), strict=True))
        p = {frozenset(pair): value for pair, value in corrected.items()}
        first = {name: self.identical.get(name, name) for name in self.strategies}
        return {name: p.get(frozenset((first[name], first[self.best])), 1.0) for name in self.strategies}

    @property
    def worse(self) -> tuple[str, ...]:
        """The strategies that are worse than the best beyond chance, at the level 0.05, the better ones first."""
        return tuple(name for name in self.order if self.p_values[name] <= LEVEL)

    def _verdict(self, name: str) -> str:
        """What the table says of a strategy in a few words."""
        if name == self.best or self.identical.get(name, name) == self.identical.get(self.best, self.best):
            return "best"
        p = f"p {'< 0.001' if self.p_values[name] < 0.001 else f'= {self.p_values[name]:.2g}'}"
        return f"worse, {p}" if name in self.worse else p

    @property
    def _least(self) -> float:
        return float(self.medians.min())

    @property
    def _shows_differences(self) -> bool:
        """Whether the table has differences from the least median, since another one has the same first digits."""
        others = self.medians[self.medians != self._least]
        return f"{self._least:.{MOST_DIGITS}g}" in {f"{median:.{MOST_DIGITS}g}" for median in others}

    def _rows(self) -> list[tuple[str, str, str, str, str]]:
        """Name, median, interval, POIS and verdict of each strategy as text, the best first."""
        digits, start = (3, self._least) if self._shows_differences else (digits_that_differ(self.medians), 0.0)
        rows = []
        for name in self.order:
            k = self.strategies.index(name)
            median, low, high = (f"{value - start:.{digits}g}" for value in (self.medians[k], *self.intervals[k]))
            pois = f"{np.median(self.pois[k]):.3f}"
            rows.append((name, median, f"{low} … {high}", pois, self._verdict(name)))
        return rows

    def _title(self) -> str:
        least, most = int(self.evaluations.min()), int(self.evaluations.max())
        each = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        strategies = f"{len(self.strategies)} strateg{'y' if len(self.strategies) == 1 else 'ies'}"
        return f"{self.variant}: {strategies} × {len(self.seeds)} runs of {each} evaluations"

    def _head(self) -> tuple[str, str, str, str, str]:
        median = f"median f − {self._least:.{MOST_DIGITS}g}" if self._shows_differences else "median f"
        return "strategy", median, f"its {100 * self.confidence:.0f} % interval", "POIS", "against the best"

    def _conclusion(self) -> list[str]:
        """What follows from the numbers, in sentences."""
        distinct, runs = len(self.strategies) - len(self.identical), len(self.seeds)
        identical = [f"The runs of {name} are identical to those of {other}." for name, other in self.identical.items()]
        if distinct == 1:
            return identical
        needed = runs_needed(distinct)
        test = f"(signed-rank test of paired runs, Holm-corrected for all pairs, level {LEVEL:g})"
        found = [f"Worse than {self.best} beyond chance {test}: {', '.join(self.worse) or 'none'}."]
        if self._shows_differences:
            found.append(f"Medians and intervals are differences from the least median, {self._least!r}.")
        if runs < needed:
            found.append(f"{runs} runs are too few to find any of {distinct} strategies worse: {needed} are needed.")
        return found + identical

    def __str__(self) -> str:
        rows = [self._head(), *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [self._title(), ""]
        for name, median, interval, pois, verdict in rows:
            numbers = f"{median:>{widths[1]}}  {interval:>{widths[2]}}  {pois:>{widths[3]}}"
            lines.append(f"{name:<{widths[0]}}  {numbers}  {verdict}".rstrip())
        return "\n".join([*lines, "", *(fill(sentence, WIDTH) for sentence in self._conclusion())])

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.strategies)} strategies, {len(self.seeds)} runs each: best {self.best}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def as_dict(self) -> dict[str, Any]:
        """Everything it says, as `json.dumps` takes it; values that are not finite are None.

        Returns
        -------
        dict
            variant, seeds, level, confidence, best, worse, and in `strategies` for each of them its name, median,
            interval, p, identical_to (None or a name) and the arrays of its runs: values, pois, evaluations, x;
            and params, where variables have names or kinds, with options that JSON does not have as text.
        """
        rows = [
            {
                "strategy": name,
                "median": finite(self.medians[k]),
                "interval": [finite(value) for value in self.intervals[k]],
                "p": self.p_values[name],
                "identical_to": self.identical.get(name),
                "values": [finite(value) for value in self.values[k]],
                "pois": self.pois[k].tolist(),
                "evaluations": self.evaluations[k].tolist(),
                "x": self.x[k].tolist(),
            }
            | ({"params": [as_json(params) for params in self.params[k]]} if self.params else {})
            for k, name in enumerate(self.strategies)
        ]
        facts = {"variant": self.variant, "seeds": list(self.seeds), "level": LEVEL, "confidence": self.confidence}
        return facts | {"best": self.best, "worse": list(self.worse), "strategies": rows}


def compare(
    fun: Callable[..., Any],
    bounds: Any,
    strategies: Strategies | None = None,
    *,
    variant: str = "debox",
    budget: float | None = None,
    runs: int = 15,
    rng: int | np.random.Generator | None = 0,
    workers: int | Callable[..., Any] = 1,
    vectorized: bool = False,
    args: tuple[Any, ...] = (),
    polish: bool | str = False,
    disp: bool = False,
    **options: Any,
) -> Comparison:
    """Which strategy suits a function: minimise it several times with each, from the same seeds.

    It does strategies × runs × budget evaluations. Ctrl-C raises KeyboardInterrupt at once.

    Parameters
    ----------
    fun, bounds
        As in `minimize`.
    strategies : sequence, mapping or "all", optional
        What to compare: names, registered operators, or sequences with one per variable; in a mapping each has a name
        of yours. "all": every strategy of the table but those that leave points outside the box or unevaluated (none,
        penalty). By default one of each idea: saturation, mirror, toroidal, uniform, COTN, midpoint-target,
        rand-target, resample, dismiss. Where the base of the mutation is the target, as by default, midpoint-base does
        the same runs as midpoint-target, rand-base as rand-target and conservatism as dismiss.
    variant, budget
        As in `minimize`.
    runs : int, default 15
        Runs per strategy, 2 or more. Run k of every strategy has the same seed and so the same initial population.
        With fewer than 11 none of the nine strategies can be found worse.
    rng : int, numpy.random.Generator or None, default 0
        Seed of all seeds; None: other runs every time.
    workers, vectorized, args
        As in `minimize`.
    polish : bool or "auto", default False
        As in `minimize`, but for the default: a local search mostly ends at the same minimum whatever the strategy,
        and hides what a run shows that is not polished (variables that are integers, noise, a checkpoint, `Optimizer`).
        With "auto" the runs are those of `minimize` as it is by default.
    disp : bool, default False
        Whether to print a line after each run of all strategies.
    **options
        Those of `minimize`.

    Returns
    -------
    Comparison
        `print` shows a table; values and pois (arrays), best, worse, identical, medians, intervals, p_values;
        `debox.plot.compare` draws it.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it, its value and what is allowed.
    TypeError
        If there is no such keyword.

    Examples
    --------
    The minimum is in a corner. Two of the strategies never differ with the default variant:

    >>> import debox
    >>> names = ["mirror", "saturation", "midpoint-target", "midpoint-base"]
    >>> found = debox.compare(lambda x: x[0] + x[1] ** 2, [(0, 1), (0, 3)], names, budget=400)
    >>> found.best, found.identical
    ('saturation', {'midpoint-base': 'midpoint-target'})
    """
    unknown = {name: value for name, value in options.items() if name not in signature(minimize).parameters}
    unknown |= {name: options[name] for name in HINTS if name in options}
    check.reject_unknown_keywords(minimize, unknown, HINTS)
    chosen = by_name(strategies)
    runs, disp = check.integer("runs", runs, 2), check.boolean("disp", disp)
    seeds = tuple(int(seed) for seed in np.random.SeedSequence(check.seed(rng)).generate_state(runs, np.uint64))
    results: list[list[Any]] = [[] for _ in chosen]
    for k, seed in enumerate(seeds):  # all strategies in turn: a wrong one raises early
        for done, strategy in zip(results, chosen.values(), strict=True):
            result = minimize(
                fun,
                bounds,
                variant,
                strategy=strategy,
                budget=budget,
                rng=seed,
                workers=workers,
                vectorized=vectorized,
                args=args,
                polish=polish,
                on_interrupt="raise",
                **options,
            )
            done.append(result)
        if disp:
            print(f"run {k + 1} of {runs}: best f = {min(done[-1].fun for done in results):.6g}", flush=True)
    values = np.array([[result.fun for result in row] for row in results])
    return Comparison(
        strategies=tuple(chosen),
        values=np.where(np.isnan(values), np.inf, values),
        pois=np.array([[result.pois for result in row] for row in results]),
        evaluations=np.array([[result.nfev for result in row] for row in results]),
        x=np.array([[result.x for result in row] for row in results]),
        seeds=seeds,
        variant=variant,
        params=tuple(tuple(result.params for result in row) for row in results if "params" in row[0]),
    )


def by_name(strategies: Strategies | None) -> dict[str, Any]:
    """Name → what `minimize` takes as strategy."""
    if strategies is None:
        return {name: name for name in DEFAULT}
    if isinstance(strategies, str):
        if strategies != "all":
            raise ValueError(f"strategies must be a sequence of strategies, a mapping or 'all', got {strategies!r}")
        load_packages()
        table = operators.in_slot("strategy")
        return {one.name: one for one in table if not (one.leaves_outside or one.penalises)}
    if not isinstance(strategies, Sequence | Mapping) or not len(strategies):
        raise ValueError(f"strategies must hold one strategy or more, or be 'all', got {strategies!r}")
    if isinstance(strategies, Mapping):
        for one in strategies.values():
            name_of(one)  # which checks it
        return {str(name): one for name, one in strategies.items()}
    names = [name_of(one) for one in strategies]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"strategies has {twice[0]!r} twice; name them yourself: strategies={{'a name': …, …}}")
    return dict(zip(names, strategies, strict=True))


def name_of(strategy: Any) -> str:
    """``mirror``; of one per variable, the different ones: ``mirror+toroidal``"""
    several = strategy if isinstance(strategy, list | tuple) else [strategy]
    return "+".join(dict.fromkeys(operators.find("strategy", one).name for one in several))


def coverage(k: int, runs: int) -> float:
    """The chance that the median of any continuous distribution lies between the k-th smallest and largest value."""
    outside: int = sum(comb(runs, j) for j in range(k))
    return 1 - outside / float(2 ** (runs - 1))


def order_statistic(runs: int) -> int:
    """The largest k with a coverage of 95 %; 1 if there are too few runs."""
    return max((k for k in range(1, (runs + 1) // 2 + 1) if coverage(k, runs) >= CONFIDENCE), default=1)


def signed_rank(a: Floats, b: Floats) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test, exact also with ties; equal pairs are left out.

    T = Σ ranks of |a − b| where a > b; without a difference, each rank is in it or not, with equal chance.
    """
    differs = a != b
    d = a[differs] - b[differs]
    _, inverse, counts = np.unique(np.abs(d), return_inverse=True, return_counts=True)
    twice = 2 * np.cumsum(counts) - counts + 1  # the mean rank of equal values, doubled to be an integer
    ranks = twice[inverse]
    total = int(ranks.sum())
    ways = np.zeros(total + 1)  # in which the doubled T can come about, ÷ 2^pairs
    ways[0] = 1
    for rank in ranks:
        ways[rank:] += ways[: total + 1 - rank].copy()
        ways /= 2
    T = int(ranks[d > 0].sum())
    return min(1.0, 2 * float(min(ways[: T + 1].sum(), ways[T:].sum())))


def holm(p: Sequence[float]) -> list[float]:
    """Holm's corrected p-values: the i-th smallest of m times m − i + 1, at least the one before and at most 1."""
    corrected, largest = [1.0] * len(p), 0.0
    for i, k in enumerate(np.argsort(p, kind="stable")):
        largest = max(largest, min(1.0, (len(p) - i) * p[k]))
        corrected[k] = largest
    return corrected


def runs_needed(strategies: int) -> int:
    """The least number of runs with which a strategy can be found worse: the smallest p is 2 / 2^runs."""
    pairs, runs = strategies * (strategies - 1) // 2, 1
    while pairs * 2 / 2**runs > LEVEL:
        runs += 1
    return runs


def digits_that_differ(values: Floats) -> int:
    """How many digits show different values as different: 4, or up to MOST_DIGITS where they share the first."""
    different = len(np.unique(values))
    fewer = range(4, MOST_DIGITS)
    return next((k for k in fewer if len({f"{value:.{k}g}" for value in values}) == different), MOST_DIGITS)


def finite(value: float) -> float | None:
    """The number, or None where JSON has none."""
    return float(value) if np.isfinite(value) else None


def as_json(value: Any) -> Any:
    """The value, with what JSON does not have as text."""
    if isinstance(value, dict):
        return {name: as_json(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(one) for one in value]
    is_json = value is None or isinstance(value, str | int) or (isinstance(value, float) and np.isfinite(value))
    return value if is_json else repr(value)
