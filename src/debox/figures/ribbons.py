"""Ribbons: POIS against F for each Cr, or against Cr for each F: quantiles of the runs, and the curve of generation 1.

Two pages per mutation and crossover. The curve needs the dimension and the budget, operators that are installed here
and have a formula, and F and Cr that do not adapt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.analysis.first_generation import curve_points, first_generation, why_no_curve
from debox.analysis.leaving import quantiles
from debox.analysis.names import short, with_adaptation
from debox.analysis.runs import Runs
from debox.figures.page import PAGE, Floats, Numbers, Page, adaptations_of, axes_of, file_name, obstacle, part_of
from debox.figures.style import Axes, thin, title_with_note
from debox.figures.tiles import Tiles, range_around, round_ticks

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
AGAINST = ("F", "Cr")
SIZES = {"F": PAGE, "Cr": (PAGE[1], PAGE[0])}  # against Cr there is a column per F, and those are many
CAPTION = "POIS of {} against {}: median and quantiles over the runs for each N, a column per {}, a row per strategy{}."
CURVE = ", and the exact curve if generation 1 lasted for ever"
# The colour and the marker of each N. The colour-blind can tell them apart, also in grey.
LOOKS = (("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"))
DASHES = (0, (3, 1.5))
ALIKE = 0.01  # curves that differ by less are drawn as one
MISSING = -0.04  # where a cross stands for missing runs: below POIS = 0


def pages(runs: Runs) -> Iterator[Page]:
    """Against F for each Cr and against Cr for each F, of each mutation and crossover, and of each adaptation."""
    variants = product(runs.axes["mutation"], runs.axes["crossover"], adaptations_of(runs))
    for mutation, crossover, adaptation in variants:
        part = part_of(runs, mutation=mutation, crossover=crossover, adaptation=adaptation)
        yield from (page(part, against, adaptation) for against in AGAINST)


def page(runs: Runs, against: str = "F", adaptation: str = "") -> Page:
    """The page of runs of one mutation and crossover; the adaptation is named where a study has several."""
    check.choice("against", against, AGAINST)
    name, reason = variant(runs), why_no_curve(runs, runs.axes["mutation"][0], runs.axes["crossover"][0])
    texts = with_adaptation(name, adaptation), against, other_than(against), f" ({reason})" if reason else CURVE
    return Page(
        f"ribbons/{file_name(name, adaptation, 'against', against)}",
        CAPTION.format(*texts),
        SIZES[against],
        numbers,
        draw,
        (runs, against, adaptation),
        legend=partial(legend, runs.axes["N"], not reason),
        legend_columns=len(runs.axes["N"]) + 3 - bool(reason),
        runs=runs,
        obstacle=obstacle(runs),
        omission=reason,
    )


def variant(runs: Runs) -> str:
    """``DE/rand/1/exp``"""
    return f"DE/{short('mutation', runs.axes['mutation'][0])}/{runs.axes['crossover'][0]}"


def other_than(against: str) -> str:
    """Cr for F, F for Cr."""
    return AGAINST[1 - AGAINST.index(against)]


def numbers(runs: Runs, against: str = "F", adaptation: str = "") -> Numbers:
    """Quantiles of POIS, NaN without runs, the number of runs, and POIS if generation 1 lasted for ever."""
    order = (other_than(against), "N", against, "strategy")
    pois, counts = (runs.arrange(values, *order) for values in (runs["pois"], runs.counts))
    found = dict(zip(QUANTILES, quantiles(pois, list(QUANTILES.values())), strict=True))
    return {**axes_of(runs, *order), **found, "runs": counts, "generation_1": curves(runs, against, runs.axes[against])}


def curves(runs: Runs, against: str, points: Sequence[float]) -> Floats:
    """POIS if generation 1 lasted for ever, for each Cr and N at points of F (or F, N, and points of Cr), or NaN."""
    (mutation,), (crossover,), fixed = runs.axes["mutation"], runs.axes["crossover"], other_than(against)
    found = np.full((len(runs.axes[fixed]), len(runs.axes["N"]), len(points)), np.nan)
    if not why_no_curve(runs, mutation, crossover):
        for at, (level, N, x) in enumerate(product(runs.axes[fixed], runs.axes["N"], points)):
            F, Cr = (x, level) if against == "F" else (level, x)
            found.flat[at] = first_generation(runs, mutation, crossover, N, F, Cr)
    return found


def draw(ax: Axes, runs: Runs, against: str = "F", adaptation: str = "") -> Axes:
    """A row of plots per strategy and a column per level of what is fixed, in one Axes."""
    found, fixed, x = numbers(runs, against), other_than(against), runs.axes[against]
    points = curve_points(against, x)
    lines = curves(runs, against, points)
    tiles = Tiles(len(found[fixed]), len(found["strategy"]), range_around(x), (-0.08, 1.08))
    for row, column in np.ndindex(tiles.rows, tiles.columns):
        counts = found["runs"][column, :, :, row]
        if not counts.any():
            tiles.crosses(ax, [(column, row)])
        one_curve = (np.ptp(lines[column], axis=0) < ALIKE).all()
        for k, (colour, marker) in zip(range(len(counts)), cycle(LOOKS), strict=False):
            heights = [found[name][column, k, :, row] for name in QUANTILES]
            draw_ribbon(ax, [np.column_stack(tiles.at(column, row, x, y)) for y in heights], colour, marker)
            absent = np.array(x)[counts[k] == 0]
            cross = tiles.at(column, row, absent, np.full(len(absent), MISSING))
            ax.plot(*cross, "x", color=colour, ms=2.5, mew=thin())
            line = tiles.at(column, row, points, lines[column, k])
            ax.plot(*line, color="black" if one_curve else colour, lw=1.5 * thin(), ls=DASHES)
    tiles.outline(ax)
    tiles.ticks(ax, round_ticks(x), (0, 0.5, 1))
    strategies = [short("strategy", name) for name in found["strategy"]]
    tiles.titles(ax, [f"{fixed}={level:g}" for level in found[fixed]], strategies)
    ax.set(xlabel=against, ylabel="POIS")
    reason = why_no_curve(runs, runs.axes["mutation"][0], runs.axes["crossover"][0])
    note = ", ".join(filter(None, (runs.missing, reason)))
    ax.set_title(title_with_note(with_adaptation(variant(runs), adaptation), note), pad=16)
    return ax


def draw_ribbon(ax: Axes, points: Sequence[Floats], colour: str, marker: str) -> None:
    """The bands and the median of five quantiles; a band has a part for each stretch of runs."""
    from matplotlib.collections import PolyCollection

    low, lower, median, upper, high = points
    for bottom, top, alpha in ((low, high, 0.18), (lower, upper, 0.3)):
        outlines = [np.concatenate([bottom[part], top[part][::-1]]) for part in stretches(bottom[:, 1])]
        band = PolyCollection(outlines, facecolors=colour, alpha=alpha, linewidths=0)
        ax.add_collection(band, autolim=False)  # half the time of fill_between
    ax.plot(*median.T, color=colour, lw=1.5 * thin(), marker=marker, ms=2.5 * thin() ** 0.5, mew=0)


def stretches(values: Floats) -> list[NDArray[np.intp]]:
    """The places of the values between NaN, where two or more follow each other."""
    parts = np.split(np.arange(len(values)), np.flatnonzero(np.isnan(values)))
    known = [part[~np.isnan(values[part])] for part in parts]
    return [part for part in known if len(part) > 1]


def legend(Ns: Sequence[int], has_curve: bool) -> list[Any]:
    """What the lines and bands are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    look: dict[str, Any] = {"ms": 3, "mew": 0, "lw": 1.5 * thin()}
    medians = [
        Line2D([], [], color=colour, marker=marker, label=f"median, N={N}", **look)
        for N, (colour, marker) in zip(Ns, cycle(LOOKS), strict=False)
    ]
    bands = [Patch(color="0.3", alpha=ink, label=text) for ink, text in ((0.5, "25–75 %"), (0.25, "5–95 % of runs"))]
    curve = Line2D([], [], color="0.3", lw=1.5 * thin(), ls=DASHES, label="exact, if generation 1 lasted")
    return [*medians, *bands, *[curve] * has_curve]
