"""What debox has."""

import tempfile
from pathlib import Path

import numpy as np

import debox
from benchmarks.neighbours import BOX, BUDGET, YES, Slope, absent, count_strategies, parameters
from debox import operators


def strategies() -> str:
    slopes = []
    for strategy in operators.in_slot("strategy"):
        slopes.append(Slope())
        debox.minimize(slopes[-1], BOX, "DE/rand/1/bin", strategy=strategy, budget=BUDGET, rng=1, tol=None)
    return count_strategies(slopes)


def one_for_each_variable() -> str:
    """In the last run only the first variable reaches its bound."""
    each = ["saturation", "mirror", "toroidal"]
    slope = Slope()
    debox.minimize(slope, BOX, "DE/rand/1/bin", strategy=each, budget=BUDGET, rng=1, tol=None)
    assert slope.stayed_inside()
    assert [-5.0 in {point[i] for point in slope.points} for i in range(3)] == [True, False, False]
    return YES


def counts_infeasible() -> str:
    result = debox.minimize(Slope(), BOX, budget=BUDGET, rng=1)
    assert 0 < result.n_infeasible < BUDGET
    return YES


def adaptive() -> str:
    names = [one.name for one in operators.in_slot("adaptation") if one.name != "fixed"]
    for name in names:
        result = debox.minimize(Slope(), BOX, "DE/rand/1/bin", adaptation=name, budget=BUDGET, rng=1, tol=None)
        assert result.nfev == BUDGET
    return ", ".join(names)


def asks_and_tells() -> str:
    assert ask_and_tell(debox.Optimizer(BOX, budget=BUDGET, rng=1)).nfev == BUDGET
    return YES


def ask_and_tell(optimizer: debox.Optimizer, until: int = BUDGET):
    """The result after this many evaluations."""
    while optimizer.nfev < until:
        X = optimizer.ask()
        optimizer.tell(X, X.sum(axis=1))
    return optimizer.result


def resumes() -> str:
    """A run that is saved after half of its evaluations ends as an undisturbed one."""
    whole, half = (debox.Optimizer(BOX, budget=BUDGET, rng=1) for _ in range(2))
    ask_and_tell(half, until=BUDGET // 2)
    with tempfile.TemporaryDirectory() as folder:
        half.save(file := Path(folder, "run.npz"))
        resumed = debox.Optimizer.load(file)
    assert ask_and_tell(resumed).population.tolist() == ask_and_tell(whole).population.tolist()
    return YES


def variables() -> str:
    kinds = {
        "log": debox.Real(1e-4, 1e4, log=True),
        "integer": debox.Integer(0, 9),
        "periodic": debox.Periodic(0, 360),
        "categorical": debox.Choice(["a", "b"]),
    }
    points: list[dict] = []

    def far(point):  # least at 0° and 360°, which are the same
        points.append(point)
        return 1 - np.cos(np.radians(point["periodic"]))

    debox.minimize(far, kinds, budget=BUDGET, rng=1, named=True)
    assert sum(point["log"] < 1 for point in points[:30]) > 5  # without log, 1 in 10 000
    assert {type(point["integer"]) for point in points} == {int}
    assert {point["categorical"] for point in points} == {"a", "b"}
    last = [point["periodic"] for point in points[-50:]]
    assert min(last) < 30
    assert max(last) > 330
    return ", ".join(kinds)


def constraints() -> str:
    return absent("constr", parameters(debox.minimize, debox.Optimizer))
