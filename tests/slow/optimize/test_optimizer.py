"""Optimizers at the limits: boxes of any size, Ctrl-C at any moment, damaged files, a kill during a save."""

import os
import signal
from collections import Counter

import numpy as np
import pytest
from benchmarks.torture import interrupts
from benchmarks.torture import saved as damaged_files
from commands import fork_python, run_in_fork
from objectives import MUTATIONS, STRATEGIES

from debox import Optimizer

PAIRS = [("rand/1", strategy) for strategy in STRATEGIES[:-1]] + [(mutation, "mirror") for mutation in MUTATIONS[1:]]


def happens(mutation, strategy, scale):
    bounds = [(-3.5 * scale, 3.5 * scale), (2.75 * scale, 3.5 * scale)]
    options = {"strategy": strategy, "F": 2, "Cr": 0.9, "N": 9, "budget": 300, "rng": 1}
    optimizer, values = Optimizer(bounds, f"DE/{mutation}/bin", **options), np.random.default_rng(2)
    while not optimizer.done:
        X = optimizer.ask()
        assert optimizer.box.contains(X).all()
        optimizer.tell(X, values.random(len(X)))
    return optimizer.result


@pytest.mark.parametrize("power", [1018, -1000])
def test_in_the_largest_box_and_in_a_tiny_one_the_same_happens_as_in_that_box_scaled(power):
    """By a power of two, which rounds nothing unless something overflows or vanishes; the next is no Box any more."""
    assert 2.0**power < 1e307 / 3.5
    for pair in PAIRS:
        ours, theirs = happens(*pair, 2.0**power), happens(*pair, 1.0)
        assert ours.n_infeasible == theirs.n_infeasible > 20, pair
        np.testing.assert_array_equal(ours.infeasible_per_dimension, theirs.infeasible_per_dimension, str(pair))
        np.testing.assert_array_equal(ours.population, theirs.population * 2.0**power, str(pair))


def test_ctrl_c_at_any_moment_is_heard_once_and_an_optimizer_goes_on_to_the_same_end():
    """Some of what benchmarks/torture/interrupts.py does at length, in a process that a lost or doubled one ends."""
    kinds = [kind for kind in interrupts.KINDS if "measure" not in kind]
    told, _ = run_in_fork(f"from benchmarks.torture import interrupts; interrupts.main(12, {kinds})")
    assert told.splitlines() == [f"{kind}: 12 of 12 heard" for kind in kinds]


def test_a_damaged_file_ends_in_an_error_or_in_a_run_that_goes_on():
    """Some of what `make torture` does at length, in a process of its own, which a crash or a hang would end."""
    ends, _ = run_in_fork("from benchmarks.torture import saved; saved.run(3, 0, 200)")
    counts = Counter(end.split()[0] for end in ends.splitlines())
    assert counts.keys() == set(damaged_files.GOOD)  # every kind of end occurs, and no other
    assert counts.total() == 200


SAVES_FOR_EVER = """
import sys
from debox import Optimizer
optimizer = Optimizer([(0, 1)] * 3, budget=10**9, rng=1)
while True:
    optimizer.tell(X := optimizer.ask(), X.sum(axis=1))
    optimizer.save(sys.argv[1])
    print(optimizer.nfev, flush=True)
"""


def test_a_process_killed_while_it_saves_leaves_the_old_file_or_the_new_one(tmp_path):
    for line in range(8, 12):
        process = fork_python(SAVES_FOR_EVER, tmp_path / "run", stderr=None)
        sizes = [int(process.stdout.readline()) for _ in range(line)]
        os.kill(process.pid, signal.SIGKILL)
        told = [*sizes, *map(int, process.communicate()[0].split())]
        assert Optimizer.load(tmp_path / "run").nfev - told[-1] in (0, told[1] - told[0])
