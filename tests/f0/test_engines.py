"""The two engines as `measure` uses them: the same to the bit compiled and interpreted, and after other runs."""

import numpy as np
import pytest

from debox import Box, Config, registry
from debox.assemble import assemble
from debox.de import algorithm, jit
from debox.de.algorithm import ACCEPTED, EVALUATIONS, INFEASIBLE
from debox.f0.engines import ENGINES, Fast, Plain

CELLS = [
    (mutation.name, crossover.name, rule.name)
    for mutation in registry.in_slot("mutation")
    for crossover in registry.in_slot("crossover")
    for rule in registry.in_slot("donors")
]
STRATEGIES = registry.in_slot("strategy")
BOX = Box.of([(0, 1), (-2, 3), (10, 10.5)])
MARKS = np.array([9, 50, 100])

every_cell = pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS)
every_engine = pytest.mark.parametrize("name", ENGINES)


def configuration(mutation, crossover, rule, N=7, F=0.9):
    strategy = STRATEGIES[CELLS.index((mutation, crossover, rule)) % len(STRATEGIES)].name
    names = {"mutation": mutation, "crossover": crossover, "strategy": strategy, "donors": rule}
    return Config(**names, N=N, F=F, Cr=0.6)


def finished(engine, seed, budget=150):
    engine.begin(np.random.default_rng(seed))
    engine.advance(budget)
    outcome = engine.outcome()
    return outcome._replace(infeasible_at=outcome.infeasible_at.tolist(), best_x=outcome.best_x.tolist())


@every_engine
@every_cell
def test_interpreted_and_compiled_are_the_same_to_the_bit(mutation, crossover, rule, name):
    config = configuration(mutation, crossover, rule)
    compiled = finished(ENGINES[name](config, BOX, 150, MARKS), seed=1)
    with jit.interpreted():
        assert finished(ENGINES[name](config, BOX, 150, MARKS), seed=1) == compiled
    assert compiled.infeasible > 0
    assert compiled.accepted > 0


@every_engine
@every_cell
@pytest.mark.parametrize("F", [0.3, 0.9])  # with a small F populations contract until no trial leaves
def test_a_run_does_not_depend_on_the_runs_before_it(mutation, crossover, rule, name, F):
    config, budget = configuration(mutation, crossover, rule, N=6, F=F), 6000
    used = ENGINES[name](config, BOX, budget, MARKS)
    alone = [finished(ENGINES[name](config, BOX, budget, MARKS), seed, budget) for seed in (1, 2, 3)]
    assert [finished(used, seed, budget) for seed in (1, 2, 3)] == alone
    assert finished(used, 3, budget) == alone[2]  # right after itself
    assert alone[0] != alone[1]


@every_engine
def test_an_outcome_is_the_runs_own(name):
    engine = ENGINES[name](configuration(*CELLS[0]), BOX, 150, MARKS)
    engine.begin(np.random.default_rng(1))
    engine.advance(150)
    outcome = engine.outcome()
    kept = outcome.infeasible_at.tolist(), outcome.best_x.tolist()
    engine.begin(np.random.default_rng(2))
    engine.advance(150)
    assert (outcome.infeasible_at.tolist(), outcome.best_x.tolist()) == kept


@every_engine
def test_an_engine_starts_with_uniform_points_of_its_bounds_and_nothing_counted(name):
    engine = ENGINES[name](configuration(*CELLS[0]), BOX, 150, MARKS)
    finished(engine, 1)
    rng = np.random.default_rng(5)
    engine.begin(rng)
    assert not engine.counts.any()
    assert np.array_equal(engine.P, engine.bounds.sample(7, np.random.default_rng(5)))
    engine.advance(7)
    assert engine.counts[EVALUATIONS] == 7
    assert engine.counts[INFEASIBLE] == engine.counts[ACCEPTED] == 0


def test_plain_is_algorithm_1_in_the_given_box():
    config = configuration("rand/1", "bin", "distinct")
    rng = np.random.default_rng(8)
    P, f, counts = BOX.sample(7, rng), np.empty(7), np.zeros(5, np.int64)
    with jit.interpreted():
        de = assemble(config, BOX)
    at, violations = np.zeros(3, np.int64), np.zeros(3, np.int64)
    algorithm.run(lambda x, rng: rng.random(), de, P, f, 150, np.nan, rng, counts, MARKS, at, violations)
    expected = counts[INFEASIBLE], at.tolist(), counts[ACCEPTED], f.min(), P[f.argmin()].tolist()
    assert finished(Plain(config, BOX, 150, MARKS), seed=8) == expected


def test_fast_works_in_the_unit_box_and_scales_the_best_point():
    config = configuration("rand/1", "bin", "distinct")
    unit = Box.of([(0, 1)] * 3)
    fast, wide = Fast(config, unit, 150, MARKS), Fast(config, BOX, 150, MARKS)
    ours, theirs = finished(fast, 1), finished(wide, 1)
    assert wide.bounds.lower.tolist() == [0, 0, 0]
    assert wide.bounds.upper.tolist() == [1, 1, 1]
    assert theirs[:4] == ours[:4]
    x = np.array(ours.best_x)
    assert theirs.best_x == pytest.approx([x[0], -2 + 5 * x[1], 10 + 0.5 * x[2]], rel=1e-15)
