"""The numbers of figures of what `minimize` and `compare` return."""

import numpy as np
import pytest
from results import HISTORY, RESULT, WALLS

from debox.figures import compare, convergence, walls
from debox.optimize.compare import Comparison
from debox.optimize.optimizer import Result


def comparison(values):
    values = np.array(values, dtype=float)
    pois = np.linspace(0.1, 0.3, values.size).reshape(values.shape)
    evaluations, seeds = np.full(values.shape, 1000), tuple(range(values.shape[1]))
    return Comparison(tuple("abc"[: len(values)]), values, pois, evaluations, values[:, :, None].copy(), seeds, "jDE")


def test_strategies_stand_from_the_best_down_with_their_numbers():
    found = compare.numbers(comparison([np.arange(5, 14), np.arange(1, 10)]))
    assert found["strategy"].tolist() == ["b", "a"]
    assert found["median"].tolist() == [5, 9]
    assert found["interval"].tolist() == [[2, 8], [6, 12]]  # 2nd and 8th of 9
    assert found["values"][1].tolist() == list(range(5, 14))
    assert found["pois"][1] == pytest.approx(0.1 + 0.2 * 4 / 17)


def test_the_best_and_the_worse_are_told_apart():
    found = compare.numbers(comparison([[5] * 9, [1] * 9, [1] * 8 + [2]]))
    assert found["strategy"].tolist() == ["b", "c", "a"]
    assert found["verdict"].tolist() == ["best", "", "worse"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3, 30], True),
        ([3, 29], False),
        ([0, 1, 100], True),  # zeros end a logarithmic curve
        ([-1, 1, 100], False),
        ([0, 0], False),
        ([np.inf, 1, 20, np.nan], True),
        ([1000, 1010], False),
    ],
)
def test_numbers_that_span_decades_have_a_logarithmic_axis(values, expected):
    assert convergence.spans_decades(np.array(values, float)) is expected


def test_the_numbers_of_a_run_are_its_history():
    found = convergence.numbers(RESULT)
    assert {name: column.tolist() for name, column in found.items()} == {
        name: HISTORY[name].tolist() for name in ("evaluations", "fun", "spread", "pois")
    }


def test_every_variable_has_its_violations_at_both_bounds():
    found = walls.numbers(RESULT)
    assert found["name"].tolist() == ["x[0]", "length", "x[2]", "x[3]"]
    assert (found["place"][0], found["verdict"][0]) == (1.0, "on the bound")
    assert [found[name][0].tolist() for name in ("early", "late", "near")] == [[3, 120], [0, 1840], [0.0, 0.93]]
    assert (found["early"] + found["late"]).sum(1).tolist() == [1963, 12, 34, 0]


def many(n, **columns):
    zeros = {name: [0] * n for name in WALLS if name not in ("names", "verdict")}
    named = {"names": [f"x[{j}]" for j in range(n)], "verdict": ["free"] * n}
    return Result(walls=Result(named | zeros | columns))


def test_of_more_variables_than_a_page_holds_those_that_matter_are_shown_in_their_order():
    n = walls.MOST + 30
    for verdict, first in ((["free"] * (n - 1) + ["on the bound"], 30), (["on the bound"] + ["free"] * (n - 1), 31)):
        names = walls.numbers(many(n, lower_late=list(range(n)), verdict=verdict))["name"].tolist()
        expected = [f"x[{j}]" for j in range(first, n)]
        assert names == (expected if verdict[0] == "free" else ["x[0]", *expected])


def test_fixed_variables_have_no_bounds_to_show():
    assert walls.numbers(many(3, verdict=["free", "fixed", "free"]))["name"].tolist() == ["x[0]", "x[2]"]
