from dataclasses import replace

import numpy as np
import pytest

from debox.analysis.factors import Share
from debox.figures.data.factor_interaction import Interaction
from debox.figures.draw.factor_interaction import draw_lines, draw_map, draw_page
from debox.figures.draw.style import empty_figure, in_style

PAIR = Interaction(
    *("mean POIS", "crossover", "Cr", ("bin", "exp"), ("0.1", "0.5", "0.9")),
    means=((0.5, 0.6, 0.7), (0.1, 0.4, 0.7)),
    additive=((0.45, 0.65, 0.7), (0.15, 0.35, 0.7)),
    share=Share(0.05, 0.04, 0.06),
)


def drawn(into, record):
    with in_style("paper"):
        figure = empty_figure((5, 4))
        ax = into(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def test_an_interaction_s_lines_are_means_and_dotted_ones_what_is_additive():
    ax = drawn(draw_lines, PAIR)
    solid, dotted = ([line for line in ax.lines if line.get_linestyle() == style] for style in ("-", ":"))
    assert [tuple(line.get_ydata()) for line in solid] == list(PAIR.means)
    assert [tuple(line.get_ydata()) for line in dotted] == list(PAIR.additive)
    assert [line.get_color().tolist() for line in solid] == [line.get_color().tolist() for line in dotted]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["crossover bin", "crossover exp"]


def test_the_map_shows_and_writes_what_the_interaction_adds():
    ax = drawn(draw_map, PAIR)
    assert np.array(ax.images[0].get_array()) == pytest.approx(np.array(PAIR.component))
    assert ax.images[0].get_clim() == pytest.approx((-0.05, 0.05))  # nothing is white
    assert [text.get_text() for text in ax.texts] == ["+0.050", "-0.050", "+0.000", "-0.050", "+0.050", "+0.000"]
    assert ax.get_title() == "crossover × Cr adds (5.0 % [4.0, 6.0] of the variance)"


def test_numbers_grow_upward_on_the_map_and_names_are_read_downward():
    numbers = replace(PAIR, first="F", first_levels=("0.4", "0.8"))
    assert not drawn(draw_map, numbers).yaxis_inverted()
    assert drawn(draw_map, PAIR).yaxis_inverted()


def test_many_levels_stand_upright():
    levels = tuple(f"{k / 10:g}" for k in range(10))
    flat = ((0.5,) * 10,) * 2
    many = Interaction("mean POIS", "crossover", "F", ("bin", "exp"), levels, flat, flat, PAIR.share)
    assert {label.get_rotation() for label in drawn(draw_map, many).get_xticklabels()} == {90}
    assert {label.get_rotation() for label in drawn(draw_map, PAIR).get_xticklabels()} == {0}


def test_the_page_has_both_and_says_what_the_lines_are():
    with in_style("screen"):
        figure = empty_figure((7, 3), "screen")
        draw_page(figure, PAIR)
        figure.draw_without_rendering()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mean", "additive"]
    assert [len(ax.images) for ax in figure.axes] == [0, 1]
