"""Properties of cells that claims count: of single cells, and of blocks of cells that are compared with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.estimate import Estimate, mean, spread
from debox.analysis.claims.levels import NotTestableError, Values, require_several, select_values
from debox.analysis.claims.rules import ALIKE, ALL, ALPHA, FALL, HIGH, LARGEST_CR, NARROW, NONE, TIE, TREND
from debox.analysis.claims.statistics import differ, holm, welch
from debox.analysis.cube import Cube
from debox.study.fields import AXES

GROUPS = (("COTN", "saturation"), ("mirror", "toroidal", "dismiss"))
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Property:
    """Which cells have a property; cells that can show neither it nor its absence do not speak."""

    has: Flags  # an axis per factor; of length 1 where cells of all its values are compared
    speaks: Flags
    labels: Mapping[str, Values]
    silence: str = ""  # why cells do not speak

    def along(self, factor: str) -> Iterator[tuple[Any, int, int]]:
        """Each value of a factor, how many of its cells have the property, and how many speak."""
        axis = AXES.index(factor)
        if self.has.shape[axis] == len(self.labels[factor]):
            for k, value in enumerate(self.labels[factor]):
                has, speaks = self.has.take(k, axis), self.speaks.take(k, axis)
                yield value, int((has & speaks).sum()), int(speaks.sum())


def _of_cells(cube: Cube, has: Any) -> Property:
    return Property(np.asarray(has), np.ones(np.shape(has), np.bool_), cube.axes)


def full(cube: Cube) -> Property:
    """All runs have 100 %."""
    return _of_cells(cube, (cube.share >= ALL).all(-1))


def full_somewhere(cube: Cube) -> Property:
    """In a panel, all runs have 100 % for some F and Cr."""
    return _of_cells(cube, full(cube).has.any(axis=(4, 5), keepdims=True))


def extreme(cube: Cube) -> Property:
    """All runs have 0 % or all have 100 %."""
    share = cube.share
    return _of_cells(cube, (share >= ALL).all(-1) | (share <= NONE).all(-1))


def high(cube: Cube) -> Property:
    """The median is in the uppermost bin."""
    return _of_cells(cube, np.median(cube.share, axis=-1) >= HIGH)


def low(cube: Cube) -> Property:
    """The median is in the lower half of the lowest bin."""
    return _of_cells(cube, np.median(cube.share, axis=-1) <= ALIKE)


def narrow(cube: Cube) -> Property:
    """The standard deviation is small."""
    return _of_cells(cube, spread(cube).value <= NARROW)


def same_trend(cube: Cube) -> Property:
    """The means of each two mutations are correlated over F and Cr; panels without variation do not speak."""
    require_several(cube, "mutation")
    if len(cube.axes["F"]) * len(cube.axes["Cr"]) < 4:
        raise NotTestableError("needs at least 4 cells of F and Cr")
    means = mean(cube).value
    flat = means.reshape(*means.shape[:4], -1)
    speaks = (flat.max(-1) - flat.min(-1) > ALIKE).all(0)
    centred = flat - flat.mean(-1, keepdims=True)
    length = np.sqrt((centred**2).sum(-1))
    least = np.ones(flat.shape[1:4])
    for a, b in combinations(range(len(flat)), 2):
        product = np.maximum(length[a] * length[b], np.finfo(float).tiny)
        least = np.minimum(least, (centred[a] * centred[b]).sum(-1) / product)
    shape = (1, *flat.shape[1:4], 1, 1)
    return Property((least >= TREND).reshape(shape), speaks.reshape(shape), cube.axes, "no variation over F and Cr")


def _variance_along(number: Estimate, factor: str) -> Floats:
    """The variance of a number over the values of a factor, without the part that sampling adds."""
    axis = AXES.index(factor)
    between = number.value.var(axis, ddof=1, keepdims=True)
    return np.asarray(between - number.variance.mean(axis, keepdims=True))


def _differ(number: Estimate, factor: str) -> Flags:
    """Is there any difference along the factor to speak of, and beyond chance?"""
    axis = AXES.index(factor)
    noticeable = np.ptp(number.value, axis=axis, keepdims=True) > TIE
    return np.asarray(noticeable & differ(number.value, number.variance, number.runs - 1, axis))


def spread_differs_more(cube: Cube) -> Property:
    """The standard deviations of mutations vary more than their means, sampling variance removed from both."""
    require_several(cube, "mutation")
    means, sd = mean(cube), spread(cube)
    speaks = _differ(means, "mutation") | _differ(sd, "mutation")
    has = _variance_along(sd, "mutation") > _variance_along(means, "mutation")
    return Property(has, speaks, cube.axes, "mutations do not differ beyond chance")


def differ_most_at_last_Cr(cube: Cube) -> Property:
    """The means of mutations vary more at the largest Cr than at any other."""
    require_several(cube, "mutation")
    require_several(cube, "Cr")
    if cube.axes["Cr"][-1] < LARGEST_CR:
        raise NotTestableError(f"needs a Cr of at least {LARGEST_CR:g}")
    means = mean(cube)
    varies = _variance_along(means, "mutation")
    speaks = np.asarray(_differ(means, "mutation").any(-1, keepdims=True))
    has = varies[..., -1:] > varies[..., :-1].max(-1, keepdims=True)
    return Property(has, speaks, cube.axes, "mutations do not differ beyond chance")


def two_groups(cube: Cube) -> Property:
    """Squared differences of means, without what sampling adds, are larger between the groups of strategies."""
    names = tuple(name for group in GROUPS for name in group)
    part = mean(cube.take(strategy=select_values(cube, "strategy", names)))
    between: list[Floats] = []
    within: list[Floats] = []
    for a, b in combinations(range(len(names)), 2):
        x, y = part.at("strategy", (names[a],)), part.at("strategy", (names[b],))
        square = (x.value - y.value) ** 2 - x.variance - y.variance
        (within if (a < len(GROUPS[0])) == (b < len(GROUPS[0])) else between).append(square)
    has = np.mean(between, axis=0) > np.mean(within, axis=0)
    return Property(has, _differ(part, "strategy"), cube.axes, "strategies do not differ beyond chance")


def _falls(cube: Cube) -> Flags:
    """Which steps of Cr are falls, in a study whose largest Cr is large enough to say something."""
    require_several(cube, "Cr")
    if cube.axes["Cr"][-1] < LARGEST_CR:
        raise NotTestableError(f"needs a Cr of at least {LARGEST_CR:g}; the largest is {cube.axes['Cr'][-1]:g}")
    return falling_steps(cube)


def falling_steps(cube: Cube) -> Flags:
    """Which steps of Cr are falls: by more than FALL, and beyond chance among all steps of the study."""
    change = mean(cube).steps(("Cr",))
    p = welch(-change.value, change.variance, change.freedom)
    beyond = np.array(holm(p.ravel().tolist()), np.float64).reshape(p.shape) < ALPHA
    return np.asarray(beyond & (change.value < -FALL))


def falls_at_last(cube: Cube) -> Property:
    """The mean falls at the last step of Cr."""
    return _of_cells(cube, _falls(cube)[..., -1:])


def falls_nowhere_else(cube: Cube) -> Property:
    """Of the rows of Cr in which the mean falls at all: it does so at the last step only."""
    falls = _falls(cube)
    elsewhere, anywhere = (np.asarray(some.any(-1, keepdims=True)) for some in (falls[..., :-1], falls))
    return Property(~elsewhere, anywhere, cube.axes, "no fall at any Cr")
