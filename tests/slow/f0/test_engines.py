"""The engines as `measure` uses them: the same after other runs, in any box, to the largest budget."""

from dataclasses import fields, replace

import numpy as np
import pytest
from operator_lists import FAST_STRATEGIES, PAPER_CELLS

from debox import Box, Config, reference
from debox.f0.engines import ENGINES, Plain, Setting, engine_for, stream
from debox.reference import ACCEPTED, EVALUATIONS, INFEASIBLE

BOX = Box.of([(0, 1), (-2, 3), (10, 10.5)])
MARKS = np.array([9, 50, 100])

every_cell = pytest.mark.parametrize(("mutation", "crossover", "rule"), PAPER_CELLS)
every_engine = pytest.mark.parametrize("name", ENGINES)


def configuration(mutation, crossover, rule, N=7, F=0.9):
    strategy = FAST_STRATEGIES[PAPER_CELLS.index((mutation, crossover, rule)) % len(FAST_STRATEGIES)].name
    names = {"mutation": mutation, "crossover": crossover, "strategy": strategy, "donors": rule}
    return Config(**names, N=N, F=F, Cr=0.6)


def finished(engine, seed, budget=150):
    engine.begin(np.random.default_rng(seed))
    engine.advance(budget)
    outcome = engine.outcome()
    return outcome._replace(infeasible_at=outcome.infeasible_at.tolist(), best_x=outcome.best_x.tolist())


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
    engine = ENGINES[name](configuration(*PAPER_CELLS[0]), BOX, 150, MARKS)
    engine.begin(np.random.default_rng(1))
    engine.advance(150)
    outcome = engine.outcome()
    kept = outcome.infeasible_at.tolist(), outcome.best_x.tolist()
    engine.begin(np.random.default_rng(2))
    engine.advance(150)
    assert (outcome.infeasible_at.tolist(), outcome.best_x.tolist()) == kept


def test_a_best_point_outside_is_reported_as_it_is_where_points_stay_outside():
    """With F = 2 and the strategy none most points of a run lie outside after some generations."""
    config = Config("DE/rand/1/bin none, N=5, F=2, Cr=1")
    best = [finished(ENGINES["plain"](config, BOX, 150, MARKS), seed).best_x for seed in range(5)]
    assert not all(BOX.contains(x) for x in best)


@every_engine
def test_an_engine_starts_with_uniform_points_of_its_bounds_and_nothing_counted(name):
    engine = ENGINES[name](configuration(*PAPER_CELLS[0]), BOX, 150, MARKS)
    finished(engine, 1)
    rng = np.random.default_rng(5)
    engine.begin(rng)
    assert not engine.counts.any()
    assert np.array_equal(engine.P, np.random.default_rng(5).random((7, 3)))
    engine.advance(7)
    assert engine.counts[EVALUATIONS] == 7
    assert engine.counts[INFEASIBLE] == engine.counts[ACCEPTED] == 0


def test_plain_is_algorithm_1_on_fresh_uniform_numbers():
    rng, unit = np.random.default_rng(8), Box.unit(3)
    run = reference.Run(unit.lower, unit.upper, rng.random((7, 3)), 150, rng, F=0.9, Cr=0.6, marks=MARKS)
    reference.run(run, lambda x: rng.random())
    infeasible, accepted = run.counts[[INFEASIBLE, ACCEPTED]]
    expected = infeasible, run.infeasible_at.tolist(), accepted, run.f.min(), run.P[run.best].tolist()
    plain = Plain(Config("DE/rand/1/bin sat, N=7, F=0.9, Cr=0.6"), unit, 150, MARKS)
    assert finished(plain, seed=8)[:5] == expected


@every_engine
def test_the_box_only_scales_the_best_point(name):
    """In [0.1, 0.7] a point on a bound plus F = 1 times a difference of such points may round beyond the bound."""
    for box in (BOX, Box.of([(0.1, 0.7)] * 3)):
        config = Config("DE/curr-to-best/1/bin sat, N=5, F=1, Cr=0.05")
        unit, wide = (ENGINES[name](config, b, 3000, MARKS) for b in (Box.unit(3), box))
        ours, theirs = finished(unit, 1), finished(wide, 1)
        assert theirs[:4] == ours[:4]
        width = box.upper - box.lower
        assert theirs.best_x == pytest.approx((box.lower + width * np.array(ours.best_x)).tolist(), rel=1e-14)


@pytest.mark.parametrize("text", ["DE/rand/1/bin sat, N=10, F=0.7, Cr=0.9", "JADE, N=10", "L-SHADE, N=10"])
def test_a_stop_on_the_way_does_not_cut_a_generation(text):
    config, budget = Config(text), 205
    whole, pieces = (Plain(config, Box.unit(2), budget, np.array([100])) for _ in range(2))
    for engine in (whole, pieces):
        engine.begin(stream(0, config, 0))
    pieces.advance(13)
    assert pieces.counts[EVALUATIONS] == 20
    for engine, ends in ((whole, [budget]), (pieces, [21, 50, 51, 177, budget])):
        for until in ends:
            engine.advance(until)
            assert until <= engine.counts[EVALUATIONS] < until + config.N
    for name in ("P", "f", "counts", "memory", "infeasible_at"):
        np.testing.assert_array_equal(getattr(whole.loop, name), getattr(pieces.loop, name), err_msg=name)
    assert whole.counts[EVALUATIONS] == budget


# The runs of one configuration.


@every_engine
def test_the_largest_budget_is_begun_and_nothing_comes_around(name):
    config = Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9")
    setting = Setting(Box.unit(2), 2**60, 0, name, (1e-18, 0.5, 1 - 2**-53))
    assert setting.marks.tolist() == [1, 2**59, 2**60 - 2**7]
    for budget in (2**53 + 3, 2**57 - 1, 2**60 - 1):
        first, last = Setting(Box.unit(1), budget, 0, name, (0.5, 1 - 2**-53)).marks
        assert budget // 2 <= first <= last <= budget
    begun = engine_for(config, setting)
    begun.begin(stream(0, config, 0))
    for until in (500, 1000):
        begun.advance(until)
        assert begun.counts[0] == until
        assert 0 < begun.outcome().infeasible < until


# Another value for every field: a new field of Config is asked for one.
ANOTHER = {
    "mutation": "rand/2",
    "crossover": "bin",
    "strategy": "toroidal",
    "N": 6,
    "F": 0.70001,
    "Cr": 0.90001,
    "donors": "not-target",
    "reevaluate": False,
    "frozen": True,
    "repair": "mutant",
    "adaptation": "jDE",
}


def test_every_field_of_a_configuration_gives_other_random_numbers():
    base = Config("DE/rand/1/exp dism, N=5, F=0.7, Cr=0.9")  # dism: of the others reevaluate changes nothing
    minds_repair = replace(base, strategy="resample")  # and repair changes nothing to dism
    bases = {"repair": minds_repair}
    others = [replace(bases.get(field.name, base), **{field.name: ANOTHER[field.name]}) for field in fields(Config)]
    first = [stream(0, config, 0).random() for config in (base, minds_repair, *others)]
    assert len(set(first)) == 2 + len(fields(Config))
