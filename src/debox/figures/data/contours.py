"""Where does DE leave the box? Maps of the median POIS over F and Cr, to draw the lines POIS = 0.5, 0.9, 0.99 on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from debox.analysis import names
from debox.analysis.median_map import Map, median_map
from debox.analysis.old_runs import Panel, Runs, with_adaptation
from debox.analysis.summary import missing_runs
from debox.figures.entry import PAGE, Entry, file_name

SIZE = PAGE
LEVELS = (0.5, 0.9, 0.99)


@dataclass(frozen=True)
class Contours:
    """A row of maps per strategy, a column per crossover and N."""

    mutation: str
    rows: tuple[tuple[Map, ...], ...]
    note: str = ""  # what is missing, ``30 of 50 runs``
    adaptation: str = ""  # where runs have several


def entries(runs: Runs) -> Iterator[Entry]:
    """A page per mutation, and per adaptation, if there are several."""
    pages = product(runs.axes["mutation"], runs.panel_adaptations)
    return (entry(runs, mutation, adaptation) for mutation, adaptation in pages)


def entry(runs: Runs, mutation: str, adaptation: str = "") -> Entry:
    """The page of one mutation, by its full or short name, and one adaptation, if there are several."""
    name = names.full_name(runs.axes["mutation"], "mutation", mutation)
    short = names.short("mutation", name)
    text = (
        f"Where {with_adaptation(f'DE/{short}', adaptation)} leaves the box: the lines median POIS = "
        "0.5, 0.9 and 0.99 over Cr and F, a map per strategy (rows), crossover and N (columns)."
    )
    panels = tuple(panel for panel in runs.panels() if (panel.mutation, panel.adaptation) == (name, adaptation))
    record = partial(contours, mutation=name, adaptation=adaptation)
    return Entry(file_name("contours", short, adaptation), text, SIZE, record, panels, further_obstacle=obstacle)


def obstacle(runs: Runs) -> str:
    """Lines over F and Cr need two values of each; empty if they are there."""
    few = [name for name in ("F", "Cr") if len(runs.axes[name]) < 2]
    return f"lines over Cr and F need two values of each, this study has one {' and one '.join(few)}" if few else ""


def contours(runs: Runs, mutation: str, adaptation: str = "") -> Contours:
    """The maps of one mutation, by its full or short name, and one adaptation, if there are several."""
    name, axes = names.full_name(runs.axes["mutation"], "mutation", mutation), runs.axes
    rows = tuple(
        tuple(
            median_map(runs, Panel(name, crossover, strategy, N, adaptation))
            for crossover in axes["crossover"]
            for N in axes["N"]
        )
        for strategy in axes["strategy"]
    )
    cells = [(map_.panel, F, Cr) for row in rows for map_ in row for F in axes["F"] for Cr in axes["Cr"]]
    note = missing_runs((len(runs.values(*cell)) for cell in cells), runs.planned)
    return Contours(name, rows, note, adaptation)
