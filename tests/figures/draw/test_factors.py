from itertools import pairwise
from math import inf, nan

import numpy as np
import pytest
from matplotlib.colors import to_hex

from debox.analysis.factors.result import Share
from debox.figures.data.factors import FactorShares, Interaction, Shares
from debox.figures.draw.factors import COLOURS, interaction, lines_in, map_in, shares, shares_in
from debox.figures.draw.style import empty_figure, in_style

SHARES = Shares(
    "mean POIS",
    (
        FactorShares("F", 10, Share(0.6, 0.5, 0.7), Share(0.8, 0.75, 0.85), Share(0.7, 0.6, 0.8)),
        FactorShares("N", 3, Share(-0.01, -0.02, 0.01), Share(0.2, 0.1, 0.3), Share(0.3, 0.2, 0.4)),
    ),
)
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


def test_bars_have_the_length_of_their_share_and_the_colour_of_their_kind():
    ax = drawn(shares_in, SHARES)
    lengths = [bar.get_width() for bar in ax.patches]
    assert lengths == pytest.approx([60, -1, 80, 20, 70, 30])
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches[::2]] == list(COLOURS.values())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["F (10)", "N (3)"]


def test_the_first_factor_is_on_top_and_its_bars_do_not_overlap():
    ax = drawn(shares_in, SHARES)
    assert ax.yaxis_inverted()
    spans = sorted((bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches)
    assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans))


def test_intervals_are_drawn_over_the_bars_from_low_to_high(layered):
    ax = drawn(shares_in, SHARES)
    lines = [line for line in ax.lines if line.get_marker() == "|"]
    assert [line.get_xdata().tolist() for line in lines[:2]] == [pytest.approx([50, 70]), pytest.approx([-2, 1])]
    assert [line.get_ydata()[0] for line in lines] == pytest.approx(
        [p.get_y() + p.get_height() / 2 for p in ax.patches]
    )
    assert layered(ax, ax.patches[0], lines[0])


def test_what_is_unknown_is_said_and_has_no_interval():
    unknown = Share(nan, -inf, inf)
    ax = drawn(shares_in, Shares("mean POIS", (FactorShares("F", 2, unknown, Share(0.5, -inf, inf), unknown),)))
    assert [text.get_text().strip() for text in ax.texts] == ["unknown"] * 3
    assert not [line for line in ax.lines if line.get_marker() == "|"]


def test_an_interaction_s_lines_are_means_and_dotted_ones_what_is_additive():
    ax = drawn(lines_in, PAIR)
    solid, dotted = ([line for line in ax.lines if line.get_linestyle() == style] for style in ("-", ":"))
    assert [tuple(line.get_ydata()) for line in solid] == list(PAIR.means)
    assert [tuple(line.get_ydata()) for line in dotted] == list(PAIR.additive)
    assert [line.get_color().tolist() for line in solid] == [line.get_color().tolist() for line in dotted]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["crossover bin", "crossover exp"]


def test_the_map_shows_and_writes_what_the_interaction_adds():
    ax = drawn(map_in, PAIR)
    assert np.array(ax.images[0].get_array()) == pytest.approx(np.array(PAIR.component))
    assert ax.images[0].get_clim() == pytest.approx((-0.05, 0.05))  # nothing is white
    assert [text.get_text() for text in ax.texts] == ["+0.050", "-0.050", "+0.000", "-0.050", "+0.050", "+0.000"]
    assert ax.get_title() == "crossover × Cr adds (5.0 % [4.0, 6.0] of the variance)"


def test_many_levels_stand_upright():
    levels = tuple(f"{k / 10:g}" for k in range(10))
    flat = ((0.5,) * 10,) * 2
    many = Interaction("mean POIS", "crossover", "F", ("bin", "exp"), levels, flat, flat, PAIR.share)
    assert {label.get_rotation() for label in drawn(map_in, many).get_xticklabels()} == {90}
    assert {label.get_rotation() for label in drawn(map_in, PAIR).get_xticklabels()} == {0}


def test_whole_figures_have_a_key():
    for draw, record, names in ((shares, SHARES, 3), (interaction, PAIR, 2)):
        with in_style("screen"):
            figure = empty_figure((7, 3), "screen")
            draw(figure, record)
            figure.draw_without_rendering()
        assert len(figure.legends[0].get_texts()) == names
