import pytest
from matplotlib.colors import to_rgba
from results import RESULT

from debox.figures.data.walls import Row, Side, Walls, walls
from debox.figures.draw.style import empty_figure, in_style
from debox.figures.draw.walls import LOUD, OUTSIDE, draw_in, draw_page, key

RECORD = walls(RESULT)


def drawn(record=RECORD):
    with in_style("paper"):
        figure = empty_figure(record.size)
        ax = draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def extents(collection):
    return [tuple(path.get_extents().extents) for path in collection.get_paths()]


def test_bars_lie_outside_the_range_the_early_ones_at_the_bound_on_one_scale():
    _, early, late = drawn().collections
    unit = OUTSIDE / 1960
    assert extents(early)[1] == pytest.approx((1, -0.25, 1 + 120 * unit, 0.25))  # x[0], upper bound
    assert extents(late)[0] == pytest.approx((1 + 120 * unit, -0.25, 1 + OUTSIDE, 0.25))
    assert extents(early)[2] == pytest.approx((-20 * unit, 1.75, 0, 2.25))  # x[2], lower bound
    assert extents(late)[2] == pytest.approx((-24 * unit, 1.75, -20 * unit, 2.25))
    assert (len(early.get_paths()), len(late.get_paths())) == (4, 3)


def test_x_stands_at_its_place_between_the_bounds():
    dots = [line for line in drawn().lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(1, 0), (0.4, 1), (0.02, 2), (0.7, 3)]


def test_numbers_verdicts_and_shares_are_said():
    texts = [text.get_text() for text in drawn().texts]
    assert texts == ["3", "1,960", "93 %", "on the bound", "12", "free", "24", "31 %", "10", "drifting", "free"]
    colours = {text.get_text(): text.get_color() for text in drawn().texts}
    assert {name: colours[name] for name in LOUD} == LOUD


def test_of_variables_left_out_the_number_is_said():
    row = Row("x[0]", 0.5, Side(1, 1, 0), Side(0, 0, 0), "free")
    assert "9 variables with fewer are not shown" in drawn(Walls((row,), 10)).get_title()
    assert drawn(Walls((row,), 1)).get_title() == "violations of the bounds"


def test_the_key_has_the_colours_of_the_bars():
    _, early, late = drawn().collections
    with in_style("paper"):
        figure = empty_figure(RECORD.size)
        draw_page(figure, RECORD)
        first, second, x = key()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["violations, early", "violations, late", "x"]
    assert to_rgba(first.get_facecolor()) == tuple(early.get_facecolors()[0])
    assert to_rgba(second.get_facecolor()) == tuple(late.get_facecolors()[0])
    assert x.get_marker() == "o"


def test_nothing_happened_is_drawn_too():
    row = Row("x[0]", 0.5, Side(0, 0, 0), Side(0, 0, 0), "free")
    ax = drawn(Walls((row,), 1))
    assert [text.get_text() for text in ax.texts] == ["free"]
    assert ax.get_xlabel() == ""
