"""How much of the differences between configurations each factor and each set of factors makes: exact functional ANOVA.

A study that has all combinations of levels is a table f with an axis per factor. Along the axis of factor k let J_k be
the mean and I the identity. The effect of a set u of factors is f_u = ∏_{k ∈ u} (I − J_k) ∏_{k ∉ u} J_k f. Effects are
orthogonal: the variance over the cells is Σ_{u ≠ ∅} V_u with V_u = mean f_u².

Runs are random, so cells are known up to noise, and noise looks like an interaction. Of M cells every set has the share
of the mean noise that its degrees of freedom d_u = ∏_{k ∈ u} (L_k − 1) are of M, also where cells differ in noise. So
V_u − d_u/M · s²/R is unbiased for a mean of R runs with the variance s². Standard deviations and quantile functions
have no s² of their own; they are computed from two halves of the runs, which are two "runs" of the same statistic.
Intervals come from the jackknife: cells are fixed, runs are random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isfinite, nan, prod, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.analysis import where as conditions
from debox.analysis.estimate import Estimate, jackknife
from debox.analysis.runs import Runs, Source, runs_in_words

HEADS = {"first": "alone", "total": "with interactions", "shapley": "Shapley"}  # the kinds of shares
INTERACTIONS = 10  # in the text
POINTS = 25  # of a quantile function, at most
NOTHING = 1e-20  # a variance of rounding errors
Floats = NDArray[np.float64]
Subset = tuple[int, ...]


class Share(NamedTuple):
    """An estimate and its interval; the estimate is unbiased, so it may be below 0."""

    value: float
    low: float
    high: float

    def percent(self) -> str:
        """``12.3 % [11.9, 12.7]``"""
        if not isfinite(self.value):
            return "unknown"
        if not (isfinite(self.low) and isfinite(self.high)):
            return f"{100 * self.value:.1f} % [anything]"
        return f"{100 * self.value:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


@dataclass(frozen=True, eq=False)
class Factors:
    """What `debox.factors` finds; shares are of the variance between configurations, noise removed.

    Attributes
    ----------
    of : str
        What is decomposed: mean, logit, spread or quantiles.
    axes : mapping of str to tuple
        The levels of each factor that are analysed.
    runs, planned : int
        Runs of every configuration, and how many of them the study plans.
    where : mapping of str to tuple
        The part of the study that was asked for: ``{"dimension": (30,), "F": ("<=1",)}``.
    confidence : float
        Of the intervals.
    variance : Share
        The variance between configurations, noise removed, with its interval.
    noise : float
        The variance that random runs add to it, which is removed.
    variances : mapping of tuple of str to float
        V_u of every non-empty set u of factors, noise removed; they sum to `variance`.
    components : mapping of tuple of str to Share
        V_u ÷ `variance`.
    first, total, shapley : mapping of str to Share
        For a factor k: V_{k}; Σ V_u over all u with k; ``Σ V_u ÷ |u|`` over all u with k; each ÷ `variance`.
    alone : Share
        What all factors explain by themselves; the rest are interactions.
    effects : mapping of tuple of str to ndarray
        Of every set of factors, the empty one too (the mean of all cells): an axis per factor of the set. Of quantile
        functions: averaged over the probabilities.

    Examples
    --------
    >>> import debox
    >>> found = debox.factors("paper")
    >>> found.configurations, found.runs, round(found.total["F"].value, 2)
    (6000, 50, 0.71)
    >>> names, share = found.interactions()[0]
    >>> names, share.percent()
    (('crossover', 'Cr'), '3.3 % [3.3, 3.4]')
    """

    of: str
    axes: Mapping[str, tuple[Any, ...]]
    runs: int
    planned: int
    where: Mapping[str, tuple[Any, ...]]
    confidence: float
    variance: Share
    noise: float
    variances: Mapping[tuple[str, ...], float]
    components: Mapping[tuple[str, ...], Share]
    first: Mapping[str, Share]
    total: Mapping[str, Share]
    shapley: Mapping[str, Share]
    alone: Share
    effects: Mapping[tuple[str, ...], Floats]

    @property
    def configurations(self) -> int:
        """How many there are."""
        return prod(map(len, self.axes.values()))

    @property
    def strongest_pair(self) -> tuple[str, str]:
        """The two factors whose interaction has the largest share."""
        pairs = [u for u, _ in self.interactions() if len(u) == 2]
        if not pairs:
            raise ValueError("an interaction needs two factors with several levels, this study has fewer")
        return pairs[0][0], pairs[0][1]

    def shares(self) -> dict[str, Mapping[str, Share]]:
        """The shares of every factor, of all kinds.

        Returns
        -------
        dict of str to mapping of str to Share
            ``first``, ``total`` and ``shapley``, and in each the share of every factor.
        """
        return {kind: getattr(self, kind) for kind in HEADS}

    def interactions(self) -> list[tuple[tuple[str, ...], Share]]:
        """All sets of two and more factors that have several levels, the largest share first.

        Returns
        -------
        list of tuple
            The names of the factors and their Share; empty if fewer than two factors have several levels.
        """
        several = {name for name, levels in self.axes.items() if len(levels) > 1}
        every = [(u, share) for u, share in self.components.items() if len(u) > 1 and several.issuperset(u)]
        return sorted(every, key=lambda one: -self.variances[one[0]])

    def as_dict(self) -> dict[str, Any]:
        """All but the effects, of names, numbers and lists.

        Returns
        -------
        dict of str to object
            What `debox factors --json` prints; None for what is not known or not finite. ``shares`` has a row for each
            share, and makes a data frame: ``pandas.DataFrame(found.as_dict()["shares"])``.
        """
        rows = [("component", " × ".join(u), *share) for u, share in self.components.items()]
        rows += [(kind, name, *share) for kind, found in self.shares().items() for name, share in found.items()]
        rows += [("all alone", "", *self.alone)]
        columns, attributes = ("kind", "factors", "share", "low", "high"), ("of", "configurations", "runs", "planned")
        return {name: getattr(self, name) for name in attributes} | {
            "where": {name: list(wanted) for name, wanted in self.where.items()},
            "axes": {name: list(levels) for name, levels in self.axes.items()},
            "confidence": self.confidence,
            "variance": {name: _finite(value) for name, value in self.variance._asdict().items()},
            "noise": self.noise,
            "shares": [dict(zip(columns, map(_finite, row), strict=True)) for row in rows],
        }

    def __str__(self) -> str:
        chosen = f", {conditions.describe(self.where)}" * bool(self.where)
        value, low, high = self.variance
        width = max(map(len, self.axes))
        lines = [
            f"{STATISTICS[self.of].title}: {self.configurations} configurations of "
            f"{runs_in_words(self.runs, self.planned)}{chosen}",
            f"variance between configurations {value:.4g} [{low:.4g}, {high:.4g}], sd {sqrt(max(value, 0)):.3g}; "
            f"noise of {self.noise:.2g} is removed",
            f"shares of it with {100 * self.confidence:g} % intervals (cells fixed, runs random)",
            "",
            f"{'':{width}}  levels  " + "".join(f"{head:<25}" for head in HEADS.values()).rstrip(),
        ]
        for name, levels in self.axes.items():
            cells = "".join(f"{found[name].percent():<25}" for found in self.shares().values())
            lines.append(f"{name:{width}}  {len(levels):<6}  {cells}".rstrip())
        together = [f"{' × '.join(u):<40}{share.percent()}" for u, share in self.interactions()[:INTERACTIONS]]
        return "\n".join([*lines, *(["", "The strongest interactions", *together] if together else [])])


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


# ---- What is decomposed ----------------------------------------------------------------------------------------------


class Statistic(NamedTuple):
    """A statistic of the runs of each configuration.

    arrange: from levels × runs, what the jackknife leaves groups out of along its last axis
    replicates: from what is arranged, J numbers of every cell, estimated several times: levels × J × replicates
    """

    title: str
    least: int  # runs that it needs
    arrange: Callable[[Floats], Floats]
    replicates: Callable[[Floats], Floats]


def alone(values: Floats) -> Floats:
    """Each run by itself: levels × 1 × runs."""
    return values[..., None, :]


def halves(values: Floats) -> Floats:
    """Every second run, and the others: levels × 2 × half of the runs."""
    pairs = values[..., : values.shape[-1] // 2 * 2]
    return np.stack([pairs[..., ::2], pairs[..., 1::2]], axis=-2)


def spreads(pois: Floats) -> Floats:
    """The standard deviation of each half."""
    return np.asarray(pois.std(axis=-1, ddof=1)[..., None, :])


def curves(pois: Floats) -> Floats:
    """The quantile function of each half, averaged over each of at most POINTS equal parts of the probabilities.

    The mean squared difference of two of them is the square of their Wasserstein-2 distance.
    """
    ordered, count = np.sort(pois, axis=-1), pois.shape[-1]
    if count > POINTS:
        steps, parts = np.arange(count)[:, None] / count, np.arange(POINTS) / POINTS
        overlap = np.minimum(steps + 1 / count, parts + 1 / POINTS) - np.maximum(steps, parts)
        ordered = ordered @ (POINTS * np.maximum(overlap, 0))
    return ordered.swapaxes(-1, -2)


STATISTICS = {
    "mean": Statistic("mean POIS", 2, alone, np.asarray),
    "logit": Statistic("mean logit of POIS", 2, alone, np.asarray),
    "spread": Statistic("standard deviation of POIS over half of the runs", 6, halves, spreads),
    "quantiles": Statistic("quantile function of POIS over half of the runs (Wasserstein-2)", 4, halves, curves),
}


# ---- The decomposition -----------------------------------------------------------------------------------------------


def subsets(factors: int) -> list[Subset]:
    """All subsets of the factors 0, 1, …: (), (1,), (0,), (0, 1) for two of them."""
    members = product((False, True), repeat=factors)
    return [tuple(k for k, member in enumerate(which) if member) for which in members]


def effects(table: Floats) -> list[Floats]:
    """f_u of every subset u, in their order; of length 1 along the axes of factors that are not in u.

    The table has an axis per factor and a last one for the numbers of a cell.
    """
    parts = [table]
    for axis in range(table.ndim - 1):
        means = [part.mean(axis, keepdims=True) for part in parts]
        parts = [one for part, mean in zip(parts, means, strict=True) for one in (mean, part - mean)]
    return parts


def degrees(levels: Sequence[int]) -> Floats:
    """d_u = ∏_{k ∈ u} (L_k − 1) of every subset; together they are the number of cells."""
    return np.array([prod(levels[k] - 1.0 for k in u) for u in subsets(len(levels))])


def mean_noise(replicates: Floats) -> float:
    """s²/R, on average over cells and their numbers; NaN of one replicate, as the jackknife leaves of two runs"""
    count = replicates.shape[-1]
    return float(replicates.var(axis=-1, ddof=1).mean() / count) if count > 1 else nan


def variances(replicates: Floats) -> Floats:
    """V_u = mean f_u² − d_u/M · noise of every subset: unbiased, so one that is nearly 0 may fall below it"""
    squares = np.array([np.mean(part * part) for part in effects(replicates.mean(axis=-1))])
    d = degrees(replicates.shape[:-2])
    return np.asarray(squares - d / d.sum() * mean_noise(replicates))


def weights(factors: int) -> dict[str, Floats]:
    """For each kind of shares the weights of all V_u: a row per factor."""
    every = subsets(factors)
    alone = np.array([[float(u == (k,)) for u in every] for k in range(factors)])
    inside = np.array([[float(k in u) for u in every] for k in range(factors)])
    return {"first": alone, "total": inside, "shapley": inside / np.maximum([len(u) for u in every], 1)}


def estimate(values: Floats, of: str, rows: Floats) -> Estimate:
    """Σ V_u over all u ≠ ∅ of levels × runs, and behind it the part of it that each row of weights gives."""
    statistic = STATISTICS[of]

    def shares(arranged: Floats) -> Floats:
        V = variances(statistic.replicates(arranged))
        whole = V[1:].sum()
        return np.concatenate([[whole], rows @ V / (whole if whole > NOTHING else nan)])

    return jackknife(shares, statistic.arrange(values))


def factors(source: Source, of: str = "mean", *, confidence: float = 0.95, **where: Any) -> Factors:
    """Divide the differences between the configurations of a study among its factors and their interactions.

    The factors are mutation, crossover, strategy, N, F and Cr, and whatever else varies: adaptation, dimension, ….
    All levels have equal weight. What random runs add is removed without bias, so that a share may fall below 0; it is
    shown as it is.

    Parameters
    ----------
    source : store, path, DataFrame, mapping or Runs
        A store (`debox.open_store`), its directory or packed file, a table of runs (a pandas or polars DataFrame, or a
        mapping from column names to arrays), or runs by configuration.
    of : {"mean", "logit", "spread", "quantiles"}, default "mean"
        What is decomposed: the mean POIS of a configuration, the mean logit of its runs' POIS, their standard
        deviation, or their whole quantile function in the Wasserstein-2 metric. The latter two are those of half as
        many runs: the product of two halves has no noise.
    confidence : float, default 0.95
        How often intervals hold the true share, in repetitions of all runs of the same configurations.
    **where : object
        The part to analyse: values of a factor, `crossover="bin"`, `N=(5, 20)`, a comparison, `F="<=1"`; or which of
        several settings, `budget=3000`.

    Returns
    -------
    Factors
        Shares with intervals; `print` shows them, `as_dict()` gives them.

    Raises
    ------
    ValueError
        If `source` is none of these or lacks a column, if configurations are missing or have unequal or too few runs
        (they are listed), if `of` or `confidence` is not allowed, or if `where` asks for what is not there.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> import debox
    >>> cell = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5, "dimension": 2, "budget": 100}
    >>> table = {name: [value] * 12 for name, value in cell.items()}
    >>> table |= {"F": [0.5] * 6 + [1] * 6, "Cr": [0.1, 0.1, 0.1, 0.9, 0.9, 0.9] * 2, "run": [0, 1, 2] * 4}
    >>> found = debox.factors(table | {"pois": [0.1] * 3 + [0.2] * 3 + [0.5] * 3 + [0.6] * 3})
    >>> round(found.first["F"].value, 4), round(found.first["Cr"].value, 4)  # 0.4² and 0.1² of their sum
    (0.9412, 0.0588)
    """
    check.choice("of", of, list(STATISTICS))
    check.real("confidence", confidence, "0 < confidence < 1", lambda number: 0 < number < 1)
    statistic = STATISTICS[of]
    runs = Runs.of(source, where=where).complete(statistic.least, f"of={of!r}")
    names, values = list(runs.axes), runs.logit if of == "logit" else runs["pois"]
    named, by_kind = [tuple(names[k] for k in u) for u in subsets(len(names))], weights(len(names))
    rows = [np.eye(len(named))[1:], by_kind["first"].sum(axis=0)[None], *by_kind.values()]
    found = estimate(values, of, np.concatenate(rows))
    low, high = found.interval(confidence)
    known = np.isfinite(found.error)
    ends = np.where(known, low, -inf), np.where(known, high, inf)
    whole, *every = (Share(*map(float, three)) for three in zip(found.value, *ends, strict=True))
    first, total, shapley = (
        dict(zip(names, every[len(named) + k * len(names) :], strict=False)) for k in range(len(by_kind))
    )
    replicates = statistic.replicates(statistic.arrange(values))
    parts = effects(replicates.mean(axis=-1))
    return Factors(
        of=of,
        axes=dict(runs.axes),
        runs=runs.index.shape[-1],
        planned=runs.planned,
        where=dict(runs.where),
        confidence=confidence,
        variance=whole,
        noise=(1 - 1 / prod(runs.shape)) * mean_noise(replicates),
        variances=dict(zip(named[1:], variances(replicates)[1:].tolist(), strict=True)),
        components=dict(zip(named[1:], every, strict=False)),
        first=first,
        total=total,
        shapley=shapley,
        alone=every[len(named) - 1],
        effects={
            u: part.mean(axis=-1).reshape([len(runs.axes[name]) for name in u])
            for u, part in zip(named, parts, strict=True)
        },
    )


def obstacle(runs: Runs) -> str:
    """What a comparison of factors needs and these runs lack: a full design, noise, two factors; empty if nothing."""
    if reason := runs.obstacle(STATISTICS["mean"].least, "a comparison of factors"):
        return reason
    several = [name for name, levels in runs.axes.items() if len(levels) > 1]
    if len(several) < 2:
        return f"a comparison of factors needs two with several levels, this study has {', '.join(several) or 'none'}"
    return ""
