"""Tests of how many cells have a property. Runs are random, so whether a cell has it is random, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from debox.analysis.claims import properties
from debox.analysis.claims.finding import Finding
from debox.analysis.claims.levels import NotTestableError, join_values, require_several, select_values
from debox.analysis.claims.properties import Property
from debox.analysis.claims.rules import ALIKE, ALL, FALL, HIGH, NARROW, NONE, OTHER_ALL, TREND
from debox.analysis.claims.statistics import at_least, sign
from debox.analysis.cube import Cube
from debox.study.fields import AXES

FULL = f"all runs at 100 % (≥ {ALL:g})"
FULL_SOMEWHERE = f"all runs at 100 % (≥ {ALL:g}) for some F and Cr"
EXTREME = f"all runs at 0 % (≤ {NONE:g}) or all at 100 %"
HIGH_MEDIAN = f"median in [{HIGH:g}, 1]"
LOW_MEDIAN = f"median at most {ALIKE:g}"
IS_NARROW = f"standard deviation at most {NARROW:g}"
SAME_TREND = f"means of all mutations correlated by at least {TREND:g} over F and Cr"
SPREAD_FIRST = "mutations differing more in spread than in mean"
AT_LAST_CR = "mutations differing more at the largest Cr than at any other"
GROUPS = "strategies differing more between the two groups than within them"
FALLS_AT_LAST_CR = f"falling by more than {FALL:g} at the last step of Cr"
FALLS_ONLY_AT_LAST_CR = "falling at no step of Cr but the last"

PROPERTIES: Mapping[str, Callable[[Cube], Property]] = {
    FULL: properties.full,
    FULL_SOMEWHERE: properties.full_somewhere,
    EXTREME: properties.extreme,
    HIGH_MEDIAN: properties.high,
    LOW_MEDIAN: properties.low,
    IS_NARROW: properties.narrow,
    SAME_TREND: properties.same_trend,
    SPREAD_FIRST: properties.spread_differs_more,
    AT_LAST_CR: properties.differ_most_at_last_Cr,
    GROUPS: properties.two_groups,
    FALLS_AT_LAST_CR: properties.falls_at_last,
    FALLS_ONLY_AT_LAST_CR: properties.falls_nowhere_else,
}


@dataclass(frozen=True)
class ShareOfCells:
    """So many cells have a property."""

    trait: str

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"share of cells with {self.trait}; binomial tail at the promised share"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return "a cell agrees if it has the property"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The share of cells with the property."""
        found = PROPERTIES[self.trait](cube)
        has, cells = int(found.has[found.speaks].sum()), int(found.speaks.sum())
        if not cells:
            raise NotTestableError(f"no cell can show it: {found.silence}")
        silent = f", {found.speaks.size - cells} silent ({found.silence})" if found.speaks.size > cells else ""
        evidence = (
            f"{has} of {cells} ({has / cells:.1%}){silent}: {self.trait}{_by_factor(found)}{_readings(self, cube)}"
        )
        p = at_least(has, cells, promised), at_least(has, cells, promised / 2)
        return Finding(has / cells, "share of cells", *p, cells, has / cells, 1 - has / cells, evidence)


@dataclass(frozen=True)
class ShareAtEachLevel:
    """At every value of a factor at least some share of the cells has a property."""

    factor: str
    trait: str
    share: float

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"share of cells with {self.trait} at each {self.factor}; the largest of the binomial p"

    @property
    def criterion(self) -> str:
        """When a value agrees."""
        return f"a value of {self.factor} agrees if at least {self.share:.0%} of its cells have the property"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The shares at each value."""
        require_several(cube, self.factor)
        found = PROPERTIES[self.trait](cube)
        shares, p = {}, []
        for value, has, speaks in found.along(self.factor):
            if speaks:
                shares[value] = has / speaks
                p.append(at_least(has, speaks, self.share))
        enough = [share >= self.share for share in shares.values()]
        agree, rank = float(np.mean(enough)), sorted(p)
        half = rank[max(int(np.ceil(promised / 2 * len(p))), 1) - 1] * len(p)  # Bonferroni over which values
        least = min(shares, key=lambda value: shares[value])
        listing = ", ".join(f"{value} {share:.1%}" for value, share in shares.items())
        evidence = f"{self.trait}, share of cells by {self.factor}: {listing}; least at {least}"
        p_values = max(p), min(half, 1.0)
        return Finding(shares[least], "least share", *p_values, len(p), agree, 1 - agree, evidence)


@dataclass(frozen=True)
class MoreCells:
    """More cells have a property at one value of a factor than at another: the sign test of cells that switch."""

    factor: str
    less: Any
    more: Any
    trait: str

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"matched cells in which {self.trait} appears against those in which it disappears; sign test"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return "a cell that differs agrees if the property appears"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The cells that switch."""
        parts = [
            cube.take(**{self.factor: select_values(cube, self.factor, value)}) for value in (self.less, self.more)
        ]
        before, after = (PROPERTIES[self.trait](part).has for part in parts)
        gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
        if not gained + lost:
            raise NotTestableError("no cell has the property at one value and lacks it at the other")
        evidence = (
            f"{self.trait}: {int(before.sum())} cells at {self.factor} {self.less}, {int(after.sum())} at "
            f"{self.more}; {gained} gain it, {lost} lose it"
        )
        p, cells = sign(gained, lost), gained + lost
        effect = (gained - lost) / before.size
        return Finding(effect, "rise of the share", p, p, cells, gained / cells, lost / cells, evidence)


def _by_factor(found: Property) -> str:
    """The shares along the factor that tells most."""
    tables = {factor: {value: has / speaks for value, has, speaks in found.along(factor) if speaks} for factor in AXES}
    widths = {factor: max(shares.values()) - min(shares.values()) for factor, shares in tables.items() if shares}
    factor = max(widths, key=lambda name: widths[name], default="")
    if not factor or not widths[factor]:
        return ""
    return f"; by {factor}: " + ", ".join(
        f"{join_values([value])} {share:.0%}" for value, share in tables[factor].items()
    )


def _readings(test: ShareOfCells, cube: Cube) -> str:
    """How many cells there are under other readings of 100 %."""
    if test.trait not in (FULL, FULL_SOMEWHERE, EXTREME):
        return ""
    share, counts = cube.share, []
    for level in OTHER_ALL:
        cells = np.asarray((share >= level).all(-1))
        if test.trait == EXTREME:
            cells = cells | np.asarray((share <= 1 - level).all(-1))
        if test.trait == FULL_SOMEWHERE:
            cells = np.asarray(cells.any(axis=(4, 5)))
        counts.append(f"{int(cells.sum())} with {level:g}")
    return f"; with other levels than {ALL:g}: {', '.join(counts)}"
