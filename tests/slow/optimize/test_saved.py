import pickle
from collections import Counter

import numpy as np
import pytest
from ask_and_tell import drive
from benchmarks.torture import saved as damaged_files
from commands import run_in_fork
from comparisons import assert_same_result

from debox import Optimizer, jit
from debox.optimize import saved
from debox.registry import in_slot

BOUNDS = [(-1, 1), (0, 0.5), (5, 9)]
BIT_GENERATORS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]
STRATEGIES = [operator.name for operator in in_slot("strategy")]


def a_run(strategy="COTN", bit_generator=np.random.PCG64, budget=150):
    rng = np.random.Generator(bit_generator(7))
    rng.integers(9, dtype=np.uint32)  # leaves half a draw buffered in the bit generator: part of its state
    return Optimizer(BOUNDS, "DE/curr-to-best/1/exp", strategy=strategy, N=7, F=0.9, Cr=0.3, budget=budget, rng=rng)


@pytest.mark.parametrize("bit_generator", BIT_GENERATORS)
@pytest.mark.parametrize("generations", [0, 1, 2, 9])
@pytest.mark.parametrize("asked", [False, True], ids=["told", "asked"])
def test_a_run_that_was_saved_goes_on_to_the_same_end(tmp_path, bit_generator, generations, asked):
    undisturbed = drive(a_run(bit_generator=bit_generator)).result
    optimizer = drive(a_run(bit_generator=bit_generator), generations)
    waiting = optimizer.ask() if asked else None
    optimizer.save(tmp_path / "run.npz")
    loaded = Optimizer.load(tmp_path / "run.npz")
    assert_same_result(loaded.result, optimizer.result)
    np.testing.assert_equal(loaded.rng.bit_generator.state, optimizer.rng.bit_generator.state)
    if asked:
        np.testing.assert_array_equal(loaded.ask(), waiting)
    assert_same_result(drive(loaded).result, undisturbed)
    assert_same_result(drive(optimizer).result, undisturbed)  # saving disturbs nothing


@pytest.mark.parametrize("strategy", [*STRATEGIES, ["toroidal", "mirror", "saturation"]], ids=str)
def test_saving_after_every_generation_changes_nothing(tmp_path, strategy):
    optimizer = a_run(strategy, budget=40)
    while not optimizer.done:
        optimizer.save(tmp_path / "run")
        optimizer = drive(Optimizer.load(str(tmp_path / "run")), 1)
    assert_same_result(optimizer.result, drive(a_run(strategy, budget=40)).result)


ADAPTIVE = {
    "jDE": {"variant": "jDE"},
    "JADE": {"variant": "JADE", "strategy": "resample"},
    "SHADE": {"variant": "SHADE", "strategy": "dismiss"},
    "L-SHADE": {"variant": "L-SHADE"},
    "not-parents": {"variant": "L-SHADE", "donors": "not-parents", "strategy": "penalty"},
    "mixture": {
        "variant": "L-SHADE",
        "mutation": "rand/1",
        "crossover": "exp",
        "strategy": "conservatism",
        "repair": "mutant",
    },
    "p-best": {"variant": "DE/curr-to-pbest/1/bin"},
}


@pytest.mark.parametrize("options", ADAPTIVE.values(), ids=ADAPTIVE)
def test_an_adaptive_run_saved_or_pickled_at_every_step_goes_on_to_the_same_end(tmp_path, options):
    def begun():
        return Optimizer(BOUNDS, **options, N=10, budget=123, target=1e-9, rng=2)

    with jit.interpreted():
        undisturbed, saved_run, pickled = drive(begun()), begun(), begun()
        assert undisturbed.nfev == 123
        while not saved_run.done:
            saved_run.ask()
            saved_run.save(tmp_path / "asked")
            saved_run = drive(Optimizer.load(tmp_path / "asked"), 1)
            saved_run.save(tmp_path / "told")
            saved_run = Optimizer.load(tmp_path / "told")
            pickled = drive(pickle.loads(pickle.dumps(pickled)), 1)
        for other in (saved_run, pickled):
            assert_same_result(other.result, undisturbed.result)
            assert saved.packed(other) == saved.packed(undisturbed)
            assert other.config == undisturbed.config


def test_a_damaged_file_ends_in_an_error_or_in_a_run_that_goes_on():
    """Some of what `make torture` does at length, in a process of its own, which a crash or a hang would end."""
    ends, _ = run_in_fork("from benchmarks.torture import saved; saved.run(3, 0, 200)")
    counts = Counter(end.split()[0] for end in ends.splitlines())
    assert counts.keys() == set(damaged_files.GOOD)  # every kind of end occurs, and no other
    assert counts.total() == 200


@pytest.mark.parametrize("more", [{"strategy": "none"}, {"strategy": "penalty"}, {"strategy": "resample"}])
@pytest.mark.parametrize("repair", ["trial", "mutant"])
def test_a_run_goes_on_to_the_same_end_also_with_points_outside_or_unseen(tmp_path, more, repair):
    def finish(optimizer):
        while not optimizer.done:
            X = optimizer.ask()
            optimizer.tell(X, ((X - 0.3) ** 2).sum(axis=1))
        return optimizer.result

    def begun():
        optimizer = Optimizer([(0, 1), (0.4, 2)], **more, repair=repair, N=8, F=1.2, budget=130, rng=3)
        for _ in range(4):
            X = optimizer.ask()
            optimizer.tell(X, ((X - 0.3) ** 2).sum(axis=1))
        optimizer.ask()
        return optimizer

    begun().save(tmp_path / "run.npz")
    ours, theirs = finish(Optimizer.load(tmp_path / "run.npz")), finish(begun())
    assert ours.population.tolist() == theirs.population.tolist()
    assert ours.n_infeasible == theirs.n_infeasible > 0
    assert ours.nfev == 130
    is_outside = not (0 <= ours.x[0] <= 1 and 0.4 <= ours.x[1] <= 2)
    assert is_outside == ("x lies outside the bounds" in ours.message) == (more == {"strategy": "none"})
