"""The tables of the fast engine against what the operators themselves do."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import fsum, perm, prod

import numpy as np
import pytest
from for_each import for_each
from hypothesis import example, given
from hypothesis import strategies as st
from operator_lists import FAST_MUTATIONS

from debox import Box, Config, jit, registry
from debox.de import variation
from debox.f0.engines import Fast
from debox.f0.fast import scan, tables
from debox.f0.fast.batch import BATCHED_UP_TO
from debox.f0.measure import choose_engine


class Scripted:
    """Stands in for a Generator: gives the prescribed numbers in their order."""

    def __init__(self, *numbers):
        self.left = list(numbers)

    def random(self):
        return self.left.pop(0)


def coins(n, Cr):
    """All that n coins can show: their numbers U, 0 for U ≤ Cr and 2 for U > Cr, and the probability of it"""
    Cr = Fraction(Cr)
    for shown in product((True, False), repeat=n):
        yield [0.0 if go_on else 2.0 for go_on in shown], prod(Cr if go_on else 1 - Cr for go_on in shown)


def prepared(text, n=3):
    with jit.interpreted():
        return tables.prepare(Config(text), n)


def distance(p, chance, alias):
    """From p to the law that an alias table describes (a column is drawn uniformly), exactly added up"""
    law = [Fraction(c) for c in chance.tolist()]
    for c, other in zip(chance.tolist(), alias.tolist(), strict=True):
        law[other] += 1 - Fraction(c)
    return max(abs(float(total / len(p) - Fraction(chance))) for total, chance in zip(law, p.tolist(), strict=True))


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=70).filter(lambda weights: sum(weights) > 1e-3))
@example([1.0])
@example([0.0, 0.0, 1.0])
@example([1.0] * 3)
def test_an_alias_table_describes_the_law_it_was_made_from(weights):
    p = np.array(weights) / fsum(weights)
    chance, alias = tables.alias_table(p)
    assert np.all((chance >= 0) & (chance <= 1))
    # at most n subtractions from a share of at most n, each off by n/2⁵³, then divided by n; p itself is rounded too
    assert distance(p, chance, alias) <= 2 * len(p) * 2.0**-53


@for_each("Cr", [0.0, 0.05, 0.5, 0.99, 1.0])
@for_each("n", [1, 2, 30, 65])
def test_the_alias_table_of_the_lengths_is_exact(n, Cr):
    p = tables.lengths(n, Cr)
    assert abs(fsum(p) - 1) <= 1e-15
    assert distance(p, *tables.alias_table(p)) <= 1e-15


@for_each("Cr", [0.0, 0.05, 0.5, 0.99, 1.0])
@for_each("n", [1, 2, 30, 65])
def test_column_i_of_the_lengths_gives_one_of_either_pair(n, Cr):
    sim, _ = prepared(f"DE/rand/1/exp sat, N=5, F=0.5, Cr={Cr}", n)
    law = [Fraction()] * (n + 1)
    for i, chance in enumerate(map(Fraction, sim.accept_chance.tolist())):
        law[sim.length_choices[2 * i]] += (1 - chance) / n
        law[sim.length_choices[2 * i + 1]] += chance / n
    expected = [0, *(Cr**step * (1 - Cr) for step in range(n - 1)), Cr ** (n - 1)]
    assert [float(p) for p in law] == pytest.approx(expected, abs=1e-15)


@for_each("Cr", [0.0, 0.3, 0.99, 1.0])
@for_each("n", [1, 2, 3, 6])
def test_lengths_is_the_law_of_what_the_exponential_crossover_exchanges(n, Cr):
    law, u = [Fraction()] * n, np.zeros(n)
    for thrown, chance in coins(n, Cr):  # n coins are the most it throws, after I
        variation.exponential(np.zeros(n), np.ones(n), Cr, Scripted(0.0, *thrown), u)
        law[int(u.sum()) - 1] += chance
    assert tables.lengths(n, Cr) == pytest.approx([float(chance) for chance in law], abs=1e-15)


@for_each("Cr", [0.0, 0.3, 0.99, 1.0])
@for_each("n", [1, 2, 5])
def test_keep_is_the_chance_that_the_binomial_crossover_takes_no_infeasible_component(n, Cr):
    keep, u = [Fraction()] * (n + 1), np.zeros(n)
    for start, (thrown, chance) in product(range(n), coins(n, Cr)):
        variation.binomial(np.zeros(n), np.ones(n), Cr, Scripted(*thrown, (start + 0.5) / n), u)
        for k in range(n + 1):  # the first k components of the mutant are infeasible; all places are alike
            keep[k] += chance / n * (not u[:k].any())
    assert tables.p_feasible_table(n, Cr, exp=False) == pytest.approx([float(chance) for chance in keep], abs=1e-15)


def test_keep_is_spec_5():
    n, Cr = 30, 0.285
    keep = tables.p_feasible_table(n, Cr, exp=False)
    assert keep == pytest.approx([(1 - k / n) * (1 - Cr) ** k for k in range(n + 1)], abs=1e-15)
    assert (keep[0], keep[n]) == (1, 0)


def test_a_segment_of_exp_is_feasible_with_no_infeasible_component_only():
    assert tables.p_feasible_table(3, 0.5, exp=True).tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(("N", "k"), [(2, 2), (5, 5), (7, 2), (6, 3)])
def test_donor_tuples_are_all_tuples_of_different_individuals_each_once(N, k):
    tuples = tables.donor_tuples(N, k).tolist()
    assert len(tuples) == perm(N, k)
    expected = {t for t in product(range(N), repeat=k) if len(set(t)) == k}
    assert {tuple(t[:k]) for t in tuples} == expected
    assert {tuple(t[k:]) for t in tuples} == {(0,) * (5 - k)}


def test_a_table_too_large_is_not_made():
    assert tables.donor_tuples(100, None).shape == (0, 5)
    _, enum = prepared("DE/rand/2/bin sat, N=100, F=0.5, Cr=0.5")  # 9·10⁹ tuples
    assert enum.tuples.shape == (0, 5)
    assert enum.chances is scan.no_chances  # what is not used is not compiled
    assert enum.chance.size == 0


def depends_on_target(mutation, rule):
    """Does the mutant's law, for a fixed best? By the formula, or by whom the donors avoid"""
    return "x_t" in mutation.formula or rule.name != "distinct"


@for_each("mutation", FAST_MUTATIONS, ids=lambda m: m.name)
@for_each("rule", registry.in_slot("donors"), ids=lambda r: r.name)
def test_chances_are_kept_for_every_target_if_the_target_matters(mutation, rule):
    N = registry.smallest_population(mutation, rule)
    sim, enum = prepared(f"DE/{mutation.name}/bin sat, N={N}, F=0.5, Cr=0.5, donors={rule.name}")
    targets = N if depends_on_target(mutation, rule) else 1
    assert enum.chance.shape == (targets, len(list(permutations(range(N), mutation.donors))))
    assert enum.q.shape == (targets,)
    assert enum.per_target == depends_on_target(mutation, rule)
    assert sim.batched == enum.distinct == (rule.name == "distinct")
    assert enum.avoids_best == (rule.name == "not-parents" and "best" in mutation.name)
    assert sim.per_target == enum.per_target
    assert sim.uses_best == ("best" in mutation.name)
    assert enum.best.tolist() == [-1] * ("best" in mutation.name)  # nobody yet


@pytest.mark.parametrize(("N", "batched"), [(BATCHED_UP_TO, True), (BATCHED_UP_TO + 1, False)])
def test_donors_are_drawn_in_batches_up_to_the_largest_population_one_number_can_address(N, batched):
    sim, _ = prepared(f"DE/rand/1/bin sat, N={N}, F=0.5, Cr=0.5")
    assert sim.batched == batched


def test_tuples_with_each_are_those_that_contain_it():
    tuples, containing = tables.donor_tuples(5, 3)[:, :3].tolist(), tables.tuples_with_each(5, 3)
    for i in range(5):
        assert containing[i].tolist() == [k for k, t in enumerate(tuples) if i in t]


@for_each("n", [1, 7, 31, 32, 33, 64, 70])
def test_all_components_have_a_bit_and_nothing_else_has(n):
    words = tables.all_components(n)
    assert len(words) == -(-n // 32)
    for trial in words.T.tolist():
        assert sum(word << 32 * place for place, word in enumerate(trial)) == 2**n - 1


@for_each("n", [1, 30, 32, 33, 70])
@for_each("crossover", ["bin", "exp"])
def test_the_words_of_a_trial_are_as_long_as_a_row(n, crossover):
    sim, enum = prepared(f"DE/rand/1/{crossover} sat, N=5, F=0.5, Cr=0.5", n)
    for words in (sim.mask, enum.all_bits):
        assert words.shape == (int(sim.points.width) // 32, tables.BATCH)
        assert np.array_equal(words, tables.all_components(n))  # bin takes all, until exp says otherwise
    assert enum.words.shape == (len(enum.all_bits),)
    assert sim.mask is not enum.all_bits  # which exp writes


def test_the_two_ways_to_count_share_the_points():
    sim, enum = prepared("DE/rand/1/exp sat, N=5, F=0.5, Cr=0.5")
    assert sim.points is enum.points


def test_every_column_of_a_batch_is_a_parent_before_anything_is_drawn():
    sim, _ = prepared(
        "DE/best/1/bin sat, N=2, F=0.5, Cr=0.5"
    )  # donors that a mutation does not use are read all the same
    assert sim.parents.shape == (7, tables.BATCH)
    assert not sim.parents.any()


# By hand: 0.6 trials a tuple for bin, 2.5 for exp, 0.1 to look at it. N = 6: 6·5·4 = 120 tuples of three, 60 with a
# given one; 30 of two, 10 with a given one. With an own chance for each of six targets, all of the target's change too.
@for_each(
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


@pytest.mark.parametrize(
    "text", ["DE/rand/1/exp sat, N=5, F=0.5, Cr=0.5", "DE/curr-to-best/1/bin sat, N=5, F=0.5, Cr=0.5"]
)
def test_what_two_engines_share_no_run_changes(text):
    """They run in different threads"""

    def arrays(value):
        parts = value if isinstance(value, tuple) else ()
        return [value] if isinstance(value, np.ndarray) else [array for part in parts for array in arrays(part)]

    one, other = (Fast(Config(text), Box.of([(0, 1)] * 3), 5000, np.array([100])) for _ in range(2))
    pairs = product(arrays(one.tables), arrays(other.tables))
    shared = [mine for mine, theirs in pairs if np.shares_memory(mine, theirs)]
    before = [array.copy() for array in shared]
    one.begin(np.random.default_rng(1))
    one.advance(5000)
    assert len(shared) < len(arrays(one.tables))
    assert all(map(np.array_equal, shared, before))


@pytest.fixture
def arithmetic(monkeypatch):
    """A crossover of one's own: one function, one line of the registry"""
    mine = replace(registry.find("crossover", "bin"), name="mine", short="mine", exchanges="")
    monkeypatch.setattr(registry, "OPERATORS", (*registry.OPERATORS, mine))
    return Config("DE/rand/1/mine sat, N=5, F=0.5, Cr=0.5")


def test_a_crossover_without_a_closed_form_is_run_plainly_and_never_taken_for_another(arithmetic):
    assert choose_engine("auto", arithmetic, 1000) == "plain"
    with pytest.raises(ValueError, match=r"knows no law of crossover 'mine', .*; use engine='plain'"):
        tables.prepare(arithmetic, 3)


@pytest.mark.parametrize("size", ["N", "n"])
def test_numbers_that_32_bits_do_not_hold_are_refused(size):
    sizes = {"N": 5, "n": 3, size: 2**31}
    with pytest.raises(ValueError, match=f"{size} must be at most 2147483647 for the fast engine, got 2147483648"):
        tables.prepare(Config("DE/rand/1/bin sat", N=sizes["N"], F=0.5, Cr=0.5), sizes["n"])


@pytest.mark.slow
@for_each("mutation", [operator.name for operator in FAST_MUTATIONS])
@for_each("donors", ["distinct", "not-parents"])
@for_each("F", [0.7, 1.0])  # with F = 1 current-to-best/1 has a term less
@for_each("N", [7, 27, 28, 29, 141, 142, 30_000])  # around where there are too many chances for a table
def test_the_stand_in_is_compiled_to_the_same_code(mutation, donors, F, N, monkeypatch):
    asked = []
    monkeypatch.setattr(jit, "counter", lambda function, *args: asked.append(function))
    names = {"mutation": mutation, "crossover": "bin", "strategy": "dismiss", "donors": donors}
    config = Config(**names, N=N, F=F, Cr=0.3, reevaluate=False)
    tables.prepare(config, 3)
    tables.prepare(tables.stand_in(config), 1)
    assert len(asked) == 6  # exact bits, scan, chances
    assert asked[:3] == asked[3:]
    assert tables.stand_in(config).N <= 20_001
