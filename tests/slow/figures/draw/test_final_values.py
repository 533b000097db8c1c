import numpy as np
from matplotlib.colors import to_rgba

from debox.figures.data.final_values import FinalValues, Row
from debox.figures.draw.final_values import COLOURS, draw_in, key
from debox.figures.draw.style import empty_figure, in_style

BEST = Row("saturation", (1.0, 2.0, 3.0), 2.0, (1.0, 3.0), 0.25, "best")
WORSE = Row("toroidal", (10.0, 30.0, 20.0), 20.0, (10.0, 30.0), 0.5, "worse")
LOST = Row("none", (5.0, np.inf, np.inf), np.inf, (5.0, np.inf), 0.5, "")
RECORD = FinalValues((BEST, WORSE, LOST), "jDE", 0.75, True)


def drawn(record=RECORD):
    with in_style("paper"):
        figure = empty_figure((4, 3))
        ax = draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def test_a_dot_per_run_and_runs_of_one_seed_have_the_same_height_within_their_rows():
    dots = [collection.get_offsets() for collection in drawn().collections if len(collection.get_offsets()) == 3]
    assert [tuple(row[:, 0]) for row in dots[:2]] == [BEST.values, WORSE.values]
    assert np.allclose(dots[0][:, 1] + 1, dots[1][:, 1])
    assert len(set(dots[0][:, 1])) == 3


def test_medians_and_intervals_stand_in_their_rows_but_for_infinite_ones():
    ax = drawn()
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines[:2]] == [(2.0, 0), (20.0, 1)]
    bars = [path.vertices.tolist() for one in ax.collections for path in one.get_paths() if len(path.vertices) == 2]
    assert bars == [[[1, 0], [3, 0]], [[10, 1], [30, 1]]]


def test_the_best_is_at_the_top_and_the_axis_is_that_of_the_record():
    ax = drawn()
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["saturation", "toroidal", "none"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert ax.get_xscale() == "log"
    assert drawn(FinalValues((BEST,), "", 0.75, False)).get_xscale() == "linear"


def test_the_key_names_the_colours_that_are_there():
    with in_style("paper"):
        every, one = key(RECORD), key(FinalValues((BEST,), "", 0.75, True))
    names = ["median, 75 % interval", "a run of the best strategy", "not worse beyond chance", "worse beyond chance"]
    assert [handle.get_label() for handle in every] == names
    assert [handle.get_label() for handle in one] == names[:2]
    (best, *_) = drawn().collections
    assert to_rgba(every[1].get_color()) == tuple(best.get_facecolors()[0]) == to_rgba(COLOURS["best"])


def test_values_that_hardly_differ_are_written_out_without_an_offset():
    row = Row("mirror", (-0.99999, -0.99998, -0.99996), -0.99998, (-0.99999, -0.99996), 0.25, "best")
    ax = drawn(FinalValues((row,), "", 0.75, False))
    assert ax.xaxis.get_offset_text().get_text() == ""
    assert len({tick.get_text() for tick in ax.get_xticklabels()}) >= 2
