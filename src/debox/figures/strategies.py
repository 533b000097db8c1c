"""What strategies make of a component u outside [a, b], computed with their functions, a small graph each.

A strategy that draws no random numbers is a graph of the new value against u; one that does is two densities of the
new value, histograms of seeded draws, which smooth no jump: for u below a and for u above b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import ceil, floor, nan
from typing import Any

import numpy as np

from debox import operators
from debox.analysis.runs import Runs
from debox.figures.page import COLUMN, PAGE, Floats, Numbers, Page
from debox.figures.style import BLUE, GREY, VIOLET, Axes, Figure, thin
from debox.operators.kinds import Strategy

SIZE = (COLUMN / 2, 1.6)  # of one graph
IN_THE_PAPER = ("saturation", "toroidal", "mirror", "COTN")
CAPTION = (
    "What three strategies make of a component u: saturation sets it to the violated bound, toroidal wraps it around, "
    "mirror reflects it; and the densities of COTN's random values, falling from the violated bound inward."
)
BOX, RANGE = (40.0, 90.0), (-20.0, 175.0)  # [a, b], and the u of a graph
OTHER_BOXES = {"saturation": ((50.0, 100.0), (-20.0, 140.0))}  # as the paper has it
TARGET, BASE = 0.25, 0.75  # where they lie in the box, as shares of its width
STEPS = 50  # of u per width of the box
STEEP = 4  # a step steeper than this may hold a jump
STRAIGHT = 1e-9  # as a share of the width: a bend below this is roundoff
DRAWS, SEED = 40_000, 2021  # per density: where it is 1, it differs by some 2 % from the true one
CELLS = 20  # of a density: target, base and middle of the box, where it may jump, lie between two of them
DASHES = (0, (4, 3))

Polyline = list[tuple[float, float]]
Function = Callable[[float], float]


def pages(runs: Runs | None = None) -> Iterator[Page]:
    """One page, the same for all runs: two graphs side by side, or four, if there are more than four."""
    names = [operator.name for operator in component_strategies()]
    others = ", ".join(name for name in names if name not in IN_THE_PAPER)
    more = f" Likewise {others}, with the target a quarter up the box and the base three quarters." if others else ""
    columns = columns_for(len(names))
    size = (COLUMN if columns == 2 else PAGE[0], SIZE[1] * ceil(len(names) / columns))
    yield Page("strategies", CAPTION + more, size, numbers, None, tuple(names), draw_page)


def page(name: str) -> Page:
    """The graph of one strategy alone."""
    return Page(name, CAPTION, SIZE, numbers, draw, (name,))


def columns_for(graphs: int) -> int:
    """2 for up to four graphs, else 4."""
    return 2 if graphs <= 4 else 4


def component_strategies() -> tuple[Strategy, ...]:
    """The strategies that have a graph: those that repair a component by itself, and do not draw the trial anew."""
    return tuple(operator for operator in operators.in_slot("strategy") if not operator.whole and not operator.redraws)


def numbers(*names: str) -> Numbers:
    """New values against u, at the ends and bends of each graph, with a line of NaN where it jumps; or densities.

    A density is that of new values from this one up to the next or to b, for this u.
    """
    rows = [(name, *row) for name in names for row in points(operators.find("strategy", name))]
    columns = zip(*rows, strict=True) if rows else ([],) * 4
    return {
        key: np.array(column, object if key == "strategy" else None)
        for key, column in zip(("strategy", "u", "new_value", "density"), columns, strict=True)
    }


@cache  # for figures and reports of one process: densities take some tenths of a second
def points(operator: Strategy) -> list[tuple[float, float, float]]:
    """u, new value and density of one strategy; a density only if it draws random numbers anywhere in the range."""
    (a, b), u_range = box_of(operator.name)
    rng, u = np.random.default_rng(SEED), grid_of(a, b, u_range)
    before = rng.bit_generator.state
    target, base = a + TARGET * (b - a), a + BASE * (b - a)

    def repair(u: float) -> float:
        return float(operator.function(u, target, base, a, b, rng))

    def new_value(u: float) -> float:
        return u if a <= u <= b else repair(u)

    for one in u:
        new_value(one)
    if rng.bit_generator.state == before:
        pieces = polylines(new_value, u, STRAIGHT * (b - a))
        return [row for piece in pieces for row in [*((*point, nan) for point in piece), (nan, nan, nan)]][:-1]
    rng.bit_generator.state = before
    edges, found = np.linspace(a, b, CELLS + 1)[:-1].tolist(), []
    for outside in (a - (b - a) / 2, b + (b - a) / 2):
        density, _ = np.histogram([repair(outside) for _ in range(DRAWS)], CELLS, (a, b), density=True)
        found += [(outside, edge, one) for edge, one in zip(edges, density.tolist(), strict=True)]
    return found


def box_of(name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """[a, b] and the range of u on which the figure shows a strategy."""
    return OTHER_BOXES.get(name, (BOX, RANGE))


def grid_of(a: float, b: float, u_range: tuple[float, float]) -> list[float]:
    """Evenly spaced values of u, with a, b, their images a + k(b − a) and both ends of the range among them."""
    (low, high), step = u_range, (b - a) / STEPS
    between = range(ceil((low - a) / step), floor((high - a) / step) + 1)
    inner = (a * (1 - k / STEPS) + b * (k / STEPS) for k in between)  # without roundoff at a and b
    return [low, *(u for u in inner if low < u < high), high]


def polylines(function: Function, grid: list[float], straight: float) -> list[Polyline]:
    """The graph of a function through the points of a grid, interrupted where it jumps."""
    pieces = [[(grid[0], function(grid[0]))]]
    for left, right in pairwise(grid):
        if jump := jump_between(function, left, right):
            before, after = jump
            pieces[-1].append((before, function(before)))
            pieces.append([(after, function(after))])
        pieces[-1].append((right, function(right)))
    return [corners(piece, straight) for piece in pieces]


def jump_between(function: Function, left: float, right: float) -> tuple[float, float] | None:
    """Two neighbouring floats between which a function jumps; None if there is no jump."""
    rise = abs(function(right) - function(left))
    if rise <= STEEP * (right - left):
        return None
    while left < (middle := (left + right) / 2) < right:
        below, above = abs(function(middle) - function(left)), abs(function(right) - function(middle))
        left, right = (left, middle) if below > above else (middle, right)
    return (left, right) if abs(function(right) - function(left)) > rise / 2 else None


def corners(line: Polyline, straight: float) -> Polyline:
    """The points of a polyline without those between its ends where it goes straight on."""
    result = line[:1]
    for (x, y), (next_x, next_y) in pairwise(line[1:]):
        (last_x, last_y), span = result[-1], next_x - result[-1][0]
        if span > 0 and abs(last_y + (next_y - last_y) * (x - last_x) / span - y) > straight:
            result.append((x, y))
    return [*result, line[-1]]


def draw_page(figure: Figure, *names: str) -> None:
    """A graph each, row by row."""
    columns = columns_for(len(names))
    axes = figure.subplots(ceil(len(names) / columns), columns, squeeze=False).ravel()
    for ax, name in zip(axes, names, strict=False):
        draw(ax, name)
    for ax in axes[len(names) :]:
        ax.set_axis_off()


def draw(ax: Axes, name: str) -> Axes:
    """The strategy under its name, with its bounds dashed."""
    _, u, value, density = numbers(name).values()
    (a, b), u_range = box_of(name)
    ax.set_title(name)
    for bound in (a, b):
        ax.axvline(bound, color=GREY, linewidth=thin(), linestyle=DASHES)
    if np.isnan(density).all():
        draw_graph(ax, a, b, u_range, u, value)
    else:
        draw_densities(ax, a, b, [*value[u < a], b], density[u < a], density[u > b])
    return ax


def draw_graph(ax: Axes, a: float, b: float, u_range: tuple[float, float], u: Floats, value: Floats) -> None:
    """The new value against the component, blue, with a gap where it jumps; dotted: the component itself."""
    for bound in (a, b):
        ax.axhline(bound, color=GREY, linewidth=thin(), linestyle=DASHES)
    ax.plot(u_range, u_range, color="black", linewidth=thin(), linestyle=(0, (1, 2)))
    jumps = np.flatnonzero(np.isnan(u))
    for start, end in pairwise([-1, *jumps, len(u)]):
        ax.plot(u[start + 1 : end], value[start + 1 : end], color=BLUE)
    width, (low, high) = b - a, u_range
    bends = u[(u > low) & (u < high)]
    images = {a - width: "2a−b", a: "a", b: "b", b + width: "2b−a"}  # the outer ones are named where it bends or jumps
    ticks = {at: name for at, name in images.items() if a <= at <= b or (abs(bends - at) < 1e-6 * width).any()}
    ax.set(xlim=u_range, ylim=(a - width / 2, b + width / 2), xlabel="component u", ylabel="new value")
    ax.set_xticks(list(ticks), list(ticks.values()))
    ax.set_yticks([a, b], ["a", "b"])


def draw_densities(ax: Axes, a: float, b: float, edges: list[float], below: Floats, above: Floats) -> None:
    """Solid: the component was below a; dashed: above b."""
    import matplotlib

    look: dict[str, Any] = {"color": VIOLET, "linewidth": matplotlib.rcParams["lines.linewidth"], "baseline": None}
    ax.stairs(below, edges, linestyle="-", **look)
    ax.stairs(above, edges, linestyle=(0, (4, 2)), **look)
    margin, top = (b - a) / 6, max(*below, *above)
    ax.set(xlim=(a - margin, b + margin), ylim=(0, 1.3 * top), xlabel="new value", ylabel="density · (b − a)")
    ax.text(a, 1.08 * top, " u < a", ha="left")
    ax.text(b, 1.08 * top, "u > b ", ha="right")
    ax.set_xticks([a, b], ["a", "b"])
    whole = floor(top * (b - a))  # the top itself is that of random draws
    ax.set_yticks([0, whole / (b - a)], ["0", str(whole)])
