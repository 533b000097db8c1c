"""The chance of a quiet stretch against the mean over all donor tuples, computed with the operators themselves."""

from itertools import permutations

import numpy as np
import pytest

from debox import Config, registry
from debox.de import jit
from debox.de.mutation import mutate
from debox.f0 import enumeration, fast
from debox.f0.prepare import prepare
from debox.f0.scan import UNIT

CELLS = [
    pytest.param(mutation, crossover.name, rule, id=f"{mutation.name} {crossover.name} {rule.name}")
    for mutation in registry.in_slot("mutation")
    for crossover in registry.in_slot("crossover")
    for rule in registry.in_slot("donors")
]
every_cell = pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS)


def configuration(mutation, crossover, rule, Cr=0.6, more=0):
    N = max(registry.smallest_population(mutation, rule) + more, 3)
    return Config(f"DE/{mutation.name}/{crossover} sat, N={N}, F=0.9, Cr={Cr}, donors={rule.name}")


class Table:
    """Enumerated chances of a population, interpreted or compiled; `q` is one number per target"""

    def __init__(self, config, P, compiled=False):
        self.config = config
        if compiled:
            self.sim, self.enum = prepare(config, P.shape[1])
        else:
            with jit.interpreted():
                self.sim, self.enum = prepare(config, P.shape[1])
        self.call = self._arguments(0)
        self.run = jit.bind(enumeration.enumerate_chances, *self.call) if compiled else enumeration.enumerate_chances
        self.see(P)

    def _arguments(self, best):
        donors = registry.find("mutation", self.config.mutation).donors
        return self.enum, donors, self.config.F, best

    def see(self, P):
        for i in range(len(P)):
            fast.refresh(self.enum.rows, self.enum.width, self.enum.changed, P, i)

    def q(self, best):
        self.run(*self._arguments(best))
        return np.broadcast_to(self.enum.q, self.config.N).copy()


def chance(outside, Cr, crossover):
    """SPEC 5: P(infeasible) of a trial whose mutant has these components outside"""
    n, k = len(outside), int(sum(outside))
    if k == 0:
        return 0.0
    if crossover == "bin":
        return 1 - (1 - k / n) * (1 - Cr) ** k
    start = outside.index(True)
    turned = outside[start:] + outside[:start]  # an infeasible component first: no run of feasible ones wraps around
    runs = "".join("x" if infeasible else "." for infeasible in turned).split("x")
    return 1 - sum(1 - Cr**j for run in runs for j in range(1, len(run) + 1)) / n


def expected(config, P, best):
    """For every target the mean over all donors the rule allows"""
    mutation = registry.find("mutation", config.mutation)
    build = jit.specialise(mutate, formula=mutation.function)
    q, v = [], np.empty(P.shape[1])
    for target in range(config.N):
        avoided = {"distinct": set(), "not-target": {target}, "not-parents": {target}}[config.donors]
        if config.donors == "not-parents" and config.mutation in ("best/1", "current-to-best/1"):
            avoided = {target, best}
        chances = []
        for r in permutations(set(range(config.N)) - avoided, mutation.donors):
            build(P, target, best, [*r, *[0] * (5 - len(r))], config.F, v)
            chances.append(chance([not 0 <= component <= 1 for component in v], config.Cr, config.crossover))
        q.append(np.mean(chances))
    return np.array(q)


@every_cell
@pytest.mark.parametrize("n", [1, 4])
def test_q_is_the_mean_over_all_donors_the_rule_allows(mutation, crossover, rule, n):
    rng = np.random.default_rng(n)
    config = configuration(mutation, crossover, rule)
    P, best = rng.random((config.N, n)), 1
    q = expected(config, P, best)
    assert 0 < q.mean() < 1
    for compiled in (False, True):
        assert Table(config, P, compiled).q(best) == pytest.approx(q, abs=UNIT + 1e-14)


@every_cell
def test_q_is_the_same_to_the_bit_interpreted_and_compiled(mutation, crossover, rule):
    config = configuration(mutation, crossover, rule)
    P = np.random.default_rng(4).random((config.N, 4))
    assert Table(config, P).q(1).tolist() == Table(config, P, compiled=True).q(1).tolist()


@pytest.mark.parametrize("Cr", [0.0, 1.0])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_q_is_right_at_the_ends_of_Cr(crossover, Cr):
    mutation, rule = registry.find("mutation", "rand/1"), registry.find("donors", "not-target")
    config = configuration(mutation, crossover, rule, Cr, more=2)
    P = np.random.default_rng(1).random((config.N, 5))
    assert Table(config, P).q(0) == pytest.approx(expected(config, P, 0), abs=UNIT + 1e-14)


@every_cell
def test_an_update_is_a_fresh_computation(mutation, crossover, rule):
    rng = np.random.default_rng(5)
    config = configuration(mutation, crossover, rule, more=mutation.donors < 5)
    N, n, best = config.N, 3, 0
    P = rng.random((N, n))
    table = Table(config, P, compiled=True)
    table.q(best)
    for step in ["one", "best", "nothing", "two", "one and best", "the best", "the worst", "all"]:
        changes = {"one": [2], "two": [0, N - 1], "one and best": [1], "the best": [best], "the worst": [N - 1]}
        for i in range(N) if step == "all" else changes.get(step, []):
            P[i] = rng.random(n)
        if "best" in step and step != "the best":
            best = (best + 1) % N
        table.see(P)
        assert table.q(best).tolist() == Table(config, P, compiled=True).q(best).tolist(), step


def test_what_changed_is_seen_once():
    config = configuration(registry.find("mutation", "best/1"), "bin", registry.find("donors", "distinct"))
    P = np.random.default_rng(1).random((config.N, 2))
    table = Table(config, P)
    assert table.enum.changed.all()
    table.q(best=1)
    assert not table.enum.changed.any()
    assert table.enum.best[0] == 1
    table.see(P)  # the same
    assert not table.enum.changed.any()
    P[2, 0] /= 2
    table.see(P)
    assert table.enum.changed.tolist() == [False, False, True]


def test_tuples_without_a_changed_individual_are_not_computed_again():
    config = configuration(registry.find("mutation", "rand/1"), "bin", registry.find("donors", "distinct"), more=2)
    P = np.random.default_rng(1).random((config.N, 2))
    table = Table(config, P)
    table.q(best=0)
    without = ~(table.enum.tuples[:, :3] == 4).any(axis=1)
    table.enum.chance[0, without] = -7  # poison
    P[4] /= 2
    table.see(P)
    table.q(best=0)
    assert np.all(table.enum.chance[0, without] == -7)
    assert np.all(table.enum.chance[0, ~without] >= 0)
    assert 0 < np.count_nonzero(without) < len(without)


def test_the_mean_leaves_out_tuples_with_the_avoided():
    tuples = np.array([[0, 1], [1, 2], [2, 0], [2, 3]], np.uint64)
    chances = np.array([2, 1, 4, 3])
    assert enumeration.mean_allowed(chances, tuples, 2, 0, 0) == 4 / 2
    assert enumeration.mean_allowed(chances, tuples, 2, 0, 1) == 3
    assert enumeration.mean_allowed(chances, tuples, 1, 2, 2) == 3 / 2  # only the first is a donor


@every_cell
def test_a_population_seen_after_others_has_the_chances_of_one_seen_first_to_the_bit(mutation, crossover, rule):
    """Else a run would depend on the runs before it."""
    rng, config = np.random.default_rng(6), configuration(mutation, crossover, rule)
    table = Table(config, rng.random((config.N, 3)), compiled=True)
    for best in (0, 1, 1):
        P = rng.random((config.N, 3))
        table.see(P)
        assert table.q(best).tolist() == Table(config, P, compiled=True).q(best).tolist()


def test_chances_stay_chances_however_often_they_change():
    """No rounding error gathers: q never leaves [0, 1], and is 0 where no mutant leaves."""
    config = configuration(registry.find("mutation", "rand/1"), "exp", registry.find("donors", "distinct"), more=1)
    rng, P = np.random.default_rng(7), np.full((4, 2), 0.5)
    table = Table(config, P)
    for step in range(300):
        P[step % 4] = rng.random(2) if rng.random() < 0.7 else 0.5
        table.see(P)
        assert 0 <= table.q(0)[0] <= 1
    P[:] = 0.5
    table.see(P)
    assert table.q(0)[0] == 0


@every_cell
def test_enumeration_is_worthwhile_when_the_stretch_is_long(mutation, crossover, rule):
    config = configuration(mutation, crossover, rule)
    table = Table(config, np.random.default_rng(1).random((config.N, 2)))

    def worthwhile(trials, best=0):
        table.enum.missed[0] = 0  # nothing saved up
        return enumeration.is_worthwhile(table.enum, best, trials)

    lengths = (0, 1, 3, 10, 30, 100, 1000, 10**4, 10**9)
    answers = [bool(worthwhile(trials)) for trials in lengths]
    assert answers == sorted(answers)
    assert (answers[0], answers[-1]) == (False, True)
    table.q(best=0)  # now nothing is new: it can only be cheaper
    assert all(worthwhile(trials) >= before for trials, before in zip(lengths, answers, strict=True))


def test_enumeration_without_tuples_is_never_worthwhile():
    config = Config("DE/rand/2/bin sat, N=100, F=0.5, Cr=0.5")
    with jit.interpreted():
        _, enum = prepare(config, 2)
    assert not enumeration.is_worthwhile(enum, 0, 10**15)


def test_stretches_that_would_have_saved_pay_for_the_next_enumeration():
    config = configuration(registry.find("mutation", "rand/1"), "bin", registry.find("donors", "distinct"), more=7)
    table = Table(config, np.random.default_rng(1).random((config.N, 2)))
    # N = 10: 720 tuples to compute now, 216 after each change; 0.6 trials each: 432 now, 129.6 later
    answers = [bool(enumeration.is_worthwhile(table.enum, 0, 250)) for _ in range(4)]
    assert answers == [False, False, True, True]  # 250 < 432; 250 + 120.4 < 432; 250 + 240.8 > 432
    table.q(best=0)
    assert table.enum.missed[0] == 0
    short = [enumeration.is_worthwhile(table.enum, 0, 0) for _ in range(9)]  # nothing to save
    assert not any(short)
    assert table.enum.missed[0] == 0
