"""The result and what is seen of a run: its fields, target, callback, printed progress, first points."""

import numpy as np
import pytest
from objectives import BOUNDS, compiled_squares, squares
from scipy.optimize import OptimizeResult

from debox import jit, minimize

FIELDS = {"x", "fun", "nfev", "nit", "success", "status", "message", "population", "population_energies"}
FIELDS |= {"pois", "n_infeasible", "infeasible_per_dimension", "pois_history", "n_nan"}


def test_the_result_of_a_run_that_shrinks_has_the_population_of_the_moment():
    sizes = []
    options = {"callback": lambda result: sizes.append(result.population.shape), "budget": 400, "N": 20, "rng": 1}
    with jit.interpreted():
        result = minimize(squares, BOUNDS, "L-SHADE", **options)
    # the initial population, then 20 − 16 · evaluations/400 after 40, 58 and 76 evaluations: 18.4, 17.68, 16.96
    assert sizes[:4] == [(20, 3), (18, 3), (18, 3), (17, 3)]
    assert sizes[-1] == result.population.shape == (4, 3)
    assert len(result.population_energies) == 4
    assert result.fun == result.population_energies.min() == squares(result.x)


def test_the_result_has_the_fields_of_scipy_and_the_count_of_infeasible_trials():
    result = minimize(squares, BOUNDS, "DE/rand/1/bin", N=20, budget=1010, rng=1)
    assert isinstance(result, OptimizeResult)
    assert result.keys() >= FIELDS
    assert result.population.shape == (20, 3)
    assert result.fun == result.population_energies.min() == squares(result.x)
    assert (result.nfev, result.nit) == (1010, 50)  # 20 to start, 49 generations of 20, one of 10
    assert (result.success, result.status, result.n_nan) == (True, 0, 0)
    assert result.message == "the budget of 1010 evaluations is spent"
    assert result.pois == result.n_infeasible / 1010 > 0
    assert result.infeasible_per_dimension.sum() >= result.n_infeasible
    assert result.pois_history.shape == (100, 2)
    assert result.pois_history[-1].tolist() == [1010, result.n_infeasible]
    assert (np.diff(result.pois_history, axis=0) >= 0).all()


@pytest.mark.parametrize("fun", [squares, compiled_squares], ids=["python", "compiled"])
def test_a_run_that_stops_early_divides_by_the_evaluations_done(fun):
    result = minimize(fun, BOUNDS, N=19, F=0.9, target=0.003, budget=10_000, rng=3)
    assert (result.success, result.status, result.message) == (True, 1, "the target 0.003 is reached")
    assert result.fun <= 0.003
    assert 100 < result.nfev < 1900, "between two of the 100 marks of pois_history"
    assert result.pois == result.n_infeasible / result.nfev > 0
    assert result.pois_history[-1].tolist() == [result.nfev, result.n_infeasible]
    missed = minimize(fun, BOUNDS, target=-1, budget=100, rng=1)
    assert (missed.success, missed.status, missed.nfev) == (False, 0, 100)


def test_an_angle_wraps_while_a_length_mirrors():
    """The first trials before repair are those of the same draws in a box that nothing leaves."""
    init = np.random.default_rng(1).random((30, 2))

    def first_trials(bounds, **options):
        seen = []
        options |= {"vectorized": True, "init": init, "budget": 60, "F": 0.9, "Cr": 0.9, "rng": 1}
        minimize(lambda X: seen.append(X.T) or X[0], bounds, **options)
        return seen[1]

    V = first_trials([(-99, 99)] * 2)
    U = first_trials([(0, 1)] * 2, strategy=["toroidal", "mirror"])
    outside = np.abs(V - 0.5) > 0.5
    assert outside.sum(axis=0).min() > 3
    np.testing.assert_allclose(U[:, 0], V[:, 0] % 1.0)
    np.testing.assert_allclose(U[:, 1], 1 - np.abs(V[:, 1] % 2 - 1))


@pytest.mark.parametrize("fun", [squares, compiled_squares], ids=["python", "compiled"])
def test_the_callback_sees_every_generation_and_may_stop_the_run(fun):
    seen = []

    def callback(intermediate_result):
        seen.append(intermediate_result)
        if len(seen) == 4:
            raise StopIteration

    result = minimize(fun, BOUNDS, "DE/rand/1/bin", N=20, budget=1000, callback=callback, rng=1)
    assert [state.nfev for state in seen] == [20, 40, 60, 80]
    assert all(state.keys() >= FIELDS for state in seen)
    assert (result.status, result.success, result.message) == (2, False, "stopped on request")
    assert (result.nfev, result.fun) == (80, seen[-1].fun)
    with pytest.raises(KeyError):
        minimize(squares, BOUNDS, budget=100, callback=lambda _: {}["other errors pass through"])


def test_a_callback_that_returns_true_stops_the_run():
    options = {"variant": "DE/rand/1/bin", "N": 20, "rng": 1}
    result = minimize(squares, BOUNDS, budget=1000, callback=lambda result: result.nfev >= 60, **options)
    assert (result.status, result.nfev) == (2, 60)
    assert minimize(squares, BOUNDS, budget=100, callback=lambda result: result.nfev < 0, **options).nfev == 100


def test_the_initial_population_is_the_one_given():
    init = np.random.default_rng(4).uniform([-1, 0.25, -3], [1, 2, 4], (9, 3))
    seen = []
    result = minimize(lambda x: seen.append(x.copy()) or squares(x), BOUNDS, init=init, budget=9, rng=1)
    np.testing.assert_array_equal(seen, init)
    assert (result.nfev, result.nit, result.pois) == (9, 0, 0.0)


def test_progress_is_printed_when_asked_for(capsys):
    minimize(squares, BOUNDS, N=20, budget=2000, rng=1)
    assert capsys.readouterr().out == ""
    result = minimize(squares, BOUNDS, N=20, budget=2000, disp=True, rng=1)
    lines = capsys.readouterr().out.splitlines()
    assert 10 <= len(lines) <= 30
    assert lines[-1].split()[:4] == ["2000", "of", "2000", "evaluations"]
    assert f"{result.pois:.3f}" in lines[-1]
