import numpy as np
import pytest
from matplotlib.collections import QuadMesh

from debox.figures.data.drift import Drift
from debox.figures.draw.drift import WIDEST, draw_in, drift_colour
from debox.figures.draw.style import empty_figure, in_style

RECORD = Drift((("rand/1", 5),), (("bin", "mirror"),), (0.5, 1.5), (0.2, 0.9), (((0.5, -0.1, 0.0, np.nan),),), 9)


def test_a_drift_that_can_be_seen_has_its_sign_over_its_colour(layered):
    with in_style("paper"):
        figure = empty_figure((4, 5))
        ax = draw_in(figure.add_subplot(), RECORD)
    plus, minus = ax.lines
    assert layered(ax, ax.collections[0], plus)
    assert layered(ax, ax.collections[0], minus)
    assert (plus.get_marker(), plus.get_xydata().tolist()) == ("+", [[0.5, -1.5]])
    assert (minus.get_marker(), minus.get_xydata().tolist()) == ("_", [[1.5, -1.5]])


def test_up_and_down_have_colours_of_two_sides_and_none_is_nearly_white():
    up, none, down = (np.array(drift_colour(value)[:3]) for value in (WIDEST, 0.0, -WIDEST))
    assert up[2] > up[1]  # purple
    assert down[0] > down[2]  # orange
    assert none.min() > 0.9
    assert drift_colour(2 * WIDEST) == drift_colour(WIDEST)
    assert drift_colour(np.nan) is None


@pytest.mark.parametrize("record", [RECORD, Drift((), (), (), (), (), 0)], ids=["some", "nothing"])
def test_the_page_of_drifts_has_a_scale(record):
    with in_style("screen"):
        figure = empty_figure((7, 7), "screen")
        draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    scale = figure.axes[1]
    assert "last third" in scale.get_xlabel()
    (solids,) = (artist for artist in scale.collections if isinstance(artist, QuadMesh))
    inside = [tick for tick in scale.get_xticks() if abs(tick) <= WIDEST]
    assert [tuple(rgba) for rgba in solids.to_rgba(inside)] == [pytest.approx(drift_colour(tick)) for tick in inside]
    assert len(inside) > 2
