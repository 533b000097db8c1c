"""Solvers are called as they should be, and stopped when they should be."""

import numpy as np
import pytest
from reproduction.problems import Problem
from reproduction.solvers import SOLVERS, Solver, of_debox, solve

import debox

LIBRARIES = {"SciPy": "scipy", "pymoo": "pymoo", "minionpy": "minionpy", "pycma": "cma", "debox": "debox"}
COMPARED = [name for name, solver in SOLVERS.items() if not solver.is_candidate]


def bowl(n=3, periodic=()):
    """Σ x² on [−1, 2]ⁿ"""
    box = (np.full(n, -1.0), np.full(n, 2.0))
    return Problem("bowl", lambda x: float(x @ x), *box, np.zeros(n), periodic=periodic, least=0.0)


@pytest.fixture
def calls(monkeypatch):
    """What debox.minimize is called with."""
    made = []
    monkeypatch.setattr(debox, "minimize", lambda fun, bounds, **given: made.append(given))
    return made


def test_an_argument_of_debox_may_depend_on_the_problem_and_the_budget(calls):
    solve(of_debox(N=lambda n, budget: 2 * n + budget // 100, F=0.4), bowl(), 1000, 7)
    assert calls == [{"N": 16, "F": 0.4, "budget": 1000, "rng": 7}]


def test_periodic_variables_wrap_in_debox_and_others_have_the_strategy_of_the_solver(calls):
    problem = bowl(periodic=(True, False, True))
    solve(of_debox(), problem, 100, 0)
    solve(of_debox(strategy="COTN"), problem, 100, 0)
    solve(of_debox(strategy="COTN"), bowl(), 100, 0)
    mirror = debox.Optimizer(problem.bounds).strategies[1]
    assert [call["strategy"] for call in calls] == [
        ["toroidal", mirror, "toroidal"],
        ["toroidal", "COTN", "toroidal"],
        "COTN",
    ]


def endless(problem, recorder, budget, seed):
    while True:
        recorder(problem.high)


def disguised(problem, recorder, budget, seed):
    """As libraries do that are written in another language."""
    try:
        endless(problem, recorder, budget, seed)
    except Exception as error:
        raise RuntimeError("an error of yours") from error


@pytest.mark.parametrize("run", [endless, disguised])
def test_a_solver_that_does_not_end_is_ended_at_the_budget(run):
    recorder = solve(Solver(run, ""), bowl(), 20, 0)
    assert (recorder.evaluations, recorder.error) == (20, 12)


def test_an_error_before_the_budget_is_spent_is_raised():
    def broken(problem, recorder, budget, seed):
        recorder(problem.high)
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        solve(Solver(broken, ""), bowl(), 20, 0)


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.filterwarnings("ignore")
def test_every_solver_takes_its_seed_keeps_to_the_budget_and_gets_better_than_chance(name):
    """The best of 2000 random points of this box is below 0.05 with a chance of 2000 · 5.26 · 0.05^2.5/3⁵ = 0.024."""
    (library,) = (LIBRARIES[word] for word in LIBRARIES if name.startswith(word))
    pytest.importorskip(library)
    first, again, other = (solve(SOLVERS[name], bowl(5), 2000, seed) for seed in (0, 0, 1))
    assert first.error == again.error != other.error
    assert first.evaluations <= 2000
    assert max(first.error, other.error) < 0.05
