"""EDPOIS of one measurement drawn with matplotlib: as a rectangle of a panel, with its axes."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.ticker import MaxNLocator

from debox.edpois import BINS
from debox.figures.data.pois_histogram import PoisHistogram
from debox.figures.draw.edpois import NOTCH
from debox.figures.draw.shapes import Polyline, rectangle
from debox.figures.draw.style import COLOURS, lines_of

LETTERS = 42  # of a line of the title


def draw_in(ax: Axes, record: PoisHistogram) -> Axes:
    """POIS upward in ten bins, runs to the right, each bar with its number; a triangle at the mean."""
    bars = [bar for k, count in enumerate(record.counts) for bar in pieces(record, k, count)]
    ax.add_collection(PolyCollection(bars, facecolors=COLOURS[record.colour], edgecolors="white", linewidths=0.3))
    for k, count in enumerate(record.counts):
        if count:
            ax.annotate(
                f"{count}", (count, (k + 0.5) / BINS), (2, 0), textcoords="offset points", va="center", size="small"
            )
    ax.plot([0], [record.mean], marker=">", color="black", markersize=4, clip_on=False, zorder=3)
    ax.set(xlim=(0, 1.08 * record.runs), ylim=(0, 1), yticks=[k / BINS for k in range(0, BINS + 1, 2)])
    ax.set(xlabel="runs", ylabel="POIS")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set_title("\n".join([*lines_of(record.title, LETTERS), f"mean POIS {record.mean:.3f}"]))
    return ax


def pieces(record: PoisHistogram, k: int, count: int) -> list[Polyline]:
    """The bar of the k-th tenth; an orange one has a notch, as in a panel."""
    low, high = k / BINS, (k + 1) / BINS
    if not count:
        return []
    if record.colour != "orange":
        return [rectangle(0, count, low, high)]
    notch = min(NOTCH * record.runs, count / 3)
    return [rectangle(0, (count - notch) / 2, low, high), rectangle((count + notch) / 2, count, low, high)]
