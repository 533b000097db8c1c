"""Runs are kept one by one, survive a kill, and are packed into one file."""

import numpy as np
import pytest
from reproduction import defaults, runs
from reproduction.numbers import DATA
from reproduction.problems import Problem
from reproduction.runs import Key, forget, pack, read
from reproduction.solvers import Solver

KEYS = [Key("tuning", "bowl", 3, 50, solver, seed) for solver in ("a, b", "c") for seed in (0, 1)]
OUTCOMES = [(error, 150, 0.5) for error in (0.25, 1e-8, 3e5, 2.0)]
ROWS = dict(zip(KEYS, OUTCOMES, strict=True))


@pytest.fixture
def places(tmp_path):
    return tmp_path, tmp_path / "out"


def write(places, rows, log="1-of-1.csv"):
    runs.execute(places[1] / "mine" / log, rows, rows.__getitem__)


def test_what_is_done_is_read_also_when_it_is_packed(places):
    assert read("mine", *places) == {}
    write(places, dict(list(ROWS.items())[:3]))
    write(places, {KEYS[3]: OUTCOMES[3]}, "2-of-2.csv")
    assert read("mine", *places) == ROWS
    pack("mine", read("mine", *places), places[0])
    assert read("mine", *places) == read("mine", places[0], places[1] / "none") == ROWS


def test_forgotten_runs_are_neither_in_the_file_nor_in_a_log(places):
    pack("mine", ROWS, places[0])
    write(places, ROWS)
    forget("mine", {"c"}, *places)
    assert list(read("mine", *places)) == KEYS[:2]


def test_runs_logged_later_come_to_those_packed_before(places):
    pack("mine", {KEYS[0]: OUTCOMES[0]}, places[0])
    write(places, {KEYS[1]: OUTCOMES[1]})
    assert sorted(read("mine", *places)) == KEYS[:2]


@pytest.mark.parametrize("cut", range(1, 36))
def test_a_line_that_a_kill_cut_off_is_no_run_and_the_next_one_starts_a_line(places, cut):
    write(places, dict(list(ROWS.items())[:2]))
    path = places[1] / "mine" / "1-of-1.csv"
    path.write_bytes(path.read_bytes()[:-cut])
    assert list(read("mine", *places)) == KEYS[:1]
    write(places, {KEYS[2]: OUTCOMES[2]})
    assert list(read("mine", *places)) == [KEYS[0], KEYS[2]]


def steps(problem, recorder, budget, seed):
    for k in range(budget):
        recorder(np.full(3, 1.0 / (1 + seed + k)))


@pytest.fixture
def small(monkeypatch):
    """One problem in every suite, one solver and one candidate."""
    bowl = Problem("bowl", lambda x: float(x @ x), -np.ones(3), np.ones(3), np.zeros(3), least=0.0)
    monkeypatch.setattr(defaults, "problems", lambda suite: {("bowl", 3): bowl})
    solvers = {"steps": Solver(steps, ""), "candidate": Solver(steps, "", True)}
    monkeypatch.setattr(defaults, "SOLVERS", solvers)
    for name, value in {"SUITES": ("tuning", "judging"), "BUDGETS": (2, 4), "SEEDS": 2}.items():
        monkeypatch.setattr(defaults, name, value)
    return list(defaults.keys(solvers))


def test_candidates_are_run_only_where_the_default_is_chosen(small):
    keys = small
    assert {(key.suite, key.solver) for key in keys} == {
        ("tuning", "steps"),
        ("tuning", "candidate"),
        ("judging", "steps"),
    }
    assert len(keys) == len(set(keys)) == 3 * 2 * 2
    assert [key.per_variable for key in keys] == [2] * 6 + [4] * 6  # the cheap ones first


def test_a_run_has_the_best_error_within_its_budget(small):
    """The last of 2 · 3 steps is at 1/(1 + 1 + 5)."""
    assert defaults.do(Key("judging", "bowl", 3, 2, "steps", 1))[:2] == (pytest.approx(3 / 49), 6)


def test_what_is_killed_is_resumed_and_ends_as_it_would_have(small, places):
    log = places[1] / "mine" / "1-of-1.csv"
    runs.execute(log, small[:5], defaults.do)
    assert list(read("mine", *places)) == small[:5]
    runs.execute(log, small[5:], defaults.do)
    resumed = read("mine", *places)
    assert list(resumed) == small
    assert all(resumed[key][0] == float(f"{defaults.do(key)[0]:.5g}") for key in small)


@pytest.mark.parametrize("name", ["defaults", "strategies", "collapse", "bound", "offgrid"])
def test_the_files_of_runs_are_small(name):
    assert (DATA / f"{name}.parquet").stat().st_size < 1_000_000
