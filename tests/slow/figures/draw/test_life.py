import numpy as np
import pytest
from matplotlib.colors import to_rgba

from debox.figures.data.life import Cell, LifePanel
from debox.figures.draw.life import draw_in, draw_page, stairs_and_bands
from debox.figures.draw.style import empty_figure, in_style
from debox.figures.draw.tiles import Tiles

LIVED = Cell(0.5, 0.2, 9, (0.6, 0.5, 0.4), (0.1, 0.1, 0.1), (0.6, 0.4, 0.2), (0.9, 0.8, 0.7))
RECORD = LifePanel("DE/rand/1/exp sat, N=5", 9, (0.5, 1.5), (0.2,), (LIVED, Cell(1.5, 0.2)))
TILES = Tiles(1, 2, (0, 1), (-0.06, 1.06))


def drawn(record):
    with in_style("paper"):
        figure = empty_figure((4, 5))
        ax = draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def vertices(collection):
    return [path.vertices for path in collection.get_paths()]


def test_stairs_are_the_medians_within_the_thirds_at_the_cell_s_place():
    stairs = vertices(drawn(RECORD).collections[1])
    expected = [
        np.column_stack(TILES.at(0, 1, [k / 3, (k + 1) / 3], [y, y])) for k, y in enumerate((0.6, 0.4, 0.2))
    ]  # F = 0.5 is the lower row
    assert len(stairs) == 3
    assert all(one == pytest.approx(other) for one, other in zip(stairs, expected, strict=True))


def test_the_band_of_a_third_reaches_from_low_to_high():
    bands = [(band[:, 1].min(), band[:, 1].max()) for band in vertices(drawn(RECORD).collections[0])]
    edges = [tuple(TILES.at(0, 1, 0, [0.1, high])[1]) for high in (0.9, 0.8, 0.7)]
    assert bands == [pytest.approx(edge) for edge in edges]


def test_pois_so_far_stands_at_the_ends_of_the_thirds():
    (line,) = vertices(drawn(RECORD).collections[2])
    assert line == pytest.approx(np.column_stack(TILES.at(0, 1, [1 / 3, 2 / 3, 1], [0.6, 0.5, 0.4])))


def test_the_key_has_the_looks_of_what_is_drawn():
    bands, stairs, so_far = drawn(RECORD).collections[:3]
    with in_style("paper"):
        median, spread, until_then = stairs_and_bands()
    assert [one.get_label() for one in (median, spread, until_then)] == [
        "median in a third",
        "5–95 % of runs",
        "median so far",
    ]
    assert to_rgba(spread.get_facecolor()) == tuple(bands.get_facecolors()[0])
    assert spread.get_alpha() > 0.3
    assert to_rgba(median.get_color()) == tuple(stairs.get_colors()[0])
    assert to_rgba(until_then.get_color()) == tuple(so_far.get_colors()[0])


def test_stairs_are_drawn_over_the_bands_and_pois_so_far_over_the_stairs(layered):
    ax = drawn(RECORD)
    bands, stairs, so_far, _, frames = ax.collections
    assert layered(ax, bands, stairs, so_far, frames)


def test_a_cell_without_runs_is_crossed_out():
    crosses = vertices(drawn(RECORD).collections[3])
    assert crosses[0] == pytest.approx(np.column_stack(TILES.at(0, 0, [0, 1], [-0.06, 1.06])))
    assert len(crosses) == 2
    assert drawn(RECORD).get_title() == "DE/rand/1/exp sat, N=5 (0 to 9 of 9 runs)"


@pytest.mark.parametrize("record", [RECORD, LifePanel("", 0, (), (), ())], ids=["some", "nothing"])
def test_a_panel_has_its_key(record):
    with in_style("screen"):
        figure = empty_figure((4, 5), "screen")
        draw_page(figure, record)
        figure.draw_without_rendering()
    assert len(figure.legends[0].get_texts()) == 3
