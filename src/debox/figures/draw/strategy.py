"""One strategy drawn with matplotlib: a graph, or two densities."""

from __future__ import annotations

from math import floor
from typing import Any

import matplotlib
from matplotlib.axes import Axes

from debox.figures.data.strategy import Densities, Graph
from debox.figures.draw.style import BLUE, GREY, VIOLET, thin

DASHES = (0, (4, 3))


def draw_in(ax: Axes, record: Graph | Densities) -> Axes:
    """The strategy under its name, with its bounds dashed."""
    ax.set_title(record.name)
    for bound in (record.a, record.b):
        ax.axvline(bound, color=GREY, linewidth=thin(), linestyle=DASHES)
    if isinstance(record, Graph):
        draw_graph(ax, record)
    else:
        draw_densities(ax, record)
    return ax


def draw_graph(ax: Axes, graph: Graph) -> None:
    """The new value against the component, blue, with a gap where it jumps; dotted: the component itself."""
    for bound in (graph.a, graph.b):
        ax.axhline(bound, color=GREY, linewidth=thin(), linestyle=DASHES)
    ax.plot(graph.u_range, graph.u_range, color="black", linewidth=thin(), linestyle=(0, (1, 2)))
    for polyline in graph.polylines:
        ax.plot(*zip(*polyline, strict=True), color=BLUE)
    margin, ticks = (graph.b - graph.a) / 2, named_places(graph)
    ax.set(xlim=graph.u_range, ylim=(graph.a - margin, graph.b + margin))
    ax.set(xlabel="component u", ylabel="new value")
    ax.set_xticks(list(ticks), list(ticks.values()))
    ax.set_yticks([graph.a, graph.b], ["a", "b"])


def named_places(graph: Graph) -> dict[float, str]:
    """a and b, and their images one width further outside where the graph bends or jumps."""
    width, (low, high) = graph.b - graph.a, graph.u_range
    bends = [u for polyline in graph.polylines for u, _ in polyline if low < u < high]
    images = {graph.a - width: "2a−b", graph.b + width: "2b−a"}
    images_at_bends = {u: name for u, name in images.items() if any(abs(u - bend) < 1e-6 * width for bend in bends)}
    return dict(sorted({graph.a: "a", graph.b: "b", **images_at_bends}.items()))


def draw_densities(ax: Axes, record: Densities) -> None:
    """Solid: the component was below a; dashed: above b."""
    look: dict[str, Any] = {"color": VIOLET, "linewidth": matplotlib.rcParams["lines.linewidth"], "baseline": None}
    for density, line in ((record.from_below, "-"), (record.from_above, (0, (4, 2)))):
        ax.stairs(density, record.edges, linestyle=line, **look)
    margin, top = (record.b - record.a) / 6, max(*record.from_below, *record.from_above)
    ax.set(xlim=(record.a - margin, record.b + margin), ylim=(0, 1.3 * top))
    ax.set(xlabel="new value", ylabel="density · (b − a)")
    ax.text(record.a, 1.08 * top, " u < a", ha="left")
    ax.text(record.b, 1.08 * top, "u > b ", ha="right")
    ax.set_xticks([record.a, record.b], ["a", "b"])
    whole = floor(top * (record.b - record.a))  # the top itself is that of random draws
    ax.set_yticks([0, whole / (record.b - record.a)], ["0", str(whole)])
