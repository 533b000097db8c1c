"""The strategies figure in ink."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from debox.figures.data.strategies import Densities, Graph, Strategies
from debox.figures.draw.style import BLUE, GREY, VIOLET, thin


def strategies(figure: Figure, record: Strategies) -> None:
    """Three graphs and COTN's two densities, two by two."""
    axes = figure.subplots(2, 2).ravel()
    for ax, graph in zip(axes, record.graphs, strict=False):
        strategy_graph(ax, graph)
    cotn_densities(axes[3], record.COTN)


def strategy_graph(ax: Axes, graph: Graph) -> Axes:
    """The new value against x; dashed: x itself, and the bounds."""
    low, high = graph.x_range
    for bound in (graph.a, graph.b):
        ax.axhline(bound, color=GREY, linewidth=thin(), linestyle=(0, (4, 3)))
        ax.axvline(bound, color=GREY, linewidth=thin(), linestyle=(0, (4, 3)))
    ax.plot([low, high], [low, high], color="black", linewidth=thin(), linestyle=(0, (1, 2)))
    for piece in graph.pieces:
        ax.plot(*zip(*piece, strict=True), color=BLUE)
    margin = (graph.b - graph.a) / 2
    ax.set(xlim=graph.x_range, ylim=(graph.a - margin, graph.b + margin), title=graph.name)
    ax.set(xlabel="component x", ylabel="new value")
    name_bounds(ax, graph)
    ax.set_yticks([graph.a, graph.b], ["a", "b"])
    return ax


def cotn_densities(ax: Axes, record: Densities) -> Axes:
    """Solid: the value came from below a; dashed: from above b."""
    ax.plot(record.x, record.from_a, color=VIOLET)
    ax.plot(record.x, record.from_b, color=VIOLET, linestyle=(0, (4, 2)))
    for bound in (record.a, record.b):
        ax.axvline(bound, color=GREY, linewidth=thin(), linestyle=(0, (4, 3)))
    margin, top = (record.b - record.a) / 6, max(record.from_a)
    ax.set(xlim=(record.a - margin, record.b + margin), ylim=(0, 1.3 * top), title=record.name)
    ax.set(xlabel="new value", ylabel="density · (b − a)")
    ax.text(record.a, 1.08 * top, " x < a", ha="left")
    ax.text(record.b, 1.08 * top, "x > b ", ha="right")
    name_bounds(ax, record)
    ax.set_yticks([0, top], ["0", f"{top * (record.b - record.a):.1f}"])
    return ax


def name_bounds(ax: Axes, record: Graph | Densities) -> None:
    """a and b on the x-axis, and the images of the walls within its range."""
    width, (low, high) = record.b - record.a, ax.get_xlim()
    names = {record.a - width: "2a−b", record.a: "a", record.b: "b", record.b + width: "2b−a"}
    if record.name not in ("toroidal", "mirror"):
        names = {record.a: "a", record.b: "b"}
    ax.set_xticks([x for x in names if low <= x <= high], [name for x, name in names.items() if low <= x <= high])
