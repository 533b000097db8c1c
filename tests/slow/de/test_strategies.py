"""Strategies: by hand, then for every box and every number, then the law of COTN.

The exact oracles are Fractions.
"""

from fractions import Fraction
from math import e, exp, inf, log, nan, sqrt, ulp

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.special import erf
from scipy.stats import binomtest, kstest

from debox import Box, Config, jit, registry
from debox.assemble import assemble
from debox.box import LARGEST_BOUND
from debox.de import strategies
from debox.de.algorithm import repair_components, repair_whole
from debox.de.strategies import HUGE, cotn, dismiss, mirror, saturation, toroidal
from debox.jit import kernel

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


# In [40, 90] with target 50 and base 80, of docs/spec.md: g is 40 or 90, w is 50.
BY_HAND = [
    ("uniform", 30, 0.25, 40 + 0.25 * 50),
    ("uniform", 95, 0.25, 40 + 0.25 * 50),
    ("midpoint_target", 30, None, (40 + 50) / 2),
    ("midpoint_target", 95, None, (90 + 50) / 2),
    ("midpoint_base", 30, None, (40 + 80) / 2),
    ("midpoint_base", 95, None, (90 + 80) / 2),
    ("rand_target", 30, 0.25, 50 + 0.25 * (40 - 50)),
    ("rand_target", 95, 0.25, 50 + 0.25 * (90 - 50)),
    ("rand_base", 30, 0.25, 80 + 0.25 * (40 - 80)),
    ("rand_base", 95, 0.25, 80 + 0.25 * (90 - 80)),
    ("exp_target", 30, 0.25, 40 - 50 * log(1 + 0.25 * (exp(-10 / 50) - 1))),
    ("exp_target", 95, 0.25, 90 + 50 * log(1 + 0.25 * (exp(-40 / 50) - 1))),
    ("exp_center", 30, 0.25, 40 - 50 * log(1 + 0.25 * (exp(-1 / 2) - 1))),
    ("exp_center", 95, 0.25, 90 + 50 * log(1 + 0.25 * (exp(-1 / 2) - 1))),
    ("exp_spread", 30, 0.25, 40 - 50 * log(1 + 0.25 * (1 / e - 1))),
    ("exp_spread", 95, 0.25, 90 + 50 * log(1 + 0.25 * (1 / e - 1))),
    ("reflect_random", 30, 0.25, 40 + 0.25 * 10),
    ("reflect_random", -70, 0.25, 40 + 0.25 * 50),  # 110 outside, more than the width
    ("reflect_random", 95, 0.25, 90 - 0.25 * 5),
    ("reflect_random", inf, 0.25, 90 - 0.25 * 50),
]


@pytest.mark.parametrize(("name", "u", "U", "expected"), BY_HAND)
def test_a_strategy_of_a_component_gives_the_value_computed_by_hand(scripted, name, u, U, expected):
    rng = scripted([] if U is None else [U])
    assert getattr(strategies, name)(float(u), 50.0, 80.0, 40.0, 90.0, rng) == pytest.approx(expected, rel=1e-14)
    assert rng.left["random"] == []


@pytest.mark.parametrize("name", ["midpoint_target", "midpoint_base", "rand_target", "rand_base", "exp_target"])
def test_where_target_and_base_lie_on_the_violated_bound_the_result_is_that_bound(scripted, name):
    for g, u in ((0.1, 0.0), (0.7, 0.9)):
        assert getattr(strategies, name)(u, g, g, 0.1, 0.7, scripted([0.3])) == g


@pytest.mark.parametrize(("name", "reach"), [("exp_target", 0.2), ("exp_center", 0.5), ("exp_spread", 1.0)])
def test_exponential_rules_reach_from_the_bound_to_target_centre_or_other_bound(scripted, name, reach):
    strategy = getattr(strategies, name)
    assert strategy(-1.0, 0.2, 0.9, 0.0, 1.0, scripted([0.0])) == 0.0
    assert strategy(-1.0, 0.2, 0.9, 0.0, 1.0, scripted([1.0])) == pytest.approx(reach)


WHOLE = {  # u, then what it becomes in [0, 1]² with target (0.2, 0.9) and base (0.7, 0.1)
    "conservatism": [([0.5, 3.0], [0.7, 0.1])],
    "penalty": [([0.5, 3.0], [0.2, 0.9])],
    "none": [([0.5, 3.0], [0.5, 3.0])],
    "project_midpoint": [
        ([0.5, 3.0], [0.5, 1.0]),  # α = (1 − 0.5)/(3 − 0.5) = 1/5
        ([1.5, 0.0], [1.0, 0.25]),  # α = 1/2
        ([-1.5, 3.0], [0.1, 1.0]),  # the smaller of 1/4 and 1/5: 0.5 − 2/5
        ([0.4, inf], [0.5, 1.0]),
        ([0.4, nan], [0.4, 0.9]),  # NaN becomes the target's component, and nothing is left to repair
    ],
    "project_base": [
        ([0.7, 1.9], [0.7, 1.0]),  # α = 0.9/1.8 = 1/2
        ([1.3, 0.5], [1.0, 0.3]),  # α = 0.3/0.6 = 1/2
    ],
}


@pytest.mark.parametrize(("name", "u", "expected"), [(n, u, after) for n, cases in WHOLE.items() for u, after in cases])
def test_a_strategy_of_the_whole_trial_gives_what_is_computed_by_hand(name, u, expected):
    u, x, c, a, b = np.array(u), *np.array([[0.2, 0.9], [0.7, 0.1], [0.0, 0.0], [1.0, 1.0]])
    getattr(strategies, name)(u, x, c, a, b, None)
    assert u.tolist() == pytest.approx(expected, abs=1e-15)


def test_a_projection_onto_a_base_on_the_violated_bound_is_the_base():
    u, c = np.array([0.3, 1.5]), np.array([0.8, 1.0])
    strategies.project_base(u, c, c, np.zeros(2), np.ones(2), None)
    assert u.tolist() == [0.8, 1.0]


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


# For every box and every number: 10⁵ trials of two components each, compiled.

TRIALS = 100_000
finite = st.floats(-LARGEST_BOUND, LARGEST_BOUND)
EXTREME = [
    (-LARGEST_BOUND, LARGEST_BOUND),
    (0.9 * LARGEST_BOUND, LARGEST_BOUND),
    (0.0, 5e-324),
    (-5e-324, 1e-323),
    (5e-324, 1e-323),
    (1.0, 1 + ulp(1.0)),
    (0.0, 1.0),
    (-0.008887915916937158, 0.49111208408306284),  # 0.9911120840830628 lies beyond: b − (b − a) rounds to less than a
    (-0.0073939898581001536, 0.24528599270039428),
    (-1.7e308, 1.7e308),  # wider than a Box may be, and its width overflows
]
FAR = [nan, inf, -inf, HUGE, -HUGE, 1e308, -1e308, 5e-324, -5e-324, 1.5, -1.5, 0.9911120840830628, -0.512753954975089]


def random_boxes(rng, shape):
    """Of any size and place, narrow ones among them, some of EXTREME; every box is at least one float wide"""
    a = rng.choice([-1, 1], shape) * 10.0 ** rng.uniform(-300, 306, shape)
    b = np.where(rng.random(shape) < 0.3, a + rng.integers(1, 9, shape) * np.spacing(abs(a)), rng.permutation(a))
    low, high = np.minimum(a, b), np.maximum(a, b)
    extreme = np.array(EXTREME)[rng.integers(len(EXTREME), size=shape)]
    use_extreme = (rng.random(shape) < 0.4) | (low == high)
    return np.where(use_extreme, extreme[..., 0], low), np.where(use_extreme, extreme[..., 1], high)


def random_points(rng, a, b):
    """In [a, b], one in five on a bound"""
    share = rng.random(a.shape)
    between = np.clip((1 - share) * a + share * b, a, b)
    return np.where(rng.random(a.shape) < 0.2, np.where(rng.random(a.shape) < 0.5, a, b), between)


def random_trials(rng, a, b):
    """Components anywhere: inside, next to a bound, some widths outside, far, infinite, NaN"""
    with np.errstate(over="ignore"):
        widths = a + (b - a) * rng.normal(0, 3, a.shape)
    inside = random_points(rng, a, b)
    choices = [inside, inside, inside, np.nextafter(a, -inf), np.nextafter(b, inf), widths, rng.choice(FAR, a.shape)]
    return np.choose(rng.integers(len(choices), size=a.shape), choices)


@kernel
def repair_all(U, X, C, A, B, whole, strategies, strategy_of, whole_strategy, rng, violations):
    """Row i is a trial, its target, its base and its bounds"""
    for i in range(U.shape[0]):
        if whole:
            repair_whole(U[i], X[i], C[i], A[i], B[i], whole_strategy, rng, violations)
        else:
            repair_components(U[i], X[i], C[i], A[i], B[i], strategies, strategy_of, rng, violations)


@pytest.fixture(scope="module")
def trials():
    """Lower and upper bounds, targets, bases and trials"""
    rng = np.random.default_rng(1)
    a, b = random_boxes(rng, (TRIALS, 2))
    return a, b, random_points(rng, a, b), random_points(rng, a, b), random_trials(rng, a, b)


@each_strategy
def test_every_trial_ends_in_its_box_and_feasible_components_are_left_alone(trials, strategy):
    (a, b, x, c, u), rng = trials, np.random.default_rng(2)
    de = assemble(Config(f"DE/rand/1/bin {strategy.name}, N=5, F=1, Cr=1"), Box.unit(2))
    after, violations = u.copy(), np.zeros(2, np.int64)
    args = (after, x, c, a, b, de.whole, de.strategies, de.strategy_of, de.whole_strategy, rng, violations)
    jit.bind(repair_all, *args)(*args)  # that it returns shows: no loop is endless
    outside = ~((a <= u) & (u <= b))
    assert violations.tolist() == outside.sum(axis=0).tolist()
    assert 0.1 * TRIALS < outside.any(axis=1).sum() < 0.9 * TRIALS
    if strategy.leaves_outside:
        assert np.array_equal(after, u, equal_nan=True)
        return
    assert ((a <= after) & (after <= b)).all()  # no NaN, no infinity
    untouched = ~outside.any(axis=1, keepdims=True) if strategy.whole else ~outside
    assert ((after == u) | ~untouched).all()
    if strategy.dismisses:
        assert (after == np.where(untouched, u, x)).all()


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


def test_cotn_follows_the_half_normal_law_with_resampling(distances):
    assert kstest(distances, law_of_cotn).pvalue > FALSE_ALARM


@pytest.mark.parametrize("sigmas", [2, 2.9, 3.1])
def test_another_sigma_is_refused_to_cotn(distances, sigmas):
    assert kstest(distances[:100_000], lambda t: law_of_cotn(t, sigmas)).pvalue < FALSE_ALARM


def test_cotn_is_at_the_far_end_as_often_as_resampling_from_there_makes_it(distances):
    far = int((distances > 5 / 6).sum())
    assert binomtest(far, TIMES, 1 - law_of_cotn(5 / 6)).pvalue > FALSE_ALARM
    # refused: resampling from the bound first violated, which gives the truncated law
    assert binomtest(far, TIMES, 1 - truncated(5 / 6, 3)).pvalue < FALSE_ALARM
