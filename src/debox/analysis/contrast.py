"""Contrast: how much each two levels of a factor differ, all else being equal, with intervals and corrected tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.analysis import where as conditions
from debox.analysis.estimate import discoveries, jackknife
from debox.analysis.runs import Runs, Source, format_key, runs_in_words
from debox.study.fields import AXES

Floats = NDArray[np.float64]
Number = Callable[[Floats], Floats]  # of cells, from the shares of infeasible trials of their runs, the last axis

NUMBERS: Mapping[str, Number] = {
    "mean": lambda share: np.asarray(share.mean(-1)),
    "spread": lambda share: np.asarray(share.std(-1, ddof=1)),
}
FEWEST = 5  # runs: fewer may be equal by chance, with an error of 0
WORDS = {"mean": "mean share of infeasible trials", "spread": "standard deviation of the share over the runs"}


class Pair(NamedTuple):
    """Two levels of the factor.

    Attributes
    ----------
    low, high : str, int or float
        The levels; differences are `high` − `low`.
    difference, lower, upper : float
        The average difference over all cells, and its interval.
    p : float
        Of the average difference being 0, corrected for all pairs (Benjamini and Hochberg).
    rise, fall : int
        The cells in which the difference is shown to be above 0, and below: corrected for all cells of all pairs.
    cells : int
        All matched cells. Those that neither rise nor fall are open: the runs do not decide.
    largest : float
        The largest difference of those shown, in size; NaN if there is none.
    where : dict
        The levels of the other factors that have it.
    """

    low: Any
    high: Any
    difference: float
    lower: float
    upper: float
    p: float
    rise: int
    fall: int
    cells: int
    largest: float
    where: dict[str, Any]


NUMERIC = range(1, 8)  # columns
HEAD = ("pair", "difference", "interval", "p", "rise", "fall", "cells", "largest", "where")


@dataclass(frozen=True, eq=False)
class Contrast:
    """What `debox.contrast` finds.

    Attributes
    ----------
    factor, of : str
        What is compared, and what of the runs: "mean" or "spread".
    pairs : list of Pair
        Each two levels, in their order.
    confidence : float
        Of the intervals.
    caption : str
        What all runs have in common.

    Examples
    --------
    >>> import debox
    >>> found = debox.contrast("paper", "N", of="spread", crossover="exp")
    >>> [(pair.low, pair.high, round(pair.difference, 3)) for pair in found.pairs]
    [(5, 20, -0.019), (5, 100, -0.024), (20, 100, -0.006)]
    >>> len(found.to_markdown().splitlines())  # a head, a rule and a line for each pair
    5
    """

    factor: str
    of: str
    pairs: list[Pair]
    confidence: float
    caption: str

    def _rows(self) -> list[tuple[str, ...]]:
        """A row of texts for each pair, as in HEAD."""
        return [
            (
                f"{conditions.in_words(one.high)} − {conditions.in_words(one.low)}",
                f"{one.difference:+.3f}",
                f"[{one.lower:+.3f}, {one.upper:+.3f}]",
                "< .001" if one.p < 0.001 else f"{one.p:.3f}",
                *map(str, (one.rise, one.fall, one.cells)),
                "" if np.isnan(one.largest) else f"{one.largest:+.3f}",
                format_key(one.where),
            )
            for one in self.pairs
        ]

    def to_markdown(self) -> str:
        """The table in Markdown.

        Returns
        -------
        str
            A head, a rule and a line for each pair.
        """
        lines = [HEAD, ("---",) * len(HEAD), *self._rows()]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    def to_latex(self) -> str:
        r"""The table in LaTeX, for a paper.

        Returns
        -------
        str
            A ``tabular`` with the lines of the package booktabs: ``\toprule``, ``\midrule``, ``\bottomrule``.
        """
        rows = [[f"${cell}$" if cell and k in NUMERIC else cell for k, cell in enumerate(row)] for row in self._rows()]
        lines = [" & ".join(row).replace("−", "$-$").replace("_", r"\_") for row in [HEAD, *rows]]
        rules = r"\toprule", *(rf"{line} \\" for line in lines), r"\bottomrule"
        rules = *rules[:2], r"\midrule", *rules[2:]
        return "\n".join([r"\begin{tabular}{lrrrrrrrl}", *rules, r"\end{tabular}"])

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON.

        Returns
        -------
        dict
            The attributes; a pair is a dictionary, too.
        """
        pairs = [{**one._asdict(), "largest": one.largest if one.where else None} for one in self.pairs]
        return {**vars(self), "pairs": pairs}

    def __str__(self) -> str:
        """The table with aligned columns, below what it is about."""
        rows = [HEAD, *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(HEAD))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        meaning = (
            f"{WORDS[self.of]}: average difference in matched cells, {self.confidence:.0%} interval, p corrected for "
            f"all pairs;\nrise, fall: cells shown to differ from 0, corrected for all cells; the others are open"
        )
        return "\n".join([f"{self.factor} ({self.caption})", *lines, meaning])


def contrast(source: Source, factor: str, of: str = "mean", *, confidence: float = 0.95, **where: Any) -> Contrast:
    """Compare each two levels of a factor, all else being equal.

    Parameters
    ----------
    source : store, path, DataFrame or mapping
        A store (`debox.open_store`), its directory or packed file, or a table of runs.
    factor : str
        mutation, crossover, strategy, N, F, Cr, or what else the runs vary in, such as dimension.
    of : str, default "mean"
        What is compared of each configuration: the "mean" share of infeasible trials of its runs, or their "spread",
        the standard deviation. A share is infeasible ÷ trials, which can be 1 for every N.
    confidence : float, default 0.95
        Of the intervals.
    **where : int, str, bool or tuple, optional
        Which part of the study: ``N=(5, 20)``, ``F="<=1"``, ``strategy=("mirror", "toroidal")``, ``dimension=30``.

    Returns
    -------
    Contrast
        A `Pair` for each two levels; `print` shows a table, ``to_latex()`` and ``to_markdown()`` write it.

    Raises
    ------
    ValueError
        If runs do not vary in the factor, if a configuration has fewer runs than others or fewer than 5, if there are
        runs of several budgets, … between which `where` does not choose, or if an argument is not allowed.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> import debox
    >>> found = debox.contrast("paper", "strategy", strategy=("mirror", "saturation"), N=5, Cr=0.99)
    >>> (pair,) = found.pairs
    >>> round(pair.difference, 3), pair.rise, pair.fall, pair.cells
    (-0.141, 0, 47, 80)
    """
    from scipy.stats import false_discovery_control

    check.choice("of", of, list(NUMBERS))
    check.real("confidence", confidence, "0 < confidence < 1", lambda c: 0 < c < 1)
    runs = comparable(Runs.of(source, where=where), factor, FEWEST, f"a contrast of the {of}")
    share, levels = runs.share, runs.axes[factor]
    couples = list(combinations(levels, 2))
    found = [jackknife(difference(runs, NUMBERS[of], factor, low, high), share) for low, high in couples]
    means = [jackknife(average(difference(runs, NUMBERS[of], factor, low, high)), share) for low, high in couples]
    p = [np.stack([one.p_above() for one in found]), np.stack([one.p_below() for one in found])]
    rise, fall = (discoveries(np.minimum(1, 2 * one)) for one in p)  # twice, for either direction is looked for
    overall = false_discovery_control([2 * min(float(one.p_above()), float(one.p_below()), 0.5) for one in means])
    pairs = []
    for k, (low, high) in enumerate(couples):
        shown, value = rise[k] | fall[k], found[k].value
        at = int(np.where(shown, np.abs(value), -1).argmax())
        ends = means[k].interval(confidence)
        numbers = float(means[k].value), float(ends[0]), float(ends[1]), float(overall[k])
        largest, place = (float(value.ravel()[at]), runs.key(at, value.shape)) if shown.any() else (np.nan, {})
        pairs.append(Pair(low, high, *numbers, int(rise[k].sum()), int(fall[k].sum()), value.size, largest, place))
    words = runs_in_words(runs.index.shape[-1], runs.planned)
    caption = f"{runs.caption.rsplit(', ', 1)[0]}, {words}" + f"; {conditions.describe(runs.where)}" * bool(runs.where)
    return Contrast(factor, of, pairs, confidence, caption)


def comparable(runs: Runs, factor: str, least: int, what: str) -> Runs:
    """Complete runs that vary in this factor and, besides it, only in mutation, crossover, strategy, N, F and Cr."""
    check.choice("factor", factor, tuple(runs.axes))
    others = [name for name in runs.axes if name not in (*AXES, factor)]
    one = (runs.require_one(*others) if others else runs).complete(least, what)
    if len(one.axes[factor]) < 2:
        raise ValueError(f"a contrast needs several {factor}, the runs have {conditions.join(one.axes[factor])}")
    return one


def difference(runs: Runs, number: Number, factor: str, low: Any, high: Any) -> Number:
    """A function from shares to number(high) − number(low) in matched cells, for levels or means over several.

    The axis of the factor keeps length 1.
    """
    axis, levels = runs.axis(factor), runs.axes[factor]
    places = [[levels.index(one) for one in conditions.levels(factor, levels, asked)] for asked in (low, high)]

    def statistic(share: Floats) -> Floats:
        values = number(share)
        below, above = (values.take(some, axis).mean(axis, keepdims=True) for some in places)
        return np.asarray(above - below)

    return statistic


def average(number: Number) -> Number:
    """A function from shares to the mean of the numbers of all cells."""
    return lambda share: np.asarray(number(share).mean())
