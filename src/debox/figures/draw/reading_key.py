"""The reading key drawn with matplotlib: four cells, with everything named that the panels leave out."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

from debox.edpois import BINS
from debox.figures.data.reading_key import ReadingKey
from debox.figures.draw.edpois import GAP, WITHIN, point_in
from debox.figures.draw.edpois import draw_in as draw_panel
from debox.figures.draw.style import BLUE, COLOURS, GREY, thin

WORDS_AT = {"teal": (2.04, 1.95), "orange": (2.04, 0.95), "violet": (GAP, 2.06)}  # where each colour's words start
F_AXIS, CR_AXIS = -0.3, -0.46


def draw_in(ax: Axes, record: ReadingKey) -> Axes:
    """Black: POIS and runs; blue: F and Cr; in the colours: what they say."""
    draw_panel(ax, record, left=False, bottom=False, marks=1.5)
    pois_axes(ax, len(record.F))
    run_counts(ax, record)
    parameter_axes(ax, record)
    colour_words(ax, record)
    ax.set(xlim=(-0.53, 2.95), ylim=(-0.75, 2.2), title="")
    ax.set_axis_off()
    return ax


def write(ax: Axes, at: tuple[float, float], text: str, **look: Any) -> None:
    """Small letters on white, so that lines behind them do not disturb."""
    paper: dict[str, Any] = {"facecolor": "white", "linewidth": 0, "pad": 0.8}
    ax.text(*at, text, **{"ha": "center", "va": "center", "size": "small", "bbox": paper} | look)


def pois_axes(ax: Axes, rows: int) -> None:
    """POIS from 0 to 1 beside each row, and lines between the bins."""
    for row in range(rows):
        for k in range(BINS + 1):
            y = point_in(0, row, 0, k / BINS)[1]
            ax.plot([GAP, 2 - GAP], [y, y], color=GREY, linewidth=0.5 * thin(), linestyle=(0, (1, 4)), zorder=0)
            if k % 2 == 0:
                write(ax, (0.02, y), f"{k / BINS:g}", ha="right", size="x-small")
        write(ax, (-0.13, row + 0.5), "POIS", rotation=90)


def run_counts(ax: Axes, record: ReadingKey) -> None:
    """How many runs each bar of the first cell stands for."""
    counts = record.cells[0].counts
    for k, count in enumerate(counts):
        if count:
            x, y = point_in(0, 0, count / record.planned, k / BINS)
            ax.plot([x, x], [y, -0.06], color="black", linewidth=thin(), linestyle=(0, (3, 2)))
            write(ax, (x, -0.12), str(count))
    sums = " + ".join(str(count) for count in sorted(filter(None, counts)))
    write(ax, (0.06, -0.25), f"runs per bin ({sums} = {record.planned})", ha="left")


def parameter_axes(ax: Axes, record: ReadingKey) -> None:
    """F in [0, 2] beside the rows and Cr in [0, 1] below the columns, with lines to the circles."""
    line: dict[str, Any] = {"color": BLUE, "linewidth": thin()}
    for row, F in enumerate(record.F):
        low, at, high = (point_in(0, row, 0, share)[1] for share in (0, F / 2, 1))
        ax.plot([F_AXIS] * 2, [low, high], marker="_", **line)
        ax.plot([F_AXIS, point_in(1, row, record.Cr[-1], 0)[0]], [at, at], linestyle=(0, (3, 2)), **line)
        for y, value in ((low, 0), (at, F), (high, 2)):
            write(ax, (F_AXIS - 0.03, y), f"{value:g}", color=BLUE, ha="right")
        write(ax, (F_AXIS - 0.16, row + 0.5), "F", color=BLUE)
    for column, Cr in enumerate(record.Cr):
        low, at, high = (point_in(column, 0, share, 0)[0] for share in (0, Cr, 1))
        ax.plot([low, high], [CR_AXIS] * 2, marker="|", **line)
        ax.plot([at, at], [CR_AXIS, point_in(0, 1, 0, record.F[-1] / 2)[1]], linestyle=(0, (3, 2)), **line)
        for x, value in ((low, 0), (at, Cr), (high, 1)):
            write(ax, (x, CR_AXIS - 0.09), f"{value:g}", color=BLUE)
        write(ax, (column + 0.5, CR_AXIS - 0.2), "Cr", color=BLUE)


def colour_words(ax: Axes, record: ReadingKey) -> None:
    """What the colours say."""
    several = f"{record.planned} runs" if record.planned > 1 else "one run"
    runs = f"all {several}" if record.planned > 1 else f"the {several}"
    for name, within in WITHIN.items():
        mark = ", with a notch" if name == "orange" else ""
        text = f"{name}{mark}:\n{runs} in\n{within.replace(' or ', chr(10) + 'or ')}"
        write(ax, WORDS_AT[name], text, color=COLOURS[name], ha="left", va="top", weight="bold")
    write(ax, WORDS_AT["violet"], "violet: all other cases", color=COLOURS["violet"], ha="left", weight="bold")
    write(
        ax,
        (2.04, 0.3),
        f"each rectangle: the\n{several} of one\nconfiguration, at\nits F and Cr",
        ha="left",
    )
