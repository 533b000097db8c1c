import re
import warnings
from dataclasses import replace

import numba
import numba.core.event
import numpy as np
import pytest
from comparisons import assert_same_result
from for_each import for_each
from scipy.optimize import Bounds, OptimizeResult

from debox import Optimizer, jit, minimize, registry
from debox.registry import in_slot

BOUNDS = [(-1.0, 1.0), (0.25, 2.0), (-3.0, 4.0)]
FIELDS = {"x", "fun", "nfev", "nit", "success", "status", "message", "population", "population_energies"}
FIELDS |= {"pois", "n_infeasible", "infeasible_per_dimension", "pois_history", "n_nan"}


def squares(x, centre=0.3):
    """For a point (n,) and for points (n, S), with the same roundings."""
    total = 0.0
    for i in range(len(x)):
        total = total + (x[i] - centre) * (x[i] - centre)
    return total


compiled_squares = numba.njit(squares)


def asked_and_told(**options):
    optimizer = Optimizer(BOUNDS, **options)
    while not optimizer.done:
        X = optimizer.ask()
        optimizer.tell(X, [squares(x) for x in X])
    return optimizer.result


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("options", ADAPTIVE.values(), ids=ADAPTIVE)
def test_an_adaptive_run_is_the_same_in_one_compiled_call_in_python_and_by_ask_and_tell(options):
    compiled = minimize(compiled_squares, BOUNDS, rng=1, **options)
    assert_same_result(asked_and_told(rng=1, **options), compiled)
    with jit.interpreted():
        assert_same_result(minimize(squares, BOUNDS, rng=1, **options), compiled)
    assert compiled.nfev == options["budget"] or compiled.fun <= options["target"]


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


@pytest.mark.slow
@for_each("mutation", in_slot("mutation"), ids=lambda operator: operator.name)
@for_each("crossover", in_slot("crossover"), ids=lambda operator: operator.name)
def test_every_variant_finds_the_bottom_of_a_bowl(mutation, crossover):
    result = minimize(squares, BOUNDS, f"DE/{mutation.name}/{crossover.name}", vectorized=True, budget=12_000, rng=1)
    np.testing.assert_allclose(result.x, 0.3, atol=1e-3)


@pytest.mark.slow
@for_each("strategy", [s for s in in_slot("strategy") if not s.leaves_outside], ids=lambda operator: operator.name)
def test_every_strategy_finds_a_corner_of_the_box(strategy):
    """The best point of a plane is a corner: all moves towards it lead outside."""
    result = minimize(lambda x: x.sum(axis=0), BOUNDS, strategy=strategy.name, vectorized=True, budget=9000, rng=1)
    np.testing.assert_allclose(result.x, [-1, 0.25, -3], atol=0.02)
    assert result.n_infeasible > 0


# The minimum of each, 0, lies off the middle of the box.
def sphere(x):
    return (x**2).sum(axis=0)


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(axis=0)


def ackley(x):
    roof = 20 * np.exp(-0.2 * np.sqrt((x**2).mean(axis=0)))
    return 20 + np.e - roof - np.exp(np.cos(2 * np.pi * x).mean(axis=0))


def rastrigin(x):
    return (x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "bounds", "good"),
    [
        (sphere, (-3, 7), 1e-6),
        (ackley, (-20, 40), 1e-6),
        (rosenbrock, (-5, 10), 1e-2),
        (rastrigin, (-4, 6), 1.0),  # of its 10¹⁰ valleys the lowest or, for one variable, the next one
    ],
)
def test_ten_variables_and_no_settings_give_a_good_answer(fun, bounds, good):
    results = [minimize(fun, [bounds] * 10, vectorized=True, rng=seed).fun for seed in range(3)]
    assert np.median(results) < good


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


@pytest.mark.slow
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


@pytest.fixture
def compilations():
    """What Numba compiles during the test."""
    seen = []

    class Seen(numba.core.event.Listener):
        def on_start(self, event):
            seen.append(event.data["dispatcher"])

        def on_end(self, event):
            pass

    listener = Seen()
    numba.core.event.register("numba:compile", listener)
    yield seen
    numba.core.event.unregister("numba:compile", listener)


@numba.njit
def weighted(x, weights, shift):
    total = shift
    for i in range(x.size):
        total += weights[i] * (x[i] - 0.3) ** 2
    return total


def weigh(weights, shift, **options):
    return minimize(weighted, BOUNDS, args=(weights, shift), budget=300, rng=1, **options)


@pytest.mark.slow
def test_a_compiled_objective_is_compiled_once_for_args_of_the_same_types(compilations):
    first = weigh(np.ones(3), 0.5)
    assert weighted in compilations  # the listener hears
    compilations.clear()
    assert weigh(np.ones(3), 1.5).fun == pytest.approx(first.fun + 1)
    for k in range(40):  # more than are kept of compiled objectives
        weigh(np.arange(3.0) + k, -float(k))
    assert compilations == []


@pytest.mark.slow
@pytest.mark.parametrize("weights", [np.arange(1.0, 4), np.arange(1, 7)[::-2]], ids=str)
def test_args_of_a_compiled_objective_mean_what_they_mean_to_python(weights):
    """Numbers and integers, beside each other in memory and not: other types, for which it is compiled anew."""
    expected = minimize(weighted.py_func, BOUNDS, args=(weights, 0.5), budget=300, rng=1)
    assert_same_result(weigh(weights, 0.5), expected)
    weights[:] = weights[::-1].copy()
    assert weigh(weights, 0.5).fun != expected.fun


@pytest.mark.slow
def test_an_array_that_has_changed_since_the_last_call_is_read_again():
    weights = np.ones(3)
    before = weigh(weights, 0.0)
    weights[:] = [5.0, 0.0, 1.0]
    after = weigh(weights, 0.0)
    assert_same_result(after, minimize(weighted.py_func, BOUNDS, args=(weights, 0.0), budget=300, rng=1))
    assert after.fun != before.fun


@pytest.mark.slow
def test_signed_zeros_are_told_apart():
    sign = numba.njit(lambda x, zero: np.copysign(1.0, zero))
    assert [minimize(sign, BOUNDS, args=(zero,), budget=30, rng=1).fun for zero in (0.0, -0.0)] == [1.0, -1.0]


calls = []


def counted(x):
    with numba.objmode():
        calls.append(1)
    return x[0]


@pytest.mark.slow
@pytest.mark.parametrize("fun", [numba.njit(counted), lambda x: calls.append(1) or x[0]], ids=["compiled", "python"])
def test_the_objective_is_called_as_often_as_the_budget_says(fun):
    for budget in (7, 8, 35, 41):
        calls.clear()
        assert minimize(fun, BOUNDS, N=7, budget=budget, rng=1).nfev == len(calls) == budget


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


def rows_for_points(X):
    """An objective that takes the rows of X for points."""
    return (X**2).sum(axis=1)


@pytest.mark.parametrize(
    ("N", "n", "S"), [(5, 5, 3), (4, 4, 3), (3, 3, 2), (8, 8, 5), (8, 3, 8), (3, 8, 3)], ids=lambda value: str(value)
)
def test_a_vectorised_objective_that_takes_rows_for_points_is_told_so(N, n, S):
    shapes = rf"\(n, S\) = \({n}, {S}\), one column per point, and must return S = {S} values, got shape \({n},\)"
    with pytest.raises(ValueError, match=f"^the objective got an array of shape {shapes}"):
        minimize(rows_for_points, [(-1, 1)] * n, N=N, budget=10 * N, vectorized=True, rng=1)


def test_with_as_many_points_as_variables_only_the_first_generation_is_split_and_the_result_is_the_same():
    shapes = []
    options = {"bounds": [(-1, 1)] * 5, "variant": "DE/rand/1/bin", "N": 5, "budget": 18, "rng": 1}
    result = minimize(lambda X: shapes.append(X.shape) or squares(X), vectorized=True, **options)
    assert shapes == [(5, 3), (5, 2), (5, 5), (5, 5), (5, 3)]
    assert_same_result(result, minimize(squares, **options))


def test_a_wrong_shape_in_the_last_generation_only_is_an_error():
    shapes = r"\(n, S\) = \(3, 5\), one column per point, and must return S = 5 values, got shape \(10,\)"
    with pytest.raises(ValueError, match=shapes) as caught:
        minimize(lambda X: np.zeros(10), BOUNDS, N=10, budget=25, vectorized=True, rng=1)
    assert "debox: 20 evaluations were done in the generations before" in caught.value.__notes__


def masked_result(x):
    return np.ma.masked


def masked_results(X):
    return np.ma.array(X[0], mask=X[0] > 0)


@pytest.mark.parametrize(
    ("fun", "options"),
    [(masked_result, {}), (masked_result, {"workers": 2}), (masked_results, {"vectorized": True})],
    ids=["python", "processes", "vectorised"],
)
def test_a_masked_value_is_an_error(fun, options):
    with pytest.raises(ValueError, match=r"(?s)the objective must return .*: masked values are no numbers"):
        minimize(fun, BOUNDS, budget=100, rng=1, **options)


def sometimes_nan(x):
    return np.nan if x[0] > 0 else x[0] + x[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "options"),
    [
        (sometimes_nan, {}),
        (numba.njit(sometimes_nan), {}),
        (sometimes_nan, {"workers": 2}),
        (lambda X: np.where(X[0] > 0, np.nan, X[0] + X[1]), {"vectorized": True}),
    ],
    ids=["python", "compiled", "processes", "vectorised"],
)
def test_nan_is_worse_than_anything_and_one_warning_points_at_the_call(fun, options):
    with pytest.warns(RuntimeWarning, match="NaN") as caught:
        result = minimize(fun, BOUNDS, budget=2000, rng=1, **options)
    assert [warning.filename for warning in caught] == [__file__]
    assert 0 < result.n_nan < 2000
    np.testing.assert_allclose(result.x[:2], [-1, 0.25], atol=0.02)
    assert result.success


def test_nothing_but_nan_is_no_success():
    with pytest.warns(RuntimeWarning, match="NaN"):
        result = minimize(lambda x: np.nan, BOUNDS, budget=100, rng=1)
    assert (result.success, result.n_nan, result.nfev) == (False, 100, 100)
    assert np.isnan(result.fun)


@pytest.mark.slow
def test_no_warning_of_the_compiler_reaches_the_caller():
    for variant in ("DE/rand/1/bin", "DE/best/1/exp"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            minimize(numba.njit(lambda x: x[0]), BOUNDS, variant, budget=100, rng=1)


def raises(x):
    if x[0] < 2.0:  # always, in this box
        raise ArithmeticError("no value here")
    return x[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "options"),
    [
        (raises, {}),
        (numba.njit(raises), {}),
        (numba.njit(raises), {"callback": print}),
        (raises, {"workers": 2}),
        (lambda X: raises(X[:, 0]), {"vectorized": True}),
    ],
    ids=["python", "compiled", "compiled, watched", "processes", "vectorised"],
)
def test_an_error_in_the_objective_passes_through(fun, options):
    with pytest.raises(ArithmeticError, match="no value here"):
        minimize(fun, BOUNDS, budget=100, rng=1, **options)


def raises_in_a_corner(x):
    if x[0] > 0.9:
        raise ArithmeticError
    return -x[0]  # leads there


def test_an_error_in_the_objective_notes_the_point_and_how_far_the_run_was():
    init = np.full((5, 3), 0.5)
    with pytest.raises(ArithmeticError) as caught:
        minimize(raises_in_a_corner, BOUNDS, init=[*init, [0.95, 0.5, 1.0]], budget=100)
    point, done = caught.value.__notes__
    assert point == "debox: the objective was called with x = [0.95, 0.5, 1.0]"
    assert done == "debox: 0 evaluations were done in the generations before"


@pytest.mark.slow
def test_an_error_in_a_compiled_run_notes_how_far_it_was_and_how_to_learn_more():
    notes, init = [], np.random.default_rng(1).uniform([-1, 0.25, -3], [0.5, 2, 4], (30, 3))
    for options in ({}, {"callback": lambda _: None}):
        with pytest.raises(ArithmeticError) as caught:
            minimize(numba.njit(raises_in_a_corner), BOUNDS, init=init, budget=900, rng=1, **options)
        notes.append(caught.value.__notes__)
    (done, hint), (point, same_done) = notes
    assert done == same_done
    evaluations = int(done.split()[1])
    assert evaluations > 0
    assert evaluations % 30 == 0
    assert "callback or disp" in hint
    assert re.search(r"x = \[(0\.9\d+|1\.0), ", point)


def scribbles(x):
    value = x[0] + 0.0
    x[:] = 99.0
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "options"),
    [(scribbles, {}), (numba.njit(scribbles), {}), (scribbles, {"vectorized": True})],
    ids=["python", "compiled", "vectorised"],
)
def test_an_objective_that_scribbles_on_its_point_does_no_harm(fun, options):
    assert_same_result(
        minimize(fun, BOUNDS, budget=200, rng=1, **options), minimize(lambda x: x[0], BOUNDS, budget=200, rng=1)
    )


def argument(value):
    """A test's id: the names of the wrong arguments."""
    return " ".join(value) if isinstance(value, dict) else ""


@for_each(
    ("wrong", "message"),
    [
        ({"bounds": [(0, 1), (0, np.nan)]}, r"bounds\[1\] = \(0.0, nan\): both must be finite and lower < upper"),
        ({"bounds": [(2, 1)]}, r"bounds\[0\] = \(2.0, 1.0\): both must be finite and lower < upper"),
        ({"bounds": 5}, r"bounds must be a sequence of \(lower, upper\) pairs, got 5"),
        (
            {"N": 2},
            "N must be an integer ≥ 3, got 2: current-to-pbest/1 needs 2 distinct donors besides the target",
        ),
        ({"N": 4, "variant": "DE/rand/2/bin"}, "N must be an integer ≥ 5, got 4: rand/2 needs 5 distinct donors"),
        ({"N": 20.0}, r"N must be an integer ≥ 3, got 20\.0"),
        ({"F": 0}, "F must be a number with 0 < F ≤ 2, got 0"),
        ({"Cr": 1.1}, r"Cr must be a number with 0 ≤ Cr ≤ 1, got 1\.1"),
        ({"budget": 19, "N": 20}, "budget must be an integer ≥ 20, got 19: N = 20 points start the run"),
        ({"budget": 1e5, "N": 20}, r"budget must be an integer ≥ 20, got 100000\.0"),
        (
            {"budget": 2, "variant": "DE/rand/1/bin"},
            "^budget must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors$",
        ),
        (
            {"budget": 8, "init": np.full((9, 3), 0.5)},
            "^budget must be an integer ≥ 9, got 8: the 9 points of init start",
        ),
        ({"target": np.nan}, "target must be .*finite.*, got nan"),
        ({"rng": -1}, "rng must be an integer ≥ 0, a numpy Generator or None, got -1"),
        ({"rng": "lucky"}, "rng must be an integer ≥ 0, a numpy Generator or None, got 'lucky'"),
        ({"init": np.zeros((9, 2))}, r"init must have shape \(N, 3\), got \(9, 2\)"),
        ({"init": np.zeros((9, 3))}, r"init\[0\].*outside"),  # 0 < 0.25
        ({"init": np.full((9, 3), 0.5), "N": 10}, "init has 9 points, but N = 10"),
        (
            {"init": np.full((2, 3), 0.5), "variant": "DE/rand/1/bin"},
            "^the number of points in init must be an integer ≥ 3, got 2: rand/1 needs 3",
        ),
        (
            {"variant": "DE/rand/9/bin"},
            r"unknown mutation 'rand/9'; did you mean 'rand/[12]'\? choose from rand/1",
        ),
        ({"variant": "rand1bin"}, "'rand1bin' does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin'"),
        ({"variant": None}, "variant None does not read as DE/mutation/crossover"),
        ({"strategy": "rand1bin"}, "that is a DE variant: pass it as variant='DE/rand/1/bin'"),
        ({"strategy": "torodial"}, r"unknown strategy 'torodial'; did you mean 'toroidal'\? choose from saturation"),
        ({"strategy": ["mirror"]}, r"strategy must be one name or one per variable \(3\), got 1"),
        ({"strategy": ["mirror", "dism", "sat"]}, "'dismiss' repairs the whole trial: it cannot be mixed"),
        ({"donors": "nottarget"}, r"unknown donors 'nottarget'; did you mean 'not-target'\? choose from distinct"),
    ],
    ids=argument,
)
def test_wrong_settings_are_errors_that_name_the_argument_the_value_and_what_is_allowed(wrong, message):
    settings = {"bounds": BOUNDS} | wrong
    with pytest.raises(ValueError, match=message):
        minimize(squares, **settings)
    with pytest.raises(ValueError, match=message):
        Optimizer(**settings)


def test_a_keyword_of_scipy_is_a_type_error_that_says_what_to_use():
    with pytest.raises(TypeError, match=r"^unknown option 'popsize'; use N, the size of the whole population$"):
        minimize(squares, BOUNDS, popsize=15)
    with pytest.raises(TypeError, match=r"^unknown option 'maxiter'; use budget"):
        Optimizer(BOUNDS, maxiter=100)
    with pytest.raises(TypeError, match=r"^unknown option 'workers'; choose from bounds, variant, .*, target$"):
        Optimizer(BOUNDS, workers=2)


@for_each(
    ("wrong", "message"),
    [
        ({"fun": 3}, "fun must be callable, got 3"),
        ({"workers": 0}, "workers must be an integer ≥ 1, -1 for all cores or a map-like callable, got 0"),
        ({"callback": 3}, "callback must be callable, got 3"),
        ({"callback": lambda xk, convergence: None}, r"callback must take one argument.*got \(xk, convergence\)"),
        ({"vectorized": "yes"}, "vectorized must be True or False, got 'yes'"),
        ({"disp": "no"}, "disp must be True or False, got 'no'"),
        ({"fun": compiled_squares, "args": ("s",)}, "Numba cannot compile the objective 'squares' with its args: No"),
        ({"fun": compiled_squares, "args": ("s",), "disp": True}, "Numba cannot compile the objective 'squares' with"),
        ({"fun": lambda X: X, "vectorized": True}, r"\(3, 20\), one column per point, .* S = 20 values, got shape"),
        ({"fun": lambda X: X[0, 1:], "vectorized": True}, r"must return S = 20 values, got shape \(19,\)"),
        ({"fun": lambda x: x}, r"the objective must return a number, got an array of shape \(3,\)"),
    ],
    ids=argument,
)
def test_what_is_wrong_about_the_objective_is_an_error(wrong, message):
    with pytest.raises(ValueError, match=message):
        minimize(**{"fun": squares, "bounds": BOUNDS, "N": 20, "budget": 40} | wrong)


def test_args_may_be_a_list_as_scipy_takes_it():
    def f(x, a, b):
        return float(((x - a) ** 2).sum() + b)

    options = {"budget": 100, "rng": 1}
    assert (
        minimize(f, [(0, 5)] * 2, args=[1, 2], **options).fun == minimize(f, [(0, 5)] * 2, args=(1, 2), **options).fun
    )


class TakesNoNotes(ValueError):
    __notes__ = ()


def test_an_error_that_takes_no_note_is_still_the_error():
    def f(x):
        raise TakesNoNotes("the cause")

    with pytest.raises(TakesNoNotes, match="the cause"):
        minimize(f, [(0, 1)] * 3, budget=60)


@pytest.mark.parametrize("donors", ["distinct", "not-target", "not-parents"])
@pytest.mark.parametrize("n", [1, 10])
def test_the_registry_is_asked_once_for_each_operator(monkeypatch, n, donors):
    asked, find = [], registry.find
    monkeypatch.setattr(registry, "find", lambda slot, name: (asked.append(slot), find(slot, name))[1])
    minimize(squares, [(-1, 1)] * n, "DE/rand/1/bin", strategy="tor", donors=donors, budget=100, rng=1)
    assert sorted(asked) == ["adaptation", "crossover", "donors", "mutation", "strategy"]
    asked.clear()
    minimize(squares, [(-1, 1)] * n, strategy=["mirror"] * n, donors=donors, budget=100, rng=1)
    assert sorted(asked) == ["adaptation", "crossover", "donors", "mutation", "strategy"]


def test_operators_instead_of_their_names_do_the_same_run():
    mirror, toroidal = (registry.find("strategy", name) for name in ("mirror", "toroidal"))
    donors = registry.find("donors", "not-target")
    box = [(-1, 1)] * 2
    for operators, names in [
        (toroidal, "tor"),
        ([mirror, toroidal], ["mirr", "tor"]),
        ([mirror, "tor"], ["mirr", "tor"]),
    ]:
        given, named = (
            minimize(squares, box, strategy=strategy, donors=rule, budget=100, rng=1)
            for strategy, rule in [(operators, donors), (names, "not-target")]
        )
        assert given.population.tolist() == named.population.tolist()
    unregistered = replace(mirror, name="mine", short="mine")
    for strategy in (unregistered, [mirror, unregistered]):
        with pytest.raises(ValueError, match=r"^strategy 'mine' is not registered; call debox\.register"):
            minimize(squares, box, strategy=strategy)


@pytest.mark.slow
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
    compiled = minimize(numba.njit(lambda x: ((x - 0.9) ** 2).sum()), [(0, 1)] * 2, **options)
    assert compiled.population == pytest.approx(one_by_one.population)
