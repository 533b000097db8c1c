"""Figures of unusual results of `minimize`, `compare` and `measure`; test_golden.py has those of usual ones."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawings import ink, whole
from results import HISTORY, RESULT, WALLS

import debox
from debox.figures import compare, convergence, measurement, walls
from debox.optimize.compare import Comparison
from debox.optimize.optimizer import Result


def comparison(values):
    """Of one strategy."""
    values = np.array([values], dtype=float)
    pois, evaluations = np.full(values.shape, 0.25), np.full(values.shape, 1000)
    return Comparison(("saturation",), values, pois, evaluations, values[:, :, None], tuple(range(values.size)), "jDE")


@pytest.mark.parametrize(
    ("values", "scale"), [([1, 11], "log"), ([1, 10], "linear"), ([0, 99], "linear"), ([-1, 99], "linear")]
)
def test_the_axis_is_logarithmic_where_positive_values_span_more_than_a_factor_of_ten(values, scale):
    assert ink(compare.draw, comparison(values)).get_xscale() == scale


def test_values_that_hardly_differ_are_written_out_without_an_offset():
    ax = ink(compare.draw, comparison([-0.99999, -0.99998, -0.99996]))
    assert ax.xaxis.get_offset_text().get_text() == ""
    assert len({tick.get_text() for tick in ax.get_xticklabels()}) >= 2


def test_what_cannot_be_shown_is_left_out_of_a_curve():
    fun, spread = np.append(np.inf, HISTORY.fun[1:]), np.append(HISTORY.spread[:50], np.zeros(50))
    figure = whole(convergence.page(RESULT | {"history": Result(HISTORY | {"fun": fun, "spread": spread})}))
    assert [len(ax.lines[0].get_xdata()) for ax in figure.axes] == [99, 50, 100]
    assert figure.axes[0].lines[0].get_xdata()[0] == 200


def test_the_mean_is_marked_and_said_and_a_long_title_has_several_lines():
    config = "DE/rand/1/bin dism, N=20, F=1.5, Cr=0.9, donors=not-target, reevaluate=False"
    pois, counts = np.array([0.55, 0.55]), np.array([0] * 5 + [2] + [0] * 4)
    found = {"histogram": lambda: counts, "mean": pois.mean, "colour": lambda: "violet"}
    ax = ink(measurement.draw, SimpleNamespace(config=config, n=3, budget=1200, seed=4, pois=pois, **found))
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


def nothing():
    """One variable at which nothing happened."""
    zeros = {name: [0] for name in WALLS if name not in ("names", "verdict")}
    return {"names": ["x[0]"], "verdict": ["free"]} | zeros


def test_of_variables_left_out_the_number_is_said():
    n = walls.MOST + 9
    many = {name: column * n for name, column in nothing().items()}
    assert "9 variables with fewer are not shown" in ink(walls.draw, Result(walls=Result(many))).get_title()
    assert ink(walls.draw, RESULT).get_title() == "violations of the bounds"


def test_nothing_happened_is_drawn_too():
    ax = ink(walls.draw, Result(walls=Result(nothing())))
    assert [text.get_text() for text in ax.texts] == ["free"]
    assert (ax.get_xlabel(), ax.get_xlim()) == ("", pytest.approx((-0.05, 1.05)))
