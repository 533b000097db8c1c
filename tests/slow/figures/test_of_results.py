"""The ink of figures of what `minimize`, `compare` and `measure` return."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawings import ink, whole
from matplotlib.colors import to_rgba
from results import EVALUATIONS, HISTORY, RESULT, WALLS

import debox
from debox.edpois import COLOURS
from debox.figures import compare, convergence, measurement, walls
from debox.figures.style import in_style
from debox.optimize.compare import Comparison
from debox.optimize.optimizer import Result

VALUES = [[1.0, 2, 3], [5, np.inf, np.inf], [10, 30, 20]]


class Compared(Comparison):
    worse = ("toroidal",)  # as many runs would show


def comparison(values, names=("saturation", "none", "toroidal")):
    values = np.array(values, dtype=float)
    pois, evaluations, seeds = np.full(values.shape, 0.25), np.full(values.shape, 1000), tuple(range(values.shape[1]))
    return Compared(names[: len(values)], values, pois, evaluations, values[:, :, None].copy(), seeds, "jDE")


@pytest.fixture
def compared():
    return ink(compare.draw, comparison(VALUES))


def test_a_dot_per_run_and_runs_of_one_seed_have_the_same_height_within_their_rows(compared):
    best, worse, _ = (one.get_offsets() for one in compared.collections if len(one.get_offsets()) == 3)
    assert [best[:, 0].tolist(), worse[:, 0].tolist()] == [VALUES[0], VALUES[2]]
    assert (best[:, 1] + 1).tolist() == pytest.approx(worse[:, 1].tolist())
    assert len(set(best[:, 1])) == 3


def test_medians_and_intervals_stand_in_their_rows_but_for_infinite_ones(compared):
    medians = [(line.get_xdata()[0], line.get_ydata()[0]) for line in compared.lines]
    assert medians[:2] == [(2.0, 0), (20.0, 1)]
    bars = [
        path.vertices.tolist() for one in compared.collections for path in one.get_paths() if len(path.vertices) == 2
    ]
    assert bars == [[[1, 0], [3, 0]], [[10, 1], [30, 1]]]


def test_the_best_is_at_the_top(compared):
    assert [tick.get_text() for tick in compared.get_yticklabels()] == ["saturation", "toroidal", "none"]
    assert compared.get_ylim()[0] > compared.get_ylim()[1]
    assert compared.get_xscale() == "log"
    assert compared.get_title() == "jDE, 3 runs of 1,000 evaluations"


@pytest.mark.parametrize(
    ("values", "scale"), [([1, 11], "log"), ([1, 10], "linear"), ([0, 99], "linear"), ([-1, 99], "linear")]
)
def test_the_axis_is_logarithmic_where_positive_values_span_more_than_a_factor_of_ten(values, scale):
    assert ink(compare.draw, comparison([values])).get_xscale() == scale


def test_values_that_hardly_differ_are_written_out_without_an_offset():
    ax = ink(compare.draw, comparison([[-0.99999, -0.99998, -0.99996]]))
    assert ax.xaxis.get_offset_text().get_text() == ""
    assert len({tick.get_text() for tick in ax.get_xticklabels()}) >= 2


def test_the_key_names_the_colours_that_are_there(compared):
    with in_style("paper"):
        every, one = compare.legend(comparison(VALUES)), compare.legend(comparison(VALUES[:1]))
    names = ["median, 75 % interval", "a run of the best strategy", "not worse beyond chance", "worse beyond chance"]
    assert [handle.get_label() for handle in every] == names
    assert [handle.get_label() for handle in one] == names[:2]
    dots = [one.get_facecolors()[0] for one in compared.collections if len(one.get_offsets()) == 3]
    assert [to_rgba(every[k].get_color()) for k in (1, 3, 2)] == [tuple(colour) for colour in dots]


def test_every_curve_of_a_run_has_its_axes_and_holds_until_the_next_value():
    figure = whole(convergence.page(RESULT))
    for ax, name in zip(figure.axes, ("fun", "spread", "pois"), strict=True):
        (line,) = ax.lines
        assert (line.get_xdata().tolist(), line.get_ydata().tolist()) == (EVALUATIONS.tolist(), HISTORY[name].tolist())
        assert line.get_drawstyle() == "steps-post"
        assert ax.get_yscale() == ("linear" if name == "pois" else "log")
        assert ax.get_xlim() == figure.axes[0].get_xlim()
    assert [ax.get_xlabel() for ax in figure.axes] == ["", "", "evaluations"]
    assert figure.axes[0].get_title() == "f = 2.5e-08 after 10,000 evaluations, POIS 0.400"


def test_what_cannot_be_shown_is_left_out_of_a_curve():
    fun, spread = np.append(np.inf, HISTORY.fun[1:]), np.append(HISTORY.spread[:50], np.zeros(50))
    figure = whole(convergence.page(RESULT | {"history": Result(HISTORY | {"fun": fun, "spread": spread})}))
    assert [len(ax.lines[0].get_xdata()) for ax in figure.axes] == [99, 50, 100]
    assert figure.axes[0].lines[0].get_xdata()[0] == 200


def measured(counts, **more):
    """Runs in the middle of each tenth of POIS, or near 1 if all are in the last."""
    pois = np.repeat((np.arange(10) + 0.5) / 10, counts)
    return SimpleNamespace(
        **{"config": "DE/rand/1/exp sat, N=5", "n": 3, "budget": 1200, "seed": 4, "pois": pois} | more,
        histogram=lambda: np.array(counts),
        mean=pois.mean,
    )


COUNTS = (3, 0, 0, 0, 0, 7, 0, 0, 0, 10)


@pytest.mark.parametrize("colour", ["teal", "violet"])
def test_bars_have_the_length_of_the_counts_the_place_of_the_bins_and_the_colour(colour):
    ax = ink(measurement.draw, measured(COUNTS, colour=lambda: colour))
    (bars,) = ax.collections
    edges = [path.get_extents().extents.tolist() for path in bars.get_paths()]
    assert edges == [pytest.approx(one) for one in ([0, 0, 3, 0.1], [0, 0.5, 7, 0.6], [0, 0.9, 10, 1])]
    assert tuple(bars.get_facecolors()[0]) == to_rgba(COLOURS[colour])
    assert [text.get_text() for text in ax.texts] == ["3", "7", "10"]
    assert ax.get_ylim() == (0, 1)
    assert ax.get_xlim()[1] >= 20


def test_orange_bars_have_a_notch_so_that_they_differ_in_grey_too():
    (bars,) = ink(measurement.draw, measured((0,) * 9 + (20,), colour=lambda: "orange")).collections
    left, right = (path.get_extents() for path in bars.get_paths())
    assert (left.x0, right.x1) == (0, 20)
    assert 0.5 < right.x0 - left.x1 < 20 / 3


def test_the_mean_is_marked_and_said_and_a_long_title_has_several_lines():
    config = "DE/rand/1/bin dism, N=20, F=1.5, Cr=0.9, donors=not-target, reevaluate=False"
    ax = ink(measurement.draw, measured((0, 0, 0, 0, 0, 2, 0, 0, 0, 0), config=config, colour=lambda: "violet"))
    assert ax.lines[0].get_ydata()[0] == pytest.approx(0.55)
    *lines, mean = ax.get_title().splitlines()
    assert mean == "mean POIS 0.550"
    assert len(lines) > 1
    assert max(map(len, lines)) < 45


def test_a_measurement_has_its_bins_and_says_below_what_it_is_of():
    m = debox.measure("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", n=3, budget=1200, runs=7, rng=4)
    page = measurement.page(m)
    tenth = np.maximum(np.ceil(m.pois * 10), 1)  # (0.1, 0.2] is the second
    assert page.numbers(*page.arguments)["runs"].tolist() == [(tenth == k).sum() for k in range(1, 11)]
    assert whole(page).texts[0].get_text() == "f0, n = 3, budget 1 200, 7 runs, seed 4"


def extents(collection):
    return [tuple(path.get_extents().extents) for path in collection.get_paths()]


def test_bars_lie_outside_the_range_the_early_ones_at_the_bound_on_one_scale():
    _, early, late = ink(walls.draw, RESULT).collections
    unit = walls.OUTSIDE / 1960
    assert extents(early)[1] == pytest.approx((1, -0.25, 1 + 120 * unit, 0.25))  # x[0], upper bound
    assert extents(late)[0] == pytest.approx((1 + 120 * unit, -0.25, 1 + walls.OUTSIDE, 0.25))
    assert extents(early)[2] == pytest.approx((-20 * unit, 1.75, 0, 2.25))  # x[2], lower bound
    assert extents(late)[2] == pytest.approx((-24 * unit, 1.75, -20 * unit, 2.25))
    assert (len(early.get_paths()), len(late.get_paths())) == (4, 3)


def test_x_stands_at_its_place_between_the_bounds_and_numbers_verdicts_and_shares_are_said():
    ax = ink(walls.draw, RESULT)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(1, 0), (0.4, 1), (0.02, 2), (0.7, 3)]
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["3", "1,960", "93 %", "on the bound", "12", "free", "24", "31 %", "10", "drifting", "free"]
    offsets = {text.get_text(): text.xyann for text in ax.texts}  # numbers outward, shares inward
    assert [offsets[one] for one in ("3", "1,960", "31 %", "93 %")] == [(-2, 0), (2, 0), (5, 4), (-5, 4)]
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert {name: colours[name] for name in walls.LOUD} == walls.LOUD


def only(**columns):
    """One variable at which nothing happened, but for these."""
    zeros = {name: [0] for name in WALLS if name not in ("names", "verdict")}
    return Result(walls=Result({"names": ["x[0]"], "verdict": ["free"]} | zeros | columns))


def test_of_variables_left_out_the_number_is_said():
    n = walls.MOST + 9
    many = {name: column * n for name, column in only().walls.items()}
    assert "9 variables with fewer are not shown" in ink(walls.draw, Result(walls=Result(many))).get_title()
    assert ink(walls.draw, RESULT).get_title() == "violations of the bounds"


def test_nothing_happened_is_drawn_too():
    ax = ink(walls.draw, only())
    assert [text.get_text() for text in ax.texts] == ["free"]
    assert (ax.get_xlabel(), ax.get_xlim()) == ("", pytest.approx((-0.05, 1.05)))


def test_the_key_has_the_colours_of_the_bars():
    _, early, late = ink(walls.draw, RESULT).collections
    key = whole(walls.page(RESULT)).legends[0]
    assert [text.get_text() for text in key.get_texts()] == ["violations, early", "violations, late", "x"]
    first, second, x = key.legend_handles
    assert to_rgba(first.get_facecolor()) == tuple(early.get_facecolors()[0])
    assert to_rgba(second.get_facecolor()) == tuple(late.get_facecolors()[0])
    assert x.get_marker() == "o"
