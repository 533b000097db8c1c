"""Optimizer: ask and tell, defaults of N and budget, and what an interrupted conversation leaves."""

import warnings
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, MUTATIONS, RUNS, STRATEGIES, drive, squares

from debox import Box, Optimizer, loop, minimize, reference

CLASSIC = "DE/rand/1/bin"  # its populations do not shrink


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_points_asked_for_lie_in_the_box_and_the_budget_is_spent_exactly(strategy):
    optimizer, sizes = Optimizer(BOUNDS, CLASSIC, strategy=strategy, N=20, F=2, budget=210, rng=1), []
    while not optimizer.done:
        X = optimizer.ask()
        sizes.append(len(X))
        assert optimizer.box.contains(X).all() or strategy == "none"
        optimizer.tell(X, squares(X.T))
    unseen = optimizer.result.n_infeasible if strategy == "penalty" else 0  # not handed out
    assert sum(sizes) + unseen == optimizer.nfev == 210
    assert sizes == [20] * 10 + [10] or unseen > 0


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_ask_gives_the_same_points_until_they_are_told_and_draws_nothing(options):
    optimizer, once = Optimizer(BOUNDS, **options), Optimizer(BOUNDS, **options)
    while not optimizer.done:
        scribbled = optimizer.ask()
        X, state = scribbled.copy(), optimizer.rng.bit_generator.state
        scribbled[:] = 0.25
        np.testing.assert_array_equal(optimizer.ask(), X)
        assert optimizer.rng.bit_generator.state == state
        optimizer.tell(X, squares(X.T))
    assert_same_result(optimizer.result, drive(once).result)


def test_with_penalty_there_may_be_nothing_to_tell():
    optimizer, sizes = Optimizer([(0, 1)] * 9, CLASSIC, strategy="penalty", N=6, F=2, Cr=1, budget=600, rng=5), []
    while not optimizer.done:
        X = optimizer.ask()
        sizes.append(X.shape)
        if len(X):
            with pytest.raises(ValueError, match="f must hold"):
                optimizer.tell(X, squares(X.T)[1:])
        optimizer.tell(X, -X.sum(axis=1))
    assert (0, 9) in sizes
    assert optimizer.nfev == 600
    assert np.isfinite(optimizer.result.population_energies).all(), "what was not seen is not accepted"


@pytest.mark.parametrize("generations", [0, 3])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda X: (X[::-1], X[:, 0]), r"X must be the points that ask\(\) gave, .* in their order: X\[0\] differs"),
        (lambda X: (X[:-1], X[:-1, 0]), r"X must be the points that ask.*: got shape \(19, 3\), not \(20, 3\)"),
        (lambda X: (X + 1e-12 * (np.arange(20) >= 7)[:, None], X[:, 0]), r"X must be the points .*: X\[7\] differs"),
        (lambda X: (X * np.nan, X[:, 0]), r"X must be the points .*: X\[0\] differs"),
        (lambda X: (X.T, X[:, 0]), r"X must be the points that ask.*: got shape \(3, 20\)"),
        (lambda X: (X, X[1:, 0]), r"f must hold 20 values, one per point, got shape \(19,\)"),
        (lambda X: (X, X[:, :1]), r"f must hold 20 values, one per point, got shape \(20, 1\)"),
        (lambda X: (X, 1.0), r"f must hold 20 values, one per point, got shape"),
        (lambda X: (X, ["low"] * 20), "f must hold numbers, got"),
        (lambda X: (X, [None] * 20), "f must hold numbers, got"),
    ],
    ids=["reversed", "fewer", "moved", "nan", "transposed", "short", "column", "scalar", "text", "none"],
)
def test_a_wrong_tell_is_an_error_and_changes_nothing(generations, wrong, message):
    optimizer, twin = (drive(Optimizer(BOUNDS, CLASSIC, N=20, budget=100, rng=3), generations) for _ in range(2))
    with pytest.raises(RuntimeError, match="tell comes after ask: no points are waiting for values"):
        optimizer.tell(np.zeros((20, 3)), np.zeros(20))
    X, before = optimizer.ask(), optimizer.result
    with pytest.raises(ValueError, match=message):
        optimizer.tell(*wrong(X))
    assert_same_result(optimizer.result, before)
    np.testing.assert_array_equal(optimizer.ask(), X)
    assert_same_result(drive(optimizer).result, drive(twin).result)


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_a_run_that_an_objective_ended_can_go_on_to_the_same_end(options):
    calls = []

    def tires(x):
        calls.append(x)
        if len(calls) % 29 == 0:
            raise ArithmeticError
        return squares(x)

    optimizer, fresh = Optimizer(BOUNDS, **options), Optimizer(BOUNDS, **options)
    while not optimizer.done:
        with suppress(ArithmeticError):
            optimizer.run(tires)
    assert len(calls) > 2 * 29
    fresh.run(squares, args=(0.3,))
    assert_same_result(optimizer.result, fresh.result)


def test_what_is_over_is_neither_asked_nor_run():
    stopped, spent = (drive(Optimizer(BOUNDS, N=20, budget=60, rng=1), 2) for _ in range(2))
    stopped.stop()
    drive(spent)
    for optimizer, nfev, status in ((stopped, 40, 2), (spent, 60, 0)):
        with pytest.raises(RuntimeError, match=r"^nothing to ask: (stopped on request|the budget of 60 .* is spent)$"):
            optimizer.ask()
        optimizer.run(lambda x: 1 / 0)
        assert optimizer.done
        assert (optimizer.nfev, optimizer.result.status, optimizer.result.success) == (nfev, status, status == 0)


def test_nan_is_worse_than_anything_counted_and_warned_of_once():
    optimizer = Optimizer(BOUNDS, CLASSIC, N=5, budget=25, rng=1)
    with pytest.warns(RuntimeWarning, match="NaN"):
        optimizer.tell(optimizer.ask(), [np.nan, 3, np.nan, np.inf, 4])
    U = optimizer.ask()
    optimizer.tell(U, [np.inf, np.nan, np.nan, np.nan, 4])  # a second warning would be an error here
    result = optimizer.result
    assert (result.fun, result.n_nan) == (3, 5)
    np.testing.assert_array_equal(result.population_energies, [np.inf, 3, np.nan, np.inf, 4])
    np.testing.assert_array_equal(result.population[[0, 4]], U[[0, 4]])  # inf beats NaN, equal is accepted


def test_points_that_overflowed_are_told_like_others():
    """With none a population may leave all bounds behind, up to infinities and NaN."""
    optimizer = Optimizer([(-9e306, 9e306)] * 2, strategy="none", F=2, N=6, budget=600, rng=1)
    has_nan, values = False, iter(range(600, 0, -1))  # every trial is accepted
    while not optimizer.done:
        X = optimizer.ask()
        has_nan |= bool(np.isnan(X).any())
        optimizer.tell(X, [next(values) for _ in X])
    assert has_nan


def test_the_result_is_known_at_any_time():
    optimizer = Optimizer(BOUNDS, CLASSIC, N=9, budget=2000, rng=1)
    start = optimizer.result
    assert (start.nfev, start.nit, start.pois, start.pois_history.shape) == (0, 0, 0.0, (0, 2))
    assert (start.success, start.status, optimizer.done) == (False, 3, False)
    assert start.message == "not finished: 0 of 2000 evaluations done"
    for nfev in (9, 18, 27):
        result = drive(optimizer, 1).result
        assert result.message == f"not finished: {nfev} of 2000 evaluations done"
        assert result.fun == squares(result.x) == result.population_energies.min()
        assert result.pois_history[:, 0].tolist() == {9: [9], 18: [18], 27: [20, 27]}[nfev]  # a mark every 20


@pytest.mark.filterwarnings("ignore:the C core")
def test_strategies_of_debox_come_before_those_of_users_whichever_variable_has_them(monkeypatch):
    """The core asks only the first ones about NaN."""
    monkeypatch.setattr(loop, "_core", None)
    functions = (lambda u: u, reference.mirror, lambda u: 2 * u, reference.mirror)
    fields = {"whole": False, "redraws": 0, "penalises": False}
    strategies = [SimpleNamespace(function=function, **fields) for function in functions]
    config, rng = Optimizer(BOUNDS, CLASSIC).config, np.random.default_rng(1)
    made = loop.Loop(
        config, Box.unit(4), budget=100, rng=rng, P=rng.random((config.N, 4)), marks=np.arange(0), strategies=strategies
    )
    assert made.run.strategies[0] is reference.mirror
    assert (made.run.n_own_strategies, made.run.strategy_of.tolist()) == (1, [1, 0, 2, 0])


def test_a_population_as_large_as_the_budget_leaves_no_generation_and_the_message_says_so():
    said = "the budget of 30 evaluations is spent; no generation was done: the population is as large as the budget"
    capped, other = (drive(Optimizer(BOUNDS, "SHADE", budget=30, N=N)).result for N in (None, 29))
    assert (capped.message, capped.nit, capped.success) == (said, 0, True)
    assert (other.message, other.nit) == ("the budget of 30 evaluations is spent", 1)


def test_a_seed_is_a_walk_and_a_generator_is_used_up():
    def best(rng):
        return drive(Optimizer(BOUNDS, budget=100, rng=rng)).result.fun

    assert best(1) == best(1) == best(np.random.default_rng(1)) != best(2)
    rng = np.random.default_rng(1)
    assert best(rng) != best(rng)
    assert best(None) != best(None)


def test_the_largest_budget_is_walked_as_any_other():
    """Nothing overflows on the way, and a population that shrinks takes its time."""
    small, large = (drive(Optimizer(BOUNDS, CLASSIC, N=20, budget=budget, rng=1), 5).result for budget in (200, 2**60))
    assert large.population.tolist() == small.population.tolist()
    assert large.n_infeasible == small.n_infeasible
    assert large.pois_history.tolist() == [[100, large.n_infeasible]]
    shrinking = drive(Optimizer(BOUNDS, "L-SHADE", N=20, budget=2**60, rng=1), 5)
    assert (shrinking.nfev, len(shrinking.ask())) == (100, 20)


# N and budget by default; what is wrong with given ones is in test_wrong_arguments.py.


@pytest.mark.parametrize(
    ("n", "budget", "N"),
    [(1, None, 30), (10, None, 30), (13, None, 39), (1000, None, 40), (10, 200, 20), (10, 20, 8), (3, 8, 8), (3, 7, 7)],
)
def test_the_default_population_serves_every_mutation_and_leaves_time_to_evolve(n, budget, N):
    # 3n, but 30 to 40, but a tenth of the budget, but 8: six is the most that a mutation needs (rand/2, not-target).
    for mutation in MUTATIONS:
        optimizer = Optimizer([(0, 1)] * n, f"DE/{mutation}/bin", donors="not-parents", budget=budget, rng=1)
        assert len(optimizer.ask()) == N == optimizer.config.N, mutation


@pytest.mark.parametrize(("variant", "least"), [("DE/rand/1/bin", 3), ("DE/rand/2/bin", 5), ("DE/best/1/exp", 2)])
def test_any_budget_that_the_mutation_can_work_with_is_spent(variant, least):
    for budget in range(least, 12):
        assert minimize(lambda x: x[0], [(0, 1)], variant, budget=budget, rng=1).nfev == budget
    with pytest.raises(ValueError, match=f"^budget must be an integer ≥ {least}, got {least - 1}: [^N]*$"):
        minimize(lambda x: x[0], [(0, 1)], variant, budget=least - 1)  # nobody gave an N


def test_the_default_budget_is_10_000_evaluations_a_variable_and_at_least_10_an_individual():
    for n, N, budget in ((1, None, 10_000), (3, 50, 30_000), (3, 3001, 30_010), (1, 20_000, 200_000)):
        assert Optimizer([(0, 1)] * n, N=N).budget == budget
    assert Optimizer([(0, 1)], init=np.linspace(0, 1, 20_000)[:, np.newaxis]).budget == 200_000


def ill_conditioned(X):
    """By components: a product of matrices may sum one row otherwise than many."""
    return 3.0 + (X[:, 0] - 0.3) ** 2 + 1e4 * (X[:, 1] - 0.3) ** 2


def converse(optimizer, fun):
    """Do the run by ask and tell; the numbers of evaluations after each generation."""
    seen = []
    while not optimizer.done:
        X = optimizer.ask()
        optimizer.tell(X, fun(X))
        seen.append(optimizer.nfev)
    return seen


def test_a_run_that_has_converged_in_x_and_in_f_ends_between_two_generations():
    box, options = [(-5, 5), (0, 2)], {"budget": 20_000, "rng": 1}
    loose, tight, never = (Optimizer(box, tol=tol, **options) for tol in (1e-6, 1e-12, None))
    ends = [converse(one, ill_conditioned)[-1] for one in (loose, tight, never)]
    assert ends[0] < ends[1] < ends[2] == 20_000
    for one, tol in ((loose, 1e-6), (tight, 1e-12)):
        result, deviation = one.result, one.result.population.std(axis=0) / [10, 2]
        assert (result.status, result.success, one.done) == (4, True, True)
        assert result.message == f"converged after {result.nfev} of 20000 evaluations"
        assert deviation.mean() <= tol**0.5
        assert np.ptp(result.population_energies) <= tol * 1e5, "of which f has gained less"
        np.testing.assert_allclose(result.x, 0.3, atol=100 * tol**0.5)
        with pytest.raises(RuntimeError, match=r"^nothing to ask: converged"):
            one.ask()
    by_run = minimize(lambda x: ill_conditioned(x[None])[0], box, tol=1e-12, polish=False, **options)
    assert (by_run.nfev, by_run.x.tolist()) == (ends[1], tight.result.x.tolist())


@pytest.mark.parametrize(
    "fun",
    [
        lambda X: np.full(len(X), 2.0),  # converged in f alone
        lambda X: np.floor(10 * np.abs(X - 0.3).max(axis=1)),
        lambda X: np.where(X[:, 0] > 0.5, np.nan, 1.0),
    ],
    ids=["constant", "steps", "NaN"],
)
@pytest.mark.filterwarnings("ignore:the objective returned NaN")
def test_a_plateau_is_no_convergence(fun):
    wide = Optimizer([(-5, 5), (0, 1)], "DE/rand/1/bin", N=20, F=1.0, Cr=1.0, budget=4000, rng=1, tol=1e-6)
    converse(wide, fun)
    assert (wide.result.status, wide.nfev) == (0, 4000)


def test_convergence_in_x_alone_is_not_enough():
    """Every trial is accepted, so that a small F contracts the population; its values differ all the same."""
    falls = Optimizer([(0, 1)] * 2, "DE/best/1/bin", N=10, F=0.1, Cr=1.0, budget=4000, rng=1, tol=1e-4)
    values = np.random.default_rng(2)
    converse(falls, lambda X: values.random(len(X)) - falls.nfev)
    assert falls.result.population.std(axis=0).max() < 1e-9
    assert (falls.result.status, falls.nfev) == (0, 4000)


def test_what_was_gained_counts_from_the_first_finite_value():
    """A gain from infinity would be infinite, and any population that has converged in x would have in f."""

    def nearly_all_forbidden(X):
        distance = np.abs(X - 0.3).max(axis=1)
        return np.where(distance < 0.05, distance, np.inf)

    late = Optimizer([(0, 1)] * 3, budget=20_000, rng=1)
    converse(late, nearly_all_forbidden)
    assert late.result.history.fun[0] == np.inf
    assert late.result.status == 4
    assert np.ptp(late.result.population_energies) <= 1e-12 * 0.05


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_alone_are_no_convergence_and_warn_of_nothing(value):
    """A population whose trials are all accepted converges in x, and infinite values have no differences."""
    small = Optimizer([(0, 1)] * 2, "DE/best/1/bin", N=10, F=0.1, Cr=1.0, budget=4000, rng=1, tol=1e-4)
    with warnings.catch_warnings(action="error"):
        converse(small, lambda X: np.full(len(X), value))
    assert small.result.population.std(axis=0).max() < 1e-9
    assert (small.result.status, small.nfev) == (0, 4000)


def test_a_target_that_was_not_reached_when_the_population_converged_is_no_success():
    missed = Optimizer([(-5, 5), (0, 2)], budget=20_000, rng=1, target=2.9)
    converse(missed, ill_conditioned)
    assert (missed.result.status, missed.result.success) == (4, False)


def test_only_the_variant_debox_stops_by_default_when_it_has_converged():
    ends = {
        variant: minimize(lambda x: x @ x, [(-1, 1)] * 2, variant, budget=10_000, rng=1).status
        for variant in ("debox", "L-SHADE", "SHADE", "JADE", "jDE", "DE/rand/1/bin")
    }
    assert ends == dict.fromkeys(ends, 0) | {"debox": 4}
    assert minimize(lambda x: x @ x, [(-1, 1)] * 2, "jDE", budget=10_000, rng=1, tol=1e-3).status == 4


def test_a_converged_optimizer_is_saved_as_converged(tmp_path):
    options = {"budget": 20_000, "rng": 1, "tol": 1e-6}
    whole, parted = (Optimizer([(-5, 5), (0, 2)], **options) for _ in range(2))
    converse(whole, ill_conditioned)
    for _ in range(10):
        X = parted.ask()
        parted.tell(X, ill_conditioned(X))
    parted.save(tmp_path / "run.npz")
    parted = Optimizer.load(tmp_path / "run.npz")
    converse(parted, ill_conditioned)
    assert (parted.nfev, parted.result.status) == (whole.nfev, 4)
    whole.save(tmp_path / "end.npz")
    assert Optimizer.load(tmp_path / "end.npz").result.message == whole.result.message


def test_an_optimizer_says_how_far_it_is():
    opt = Optimizer([(0, 1)] * 3, N=10, budget=40, rng=1)
    assert repr(opt) == "<Optimizer of 3 variables, not finished: 0 of 40 evaluations done>"
    opt.tell(X := opt.ask(), X[:, 0])
    assert repr(opt) == f"<Optimizer of 3 variables, not finished: 10 of 40 evaluations done, f = {X[:, 0].min():.6g}>"
