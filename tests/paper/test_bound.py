"""f0 as an upper bound: on tables of runs in which it is one, is none, or may be one."""

import duckdb
import numpy as np
import pytest
from made_runs import runs_of

from debox.paper import bound
from debox.paper.bound import COLUMNS, Cells, bounded
from debox.paper.statements import CLAIMS
from debox.paper.tests import NotTestableError

BUDGET, N = 100_000, 2000  # shares are POIS · 100/98
EVEN = np.array([-0.002, 0.0, 0.002])  # runs around their mean; their variance is 4e-6
STUDY = runs_of(lambda **_: 0.5)


def table_of(excess, functions=("sphere", "linear"), configurations=20, noise=EVEN, control=lambda k: 0.0, known=None):
    """Runs with this mean excess over f0 in the cells of all functions: excess(function, number of a configuration)."""
    rows = []

    def add(function, F, more, sampled):
        cell = (function, "rand/1", "exp", "mirror", N, F, 0.5, 30, BUDGET, sampled)
        rows.extend((*cell, False, 0.5 + more + shift) for shift in noise)
        rows.extend((*cell, True, 0.5 + shift) for shift in noise)

    for k in range(configurations):
        for function in functions:
            add(function, float(k), excess(function, k), True)
        add("f0", float(k), control(k), True)
    if known is not None:
        add("linear", 99.0, known, False)
    return {name: np.array(column) for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)}


def found(excess, literally=False, **options):
    return bounded(Cells.of(table_of(excess, **options)), STUDY, literally)


def but_for_one(excess):
    return lambda function, k: excess if (function, k) == ("linear", 3) else -0.1


def counts(finding):
    return finding.agree, finding.against, finding.cells


def test_numbers_of_a_cell_by_hand():
    """Shares are POIS · 100/98; each mean of 3 runs has a variance of 4e-6/3 times the square of that."""
    cells = Cells.of(table_of(lambda *_: 0.098, functions=("sphere",), configurations=1))
    assert cells.value == pytest.approx([0.1, 0.0])
    assert cells.error == pytest.approx([np.sqrt(2 * 4e-6 / 3) * 100 / 98] * 2)
    assert cells.freedom == pytest.approx([4, 4])
    u = -0.001 / cells.error[1]
    u /= np.sqrt(4 + u**2)
    expected = 0.5 - (3 * u - u**3) / 4  # Student's law with 4 degrees of freedom
    assert cells.p_above(-0.001)[1] == pytest.approx(1 - expected)
    assert cells.p_below(0.001)[1] == pytest.approx(1 - expected)


def test_freedom_of_unequal_variances_is_satterthwaites():
    """Three runs with variance 4e-6 on the function, without variance on f0: two degrees of freedom."""
    table = table_of(lambda *_: 0.0, functions=("sphere",), configurations=1)
    table["pois"] = np.where(table["on_f0"], 0.5, table["pois"])
    assert Cells.of(table).freedom == pytest.approx([2, 2], rel=1e-3)


def test_a_bound_that_is_one_holds_also_for_ties():
    """All of 80 cells are below or, with runs that differ little, ties."""
    finding = found(lambda function, k: -0.1 if k % 2 else 0.0, configurations=40, noise=EVEN / 20)
    assert counts(finding) == (80, 0, 80)
    assert (finding.worst, finding.by) == ("", "budget 100,000")


def test_a_bound_that_is_broken_says_where_and_by_how_much():
    """Linear is above in all its cells, most in the last; its counterexample of old is not counted."""
    finding = found(lambda function, k: 0.098 + 0.0098 * (k == 19) if function == "linear" else -0.098, known=0.3)
    assert counts(finding) == (20, 20, 40)
    assert finding.effect == pytest.approx(0.01 / 40)
    assert finding.worst == "linear, rand/1/exp mirror, N=2000, F=19, Cr=0.5 (0.620 against 0.510)"
    assert finding.by == "budget 100,000; above f0: linear 20"


@pytest.mark.parametrize("excess", [0.00098, 0.0])
def test_at_the_margin_and_within_noise_nothing_is_shown(excess):
    """An excess of exactly TIE, 0.00098 · 100/98, or of 0 with a standard error of 0.0017, decides no cell."""
    assert counts(found(lambda *_: excess)) == (0, 0, 40)


def test_a_bound_without_exception_is_refuted_by_one_cell_and_shown_only_by_all():
    """40 cells: all far below f0; one of them above; one above by chance, with p of about 0.01; one undecided."""
    literal = [counts(found(but_for_one(one), literally=True)) for one in (-0.1, 0.098, 0.007, 0.0)]
    assert literal == [(1, 0, 1), (0, 1, 1), (0, 0, 1), (0, 0, 1)]
    assert counts(found(but_for_one(0.098))) == (39, 1, 40)
    assert counts(found(but_for_one(0.007))) == (39, 0, 40)


def test_false_alarms_are_rare():
    """Equal laws in 400 cells of 6 runs: at most 5 % are above by chance, so 37 or more have a chance below 1e-3; with
    an excess of three standard deviations, the control, nearly all are."""
    rng, above = np.random.default_rng(3), []
    for excess in (0.0, 0.03):
        table = table_of(lambda *_, excess=excess: excess, functions=("sphere",), configurations=400, noise=np.zeros(6))
        table["pois"] = table["pois"] + 0.01 * rng.standard_normal(len(table["pois"]))
        cells = Cells.of(table).take(lambda key: key["function"] != "f0")
        above.append(int((cells.p_above(0.001) < 0.05).sum()))
    assert above[0] < 37
    assert above[1] > 390


@pytest.mark.parametrize(("sign", "side"), [(1, "above"), (-1, "below")])
def test_a_control_that_fails_stops_the_test(sign, side):
    """Of 20 cells at 0.05 each, 5 or more err with a chance of 0.0026, 6 or more with 0.0003, below 0.001/2."""
    some = {count: lambda k, count=count: sign * 0.098 * (k < count) for count in (5, 6)}
    assert found(lambda *_: -0.1, control=some[5]).cells == 40
    with pytest.raises(NotTestableError, match=f"the control fails: f0 is {side} itself in 6 of 20 cells"):
        found(lambda *_: -0.1, control=some[6])


def test_runs_that_are_all_alike_differ_by_a_trial():
    """No cell is known exactly: a variance of 1/98000² of a run, a third of it for each of two means."""
    cells = Cells.of(table_of(lambda *_: -0.1, noise=np.zeros(3)))
    assert cells.error == pytest.approx(np.full(60, np.sqrt(2 / 3) / 98_000))


def test_without_cells_to_count_nothing_is_testable():
    table = table_of(lambda *_: -0.1)
    with pytest.raises(NotTestableError, match="no sampled runs on other functions than f0"):
        bounded(Cells.of({name: column[table["function"] == "f0"] for name, column in table.items()}), STUDY, False)
    with pytest.raises(NotTestableError, match="no sampled runs"):
        bounded(Cells.of(table | {"sampled": np.zeros(len(table["sampled"]), bool)}), STUDY, False)
    with pytest.raises(NotTestableError, match="other functions have dimension 30, the study 7"):
        bounded(Cells.of(table), runs_of(lambda **_: 0.5, dimension=7), False)


def test_both_readings_are_claims_and_read_from_a_file(tmp_path):
    with duckdb.connect() as database:
        database.register("given", table_of(but_for_one(0.098)))
        database.execute(f"COPY given TO '{tmp_path / 'bound.parquet'}'")
    tests = bound.tests_of(tmp_path / "bound.parquet")
    assert [claim.id for claim in CLAIMS if claim.id in tests] == list(tests)
    assert [claim.promised for claim in CLAIMS if claim.id in tests] == [0.95, 1]
    assert [test(STUDY).cells for test in tests.values()] == [40, 1]


def test_a_cell_with_one_run_is_named():
    table = table_of(lambda *_: 0.0)
    with pytest.raises(ValueError, match=r"f0, rand/1/exp mirror, N=2000, F=19, Cr=0\.5 has fewer than 2 runs"):
        Cells.of({name: column[:-2] for name, column in table.items()})


@pytest.mark.parametrize("pois", [-3.0, 0.99, np.nan])
def test_a_run_that_cannot_be_is_refused(pois):
    table = table_of(lambda *_: 0.0)
    table["pois"] = np.where(np.arange(len(table["pois"])) == 5, pois, table["pois"])
    with pytest.raises(ValueError, match="POIS that no run can have"):
        Cells.of(table)
