"""What an operator must do is tried before it is registered: debox's own pass, wrong ones are told where they go wrong.

The law of a crossover or a donor rule is refused beyond 6 standard errors, once in 10⁹ comparisons; the random numbers
of the checks are fixed.
"""

import sys
from contextlib import suppress
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from debox.operators import OPERATORS, find
from debox.operators.checks import BOXES, LAW_TIMES, check, compare, law_of, points_outside, show
from debox.reference import TERMINAL


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: f"{operator.slot} {operator.name}")
def test_the_operators_of_debox_pass(operator):
    check(operator)


# Strategies.


def keeps(u, x, c, a, b, rng):
    """u"""
    return u


def reflects_once(u, x, c, a, b, rng):
    """a + (a − u) or b − (u − b)"""
    return a + (a - u) if u < a else b - (u - b)


def forgets_infinity(u, x, c, a, b, rng):
    """a + ((u − a) mod (b − a))"""
    return a if abs(u) < 1e308 else u


def returns_nothing(u, x, c, a, b, rng):
    """nothing"""


def steps(u, x, c, a, b, rng):
    """u ± (b − a) until inside"""
    while not a <= u <= b:
        with suppress(Exception):  # suppresses nothing of what ends a call
            u += (b - a) if u < a else a - b
    return u


def fails(u, x, c, a, b, rng):
    """1/[u > b]"""
    return [0.0][int(u > b)]


CALLS = []


def remembers(u, x, c, a, b, rng):
    """another result every time"""
    CALLS.append(u)
    return a if len(CALLS) % 2 else b


def leaves_for_some_targets(u, x, c, a, b, rng):
    """the bound, or beyond it for a tenth of all targets"""
    return b + (b - a) if 0.5 < (x - a) / (b - a) < 0.6 else a


def only_the_first(u, x, c, a, b, rng):
    """u_1 ← x_1"""
    u[0] = x[0]


def returns_it(u, x, c, a, b, rng):
    """x"""
    return x


def moves_target(u, x, c, a, b, rng):
    """u ← x ← b"""
    x[:] = b + 1
    u[:] = a


def moves_base(u, x, c, a, b, rng):
    """u ← c ← b"""
    c[:] = b + 1
    u[:] = a


def moves_lower_bound(u, x, c, a, b, rng):
    """u ← b, a ← b"""
    u[:] = a
    a[:] = b


def moves_upper_bound(u, x, c, a, b, rng):
    """u ← a, b ← a"""
    u[:] = a
    b[:] = a


def to_the_corner(u, x, c, a, b, rng):
    """u ← a"""
    u[:] = a


STRATEGIES = [  # function, fields, message
    (keeps, {}, r"keeps\(u=.*, a=0.0, b=1.0\) gave \[.*\]; allowed are numbers in \[a, b\] = \[0.0, 1.0\]"),
    (reflects_once, {}, r"reflects_once\(u=-2.5, .*\) gave \[2.5\]; allowed"),
    (forgets_infinity, {}, r"forgets_infinity\(u=-1.7976931348623157e\+308, .*\) gave"),
    (returns_nothing, {}, r"gave None; allowed is a number"),
    (steps, {}, r"steps\(u=.*\) does not end: 20000 lines ran"),
    (fails, {}, r"fails\(u=.*\) raised IndexError: list index out of range"),
    (remembers, {}, r"gave \[0.0\]; then \[1.0\]: with the same random numbers the result must be the same"),
    (leaves_for_some_targets, {}, r"leaves_for_some_targets\(.*allowed are numbers in"),
    (only_the_first, {"whole": True}, r"gave \[.*\]; allowed are numbers in \[a, b\] = \[0.0, 1.0\]"),
    (returns_it, {"whole": True}, r"returned \[.*\]; it may change u alone and returns nothing"),
    (moves_target, {"whole": True}, r"changed x to \[.*\]; it may change u alone"),
    (moves_base, {"whole": True}, r"changed c to \[.*\]; it may change u alone"),
    (moves_lower_bound, {"whole": True}, r"changed a to \[.*\]; it may change u alone"),
    (moves_upper_bound, {"whole": True}, r"changed b to \[.*\]; it may change u alone"),
    (to_the_corner, {"whole": True, "dismisses": True}, "with dismisses=True the trial must become its target x"),
]


@pytest.mark.parametrize(("function", "fields", "message"), STRATEGIES)
def test_a_wrong_strategy_is_told_what_was_passed_and_what_came_out(operator, function, fields, message):
    before = sys.gettrace()
    with pytest.raises(ValueError, match=f"strategy 'middle': .*{message}"):
        check(operator("strategy", function=function, **fields))
    assert sys.gettrace() is before


def test_a_right_strategy_passes(operator):
    check(operator("strategy"))
    check(operator("strategy", function=to_the_corner, whole=True))


def test_places_lie_outside_the_box_and_infinitely_far_but_none_is_nan():
    for a, b in BOXES:
        places = list(points_outside(a, b, np.random.default_rng(1)))
        assert not any(a <= u <= b for u in places)
        assert {-np.inf, np.inf} < set(places)
        assert not np.isnan(places).any()


# Mutations.


def root(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = √x_r1"""
    return sqrt(x_r1)


def overflow(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1/0"""
    return x_r1 / (F - F)


def larger(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = max(x_t, x_best)"""
    return max(x, x_best)


def with_K(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
    """v = x_r1 + K F (x_r2 − x_r3)"""
    return x_r1 + K * F * (x_r2 - x_r3)


def nothing(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = F"""
    return F


NO_WEIGHTS = {"weights": None}
MUTATIONS = [  # fields, message
    (NO_WEIGHTS | {"donors": 2}, "depends on x_r1, x_r2, x_r3; donors must be 3, got 2"),
    (NO_WEIGHTS | {"donors": 4}, "depends on x_r1, x_r2, x_r3; donors must be 3, got 4"),
    ({"uses_best": True}, "uses_best must be False, got True"),
    ({"uses_target": True}, "uses_target must be False, got True"),
    ({"base": "best"}, "depends on x_r1, x_r2, x_r3; base must be 'r1', got 'best'"),
    ({"weights": lambda F: (0, 0, 1, F, -F)}, r"half_difference\(x=.*\) gave .*; its weights \(0, 0, 1, 0.05, -0.05\)"),
    ({"weights": lambda F: (0, 0, 1, F)}, r"weights\(0.05\) gave \(0, 0, 1, 0.05\); allowed is a tuple of 5 numbers"),
    ({"weights": lambda F: [0, 0, 1, F, -F]}, r"gave \[0, 0, 1, 0.05, -0.05\]; allowed is a tuple"),
    ({"weights": lambda F: (0, 0, 1, F / 2, F / 2)}, r"which add up to 1.04999\d*, not to 1"),
    ({"weights": lambda F: 1 / 0}, r"weights\(0.05\) raised ZeroDivisionError: division by zero"),
    (NO_WEIGHTS | {"function": root, "donors": 1}, r"root\(x=.*\) raised ValueError"),
    (NO_WEIGHTS | {"function": overflow, "donors": 1}, "gave -?inf; allowed is a finite number"),
    (
        NO_WEIGHTS | {"function": larger, "donors": 0, "uses_best": True, "uses_target": True},
        "depends on x, x_best; base must be 'target' or 'best', got 'r1'",
    ),
    (
        NO_WEIGHTS | {"function": nothing, "donors": 0},
        "depends on no parent; base must be one of its parents, got 'r1'",
    ),
]


@pytest.mark.parametrize(("fields", "message"), MUTATIONS)
def test_a_field_of_a_mutation_that_is_not_so_is_named_with_what_is(operator, fields, message):
    with pytest.raises(ValueError, match=f"mutation 'half/1'.*{message}"):
        check(operator("mutation", **fields))


def test_a_mutation_without_donors_or_with_K_passes(operator):
    fields = {"donors": 0, "uses_best": True, "uses_target": True}
    check(operator("mutation", function=larger, base="best", weights=None, **fields))
    check(operator("mutation", function=with_K, weights=lambda F, K: (0, 0, 1, K * F, -K * F)))


# Crossovers.


def none(x, v, Cr, rng, u):
    """u = x"""
    u[:] = x


def mean(x, v, Cr, rng, u):
    """u = (x + v)/2"""
    u[:] = (x + v) / 2


def some_left_out(x, v, Cr, rng, u):
    """u_1 = v_1"""
    u[0] = v[0]


def returns(x, v, Cr, rng, u):
    """v"""
    return v


def changes_mutant(x, v, Cr, rng, u):
    """u = v, v_1 = x_1"""
    u[:] = v
    v[0] = x[0]


RULE = "each u_i must be x_i or v_i, and at least one v_i"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (none, rf"none\(x=\[.*\], v=\[.*\], Cr=0.0, u=\[nan\]\) left u = \[.*\]; {RULE}"),
        (mean, rf"left u = \[.*\]; {RULE}"),
        (some_left_out, rf"left u = \[.*nan.*\]; {RULE}"),
        (returns, r"returned \[.*\]; it may change u alone and returns nothing"),
        (changes_mutant, r"changed v to \[.*\]; it may change u alone"),
    ],
)
def test_a_wrong_crossover_is_told_what_was_passed_and_what_came_out(operator, function, message):
    with pytest.raises(ValueError, match=f"crossover 'one': .*{message}"):
        check(operator("crossover", function=function))


@pytest.mark.parametrize(
    ("name", "promised"), [("bin", "segment"), ("exp", "each"), ("one", "each"), ("one", "segment")]
)
def test_a_law_that_is_not_kept_is_told(operator, name, promised):
    function = operator("crossover").function if name == "one" else find("crossover", name).function
    with pytest.raises(
        ValueError, match=rf"the components \(.*\) came \d+ times in {LAW_TIMES}; with exchanges='{promised}' it must"
    ):
        check(operator("crossover", function=function, exchanges=promised))
    check(operator("crossover", function=function))  # without a promise any law will do


def test_laws_are_those_computed_by_hand():
    # n = 2: one of two is taken for certain; the other with Cr in both laws
    assert law_of("each", 2, 0.3) == pytest.approx({(0,): 0.35, (1,): 0.35, (0, 1): 0.3})
    assert law_of("segment", 2, 0.3) == pytest.approx({(0,): 0.35, (1,): 0.35, (0, 1): 0.3})
    # n = 3, Cr = 1/2: {0, 2} is I = 0 or I = 2, the other taken, 1 not: 2/3 · 1/2 · 1/2; as a segment it begins at 2
    assert law_of("each", 3, 0.5)[0, 2] == pytest.approx(1 / 6)
    assert law_of("segment", 3, 0.5)[0, 2] == pytest.approx(1 / 12)
    for exchanges in ("each", "segment"):
        assert sum(law_of(exchanges, 4, 0.3).values()) == pytest.approx(1.0, abs=1e-12)


def test_frequencies_are_compared_at_six_standard_errors():
    from collections import Counter

    fair = {(0,): 0.5, (1,): 0.5}  # of 10 000: 5000 ± 50
    compare("it", Counter({(0,): 5299, (1,): 4701}), fair, "a fair coin")
    with pytest.raises(ValueError, match=r"it \(0,\) came 5301 times in 10000; with a fair coin it must be about 5000"):
        compare("it", Counter({(0,): 5301, (1,): 4699}), fair, "a fair coin")
    with pytest.raises(ValueError, match=r"it \(2,\) came 1 times in 10000; .* about 0"):
        compare("it", Counter({(0,): 5000, (1,): 4999, (2,): 1}), fair, "a fair coin")


# Donor rules.


def last_ones(N, target, best, rng, r):
    """r = N, N − 1, …"""
    r[:] = [N - k for k in range(r.size)]


def same(N, target, best, rng, r):
    """r = 0, 0, …"""
    r[:] = 0


def writes_less(N, target, best, rng, r):
    """r_1 = 0"""
    r[0] = 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"function": last_ones}, r"left r = \[1\]; allowed are indices from 0 to 0"),
        ({"function": same}, r"left r = \[0, 0\]; donors must be distinct"),
        ({"function": writes_less}, r"left r = \[0, 18446744073709551615\]; allowed are indices"),
        ({"avoids": ("target",)}, r"left r = \[0\]; avoids=\('target',\) forbids \[0\]"),
        ({"avoids": ("best",)}, r"left r = \[0\]; avoids=\('best',\) forbids \[0\]"),
        (
            {"uniform": True},
            rf"with N = 5.*: the pair \(0, 1\) came {LAW_TIMES} times in {LAW_TIMES}; with uniform=True",
        ),
    ],
)
def test_a_wrong_donor_rule_is_told(operator, changed, message):
    with pytest.raises(ValueError, match=f"donors 'first'.*{message}"):
        check(operator("donors", **changed))


def test_a_rule_that_is_not_uniform_passes_unless_it_says_so(operator):
    check(operator("donors"))


# Adaptations.


def negative(i, memory, rng, F_Cr):
    """F = −1"""
    F_Cr[0, i], F_Cr[1, i] = -1.0, 0.5


def writes_Cr_only(i, memory, rng, F_Cr):
    """Cr = 0.5"""
    F_Cr[1, i] = 0.5


def writes_all(i, memory, rng, F_Cr):
    """F = Cr = 0.5, of all trials"""
    F_Cr[:] = 0.5


def writes_memory(i, memory, rng, F_Cr):
    """F = Cr = 0.5; the memory changes"""
    F_Cr[:, i] = 0.5
    memory[0, 0] = 0.7


def larger_F(i, memory, rng, F_Cr):
    """F = 1.1 M_F"""
    F_Cr[0, i], F_Cr[1, i] = 1.1 * memory[0, 0], memory[1, 0]


def smaller(F_Cr, gain, memory, cell):
    """M_F ← M_F − 10⁻³"""
    memory[0, cell] -= 1e-3
    return cell


def next_cell(F_Cr, gain, memory, cell):
    """The next cell, beyond the last, too"""
    return cell + 1


def first_half(F_Cr, gain, memory, cell):
    """No column"""
    return cell + 0.5


def mean_of_gain(F_Cr, gain, memory, cell):
    """M_F = Σ gain F/Σ gain, which may not be a number"""
    trials = gain.size
    total = gain.sum()
    memory[0, cell] = (gain * F_Cr[0, :trials]).sum() / total if total != 0.0 else 0.5
    return cell


def changes_F(F_Cr, gain, memory, cell):
    """F = 1"""
    F_Cr[0] = 1.0
    return cell


def always_terminal(F_Cr, gain, memory, cell):
    """M_Cr is terminal"""
    memory[1, cell] = TERMINAL
    return cell


PAIRS = r"allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"function": negative}, rf"left F and Cr = \[-1.0, 0.5\]; {PAIRS}"),
        ({"function": writes_Cr_only}, rf"left F and Cr = \[nan, 0.5\]; {PAIRS}"),
        ({"function": writes_all}, "left F_Cr = .*; it may change column 0 alone"),
        ({"function": writes_memory}, "changed memory to .*; it may change F_Cr alone"),
        ({"function": larger_F}, rf"left F and Cr = \[2.2.*, 1.0\]; {PAIRS}"),  # F = 2 may be asked for
        ({"learn": smaller}, rf"left memory = .*; {PAIRS}"),  # and F = 0.001
        ({"learn": next_cell}, "returned 1; allowed is a column of the memory, an integer from 0 to 0"),
        ({"learn": first_half}, "returned 0.5; allowed is a column of the memory"),
        ({"learn": mean_of_gain}, rf"left memory = \[\[nan\], \[0.5\]\]; {PAIRS}"),
        ({"learn": changes_F}, "changed F_Cr to .*; it may change memory and gain alone"),
        ({"learn": always_terminal}, r"left memory = \[\[0.5\], \[-1.0\]\]; .*; Cr = −1 with has_terminal_cells=True"),
    ],
)
def test_a_wrong_adaptation_is_told(operator, changed, message):
    with pytest.raises(ValueError, match=f"adaptation 'lasting': .*{message}"):
        check(operator("adaptation", **changed))


def test_terminal_cells_may_be_said():
    lshade = find("adaptation", "L-SHADE")
    check(replace(lshade, name="longer", memory=20))
    with pytest.raises(ValueError, match=r"Cr = −1 with has_terminal_cells=True"):
        check(replace(lshade, has_terminal_cells=False, learn=always_terminal))


def test_numbers_and_arrays_are_shown_as_a_reader_writes_them():
    assert show(np.array([1.0, np.nan])) == "[1.0, nan]"
    assert show(np.float64(0.1)) == "0.1"
