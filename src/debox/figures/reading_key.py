"""How to read an EDPOIS panel: four cells whose runs are made up, with everything named that panels leave out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from debox.analysis.runs import Runs
from debox.edpois import BINS, COLOURS
from debox.figures.edpois import GAP, WITHIN, draw_cells, histograms, point_in
from debox.figures.page import Numbers, Page
from debox.figures.style import BLUE, GREY, Axes, thin

SIZE = (5.0, 4.3)
CAPTION = (
    "How to read an EDPOIS panel: in each rectangle bars count runs per tenth of POIS, a blue circle marks Cr and F, "
    "and the bars' colour tells whether all runs are extremely close to 0 or 1."
)
RUNS = 50
SPREAD = {0.45: 7, 0.55: 24, 0.65: 16, 0.75: 3}  # POIS of the runs of the first cell: 7 + 24 + 16 + 3 = 50
WORDS_AT = {"teal": (2.04, 1.95), "orange": (2.04, 0.95), "violet": (GAP, 2.06)}  # where each colour's words start
F_AXIS, CR_AXIS = -0.3, -0.46


def pages(runs: Runs) -> Iterator[Page]:
    """One page; its cells have as many runs as the study's."""
    yield page(runs.planned or RUNS)


def page(runs: int = RUNS) -> Page:
    """The page with this number of runs per cell."""
    return Page("reading-key", CAPTION, SIZE, numbers, draw, (runs,))


def numbers(runs: int = RUNS) -> Numbers:
    """Runs in several bins; and all in the top bin, within [0.9, 0.99], [0.99, 0.999] and [0.999, 1]."""
    up_to = [round(runs * count / RUNS) for count in accumulate(SPREAD.values(), initial=0)]
    spread = np.repeat(list(SPREAD), [high - low for low, high in pairwise(up_to)])
    violet, orange, teal = (np.full(runs, pois) for pois in (0.95, 0.995, 0.9995))
    counts, colours = histograms(np.array([[[spread, orange], [violet, teal]]]))
    levels = {"panel": np.array([""], object), "F": np.array([0.6, 1.6]), "Cr": np.array([0.6, 0.8])}
    return {**levels, "up_to": np.arange(1, BINS + 1) / BINS, "runs": counts, "colour": colours}


def draw(ax: Axes, runs: int = RUNS) -> Axes:
    """Black: POIS and runs; blue: F and Cr; in the colours: what they say."""
    found = numbers(runs)
    draw_cells(ax, found, runs, left=False, bottom=False, marks=1.5)
    draw_pois_axes(ax, len(found["F"]))
    draw_run_counts(ax, found["runs"][0, 0, 0].tolist(), runs)
    draw_parameter_axes(ax, found["F"].tolist(), found["Cr"].tolist())
    write_colours(ax, runs)
    ax.set(xlim=(-0.53, 2.95), ylim=(-0.75, 2.2), title="")
    ax.set_axis_off()
    return ax


def write(ax: Axes, at: tuple[float, float], text: str, **look: Any) -> None:
    """Small letters on white, so that lines behind them do not disturb."""
    paper: dict[str, Any] = {"facecolor": "white", "linewidth": 0, "pad": 0.8}
    ax.text(*at, text, **{"ha": "center", "va": "center", "size": "small", "bbox": paper} | look)


def draw_pois_axes(ax: Axes, rows: int) -> None:
    """POIS from 0 to 1 beside each row, and lines between the bins."""
    for row in range(rows):
        for k in range(BINS + 1):
            y = point_in(0, row, 0, k / BINS)[1]
            ax.plot([GAP, 2 - GAP], [y, y], color=GREY, linewidth=0.5 * thin(), linestyle=(0, (1, 4)), zorder=0)
            if k % 2 == 0:
                write(ax, (0.02, y), f"{k / BINS:g}", ha="right", size="x-small")
        write(ax, (-0.13, row + 0.5), "POIS", rotation=90)


def draw_run_counts(ax: Axes, counts: list[int], runs: int) -> None:
    """How many runs each bar of the first cell stands for."""
    for k, count in enumerate(counts):
        if count:
            x, y = point_in(0, 0, count / runs, k / BINS)
            ax.plot([x, x], [y, -0.06], color="black", linewidth=thin(), linestyle=(0, (3, 2)))
            write(ax, (x, -0.12), str(count))
    sums = " + ".join(str(count) for count in sorted(filter(None, counts)))
    write(ax, (0.06, -0.25), f"runs per bin ({sums} = {runs})", ha="left")


def draw_parameter_axes(ax: Axes, Fs: list[float], Crs: list[float]) -> None:
    """F in [0, 2] beside the rows and Cr in [0, 1] below the columns, with lines to the circles."""
    line: dict[str, Any] = {"color": BLUE, "linewidth": thin()}
    for row, F in enumerate(Fs):
        low, at, high = (point_in(0, row, 0, share)[1] for share in (0, F / 2, 1))
        ax.plot([F_AXIS] * 2, [low, high], marker="_", **line)
        ax.plot([F_AXIS, point_in(1, row, Crs[-1], 0)[0]], [at, at], linestyle=(0, (3, 2)), **line)
        for y, value in ((low, 0), (at, F), (high, 2)):
            write(ax, (F_AXIS - 0.03, y), f"{value:g}", color=BLUE, ha="right")
        write(ax, (F_AXIS - 0.16, row + 0.5), "F", color=BLUE)
    for column, Cr in enumerate(Crs):
        low, at, high = (point_in(column, 0, share, 0)[0] for share in (0, Cr, 1))
        ax.plot([low, high], [CR_AXIS] * 2, marker="|", **line)
        ax.plot([at, at], [CR_AXIS, point_in(0, 1, 0, Fs[-1] / 2)[1]], linestyle=(0, (3, 2)), **line)
        for x, value in ((low, 0), (at, Cr), (high, 1)):
            write(ax, (x, CR_AXIS - 0.09), f"{value:g}", color=BLUE)
        write(ax, (column + 0.5, CR_AXIS - 0.2), "Cr", color=BLUE)


def write_colours(ax: Axes, runs: int) -> None:
    """What the colours say."""
    several, every = (f"{runs} runs", f"all {runs} runs") if runs > 1 else ("one run", "the one run")
    for name, within in WITHIN.items():
        mark = ", with a notch" if name == "orange" else ""
        text = f"{name}{mark}:\n{every} in\n{within.replace(' or ', chr(10) + 'or ')}"
        write(ax, WORDS_AT[name], text, color=COLOURS[name], ha="left", va="top", weight="bold")
    write(ax, WORDS_AT["violet"], "violet: all other cases", color=COLOURS["violet"], ha="left", weight="bold")
    text = f"each rectangle: the\n{several} of one\nconfiguration, at\nits F and Cr"
    write(ax, (2.04, 0.3), text, ha="left")
