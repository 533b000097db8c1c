"""The fast engine in C: chances as counted over all donor tuples, the same runs at every width, in any pieces."""

import importlib.util
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import binomtest

import debox
from debox import Box, Config, _core, loop
from debox.f0.engines import Fast, Setting, do_runs, stream
from debox.reference import ACCEPTED, EVALUATIONS, INFEASIBLE, MARKS_PASSED, draw

WIDTHS = ("avx512", "avx2", "baseline")
NO_MARKS = np.zeros(0, np.int64)


def widths_here():
    """The names of those that this processor knows."""
    found, before = [], _core.use("baseline")
    for name in WIDTHS:
        try:
            _core.use(name)
        except ValueError:
            continue
        found.append(name)
    _core.use(before)
    return found


@pytest.fixture(params=WIDTHS)
def width(request):
    if request.param not in widths_here():
        pytest.skip(f"this processor does not know {request.param}")
    before = _core.use(request.param)
    yield request.param
    _core.use(before)


def begun(text, n, budget, marks=NO_MARKS, simulates=False):
    """An engine whose run number 0 is begun; one that simulates has no donor tuples to enumerate."""
    engine = Fast(Config(text), Box.unit(n), budget, marks)
    engine.begin(stream(0, engine.config, 0))
    if simulates:
        engine.tables.fast.n_tuples = 0
    return engine


# Chances.


def all_tuples(config, target, best):
    """Every tuple of donors that the rule allows, in rows."""
    avoided = {"target": target, "best": best}
    banned = [avoided[who] for who in config.operators.rule.avoids]
    allowed = [i for i in range(config.N) if i not in banned]
    return np.array(list(permutations(allowed, config.operators.mutation.donors)))


def chance(config, P, target, best):
    """P(the trial of this target is infeasible), from the formula of each tuple's mutant."""
    n, Cr, tuples = P.shape[1], config.Cr, all_tuples(config, target, best)
    donors = [P[tuples[:, k]] if k < tuples.shape[1] else P[[0]] for k in range(5)]
    V = config.operators.mutation.function(P[[target]], P[[best]], *donors, config.F)
    outside = (V < 0.0) | (V > 1.0)
    k = outside.sum(axis=1)
    if config.operators.crossover.name == "bin":
        return np.mean(1.0 - (1.0 - k / n) * (1.0 - Cr) ** k)
    after = np.arange(n)[:, None] + np.arange(n)  # row I: components from I on, cyclically
    distance = outside[:, after % n].argmax(axis=2)  # to the first one outside
    return np.mean(np.where(k[:, None] > 0, Cr**distance, 0.0))


def frozen(text, n, budget):
    """An engine whose population stands still; most of its coordinates lie on bounds, beside them or in the middle."""
    rng, engine = np.random.default_rng(0), Fast(Config(f"{text}, frozen=True"), Box.unit(n), budget, NO_MARKS)
    engine.begin(np.random.Generator(np.random.SFC64(0)))
    near = rng.choice([0.0, 1.0, 1e-9, 1.0 - 1e-9, 0.5, 3e-5], engine.P.shape)
    engine.P[:] = np.where(rng.random(near.shape) < 0.8, near, engine.P)
    return engine


@pytest.mark.parametrize("n", [1, 2, 30, 31, 32, 33, 65, 100])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize(
    ("mutation", "donors"),
    [("rand/1", "distinct"), ("rand/1", "not-target"), ("best/1", "distinct"), ("best/2", "not-parents"),
     ("curr-to-best/1", "not-parents"), ("rand/2", "distinct")],
)  # fmt: skip
def test_chances_are_means_over_all_donor_tuples(width, mutation, donors, crossover, n):
    engine = frozen(f"DE/{mutation}/{crossover} sat, N=6, F=0.7, Cr=0.8, donors={donors}", n, 200_000)
    engine.advance(200_000)
    q, best = engine.tables.values["q"], engine.loop.run.best
    targets = range(len(q))
    np.testing.assert_allclose(q, [chance(engine.config, engine.P, t, best) for t in targets], rtol=0, atol=1e-12)


def test_a_rule_that_avoids_the_best_alone_may_draw_the_target():
    @debox.donors("not-best", avoids=("best",), uniform=True)
    def not_best(N, target, best, rng, r):
        """r₁, r₂, … distinct, none the best"""
        for k in range(r.size):
            r[k] = best
            while r[k] == best or r[k] in r[:k]:
                r[k] = draw(N, rng)

    engine = frozen("DE/curr-to-best/1/bin sat, N=6, F=0.7, Cr=0.8, donors=not-best", 3, 200_000)
    engine.advance(200_000)
    q, best = engine.tables.values["q"], engine.loop.run.best
    np.testing.assert_allclose(q, [chance(engine.config, engine.P, t, best) for t in range(6)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize("F", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("more", ["rand/1 sat 9", "best/1 sat 32", "curr-to-best/1 mirr 32", "rand/1 dismiss 9"])
def test_chances_are_kept_up_to_date_when_individuals_change(width, more, crossover, F):
    mutation, strategy, n = more.split()  # 32 codes fill a row: one more would be another individual's
    engine = begun(f"DE/{mutation}/{crossover} {strategy}, N=7, F={F}, Cr=0.5", int(n), 10**9)
    config, fast, checked = engine.config, engine.tables.fast, 0
    for until in range(1000, 200_000, 1000):
        engine.advance(until)
        best, q = engine.loop.run.best, engine.tables.values["q"]
        if not engine.tables.values["changed"].any() and fast.last_best == best:
            checked += 1
            expected = [chance(config, engine.P, target, best) for target in range(len(q))]
            np.testing.assert_allclose(q, expected, rtol=0, atol=1e-12)
            assert fast.missed_savings == 0.0  # what was missed is made up for
    assert checked > 50
    assert engine.counts[ACCEPTED] > 20


def test_no_parent_is_read_where_there_is_none(monkeypatch):
    """Donors are drawn in threes and fives: of two individuals the third would be the one after the last."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # it is called in Python, as it is written
    parents = []

    @debox.mutation("best-of-two", donors=2, uses_best=True, base="best")
    def best_of_two(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        """v = x_best + F (x_r1 − x_r2)"""
        parents.append((x_r1, x_r2, x_r3, x_r4, x_r5))
        return x_best + F * (x_r1 - x_r2)

    engine = begun("DE/best-of-two/bin sat, N=2, F=0.5, Cr=0.5", 1, 2000, simulates=True)
    del parents[:]
    engine.advance(2000)
    assert len(parents) > 1000
    assert all(set(others) <= {r1, r2} for r1, r2, *others in parents)


# Every trial counts once. With Cr = 1 and F = 2 a trial of 40 components is inside with a chance below 1e-20, unless
# donors may be parents and differences cancel.


@pytest.mark.parametrize("simulates", [False, True])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize(
    "more",
    ["rand/1 uniform, N=7", "rand/1 uniform, N=7, donors=not-target", "best/1 uniform, N=7, donors=not-parents",
     "curr-to-best/1 uniform, N=6, donors=not-parents", "rand/1 penalty, N=7", "rand/1 dismiss, N=7, reevaluate=False"],
)  # fmt: skip
def test_where_all_trials_are_infeasible_each_is_counted_once(more, crossover, simulates):
    mutation, rest = more.split(" ", 1)
    marks = np.array([8, 9, 100, 777, 2000, 2001, 5003])
    engine = begun(f"DE/{mutation}/{crossover} {rest}, F=2, Cr=1", 40, 5003, marks, simulates)
    initial = engine.P.copy()
    engine.advance(5003)
    assert engine.counts[[EVALUATIONS, INFEASIBLE]].tolist() == [5003, 5003 - engine.N]
    assert engine.loop.infeasible_at.tolist() == (marks - engine.N).tolist()
    competes = "uniform" in more
    assert (engine.counts[ACCEPTED] > 20) == competes == (not np.array_equal(engine.P, initial))


@pytest.mark.parametrize("simulates", [False, True])
def test_infeasible_are_trials_of_targets_near_a_bound_and_no_others(simulates):
    text = "DE/curr-to-best/1/bin sat, N=6, F=0.1, Cr=1, frozen=True"
    engine = begun(text, 1, 3000, np.arange(1, 3000), simulates)
    engine.P[:, 0] = [0.5, 1.0, 0.5, 0.0, 0.5, 1.0]
    engine.f[:] = np.arange(1, 7) / 7  # the best is at 0.5, too: from there no mutant gets farther than 0.1
    engine.advance(3000)
    of_slot = np.bincount(np.arange(1, 2999) % 6, np.diff(engine.loop.infeasible_at))
    assert (of_slot > 0).tolist() == [False, True, False, True, False, True]


def test_slots_accept_as_often_as_records_are_set():
    """By their k-th trial slots set a record with chance 1/(k + 1). Wrong with chance 1e-6; so is a trial more."""
    config, accepted, runs = Config("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9"), 0, 2000
    engine = Fast(config, Box.unit(1), 5 * 7, NO_MARKS)  # six trials for each slot
    for number in range(runs):
        engine.begin(stream(0, config, number))
        engine.advance(5 * 7)
        accepted += int(engine.counts[ACCEPTED])

    def off(trials):
        p = 1 / np.arange(2, trials + 2)
        return abs(accepted - 5 * runs * p.sum()) / np.sqrt(5 * runs * (p * (1 - p)).sum())

    assert off(6) < 4.9 < min(off(5), off(7))


# Simulated trials. Each test is wrong with chance 1e-6; F · 1.05 must be found out.


@pytest.mark.parametrize("n", [1, 30, 33, 100])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize(
    ("mutation", "donors"),
    [("rand/1", "distinct"), ("rand/2", "distinct"), ("best/1", "distinct"), ("best/2", "distinct"),
     ("curr-to-best/1", "distinct"), ("rand/1", "not-target"), ("best/1", "not-parents")],
)  # fmt: skip
def test_simulated_trials_are_infeasible_as_often_as_donor_tuples_say(width, mutation, donors, crossover, n):
    budget = 100_000
    engine = frozen(f"DE/{mutation}/{crossover} sat, N=6, F=0.5, Cr=0.6, donors={donors}", n, budget)
    engine.tables.fast.n_tuples = 0  # so that nothing is enumerated
    engine.advance(budget)
    config, best = engine.config, engine.loop.run.best
    q = np.mean([chance(config, engine.P, target, best) for target in range(config.N)])
    assert binomtest(int(engine.counts[INFEASIBLE]), budget - config.N, q).pvalue > 1e-6


def test_a_wrong_F_is_found_out_by_the_number_of_infeasible_trials():
    engine = frozen("DE/rand/1/bin sat, N=6, F=0.5, Cr=0.6", 3, 100_000)
    engine.tables.fast.n_tuples = 0
    engine.advance(100_000)
    q = chance(Config("DE/rand/1/bin sat, N=6, F=0.525, Cr=0.6"), engine.P, 0, 0)
    assert binomtest(int(engine.counts[INFEASIBLE]), 100_000 - 6, q).pvalue < 1e-6


def test_random_numbers_of_a_batch_are_those_of_numpys_generators_side_by_side(width):
    engine = frozen("DE/rand/1/bin sat, N=6, F=0.5, Cr=0.6", 3, 6 + 256)
    engine.tables.fast.n_tuples = 0
    before = engine.tables.values["lanes"].copy()
    engine.advance(6 + 256)
    for t in range(256):
        bits = np.random.SFC64()
        bits.state = bits.state | {"state": {"state": before[:, t]}}
        donors, feasible = np.random.Generator(bits).random(2)
        assert engine.tables.values["parents"][2, t] == int(6 * donors)  # r1
        assert engine.tables.values["u"][t] == feasible
        assert np.array_equal(bits.state["state"]["state"], engine.tables.values["lanes"][:, t])


# The same runs.

RUNS = [
    ("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", 30, 3000),
    ("DE/rand/1/exp mirr, N=100, F=0.7, Cr=0.9", 30, 3001),
    ("DE/rand/2/bin sat, N=40, F=1.9, Cr=0.05", 32, 5000),
    ("DE/best/2/exp sat, N=40, F=0.3, Cr=0.99", 33, 5003),
    ("DE/curr-to-best/1/exp sat, N=1100, F=0.5, Cr=0.9", 65, 9000),
    ("DE/rand/1/bin tor, N=12, F=0.5, Cr=0.5, donors=not-parents", 300, 5000),
    ("DE/best/1/exp sat, N=7, F=0.9, Cr=0.97", 2, 20_000),
    ("DE/rand/1/bin sat, N=9, F=0.5, Cr=0.9, reevaluate=False", 1, 20_000),
]


def state(engine):
    return [
        a.copy() for a in (engine.P, engine.f, engine.counts, engine.loop.infeasible_at, engine.tables.values["lanes"])
    ]


def equal(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def run(text, n, budget, ms=1e9):
    """A run with marks, called again whenever so many ms are over."""
    engine, calls = begun(text, n, budget, np.array([budget // 3, budget // 2])), 1
    while _core.advance(engine.loop.address, engine.tables.address, budget, ms):
        calls += 1
    return state(engine), calls


@pytest.mark.parametrize(("text", "n", "budget"), RUNS)
def test_every_width_does_the_same_run(width, text, n, budget):
    expected, _ = run(text, n, budget)
    _core.use("baseline")
    found, _ = run(text, n, budget)
    assert equal(found, expected)
    assert found[2][EVALUATIONS] == budget
    assert found[2][MARKS_PASSED] == 2


def test_a_run_in_pieces_is_the_run_in_one_piece():
    text, n, budget = "DE/rand/1/bin sat, N=100, F=0.7, Cr=0.9", 100, 300_000
    whole, one = run(text, n, budget)
    pieces, several = run(text, n, budget, ms=0.0)
    assert one == 1
    assert several > 5
    assert equal(whole, pieces)


def test_a_run_that_was_left_in_the_middle_does_not_change_the_next():
    config, box = Config("DE/rand/1/exp sat, N=100, F=0.7, Cr=0.9"), Box.unit(100)
    fresh, used = (Fast(config, box, 300_000, NO_MARKS) for _ in range(2))
    used.begin(stream(1, config, 0))
    assert _core.advance(used.loop.address, used.tables.address, 300_000, 0.0)
    for engine in (fresh, used):
        engine.begin(stream(0, config, 0))
        engine.advance(300_000)
    assert equal(state(fresh), state(used))


def test_a_run_that_is_stopped_does_not_count():
    setting = Setting(Box.unit(300), 10**12, 0, "fast", (0.5,))
    setting.stop.set()
    assert do_runs(Config("DE/rand/1/bin sat, N=100, F=0.7, Cr=0.9"), setting, [0]) == []


def test_without_the_core_an_error_names_the_remedy_and_the_plain_engine(monkeypatch):
    monkeypatch.setattr(loop, "_core", None)
    with pytest.raises(RuntimeError, match=r"install a wheel, or a C compiler .*engine='plain'"):
        Fast(Config("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9"), Box.unit(2), 100, NO_MARKS)


def test_an_unknown_width_is_an_error():
    with pytest.raises(ValueError, match="avx3"):
        _core.use("avx3")
