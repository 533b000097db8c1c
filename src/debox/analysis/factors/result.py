"""Factors: the shares of all factors and sets of factors, with intervals, as dictionary, columns and text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, NamedTuple

from debox.analysis.cube import runs_in_words
from debox.analysis.factors.decompose import Floats
from debox.analysis.factors.where import in_words

TITLES = {
    "mean": "mean POIS",
    "logit": "mean logit of POIS",
    "spread": "standard deviation of POIS over half of the runs",
    "quantiles": "quantile function of POIS over half of the runs (Wasserstein-2)",
}
KINDS = ("first", "total", "shapley")
HEADS = {"first": "alone", "total": "with interactions", "shapley": "Shapley"}
INTERACTIONS = 10  # in the text


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
    runs : int
        Runs of every configuration.
    planned : int
        How many of them the study plans; 0 if that is not known.
    where : mapping of str to object
        The part of the study that was asked for, as the runs have it: ``{"dimension": 30, "F": "<=1"}``.
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
    effects : mapping of tuple of str to ndarray
        Of every set of factors, the empty one too (the mean of all cells): an axis per factor of the set. Of quantile
        functions: averaged over the probabilities.

    Examples
    --------
    >>> import debox
    >>> table = {"mutation": ["rand/1"] * 8, "crossover": ["bin"] * 8, "strategy": ["mirror"] * 8, "N": [5] * 8,
    ...          "F": [0.5, 1] * 4, "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "dimension": [2] * 8, "budget": [100] * 8,
    ...          "pois": [0.1, 0.5, 0.2, 0.7] * 2}
    >>> found = debox.factors(table)
    >>> found.configurations, found.runs, round(found.total["F"].value, 2)
    (4, 2, 0.9)
    """

    of: str
    axes: Mapping[str, tuple[Any, ...]]
    runs: int
    planned: int
    where: Mapping[str, Any]
    confidence: float
    variance: Share
    noise: float
    variances: Mapping[tuple[str, ...], float]
    components: Mapping[tuple[str, ...], Share]
    first: Mapping[str, Share]
    total: Mapping[str, Share]
    shapley: Mapping[str, Share]
    effects: Mapping[tuple[str, ...], Floats]

    @property
    def configurations(self) -> int:
        """How many there are."""
        count = 1
        for levels in self.axes.values():
            count *= len(levels)
        return count

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

        Examples
        --------
        >>> import debox
        >>> table = {"mutation": ["rand/1"] * 8, "crossover": ["bin"] * 8, "strategy": ["mirror"] * 8, "N": [5] * 8,
        ...          "F": [0.5, 1] * 4, "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "dimension": [2] * 8, "budget": [100] * 8,
        ...          "pois": [0.1, 0.5, 0.2, 0.7] * 2}
        >>> shares = debox.factors(table).shares()
        >>> {kind: round(of_factor["F"].value, 2) for kind, of_factor in shares.items()}
        {'first': 0.89, 'total': 0.9, 'shapley': 0.9}
        """
        return {kind: getattr(self, kind) for kind in KINDS}

    def interactions(self) -> list[tuple[tuple[str, ...], Share]]:
        """All sets of two and more factors that have several levels, the largest share first.

        Returns
        -------
        list of tuple
            The names of the factors and their Share; empty if fewer than two factors have several levels.

        Examples
        --------
        >>> import debox
        >>> table = {"mutation": ["rand/1"] * 8, "crossover": ["bin"] * 8, "strategy": ["mirror"] * 8, "N": [5] * 8,
        ...          "F": [0.5, 1] * 4, "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "dimension": [2] * 8, "budget": [100] * 8,
        ...          "pois": [0.1, 0.5, 0.2, 0.7] * 2}
        >>> for names, share in debox.factors(table).interactions():
        ...     print(" × ".join(names), round(share.value, 2))
        F × Cr 0.01
        """
        several = {name for name, levels in self.axes.items() if len(levels) > 1}
        every = [(u, share) for u, share in self.components.items() if len(u) > 1 and several.issuperset(u)]
        return sorted(every, key=lambda one: -self.variances[one[0]])

    def columns(self) -> dict[str, list[Any]]:
        """A table with a row per share, for a data frame of your choice.

        Returns
        -------
        dict of str to list
            The columns kind, factors, variance, share, low and high.

        Examples
        --------
        >>> import debox
        >>> table = {"mutation": ["rand/1"] * 8, "crossover": ["bin"] * 8, "strategy": ["mirror"] * 8, "N": [5] * 8,
        ...          "F": [0.5, 1] * 4, "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "dimension": [2] * 8, "budget": [100] * 8,
        ...          "pois": [0.1, 0.5, 0.2, 0.7] * 2}
        >>> columns = debox.factors(table).columns()
        >>> columns["kind"][-1], columns["factors"][-1], round(columns["share"][-1], 2)
        ('shapley', 'Cr', 0.1)
        """
        rows = [("component", " × ".join(u), share) for u, share in self.components.items()]
        rows += [(kind, name, share) for kind, shares in self.shares().items() for name, share in shares.items()]
        names = ("kind", "factors", "variance", "share", "low", "high")
        whole = [(kind, name, share.value * self.variance.value, *share) for kind, name, share in rows]
        return {name: [row[k] for row in whole] for k, name in enumerate(names)}

    def as_dict(self) -> dict[str, Any]:
        """All but the effects, of names, numbers and lists.

        Returns
        -------
        dict of str to object
            What `debox factors --json` prints; None for what is not known or not finite.

        Examples
        --------
        >>> import debox
        >>> table = {"mutation": ["rand/1"] * 8, "crossover": ["bin"] * 8, "strategy": ["mirror"] * 8, "N": [5] * 8,
        ...          "F": [0.5, 1] * 4, "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "dimension": [2] * 8, "budget": [100] * 8,
        ...          "pois": [0.1, 0.5, 0.2, 0.7] * 2}
        >>> facts = debox.factors(table).as_dict()
        >>> facts["of"], facts["axes"]["F"], facts["configurations"]
        ('mean', [0.5, 1.0], 4)
        """
        table = self.columns()
        return {
            "of": self.of,
            "where": dict(self.where),
            "axes": {name: list(levels) for name, levels in self.axes.items()},
            "configurations": self.configurations,
            "runs": self.runs,
            "planned": self.planned,
            "confidence": self.confidence,
            "variance": {name: _finite(value) for name, value in self.variance._asdict().items()},
            "noise": self.noise,
            "shares": [
                {name: _finite(value) for name, value in zip(table, row, strict=True)}
                for row in zip(*table.values(), strict=True)
            ],
        }

    def __str__(self) -> str:
        width = max(len(name) for name in self.axes)
        lines = [*self._head(), f"{'':{width}}  levels  " + "".join(f"{head:<25}" for head in HEADS.values()).rstrip()]
        for name, levels in self.axes.items():
            cells = "".join(f"{shares[name].percent():<25}" for shares in self.shares().values())
            lines.append(f"{name:{width}}  {len(levels):<6}  {cells}".rstrip())
        together = [f"{' × '.join(u):<40}{share.percent()}" for u, share in self.interactions()[:INTERACTIONS]]
        return "\n".join([*lines, *(["", "The strongest interactions", *together] if together else [])])

    def _head(self) -> list[str]:
        chosen = "".join(f", {in_words(name, value)}" for name, value in self.where.items())
        value, low, high = self.variance
        runs = runs_in_words(self.runs, self.planned)
        return [
            f"{TITLES[self.of]}: {self.configurations} configurations of {runs}{chosen}",
            f"variance between configurations {value:.4g} [{low:.4g}, {high:.4g}], sd {sqrt(max(value, 0)):.3g}; "
            f"noise of {self.noise:.2g} is removed",
            f"shares of it with {100 * self.confidence:g} % intervals (cells fixed, runs random)",
            "",
        ]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
