"""Tests of differences between cells: one is below the other; what is next is larger; they are as good as equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.estimate import Estimate, mean, quantile, rise_with_F, spread
from debox.analysis.claims.finding import Finding
from debox.analysis.claims.levels import NotTestableError, Values, join_values, require_several, select_values
from debox.analysis.claims.rules import ALPHA, CLEAR, TIE
from debox.analysis.claims.statistics import equivalence, rejections, welch
from debox.analysis.cube import Cube


def extra_spread(cube: Cube) -> Estimate:
    """The standard deviation under saturation minus the mean of those under the other strategies."""
    others = tuple(name for name in cube.axes["strategy"] if name != "saturation")
    if "saturation" not in cube.axes["strategy"] or not others:
        raise NotTestableError(f"needs saturation and others; the study has {join_values(cube.axes['strategy'])}")
    sd = spread(cube)
    return sd.at("strategy", ("saturation",)).minus(sd.at("strategy", others), {"strategy": ("",)})


MEASURES: Mapping[str, Callable[[Cube], Estimate]] = {
    "mean share": mean,
    "standard deviation": spread,
    "lower quartile": lambda cube: quantile(cube, 0.25),
    "median": lambda cube: quantile(cube, 0.5),
    "upper quartile": lambda cube: quantile(cube, 0.75),
    "slope with F": rise_with_F,
    "extra standard deviation of saturation": extra_spread,
}
UNCLEAR = f"a difference of up to {TIE:g} or {CLEAR:g} standard errors says nothing"
STRICT, LENIENT = ALPHA, 0.5  # levels of the tests of single cells
SHARE = "one-sided t in each cell for the promised share; the larger p"
SHAPE = ("mean share", "lower quartile", "median", "upper quartile")


@dataclass(frozen=True)
class Below:
    """A number is smaller at some values of a factor than at others, everything else being equal."""

    factor: str
    lower: Any
    upper: Any
    of: str = "mean share"

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"difference of the {self.of} in matched cells; Welch's t of its average, {SHARE}"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return f"a cell agrees if the difference has the claimed sign; {UNCLEAR}"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The differences, cell by cell and on average."""
        lower, upper = (select_values(cube, self.factor, values) for values in (self.lower, self.upper))
        number = MEASURES[self.of](cube)
        label = f"{join_values(lower)} → {join_values(upper)}" if self.factor in ("N", "F", "Cr") else ""
        difference = number.at(self.factor, upper).minus(number.at(self.factor, lower), {self.factor: (label,)})
        return direction_test(
            difference, promised, self.of, f"higher at {self.factor} {join_values(upper)} than at {join_values(lower)}"
        )


@dataclass(frozen=True)
class Steps:
    """A number grows, or falls, from each value of a factor to the next; of several factors: when all grow at once.

    Neighbouring steps share a cell, so the variance of their average is less than assumed here: p is rather too large.
    """

    factors: tuple[str, ...]
    of: str = "mean share"
    falls: bool = False

    @property
    def statistic(self) -> str:
        """What is computed."""
        steps = f"change of the {self.of} from each {' and '.join(self.factors)} to the next"
        return f"{steps}; Welch's t of its average, {SHARE}"

    @property
    def criterion(self) -> str:
        """When a step agrees."""
        return f"a step agrees if it goes the claimed way; {UNCLEAR}"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The steps, one by one and on average."""
        for factor in self.factors:
            require_several(cube, factor)
        change = MEASURES[self.of](cube).steps(self.factors)
        if self.falls:
            change = Estimate(-change.value, change.variance, change.quartic, change.labels)
        verb = "smaller" if self.falls else "larger"
        return direction_test(change, promised, self.of, f"{verb} with the next {' and '.join(self.factors)}")


@dataclass(frozen=True)
class StrongerEffect:
    """The mean changes more along one of F and Cr than along the other: from the first to the last value, averaged."""

    strong: str
    weak: str
    per_unit: bool = False

    @property
    def statistic(self) -> str:
        """What is computed."""
        change = "last − first value" + (", per unit of the parameter" if self.per_unit else "")
        difference = f"rise with {self.strong} minus rise with {self.weak} ({change}) in each panel"
        return f"{difference}; Welch's t of its average, {SHARE}"

    @property
    def criterion(self) -> str:
        """When a panel agrees."""
        return f"a panel agrees if the difference is positive; {UNCLEAR}"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The difference of the two rises in each panel."""
        signs = {self.strong: 1.0, self.weak: -1.0}
        weights = np.zeros((len(cube.axes["F"]), len(cube.axes["Cr"])))
        for axis, factor in enumerate(("F", "Cr")):
            require_several(cube, factor)
            unit = cube.axes[factor][-1] - cube.axes[factor][0] if self.per_unit else 1.0
            rise = np.zeros(weights.shape[axis])
            rise[[0, -1]] = -1 / unit, 1 / unit
            others = weights.shape[1 - axis]
            weights += signs[factor] * (rise[:, None] if axis == 0 else rise[None, :]) / others
        difference = mean(cube).weigh(weights, {"F": ("",), "Cr": ("",)})
        return direction_test(
            difference, promised, "mean share", f"rising more with {self.strong} than with {self.weak}"
        )


def direction_test(difference: Estimate, promised: float, of: str, what: str) -> Finding:
    """Are these differences positive, on average and in the promised share of cells? p is the larger of the two.

    Cells that clearly differ are counted for and against the claim. The test of the share also asks the cells that are
    not clear: all but those shown to be ties.
    """
    value = difference.value.ravel()
    average, variance, freedom = difference.average()
    clear = np.maximum(TIE, CLEAR * np.sqrt(difference.variance.ravel()))
    up, down = int((value > clear).sum()), int((value < -clear).sum())
    if not up + down:
        raise NotTestableError(f"no cell differs by more than {TIE:g} and {CLEAR:g} standard errors")
    on_average = float(welch(average, variance, freedom))
    p, half = (max(on_average, share_rises(difference, share)) for share in (promised, promised / 2))
    error = 1.96 * variance**0.5
    others, ties = value.size - up - down, int(shown_ties(difference).sum())
    silent = f", {others} do not ({ties} are shown to be ties)" if others else ""
    worst = int(np.where(value < -clear, value, np.inf).argmin())
    exception = f"; strongest exception {difference.name(worst)} ({value[worst]:+.3f})" if down else ""
    evidence = (
        f"{of} {what} by {average:+.4f} on average (95 % interval {average - error:+.4f} to {average + error:+.4f}), "
        f"in {up} of {up + down} cells that clearly differ{silent}{exception}"
    )
    cells = up + down
    return Finding(average, f"difference of {of}", p, half, cells, up / cells, down / cells, evidence)


def shown_ties(difference: Estimate) -> NDArray[np.bool_]:
    """Which differences are shown to be within ±TIE."""
    return np.asarray(equivalence(difference.value, difference.variance, difference.freedom, TIE) < ALPHA)


def share_rises(difference: Estimate, promised: float) -> float:
    """p for "at least the promised share of the cells that are no ties rise", from a one-sided test of each cell.

    Cells that are shown to be ties do not count. A cell that does not rise passes a
    test of level α with a chance of at most α, and more such cells than promised are seen if too few cells pass: no
    claim holds because cells that fall are hard to see. A strict test proves a share of few cells, a lenient one
    (the sign alone) a share of many cells with small differences, so both are made, and the smaller p is doubled.
    """
    rises = welch(difference.value - TIE, difference.variance, difference.freedom)
    cells = int((~shown_ties(difference)).sum())
    p = [rejections(int((rises < level).sum()), cells, promised, level) for level in (STRICT, LENIENT)]
    return min(1.0, 2 * min(p))


@dataclass(frozen=True)
class Alike:
    """Numbers at different values of a factor are equal but for a margin: each two of them, all else being equal."""

    factor: str
    margin: float
    values: Values = ()  # all
    of: tuple[str, ...] = ("mean share",)

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"TOST of {', '.join(self.of)} for all pairs of {self.factor} in a cell, margin {self.margin:g}"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return f"a cell agrees if TOST rejects at {ALPHA:g} for all pairs, speaks against if one is beyond the margin"

    def find(self, cube: Cube, promised: float) -> Finding:
        """Equivalence in each cell, and p for so many of them."""
        values = select_values(cube, self.factor, self.values) if self.values else cube.axes[self.factor]
        part = cube.take(**{self.factor: values})
        require_several(part, self.factor)
        compared = [
            number.at(self.factor, (b,)).minus(number.at(self.factor, (a,)), {self.factor: ("",)})
            for number in (MEASURES[name](part) for name in self.of)
            for a, b in combinations(values, 2)
        ]
        p = np.max([equivalence(d.value, d.variance, d.freedom, self.margin) for d in compared], axis=0)
        size = np.max([np.abs(d.value) for d in compared], axis=0)
        equal, beyond, cells = int((p < ALPHA).sum()), int((size > self.margin).sum()), size.size
        evidence = (
            f"largest difference of a cell: median {np.median(size):.4f}, at most {size.max():.3f} "
            f"({compared[0].name(int(size.argmax()))}); equivalent within {self.margin:g} in {equal} of {cells} cells, "
            f"beyond it in {beyond}"
        )
        p, half = (rejections(equal, cells, share, ALPHA) for share in (promised, promised / 2))
        unit = "median largest difference"
        return Finding(float(np.median(size)), unit, p, half, cells, equal / cells, beyond / cells, evidence)
