from results import RESULT, WALLS

from debox.figures.data.walls import MOST, Row, Side, walls
from debox.optimize.optimizer import Result


def test_a_row_per_variable():
    record = walls(RESULT)
    assert record.rows[0] == Row("x[0]", 1.0, Side(3, 0, 0.0), Side(120, 1840, 0.93), "on the bound")
    assert [row.name for row in record.rows] == ["x[0]", "length", "x[2]", "x[3]"]
    assert [row.violations for row in record.rows] == [1963, 12, 34, 0]
    assert record.most == (24, 1960)


def many(n, **columns):
    zeros = {name: [0] * n for name in WALLS if name not in ("names", "verdict")}
    named = {"names": [f"x[{j}]" for j in range(n)], "verdict": ["free"] * n}
    return Result(walls=Result(named | zeros | columns))


def test_of_more_variables_than_a_page_holds_those_that_matter_are_shown_in_their_order():
    n = MOST + 30
    verdict = ["free"] * (n - 1) + ["on the bound"]
    record = walls(many(n, lower_late=list(range(n)), verdict=verdict))
    assert record.variables == n
    assert [row.name for row in record.rows] == [f"x[{j}]" for j in range(30, n)]
    verdict = ["on the bound"] + ["free"] * (n - 1)
    assert walls(many(n, lower_late=list(range(n)), verdict=verdict)).rows[0].name == "x[0]"


def test_fixed_variables_have_no_bounds_to_show():
    record = walls(many(3, verdict=["free", "fixed", "free"]))
    assert [row.name for row in record.rows] == ["x[0]", "x[2]"]


def test_without_violations_the_longest_bar_is_nothing():
    assert walls(many(2)).most == (0, 0)
