"""Drift: how far POIS drifts from the first to the last third of a run, all configurations on one page.

It needs POIS so far at 1/3 and 2/3 of the budget.
"""

from __future__ import annotations

from collections.abc import Iterator

from debox.analysis.leaving import quantiles
from debox.analysis.runs import Runs
from debox.figures.life import why_no_thirds, within_thirds
from debox.figures.mosaic import Mosaic, draw_scale, places
from debox.figures.page import PAGE, Numbers, Page, axes_of, obstacle
from debox.figures.style import Axes, thin

SIZE = PAGE
CAPTION = "POIS within the last third of a run minus POIS within the first, as a coloured cell: {}."
LABEL = "POIS within the last third − POIS within the first, median over runs (+, −: {} and more)"
COLOURS = "PuOr"  # orange: leaves the box less and less; purple: more and more; safe for the colour-blind
WIDEST = 0.3  # the drift with the deepest colour
SMALLEST_SIGNED = 0.02  # a smaller drift has no sign


def pages(runs: Runs) -> Iterator[Page]:
    """The page of all configurations."""
    reason = obstacle(runs, why_no_thirds(runs))
    yield Page("drift", CAPTION.format(places(runs)), SIZE, numbers, draw, (runs,), runs=runs, obstacle=reason)


def numbers(runs: Runs) -> Numbers:
    """Median over the runs of POIS within the last third minus POIS within the first, NaN without runs."""
    within = within_thirds(runs)
    (drift,) = quantiles(within[..., 2] - within[..., 0], [0.5])
    return {**axes_of(runs, *runs.axes), "drift": drift, "runs": runs.counts}


def draw(ax: Axes, runs: Runs) -> Axes:
    """Colour: POIS within the last third minus POIS within the first; a sign where the drift is large enough."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    mosaic = Mosaic(runs)
    drift = mosaic.arrange(numbers(runs)["drift"])
    mosaic.draw(ax, (drift / WIDEST + 1) / 2, colormaps[COLOURS])
    for sign, marker in ((1, "+"), (-1, "_")):
        seen = sign * drift >= SMALLEST_SIGNED
        ax.plot(mosaic.x[seen] + 0.5, mosaic.y[seen] + 0.5, marker, ls="", color="black", ms=2.2, mew=thin())
    scale = ScalarMappable(Normalize(-WIDEST, WIDEST), colormaps[COLOURS])
    draw_scale(ax, scale, LABEL.format(SMALLEST_SIGNED), extend="both")
    return ax
