import numpy as np
import pytest

from debox.analysis.runs import Panel
from debox.figures.data.contours import LEVELS, Contours, Map
from debox.figures.draw.contours import BANDS, draw_page
from debox.figures.draw.style import empty_figure, in_style

PANEL = Panel("rand/1", "exp", "mirror", 5)
F, CR = (0.5, 1.0, 1.5), (0.2, 0.9)


def record(median, F=F, Cr=CR):
    return Contours("rand/1", ((Map(PANEL, F, Cr, median),),))


@pytest.mark.parametrize(
    "made",
    [
        record(((0.4,),), F=(0.7,), Cr=(0.5,)),
        record(((0.4, 0.6),), F=(0.7,)),
        record(((0.4, np.nan), (np.nan, np.nan)), F=(0.7, 0.8)),
        Contours("rand/1", ()),
    ],
    ids=["one cell", "one F", "one of four cells", "nothing"],
)
def test_little_or_nothing_is_drawn_without_a_warning(made):
    with in_style("screen"):
        figure = empty_figure((7, 7), "screen")
        draw_page(figure, made)
        figure.draw_without_rendering()
    assert len(figure.legends[0].get_texts()) == len(LEVELS) + len(BANDS)
