"""Made-up studies in which a claim is true, plainly or just, or false, plainly or just, built from the claim's entry.

plainly false  differences go the other way, or are twice the margin; half of the promised cells have a property; …
border         false where it is hardest to see: differences cancel on average though most cells agree; a property is
               expected in exactly the promised share of cells; differences are the margin; a factor explains the bound
one short      of claims of a direction: as border, but large on average and one cell less than promised agrees, the
               others falling too little to be seen
small          true, but hardly more than the words ask for: differences are some times what counts as a tie, or four
               fifths of a margin; a property has hardly more than the promised share; a factor is a tenth off the bound
true           true and large
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import singledispatch
from math import ceil, prod

import numpy as np

from debox.analysis.claims import counts
from debox.analysis.claims.bound import CONTROL, Bounded
from debox.analysis.claims.contrasts import Alike, Below, Steps, StrongerEffect
from debox.analysis.claims.counts import MoreCells, ShareAtEachLevel, ShareOfCells
from debox.analysis.claims.finding import Test
from debox.analysis.claims.levels import part, select_values
from debox.analysis.claims.rules import TIE
from debox.analysis.claims.shapes import Differ, MoreVaried, SameShape
from debox.analysis.claims.shares import Explains
from debox.analysis.claims.statements import Claim
from debox.analysis.cube import Cube
from debox.study.fields import AXES

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
DIRECTED = (Below, Steps, StrongerEffect)
Law = tuple[np.ndarray, np.ndarray]  # mean and standard deviation of every cell
PANELS = ("F", "Cr")


class World(StrEnum):
    """What a made-up study is like."""

    PLAINLY_FALSE = "plainly false"
    BORDER = "border"
    ONE_SHORT = "one short"
    SMALL = "small"
    TRUE = "true"


def worlds(claim: Claim) -> tuple[World, ...]:
    """The kinds of studies that a claim is put to."""
    return tuple(world for world in World if world is not World.ONE_SHORT or isinstance(claim.test, DIRECTED))


def made_up(claim: Claim, world: World, rng: np.random.Generator) -> tuple[Test, Cube]:
    """The test of a claim and a made-up study for it; or, if it needs runs on other functions, made-up runs on them."""
    if isinstance(claim.test, Bounded):
        return replace(claim.test, table=runs_on_functions(claim.promised, world, rng)), empty(1)
    return claim.test, study(claim, world, rng)


def empty(runs: int) -> Cube:
    """All levels, no POIS."""
    return Cube(LEVELS, np.zeros((*map(len, LEVELS.values()), runs)), BUDGET, DIMENSION)


def study(claim: Claim, world: World, rng: np.random.Generator) -> Cube:
    """A made-up study of the cells a claim speaks of."""
    cells = part(empty(1), claim.where)
    grid = Grid(cells, rng, world)
    mean, sd = (np.broadcast_to(number, grid.shape)[..., None] for number in law(claim.test, claim.promised, grid))
    share = np.clip(mean + sd * rng.standard_normal((*grid.shape, RUNS)), 0, 1)
    return Cube(grid.axes, np.round(share * grid.cube.trials) / BUDGET, BUDGET, DIMENSION)


def runs_on_functions(promised: float, world: World, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Made-up runs on 12 functions and, as a control, on f0, of 60 configurations."""
    functions, configurations, runs = 12, 60, (6, 50)
    cells = functions * configurations
    grid = Grid(empty(1), rng, world)
    enough = ceil(better(promised) * cells)
    bounded = np.arange(cells) < grid.choose(0, ceil(promised * cells) - 1, enough, enough)
    excess = np.where(bounded, grid.choose(0, -0.1, -SLIGHT, -0.1), grid.choose(0.1, TIE, TIE, TIE))
    excess = np.concatenate([excess, np.zeros(configurations)])
    names = np.array([*(f"function {k}" for k in range(functions)), CONTROL]).repeat(configurations)
    F = np.tile(np.arange(configurations), functions + 1)
    on_f0 = np.repeat([False, True], runs)
    shape = (len(F), len(on_f0))
    pois = 0.5 + excess[:, None] * ~on_f0 + SD * rng.standard_normal(shape)
    same = {"mutation": "rand/1", "crossover": "exp", "strategy": "mirror", "N": 20, "Cr": 0.5, "sampled": True}
    same |= {"dimension": DIMENSION, "budget": BUDGET, "function": names[:, None], "F": F[:, None], "on_f0": on_f0}
    return {name: np.broadcast_to(value, shape).ravel() for name, value in same.items()} | {"pois": pois.ravel()}


@dataclass(frozen=True)
class Grid:
    """The cells of a made-up study and a source of chance."""

    cube: Cube  # without runs worth a look
    rng: np.random.Generator
    world: World

    def choose(self, plainly_false, border, small, true):
        """What the kind of study asks for."""
        numbers = (plainly_false, border, border, small, true)
        return dict(zip(World, numbers, strict=True))[self.world]

    def share(self, promised: float) -> float:
        """The share of cells that are as claimed."""
        return self.choose(promised / 2, promised, hardly_better(promised), better(promised))

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
        values = select_values(self.cube, factor, wanted)
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

    def balanced(self, promised: float, largest: float, *without: str) -> np.ndarray:
        """Effects of rows: as claimed in most of them, in others the opposite; in a border study they cancel.

        One short: as claimed in one row less than promised; the others fall a little at each step. Small: by a little
        at each step in all rows.
        """
        size = prod(self.rows(without))
        little = SLIGHT * (max(size for name, size in zip(AXES, self.shape, strict=True) if name in without) - 1)
        if self.world is World.ONE_SHORT:
            return np.where(self.exactly(ceil(promised * size - 1e-9) - 1, *without), largest, -little)
        agree = self.exactly(min(ceil(better(promised) * size), size - 1), *without)
        ratio = agree.sum() / (~agree).sum()
        return np.where(
            agree,
            *self.choose((-largest, largest), (largest / ratio, -largest), (little, -little), (largest, -largest)),
        )


def better(promised: float) -> float:
    """The share of cells that agree in a study in which the claim is true."""
    return promised + 0.8 * (1 - promised)


def hardly_better(promised: float) -> float:
    """The same if it is hardly more than promised."""
    return promised + 0.2 * min(promised, 1 - promised)


@singledispatch
def law(test, promised: float, grid: Grid) -> Law:
    raise TypeError(f"no made-up study for {type(test).__name__}")


@law.register
def below(test: Below, promised, grid) -> Law:
    upper = grid.at(test.factor, test.upper)
    if test.of == "standard deviation":
        return grid.everywhere(0.5), 0.15 + grid.balanced(promised, 0.12, test.factor) * upper
    if test.of == "slope with F":
        return 0.5 + grid.balanced(promised, 0.4, test.factor, "F") * upper * (grid.ramp("F") - 0.5), np.array(SD)
    if test.of == "extra standard deviation of saturation":
        effect = grid.balanced(promised, 0.12, test.factor, "strategy")
        return grid.everywhere(0.5), 0.15 + effect * upper * grid.at("strategy", "saturation")
    return 0.5 + grid.balanced(promised, 0.45, test.factor) * upper, np.array(SD)


@law.register
def steps(test: Steps, promised, grid) -> Law:
    sign, height = -1 if test.falls else 1, sum(map(grid.ramp, test.factors))
    if test.of == "standard deviation":
        effect = grid.balanced(promised, 0.12, *test.factors)
        return grid.everywhere(0.5), 0.15 + sign * effect * (height - 0.5)
    effect = grid.balanced(promised, 0.45 / len(test.factors), *test.factors)
    return 0.5 + sign * effect * height, np.array(SD if grid.world is World.ONE_SHORT else SD / 4)


@law.register
def stronger(test: StrongerEffect, promised, grid) -> Law:
    effect = grid.balanced(promised, 0.45, *PANELS)
    return 0.5 + effect * grid.ramp(test.strong), np.array(SD)


@law.register
def alike(test: Alike, promised, grid) -> Law:
    cells = prod(grid.rows((test.factor,)))
    enough = ceil(better(promised) * cells)
    near = grid.exactly(grid.choose(0, ceil(promised * cells) - 1, enough, enough), test.factor)
    by = np.where(near, grid.choose(0, 0, 0.8, 0), grid.choose(2, 1, 1, 1)) * test.margin
    first = (test.values or grid.axes[test.factor])[0]
    return 0.5 + by * grid.at(test.factor, first), np.array(SD)


@law.register
def most(test: ShareOfCells, promised, grid) -> Law:
    return TRAITS[test.trait](grid.share(promised), grid)


@law.register
def each(test: ShareAtEachLevel, promised, grid) -> Law:
    border = grid.at(test.factor, grid.axes[test.factor][0]) > 0
    share = np.where(border, grid.choose(0, test.share, hardly_better(test.share), 0.3), 0.3)
    falls = grid.rng.random(grid.rows(("Cr",))) < share
    return 0.6 - 0.2 * falls * grid.at("Cr", 0.99), np.array(SD)


@law.register
def switch(test: MoreCells, promised, grid) -> Law:
    more = grid.at(test.factor, test.more) > 0
    full = grid.rng.random(grid.shape) < np.where(more, grid.choose(0.0, 0.4, 0.5, 1.0), 0.4)
    return np.where(full, 1.0, 0.5), np.where(full, 0, SD)


@law.register
def differ(test: Differ, promised, grid) -> Law:
    apart = grid.flags(grid.choose(0, promised, better(promised), better(promised)), test.factor)
    return 0.5 + grid.choose(0, 0.1, 2 * SD, 0.1) * apart * grid.at(test.factor, test.second), np.array(SD)


@law.register
def same_shape(test: SameShape, promised, grid) -> Law:
    close = grid.flags(grid.choose(0, promised, better(promised), better(promised)), test.factor)
    by = np.where(close, grid.choose(0, 0, 0.8 * test.margin, 0), 0.2)
    return 0.5 + by * grid.at(test.factor, test.values[0]), np.array(SD)


@law.register
def varied(test: MoreVaried, promised, grid) -> Law:
    sd = 0.01 + 0.2 * grid.rng.random(grid.rows((test.factor,)))
    most = grid.at(test.factor, test.most) > 0
    factors = grid.choose((0.05, 1), (1, 1), (1, 0.8), (1, 0.05))
    return grid.everywhere(0.5), sd * np.where(most, *factors)


@law.register
def explains(test: Explains, promised, grid) -> Law:
    if test.below is not None:
        share = grid.choose((1 + test.below) / 2, test.below, 0.9 * test.below, test.below / 2)
    else:
        share = grid.choose(test.least / 4, test.least, 1.1 * test.least, 2 * test.least)
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
