import matplotlib
import pytest
from matplotlib.colors import to_rgb

from debox.figures.draw.style import COLOURS, STYLES, empty_figure, free_area, in_style, legend_below


def test_the_colours_are_those_of_spec_4():
    rgb = {name: tuple(round(255 * part) for part in to_rgb(colour)) for name, colour in COLOURS.items()}
    assert rgb == {"teal": (99, 172, 190), "orange": (238, 68, 47), "violet": (96, 26, 47)}


def test_the_colours_differ_in_grey():
    red, green, blue = 0.299, 0.587, 0.114
    greys = sorted(red * r + green * g + blue * b for r, g, b in map(to_rgb, COLOURS.values()))
    assert greys[1] - greys[0] > 0.2
    assert greys[2] - greys[1] > 0.1


def test_a_style_holds_within_and_leaves_no_trace():
    before = dict(matplotlib.rcParams)
    with matplotlib.rc_context({"font.size": 33, "lines.linewidth": 9}):
        with in_style("paper"):
            assert matplotlib.rcParams["font.size"] == 7
            assert matplotlib.rcParams["lines.linewidth"] == 1
        assert matplotlib.rcParams["font.size"] == 33
    assert dict(matplotlib.rcParams) == before


def test_screen_figures_are_larger_by_as_much_as_their_letters():
    settings, enlargement = STYLES["screen"]
    assert settings["font.size"] / STYLES["paper"][0]["font.size"] == pytest.approx(enlargement, rel=0.05)
    assert tuple(empty_figure((2, 3), "screen").get_size_inches()) == pytest.approx((2 * enlargement, 3 * enlargement))


def test_an_unknown_style_is_named():
    with pytest.raises(ValueError, match="style must be one of paper, screen, got 'neon'"), in_style("neon"):
        pass


@pytest.mark.parametrize("style", ["paper", "screen"])
def test_axes_key_and_footer_lie_above_each_other(style):
    with in_style(style):
        figure = empty_figure((3, 3), style, "a footer")
        ax = figure.add_subplot()
        ax.set(xlabel="a label\nof two lines")
        legend_below(figure, ax.plot([0, 1], [0, 1], label="a line"), 1)
        figure.draw_without_rendering()
        footer, key = figure.texts[0].get_window_extent(), figure.legends[0].get_window_extent()
        assert 0 <= footer.y0 < footer.y1 <= key.y0 < key.y1 <= ax.get_tightbbox().y0
        assert free_area(figure)[1] == pytest.approx(key.y1 / figure.bbox.height)


def test_a_footer_that_is_too_long_for_a_line_is_divided_between_facts():
    facts = "adaptive: n = 10, budget 100 000, 10 runs, donors = distinct, adaptation = L-SHADE, F and Cr at the start"
    with in_style("paper"):
        narrow, wide = (empty_figure((width, 4), footer=facts) for width in (3.5, 7.2))
    assert wide.texts[0].get_text() == facts
    assert narrow.texts[0].get_text().replace("\n", " ") == facts
    for figure in (narrow, wide):
        shown = figure.texts[0].get_window_extent()
        assert shown.x0 > 0
        assert 0 < shown.y0 < shown.y1 < free_area(figure)[1] * figure.bbox.height
