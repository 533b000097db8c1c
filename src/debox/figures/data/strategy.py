"""What one strategy makes of a component u outside [a, b], computed with its function.

A strategy that draws no random numbers is a graph of the new value against u; one that does is two densities of the
new value, histograms of seeded draws, which smooth no jump: for u below a and for u above b.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, floor
from typing import Any

import numpy as np

from debox.figures.entry import COLUMN
from debox.operators.kinds import Strategy

SIZE = (COLUMN / 2, 1.6)
TARGET, BASE = 0.25, 0.75  # where they lie in the box, as shares of its width
STEPS = 50  # of u per width of the box
STEEP = 4  # a step steeper than this may hold a jump
STRAIGHT = 1e-9  # as a share of the width: a bend below this is roundoff
DRAWS, SEED = 40_000, 2021  # per density: where it is 1, it differs by some 2 % from the true one
CELLS = 20  # of a density: target, base and middle of the box, where it may jump, lie between two of them

Polyline = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Graph:
    """The new value against u: polylines, one more wherever it jumps."""

    name: str
    a: float
    b: float
    u_range: tuple[float, float]
    polylines: tuple[Polyline, ...]


@dataclass(frozen=True)
class Densities:
    """The densities of a random new value, for u below a and for u above b: a number between each two edges."""

    name: str
    a: float
    b: float
    edges: tuple[float, ...]
    from_below: tuple[float, ...]
    from_above: tuple[float, ...]


@dataclass
class WatchedGenerator:
    """A generator that notes whether it is used."""

    rng: np.random.Generator
    was_used: bool = False

    def __getattr__(self, name: str) -> Any:
        self.was_used = True
        return getattr(self.rng, name)


@cache  # for figures and reports of one process: densities take some tenths of a second
def strategy(operator: Strategy, a: float, b: float, u_range: tuple[float, float]) -> Graph | Densities:
    """The graph of a strategy, or the densities of its values if it draws random numbers anywhere in the range."""
    rng, grid = WatchedGenerator(np.random.default_rng(SEED)), grid_of(a, b, u_range)
    for u in grid:
        new_value(operator.function, u, a, b, rng)
    if rng.was_used:
        return densities(operator, a, b)
    lines = polylines(lambda u: new_value(operator.function, u, a, b, rng), grid, STRAIGHT * (b - a))
    return Graph(operator.name, a, b, u_range, lines)


def new_value(repair: Callable[..., float], u: float, a: float, b: float, rng: Any) -> float:
    """What becomes of a component; one within [a, b] stays."""
    return u if a <= u <= b else float(repair(u, *parents(a, b), a, b, rng))


def parents(a: float, b: float) -> tuple[float, float]:
    """The target and the base."""
    return a + TARGET * (b - a), a + BASE * (b - a)


def grid_of(a: float, b: float, u_range: tuple[float, float]) -> list[float]:
    """Evenly spaced values of u, with a, b, their images a + k(b − a) and both ends of the range among them."""
    (low, high), step = u_range, (b - a) / STEPS
    between = range(ceil((low - a) / step), floor((high - a) / step) + 1)
    inner = (a * (1 - k / STEPS) + b * (k / STEPS) for k in between)  # without roundoff at a and b
    return [low, *(u for u in inner if low < u < high), high]


def polylines(function: Callable[[float], float], grid: list[float], straight: float) -> tuple[Polyline, ...]:
    """The graph of a function through the points of a grid, interrupted where it jumps."""
    pieces = [[(grid[0], function(grid[0]))]]
    for left, right in pairwise(grid):
        if jump := jump_between(function, left, right):
            before, after = jump
            pieces[-1].append((before, function(before)))
            pieces.append([(after, function(after))])
        pieces[-1].append((right, function(right)))
    return tuple(corners(piece, straight) for piece in pieces)


def jump_between(function: Callable[[float], float], left: float, right: float) -> tuple[float, float] | None:
    """Two neighbouring floats between which a function jumps; None if there is no jump."""
    rise = abs(function(right) - function(left))
    if rise <= STEEP * (right - left):
        return None
    while left < (middle := (left + right) / 2) < right:
        below, above = abs(function(middle) - function(left)), abs(function(right) - function(middle))
        left, right = (left, middle) if below > above else (middle, right)
    return (left, right) if abs(function(right) - function(left)) > rise / 2 else None


def corners(points: list[tuple[float, float]], straight: float) -> Polyline:
    """The points of a polyline without those between its ends where it goes straight on."""
    result = points[:1]
    for (x, y), (next_x, next_y) in pairwise(points[1:]):
        (last_x, last_y), span = result[-1], next_x - result[-1][0]
        if span > 0 and abs(last_y + (next_y - last_y) * (x - last_x) / span - y) > straight:
            result.append((x, y))
    return (*result, points[-1])


def densities(operator: Strategy, a: float, b: float) -> Densities:
    """The densities of the values that a strategy draws for u half a width outside, on either side."""
    rng, outside, (target, base) = np.random.default_rng(SEED), (b - a) / 2, parents(a, b)

    def density(u: float) -> tuple[float, ...]:
        draws = [float(operator.function(u, target, base, a, b, rng)) for _ in range(DRAWS)]
        return tuple(np.histogram(draws, CELLS, (a, b), density=True)[0].tolist())

    edges = np.linspace(a, b, CELLS + 1).tolist()
    return Densities(operator.name, a, b, tuple(edges), density(a - outside), density(b + outside))
