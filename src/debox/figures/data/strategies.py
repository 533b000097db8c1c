"""The strategies as graphs: where a component x ends, and how COTN's random values are spread."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, erfc, floor, sqrt

import numpy as np
from numpy.typing import NDArray

Piece = tuple[tuple[float, float], ...]  # a polyline


@dataclass(frozen=True)
class Graph:
    """A strategy as a function of x: polylines, one more wherever it jumps."""

    name: str
    a: float
    b: float
    x_range: tuple[float, float]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Densities:
    """COTN: the density of the new value, for x below a and for x above b."""

    name: str
    a: float
    b: float
    x: tuple[float, ...]
    from_a: tuple[float, ...]
    from_b: tuple[float, ...]


@dataclass(frozen=True)
class Strategies:
    """The four graphs of the strategies figure."""

    graphs: tuple[Graph, ...]
    COTN: Densities


def strategies() -> Strategies:
    """As the paper has them: sat on [50, 100], the others on [40, 90]."""
    graphs = saturation(50, 100, (-20, 140)), toroidal(40, 90, (-20, 175)), mirror(40, 90, (-20, 175))
    return Strategies(graphs, COTN(40, 90))


def saturation(a: float, b: float, x_range: tuple[float, float]) -> Graph:
    """The violated bound."""
    low, high = x_range
    return Graph("saturation", a, b, x_range, (((low, a), (a, a), (b, b), (high, b)),))


def toroidal(a: float, b: float, x_range: tuple[float, float]) -> Graph:
    """a + ((x − a) mod (b − a)): from wall to wall it rises from a to b."""
    pieces = (((left, a), (right, b)) for left, right in pairwise(walls(a, b, x_range)))
    return Graph("toroidal", a, b, x_range, tuple(clipped(piece, x_range) for piece in pieces))


def mirror(a: float, b: float, x_range: tuple[float, float]) -> Graph:
    """Reflected at the walls: from wall to wall it rises from a to b or falls from b to a."""
    zigzag = tuple((wall, a if round((wall - a) / (b - a)) % 2 == 0 else b) for wall in walls(a, b, x_range))
    return Graph("mirror", a, b, x_range, (clipped(zigzag, x_range),))


def walls(a: float, b: float, x_range: tuple[float, float]) -> list[float]:
    """The images a + k(b − a) of the walls that enclose the range."""
    first, last = floor((x_range[0] - a) / (b - a)), ceil((x_range[1] - a) / (b - a))
    return [a + k * (b - a) for k in range(first, last + 1)]


def clipped(piece: Piece, x_range: tuple[float, float]) -> Piece:
    """The part of a polyline within the range."""
    x, y = zip(*piece, strict=True)
    low, high = max(x[0], x_range[0]), min(x[-1], x_range[1])
    knots = [low, *(knot for knot in x if low < knot < high), high]
    return tuple((knot, float(np.interp(knot, x, y))) for knot in knots)


def COTN(a: float, b: float, points: int = 201) -> Densities:
    """a + |N(0, σ)|, σ = (b − a)/3; what lands beyond b is drawn again from b, and so on until inside."""
    x, beyond = np.linspace(a, b, points), erfc(3 / sqrt(2))  # P(|N(0, σ)| > b − a)
    above, below = half_normal(x - a, (b - a) / 3), half_normal(b - x, (b - a) / 3)
    # D_a = above + beyond·D_b and D_b = below + beyond·D_a, solved
    from_a, from_b = ((p + beyond * q) / (1 - beyond**2) for p, q in ((above, below), (below, above)))
    return Densities("COTN", a, b, tuple(x.tolist()), tuple(from_a.tolist()), tuple(from_b.tolist()))


def half_normal(distance: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    """The density of |N(0, σ)|."""
    return np.asarray(np.sqrt(2 / np.pi) / sigma * np.exp(-0.5 * (distance / sigma) ** 2))
