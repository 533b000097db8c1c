"""Whole runs with operators of users: the same bits as debox's own, and the same law in both engines."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ks_2samp

import debox
from debox import Box, Config
from debox.f0.engines import ENGINES
from debox.operators import find

FALSE_ALARM = 1e-6
TEXT = "DE/{mutation}/{crossover} {strategy}, N=7, F=0.9, Cr=0.6, donors={donors}, adaptation={adaptation}"
OWN = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "donors": "not-target", "adaptation": "fixed"}


def run(engine, names, seed, compiled=True, n=3, budget=2000):
    """All that a run on f0 leaves, and its next random number"""
    made = ENGINES[engine](Config(TEXT.format(**OWN | names)), Box.unit(n), budget, np.array([budget // 2]))
    if not compiled:
        made.loop.set_operators(compiled=False)
    rng = np.random.default_rng(seed)
    made.begin(rng)
    made.advance(budget)
    outcome = made.outcome()
    return [*outcome[:1], outcome.infeasible_at.tolist(), outcome.accepted, outcome.best_f, outcome.best_x.tolist()]


def copied(slot, name, **changed):
    """The same Python function under another name: its own C function is not used"""
    own = find(slot, name)
    function = type(own.function)(own.function.__code__, own.function.__globals__, own.function.__name__)
    function.__doc__ = own.function.__doc__
    return debox.register(replace(own, name="copied", short="copied", function=function, **changed))


COPIES = [("plain", "mutation", "current-to-rand/1"), ("plain", "crossover", "bin"), ("plain", "strategy", "COTN")]
COPIES += [("plain", "strategy", "project-base"), ("plain", "adaptation", "SHADE")]
COPIES += [("fast", "mutation", "best/2"), ("fast", "crossover", "exp"), ("fast", "strategy", "saturation")]


@pytest.mark.parametrize("compiled", [True, False], ids=["Numba", "ctypes"])
@pytest.mark.parametrize(("engine", "slot", "name"), COPIES)
def test_a_copied_operator_has_the_same_bits_compiled_or_called_in_python(engine, slot, name, compiled):
    copied(slot, name)
    budget = 2000 if compiled else 300
    expected = run(engine, {slot: name}, 1, budget=budget)
    assert run(engine, {slot: "copied"}, 1, compiled, budget=budget) == expected
    assert run(engine, {slot: name}, 2, budget=budget) != expected


@pytest.mark.parametrize("name", ["rand/1", "rand/2", "current-to-best/1"])
def test_a_mutation_without_weights_has_the_runs_of_the_fast_engine_that_it_has_with_them(name):
    copied("mutation", name, weights=None)
    assert run("fast", {"mutation": "copied"}, 1) == run("fast", {"mutation": name}, 1)


def larger(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = max(x_r1, x_r1 + F (x_r2 − x_r3))"""
    return max(x_r1, x_r1 + F * (x_r2 - x_r3))


def test_a_mutation_that_is_not_a_weighted_sum_has_the_same_law_in_both_engines():
    """Numbers of infeasible trials of 400 runs each; false-alarm rate 10⁻⁶ a test, and rand/1 is found different."""
    debox.mutation("larger/1", donors=3)(larger)  # not at import: other tests list all operators
    pairs = {"larger/1": ("plain", "fast"), "rand/1": ("fast",)}
    counts = {
        (mutation, engine): [run(engine, {"mutation": mutation}, seed, budget=400)[0] for seed in seeds]
        for mutation, engines in pairs.items()
        for engine, seeds in zip(engines, (range(400), range(400, 800)), strict=False)
    }
    fast = counts["larger/1", "fast"]
    assert ks_2samp(counts["larger/1", "plain"], fast).pvalue > FALSE_ALARM
    assert ks_2samp(counts["rand/1", "fast"], fast).pvalue < FALSE_ALARM
