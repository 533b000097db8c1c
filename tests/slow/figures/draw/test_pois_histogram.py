import pytest
from matplotlib.colors import to_rgba

from debox.edpois import COLOURS
from debox.figures.data.pois_histogram import PoisHistogram
from debox.figures.draw.pois_histogram import draw_in
from debox.figures.draw.style import empty_figure, in_style

COUNTS = (3, 0, 0, 0, 0, 7, 0, 0, 0, 10)


def drawn(colour, counts=COUNTS, title="DE/rand/1/exp sat, N=5"):
    with in_style("paper"):
        return draw_in(empty_figure((3, 3)).add_subplot(), PoisHistogram(title, "", counts, colour, 0.6))


@pytest.mark.parametrize("colour", ["teal", "violet"])
def test_bars_have_the_length_of_the_counts_the_place_of_the_bins_and_the_colour(colour):
    ax = drawn(colour)
    (bars,) = ax.collections
    edges = [path.get_extents().extents.tolist() for path in bars.get_paths()]
    assert edges == [pytest.approx(one) for one in ([0, 0, 3, 0.1], [0, 0.5, 7, 0.6], [0, 0.9, 10, 1])]
    assert tuple(bars.get_facecolors()[0]) == to_rgba(COLOURS[colour])
    assert [text.get_text() for text in ax.texts] == ["3", "7", "10"]
    assert ax.get_ylim() == (0, 1)
    assert ax.get_xlim()[1] >= 20


def test_orange_bars_have_a_notch_so_that_they_differ_in_grey_too():
    (bars,) = drawn("orange", (0,) * 9 + (20,)).collections
    left, right = (path.get_extents() for path in bars.get_paths())
    assert (left.x0, right.x1) == (0, 20)
    assert 0.5 < right.x0 - left.x1 < 20 / 3


def test_the_mean_is_marked_and_said_and_a_long_title_has_several_lines():
    ax = drawn("violet", title="DE/rand/1/bin dism, N=20, F=1.5, Cr=0.9, donors=not-target, reevaluate=False")
    assert ax.lines[0].get_ydata()[0] == 0.6
    *lines, mean = ax.get_title().splitlines()
    assert mean == "mean POIS 0.600"
    assert max(map(len, lines)) < 45
