"""Life: POIS over a run's life, for every F and Cr of one panel: within each third of the budget, and so far.

It needs POIS so far at 1/3 and 2/3 of the budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from debox.analysis.leaving import HIGH, LOW, quantiles
from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.config import marks
from debox.figures.page import COLUMN, Floats, Numbers, Page, axes_of, obstacle, panels_of, part_of
from debox.figures.style import BLUE, TEAL, VIOLET, Axes, thin, title_with_note
from debox.figures.tiles import GAP, Tiles, rectangle
from debox.store.schema import checkpoint_column
from debox.study.fields import ADAPTATION

SIZE = (COLUMN, 4.6)
CAPTION = (
    "POIS of {} within each third of a run, median and 5 to 95 % of the runs, and POIS so far, one rectangle per F "
    "(upward) and Cr (to the right)."
)
PAPERS_PANEL = Panel.of("DE/rand/1/exp sat", 5)  # in which the paper shows the collapse at the largest Cr
THIRDS = (1 / 3, 2 / 3)  # of the budget
STRETCHES = tuple(pairwise((0.0, *THIRDS, 1.0)))  # of a run
COLUMNS = (*map(checkpoint_column, THIRDS), "pois")
DOTS = (0, (1, 1))


def why_no_thirds(runs: Runs) -> str:
    """Why these runs have no POIS within thirds: the columns that are missing; empty if none is."""
    missing = [name for name in COLUMNS if name not in runs.table or np.isnan(runs.table[name]).any()]
    why = "POIS over a run's life needs the checkpoints 1/3 and 2/3"
    return f"{why}: the table has no column {', '.join(missing)}" if missing else ""


def so_far(runs: Runs) -> Floats:
    """POIS of each run so far at 1/3, 2/3 and the end, along a last axis; a ValueError if the runs do not have it."""
    if reason := why_no_thirds(runs):
        raise ValueError(reason)
    return np.stack([runs[name] for name in COLUMNS], axis=-1)


def within_thirds(runs: Runs) -> Floats:
    """POIS of each run within each third: what was counted between two checkpoints, over what was evaluated there."""
    budget = int(runs.common("budget"))
    ends = np.array([0, *marks(budget, THIRDS), budget])  # whole evaluations
    counted = np.diff(np.round(so_far(runs) * ends[1:]), axis=-1, prepend=0)
    return np.asarray(counted / np.maximum(np.diff(ends), 1))


def pages(runs: Runs) -> Iterator[Page]:
    """The paper's panel, with fixed F and Cr if runs have several adaptations, or else the first that has runs."""
    papers = PAPERS_PANEL._replace(adaptation="fixed" if ADAPTATION in runs.axes else "")
    with_runs = (panel for panel in (papers, *panels_of(runs)) if part_of(runs, **panel._asdict()).counts.any())
    yield page(runs, next(with_runs, papers))


def page(runs: Runs, panel: Panel) -> Page:
    """The page of one panel."""
    part = part_of(runs, **panel._asdict())
    return Page(
        "life",
        CAPTION.format(panel.title),
        SIZE,
        numbers,
        draw,
        (part, panel.title),
        legend=legend,
        runs=part,
        obstacle=obstacle(part, why_no_thirds(runs)),
    )


def numbers(runs: Runs, title: str = "") -> Numbers:
    """Of each F and Cr, up to the end of each third: median POIS so far, and quantiles of POIS within the third."""
    far, within = (np.moveaxis(values, -1, -2) for values in (so_far(runs), within_thirds(runs)))  # runs the last axis
    low, median, high = quantiles(within, (LOW, 0.5, HIGH))
    found = {"so_far": quantiles(far, (0.5,))[0], "low": low, "within": median, "high": high, "runs": runs.counts}
    axes = {**axes_of(runs, "F", "Cr"), "end": np.array([end for _, end in STRETCHES])}
    return {**axes, **{name: runs.arrange(values, "F", "Cr") for name, values in found.items()}}


def draw(ax: Axes, runs: Runs, title: str = "") -> Axes:
    """Rectangles at their place (Cr to the right, F upward); in each, the run from left to right and POIS upward."""
    from matplotlib.collections import LineCollection, PolyCollection

    found = numbers(runs)
    F, Cr = found["F"], found["Cr"]
    tiles = Tiles(len(Cr), len(F), (0, 1), (-0.06, 1.06))
    bands, stairs, lines, missing = [], [], [], []
    for (k, column), count in np.ndenumerate(found["runs"]):
        row = len(F) - 1 - k
        if not count:
            missing.append((column, row))
            continue
        low, within, high, far = (found[name][k, column] for name in ("low", "within", "high", "so_far"))
        for third, stretch in enumerate(STRETCHES):
            corners = np.transpose(rectangle(*stretch, low[third], high[third]))
            bands.append(np.column_stack(tiles.at(column, row, *corners)))
            stairs.append(np.column_stack(tiles.at(column, row, stretch, [within[third]] * 2)))
        lines.append(np.column_stack(tiles.at(column, row, found["end"], far)))
    ax.add_collection(PolyCollection(bands, facecolors=TEAL, linewidths=0, alpha=0.6))
    ax.add_collection(LineCollection(stairs, colors=VIOLET, linewidths=2 * thin()))
    ax.add_collection(LineCollection(lines, colors=BLUE, linewidths=1.2 * thin(), linestyles=[DOTS]))
    tiles.crosses(ax, missing)
    tiles.outline(ax)
    ax.set_xticks([k + (1 - GAP) / 2 for k in range(len(Cr))], [f"{level:g}" for level in Cr])
    ax.set_yticks([k + (1 - GAP) / 2 for k in range(len(F))], [f"{level:g}" for level in F])
    ax.tick_params(length=0, pad=1)
    ax.set(ylabel="F")
    ax.set_xlabel("Cr (in each rectangle: time →, POIS 0 to 1 ↑)", size="small")
    ax.set_title(title_with_note(title, runs.missing))
    return ax


def legend() -> list[Any]:
    """What the lines and rectangles are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Line2D([], [], color=VIOLET, lw=2 * thin(), label="median in a third"),
        Patch(color=TEAL, alpha=0.6, lw=0, label="5–95 % of runs"),
        Line2D([], [], color=BLUE, lw=1.2 * thin(), ls=DOTS, label="median so far"),
    ]
