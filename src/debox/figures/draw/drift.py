"""The drift of POIS drawn with matplotlib: all configurations on one page."""

from __future__ import annotations

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from debox.figures.data.drift import Drift
from debox.figures.draw.mosaic import Colour, cells, draw_mosaic, draw_scale
from debox.figures.draw.style import thin

WIDEST = 0.3  # the drift with the deepest colour
COLOURS = colormaps["PuOr"]  # orange: leaves the box less and less; purple: more and more; safe for the colour-blind
SMALLEST_SIGNED = 0.02  # a smaller drift has no sign


def draw_in(ax: Axes, record: Drift) -> Axes:
    """Colour: POIS within the last third minus POIS within the first; a sign where the drift is large enough."""
    draw_mosaic(ax, record, drift_colour)
    for sign, marker in ((1, "+"), (-1, "_")):
        places = [place for place, value in cells(record) if sign * value >= SMALLEST_SIGNED]
        x, y = [x + 0.5 for x, _ in places], [y + 0.5 for _, y in places]
        ax.plot(x, y, marker, ls="", color="black", ms=2.2, mew=thin())
    colours = ScalarMappable(Normalize(-WIDEST, WIDEST), COLOURS)
    label = f"POIS within the last third − POIS within the first, median over runs (+, −: {SMALLEST_SIGNED} and more)"
    draw_scale(ax, colours, label, extend="both")
    return ax


def drift_colour(value: float) -> Colour | None:
    """The colour of a drift; none where no run is."""
    return None if value != value else COLOURS((value / WIDEST + 1) / 2)
