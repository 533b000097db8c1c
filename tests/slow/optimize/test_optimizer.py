import numpy as np
import pytest
from ask_and_tell import drive, f

from debox import Optimizer
from debox.registry import in_slot

a, b = np.array([-1.0, 0.0, 5.0]), np.array([1.0, 0.5, 9.0])
BOUNDS = list(zip(a, b, strict=True))
WIDE = [(-1e9, 1e9)] * 3  # nothing leaves it
MUTATIONS = [operator.name for operator in in_slot("mutation")]
STRATEGIES = [operator.name for operator in in_slot("strategy")]


def trials_before_repair(optimizer, variant):
    """The next trials as they are before repair: those of the same draws in a box that nothing leaves."""
    rng = np.random.default_rng()
    rng.bit_generator.state = optimizer.rng.bit_generator.state
    now, config = optimizer.result, optimizer.config
    budget = config.N + optimizer.budget - optimizer.nfev
    twin = Optimizer(WIDE, variant, F=config.F, Cr=config.Cr, budget=budget, init=now.population, rng=rng)
    twin.tell(twin.ask(), now.population_energies)
    return twin.ask()


def left_the_box(V):
    return np.clip(V, a, b) != V


# By the formulas of the paper, on whole arrays; mirror as a triangle wave. COTN draws between trials.
NEW = {
    "saturation": lambda V, X: np.clip(V, a, b),
    "toroidal": lambda V, X: a + (V - a) % (b - a),
    "mirror": lambda V, X: a + np.abs((V - b) % (2 * (b - a)) - (b - a)),
    "dismiss": lambda V, X: X,
}


def repaired(strategy, V, X):
    new = NEW[strategy](V, X)
    outside = left_the_box(V)
    return np.where(outside.any(axis=1, keepdims=True) if strategy == "dismiss" else outside, new, V)


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("strategy", NEW)
def test_counts_repair_and_selection_agree_with_a_recount(mutation, strategy):
    variant = f"DE/{mutation}/bin"
    optimizer = drive(Optimizer(BOUNDS, variant, strategy=strategy, N=7, F=1.3, Cr=0.6, budget=250, rng=5), 1)
    infeasible, per_dimension, evaluated = [False] * 7, np.zeros(3, int), 7
    while not optimizer.done:
        P, f_P = optimizer.result.population, optimizer.result.population_energies
        V, U = trials_before_repair(optimizer, variant), optimizer.ask()
        outside = left_the_box(V)
        infeasible.extend(outside.any(axis=1))
        per_dimension += outside.sum(axis=0)
        evaluated += len(U)
        np.testing.assert_allclose(U, repaired(strategy, V, P[: len(U)]), rtol=1e-9)
        f_U = f(U)
        optimizer.tell(U, f_U)
        better = np.flatnonzero(f_U <= f_P[: len(U)])
        P[better], f_P[better] = U[better], f_U[better]
        np.testing.assert_array_equal(optimizer.result.population, P)
        np.testing.assert_array_equal(optimizer.result.population_energies, f_P)
    result = optimizer.result
    assert result.nfev == evaluated == 250
    assert result.n_infeasible == sum(infeasible) > 0
    assert result.pois == sum(infeasible) / 250
    assert result.infeasible_per_dimension.tolist() == per_dimension.tolist()
    marks = [-(-250 * k // 100) for k in range(1, 101)]  # every hundredth of the budget, rounded up
    assert result.pois_history.tolist() == [[mark, sum(infeasible[:mark])] for mark in marks]
    assert result.nit == -(-(250 - 7) // 7)


PAIRS = [
    *(("rand/1", strategy) for strategy in STRATEGIES if strategy != "none"),
    *((mutation, "mirror") for mutation in MUTATIONS[1:]),
]


@pytest.mark.parametrize(("mutation", "strategy"), PAIRS)
@pytest.mark.parametrize("power", [1018, -1000])
def test_in_the_largest_box_and_in_a_tiny_one_the_same_happens_as_in_that_box_scaled(mutation, strategy, power):
    """By a power of two, which rounds nothing unless something overflows or vanishes."""
    scale = 2.0**power
    assert scale < 1e307 / 3.5  # the next power of two is beyond what a Box may be

    def happens(scale):
        bounds = [(-3.5 * scale, 3.5 * scale), (2.75 * scale, 3.5 * scale)]
        optimizer, values = (
            Optimizer(bounds, f"DE/{mutation}/bin", strategy=strategy, F=2, Cr=0.9, N=9, budget=300, rng=1),
            np.random.default_rng(2),
        )
        while not optimizer.done:
            X = optimizer.ask()
            assert optimizer.box.contains(X).all()
            optimizer.tell(X, values.random(len(X)))
        return optimizer.result

    ours, theirs = happens(scale), happens(1.0)
    assert ours.n_infeasible == theirs.n_infeasible > 20
    np.testing.assert_array_equal(ours.infeasible_per_dimension, theirs.infeasible_per_dimension)
    np.testing.assert_array_equal(ours.population, theirs.population * scale)
