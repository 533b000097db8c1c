"""minimize: what a run returns, shows and heeds, whatever the kind of objective."""

import copy
import io
import pickle
import re
import sys
import warnings
from functools import partial
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, MUTATIONS, RUNS, STRATEGIES, asked_and_told, squares

from debox import Box, Optimizer, loop, minimize

CLASSIC = "DE/rand/1/bin"  # its populations do not shrink
FIELDS = [
    "message",
    "success",
    "status",
    "fun",
    "x",
    "walls",
    "nfev",
    "nfev_polish",
    "nit",
    "n_nan",
    "pois",
    "n_infeasible",
]
FIELDS += ["infeasible_per_dimension", "infeasible_per_bound", "history", "pois_history", "population"]
FIELDS += ["population_energies"]
evolve = partial(minimize, polish=False)  # the run of an Optimizer
WAYS = {
    "vectorised": lambda **options: evolve(squares, BOUNDS, vectorized=True, **options),
    "map": lambda **options: evolve(squares, BOUNDS, workers=map, **options),
    "args": lambda **options: evolve(squares, BOUNDS, args=[0.3], **options),
    "one argument": lambda **options: evolve(squares, Box.of(BOUNDS), args=0.3, **options),
    "watched": lambda **options: evolve(squares, BOUNDS, callback=lambda _: None, disp=True, **options),
    "ask and tell": asked_and_told,
}


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_the_same_seed_gives_the_same_run_however_the_objective_is_called(options):
    expected = evolve(squares, BOUNDS, **options)
    assert expected.nfev == options["budget"] or expected.fun <= options["target"]
    for run in WAYS.values():
        assert_same_result(run(**options), expected)
    assert not np.array_equal(evolve(squares, BOUNDS, **options | {"rng": 2}).x, expected.x)


@pytest.mark.filterwarnings("ignore:the C core")
@pytest.mark.parametrize("strategy", ["mirror", "penalty"])
def test_without_the_core_the_same_bits_come_with_one_warning_that_says_how_to_get_it(monkeypatch, strategy):
    options = {"strategy": strategy, "F": 0.9, "N": 8, "budget": 75, "rng": 1}
    expected = minimize(squares, BOUNDS, **options)
    assert expected.n_infeasible > 0
    monkeypatch.setattr(loop, "_core", None)
    ways = [
        lambda: minimize(squares, BOUNDS, **options),
        lambda: asked_and_told(**options),
        lambda: minimize(squares, BOUNDS, vectorized=True, **options),
    ]
    loop.warn_that_the_core_is_missing.cache_clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [way() for way in ways]
    (warning,) = caught
    assert warning.filename == __file__
    assert re.search(r"C core .* is not installed: .*gcc.* pip install --", str(warning.message))
    for result in results:
        assert_same_result(result, expected)
    optimizer = Optimizer(BOUNDS, **options)
    assert_same_result(pickle.loads(pickle.dumps(optimizer)).result, optimizer.result)


def test_the_result_says_what_was_found_and_what_happened_at_the_walls():
    result = minimize(squares, BOUNDS, CLASSIC, N=20, budget=1010, rng=1)
    assert list(result) == FIELDS
    assert result.population.shape == (20, 3)
    assert result.fun == result.population_energies.min() == squares(result.x)
    assert (result.nfev, result.nit) == (1010, 50)  # 20 to start, 49 generations of 20, one of 10
    assert (result.success, result.status, result.n_nan) == (True, 0, 0)
    assert result.message == "the budget of 1010 evaluations is spent"
    assert result.pois == result.n_infeasible / 1010 > 0
    assert result.infeasible_per_dimension.sum() >= result.n_infeasible
    assert result.pois_history[-1].tolist() == [1010, result.n_infeasible]
    assert result.pois_history[:, 0].tolist() == [-(-1010 * k // 100) for k in range(1, 101)]  # hundredths, rounded up
    assert (np.diff(result.pois_history[:, 1]) >= 0).all()


def test_a_result_is_a_dictionary_whose_entries_are_attributes():
    Result = type(Optimizer(BOUNDS, budget=100).result)
    result = Result(x=np.array([[1.0], [2.0]]), message="spent")
    result.more = 1
    assert result["more"] == result.more == 1
    del result["more"]
    assert list(result) == ["x", "message"]
    assert {"x", "message", "items"} <= set(dir(result))
    assert not hasattr(result, "more")
    with pytest.raises(AttributeError, match=r"^a result has no 'X'; it has x, message$"):
        _ = result.X
    assert repr(result) == "      x: [[1.]\n          [2.]]\nmessage: spent"
    assert repr(Result()) == ""
    for twin in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert type(twin) is Result
        assert_same_result(twin, result)


@pytest.mark.parametrize("vectorized", [False, True])
def test_a_run_that_reaches_its_target_ends_and_divides_by_the_evaluations_done(vectorized):
    options = {"vectorized": vectorized, "N": 19, "F": 0.9, "rng": 3, "polish": False}
    result = minimize(squares, BOUNDS, target=0.003, budget=10_000, **options)
    assert (result.success, result.status, result.message) == (True, 1, "the target 0.003 is reached")
    assert 100 < result.nfev < 1900, "between two of the 100 marks of pois_history"
    assert result.pois == result.n_infeasible / result.nfev > 0
    assert result.pois_history[-1].tolist() == [result.nfev, result.n_infeasible]
    assert (np.diff(result.pois_history[:, 0]) > 0).all()
    before = minimize(squares, BOUNDS, target=0.003, budget=10_000, callback=lambda now: now.nfev > 50, **options)
    assert before.fun > 0.003  # and so the callback stopped it
    missed = evolve(squares, BOUNDS, target=-1, budget=100, rng=1)
    assert (missed.success, missed.status, missed.nfev) == (False, 0, 100)
    assert missed.message == "the budget of 100 evaluations is spent; the target -1.0 is not reached"
    assert minimize(lambda x: 2.0, BOUNDS, target=2, budget=100).status == 1


def test_a_population_that_shrinks_is_that_of_the_moment():
    seen = []
    result = minimize(squares, BOUNDS, "L-SHADE", callback=seen.append, budget=400, N=20, rng=1)
    # the initial population, then 20 − 16 · evaluations/400 after 40, 58 and 76 evaluations: 18.4, 17.68, 16.96
    assert [now.population.shape for now in seen[:4]] == [(20, 3), (18, 3), (18, 3), (17, 3)]
    assert [now.nfev for now in seen[:4]] == [20, 40, 58, 76]
    assert result.population.shape == (4, 3)
    assert len(result.population_energies) == 4
    assert result.fun == result.population_energies.min() == squares(result.x)


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
    assert (np.abs(V - 0.5) > 0.5).sum(axis=0).min() > 3
    np.testing.assert_allclose(U[:, 0], V[:, 0] % 1.0)
    np.testing.assert_allclose(U[:, 1], 1 - np.abs(V[:, 1] % 2 - 1))


class Log(list):
    """A callback that is false as long as it is empty."""

    def __call__(self, intermediate_result):
        self.append(intermediate_result)
        if len(self) == 4:
            raise StopIteration


def test_the_callback_sees_every_generation_and_may_stop_the_run():
    log, options = Log(), {"variant": CLASSIC, "N": 20, "rng": 1}
    result = minimize(squares, BOUNDS, budget=1000, callback=log, **options)
    assert [now.nfev for now in log] == [20, 40, 60, 80]
    assert [now.nit for now in log] == [0, 1, 2, 3]
    assert all(now.message == f"not finished: {now.nfev} of 1000 evaluations done" for now in log)
    assert all(later.fun <= earlier.fun for earlier, later in pairwise(log))
    assert (result.status, result.success, result.message) == (2, False, "stopped on request")
    assert (result.nfev, result.fun) == (80, log[-1].fun)
    assert [*log[-1]] == [name for name in result if name != "walls"]  # these take longer than a generation
    assert minimize(squares, BOUNDS, budget=1000, callback=lambda now: now.nfev >= 60, **options).nfev == 60
    assert minimize(squares, BOUNDS, budget=100, callback=lambda now: 0, **options).nfev == 100
    with pytest.raises(KeyError):
        minimize(squares, BOUNDS, budget=100, callback=lambda _: {}["other errors pass"])


def test_progress_is_printed_when_asked_for(capsys):
    options = {"variant": CLASSIC, "N": 20, "budget": 2000, "rng": 1}
    minimize(squares, BOUNDS, **options)
    assert capsys.readouterr().out == ""
    result = minimize(squares, BOUNDS, disp=True, **options)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    # every twentieth of the budget, 101 evaluations, is over with the next generation of 20
    assert [int(line[0]) for line in lines] == [-(-101 * k // 20) * 20 for k in range(1, 20)] + [2000]
    assert lines[-1][1:5] == ["of", "2000", "evaluations", "f"]
    assert lines[-1][6:] == [f"{result.fun:.6g}", "POIS", "=", f"{result.pois:.3f}"]


def test_the_last_line_of_progress_is_that_of_the_result(capsys):
    result = minimize(squares, BOUNDS, disp=True, budget=2000, rng=1)
    assert result.nfev < 2000
    assert result.nfev_polish > 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split()[:6] == [str(result.nfev), "of", "2000", "evaluations", "f", "="]
    assert f"{result.fun:.6g}" in last


def last_line(terminal):
    """What is shown at last, without colours."""
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", terminal.getvalue()).replace("\r", "\n").strip().splitlines()[-1]


def test_where_a_notebooks_kernel_is_imported_but_not_at_work_lines_are_printed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    minimize(squares, BOUNDS, budget=200, rng=1, disp=True)
    assert capsys.readouterr().out.splitlines()[0].split()[1:4] == ["of", "200", "evaluations"]


def test_on_a_terminal_a_bar_shows_the_best_value_pois_and_the_time_left_until_the_run_ends(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdout", terminal)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    result = minimize(squares, BOUNDS, disp=True, budget=2000, rng=1, tol=None, polish=False)
    assert re.fullmatch(
        rf"100 % .* f = {result.fun:.6g} +POIS = {result.pois:.3f} 0:00:00 left", last_line(terminal).strip()
    )
    hides, shows = "\x1b[?25l", "\x1b[?25h"  # the cursor
    assert terminal.getvalue().count(hides) == terminal.getvalue().count(shows) == 1
    with pytest.raises(ZeroDivisionError):
        minimize(lambda x: 1 / 0, BOUNDS, disp=True, budget=2000, rng=1)
    assert terminal.getvalue().count(shows) == 2
    stopped = minimize(squares, BOUNDS, disp=True, budget=2000, rng=1, callback=lambda now: now.nfev > 1000)
    assert 1000 < stopped.nfev < 1100
    assert f" {100 * stopped.nfev / 2000:.0f} % " in last_line(terminal)
    assert f"f = {stopped.fun:.6g} " in last_line(terminal)


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_the_objective_writes_into_its_argument_or_keeps_of_it_is_not_the_population(vectorized):
    kept, options = [], {"vectorized": vectorized, "N": 10, "budget": 205, "rng": 1}

    def scribbles(x):
        value = x[0] + 0.0
        kept.extend([x, value] if vectorized else [x])
        x[:] = 99.0
        return value

    def scribbles_later(now):
        for array in (*kept, now.x, now.population, now.population_energies):
            array[...] = -99.0

    result = minimize(scribbles, BOUNDS, callback=scribbles_later, **options)
    assert_same_result(result, minimize(lambda x: x[0], BOUNDS, **options))


def test_the_initial_population_is_the_one_given_and_stays_the_callers():
    init = np.random.default_rng(4).uniform([-1, 0.25, -3], [1, 2, 4], (9, 3))
    seen, mine = [], init.copy()
    result = minimize(lambda x: seen.append(x) or squares(x), BOUNDS, CLASSIC, init=mine, budget=40, rng=1)
    np.testing.assert_array_equal(seen[:9], init)
    np.testing.assert_array_equal(mine, init)
    assert (len(seen), result.nfev, result.nit) == (40, 40, 4)  # the last generation has 4 trials


def test_penalised_trials_count_as_evaluations_and_are_not_seen():
    calls = []
    options = {"strategy": "penalty", "variant": CLASSIC, "N": 6, "F": 2, "Cr": 1, "budget": 600, "rng": 5}
    result = minimize(lambda x: calls.append(x) or -x.sum(), [(0, 1)] * 9, **options)  # leads into a corner
    assert (result.nfev, len(calls)) == (600, 600 - result.n_infeasible)
    assert result.n_infeasible > 500, "in some generations nothing is seen"
    assert Box.of([(0, 1)] * 9).contains(np.array(calls)).all()
    assert_same_result(minimize(lambda X: -X.T.sum(axis=1), [(0, 1)] * 9, vectorized=True, **options), result)


def test_with_none_points_outside_are_evaluated_and_x_may_be_one():
    result = minimize(lambda x: x[0], [(0, 1)], strategy="none", budget=300, rng=1)
    assert result.fun == result.x[0] < 0
    assert result.message == "the budget of 300 evaluations is spent; x lies outside the bounds"
    assert result.success


# What is found.


def test_every_variant_finds_the_bottom_of_a_bowl_and_every_strategy_a_corner_of_the_box():
    """The best point of a plane is a corner: all moves towards it lead outside."""
    options = {"vectorized": True, "budget": 12_000, "rng": 1}
    for variant in [f"DE/{mutation}/{crossover}" for mutation in MUTATIONS for crossover in ("bin", "exp")]:
        result = minimize(squares, BOUNDS, variant, target=1e-6, **options)
        np.testing.assert_allclose(result.x, 0.3, atol=1e-3, err_msg=variant)
    for strategy in STRATEGIES[:-1]:  # without none
        result = minimize(lambda x: x.sum(axis=0), BOUNDS, strategy=strategy, target=-3.75 + 0.02, **options)
        np.testing.assert_allclose(result.x, [-1, 0.25, -3], atol=0.02, err_msg=strategy)
        assert result.n_infeasible > 0, strategy


@pytest.mark.parametrize(
    ("fun", "bounds", "good"),  # the minimum of each, 0, lies off the middle of the box
    [
        (lambda x: (x**2).sum(axis=0), (-3, 7), 1e-6),
        (lambda x: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(axis=0), (-5, 10), 1e-2),
        (lambda x: (x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum(axis=0), (-4, 6), 1.0),  # or one valley beside it
    ],
    ids=["sphere", "Rosenbrock", "Rastrigin"],
)
def test_ten_variables_and_no_settings_give_a_good_answer(fun, bounds, good):
    results = [minimize(fun, [bounds] * 10, vectorized=True, target=good, rng=seed) for seed in range(3)]
    assert sum(result.success for result in results) >= 2  # their median is good


# Values that are no ordinary numbers.


@pytest.mark.parametrize("vectorized", [False, True])
def test_nan_is_worse_than_anything_and_counted(vectorized):
    options = {"vectorized": vectorized, "budget": 2000, "rng": 1}
    with pytest.warns(RuntimeWarning, match="the objective returned NaN: treated as worse than anything") as caught:
        result = minimize(lambda X: np.where(X[0] > 0, np.nan, X[0] + X[1]), BOUNDS, **options)
    assert len(caught) == 1
    assert 0 < result.n_nan < 2000
    np.testing.assert_allclose(result.x[:2], [-1, 0.25], atol=0.02)
    assert result.success


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.filterwarnings("ignore:the objective returned NaN")
def test_nothing_but_a_value_that_is_not_finite_is_no_success(value):
    result = minimize(lambda x: value, BOUNDS, budget=100, rng=1)
    np.testing.assert_equal(result.fun, value)
    assert (result.success, result.status, result.nfev) == (False, 0, 100)
    assert result.message == "the budget of 100 evaluations is spent; no finite value was found"
    assert result.n_nan == (100 if np.isnan(value) else 0)


def test_infinity_is_worse_than_numbers_and_on_a_plateau_every_trial_replaces_its_target():
    result = minimize(lambda x: np.inf if x[0] > -0.9 else x[1], BOUNDS, budget=2000, rng=1)
    assert result.fun == pytest.approx(0.25, abs=0.02)
    assert (result.success, result.n_nan) == (True, 0)
    seen, options = [], {"N": 9, "budget": 54, "vectorized": True, "rng": 1}
    result = minimize(lambda X: seen.append(X.T) or np.zeros(X.shape[1]), BOUNDS, CLASSIC, **options)
    np.testing.assert_array_equal(result.population, seen[-1])


@pytest.mark.parametrize(
    "way",
    [
        lambda optimizer: minimize(lambda x: np.nan, BOUNDS, N=5, budget=10),
        lambda optimizer: optimizer.run(lambda x: np.nan),
        lambda optimizer: optimizer.tell(optimizer.ask(), [np.nan] * 5),
        lambda optimizer: minimize(lambda X: X[0], BOUNDS, N=5, budget=10, vectorized=True, workers=2),
        lambda optimizer: minimize(lambda X: X[0], BOUNDS, N=5, budget=10, vectorized=True, workers=map),
    ],
    ids=["minimize", "run", "tell", "workers", "map"],
)
def test_a_warning_is_at_the_line_of_the_caller(way):
    optimizer = Optimizer(BOUNDS, N=5, budget=10, rng=1)
    with pytest.warns(Warning, match=r"NaN.*n_nan|workers is ignored") as caught:
        way(optimizer)
    assert [(warning.filename, warning.lineno) for warning in caught] == [(__file__, way.__code__.co_firstlineno)]


# Objectives that raise, or return what is no number or of another shape.


@pytest.mark.parametrize(("N", "n", "S"), [(5, 5, 3), (4, 4, 3), (3, 3, 2), (2, 2, 1), (8, 3, 8), (3, 8, 3)], ids=str)
def test_a_vectorised_objective_that_takes_rows_for_points_is_told_so(N, n, S):
    shapes = rf"\(n, S\) = \({n}, {S}\), one column per point, and must return S = {S} values, got shape \({n},\)"
    with pytest.raises(ValueError, match=f"^the objective got an array of shape {shapes}") as caught:
        minimize(lambda X: (X**2).sum(axis=1), [(-1, 1)] * n, "DE/best/1/bin", N=N, budget=40, vectorized=True)
    assert caught.value.__notes__[0] == f"debox: the objective was called with {S} points, an array of shape ({n}, {S})"


def test_with_as_many_points_as_variables_only_the_first_generation_is_split_and_the_result_is_the_same():
    shapes = []
    options = {"bounds": [(-1, 1)] * 5, "variant": CLASSIC, "N": 5, "budget": 18, "rng": 1}
    result = minimize(lambda X: shapes.append(X.shape) or squares(X), vectorized=True, **options)
    assert shapes == [(5, 3), (5, 2), (5, 5), (5, 5), (5, 3)]
    assert_same_result(result, minimize(squares, **options))


def test_a_single_nan_is_warned_of():
    values = iter([float("nan")])
    with pytest.warns(RuntimeWarning, match="the objective returned NaN"):
        result = minimize(lambda x: next(values, 1.0), [(0, 1)], "DE/rand/1/bin", N=8, budget=16, rng=1)
    assert result.n_nan == 1
