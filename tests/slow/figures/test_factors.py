"""The ink of figures of factors."""

from itertools import pairwise, product

import numpy as np
import pytest
from drawings import ink, whole
from matplotlib.colors import to_hex

from debox.analysis.runs import Runs
from debox.figures import factor_interaction, factor_shares

COLUMNS = {  # two factors, and one of which the shares are not known
    "factor": ["F", "N", "Cr"], "levels": [10, 3, 2],
    "first": [0.6, -0.01, np.nan], "first_low": [0.5, -0.02, -np.inf], "first_high": [0.7, 0.01, np.inf],
    "total": [0.8, 0.2, 0.5], "total_low": [0.75, 0.1, -np.inf], "total_high": [0.85, 0.3, np.inf],
    "shapley": [0.7, 0.3, 0.4], "shapley_low": [0.6, 0.2, np.nan], "shapley_high": [0.8, 0.4, 0.5],
}  # fmt: skip


@pytest.fixture
def bars(monkeypatch):
    numbers = {name: np.array(column) for name, column in COLUMNS.items()}
    monkeypatch.setattr(factor_shares, "numbers", lambda runs: numbers)
    return ink(factor_shares.draw, None)


def test_bars_have_the_length_of_their_share_and_the_colour_of_their_kind(bars):
    assert [bar.get_width() for bar in bars.patches] == pytest.approx([60, -1, 0, 80, 20, 50, 70, 30, 40])
    assert [to_hex(bar.get_facecolor()) for bar in bars.patches[::3]] == list(factor_shares.COLOURS.values())
    assert [label.get_text() for label in bars.get_yticklabels()] == ["F (10)", "N (3)", "Cr (2)"]


def test_the_first_factor_is_on_top_and_its_bars_do_not_overlap(bars):
    assert bars.yaxis_inverted()
    spans = sorted((bar.get_y(), bar.get_y() + bar.get_height()) for bar in bars.patches)
    assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans))


def test_intervals_are_drawn_over_the_bars_and_what_is_unknown_has_a_word(bars, layered):
    lines = [line for line in bars.lines if line.get_marker() == "|"]
    assert [line.get_xdata().tolist() for line in lines[:2]] == [pytest.approx([50, 70]), pytest.approx([-2, 1])]
    known = [bar for k, bar in enumerate(bars.patches) if k % 3 < 2]
    middles = [bar.get_y() + bar.get_height() / 2 for bar in known]
    assert [line.get_ydata()[0] for line in lines] == pytest.approx(middles)
    assert layered(bars, bars.patches[0], lines[0])
    texts = [text.get_text().strip() for text in bars.texts]
    assert texts == ["60.0", "-1.0", "unknown", "80.0", "20.0", "unknown", "70.0", "30.0", "unknown"]
    assert [text.get_position()[0] for text in bars.texts[:6]] == pytest.approx([70, 1, 0, 85, 30, 50])


def test_the_page_says_what_the_bars_are(made):
    cells = {(F, Cr): [F * Cr / 4, F / 4, F / 5] for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.9)}
    (page,) = factor_shares.pages(Runs.of(made(cells)))
    figure = whole(page)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["alone", "with interactions", "Shapley"]


MEAN = np.array([[0.5, 0.6, 0.7], [0.1, 0.4, 0.7]])
ADDITIVE = np.array([[0.45, 0.65, 0.7], [0.15, 0.35, 0.7]])


def test_lines_are_means_and_dotted_ones_what_is_additive():
    ax = ink(lambda ax: factor_interaction.draw_lines(ax, MEAN, ADDITIVE, ["crossover bin", "crossover exp"]) or ax)
    solid, dotted = ([line for line in ax.lines if line.get_linestyle() == style] for style in ("-", ":"))
    assert [line.get_ydata().tolist() for line in solid] == MEAN.tolist()
    assert [line.get_ydata().tolist() for line in dotted] == ADDITIVE.tolist()
    assert [line.get_color().tolist() for line in solid] == [line.get_color().tolist() for line in dotted]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["crossover bin", "crossover exp"]


def test_the_map_shows_and_writes_what_the_interaction_adds():
    ax = ink(lambda ax: factor_interaction.draw_map(ax, MEAN - ADDITIVE) or ax)
    assert np.array(ax.images[0].get_array()) == pytest.approx(MEAN - ADDITIVE)
    assert ax.images[0].get_clim() == pytest.approx((-0.05, 0.05))  # nothing is white
    assert [text.get_text() for text in ax.texts] == ["+0.050", "-0.050", "+0.000", "-0.050", "+0.050", "+0.000"]
    colours = [text.get_color() for text in ax.texts]
    assert colours == ["white", "white", "black", "white", "white", "black"]


@pytest.fixture
def page_of(made):
    """page_of("crossover", …): the figure of a study of this factor and six or ten F, which interact."""

    def make(strategies=("mirror", "saturation"), Ns=(5,), Fs=6):
        cells = {}
        for s, N, k in product(strategies, Ns, range(1, Fs + 1)):
            steep = s == strategies[0] or N == 5
            cells[("rand/1", "exp", s, N, k / 5, 0.5)] = [k / 50 * (1 + steep)] * 3
        (page,) = factor_interaction.pages(Runs.of(made(cells)))
        return whole(page)

    return make


def test_the_page_has_both_and_names_levels_upright_where_they_are_many(page_of):
    lines, shades = page_of(Fs=7).axes
    assert [len(ax.images) for ax in (lines, shades)] == [0, 1]
    assert lines.get_ylabel() == "mean POIS"
    for ax in (lines, shades):
        assert {label.get_rotation() for label in ax.get_xticklabels()} == {90}
        assert [label.get_text() for label in ax.get_xticklabels()][:2] == ["0.2", "0.4"]
        assert ax.get_xlabel() == "F"
    assert [label.get_text() for label in shades.get_yticklabels()] == ["mirr", "sat"]
    assert shades.get_ylabel() == "strategy"
    assert shades.get_title().startswith("strategy × F adds (")
    figure = page_of(Fs=6)
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {0}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mean", "additive"]


def test_numbers_grow_upward_on_the_map_and_names_are_read_downward(page_of):
    assert page_of().axes[1].yaxis_inverted()
    assert not page_of(strategies=("mirror",), Ns=(5, 20)).axes[1].yaxis_inverted()
