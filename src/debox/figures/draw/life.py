"""A run's life in ink: stairs of POIS within each third, a line for POIS so far; and its drift, all on one page."""

from __future__ import annotations

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.figures.data.life import Cell, LifePanel
from debox.figures.data.mosaic import Mosaic
from debox.figures.draw.mosaic import Colour, cells, mosaic, scale
from debox.figures.draw.style import BLUE, TEAL, VIOLET, legend_below, thin, titled
from debox.figures.draw.tiles import GAP, Tiles

THIRDS = ((0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.0))
WIDEST = 0.3  # the drift with the deepest colour
DRIFT = colormaps["PuOr"]  # orange: leaves the box less and less; purple: more and more; safe for the colour-blind
SEEN = 0.02  # a smaller drift has no sign


def panel(figure: Figure, record: LifePanel) -> None:
    """One panel with its key."""
    life_panel(figure.add_subplot(), record)
    legend_below(figure, key(), 3)


def life_panel(ax: Axes, record: LifePanel) -> Axes:
    """Rectangles at their place (Cr to the right, F upward); in each, the run from left to right and POIS upward."""
    tiles = Tiles(len(record.Cr), len(record.F), (0, 1), (-0.06, 1.06))
    width = max(len(record.Cr), 1)
    places = [(k % width, len(record.F) - 1 - k // width, cell) for k, cell in enumerate(record.cells)]
    lives = [(column, row, cell) for column, row, cell in places if cell.runs]
    bands = [tile for column, row, cell in lives for tile in spread(tiles, column, row, cell)]
    stairs = [step for column, row, cell in lives for step in steps(tiles, column, row, cell)]
    so_far = [points(tiles, column, row, (1 / 3, 2 / 3, 1), cell.so_far) for column, row, cell in lives]
    ax.add_collection(PolyCollection(bands, facecolors=TEAL, linewidths=0, alpha=0.6))
    ax.add_collection(LineCollection(stairs, colors=VIOLET, linewidths=2 * thin()))
    ax.add_collection(LineCollection(so_far, colors=BLUE, linewidths=1.2 * thin(), linestyles=[(0, (1, 1))]))
    tiles.crosses(ax, [(column, row) for column, row, cell in places if not cell.runs])
    tiles.outline(ax)
    name(ax, record)
    return ax


def points(tiles: Tiles, column: int, row: int, x: tuple[float, ...], y: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Points of a tile in the coordinates of the Axes."""
    return list(zip(*(values.tolist() for values in tiles.at(column, row, x, y)), strict=True))


def spread(tiles: Tiles, column: int, row: int, cell: Cell) -> list[list[tuple[float, ...]]]:
    """Per third, a rectangle from the 5 % to the 95 % quantile."""
    return [
        points(tiles, column, row, (left, right, right, left), (low, low, high, high))
        for (left, right), low, high in zip(THIRDS, cell.low, cell.high, strict=True)
    ]


def steps(tiles: Tiles, column: int, row: int, cell: Cell) -> list[list[tuple[float, ...]]]:
    """Per third, a line at the median."""
    return [points(tiles, column, row, third, (y, y)) for third, y in zip(THIRDS, cell.within, strict=True)]


def name(ax: Axes, record: LifePanel) -> None:
    """F and Cr of each row and column, outside; nothing inside."""
    ax.set_xticks([k + (1 - GAP) / 2 for k in range(len(record.Cr))], [f"{Cr:g}" for Cr in record.Cr])
    ax.set_yticks([k + (1 - GAP) / 2 for k in range(len(record.F))], [f"{F:g}" for F in record.F])
    ax.tick_params(length=0, pad=1)
    ax.set(ylabel="F")
    ax.set_xlabel("Cr (in each rectangle: time →, POIS 0 to 1 ↑)", size="small")
    ax.set_title(titled(record.title, record.note))


def key() -> list[Line2D | Patch]:
    """What the lines and rectangles are."""
    return [
        Line2D([], [], color=VIOLET, lw=2 * thin(), label="median in a third"),
        Patch(color=TEAL, alpha=0.6, lw=0, label="5–95 % of runs"),
        Line2D([], [], color=BLUE, lw=1.2 * thin(), ls=(0, (1, 1)), label="median so far"),
    ]


def drift(figure: Figure, record: Mosaic[float]) -> None:
    """The drift of all configurations."""
    drift_in(figure.add_subplot(), record)


def drift_in(ax: Axes, record: Mosaic[float]) -> Axes:
    """Colour: POIS within the last third minus POIS within the first; a sign where it can be seen."""
    mosaic(ax, record, drift_colour)
    for sign, marker in ((1, "+"), (-1, "_")):
        seen = [place for place, value in cells(record) if sign * value >= SEEN]
        x, y = [x + 0.5 for x, _ in seen], [y + 0.5 for _, y in seen]
        ax.plot(x, y, marker, ls="", color="black", ms=2.2, mew=thin())
    colours = ScalarMappable(Normalize(-WIDEST, WIDEST), DRIFT)
    label = f"POIS within the last third − POIS within the first, median over runs (+, −: {SEEN} and more)"
    scale(ax, colours, label, extend="both")
    return ax


def drift_colour(value: float) -> Colour | None:
    """The colour of a drift; none where no run is."""
    return None if value != value else DRIFT((value / WIDEST + 1) / 2)
