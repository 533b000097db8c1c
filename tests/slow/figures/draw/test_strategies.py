import pytest

from debox.figures.data.strategies import Strategies
from debox.figures.data.strategy import Graph
from debox.figures.draw.strategies import draw_page
from debox.figures.draw.style import empty_figure, in_style


@pytest.mark.parametrize(("count", "columns", "places"), [(1, 2, 2), (4, 2, 4), (5, 4, 8), (13, 4, 16)])
def test_graphs_fill_rows_and_places_that_are_left_stay_empty(count, columns, places):
    record = Strategies(tuple(Graph(f"{k}", 0.0, 1.0, (-1.0, 2.0), (((-1.0, 0.0), (2.0, 1.0)),)) for k in range(count)))
    with in_style("paper"):
        figure = empty_figure((7, 7))
        draw_page(figure, record)
        figure.draw_without_rendering()
    assert [ax.get_title() for ax in figure.axes] == [f"{k}" for k in range(count)] + [""] * (places - count)
    assert [ax.axison for ax in figure.axes] == [True] * count + [False] * (places - count)
    assert len({round(ax.get_position().x0, 3) for ax in figure.axes}) == columns
