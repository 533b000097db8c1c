import pytest

from debox.figures.draw.panel_grid import panel_grid
from debox.figures.draw.style import empty_figure, in_style


def test_the_grid_fills_the_figure_between_its_edges():
    with in_style("paper"):
        axes = panel_grid(empty_figure((10, 8)), 2, 3, (1.0, 0.5, 0.6, 0.4), (0.25, 1.0))
    boxes = [[ax.get_position() for ax in row] for row in axes]
    assert boxes[0][0].x0 * 10 == pytest.approx(1)
    assert boxes[0][2].x1 * 10 == pytest.approx(9.5)
    assert boxes[0][0].y1 * 8 == pytest.approx(7.6)
    assert boxes[1][0].y0 * 8 == pytest.approx(0.6)
    assert [box.width * 10 for row in boxes for box in row] == pytest.approx([8 / 3] * 6)  # (10 − 1.5 − 2·0.25)/3
    assert (boxes[0][0].y0 - boxes[1][0].y1) * 8 == pytest.approx(1)


def test_edges_grow_with_the_letters():
    with in_style("screen"):
        ((ax,),) = panel_grid(empty_figure((5, 5), "screen"), 1, 1, (1.0, 0, 0, 0), (0, 0))
        assert ax.get_position().x0 * ax.figure.get_figwidth() == pytest.approx(10 / 7)
