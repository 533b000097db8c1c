"""Strategies: by hand, then for every box and every number, then the law of COTN.

Most tests go through `repair`, which calls a strategy for violated components only; the exact oracles are Fractions.
"""

from fractions import Fraction
from itertools import product
from math import inf, nan, sqrt, ulp

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.special import erf
from scipy.stats import binomtest, kstest

from debox import registry
from debox.box import LARGEST
from debox.de import algorithm
from debox.de.algorithm import Tally
from debox.de.strategies import HUGE, cotn, dismiss, mirror, saturation, toroidal

FALSE_ALARM = 1e-6  # of each statistical test below
STRATEGIES = registry.in_slot("strategy")
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)


# By hand.


@pytest.mark.parametrize(
    ("strategy", "u", "a", "b", "expected"),
    [
        (saturation, 30, 50, 100, 50),
        (saturation, 130, 50, 100, 100),
        (toroidal, 30, 40, 90, 80),  # 10 below the floor is 10 below the ceiling
        (toroidal, 95, 40, 90, 45),
        (toroidal, 195, 40, 90, 45),  # two widths further
        (toroidal, -70, 40, 90, 80),
        (toroidal, 140, 40, 90, 40),  # a + (100 mod 50)
        (toroidal, -10, 40, 90, 40),  # a + (−50 mod 50)
        (mirror, 30, 40, 90, 50),
        (mirror, 95, 40, 90, 85),
        (mirror, 145, 40, 90, 45),  # at 90 to 35, at 40 to 45
        (mirror, 195, 40, 90, 85),  # at 90 to −15, at 40 to 95, at 90 to 85
        (mirror, -15, 40, 90, 85),  # at 40 to 95, at 90 to 85
        (mirror, 140, 40, 90, 40),
        (mirror, -10, 40, 90, 90),
    ],
)
def test_strategy_gives_the_value_computed_by_hand(strategy, u, a, b, expected):
    assert strategy(float(u), 77.0, 66.0, float(a), float(b), None) == expected


def test_dismiss_puts_the_target_in_the_place_of_the_whole_trial():
    u, x, c, a, b = np.array([[0.5, 3.0], [0.2, 0.9], [0.7, 0.1], [0.0, 0.0], [1.0, 1.0]])
    dismiss(u, x, c, a, b, None)
    assert u.tolist() == [0.2, 0.9]


@pytest.mark.parametrize(
    ("u", "normals", "expected"),
    [
        (5.0, [0.5], 2.5),  # 3 − |0.5|
        (5.0, [-0.5], 2.5),  # 3 − |−0.5|
        (-5.0, [-0.5], 0.5),  # 0 + |−0.5|
        (5.0, [3.0], 0.0),  # exactly on the other bound is inside
        (5.0, [4.0, 1.0], 1.0),  # 3 − 4 lies below 0: resampled from there, 0 + 1
        (-5.0, [4.0, 1.0], 2.0),  # 0 + 4 lies above 3: resampled from there, 3 − 1
        (5.0, [4.0, 5.0, 0.25], 2.75),  # below, above, 3 − 0.25
    ],
)
def test_cotn_resamples_from_the_bound_now_violated(scripted, u, normals, expected):
    rng = scripted(normal=normals)
    assert cotn(u, 1.0, 2.0, 0.0, 3.0, rng) == expected  # σ = (3 − 0)/3 = 1
    assert rng.left["normal"] == []


def test_cotn_has_its_sigma_also_in_a_narrow_box_far_from_zero(scripted):
    # [2⁵⁰, 2⁵⁰ + 4], numbers 1/4 apart: 2.9·4/3 = 3.8667 rounds to 3.75
    assert cotn(0.0, 2.0**50, 2.0**50, 2.0**50, 2.0**50 + 4, scripted(normal=[2.9])) == 2.0**50 + 3.75


# For every box and every number.

finite = st.floats(-LARGEST, LARGEST)
wide = st.tuples(finite, finite).filter(lambda box: box[0] < box[1])
narrow = st.builds(lambda a, steps: (a, a + steps * ulp(a)), st.floats(-LARGEST / 2, LARGEST / 2), st.integers(1, 9))
EXTREME = [
    (-LARGEST, LARGEST),
    (0.9 * LARGEST, LARGEST),
    (0.0, 5e-324),
    (-5e-324, 1e-323),
    (1.0, 1 + ulp(1.0)),
    (0.0, 1.0),
]
boxes = wide | narrow | st.sampled_from(EXTREME)


@st.composite
def problems(draw):
    """A box, a feasible target, a feasible base and a trial whose components lie anywhere"""
    bounds = draw(st.lists(boxes, min_size=1, max_size=4))
    x, c = ([draw(st.floats(a, b)) for a, b in bounds] for _ in range(2))
    u = [draw(st.floats(a, b) | st.sampled_from([a, b, nan, inf, -inf, HUGE, -HUGE]) | st.floats()) for a, b in bounds]
    return bounds, x, c, u


def repaired(plain, strategy, problem, seed=1):
    """What `repair` makes of the trial, whether it found it infeasible, and the violations it counted"""
    bounds, x, c, u = problem
    de = plain(f"DE/rand/1/bin {strategy.name}, N=5, F=1, Cr=1", bounds)
    u, tally = np.array(u), Tally.empty(np.zeros(0, np.int64), len(u))
    with np.errstate(over="ignore"):  # the width of a huge box; compiled code does not warn
        infeasible = algorithm.repair(u, np.array(x), np.array(c), de, np.random.default_rng(seed), tally)
    return u.tolist(), infeasible, tally.violations.tolist()


HARD = [
    *product([nan, inf, -inf, HUGE, -HUGE, 1e308, -1e308, 5e-324, -5e-324, 1.5, -1.5], EXTREME),
    (0.9911120840830628, (-0.008887915916937158, 0.49111208408306284)),  # b − (b − a) rounds to less than a
    (-0.512753954975089, (-0.0073939898581001536, 0.24528599270039428)),
]


@each_strategy
def test_infinities_nan_and_numbers_that_round_past_a_bound_end_in_the_box(plain, strategy):
    for u, (a, b) in HARD:
        for x, c in product((a, b), repeat=2):
            assert a <= repaired(plain, strategy, ([(a, b)], [x], [c], [u]))[0][0] <= b


@pytest.mark.slow
@each_strategy
@settings(max_examples=200)
@given(problem=problems(), seed=st.integers(0, 2**32))
def test_every_trial_ends_in_the_box(plain, strategy, problem, seed):
    u, _, _ = repaired(plain, strategy, problem, seed)
    assert all(a <= u_i <= b for u_i, (a, b) in zip(u, problem[0], strict=True))  # no NaN, no infinity


@pytest.mark.slow
@each_strategy
@given(problem=problems())
def test_violated_components_are_found_and_feasible_ones_never_changed(plain, strategy, problem):
    bounds, x, _, u = problem
    violated = [not a <= u_i <= b for u_i, (a, b) in zip(u, bounds, strict=True)]
    after, infeasible, violations = repaired(plain, strategy, problem)
    assert infeasible == any(violated)
    assert violations == violated
    if strategy.dismisses and infeasible:
        assert after == x
    elif not strategy.whole:
        assert all(now == u_i for now, u_i, out in zip(after, u, violated, strict=True) if not out)


@pytest.mark.slow
@each_strategy
@settings(max_examples=50)
@given(bounds=st.lists(boxes, min_size=1, max_size=4), data=st.data())
def test_a_feasible_trial_stays_also_on_the_bounds(plain, strategy, bounds, data):
    x, c, u = ([data.draw(st.floats(a, b) | st.sampled_from([a, b])) for a, b in bounds] for _ in range(3))
    assert repaired(plain, strategy, (bounds, x, c, u)) == (u, False, [0] * len(u))


# toroidal and mirror against their definitions, in exact arithmetic.


def wrapped(u, a, b):
    """a + ((u − a) mod (b − a))"""
    return a + (u - a) % (b - a)


def reflected(u, a, b):
    """at the violated bound, again and again; whole periods of two reflections are skipped"""
    u = a + (u - a) % (2 * (b - a))
    return u if u <= b else 2 * b - u


EXACT = {"toroidal": (toroidal, wrapped), "mirror": (mirror, reflected)}
each_exact = pytest.mark.parametrize(("strategy", "definition"), EXACT.values(), ids=EXACT)


def test_reflected_is_repeated_reflection():
    for u in range(-100, 101):
        once = u
        while not 3 <= once <= 8:
            once = 2 * 3 - once if once < 3 else 2 * 8 - once
        assert reflected(u, 3, 8) == once


# Multiples of 1/1024 that float arithmetic adds and subtracts without rounding.
grid = st.integers(-(2**40), 2**40).map(lambda k: k / 1024)


@pytest.mark.slow
@each_exact
@given(u=grid, a=grid, width=st.integers(1, 2**20).map(lambda k: k / 1024))
def test_result_is_the_definition_where_nothing_rounds(strategy, definition, u, a, width):
    assume(not a <= u <= a + width)
    assert strategy(u, a, a, a, a + width, None) == definition(Fraction(u), Fraction(a), Fraction(a + width))


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (-1.0, 1.0), (0.25, 1.0), (-3.0, 5.0), (40.0, 90.0)])
@each_exact
def test_result_is_the_definition_however_far_outside(strategy, definition, a, b):
    # nothing is lost by u being far: u, a and b − a are exact, so is the remainder
    for u in (1e16 + 2, 2.0**60, 1e20, 1e308, HUGE, -1e16 - 2, -(2.0**60), -1e20, -1e308, -HUGE):
        assert strategy(u, a, a, a, b, None) == definition(Fraction(u), Fraction(a), Fraction(b))


@pytest.mark.slow
@each_exact
@given(a=finite, width=st.floats(5e-324, HUGE), widths=st.floats(-1e6, 1e6))
@example(a=0.1, width=0.6, widths=5e5)
@example(a=-HUGE, width=HUGE, widths=1.75)
def test_result_is_the_definition_within_rounding(strategy, definition, a, width, widths):
    """Off by less than 4 units in the last place of the largest number involved, M.

    u − b rounds by ≤ 1 ulp(M), the rounded width makes u drift by ≤ 2 ulp(M), the result rounds by ≤ ulp(M)/2.
    """
    b, u = a + width, a + widths * width
    assume(a < b < inf and abs(u) < inf and not a <= u <= b)
    tolerance = 4 * ulp(max(abs(a), abs(b), abs(u)))
    exact_width = Fraction(b) - Fraction(a)
    assume(100 * Fraction(tolerance) < exact_width)  # else the claim would be empty
    off = abs(Fraction(strategy(u, a, a, a, b, None)) - definition(Fraction(u), Fraction(a), Fraction(b)))
    if strategy is toroidal:
        off = min(off, exact_width - off)  # a and b are the same place
    assert off <= tolerance


@given(inside=st.integers(0, 999), turns=st.integers(-(10**9), 10**9).filter(bool))
def test_toroidal_has_the_period_of_the_width_and_mirror_twice_that(inside, turns):
    a, b, x = -1.5, 8.5, -1.5 + inside / 128  # inside, and 0 … 999/128 < 10 above a
    assert toroidal(x + turns * 10.0, 0.0, 0.0, a, b, None) == x
    assert mirror(x + turns * 20.0, 0.0, 0.0, a, b, None) == x
    if inside > 0:
        assert mirror(2 * b - x + (turns - (turns < 0)) * 20.0, 0.0, 0.0, a, b, None) == x


# The law of COTN. From b: T_b is b − σ|Z| given that it is inside, q = P(|Z| > 3) the chance that it is not. Then
# L_b = (1 − q) T_b + q L_a and L_a = (1 − q) T_a + q L_b, so L_b = (T_b + q T_a)/(1 + q); from a likewise.

TIMES = 500_000


def truncated(t, sigmas):
    """P(|Z| ≤ sigmas t given |Z| ≤ sigmas)"""
    return erf(sigmas * t / sqrt(2)) / erf(sigmas / sqrt(2))


def law_of_cotn(t, sigmas=3):
    """P(distance from the bound first violated ≤ t widths)"""
    q = 1 - erf(sigmas / sqrt(2))
    return (truncated(t, sigmas) + q * (1 - truncated(1 - t, sigmas))) / (1 + q)


@pytest.fixture(scope="module", params=["from above", "from below"])
def distances(request):
    """Of many results from the bound violated, in widths of the box [−2, 5]"""
    rng, u = np.random.default_rng(3), 6.0 if request.param == "from above" else -3.0
    x = np.array([cotn(u, 0.0, 0.0, -2.0, 5.0, rng) for _ in range(TIMES)])
    return (5 - x) / 7 if u > 5 else (x + 2) / 7


@pytest.mark.slow
def test_cotn_follows_the_half_normal_law_with_resampling(distances):
    assert kstest(distances, law_of_cotn).pvalue > FALSE_ALARM


@pytest.mark.slow
@pytest.mark.parametrize("sigmas", [2, 2.9, 3.1])
def test_another_sigma_is_refused_to_cotn(distances, sigmas):
    assert kstest(distances[:100_000], lambda t: law_of_cotn(t, sigmas)).pvalue < FALSE_ALARM


def test_cotn_is_at_the_far_end_as_often_as_resampling_from_there_makes_it(distances):
    far = int((distances > 5 / 6).sum())
    assert binomtest(far, TIMES, 1 - law_of_cotn(5 / 6)).pvalue > FALSE_ALARM
    # refused: resampling from the bound first violated, which gives the truncated law
    assert binomtest(far, TIMES, 1 - truncated(5 / 6, 3)).pvalue < FALSE_ALARM
