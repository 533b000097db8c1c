"""f0 as an upper bound: on tables of runs in which it is one, is none, or may be one."""

from pathlib import Path

import numpy as np
import pytest

from debox.analysis.claims.bound import COLUMNS, Bounded, cells_of, simulations_of
from debox.analysis.claims.levels import NotTestableError
from debox.analysis.claims.rules import Verdict, judge
from debox.analysis.claims.statements import CLAIMS

DATA = Path(__file__).parents[3] / "data" / "bound.parquet"
BUDGET, N = 100_000, 2000  # shares are POIS · 100/98
EVEN = np.array([-0.002, 0.0, 0.002])  # runs around their mean; their variance is 4e-6


def table_of(excess, functions=("sphere", "linear"), configurations=20, noise=EVEN, control=lambda k: 0.0, known=None):
    """Runs with this mean excess over f0 in the cells of all functions: excess(function, number of a configuration)."""
    rows = []

    def add(function, F, more, sampled):
        cell = (function, "rand/1", "exp", "mirror", N, F, 0.5, 30, BUDGET, sampled)
        rows.extend((*cell, False, 0.5 + more + shift) for shift in noise)
        rows.extend((*cell, True, 0.5 + shift) for shift in noise)

    for k in range(configurations):
        for function in functions:
            add(function, k, excess(function, k), True)
        add("f0", k, control(k), True)
    if known is not None:
        add("linear", 99.0, known, False)
    return {name: np.array(column) for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)}


@pytest.fixture
def found(cube_of):
    def find(table, promised=0.95):
        cube = cube_of(lambda **_: [0.5, 0.5])
        return Bounded(table).find(type(cube)(cube.axes, cube.pois, BUDGET, 30), promised)

    return find


def verdict(finding, promised=0.95):
    return judge(promised, finding.agree, finding.against, finding.p, finding.p_half)[0]


def test_numbers_of_a_cell_by_hand():
    """Shares are POIS · 100/98; each mean of 3 runs has a variance of 4e-6/3 times the square of that."""
    cells = cells_of(table_of(lambda *_: 0.098, functions=("sphere",), configurations=1))
    assert cells.names[0] == "sphere, rand/1/exp mirror, N=2000, F=0, Cr=0.5"
    assert cells.excess == pytest.approx([0.1, 0.0])
    assert cells.variance == pytest.approx([2 * 4e-6 / 3 * (100 / 98) ** 2] * 2)
    assert cells.freedom == pytest.approx([4, 4])
    for p, t in ((cells.p_above, -0.001), (cells.p_bounded, 0.001)):  # of the control, whose excess is 0
        u = t / np.sqrt(cells.variance[1])
        u /= np.sqrt(4 + u**2)
        assert p[1] == pytest.approx(0.5 - (3 * u - u**3) / 4)  # Student's law with 4 degrees of freedom


def test_a_bound_that_is_one_holds_also_for_ties(found):
    """All of 80 cells are below or, with runs that differ little, ties: 0.95⁸⁰ is below 0.05."""
    finding = found(table_of(lambda function, k: -0.1 if k % 2 else 0.0, configurations=40, noise=EVEN / 20))
    assert (finding.cells, finding.agree, finding.against) == (80, 1, 0)
    assert verdict(finding) is Verdict.HOLDS
    assert "at most f0's in 80 of 80" in finding.evidence
    assert "above it beyond chance in 0;" in finding.evidence


def test_a_bound_that_is_broken_does_not_hold_and_it_is_said_where_and_by_how_much(found):
    """Linear is above in all its cells, most in the last; its counterexample of old is told, but not counted."""
    table = table_of(lambda function, k: 0.098 + 0.0098 * (k == 19) if function == "linear" else -0.1, known=0.049)
    finding = found(table)
    assert (finding.cells, finding.agree, finding.against, finding.effect) == (40, 0.5, 0.5, 0.5)
    assert verdict(finding) in (Verdict.NOT, Verdict.IN_PART)
    assert "by 0.100 in the median and most by 0.110 on linear, rand/1/exp mirror, N=2000, F=19" in finding.evidence
    assert "by function: linear 20;" in finding.evidence
    _, told = finding.evidence.split("not counted, of what was known to break the bound: ")
    assert told.startswith("linear, rand/1/exp mirror, N=2000, F=99, Cr=0.5, 0.560 against 0.510")
    everywhere = found(table_of(lambda *_: 0.098))
    assert (everywhere.agree, verdict(everywhere)) == (0, Verdict.NOT)


@pytest.mark.parametrize("excess", [0.00098, 0.0])
def test_at_the_margin_and_within_noise_nothing_is_shown(found, excess):
    """An excess of exactly TIE, 0.00098 · 100/98, or of 0 with a standard error of 0.0017, decides no cell."""
    finding = found(table_of(lambda *_: excess))
    assert (finding.agree, finding.against) == (0, 0)
    assert verdict(finding) is Verdict.NOT_TESTABLE


def test_chance_in_many_cells_is_corrected_for(found):
    """One cell of 40 with p of about 0.01: above alone, not among so many."""
    few = found(table_of(lambda function, k: 0.007 if (function, k) == ("linear", 3) else -0.1))
    assert few.against == 0
    (p,) = cells_of(table_of(lambda *_: 0.007, functions=("linear",), configurations=1)).p_above[:1]
    assert 0.05 / 40 < p < 0.05


def test_false_alarms_are_rare():
    """Equal laws in 400 cells of 6 runs: at most 5 % are above by chance, so 37 or more have a chance below 1e-3; with
    an excess of three standard deviations, the control, nearly all are."""
    rng = np.random.default_rng(3)
    counts = []
    for excess in (0.0, 0.03):
        table = table_of(lambda *_, excess=excess: excess, functions=("sphere",), configurations=400, noise=np.zeros(6))
        table["pois"] = table["pois"] + 0.01 * rng.standard_normal(len(table["pois"]))
        cells = cells_of(table)
        counts.append(int((cells.p_above < 0.05)[~cells.is_control].sum()))
    assert counts[0] < 37
    assert counts[1] > 390


@pytest.mark.parametrize(("control", "side"), [(0.098, "above"), (-0.098, "below")])
def test_a_control_that_fails_stops_the_test(found, control, side):
    """f0 as a function must not differ from f0 on either side: one-sided runs would hide or feign breaches."""
    with pytest.raises(NotTestableError, match=f"the control fails: f0 is {side} itself in 20 of 20 cells"):
        found(table_of(lambda *_: -0.1, control=lambda k: control))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_control_may_err_as_often_as_chance_does(found, sign):
    """Of 20 cells at 0.05 each, 5 or more err with a chance of 0.0026, 6 or more with 0.0003, below 0.001/2."""

    def some(count):
        return found(table_of(lambda *_: -0.1, control=lambda k: sign * 0.098 * (k < count)))

    side = "above in 5 of 20 and below in 0" if sign > 0 else "above in 0 of 20 and below in 5"
    assert f"f0 against itself is {side} at 0.05" in some(5).evidence
    with pytest.raises(NotTestableError, match="itself in 6 of 20 cells"):
        some(6)


def test_p_of_half_the_promise_by_hand(found):
    """20 of 40 cells reject; half of 0.95 of them is 19, so that 2 or more of 22 cells would have to err."""
    finding = found(table_of(lambda function, k: 0.1 if function == "linear" else -0.1))
    assert finding.p_half == pytest.approx(1 - 0.95**22 - 22 * 0.05 * 0.95**21)
    assert finding.p == 1


def test_runs_that_are_all_alike_differ_by_a_trial():
    """No cell is known exactly: a variance of 1/98000² of a run, a third of it for each of two means."""
    cells = cells_of(table_of(lambda *_: -0.1, noise=np.zeros(3)))
    assert cells.variance == pytest.approx(np.full(60, 2 / 3 / 98_000**2))


@pytest.mark.parametrize(("known", "told"), [(0.049, True), (0.0, False)])
def test_what_was_known_is_told_only_if_it_is_so_again(found, known, told):
    assert ("F=99" in found(table_of(lambda *_: -0.1, known=known)).evidence) == told


def test_budgets_are_cells_of_their_own(found):
    """Below f0 with one budget and above it with another: pooled they would be one cell that says nothing."""
    short, long = table_of(lambda *_: -0.1, configurations=1), table_of(lambda *_: 0.1, configurations=1)
    long["budget"] = 10 * long["budget"]
    cells = cells_of({name: np.concatenate([short[name], long[name]]) for name in short})
    assert cells.names[0] == "sphere, rand/1/exp mirror, N=2000, F=0, Cr=0.5, budget=100000"
    assert np.sign(np.round(cells.excess, 6)).tolist() == [-1, -1, 0, 1, 1, 0]


@pytest.mark.parametrize("what", ["nothing sampled", "control alone"])
def test_without_cells_to_count_nothing_is_testable(found, what):
    table = table_of(lambda *_: -0.1)
    if what == "nothing sampled":
        table["sampled"] = np.zeros(len(table["sampled"]), bool)
    else:
        table = {name: column[table["function"] == "f0"] for name, column in table.items()}
    with pytest.raises(NotTestableError, match="no sampled runs on other functions than f0"):
        found(table)


def literally(table, cube):
    """The verdict on a bound without exception."""
    finding = Bounded(table, exceptions=False).find(type(cube)(cube.axes, cube.pois, BUDGET, 30), 1.0)
    return verdict(finding, 1.0)


def test_a_bound_without_exception_is_refuted_by_one_cell_and_shown_only_by_all(cube_of):
    """40 cells: all far below f0; one of them above; one of them above by chance; one too close to call."""
    cube = cube_of(lambda **_: [0.5, 0.5])

    def but_for_one(excess):
        return table_of(lambda function, k: excess if (function, k) == ("linear", 3) else -0.1)

    assert literally(but_for_one(-0.1), cube) is Verdict.HOLDS
    assert literally(but_for_one(0.098), cube) is Verdict.NOT
    assert literally(but_for_one(0.007), cube) is Verdict.NOT_TESTABLE  # p of about 0.01, of 40
    assert literally(but_for_one(0.0), cube) is Verdict.NOT_TESTABLE
    in_general = Bounded(but_for_one(0.098)).find(type(cube)(cube.axes, cube.pois, BUDGET, 30), 0.95)
    assert verdict(in_general) is not Verdict.NOT  # 39 of 40 are bounded


def test_p_of_a_bound_without_exception_is_the_largest(cube_of):
    cube, table = cube_of(lambda **_: [0.5, 0.5]), table_of(lambda function, k: -0.1 + 0.001 * k)
    finding = Bounded(table, exceptions=False).find(type(cube)(cube.axes, cube.pois, BUDGET, 30), 1.0)
    cells = cells_of(table)
    assert finding.p == cells.p_bounded[~cells.is_control].max() > cells.p_bounded[~cells.is_control].min()
    assert finding.p_half == 1


def test_both_readings_of_a_bound_are_claims():
    tests = simulations_of(DATA)
    assert [claim.id for claim in CLAIMS if claim.id in tests] == list(tests)
    assert [test.exceptions for test in tests.values()] == [True, False]
    assert [claim.promised for claim in CLAIMS if claim.id in tests] == [0.95, 1]


def test_another_study_than_the_runs_were_made_for(cube_of):
    cube, test = cube_of(lambda **_: [0.5, 0.5]), Bounded(table_of(lambda *_: 0.0))
    with pytest.raises(NotTestableError, match="other functions have dimension 30, the study 7"):
        test.find(type(cube)(cube.axes, cube.pois, BUDGET, 7), 0.95)


def test_tables_that_lack_something_are_refused():
    table = table_of(lambda *_: 0.0)
    with pytest.raises(ValueError, match="no column on_f0"):
        cells_of({name: column for name, column in table.items() if name != "on_f0"})
    with pytest.raises(
        ValueError, match=r"f0, rand/1/exp mirror, N=2000, F=19, Cr=0\.5 has fewer than 2 runs on the function"
    ):
        cells_of({name: column[:-2] for name, column in table.items()})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("pois", -3.0, "pois from 0 to 1 − N/budget; row 5 has budget 100000, N 2000, pois -3"),
        ("pois", 0.99, "row 5 has budget 100000, N 2000, pois 0.99"),
        ("pois", np.nan, "row 5 has budget 100000, N 2000, pois nan"),
        ("budget", N, "budget must be larger than N, .*; row 5 has budget 2000, N 2000"),
        ("budget", -5, "row 5 has budget -5"),
    ],
)
def test_a_run_that_cannot_be_is_refused(name, value, message):
    table = table_of(lambda *_: 0.0)
    table[name] = table[name].copy()
    table[name][5] = value
    with pytest.raises(ValueError, match=message):
        cells_of(table)


@pytest.mark.parametrize(
    ("name", "kind", "words"), [("pois", "U9", "numbers"), ("N", "U9", "numbers"), ("on_f0", int, "true and false")]
)
def test_a_column_of_another_kind_is_refused_by_name(name, kind, words):
    table = table_of(lambda *_: 0.0)
    with pytest.raises(ValueError, match=f"the column {name} must hold {words}"):
        cells_of(table | {name: table[name].astype(kind)})
    with pytest.raises(ValueError, match="the column function must hold names"):
        cells_of(table | {"function": np.array([["a"]] * len(table["pois"]), object)})
