"""EDPOIS panels: for every F and Cr the runs per tenth of POIS, and a colour. Alone, side by side, as an atlas.

The page "What debox computes and draws, exactly" defines them in §4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import edpois
from debox.analysis.names import Panel, with_adaptation
from debox.analysis.runs import Runs, missing_runs
from debox.edpois import BINS, COLOURS
from debox.figures.page import (
    COLUMN,
    NO_RUNS,
    PAGE,
    Floats,
    Numbers,
    Page,
    adaptations_of,
    axes_of,
    file_name,
    panels_of,
    part_of,
)
from debox.figures.style import BLUE, GREY, Axes, Figure, font_size, free_area, legend_below, thin
from debox.figures.tiles import Polyline, diagonals, rectangle

SIZE, ROW_SIZE = (COLUMN, 4.2), (PAGE[0], 3.7)
HISTOGRAMS = "ten-bin histograms of POIS over the runs, one rectangle per F (upward) and Cr (to the right)"
CAPTION = f"EDPOIS of {{}}: {HISTOGRAMS}."
COMPARISONS = {  # of the paper: panels that differ in one factor
    "population-sizes": [Panel.of("DE/curr-to-best/1/bin sat", N) for N in (5, 20, 100)],
    "mutations": [Panel.of(f"DE/{mutation}/exp sat", 5) for mutation in ("best/1", "rand/1", "rand/2")],
    "crossovers": [
        Panel.of(f"DE/{name}", 5) for name in ("best/1/bin sat", "best/1/exp sat", "rand/1/bin tor", "rand/1/exp tor")
    ],
    "strategies-compared": [Panel.of(f"DE/rand/1/exp {strategy}", 5) for strategy in ("COTN", "mirr", "sat")],
}
WITHIN = {"teal": "[0.999, 1] or [0, 0.001]", "orange": "[0.99, 0.999] or [0.001, 0.01]"}  # where all runs lie
GAP = 0.06  # between rectangles, as a share of their grid place
NOTCH = 0.06  # in orange bars, so that they differ from teal ones in grey too; a third of a bar at most
EDGES = (0.5, 0.08, 0.34, 0.37)  # inches on paper: what F at the left, nothing at the right, Cr and a title need
SMALL = 0.6  # marks and letters of the atlas, as a share of those of a panel alone


def pages(runs: Runs) -> Iterator[Page]:
    """Every panel alone."""
    return (page(runs, panel) for panel in panels_of(runs))


def page(runs: Runs, panel: Panel) -> Page:
    """One panel alone."""
    name = re.sub(r"[/ ]", "-", f"{panel.name} N{panel.N}".replace(",", ""))
    return page_of(runs, f"panels/{name}", panel.title, SIZE, [[panel]], draw=draw)


def comparisons(runs: Runs) -> Iterator[Page]:
    """A page for each comparison of the paper; among runs with several adaptations of those with fixed F and Cr."""
    adaptation = "fixed" if len(adaptations_of(runs)) > 1 else ""
    for name, papers in COMPARISONS.items():
        panels = [panel._replace(adaptation=adaptation) for panel in papers]
        yield page_of(runs, name, "; ".join(panel.title for panel in panels), ROW_SIZE, [panels])


def atlas(runs: Runs) -> Iterator[Page]:
    """All panels: a page per crossover, N and adaptation with a row per mutation and a column per strategy."""
    axes = runs.axes
    for crossover, adaptation, N in product(axes["crossover"], adaptations_of(runs), axes["N"]):
        settings = with_adaptation(f"{crossover} crossover", adaptation)
        rows = [
            [Panel(mutation, crossover, strategy, N, adaptation) for strategy in axes["strategy"]]
            for mutation in axes["mutation"]
        ]
        what, title = f"every mutation and strategy with {settings} and N={N}", f"EDPOIS, {settings}, N={N}"
        yield page_of(runs, file_name("atlas", crossover, adaptation, f"N{N}"), what, PAGE, rows, title)


def page_of(
    runs: Runs, name: str, what: str, size: tuple[float, float], rows: list[list[Panel]], title: str = "", **more: Any
) -> Page:
    """The page of panels in rows."""
    panels = [panel for row in rows for panel in row]
    parts = [part_of(runs, **panel._asdict()) for panel in panels]
    shown = part_of(runs, adaptation=panels[0].adaptation) if panels else runs
    return Page(
        name,
        CAPTION.format(what),
        size,
        numbers,
        arguments=(runs, *panels),
        draw_page=lambda figure, *_: draw_rows(figure, runs, rows, title),
        runs=shown,
        obstacle="" if any(part.counts.any() for part in parts) else NO_RUNS,
        **more,
    )


def numbers(runs: Runs, *panels: Panel) -> Numbers:
    """Runs per tenth of POIS of every configuration of some panels, and its colour; none without runs."""
    parts = [part_of(runs, **panel._asdict()) for panel in panels]
    cells = [histograms(part["pois"][0, 0, 0, 0]) for part in parts]
    return {
        "panel": np.array([panel.title for panel in panels], object),
        **axes_of(runs, "F", "Cr"),
        "up_to": np.arange(1, BINS + 1) / BINS,
        "runs": np.array([counts for counts, _ in cells]),
        "colour": np.array([colours for _, colours in cells]),
    }


def histograms(pois: Floats) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
    """Runs per tenth of POIS of each row of runs, and its colour: teal, orange, violet, or nothing without runs."""
    counts, colours = np.zeros((*pois.shape[:-1], BINS), np.int64), np.full(pois.shape[:-1], "", object)
    for at in np.ndindex(colours.shape):
        there = pois[at][~np.isnan(pois[at])]
        if len(there):
            counts[at], colours[at] = edpois.histogram(there), edpois.colour(there)
    return counts, colours


def draw_rows(figure: Figure, runs: Runs, rows: list[list[Panel]], title: str) -> None:
    """Panels in rows; several rows have a title, a key, and letters only at the left and below."""
    left, right, below, above = EDGES
    if title:
        legend_below(figure, legend(), 5)
        figure.suptitle(title, size="medium", y=0.99)
        edges, gaps, marks = (left, right, below, above + 0.1), (0.1, 0.25), SMALL
    else:
        edges, gaps, marks = EDGES, (0.12, 0), 1.0
    axes = panel_grid(figure, len(rows), len(rows[0]), edges, gaps)
    for i, (line, panels) in enumerate(zip(axes, rows, strict=True)):
        for j, (ax, panel) in enumerate(zip(line, panels, strict=True)):
            draw(ax, runs, panel, left=j == 0, bottom=i == len(rows) - 1, marks=marks)


def panel_grid(
    figure: Figure, rows: int, columns: int, edges: tuple[float, float, float, float], gaps: tuple[float, float]
) -> Any:
    """Equal Axes in rows and columns, edges and gaps in inches; measuring all text would take longer than drawing."""
    strip = free_area(figure)[1]
    figure.set_layout_engine("none")
    width, height = figure.get_size_inches() * 7 / font_size()
    left, right, below, above = edges
    place = {"left": left / width, "right": 1 - right / width, "bottom": strip + below / height}
    place |= {"top": 1 - above / height}
    w = (width - left - right - (columns - 1) * gaps[0]) / columns
    h = (height * (1 - strip) - below - above - (rows - 1) * gaps[1]) / rows
    spaces = {"wspace": gaps[0] / w, "hspace": gaps[1] / h}
    return figure.subplots(rows, columns, squeeze=False, gridspec_kw=place | spaces)


def draw(ax: Axes, runs: Runs, panel: Panel, left: bool = True, bottom: bool = True, marks: float = 1.0) -> Axes:
    """One panel. left, bottom: name the rows' F, the columns' Cr; marks: size of lines, circles and letters."""
    return draw_cells(ax, numbers(runs, panel), runs.planned, left, bottom, marks)


def draw_cells(ax: Axes, found: Numbers, planned: int, left: bool, bottom: bool, marks: float) -> Axes:
    """Rectangles at their place (Cr to the right, F upward), histograms, blue circles; a cross where no run is.

    One collection for all marks of a kind: fifty Axes would take ten times as long.
    """
    from matplotlib.collections import LineCollection, PolyCollection

    (title,), F, Cr, (counts,), (colours,) = (found[name] for name in ("panel", "F", "Cr", "runs", "colour"))
    places = [(float(column), float(row)) for row in range(len(F)) for column in range(len(Cr))]
    cells = list(zip(places, counts.reshape(-1, BINS).tolist(), colours.ravel(), strict=True))
    bars = [(bar, COLOURS[colour]) for place, of, colour in cells for bar in bars_of(place, of, planned, colour)]
    frames, line = [box(place) for place in places], marks * thin()
    crosses = [line for place, _, colour in cells if not colour for line in diagonals(box(place))]
    ax.add_collection(PolyCollection(frames, facecolors="none", edgecolors="black", linewidths=line))
    ax.add_collection(LineCollection(crosses, colors=GREY, linewidths=line))
    ax.add_collection(PolyCollection([bar for bar, _ in bars], facecolors=[colour for _, colour in bars], linewidths=0))
    at = [point_in(x, y, Cr[int(x)], F[int(y)] / 2) for (x, y), _, colour in cells if colour]
    circle: dict[str, Any] = {"facecolors": "none", "edgecolors": BLUE, "linewidths": line, "clip_on": False}
    ax.scatter([x for x, _ in at], [y for _, y in at], s=(4 * line) ** 2, zorder=3, **circle)
    ax.set(xlim=(-GAP, len(Cr) + GAP), ylim=(-GAP, len(F) + GAP), xticks=[], yticks=[])
    letters = font_size() * min(marks, 1)
    ax.set_title("\n".join(filter(None, (title, missing_runs(counts.sum(-1), planned)))), size=letters)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, labelsize=letters, pad=1)
    if bottom:
        ax.set_xticks(np.arange(len(Cr)) + 0.5, [f"{value:g}" for value in Cr])
        ax.set_xlabel("Cr", size=letters)
    if left:
        ax.set_yticks(np.arange(len(F)) + 0.5, [f"{value:g}" for value in F])
        ax.set_ylabel("F", size=letters)
    return ax


def point_in(x: float, y: float, u: float, v: float) -> tuple[float, float]:
    """The point (u, v) ∈ [0, 1]² of the rectangle at the grid place (x, y)."""
    return x + GAP + (1 - 2 * GAP) * u, y + GAP + (1 - 2 * GAP) * v


def box(place: tuple[float, float], left: float = 0, right: float = 1, low: float = 0, high: float = 1) -> Polyline:
    """A part of the rectangle at a grid place, by shares; by default the whole."""
    return [point_in(*place, u, v) for u, v in rectangle(left, right, low, high)]


def bars_of(place: tuple[float, float], counts: list[int], planned: int, colour: str) -> Iterator[Polyline]:
    """A horizontal bar per tenth of POIS, its length the share of the planned runs; an orange one has a notch."""
    for k, count in enumerate(counts):
        share = count / planned
        notch = min(NOTCH, share / 3) if colour == "orange" else 0.0
        pieces = [(0.0, (share - notch) / 2), ((share + notch) / 2, share)] if notch else [(0.0, share)]
        if count:
            yield from (box(place, left, right, k / BINS, (k + 1) / BINS) for left, right in pieces)


def legend() -> list[Any]:
    """What the colours of bars, the circles and the crosses are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    bars = [Patch(color=COLOURS[name], lw=0, label=f"all in {within}") for name, within in WITHIN.items()]
    bars += [Patch(color=COLOURS["violet"], lw=0, label="all other cases")]
    circle: dict[str, Any] = {"marker": "o", "ms": 3, "mfc": "none", "mec": BLUE, "mew": thin()}
    cross: dict[str, Any] = {"marker": "x", "color": GREY, "ms": 4, "mew": thin()}
    return [*bars, Line2D([], [], ls="", label="(Cr, F/2)", **circle), Line2D([], [], ls="", label="no runs", **cross)]
