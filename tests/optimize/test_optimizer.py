import linecache
import pickle
from contextlib import nullcontext
from itertools import pairwise, product

import numpy as np
import pytest
from ask_and_tell import drive, f
from comparisons import assert_same_result

from debox import Optimizer, jit, minimize
from debox.registry import in_slot

a, b = np.array([-1.0, 0.0, 5.0]), np.array([1.0, 0.5, 9.0])
BOUNDS = list(zip(a, b, strict=True))
CLASSIC = "DE/rand/1/bin"  # its populations do not shrink
MUTATIONS = [operator.name for operator in in_slot("mutation")]
STRATEGIES = [operator.name for operator in in_slot("strategy")]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_points_asked_for_lie_in_the_box_and_the_budget_is_spent_exactly(strategy):
    optimizer, sizes = Optimizer(BOUNDS, CLASSIC, strategy=strategy, N=20, F=2, budget=210, rng=1), []
    while not optimizer.done:
        X = optimizer.ask()
        sizes.append(len(X))
        assert optimizer.box.contains(X).all() or strategy == "none"
        optimizer.tell(X, f(X))
    if strategy == "penalty":  # infeasible trials are not handed out
        assert sizes[0] == 20
        assert sum(sizes) == 210 - optimizer.result.n_infeasible
    else:
        assert sizes == [20] * 10 + [10]
    assert optimizer.nfev == 210
    assert optimizer.result.n_infeasible > 0


def test_ask_gives_the_same_points_until_they_are_told():
    optimizer = Optimizer(BOUNDS, budget=100, rng=1)
    for _ in range(3):
        scribbled = optimizer.ask()
        X = scribbled.copy()
        scribbled[:] = 0.25
        np.testing.assert_array_equal(X, optimizer.ask())
        optimizer.tell(X, f(X))
        assert not np.array_equal(X, optimizer.ask())


@pytest.mark.parametrize("generations", [0, 3])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda X: (X[::-1], f(X)), r"X must be the points that ask\(\) gave, .* in their order: X\[0\] differs"),
        (lambda X: (X[:-1], f(X[:-1])), r"X must be the points that ask.*: got shape \(19, 3\), not \(20, 3\)"),
        (lambda X: (X + 1e-12 * (np.arange(20) >= 7)[:, None], f(X)), r"X must be the points .*: X\[7\] differs"),
        (lambda X: (X * np.nan, f(X)), r"X must be the points .*: X\[0\] differs"),
        (lambda X: (X.T, f(X)), r"X must be the points that ask.*: got shape \(3, 20\)"),
        (lambda X: (X, f(X)[:-1]), r"f must hold 20 values, one per point, got shape \(19,\)"),
        (lambda X: (X, f(X)[:, None]), r"f must hold 20 values, one per point, got shape \(20, 1\)"),
        (lambda X: (X, 1.0), r"f must hold 20 values, one per point, got shape"),
        (lambda X: (X, ["low"] * 20), "f must hold numbers, got"),
        (lambda X: (X, [None] * 20), "f must hold numbers, got"),
    ],
    ids=["reversed", "fewer", "moved", "nan", "transposed", "short", "column", "scalar", "text", "none"],
)
def test_a_wrong_tell_is_an_error_and_changes_nothing(generations, wrong, message):
    optimizer = drive(Optimizer(BOUNDS, CLASSIC, N=20, budget=200, rng=3), generations)
    X, before = optimizer.ask(), optimizer.result
    with pytest.raises(ValueError, match=message):
        optimizer.tell(*wrong(X))
    assert_same_result(optimizer.result, before)
    np.testing.assert_array_equal(optimizer.ask(), X)
    assert_same_result(drive(optimizer).result, drive(Optimizer(BOUNDS, CLASSIC, N=20, budget=200, rng=3)).result)


def test_telling_without_asking_and_asking_after_the_end_are_errors():
    optimizer = Optimizer(BOUNDS, budget=40, rng=1)
    with pytest.raises(RuntimeError, match="tell comes after ask"):
        optimizer.tell(np.zeros((20, 3)), np.zeros(20))
    drive(optimizer)
    with pytest.raises(RuntimeError, match="nothing to ask: the budget of 40 evaluations is spent"):
        optimizer.ask()


def test_an_objective_that_raises_leaves_the_state_as_it_was():
    optimizer = drive(Optimizer(BOUNDS, budget=200, rng=3), 4)
    before = optimizer.result
    with pytest.raises(ZeroDivisionError):
        optimizer.tell(X := optimizer.ask(), [1 / 0 for _ in X])
    assert_same_result(optimizer.result, before)
    assert_same_result(drive(optimizer).result, drive(Optimizer(BOUNDS, budget=200, rng=3)).result)


def test_a_compiled_objective_that_raises_leaves_the_state_as_it_was():
    import numba

    @numba.njit
    def picky(x):
        if x[0] > 0.95:  # where the search for the smallest −x leads
            raise ArithmeticError("0.95 is enough")
        return -x[0]

    optimizer = Optimizer(BOUNDS, budget=2000, rng=3)
    before = optimizer.result
    with pytest.raises(ArithmeticError, match=r"0\.95 is enough"):
        optimizer.run(picky)
    assert_same_result(optimizer.result, before)
    assert_same_result(drive(optimizer).result, drive(Optimizer(BOUNDS, budget=2000, rng=3)).result)


@pytest.mark.parametrize("recipe", ["jDE", "L-SHADE"])
def test_an_objective_that_raises_leaves_an_adaptive_run_as_it_was(recipe):
    def picky(x):
        if x[0] > 0.95:
            raise ArithmeticError("0.95 is enough")
        return -x[0]

    with jit.interpreted():
        optimizer, fresh = (Optimizer(BOUNDS, recipe, N=10, budget=400, rng=3) for _ in range(2))
        before = optimizer.result
        with pytest.raises(ArithmeticError, match=r"0\.95 is enough") as error:
            optimizer.run(picky)
        assert error.value.__notes__[0] != "debox: 0 evaluations were done in the generations before"
        assert_same_result(optimizer.result, before)
        assert_same_result(drive(optimizer).result, drive(fresh).result)


@pytest.mark.parametrize("recipe", ["SHADE", "L-SHADE"])
def test_a_run_that_ended_with_an_exception_has_forgotten_what_it_learned(recipe):
    calls = []

    def tires(x):
        calls.append(1)
        if len(calls) > 150:
            raise ArithmeticError("enough")
        return float((x**2).sum())

    with jit.interpreted():
        optimizer = Optimizer(BOUNDS, recipe, N=10, budget=400, rng=3)
        with pytest.raises(ArithmeticError, match="enough"):
            optimizer.run(tires)
        adaptation = optimizer._de.adaptation
        assert adaptation.memory.tolist() == [[0.5] * adaptation.memory.shape[1]] * 2
        assert adaptation.sizes.tolist() == [10, 0, 0]
        fresh = Optimizer(BOUNDS, recipe, N=10, budget=400, rng=3)
        assert_same_result(drive(optimizer).result, drive(fresh).result)


def test_a_population_as_large_as_the_budget_leaves_no_generation_and_the_message_says_so():
    said = "the budget of 30 evaluations is spent; no generation was done: the population is as large as the budget"
    with jit.interpreted():
        capped, other = Optimizer(BOUNDS, "SHADE", budget=30), Optimizer(BOUNDS, "SHADE", N=29, budget=30)
    for optimizer in (capped, other):
        with jit.interpreted():
            drive(optimizer)
    assert (capped.result.message, capped.result.nit, capped.result.success) == (said, 0, True)
    assert (other.result.message, other.result.nit) == ("the budget of 30 evaluations is spent", 1)


def test_a_recipe_with_a_strategy_in_its_name_is_answered_with_how_to_give_it():
    with pytest.raises(ValueError, match=r"variant 'SHADE tor' says a strategy, too: give strategy='tor' apart"):
        Optimizer(BOUNDS, "SHADE tor")


@pytest.mark.parametrize("fun", [lambda x: x[0], np.sum, 3, None])
def test_run_needs_a_compiled_objective(fun):
    optimizer = Optimizer(BOUNDS, budget=200, rng=3)
    with pytest.raises(ValueError, match=r"^fun must be compiled with Numba; use minimize, or ask and tell$"):
        optimizer.run(fun)
    assert_same_result(drive(optimizer).result, drive(Optimizer(BOUNDS, budget=200, rng=3)).result)


def test_what_is_over_is_not_run():
    import numba

    first = numba.njit(lambda x: x[0])
    stopped, spent = Optimizer(BOUNDS, budget=200, rng=3), Optimizer(BOUNDS, budget=200, rng=3)
    stopped.stop()
    spent.run(first)
    for optimizer, why in ((stopped, "stopped on request"), (spent, "the budget of 200 evaluations is spent")):
        before = optimizer.result
        with pytest.raises(RuntimeError, match=f"^nothing to run: {why}$"):
            optimizer.run(first)
        assert_same_result(optimizer.result, before)
    assert stopped.nfev == 0


def test_without_compiling_run_takes_a_python_function():
    with jit.interpreted():
        optimizer = Optimizer(BOUNDS, budget=40, rng=3)
        optimizer.run(lambda x: x[0])
    assert optimizer.nfev == 40


def test_nan_is_worse_than_anything_counted_and_warned_of_once():
    optimizer = Optimizer(BOUNDS, N=5, budget=25, rng=1)
    with pytest.warns(RuntimeWarning, match="NaN.*worse than anything.*n_nan") as caught:
        optimizer.tell(optimizer.ask(), [np.nan, 3, np.nan, np.inf, 4])
    assert [warning.filename for warning in caught] == [__file__]
    assert optimizer.result.fun == 3
    U = optimizer.ask()
    optimizer.tell(U, [np.inf, np.nan, np.nan, np.nan, 4])  # no second warning: it would be an error here
    result = optimizer.result
    assert result.n_nan == 5
    np.testing.assert_array_equal(result.population_energies, [np.inf, 3, np.nan, np.inf, 4])
    np.testing.assert_array_equal(result.population[[0, 4]], U[[0, 4]])  # inf beats NaN, equal is accepted


def nan(x):
    return np.nan


def warn_in_tell(optimizer):
    optimizer.tell(optimizer.ask(), [np.nan] * 5)


def warn_in_minimize(optimizer):
    minimize(nan, BOUNDS, N=5, budget=10)


def warn_in_run(optimizer):
    optimizer.run(nan)


def warn_in_compiled_minimize(optimizer):
    import numba

    minimize(numba.njit(nan), BOUNDS, N=5, budget=10)


@pytest.mark.parametrize(
    ("way", "line"),
    [
        (warn_in_tell, "optimizer.tell("),
        (warn_in_minimize, "minimize(nan"),
        (warn_in_run, "optimizer.run("),
        (warn_in_compiled_minimize, "minimize(numba"),
    ],
)
def test_the_warning_of_nan_is_at_the_line_of_the_caller(way, line):
    with jit.interpreted() if "compiled" not in way.__name__ else nullcontext():
        optimizer = Optimizer(BOUNDS, N=5, budget=10, rng=1)
        with pytest.warns(RuntimeWarning, match="NaN") as caught:
            way(optimizer)
    assert [warning.filename for warning in caught] == [__file__]
    assert linecache.getline(__file__, caught[0].lineno).strip().startswith(line)


def test_the_largest_budget_has_its_marks_and_a_larger_one_is_an_error():
    optimizer = drive(Optimizer(BOUNDS, CLASSIC, budget=2**60, rng=1), 2)
    assert optimizer.result.pois_history.tolist() == [[60, optimizer.result.n_infeasible]]
    with pytest.raises(ValueError, match=rf"budget must be at most {2**60} evaluations, got {2**60 + 1}"):
        Optimizer(BOUNDS, budget=2**60 + 1)


@pytest.mark.parametrize("options", [{}, {"target": 1e-3}, {"N": 7}])
def test_the_largest_budget_is_walked_as_any_other(options):
    """Until the target or its first generations: nothing overflows on the way."""
    sizes = {"N": 20} | options
    small, large = (Optimizer(BOUNDS, CLASSIC, budget=budget, rng=1, **sizes) for budget in (200, 2**60))
    small, large = drive(small, 5), drive(large, 5)
    assert large.result.population.tolist() == small.result.population.tolist()
    assert large.result.n_infeasible == small.result.n_infeasible
    assert large.result.pois_history[:, 0].tolist() == [large.nfev]


def test_with_the_largest_budget_a_population_that_shrinks_takes_its_time():
    with jit.interpreted():
        optimizer = pickle.loads(pickle.dumps(drive(Optimizer(BOUNDS, "L-SHADE", N=20, budget=2**60, rng=1), 5)))
        assert len(optimizer.ask()) == 20
        assert (optimizer.nfev, len(optimizer.result.population)) == (100, 20)


@pytest.mark.parametrize("N", [10**12, 2**62, 2**63 - 1])
def test_a_population_larger_than_memory_is_an_error_that_says_what_it_needs(N):
    with pytest.raises(ValueError, match=rf"^no memory for N = {N} points with n = 3 variables .* takes [\d,]+\.\d GB"):
        Optimizer(BOUNDS, N=N)


def test_a_seed_is_a_walk_and_a_generator_is_used_up():
    def best(rng):
        return drive(Optimizer(BOUNDS, budget=100, rng=rng)).result.fun

    assert best(1) == best(1) == best(np.random.default_rng(1)) != best(2)
    rng = np.random.default_rng(1)
    assert best(rng) != best(rng)
    assert best(None) != best(None)


def test_kernels_as_plain_python_walk_the_same_way():
    compiled = drive(Optimizer(BOUNDS, "DE/curr-to-best/1/exp", strategy="COTN", budget=200, rng=1)).result
    with jit.interpreted():
        assert_same_result(
            drive(Optimizer(BOUNDS, "DE/curr-to-best/1/exp", strategy="COTN", budget=200, rng=1)).result, compiled
        )


@pytest.mark.parametrize("variant", ["DE/rand/1/bin", "L-SHADE"])
@pytest.mark.parametrize("made_as_python", [False, True])
def test_a_run_goes_on_as_it_was_made_wherever_kernels_are_switched_to_python(variant, made_as_python):
    """Compiled kernels do not take operators of plain Python, nor those of plain Python compiled ones."""

    def block(as_python):
        return jit.interpreted() if as_python else nullcontext()

    expected = drive(Optimizer(BOUNDS, variant, N=9, budget=45, rng=1)).result
    for asks, tells in product([False, True], repeat=2):
        with block(made_as_python):
            optimizer = Optimizer(BOUNDS, variant, N=9, budget=45, rng=1)
        while not optimizer.done:
            with block(asks):
                X = optimizer.ask()
            with block(tells):
                optimizer.tell(X, f(X))
        assert_same_result(optimizer.result, expected)


def test_a_run_in_one_call_is_done_where_the_optimizer_was_made_or_says_so():
    optimizer = Optimizer(BOUNDS, "DE/rand/1/bin", N=9, budget=45, rng=1)
    with jit.interpreted(), pytest.raises(RuntimeError, match="run an optimizer where it was made: inside, or outside"):
        optimizer.run(lambda x: x[0])
    assert optimizer.nfev == 0


def test_the_result_is_known_at_any_time():
    optimizer = Optimizer(BOUNDS, budget=60, rng=1)
    assert (optimizer.result.nfev, optimizer.result.pois, len(optimizer.result.pois_history)) == (0, 0.0, 0)
    assert not optimizer.result.success
    bests = []
    while not optimizer.done:
        assert optimizer.result.message == f"not finished: {optimizer.nfev} of 60 evaluations done"
        X = optimizer.ask()
        optimizer.tell(X, f(X))
        bests.append(optimizer.result.fun)
        assert optimizer.result.fun == f(optimizer.result.x[None])[0] == optimizer.result.population_energies.min()
    assert all(later <= earlier for earlier, later in pairwise(bests))
    assert optimizer.result.success


def test_scribbling_on_a_result_does_no_harm():
    optimizer = drive(Optimizer(BOUNDS, budget=100, rng=1), 3)
    before, scribbled = optimizer.result, optimizer.result
    for name in ("x", "population", "population_energies", "infeasible_per_dimension", "pois_history"):
        scribbled[name][...] = -1
    assert_same_result(optimizer.result, before)


def test_stop_ends_a_run():
    stopped = drive(Optimizer(BOUNDS, N=20, budget=100, rng=1), 2)
    stopped.stop()
    assert stopped.done
    assert (stopped.result.status, stopped.result.success, stopped.nfev) == (2, False, 40)


# N and budget by default; what is wrong with given ones is tested with `minimize`, whose arguments they are.


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
    with pytest.raises(ValueError, match=f"^budget must be an integer ≥ {least}, got {least - 1}: ") as error:
        minimize(lambda x: x[0], [(0, 1)], variant, budget=least - 1)
    assert "N" not in str(error.value)  # nobody gave one


@pytest.mark.parametrize(
    ("n", "sizes", "budget"),
    [
        (1, {}, 10_000),
        (3, {"N": 50}, 30_000),
        (3, {"N": 3001}, 30_010),
        (1, {"N": 20_000}, 200_000),
        (1, {"init": np.full((20_000, 1), 0.5)}, 200_000),
    ],
    ids=["n = 1", "n = 3", "N = 3001", "N = 20 000", "init"],
)
def test_the_default_budget_is_10_000_evaluations_a_variable_and_at_least_10_an_individual(n, sizes, budget):
    assert Optimizer([(0, 1)] * n, **sizes).budget == budget


def test_points_that_overflowed_are_told_like_others():
    """With none a population may leave all bounds behind, up to infinities and NaN."""
    optimizer = Optimizer([(-9e306, 9e306)] * 2, strategy="none", F=2, N=6, budget=600, rng=1)
    has_nan, values = False, iter(range(600, 0, -1))  # every trial is accepted
    while not optimizer.done:
        X = optimizer.ask()
        has_nan |= bool(np.isnan(X).any())
        optimizer.tell(X, [next(values) for _ in X])
    assert has_nan
