"""Pictures more compact than the paper's: all configurations at once, ribbons, maps, a run's life."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from debox.analysis import names, thirds
from debox.analysis.first_generation import without_curve
from debox.analysis.runs import Panel, Runs
from debox.figures.data import contours as data_contours
from debox.figures.data import life as data_life
from debox.figures.data import mosaic
from debox.figures.data import ribbons as data_ribbons
from debox.figures.draw import contours as draw_contours
from debox.figures.draw import life as draw_life
from debox.figures.draw import overview as draw_overview
from debox.figures.draw import ribbons as draw_ribbons
from debox.figures.sheet import COLUMN, PAGE, Sheet, lacking

LANDSCAPE = (PAGE[1], PAGE[0])
PLACES = "a grid of F (upward) and Cr (to the right) per mutation and N (columns), crossover and strategy (rows)"
LIFE = Panel.of("DE/rand/1/exp sat", 5)  # the panel in which the paper shows the collapse at the largest Cr


def overview(runs: Runs) -> Iterator[Sheet]:
    """All configurations on one page."""
    shows = (
        "Median POIS of every configuration as a coloured cell, a bar for the spread over the runs and two dots where "
        f"they fall into two camps: {PLACES}."
    )
    yield Sheet("overview", shows, PAGE, mosaic.overview, draw_overview.overview, runs.told)


def ribbons(runs: Runs) -> Iterator[Sheet]:
    """POIS against F for each Cr, and against Cr for each F, a page per variant."""
    for mutation in runs.axes["mutation"]:
        for crossover in runs.axes["crossover"]:
            variant = f"DE/{names.short('mutation', mutation)}/{crossover}"
            without = without_curve(runs, mutation, crossover)
            curve = f" ({without})" if without else ", and the exact curve if generation 1 lasted for ever"
            lacks = lacking(runs, (panel for panel in runs.panels() if panel[:2] == (mutation, crossover)))
            for against, fixed, size in (("F", "Cr", PAGE), ("Cr", "F", LANDSCAPE)):
                shows = (
                    f"POIS of {variant} against {against}: median and quantiles over the runs for each N, a column per "
                    f"{fixed}, a row per strategy{curve}."
                )
                name = f"ribbons/{variant.replace('/', '-')}-against-{against}"
                data = partial(data_ribbons.ribbons, variant=variant, against=against)
                yield Sheet(name, shows, size, data, draw_ribbons.ribbons, runs.told, lacks, without)


def contours(runs: Runs) -> Iterator[Sheet]:
    """Where DE leaves the box, a page per mutation."""
    for mutation in runs.axes["mutation"]:
        short = names.short("mutation", mutation)
        shows = (
            f"Where DE/{short} leaves the box: the lines median POIS = 0.5, 0.9 and 0.99 over Cr and F, a map per "
            "strategy (rows), crossover and N (columns)."
        )
        name = f"contours-{short.replace('/', '-')}"
        data = partial(data_contours.maps, mutation=mutation)
        lacks = lacking(runs, (panel for panel in runs.panels() if panel.mutation == mutation))
        yield Sheet(name, shows, PAGE, data, draw_contours.contours, runs.told, lacks)


def life(runs: Runs) -> Iterator[Sheet]:
    """How POIS changes while a run lives."""
    shown, lacks = life_of(runs), thirds.lacking(runs)
    shows = (
        f"POIS of {shown.title} within each third of a run, median and 5 to 95 % of the runs, and POIS so far, one "
        "rectangle per F (upward) and Cr (to the right)."
    )
    data = partial(data_life.life_panel, panel=shown)
    yield Sheet("life", shows, (COLUMN, 4.6), data, draw_life.panel, runs.told, lacks)
    shows = f"POIS within the last third of a run minus POIS within the first, as a coloured cell: {PLACES}."
    yield Sheet("drift", shows, PAGE, data_life.drift, draw_life.drift, runs.told, lacks)


def life_of(runs: Runs) -> Panel:
    """The paper's panel, or else the first that has runs."""
    return next((panel for panel in (LIFE, *runs.panels()) if panel in runs.there), LIFE)


COMPACT = (overview, ribbons, contours, life)
