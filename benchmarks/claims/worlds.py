"""Made-up studies in which a claim is true, or false but only just, built from the claim's own entry.

A border study is false where it is hardest to see: differences cancel on average though most cells agree, or they are
large on average and one cell less than promised agrees, the others falling too little to be seen; a property is
expected in exactly the promised share of cells; differences are the margin; a factor explains the bound.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import singledispatch
from math import ceil, prod

import numpy as np

from debox.analysis.claims import counts
from debox.analysis.claims.contrasts import Alike, Below, Steps, Stronger
from debox.analysis.claims.counts import Each, Most, Switch
from debox.analysis.claims.levels import chosen, part
from debox.analysis.claims.rules import TIE
from debox.analysis.claims.shapes import Differ, SameShape, Varied
from debox.analysis.claims.shares import Explains
from debox.analysis.claims.statements import Claim
from debox.analysis.cube import Cube
from debox.design.fields import AXES

BUDGET, DIMENSION, RUNS = 10_000, 30, 12
LEVELS = {
    "mutation": ("best/1", "current-to-best/1", "rand/1", "rand/2"),
    "crossover": ("bin", "exp"),
    "strategy": ("COTN", "dismiss", "mirror", "saturation", "toroidal"),
    "N": (5, 20, 100),
    "F": (0.05, 0.5, 0.7, 1.35, 2.0),
    "Cr": (0.05, 0.5, 0.755, 0.99),
}
SD = 0.004
SLIGHT = 2 * TIE  # a fall that is none of the ties, and little more than a standard error
DIRECTED = (Below, Steps, Stronger)
Law = tuple[np.ndarray, np.ndarray]  # mean and standard deviation of every cell
PANELS = ("F", "Cr")


def study(claim: Claim, true: bool, rng: np.random.Generator, one_short: bool = False) -> Cube:
    """A made-up study of the cells a claim speaks of, in which it is true, or false but only just.

    one_short: of a claim about differences: false as one cell less than promised agrees, not as they cancel on average
    """
    cells = part(Cube(LEVELS, np.zeros((*map(len, LEVELS.values()), 1)), BUDGET, DIMENSION), claim.where)
    grid = Grid(cells, rng, one_short)
    mean, sd = (
        np.broadcast_to(number, grid.shape)[..., None] for number in law(claim.test, claim.promised, true, grid)
    )
    share = np.clip(mean + sd * rng.standard_normal((*grid.shape, RUNS)), 0, 1)
    return Cube(grid.axes, np.round(share * grid.cube.trials) / BUDGET, BUDGET, DIMENSION)


@dataclass(frozen=True)
class Grid:
    """The cells of a made-up study and a source of chance."""

    cube: Cube  # without runs worth a look
    rng: np.random.Generator
    one_short: bool = False

    @property
    def axes(self) -> Mapping[str, tuple]:
        return self.cube.axes

    @property
    def shape(self) -> tuple[int, ...]:
        return self.cube.pois.shape[:-1]

    def along(self, factor: str, values) -> np.ndarray:
        """Numbers along the axis of a factor."""
        return np.asarray(values, float).reshape([-1 if name == factor else 1 for name in AXES])

    def at(self, factor: str, wanted) -> np.ndarray:
        """1 at some values of a factor, 0 at the others."""
        values = chosen(self.cube, factor, wanted)
        return self.along(factor, [value in values for value in self.axes[factor]])

    def ramp(self, factor: str) -> np.ndarray:
        """From 0 to 1 along a factor, evenly."""
        return self.along(factor, np.linspace(0, 1, len(self.axes[factor])))

    def everywhere(self, number: float) -> np.ndarray:
        return np.full(self.shape, number)

    def rows(self, without: tuple[str, ...]) -> tuple[int, ...]:
        """The shape of numbers that are the same for all values of some factors."""
        return tuple(1 if name in without else size for name, size in zip(AXES, self.shape, strict=True))

    def flags(self, share: float, *without: str) -> np.ndarray:
        """Which rows of cells have a property, each with this chance."""
        return self.rng.random(self.rows(without)) < share

    def exactly(self, count: int, *without: str) -> np.ndarray:
        """The same for exactly so many rows."""
        shape = self.rows(without)
        return self.rng.permutation(np.arange(prod(shape)) < count).reshape(shape)

    def balanced(self, promised: float, true: bool, largest: float, *without: str) -> np.ndarray:
        """Effects of rows: as claimed in most of them; in a border study those of the others make up for it.

        If the study is one short: as claimed in one row less than promised; the others fall a little at each step.
        """
        size = prod(self.rows(without))
        if self.one_short:
            steps = max(size for name, size in zip(AXES, self.shape, strict=True) if name in without) - 1
            return np.where(self.exactly(ceil(promised * size - 1e-9) - 1, *without), largest, -SLIGHT * steps)
        agree = self.exactly(min(ceil(better(promised) * size), size - 1), *without)
        ratio = agree.sum() / (~agree).sum()
        return np.where(agree, largest if true else largest / ratio, -largest)


def better(promised: float) -> float:
    """The share of cells that agree in a study in which the claim is true."""
    return promised + 0.8 * (1 - promised)


@singledispatch
def law(test, promised: float, true: bool, grid: Grid) -> Law:
    raise TypeError(f"no made-up study for {type(test).__name__}")


@law.register
def below(test: Below, promised, true, grid) -> Law:
    upper = grid.at(test.factor, test.upper)
    if test.of == "standard deviation":
        return grid.everywhere(0.5), 0.15 + grid.balanced(promised, true, 0.12, test.factor) * upper
    if test.of == "slope with F":
        return 0.5 + grid.balanced(promised, true, 0.4, test.factor, "F") * upper * (grid.ramp("F") - 0.5), np.array(SD)
    if test.of == "extra standard deviation of saturation":
        effect = grid.balanced(promised, true, 0.12, test.factor, "strategy")
        return grid.everywhere(0.5), 0.15 + effect * upper * grid.at("strategy", "saturation")
    return 0.5 + grid.balanced(promised, true, 0.45, test.factor) * upper, np.array(SD)


@law.register
def steps(test: Steps, promised, true, grid) -> Law:
    sign, height = -1 if test.falls else 1, sum(map(grid.ramp, test.factors))
    if test.of == "standard deviation":
        effect = grid.balanced(promised, true, 0.12, *test.factors)
        return grid.everywhere(0.5), 0.15 + sign * effect * (height - 0.5)
    effect = grid.balanced(promised, true, 0.45 / len(test.factors), *test.factors)
    return 0.5 + sign * effect * height, np.array(SD if grid.one_short else SD / 4)


@law.register
def stronger(test: Stronger, promised, true, grid) -> Law:
    effect = grid.balanced(promised, true, 0.45, *PANELS)
    return 0.5 + effect * grid.ramp(test.strong), np.array(SD)


@law.register
def alike(test: Alike, promised, true, grid) -> Law:
    cells = prod(grid.rows((test.factor,)))
    near = grid.exactly(ceil(better(promised) * cells) if true else ceil(promised * cells) - 1, test.factor)
    first = (test.values or grid.axes[test.factor])[0]
    return 0.5 + np.where(near, 0, test.margin) * grid.at(test.factor, first), np.array(SD)


@law.register
def most(test: Most, promised, true, grid) -> Law:
    return TRAITS[test.trait](better(promised) if true else promised, grid)


@law.register
def each(test: Each, promised, true, grid) -> Law:
    border = grid.at(test.factor, grid.axes[test.factor][0]) > 0
    share = np.where(border & (not true), test.share, 0.3)
    falls = grid.rng.random(grid.rows(("Cr",))) < share
    return 0.6 - 0.2 * falls * grid.at("Cr", 0.99), np.array(SD)


@law.register
def switch(test: Switch, promised, true, grid) -> Law:
    more = grid.at(test.factor, test.more) > 0
    full = grid.rng.random(grid.shape) < np.where(more & true, 1.0, 0.4)
    return np.where(full, 1.0, 0.5), np.where(full, 0, SD)


@law.register
def differ(test: Differ, promised, true, grid) -> Law:
    apart = grid.flags(better(promised) if true else promised, test.factor)
    return 0.5 + 0.1 * apart * grid.at(test.factor, test.second), np.array(SD)


@law.register
def same_shape(test: SameShape, promised, true, grid) -> Law:
    close = grid.flags(better(promised) if true else promised, test.factor)
    return 0.5 + 0.2 * ~close * grid.at(test.factor, test.values[0]), np.array(SD)


@law.register
def varied(test: Varied, promised, true, grid) -> Law:
    sd = 0.01 + 0.2 * grid.rng.random(grid.rows((test.factor,)))
    return grid.everywhere(0.5), np.where((grid.at(test.factor, test.most) == 0) & true, 0.01, sd)


@law.register
def explains(test: Explains, promised, true, grid) -> Law:
    bound = test.below if test.below is not None else test.least
    share = bound if not true else bound / 2 if test.below is not None else 2 * bound
    pattern = {name: grid.along(name, _standard(size)) for name, size in zip(AXES, grid.shape, strict=True)}
    others = [name for name in ("F", "N", "Cr", "crossover") if name != test.factor][:3]
    rest = sum(pattern[name] for name in others) / np.sqrt(len(others))
    if test.factor == "interactions":
        main = pattern["F"] * pattern["Cr"]
    elif test.factor == "any":
        main, rest = pattern["F"], (pattern["N"] + pattern["Cr"]) / np.sqrt(2)
    else:
        main = pattern[test.factor]
    return 0.5 + 0.1 * (np.sqrt(share) * main + np.sqrt(1 - share) * rest), np.array(0.05)


def _standard(size: int) -> np.ndarray:
    values = np.linspace(-1, 1, size)
    return values / values.std()


def _cells(yes: float, no: float) -> Callable:
    def planted(share, grid) -> Law:
        has = grid.flags(share)
        return np.where(has, yes, no), np.where(has & (yes == 1), 0, SD)

    return planted


def _narrow(share, grid) -> Law:
    return grid.everywhere(0.5), np.where(grid.flags(share), 0.01, 0.3)


def _full_somewhere(share, grid) -> Law:
    full = grid.flags(share, *PANELS) & (grid.at("F", 0.5) * grid.at("Cr", 0.5) > 0)
    return np.where(full, 1.0, 0.5), np.where(full, 0, SD)


def _same_trend(share, grid) -> Law:
    odd = ~grid.flags(share, "mutation", *PANELS) & (grid.at("mutation", "rand/2") > 0)
    return np.where(odd, 0.7 - 0.4 * grid.ramp("F"), 0.3 + 0.4 * grid.ramp("F")), np.array(SD)


def _spread_first(share, grid) -> Law:
    has = grid.flags(share, "mutation")
    return np.where(has, 0.5, 0.3 + 0.4 * grid.ramp("mutation")), np.where(
        has, 0.01 + 0.1 * grid.ramp("mutation"), 0.01
    )


def _at_last_Cr(share, grid) -> Law:
    has = grid.flags(share, "mutation", "Cr")
    where = np.where(has, grid.at("Cr", 0.99), grid.at("Cr", 0.5))
    return 0.3 + 0.4 * where * grid.ramp("mutation"), np.array(SD)


def _groups(share, grid) -> Law:
    has = grid.flags(share, "strategy")
    return 0.5 + 0.1 * np.where(
        has, grid.at("strategy", ("COTN", "saturation")), grid.at("strategy", "toroidal")
    ), np.array(SD)


def _falls(share, grid) -> Law:
    return 0.6 - 0.2 * grid.flags(share, "Cr") * grid.at("Cr", 0.99), np.array(SD)


def _elsewhere(share, grid) -> Law:
    earlier = ~grid.flags(share, "Cr")
    return 0.9 - 0.2 * grid.at("Cr", 0.99) - 0.2 * earlier * (1 - grid.at("Cr", 0.05)), np.array(SD)


TRAITS: dict[str, Callable] = {
    counts.FULL: _cells(1.0, 0.5),
    counts.FULL_SOMEWHERE: _full_somewhere,
    counts.EXTREME: _cells(1.0, 0.5),
    counts.HIGH_MEDIAN: _cells(0.95, 0.5),
    counts.LOW_MEDIAN: _cells(0.01, 0.5),
    counts.IS_NARROW: _narrow,
    counts.SAME_TREND: _same_trend,
    counts.SPREAD_FIRST: _spread_first,
    counts.AT_LAST_CR: _at_last_Cr,
    counts.GROUPS: _groups,
    counts.FALLS_AT_LAST_CR: _falls,
    counts.FALLS_ONLY_AT_LAST_CR: _elsewhere,
}
