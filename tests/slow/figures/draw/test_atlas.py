import pytest

from debox.figures.data.atlas import AtlasPage
from debox.figures.data.edpois import Cell, EdpoisPanel
from debox.figures.draw.atlas import draw_page
from debox.figures.draw.style import empty_figure, in_style


@pytest.mark.parametrize("style", ["paper", "screen"])
def test_an_atlas_page_has_a_key_and_a_footer_that_cover_nothing(style):
    record = EdpoisPanel("", 9, (0.5,), (0.2,), (Cell(0.5, 0.2),))
    with in_style(style):
        figure = empty_figure((7.2, 9.7), style, "a footer")
        draw_page(figure, AtlasPage("", ((record, record), (record, record))))
        figure.draw_without_rendering()
        legend, footer = figure.legends[0].get_window_extent(), figure.texts[0].get_window_extent()
        lowest = min(ax.get_tightbbox().y0 for ax in figure.axes)
    assert len(figure.legends[0].get_texts()) == 5
    assert 0 <= footer.y0 < footer.y1 <= legend.y0 < legend.y1 <= lowest
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
