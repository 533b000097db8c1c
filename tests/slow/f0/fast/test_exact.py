"""The chance of a quiet stretch against the mean over all donor tuples, computed with the operators themselves."""

from itertools import permutations, product
from math import perm

import numpy as np
import pytest
from fast_tables import prepared
from operator_lists import FAST_MUTATIONS, PAPER_MUTATIONS

from debox import Config, jit, registry
from debox.de.variation import mutate
from debox.f0.fast import exact, scan
from debox.f0.fast.clock import prepare
from debox.f0.fast.exact import Prices
from debox.f0.fast.fixed_point import encode
from debox.f0.fast.scan import UNIT

CELLS = [
    pytest.param(mutation, crossover.name, rule, id=f"{mutation.name} {crossover.name} {rule.name}")
    for mutation in PAPER_MUTATIONS
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
        self.run = jit.bind(exact.enumerate_chances, *self.call) if compiled else exact.enumerate_chances
        self.see(P)

    def _arguments(self, best):
        donors = registry.find("mutation", self.config.mutation).donors
        return self.enum, donors, self.config.F, best

    def see(self, P):
        for i in range(len(P)):
            self.enum.changed[i] |= encode(self.enum.points, P, i)

    def q(self, best):
        self.run(*self._arguments(best))
        return np.broadcast_to(self.enum.q, self.config.N).copy()

    def worthwhile(self, trials, best=0):
        stale = exact.is_stale(self.enum.best, self.enum.changed, best)
        return bool(exact.is_worthwhile(self.enum.prices, self.enum.changed, stale, self.enum.missed_savings, trials))


def chance(outside, Cr, crossover):
    """docs/spec.md §5: P(infeasible) of a trial whose mutant has these components outside"""
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
            build(P, target, best, [*r, *[0] * (5 - len(r))], config.F, 0.0, v)
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
    assert Table(config, P, compiled=True).q(best) == pytest.approx(q, abs=UNIT + 1e-14)


@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_q_of_each_target_is_the_one_computed_by_hand(crossover):
    # current-to-best/1 with F = 1/2 and best 1: v = x_t/2 + 1/2 + d/2, d the difference of two donors: ±1/2, twice
    # each, or ±1. From 0 it is never more than 1; from 1/2 it is with d = 1; from 1 with any d > 0.
    config = Config(f"DE/curr-to-best/1/{crossover} sat, N=3, F=0.5, Cr=0.6")
    q = Table(config, np.array([[0.0], [0.5], [1.0]])).q(best=2)
    assert q == pytest.approx([0, 1 / 6, 1 / 2], abs=UNIT)


@pytest.mark.parametrize(
    ("mutation", "crossover", "rule"),
    [cell for cell in CELLS if cell.values[0].donors < 5 or not cell.values[2].avoids],  # the others take seconds
)
def test_q_is_the_same_to_the_bit_interpreted_and_compiled(mutation, crossover, rule):
    config = configuration(mutation, crossover, rule)
    P = np.random.default_rng(4).random((config.N, 4))
    assert Table(config, P).q(1).tolist() == Table(config, P, compiled=True).q(1).tolist()


@pytest.mark.parametrize("Cr", [0.0, 1.0])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize("n", [5, 40])
def test_q_is_right_at_the_ends_of_Cr(crossover, Cr, n):
    mutation, rule = registry.find("mutation", "rand/1"), registry.find("donors", "not-target")
    config = configuration(mutation, crossover, rule, Cr, more=2)
    P = 0.3 + 0.5 * np.random.default_rng(1).random((config.N, n))
    assert Table(config, P, compiled=True).q(0) == pytest.approx(expected(config, P, 0), abs=UNIT + 1e-14)


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
    assert exact.mean_allowed(chances, tuples, 2, 0, 0) == 4 / 2
    assert exact.mean_allowed(chances, tuples, 2, 0, 1) == 3
    assert exact.mean_allowed(chances, tuples, 1, 2, 2) == 3 / 2  # only the first is a donor


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
    table = Table(config, P, compiled=True)
    for step in range(300):
        P[step % 4] = rng.random(2) if rng.random() < 0.7 else 0.5
        table.see(P)
        assert 0 <= table.q(0)[0] <= 1
    P[:] = 0.5
    table.see(P)
    assert table.q(0)[0] == 0


@pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS[::5])
def test_enumeration_is_worthwhile_when_the_stretch_is_long(mutation, crossover, rule):
    config = configuration(mutation, crossover, rule)
    table = Table(config, np.random.default_rng(1).random((config.N, 2)))

    def worthwhile(trials, best=0):
        table.enum.missed_savings[0] = 0  # nothing saved up
        return table.worthwhile(trials, best)

    lengths = (0, 1, 3, 10, 30, 100, 1000, 10**4, 10**9)
    answers = [worthwhile(trials) for trials in lengths]
    assert answers == sorted(answers)
    assert (answers[0], answers[-1]) == (False, True)
    table.q(best=0)  # now nothing is new: it can only be cheaper
    assert all(worthwhile(trials) >= before for trials, before in zip(lengths, answers, strict=True))


def test_enumeration_without_tuples_is_never_worthwhile():
    config = Config("DE/rand/2/bin sat, N=100, F=0.5, Cr=0.5")
    table = Table(config, np.random.default_rng(1).random((100, 2)))
    assert not table.worthwhile(10**15)


def test_stretches_that_would_have_saved_pay_for_the_next_enumeration():
    config = configuration(registry.find("mutation", "rand/1"), "bin", registry.find("donors", "distinct"), more=7)
    table = Table(config, np.random.default_rng(1).random((config.N, 2)))
    # N = 10: 720 tuples to compute now, 216 after each change; 0.6 trials each: 432 now, 129.6 later
    answers = [table.worthwhile(250) for _ in range(4)]
    assert answers == [False, False, True, True]  # 250 < 432; 250 + 120.4 < 432; 250 + 240.8 > 432
    table.q(best=0)
    assert table.enum.missed_savings[0] == 0
    short = [table.worthwhile(0) for _ in range(9)]  # nothing to save
    assert not any(short)
    assert table.enum.missed_savings[0] == 0


PRICES = Prices(possible=True, chance=2.5, chances=40, chances_of_one=12, mean=7.0)  # 100 for all, 30 for one


@pytest.mark.parametrize(
    ("changed", "stale", "price"),
    [(0, False, 7), (1, False, 37), (3, False, 97), (4, False, 107), (5, False, 107), (0, True, 107), (1, True, 107)],
)
def test_the_price_is_that_of_what_changed_or_of_all_and_of_the_look(changed, stale, price):
    which = np.arange(5) < changed
    for trials in (price, price + 1):
        answer = exact.is_worthwhile(PRICES, which, stale, np.zeros(1), trials)
        assert answer == (trials > price)
        paid = np.array([trials - 3.0])  # saved up before
        assert exact.is_worthwhile(PRICES, which, stale, paid, 3) == answer


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("DE/curr-to-best/1/bin sat, N=6, F=0.9, Cr=0.6", 108),  # 6 · 30 · 0.6
        ("DE/rand/1/bin sat, N=6, F=0.9, Cr=0.6, donors=not-target", 504),  # 6 · 120 · (0.6 + 0.1)
    ],
)
def test_a_stretch_that_costs_exactly_as_much_is_simulated(text, price):
    table = Table(Config(text), np.random.default_rng(1).random((6, 2)))
    assert not table.worthwhile(price)
    table.enum.missed_savings[0] = 0
    assert table.worthwhile(price + 1)


def test_a_simulated_stretch_would_have_saved_all_but_one_change_and_the_look():
    missed = np.array([5.0])
    for trials, total in ((20, 5), (37, 5), (40, 8), (60, 31)):  # 30 + 7 are paid in any case
        assert not exact.is_worthwhile(PRICES, np.ones(5, np.bool_), False, missed, trials)
        assert missed[0] == total


def test_chances_are_stale_if_the_best_is_a_parent_and_is_another_or_has_changed():
    changed = np.array([False, True, False])
    for last, best, stale in ((0, 0, False), (0, 2, True), (2, 0, True), (1, 1, True), (-1, 0, True)):
        assert exact.is_stale(np.array([last]), changed, best) == stale
    nobodys = np.zeros(0, np.int64)
    assert not any(exact.is_stale(nobodys, changed, best) for best in range(3))


# Tables.


@pytest.mark.parametrize(("N", "k"), [(2, 2), (5, 5), (7, 2), (6, 3)])
def test_donor_tuples_are_all_tuples_of_different_individuals_each_once(N, k):
    tuples = exact.donor_tuples(N, k).tolist()
    assert len(tuples) == perm(N, k)
    expected = {t for t in product(range(N), repeat=k) if len(set(t)) == k}
    assert {tuple(t[:k]) for t in tuples} == expected
    assert {tuple(t[k:]) for t in tuples} == {(0,) * (5 - k)}


def test_tuples_with_each_are_those_that_contain_it():
    tuples, containing = exact.donor_tuples(5, 3)[:, :3].tolist(), exact.tuples_with_each(5, 3)
    for i in range(5):
        assert containing[i].tolist() == [k for k, t in enumerate(tuples) if i in t]


def test_a_table_too_large_is_not_made():
    assert exact.donor_tuples(100, None).shape == (0, 5)
    _, enum = prepared("DE/rand/2/bin sat, N=100, F=0.5, Cr=0.5")  # 9·10⁹ tuples
    assert enum.tuples.shape == (0, 5)
    assert enum.chances is scan.no_chances  # what is not used is not compiled
    assert enum.chance.size == 0


def depends_on_target(mutation, rule):
    """Does the mutant's law, for a fixed best? By the formula, or by whom the donors avoid"""
    return "x_t" in mutation.formula or rule.name != "distinct"


@pytest.mark.parametrize("mutation", FAST_MUTATIONS, ids=lambda m: m.name)
@pytest.mark.parametrize("rule", registry.in_slot("donors"), ids=lambda r: r.name)
def test_chances_are_kept_for_every_target_if_the_target_matters(mutation, rule):
    N = registry.smallest_population(mutation, rule)
    sim, enum = prepared(f"DE/{mutation.name}/bin sat, N={N}, F=0.5, Cr=0.5, donors={rule.name}")
    targets = N if depends_on_target(mutation, rule) else 1
    assert enum.chance.shape == (targets, len(list(permutations(range(N), mutation.donors))))
    assert enum.q.shape == (targets,)
    assert enum.per_target == depends_on_target(mutation, rule)
    assert sim.draws_donors_together == enum.distinct == (rule.name == "distinct")
    assert enum.avoids_best == (rule.name == "not-parents" and "best" in mutation.name)
    assert sim.per_target == enum.per_target
    assert sim.uses_best == ("best" in mutation.name)
    assert enum.best.tolist() == [-1] * ("best" in mutation.name)  # nobody yet


# By hand: 0.6 trials a tuple for bin, 2.5 for exp, 0.1 to look at it. N = 6: 6·5·4 = 120 tuples of three, 60 with a
# given one; 30 of two, 10 with a given one. With an own chance for each of six targets, all of the target's change too.
@pytest.mark.parametrize(
    ("variant", "prices"),
    [
        ("rand/1/bin sat, donors=distinct", (True, 0.6, 120, 60, 0)),
        ("rand/1/exp sat, donors=distinct", (True, 2.5, 120, 60, 0)),
        ("rand/1/exp sat, donors=not-target", (True, 2.5, 720, 360 + 120, 72)),
        ("best/1/bin sat, donors=not-parents", (True, 0.6, 180, 60 + 30, 18)),
        ("curr-to-best/1/bin sat, donors=distinct", (True, 0.6, 180, 60 + 30, 0)),
    ],
)
def test_prices_are_those_of_the_tuples(variant, prices):
    _, enum = prepared(f"DE/{variant}, N=6, F=0.5, Cr=0.5")
    assert enum.prices == pytest.approx(prices)


def test_what_is_too_large_has_no_price():
    _, enum = prepared("DE/rand/2/bin sat, N=100, F=0.5, Cr=0.5")
    assert not enum.prices.possible


@pytest.mark.parametrize(("N", "possible"), [(28, True), (29, False)])  # 28·27·26 = 19 656, 29·28·27 = 21 924
def test_so_many_chances_are_worth_a_table(N, possible):
    _, enum = prepared(f"DE/rand/1/bin sat, N={N}, F=0.5, Cr=0.5")
    assert enum.prices.possible == possible
