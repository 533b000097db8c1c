"""Runs are kept one by one, survive a kill, and are packed into one file."""

import numpy as np
import pytest
from benchmarks.defaults import execute
from benchmarks.defaults.problem import Problem
from benchmarks.defaults.results import DATA, Key, Log, Outcome, forget, pack, read
from benchmarks.defaults.solvers import CLASSIC, DEFAULT, Solver

KEYS = [Key("tuning", "bowl", 3, 50, solver, seed) for solver in ("a, b", "c") for seed in (0, 1)]
OUTCOMES = [Outcome(error, 150, 0.5) for error in (0.25, 1e-8, 3e5, 2.0)]
ROWS = dict(zip(KEYS, OUTCOMES, strict=True))


@pytest.fixture
def places(tmp_path):
    return tmp_path / "data.parquet", tmp_path / "logs"


def write(logs, rows, name="1-of-1.csv"):
    log = Log(logs / name)
    for key, outcome in rows.items():
        log.append(key, outcome)
    log.file.close()


def test_what_is_appended_is_read_also_when_it_is_packed(places):
    data, logs = places
    assert read(data, logs) == {}
    write(logs, dict(list(ROWS.items())[:3]))
    write(logs, {KEYS[3]: OUTCOMES[3]}, "2-of-2.csv")
    assert read(data, logs) == ROWS
    pack(read(data, logs), data, logs)
    assert read(data, logs) == read(data, logs / "none") == ROWS


def test_packing_loses_nothing_of_a_run_that_goes_on(places):
    data, logs = places
    log = Log(logs / "1-of-2.csv")
    log.append(KEYS[0], OUTCOMES[0])
    pack(read(data, logs), data, logs)
    log.append(KEYS[1], OUTCOMES[1])
    log.file.close()
    assert sorted(read(data, logs)) == KEYS[:2]


def test_forgotten_runs_are_neither_in_the_file_nor_in_a_log(places):
    data, logs = places
    pack(ROWS, data, logs)
    write(logs, ROWS)
    forget({"c"}, data, logs)
    assert list(read(data, logs)) == KEYS[:2]


def test_runs_logged_later_come_to_those_packed_before(places):
    data, logs = places
    pack({KEYS[0]: OUTCOMES[0]}, data, logs)
    write(logs, {KEYS[1]: OUTCOMES[1]})
    assert sorted(read(data, logs)) == KEYS[:2]


@pytest.mark.parametrize("cut", range(1, 36))
def test_a_line_that_a_kill_cut_off_is_no_run_and_the_next_one_starts_a_line(places, cut):
    data, logs = places
    write(logs, dict(list(ROWS.items())[:2]))
    path = logs / "1-of-1.csv"
    path.write_bytes(path.read_bytes()[:-cut])
    kept = read(data, logs)
    assert list(kept) == KEYS[:1]
    write(logs, {KEYS[2]: OUTCOMES[2]})
    assert list(read(data, logs)) == [KEYS[0], KEYS[2]]


def steps(problem, recorder, budget, seed):
    for k in range(budget):
        recorder(np.full(3, 1.0 / (1 + seed + k)))


@pytest.fixture
def small(monkeypatch):
    """One problem in every suite, one solver and one candidate."""
    bowl = Problem("bowl", lambda x: float(x @ x), -np.ones(3), np.ones(3), np.zeros(3), least=0.0)
    monkeypatch.setattr(execute, "problems", lambda suite: {("bowl", 3): bowl})
    solvers = {"steps": Solver(steps, ""), "candidate": Solver(steps, "", True)}
    monkeypatch.setattr(execute, "SOLVERS", solvers)
    return execute.Plan(("tuning", "judging"), tuple(solvers), (2, 4), 2)


def test_candidates_are_run_only_where_the_default_is_chosen(small):
    keys = list(small.keys())
    assert {(key.suite, key.solver) for key in keys} == {
        ("tuning", "steps"),
        ("tuning", "candidate"),
        ("judging", "steps"),
    }
    assert len(keys) == len(set(keys)) == 3 * 2 * 2
    assert [key.per_variable for key in keys] == [2] * 6 + [4] * 6  # the cheap ones first


def test_a_run_has_the_best_error_within_its_budget(small):
    """The last of 2 · 3 steps is at 1/(1 + 1 + 5)."""
    outcome = execute.do(Key("judging", "bowl", 3, 2, "steps", 1))
    assert (outcome.error, outcome.evaluations) == (pytest.approx(3 / 49), 6)


def test_what_is_killed_is_resumed_and_ends_as_it_would_have(small, places):
    data, logs = places
    keys = list(small.keys())
    execute.execute(keys[:5], Log(logs / "1-of-1.csv"))
    pending = [key for key in keys if key not in read(data, logs)]
    assert pending == keys[5:]
    execute.execute(pending, Log(logs / "1-of-1.csv"))
    resumed = read(data, logs)
    assert list(resumed) == keys
    assert all(resumed[key].error == float(f"{execute.do(key).error:.5g}") for key in keys)


def test_the_cost_is_told_from_runs_that_were_done(small):
    """2 µs an evaluation, 10⁹ · 3.6 · 3 evaluations: 6 hours."""
    pending = [Key("tuning", "bowl", 3, 3_600_000_000, "steps", 0)]
    rows = {KEYS[0]._replace(solver="steps"): Outcome(1.0, 1000, 0.002)}
    told = execute.cost(pending, rows)
    assert told.splitlines()[0] == "1 runs to do, at most 6.0 h of processor time:"
    assert "2.0 µs" in told


# What is committed.


def test_the_file_of_runs_is_small():
    assert DATA.stat().st_size < 1_000_000


def test_runs_of_debox_done_again_come_out_as_in_the_file(tmp_path, monkeypatch):
    """Else the default has changed: run `python -m benchmarks.defaults forget --solver debox`, then the benchmark."""
    rows = {key: outcome for key, outcome in read(logs=tmp_path).items() if key.suite == "tuning"}
    problems = {name: p._replace(fun=p.fun.py_func) for name, p in execute.problems("tuning").items()}
    monkeypatch.setattr(execute, "problems", lambda suite: problems)
    asked = [
        Key("tuning", "Rastrigin", n, 50, name, seed)
        for n in (10, 20)
        for name in (DEFAULT, CLASSIC)
        for seed in (0, 14)
    ]
    for key in asked:
        outcome = execute.do(key)
        assert (outcome.error, outcome.evaluations) == (pytest.approx(rows[key].error, rel=1e-4), rows[key].evaluations)
