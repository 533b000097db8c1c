"""The paper's own figures, the atlas of all panels, and every panel alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product

from debox.analysis.runs import Panel, Runs
from debox.figures.data import key, pages, strategies, threshold
from debox.figures.data.edpois import edpois_panel
from debox.figures.draw import key as draw_key
from debox.figures.draw import pages as draw_pages
from debox.figures.draw import sketch as draw_sketch
from debox.figures.draw import strategies as draw_strategies
from debox.figures.draw import threshold as draw_threshold
from debox.figures.sheet import COLUMN, PAGE, Sheet, lacking

STRATEGIES = (
    "What three strategies make of a component x: saturation sets it to the violated bound, toroidal wraps it around, "
    "mirror reflects it; and the densities of COTN's random values, falling from the violated bound inward."
)
THRESHOLD = (
    "The largest chance p_max of a component to leave the box such that a point does with chance t at most, against t, "
    "for n = 10, 30, 100 and 500: it falls nearly as t/n."
)
KEY = (
    "How to read an EDPOIS panel: in each rectangle bars count runs per tenth of POIS, a blue circle marks Cr and F, "
    "and the bars' colour tells whether all runs are extremely close to 0 or 1."
)
SKETCH = "Histograms of POIS standing upright at the crossings of F and Cr, which a panel lays flat into rectangles."
HISTOGRAMS = "ten-bin histograms of POIS over the runs, one rectangle per F (upward) and Cr (to the right)"


def paper(runs: Runs) -> Iterator[Sheet]:
    """The figures of the paper, in its order."""
    yield Sheet(
        "strategies", STRATEGIES, (COLUMN, 3.2), lambda runs: strategies.strategies(), draw_strategies.strategies
    )
    yield Sheet("threshold", THRESHOLD, (COLUMN, 2.6), lambda runs: threshold.thresholds(), draw_threshold.threshold)
    yield Sheet("reading-key", KEY, (5.0, 4.3), lambda runs: key.key(runs.planned or key.RUNS), draw_key.key)
    yield Sheet("sketch-3d", SKETCH, (5.0, 2.3), lambda runs: key.sketch(), draw_sketch.sketch)
    for name, compared in pages.COMPARISONS.items():
        shows = f"EDPOIS of {'; '.join(panel.title for panel in compared)}: {HISTOGRAMS}."
        data, lacks = partial(pages.comparison, name=name), lacking(runs, compared)
        yield Sheet(name, shows, (PAGE[0], 3.7), data, draw_pages.comparison, runs.told, lacks)


def atlas(runs: Runs) -> Iterator[Sheet]:
    """All panels, a page per crossover and N."""
    for crossover, N in product(runs.axes["crossover"], runs.axes["N"]):
        shows = f"EDPOIS of every mutation and strategy with {crossover} crossover and N={N}: {HISTOGRAMS}."
        record = partial(pages.atlas_page, crossover=crossover, N=N)
        lacks = lacking(runs, (panel for panel in runs.panels() if (panel.crossover, panel.N) == (crossover, N)))
        yield Sheet(f"atlas-{crossover}-N{N}", shows, PAGE, record, draw_pages.atlas_page, runs.told, lacks)


def panels(runs: Runs) -> Iterator[Sheet]:
    """One sheet per panel."""
    for panel in runs.panels():
        shows = f"EDPOIS of {panel.title}: {HISTOGRAMS}."
        name, data = f"panels/{file_name(panel)}", partial(edpois_panel, panel=panel)
        yield Sheet(name, shows, (COLUMN, 4.2), data, draw_pages.panel, runs.told, lacking(runs, [panel]))


def file_name(panel: Panel) -> str:
    """``DE-rand-1-exp-sat-N5``"""
    return re.sub(r"[/ ]", "-", f"{panel.name} N{panel.N}")
