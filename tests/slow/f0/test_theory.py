"""The closed forms against values derived by hand, an enumeration, and the algorithm itself.

A simulated mean may be off by at most LIMIT = 4 standard errors: false-alarm rate 6.3e-5 per comparison, two-sided, 1 %
for the 120 comparisons of this file. Seeds are fixed. A wrong theory must be off by more than 4.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import fsum

import numpy as np
import pytest
from comparisons import standard_errors_off
from scipy.integrate import quad

from debox import Box, Config, operators, register
from debox.f0 import theory
from debox.loop import Loop

NO_MARKS = np.zeros(0, np.int64)
LIMIT = 4
MUTATIONS = [mutation for mutation in operators.in_slot("mutation") if not mutation.draws_K]  # with fixed weights
RULES = operators.in_slot("donors")
# current-to-pbest/1 has a test of its own, against current-to-best/1
WITHOUT_P_BEST = [mutation for mutation in operators.in_slot("mutation") if not mutation.uses_p_best]
CELLS = [  # every mutation, rule and crossover; the paper's mutations with all rules and crossovers
    *((m.name, r.name, c.name) for m, r, c in product(MUTATIONS[:4], RULES, operators.in_slot("crossover"))),
    *((m.name, RULES[k % 3].name, ("bin", "exp")[k % 2]) for k, m in enumerate(WITHOUT_P_BEST[4:])),
]


def make(mutation, N, F, donors="distinct", crossover="bin", Cr=0.6, strategy="saturation", **switches):
    return Config(mutation=mutation, crossover=crossover, strategy=strategy, N=N, F=F, Cr=Cr, donors=donors, **switches)


def avoided(config, target, best):
    """Whom donors avoid: nobody, the target, or the target and, where the mutation uses it, the best"""
    uses_best = "best" in config.mutation
    parents = [target, best] if uses_best else [target]
    return {"distinct": [], "not-target": [target], "not-parents": parents}[config.donors]


def mutant_weights(mutation, target, best, tuples, F, N):
    """How often the mutant has which weights of individuals, sorted and without zeros: for each tuple of donors.

    It is the mutation itself that tells: individual i is the i-th unit vector.
    """
    X, found = np.eye(N), Counter()
    for r in tuples:
        v = mutation.function(X[target], X[best], *X[[*r, *[0] * (5 - len(r))]], F)
        found[tuple(sorted(filter(None, v.tolist())))] += 1
    return {tuple(map(Fraction, weights)): count for weights, count in found.items()}


def test_of_a_population_of_one_the_target_is_the_best():
    def best(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        """v = x_best"""
        return x_best

    fields = {"donors": 0, "weights": lambda F: (0, 1)}
    one = replace(operators.find("mutation", "best/1"), name="best/0", short="best/0", function=best, **fields)
    assert theory.mixture(make(register(one), 1, 0.5)) == {(1,): 1}


def test_every_crossover_has_its_closed_forms():
    laws = {operator.exchanges for operator in operators.in_slot("crossover")}
    assert laws == set(theory.TRIAL_CHANCES) == set(theory.EXCHANGES)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_mixture_is_what_the_mutation_gives_for_every_best_and_every_donors(mutation, rule):
    least = operators.smallest_population(mutation, rule)
    for F in (0.25, 0.5, 1.0, 1.75):  # few bits: the mutation rounds nothing; 0.5 and 1 cancel weights
        for N in (least, least + 1):
            config, target = make(mutation.name, N, F, rule.name), N - 1
            expected = Counter()
            for best in range(N):
                allowed = set(range(N)).difference(avoided(config, target, best))
                tuples = list(permutations(allowed, mutation.donors))
                for weights, count in mutant_weights(mutation, target, best, tuples, F, N).items():
                    expected[weights] += Fraction(count, N * len(tuples))
            assert theory.mixture(config) == expected, config


@pytest.mark.parametrize("F", [1e-12, 1e-3, 0.05, 0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 1.5, 2.0])
def test_components_by_hand(F):
    near = {"rel": 1e-14, "abs": 0}
    # x + F (y − z): docs/spec.md §5
    rand_1 = F / 3 if F <= 1 else 1 - 1 / F + 1 / (3 * F**2)
    assert theory.component_infeasible(make("rand/1", 3, F)) == pytest.approx(rand_1, **near)
    # donors that avoid the best leave best/1 three different points
    assert theory.component_infeasible(make("best/1", 4, F, "not-parents")) == pytest.approx(rand_1, **near)
    # (1 + F) x − F y < 0 below a line in the unit square: a triangle of area F/(1 + F)/2; twice that for both bounds.
    below = F / (1 + F)
    # (1 − F) x + F y lies between x and y for F ≤ 1; else it is (1 + G) y − G x with G = F − 1
    between = max(0, (F - 1) / F)
    # best/1, N = 2: the best is r1 or r2, each with probability 1/2
    assert theory.component_infeasible(make("best/1", 2, F)) == pytest.approx((below + between) / 2, **near)
    # current-to-best/1, N = 2: target = best: as best/1. Target ≠ best: donors (target, best) give the target itself,
    # donors (best, target) give (1 − 2F) x_t + 2F x_best. The four cases are equally likely.
    beyond = max(0, (2 * F - 1) / (2 * F))
    expected = (below + between + 0 + beyond) / 4
    assert theory.component_infeasible(make("current-to-best/1", 2, F)) == pytest.approx(expected, **near)
    # best/1, N ≥ 3: the best is r1 with probability 1/N, r2 with 1/N, also if donors avoid the target
    expected = (below + between + 5 * rand_1) / 7
    for rule in ("distinct", "not-target"):
        assert theory.component_infeasible(make("best/1", 7, F, rule)) == pytest.approx(expected, **near)


def test_rand_2_by_hand():
    # T = y − z + y' − z' is an Irwin–Hall sum of 4 less 2; x + FT leaves with probability F E|T| while F|T| ≤ 1, and
    # E|T| = 2 ∫₀² t h(t) dt = 2 (∫₀¹ t (4 − 6t² + 3t³)/6 dt + ∫₁² t (2 − t)³/6 dt) = 2 (11/60 + 3/60) = 7/15.
    for F in (1e-300, 1e-12, 1e-3, 0.05, 0.5):
        assert theory.component_infeasible(make("rand/2", 5, F)) == pytest.approx(7 * F / 15, rel=1e-14, abs=0)
    # F = 1: below 0 iff an Irwin–Hall sum of 5 is below 2: (2⁵ − 5·1⁵)/5! = 27/120
    assert theory.component_infeasible(make("rand/2", 9, 1.0)) == pytest.approx(54 / 120, rel=1e-15)


@pytest.mark.parametrize("F", [1e-12, 1e-3, 0.05, 0.5])
def test_current_to_best_of_four_different_points_by_hand(F):
    # (1 − F) x + F y + F z < F w for F ≤ 1/2: a simplex of volume (Fw)³/(6 (1 − F) F²), on average F/(24 (1 − F));
    # twice that for both bounds. The target is the best with probability 1/4, and then the mutant is x + F (y − z).
    expected = 3 / 4 * F / (12 * (1 - F)) + 1 / 4 * F / 3
    config = make("current-to-best/1", 4, F, "not-parents")
    assert theory.component_infeasible(config) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
@pytest.mark.parametrize("F", [0.5, 1.0])  # where weights cancel or coincide
def test_chances_are_continuous_in_F(mutation, F):
    # A step of δ in F moves Σ wⱼUⱼ by at most 2δ; its density is at most 1/max wⱼ ≤ 4; there are 2 bounds: 16 δ.
    delta = 1e-9
    for rule in RULES:
        configs = [make(mutation.name, 7, G, rule.name) for G in (F, F - delta, F + delta)]
        component, *components = map(theory.component_infeasible, configs)
        trial, *trials = (theory.trial_infeasible(config, 3) for config in configs)
        assert all(abs(near - component) < 17 * delta for near in components)
        assert all(abs(near - trial) < 3 * 17 * delta for near in trials)


@pytest.mark.parametrize(("N", "F", "rule"), [(3, 0.5, "distinct"), (9, 1.0, "not-target"), (9, 1.6, "not-target")])
def test_current_to_rand_is_the_mean_over_K(N, F, rule):
    config = make("current-to-rand/1", N, F, rule, Cr=1)

    def given(K):
        return float(sum(p * theory.chance_outside(w) for w, p in theory.mixture(config, Fraction(K)).items()))

    # quad halves intervals until bends do not matter, to 1e-12
    assert theory.component_infeasible(config) == pytest.approx(
        quad(given, 0, 1, epsrel=1e-12, limit=200)[0], rel=1e-10
    )
    # without crossover in one dimension a trial is its mutant
    assert theory.trial_infeasible(config, 1) == pytest.approx(theory.component_infeasible(config), rel=1e-12)
    # a mean of the chances is not the chance at the mean K
    assert abs(given(0.5) / theory.component_infeasible(config) - 1) > 0.01


def test_current_to_rand_by_hand():
    # F → 0: (1 − K) x + K y lies between x and y
    assert theory.component_infeasible(make("current-to-rand/1", 9, 1e-9, "not-target")) < 1e-9
    # N = 3, distinct, the target is r1, r2 or r3 with chance 1/3 each; r1: x + K F (y − z) leaves with K F/3: F/6
    # r2: (1 − K + K F) x + K y − K F z; r3: (1 − K − K F) x + K y + K F z lies between for F ≤ 1 and K ≤ 1/(1 + F)
    F = Fraction(1, 2)
    config = make("current-to-rand/1", 3, 0.5)
    K = Fraction(1, 3)
    given = theory.mixture(config, K)
    expected = {(-K * F, K, 1 - K + K * F), (K * F, K, 1 - K - K * F), (-K * F, K * F, Fraction(1))}
    assert {tuple(sorted(w)) for w in given} == {tuple(sorted(w)) for w in expected}
    assert set(given.values()) == {Fraction(1, 3)}


STRATEGIES = operators.in_slot("strategy")


def test_the_first_generation_does_not_depend_on_the_strategy():
    """One test over all strategies and repairs, false-alarm rate 6e-7 each: LIMIT standard errors, fixed seeds."""
    rng, expected = np.random.default_rng(29), theory.trial_infeasible(make("rand/1", 10, 0.9), 3)
    for strategy, repair in product(STRATEGIES, ("trial", "mutant")):
        if repair == "trial" or strategy.minds_repair:
            config = make("rand/1", 10, 0.9, strategy=strategy.name, repair=repair)
            assert theory.trial_infeasible(config, 3) == expected
            assert standard_errors_off(proposed(config, 3, 1_200, rng), expected) < LIMIT, config
    # refused: F 5 % off
    last = proposed(make("rand/1", 10, 0.945), 3, 3_000, rng)
    assert standard_errors_off(last, expected) > LIMIT


def test_trials_by_hand():
    # rand/1, F = 1: p = 1/3. n = 3, Cr = 1/2. exp exchanges 1, 2, 3 components with probability 1/2, 1/4, 1/4:
    # 1 − (1/2)(2/3) − (1/4)(4/9) − (1/4)(8/27) = 13/27
    third = {c: make("rand/1", 5, 1.0, crossover=c, Cr=0.5) for c in ("bin", "exp")}
    assert theory.trial_infeasible(third["exp"], 3) == pytest.approx(13 / 27, rel=1e-14)
    assert theory.trial_infeasible(third["bin"], 3) == pytest.approx(1 - 2 / 3 * (5 / 6) ** 2, rel=1e-14)
    # best/1, N = 2, F = 1: p is 1/2 or 0. n = 2, Cr = 1: (3/4 + 0)/2, not the 7/16 of the mean p = 1/4
    assert theory.trial_infeasible(make("best/1", 2, 1.0, Cr=1), 2) == pytest.approx(3 / 8, rel=1e-14)


@pytest.mark.parametrize("Cr", [0.0, 0.05, 0.99, 1 - 1e-12, 1.0])
@pytest.mark.parametrize("n", [1, 2, 30])
def test_crossed_chances_are_sums_over_what_is_exchanged(Cr, n):
    for p in (0.0, 1e-3, 0.3, 0.7):
        length = [Cr ** (L - 1) * (1 - Cr) for L in range(1, n)] + [Cr ** (n - 1)]
        exp = 1 - fsum(chance * (1 - p) ** L for L, chance in enumerate(length, 1))
        assert theory.TRIAL_CHANCES["segment"](p, Cr, n) == pytest.approx(exp, abs=1e-13)
        assert theory.TRIAL_CHANCES["each"](p, Cr, n) == pytest.approx(1 - (1 - p) * (1 - Cr * p) ** (n - 1), abs=1e-13)
        assert theory.expected_exchanges("exp", n, Cr) == pytest.approx(np.dot(length, range(1, n + 1)), rel=1e-10)
    tiny = 1e-200  # to first order a trial has as many chances as components exchanged
    for crossover in operators.in_slot("crossover"):
        chance = theory.TRIAL_CHANCES[crossover.exchanges](tiny, Cr, n)
        assert chance / tiny == pytest.approx(theory.expected_exchanges(crossover.name, n, Cr), rel=1e-10)


def settings(mutation, rule, crossover):
    least = operators.smallest_population(operators.find("mutation", mutation), operators.find("donors", rule))
    for N, F in ((least, 0.4), (5, 0.9), (20, 1.3)):
        yield make(mutation, max(N, least), F, rule, crossover)


def proposed(config, n, M, rng):
    """The share of infeasible trials that the algorithm itself proposes in each of M first generations"""
    loop = Loop(config, Box.unit(n), budget=10**9, rng=rng, P=np.zeros((config.N, n)), marks=NO_MARKS)
    shares = np.empty(M)
    for i in range(M):
        loop.restart(rng.random((config.N, n)), rng)
        loop.propose()
        loop.f_U[:] = rng.random(config.N)
        loop.select()
        shares[i] = np.count_nonzero(loop.infeasible[: loop.propose()]) / config.N
    return shares


@pytest.mark.parametrize(("mutation", "rule", "crossover"), CELLS)
def test_first_generation_trials_leave_as_often_as_the_theory_says(mutation, rule, crossover):
    rng = np.random.default_rng(20)
    for config in settings(mutation, rule, crossover):
        expected = theory.trial_infeasible(config, 3)
        assert standard_errors_off(proposed(config, 3, 1_200, rng), expected) < LIMIT, config


def test_wrong_theories_are_rejected():
    rng = np.random.default_rng(21)
    config = make("best/1", 5, 0.9, Cr=1)
    outcomes = proposed(config, 3, 10_000, rng)
    wrong = {
        "components mixed before the crossover": theory.TRIAL_CHANCES["each"](
            theory.component_infeasible(config), 1, 3
        ),
        "donors that avoid the best": theory.trial_infeasible(make("best/1", 5, 0.9, "not-parents", Cr=1), 3),
        "F 5 % off": theory.trial_infeasible(make("best/1", 5, 0.945, Cr=1), 3),
    }
    assert standard_errors_off(outcomes, theory.trial_infeasible(config, 3)) < LIMIT
    for what, value in wrong.items():
        assert standard_errors_off(outcomes, value) > LIMIT, what


def test_acceptances_are_records():
    # 3 slots of 3 generations: 1/2 + 1/3 + 1/4 each; 2 slots of 4: 1/5 more each
    budget, expected = 5 + 3 * 5 + 2, 5 * (1 / 2 + 1 / 3 + 1 / 4) + 2 / 5
    config = make("rand/1", 5, 1.5, strategy="dismiss")
    assert theory.expected_acceptances(config, budget) == pytest.approx(expected, rel=1e-14)
    assert theory.expected_acceptances(replace(config, frozen=True), budget) == 0
    for unknown in (replace(config, reevaluate=False), replace(config, strategy="penalty")):
        with pytest.raises(ValueError, match=r"not known for .*: infeasible trials are not accepted"):
            theory.expected_acceptances(unknown, budget)


def test_a_whole_run_accepts_as_often_as_the_harmonic_numbers_add_up():
    for N, G in ((5, 997), (5, 998), (5, 59_999), (100, 2_999)):
        expected = N * fsum(1 / k for k in range(2, G + 2))
        assert theory.expected_acceptances(make("rand/1", N, 1.0), N * (G + 1)) == pytest.approx(expected, rel=1e-13)
    assert theory.expected_acceptances(make("rand/1", 5, 1.0), 5) == 0


@pytest.mark.parametrize("crossover", operators.in_slot("crossover"), ids=lambda c: c.name)
@pytest.mark.parametrize("Cr", [0.3, 0.9])
def test_crossovers_exchange_as_many_components_as_expected(crossover, Cr):
    other = {"bin": "exp", "exp": "bin"}[crossover.name]
    rng, n, u, exchanged = np.random.default_rng(24), 6, np.empty(6), np.empty(4000)
    for i in range(exchanged.size):
        crossover.function(np.zeros(n), np.ones(n), Cr, rng, u)
        exchanged[i] = u.sum()
    assert standard_errors_off(exchanged, theory.expected_exchanges(crossover.name, n, Cr)) < LIMIT
    assert standard_errors_off(exchanged, theory.expected_exchanges(other, n, Cr)) > LIMIT


def test_p_max_solves_its_equation():
    assert theory.p_max(0.01, 500) == pytest.approx(2.01e-5, rel=1e-3)
    assert theory.p_max(0.75, 2) == 0.5
    assert theory.p_max(1e-300, 30) == pytest.approx(1e-300 / 30, rel=1e-14)
    assert [theory.p_max(t, 30) for t in (0, 1)] == [0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: theory.trial_infeasible(c, 0), "n must be an integer ≥ 1, got 0"),
        (lambda c: theory.trial_infeasible("DE/rand/1/bin", 3), "missing: strategy, N, F, Cr; for example"),
        (lambda c: theory.component_infeasible(0.5), "a configuration is a Config or its text, .* got 0.5"),
        (lambda c: theory.frozen_pois(c, 3, 4), "budget must be an integer ≥ 5, got 4"),
        (lambda c: theory.expected_acceptances(c, 10.5), "budget must be an integer ≥ 5, got 10.5"),
        (lambda c: theory.expected_acceptances(5, 100), "a configuration is a Config or its text, .* got 5"),
        (lambda c: theory.expected_exchanges("uniform", 3, 0.5), "unknown crossover 'uniform'; choose from bin, exp"),
        (lambda c: theory.expected_exchanges("bin", 3, 1.5), "0 ≤ Cr ≤ 1, got 1.5"),
        (lambda c: theory.p_max(-0.1, 3), "0 ≤ t ≤ 1, got -0.1"),
        (lambda c: theory.p_max(float("nan"), 3), "0 ≤ t ≤ 1, got nan"),
        (lambda c: theory.p_max(0.1, 2.5), "n must be an integer ≥ 1, got 2.5"),
    ],
)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(make("rand/1", 5, 1.0))


def test_a_text_is_the_configuration_that_it_says_and_a_recipe_has_the_N_of_its_n_and_budget():
    text, config = "DE/rand/1/bin sat, N=5, F=1.5, Cr=0.6", make("rand/1", 5, 1.5)
    assert theory.component_infeasible(text) == theory.component_infeasible(config)
    assert theory.expected_acceptances(text, 20) == theory.expected_acceptances(config, 20)
    text = "debox, adaptation=fixed, F=0.7, Cr=0.05, frozen=True"
    config = Config.of(text, 4, 400)
    assert config.N != Config.of(text, 4).N != Config.of(text, 30).N
    assert theory.frozen_pois(text, 4, 400) == theory.frozen_pois(config, 4, 400)
    assert theory.trial_infeasible(text, 4) == theory.trial_infeasible(Config.of(text, 4), 4)


def own(slot, name, **changed):
    """A copy of an operator under another name, some fields changed"""
    register(replace(operators.find(slot, name), name="mine", short="mine", **changed))


def test_an_operator_that_says_what_it_does_has_the_formula_of_its_like():
    known = make("rand/1", 5, 1.0)
    for slot in ("mutation", "crossover", "donors"):
        own(slot, getattr(known, slot))
    mine = replace(known, mutation="mine", crossover="mine", donors="mine")
    assert theory.trial_infeasible(mine, 3) == theory.trial_infeasible(known, 3)
    assert theory.expected_exchanges("mine", 3, 0.5) == theory.expected_exchanges(known.crossover, 3, 0.5)


@pytest.mark.parametrize(
    ("slot", "name", "changed", "reason"),
    [
        (
            "crossover",
            "bin",
            {"exchanges": ""},
            "crossover 'mine'; there are some for exchanges='each' or exchanges='s",
        ),
        ("mutation", "rand/1", {"weights": None}, "mutation 'mine', which has no weights"),
        ("donors", "distinct", {"uniform": False}, "donors 'mine', which are not uniform"),
    ],
)
def test_an_operator_without_a_formula_is_named(slot, name, changed, reason):
    own(slot, name, **changed)
    with pytest.raises(ValueError, match=f"no exact formula is known for {reason}"):
        theory.trial_infeasible(replace(make("rand/1", 5, 1.0), **{slot: "mine"}), 3)
