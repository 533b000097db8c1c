from itertools import pairwise
from math import inf, nan

import pytest
from matplotlib.colors import to_hex

from debox.analysis.factors import Share
from debox.figures.data.factor_shares import FactorShares, OneFactor
from debox.figures.draw.factor_shares import COLOURS, draw_in, draw_page
from debox.figures.draw.style import empty_figure, in_style

SHARES = FactorShares(
    "mean POIS",
    (
        OneFactor("F", 10, Share(0.6, 0.5, 0.7), Share(0.8, 0.75, 0.85), Share(0.7, 0.6, 0.8)),
        OneFactor("N", 3, Share(-0.01, -0.02, 0.01), Share(0.2, 0.1, 0.3), Share(0.3, 0.2, 0.4)),
    ),
)


def drawn(record):
    with in_style("paper"):
        figure = empty_figure((5, 4))
        ax = draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def test_bars_have_the_length_of_their_share_and_the_colour_of_their_kind():
    ax = drawn(SHARES)
    lengths = [bar.get_width() for bar in ax.patches]
    assert lengths == pytest.approx([60, -1, 80, 20, 70, 30])
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches[::2]] == list(COLOURS.values())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["F (10)", "N (3)"]


def test_the_first_factor_is_on_top_and_its_bars_do_not_overlap():
    ax = drawn(SHARES)
    assert ax.yaxis_inverted()
    spans = sorted((bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches)
    assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans))


def test_intervals_are_drawn_over_the_bars_from_low_to_high(layered):
    ax = drawn(SHARES)
    lines = [line for line in ax.lines if line.get_marker() == "|"]
    assert [line.get_xdata().tolist() for line in lines[:2]] == [pytest.approx([50, 70]), pytest.approx([-2, 1])]
    assert [line.get_ydata()[0] for line in lines] == pytest.approx(
        [p.get_y() + p.get_height() / 2 for p in ax.patches]
    )
    assert layered(ax, ax.patches[0], lines[0])


def test_what_is_unknown_is_said_and_has_no_interval():
    unknown = Share(nan, -inf, inf)
    ax = drawn(FactorShares("mean POIS", (OneFactor("F", 2, unknown, Share(0.5, -inf, inf), unknown),)))
    assert [text.get_text().strip() for text in ax.texts] == ["unknown"] * 3
    assert not [line for line in ax.lines if line.get_marker() == "|"]


def test_the_page_says_what_the_bars_are():
    with in_style("screen"):
        figure = empty_figure((7, 3), "screen")
        draw_page(figure, SHARES)
        figure.draw_without_rendering()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["alone", "with interactions", "Shapley"]
