"""The same seed gives the same run, however the objective is called."""

import numba
import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, asked_and_told, compiled_squares, squares
from scipy.optimize import Bounds

from debox import jit, minimize

WAYS = {
    "vectorised": lambda **options: minimize(squares, BOUNDS, vectorized=True, **options),
    "two processes": lambda **options: minimize(squares, BOUNDS, workers=2, **options),
    "map": lambda **options: minimize(squares, BOUNDS, workers=map, **options),
    "compiled": lambda **options: minimize(compiled_squares, BOUNDS, **options),
    "compiled, watched": lambda **options: minimize(compiled_squares, BOUNDS, callback=print, **options),
    "compiled, two processes": lambda **options: minimize(compiled_squares, BOUNDS, workers=2, **options),
    "with args": lambda **options: minimize(squares, BOUNDS, args=(0.3,), **options),
    "compiled with args": lambda **options: minimize(compiled_squares, BOUNDS, args=(0.3,), **options),
    "scipy bounds": lambda **options: minimize(squares, Bounds([-1, 0.25, -3], [1, 2, 4]), **options),
    "ask and tell": asked_and_told,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "options",
    [
        {"budget": 155},
        {"variant": "DE/best/1/exp", "strategy": "COTN", "N": 7, "F": 1.5, "donors": "not-parents", "budget": 100},
        {"strategy": ["toroidal", "mirror", "saturation"], "budget": 400, "target": 0.01},
        {"variant": "L-SHADE", "N": 20, "budget": 400},
    ],
    ids=["budget", "COTN", "target", "L-SHADE"],
)
def test_the_same_seed_gives_the_same_result_however_it_is_evaluated(way, options):
    assert_same_result(WAYS[way](rng=1, **options), minimize(squares, BOUNDS, rng=1, **options))


ADAPTIVE = {
    "jDE": {"variant": "jDE", "N": 10, "budget": 205},
    "JADE": {"variant": "JADE", "N": 10, "budget": 205},
    "SHADE": {"variant": "SHADE", "N": 10, "budget": 205, "target": 0.1},
    "L-SHADE": {"variant": "L-SHADE", "N": 20, "budget": 305},
    "mixture": {"variant": "L-SHADE", "mutation": "rand/1", "crossover": "exp", "strategy": "toroidal", "budget": 305},
    "init": {"variant": "L-SHADE", "strategy": "mirror", "init": np.linspace([-1, 1, -2], [1, 2, 4], 9), "budget": 99},
}


@pytest.mark.parametrize("options", ADAPTIVE.values(), ids=ADAPTIVE)
def test_an_adaptive_run_is_the_same_in_one_compiled_call_in_python_and_by_ask_and_tell(options):
    compiled = minimize(compiled_squares, BOUNDS, rng=1, **options)
    assert_same_result(asked_and_told(rng=1, **options), compiled)
    with jit.interpreted():
        assert_same_result(minimize(squares, BOUNDS, rng=1, **options), compiled)
    assert compiled.nfev == options["budget"] or compiled.fun <= options["target"]


calls = []


def counted(x):
    with numba.objmode():
        calls.append(1)
    return x[0]


@pytest.mark.parametrize("fun", [numba.njit(counted), lambda x: calls.append(1) or x[0]], ids=["compiled", "python"])
def test_the_objective_is_called_as_often_as_the_budget_says(fun):
    for budget in (7, 8, 35, 41):
        calls.clear()
        assert minimize(fun, BOUNDS, N=7, budget=budget, rng=1).nfev == len(calls) == budget


def test_with_as_many_points_as_variables_only_the_first_generation_is_split_and_the_result_is_the_same():
    shapes = []
    options = {"bounds": [(-1, 1)] * 5, "variant": "DE/rand/1/bin", "N": 5, "budget": 18, "rng": 1}
    result = minimize(lambda X: shapes.append(X.shape) or squares(X), vectorized=True, **options)
    assert shapes == [(5, 3), (5, 2), (5, 5), (5, 5), (5, 3)]
    assert_same_result(result, minimize(squares, **options))


def scribbles(x):
    value = x[0] + 0.0
    x[:] = 99.0
    return value


@pytest.mark.parametrize(
    ("fun", "options"),
    [(scribbles, {}), (numba.njit(scribbles), {}), (scribbles, {"vectorized": True})],
    ids=["python", "compiled", "vectorised"],
)
def test_an_objective_that_scribbles_on_its_point_does_no_harm(fun, options):
    assert_same_result(
        minimize(fun, BOUNDS, budget=200, rng=1, **options), minimize(lambda x: x[0], BOUNDS, budget=200, rng=1)
    )


def test_args_may_be_a_list_as_scipy_takes_it():
    def f(x, a, b):
        return float(((x - a) ** 2).sum() + b)

    options = {"budget": 100, "rng": 1}
    assert (
        minimize(f, [(0, 5)] * 2, args=[1, 2], **options).fun == minimize(f, [(0, 5)] * 2, args=(1, 2), **options).fun
    )


@numba.njit
def compiled_sphere(x):
    """Compiled once: the loop for another compiled objective takes two seconds."""
    return ((x - 0.9) ** 2).sum()


@pytest.mark.parametrize("strategy", ["penalty", "none", "resample"])
@pytest.mark.parametrize("how", [{"vectorized": True}, {"workers": 2}, {"workers": map}])
def test_strategies_for_whole_points_give_the_same_however_the_objective_is_called(strategy, how):
    calls = []

    def sphere(x):
        calls.append(1)
        return float(((np.asarray(x) - 0.9) ** 2).sum())

    def columns(X):
        return ((X - 0.9) ** 2).sum(axis=0)

    options = {"strategy": strategy, "N": 6, "F": 1.5, "budget": 60, "rng": 5}
    one_by_one = minimize(sphere, [(0, 1)] * 2, **options)
    unseen = one_by_one.n_infeasible if strategy == "penalty" else 0
    assert len(calls) == 60 - unseen
    assert one_by_one.nfev == 60
    assert one_by_one.n_infeasible > 0
    other = minimize(columns if "vectorized" in how else sphere, [(0, 1)] * 2, **options, **how)
    assert other.population == pytest.approx(one_by_one.population)
    compiled = minimize(compiled_sphere, [(0, 1)] * 2, **options)
    assert compiled.population == pytest.approx(one_by_one.population)
