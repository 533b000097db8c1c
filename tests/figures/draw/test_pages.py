import pytest

from debox.figures.data.edpois import Cell, EdpoisPanel
from debox.figures.data.pages import Page
from debox.figures.draw.pages import atlas_page, grid
from debox.figures.draw.style import empty_figure, in_style


def test_the_grid_fills_the_figure_between_its_edges():
    with in_style("paper"):
        axes = grid(empty_figure((10, 8)), 2, 3, (1.0, 0.5, 0.6, 0.4), (0.25, 1.0))
    boxes = [[ax.get_position() for ax in row] for row in axes]
    assert boxes[0][0].x0 * 10 == pytest.approx(1)
    assert boxes[0][2].x1 * 10 == pytest.approx(9.5)
    assert boxes[0][0].y1 * 8 == pytest.approx(7.6)
    assert boxes[1][0].y0 * 8 == pytest.approx(0.6)
    assert [box.width * 10 for row in boxes for box in row] == pytest.approx([8 / 3] * 6)  # (10 − 1.5 − 2·0.25)/3
    assert (boxes[0][0].y0 - boxes[1][0].y1) * 8 == pytest.approx(1)


def test_edges_grow_with_the_letters():
    with in_style("screen"):
        ((ax,),) = grid(empty_figure((5, 5), "screen"), 1, 1, (1.0, 0, 0, 0), (0, 0))
        assert ax.get_position().x0 * ax.figure.get_figwidth() == pytest.approx(10 / 7)


@pytest.mark.parametrize("style", ["paper", "screen"])
def test_an_atlas_page_has_a_key_and_a_footer_that_cover_nothing(style):
    record = EdpoisPanel("", 9, (0.5,), (0.2,), (Cell(0.5, 0.2),))
    with in_style(style):
        figure = empty_figure((7.2, 9.7), style, "a footer")
        atlas_page(figure, Page("", ((record, record), (record, record))))
        figure.draw_without_rendering()
        legend, footer = figure.legends[0].get_window_extent(), figure.texts[0].get_window_extent()
        lowest = min(ax.get_tightbbox().y0 for ax in figure.axes)
    assert len(figure.legends[0].get_texts()) == 5
    assert 0 <= footer.y0 < footer.y1 <= legend.y0 < legend.y1 <= lowest
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
