"""The operators, on numbers computed by hand from docs/spec.md §2 and docs/operators.md.

Each test takes the operators as `op`, once for each implementation of them.
"""

import doctest
from fractions import Fraction
from math import e, exp, inf, log, nan, ulp

import numpy as np
import pytest
from in_c import OperatorsInC

from debox import reference

IMPLEMENTATIONS = {"reference": reference, "core": OperatorsInC()}  # with functions of the same names and arguments

LARGEST = 1.7976931348623157e308


@pytest.fixture(name="op", params=IMPLEMENTATIONS)
def _op(request):
    return IMPLEMENTATIONS[request.param]


class Scripted:
    """Stands in for a Generator: gives the prescribed numbers in their order and fails when asked for more."""

    def __init__(self, random=(), normal=()):
        self.left = {"random": list(random), "normal": list(normal)}

    def random(self):
        return self.left["random"].pop(0)

    def standard_normal(self):
        return self.left["normal"].pop(0)

    @property
    def is_empty(self):
        return not (self.left["random"] or self.left["normal"])


def near(pairs):
    return [pytest.approx(pair, rel=1e-14) for pair in pairs]


# Donors.


@pytest.mark.parametrize(
    ("rule", "numbers", "donors"),
    [  # N = 10, target 3, best 9
        ("distinct", [0.05, 0.05, 0.31, 0.0, 0.39, 0.99], (0, 3, 9)),  # 0, 0 (again), 3, 0 (again), 3 (again), 9
        ("not_target", [0.31, 0.99, 0.95, 0.45], (9, 4)),  # 3 (target), 9, 9 (again), 4
        ("not_parents", [0.31, 0.99, 0.45, 0.42, 0.0], (4, 0)),  # 3 (target), 9 (best), 4, 4 (again), 0
    ],
)
def test_donors_are_drawn_again_while_their_rule_forbids_them(op, rule, numbers, donors):
    r, rng = np.full(len(donors), 2**63, np.uint64), Scripted(numbers)
    getattr(op, rule)(10, 3, 9, rng, r)
    assert (tuple(r.tolist()), rng.is_empty) == (donors, True)


def test_draw_is_the_integer_part_of_k_times_u_and_never_reaches_k():
    assert [reference.draw(5, Scripted([U])) for U in (0.0, 0.19, 0.2, 0.99)] == [0, 0, 1, 4]
    largest = 1 - 2.0**-53  # no Generator.random() is larger
    for k in [*range(1, 2000), 10**6, 2**31 - 1, 2**31]:
        assert reference.draw(k, Scripted([largest])) == k - 1


# Mutations. Individual j is 2ʲ: sums of different ones differ, so a wrong one shows. Target 1, best 5; F = ½, K = ¼.

MUTANTS = {
    "rand_1": ((0, 2, 1), 1 + (4 - 2) / 2),
    "rand_2": ((0, 2, 1, 4, 3), 1 + (4 - 2) / 2 + (16 - 8) / 2),
    "best_1": ((2, 0), 32 + (4 - 1) / 2),
    "best_2": ((2, 0, 4, 3), 32 + (4 - 1) / 2 + (16 - 8) / 2),
    "current_to_best_1": ((2, 0), 2 + (32 - 2) / 2 + (4 - 1) / 2),
    "current_to_best_2": ((2, 0, 4, 3), 2 + (32 - 2) / 2 + (4 - 1) / 2 + (16 - 8) / 2),
    "rand_to_best_1": ((0, 2, 3), 1 + (32 - 1) / 2 + (4 - 8) / 2),
    "rand_to_best_2": ((0, 2, 3, 4, 1), 1 + (32 - 1) / 2 + (4 - 8) / 2 + (16 - 2) / 2),
    "current_to_rand_1": ((0, 2, 3), 2 + (1 - 2) / 4 + (4 - 8) / 8),
    "current_to_pbest_1": ((2, 0), 2 + (32 - 2) / 2 + (4 - 1) / 2),  # 5 is one of the p-best
}
# The weights of target, best, r₁, …, r₅ for F = 3/4, K = 1/4.
WEIGHTS = {
    "rand_1": [0, 0, 1, 0.75, -0.75, 0, 0],
    "rand_2": [0, 0, 1, 0.75, -0.75, 0.75, -0.75],
    "best_1": [0, 1, 0.75, -0.75, 0, 0, 0],
    "best_2": [0, 1, 0.75, -0.75, 0.75, -0.75, 0],
    "current_to_best_1": [0.25, 0.75, 0.75, -0.75, 0, 0, 0],
    "current_to_best_2": [0.25, 0.75, 0.75, -0.75, 0.75, -0.75, 0],
    "rand_to_best_1": [0, 0.75, 0.25, 0.75, -0.75, 0, 0],
    "rand_to_best_2": [0, 0.75, 0.25, 0.75, -0.75, 0.75, -0.75],
    "current_to_rand_1": [0.75, 0, 0.25, 0.1875, -0.1875, 0, 0],
    "current_to_pbest_1": [0.25, 0.75, 0.75, -0.75, 0, 0, 0],
}


def mutant(op, name, rows, F):
    K = [0.25] if name == "current_to_rand_1" else []
    return getattr(op, name)(*rows, F, *K).tolist()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_the_one_computed_by_hand(op, name):
    r, v = MUTANTS[name]
    j = np.array([1, 5, *r, *[0] * (5 - len(r))])
    assert mutant(op, name, np.array([2.0**j, 10 * 2.0**j]).T, 0.5) == [v, 10 * v]
    assert mutant(op, name, np.eye(7), 0.75) == WEIGHTS[name]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_population_of_equal_points_has_that_point_for_a_mutant(op, name):
    point = np.array([0.1, -7.3, 1e300])
    assert mutant(op, name, np.tile(point, (7, 1)), 2.0) == point.tolist()


# Crossovers. binomial draws U₁ … Uₙ, then I; exponential draws I, then a U after each component.


@pytest.mark.parametrize(
    ("name", "Cr", "numbers", "trial"),
    [
        ("binomial", 0.5, [0.6, 0.5, 0.4, 0.9, 0.99], [0, 11, 12, 13]),  # 0.5 = Cr counts; I = ⌊4 · 0.99⌋ = 3
        ("binomial", 0.5, [0.6, 0.5, 0.4, 0.9, 0.25], [0, 11, 12, 3]),  # I = 1, which U = 0.5 takes anyway
        ("binomial", 0.0, [0.1, 0.1, 0.1, 0.1, 0.5], [0, 1, 12, 3]),
        ("binomial", 1.0, [0.1, 0.9, 0.99, 0.5, 0.5], [10, 11, 12, 13]),
        ("exponential", 0.5, [0.8, 0.5, 0.6], [10, 1, 2, 13]),  # I = 3; 0.5 = Cr goes on to 0; 0.6 stops
        ("exponential", 0.5, [0.3, 0.1, 0.2, 0.3, 0.4], [10, 11, 12, 13]),  # back at its start
        ("exponential", 0.0, [0.3, 0.1], [0, 11, 2, 3]),
    ],
)
def test_a_trial_takes_the_components_that_the_random_numbers_say(op, name, Cr, numbers, trial):
    x, v, u, rng = np.arange(4.0), np.arange(10.0, 14.0), np.full(4, nan), Scripted(numbers)
    getattr(op, name)(x, v, Cr, rng, u)
    assert (u.tolist(), x.tolist(), v.tolist()) == (trial, [0, 1, 2, 3], [10, 11, 12, 13])
    assert rng.is_empty


# Strategies of a component, in [40, 90] with target 50 and base 80; g is 40 or 90, the width 50.

COMPONENTS = [
    ("saturation", 30, None, 40),
    ("saturation", 130, None, 90),
    ("resample", 30, None, 40),
    ("resample", 130, None, 90),
    ("toroidal", 30, None, 80),  # 10 below the floor is 10 below the ceiling
    ("toroidal", 95, None, 45),
    ("toroidal", 195, None, 45),  # two widths further
    ("toroidal", -70, None, 80),
    ("toroidal", 140, None, 40),  # a + (100 mod 50)
    ("toroidal", -10, None, 40),  # a + (−50 mod 50)
    ("mirror", 30, None, 50),
    ("mirror", 95, None, 85),
    ("mirror", 145, None, 45),  # at 90 to 35, at 40 to 45
    ("mirror", 195, None, 85),  # at 90 to −15, at 40 to 95, at 90 to 85
    ("mirror", -15, None, 85),  # at 40 to 95, at 90 to 85
    ("mirror", 140, None, 40),
    ("mirror", -10, None, 90),
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
    ("exp_target", 30, 1.0, 50),  # it reaches from the bound to the target …
    ("exp_center", 30, 0.25, 40 - 50 * log(1 + 0.25 * (exp(-1 / 2) - 1))),
    ("exp_center", 95, 0.25, 90 + 50 * log(1 + 0.25 * (exp(-1 / 2) - 1))),
    ("exp_center", 30, 1.0, 65),  # … the centre …
    ("exp_spread", 30, 0.25, 40 - 50 * log(1 + 0.25 * (1 / e - 1))),
    ("exp_spread", 95, 0.25, 90 + 50 * log(1 + 0.25 * (1 / e - 1))),
    ("exp_spread", 30, 1.0, 90),  # … the other bound
    ("reflect_random", 30, 0.25, 40 + 0.25 * 10),
    ("reflect_random", -70, 0.25, 40 + 0.25 * 50),  # 110 outside, more than the width
    ("reflect_random", 95, 0.25, 90 - 0.25 * 5),
    ("reflect_random", inf, 0.25, 90 - 0.25 * 50),
]
NAMES = list(dict.fromkeys(name for name, *_ in COMPONENTS))


@pytest.mark.parametrize(("name", "u", "U", "expected"), COMPONENTS)
def test_a_strategy_of_a_component_gives_the_value_computed_by_hand(op, name, u, U, expected):
    rng = Scripted([] if U is None else [U])
    tolerance = 1e-14 if U is not None else 0.0
    assert getattr(op, name)(float(u), 50.0, 80.0, 40.0, 90.0, rng) == pytest.approx(expected, rel=tolerance, abs=0.0)
    assert rng.is_empty


@pytest.mark.parametrize("name", ["midpoint_target", "midpoint_base", "rand_target", "rand_base", "exp_target"])
def test_where_target_and_base_lie_on_the_violated_bound_the_result_is_that_bound(op, name):
    for g, u in ((0.1, 0.0), (0.7, 0.9)):
        assert getattr(op, name)(u, g, g, 0.1, 0.7, Scripted([0.3])) == g


@pytest.mark.parametrize("name", [name for name in NAMES if name != "uniform"])
def test_nan_becomes_the_component_of_the_target_without_a_draw(op, name):
    assert getattr(op, name)(nan, 50.0, 80.0, 40.0, 90.0, Scripted()) == 50.0


def test_nan_is_drawn_anew_from_the_lower_bound_by_cotn_and_uniformly_by_uniform(op):
    assert op.cotn(nan, 1.0, 2.0, 0.0, 3.0, Scripted(normal=[0.5])) == 0.5
    assert op.uniform(nan, 50.0, 80.0, 40.0, 90.0, Scripted([0.25])) == 52.5


@pytest.mark.parametrize(
    ("u", "normals", "expected"),
    [  # in [0, 3], σ = (3 − 0)/3 = 1
        (5.0, [0.5], 2.5),
        (5.0, [-0.5], 2.5),
        (-5.0, [-0.5], 0.5),
        (5.0, [3.0], 0.0),  # exactly on the other bound is inside
        (5.0, [4.0, 1.0], 1.0),  # 3 − 4 lies below 0: resampled from there, 0 + 1
        (-5.0, [4.0, 1.0], 2.0),  # 0 + 4 lies above 3: resampled from there, 3 − 1
        (5.0, [4.0, 5.0, 0.25], 2.75),  # below, above, 3 − 0.25
    ],
)
def test_cotn_resamples_from_the_bound_now_violated(op, u, normals, expected):
    rng = Scripted(normal=normals)
    assert op.cotn(u, 1.0, 2.0, 0.0, 3.0, rng) == expected
    assert rng.is_empty


def test_cotn_has_its_sigma_also_in_a_narrow_box_far_from_zero(op):
    # [2⁵⁰, 2⁵⁰ + 4], numbers 1/4 apart: 2.9 · 4/3 = 3.8667 rounds to 3.75
    assert op.cotn(0.0, 2.0**50, 2.0**50, 2.0**50, 2.0**50 + 4, Scripted(normal=[2.9])) == 2.0**50 + 3.75


# toroidal and mirror against their definitions, in exact arithmetic.


def wrapped(u, a, b):
    """a + ((u − a) mod (b − a))"""
    return a + (u - a) % (b - a)


def reflected(u, a, b):
    """at the violated bound, again and again; whole periods of two reflections are skipped"""
    u = a + (u - a) % (2 * (b - a))
    return u if u <= b else 2 * b - u


def test_reflected_is_repeated_reflection():
    for u in range(-100, 101):
        once = u
        while not 3 <= once <= 8:
            once = 2 * 3 - once if once < 3 else 2 * 8 - once
        assert reflected(u, 3, 8) == once


each_exact = pytest.mark.parametrize(("name", "definition"), [("toroidal", wrapped), ("mirror", reflected)])


@each_exact
def test_result_is_the_definition_however_far_outside(op, name, definition):
    # nothing is lost by u being far: u, a and b − a are exact, so is the remainder
    for a, b in [(0.0, 1.0), (-1.0, 1.0), (0.25, 1.0), (-3.0, 5.0), (40.0, 90.0)]:
        for u in (1e16 + 2, 2.0**60, 1e20, 1e308, LARGEST, -1e16 - 2, -(2.0**60), -1e20, -1e308, -LARGEST):
            assert getattr(op, name)(u, a, a, a, b, None) == definition(Fraction(u), Fraction(a), Fraction(b))


@each_exact
def test_result_is_the_definition_within_rounding(op, name, definition):
    """Off by less than 4 units in the last place of the largest number involved, M.

    u − b rounds by ≤ 1 ulp(M), the rounded width makes u drift by ≤ 2 ulp(M), the result rounds by ≤ ulp(M)/2.
    """
    rng, done = np.random.default_rng(1), 0
    for _ in range(1000):
        a, width, widths = (10.0 ** rng.uniform(-9, 9, 3) * rng.choice([-1, 1], 3)).tolist()
        b, u = a + abs(width), a + widths * abs(width)
        tolerance, exact_width = 4 * ulp(max(abs(a), abs(b), abs(u))), Fraction(b) - Fraction(a)
        if a <= u <= b or 100 * Fraction(tolerance) >= exact_width:
            continue
        off = abs(Fraction(getattr(op, name)(u, a, a, a, b, None)) - definition(Fraction(u), Fraction(a), Fraction(b)))
        if name == "toroidal":
            off = min(off, exact_width - off)  # a and b are the same place
        assert off <= tolerance
        done += 1
    assert done > 500


# Strategies of the whole trial.

WHOLE = {  # u, then what it becomes in [0, 1]² with target (0.2, 0.9) and base (0.7, 0.1)
    "conservatism": [([0.5, 3.0], [0.7, 0.1])],
    "dismiss": [([0.5, 3.0], [0.2, 0.9])],
    "penalty": [([0.5, 3.0], [0.2, 0.9])],
    "none": [([0.5, 3.0], [0.5, 3.0])],
    "project_midpoint": [
        ([0.5, 3.0], [0.5, 1.0]),  # α = (1 − 0.5)/(3 − 0.5) = 1/5
        ([1.5, 0.0], [1.0, 0.25]),  # α = 1/2
        ([-1.5, 3.0], [0.1, 1.0]),  # the smaller of 1/4 and 1/5: 0.5 − 2/5
        ([3.0, -1.5], [1.0, 0.1]),  # whichever comes first
        ([0.4, inf], [0.5, 1.0]),
        ([0.4, nan], [0.4, 0.9]),  # NaN becomes the target's component, and nothing is left to repair
    ],
    "project_base": [
        ([0.7, 1.9], [0.7, 1.0]),  # α = 0.9/1.8 = 1/2
        ([1.3, 0.5], [1.0, 0.3]),  # α = 0.3/0.6 = 1/2
    ],
}


@pytest.mark.parametrize(("name", "u", "expected"), [(n, u, after) for n, cases in WHOLE.items() for u, after in cases])
def test_a_strategy_of_the_whole_trial_gives_what_is_computed_by_hand(op, name, u, expected):
    u, x, c, a, b = np.array(u), *np.array([[0.2, 0.9], [0.7, 0.1], [0.0, 0.0], [1.0, 1.0]])
    getattr(op, name)(u, x, c, a, b, None)
    assert u.tolist() == pytest.approx(expected, abs=1e-15)


def test_a_projection_onto_a_base_on_the_violated_bound_is_the_base(op):
    u, c = np.array([0.3, 1.5]), np.array([0.8, 1.0])
    op.project_base(u, c, c, np.zeros(2), np.ones(2), None)
    assert u.tolist() == [0.8, 1.0]


# Every strategy, in every box, for every number.

BOXES = [
    (-1e307, 1e307),
    (9e306, 1e307),
    (0.0, 5e-324),
    (-5e-324, 1e-323),
    (1.0, 1 + ulp(1.0)),
    (0.0, 1.0),
    (-0.008887915916937158, 0.49111208408306284),  # 0.9911120840830628 lies beyond: b − (b − a) rounds to less than a
    (-0.0073939898581001536, 0.24528599270039428),
    (-1.7e308, 1.7e308),  # its width overflows
]
FAR = [nan, inf, -inf, LARGEST, -LARGEST, 1e308, -1e308, 5e-324, -5e-324, 1.5, -1.5, 0.9911120840830628, -0.5127539549]


@pytest.fixture(scope="module", name="trials")
def _trials():
    """u, x, c, a, b of many trials with two components: u anywhere, the first component outside, x and c inside"""
    rng, trials = np.random.default_rng(1), []
    while len(trials) < 4000:
        a, b = np.array([BOXES[rng.integers(len(BOXES))] for _ in range(2)]).T
        share = rng.choice([0.0, 1.0, *rng.random(3)], (2, 2))
        x, c = np.clip((1 - share) * a + share * b, a, b)
        with np.errstate(over="ignore"):
            some_widths = a + (b - a) * rng.normal(0, 3, 2)
        choices = [x, np.nextafter(a, -inf), np.nextafter(b, inf), some_widths, rng.choice(FAR, 2)]
        u = np.choose(rng.integers(len(choices), size=2), choices)
        if not a[0] <= u[0] <= b[0]:
            trials.append((u, x, c, a, b))
    return trials


@np.errstate(over="ignore")  # of a width
@pytest.mark.parametrize("name", [*NAMES, "cotn", *(name for name in WHOLE if name != "none")])
def test_every_trial_ends_in_its_box(op, trials, name):
    strategy, rng = getattr(op, name), np.random.default_rng(2)
    for trial in trials:
        u, x, c, a, b = (part.copy() for part in trial)
        if name in WHOLE:
            strategy(u, x, c, a, b, rng)
            assert ((a <= u) & (u <= b)).all(), trial  # no NaN, no infinity
        else:
            first = [float(part[0]) for part in trial]
            assert a[0] <= strategy(*first, rng) <= b[0], first


# Adaptations: tan(π(U − ½)) is 0 for U = ½, 1 for U = ¾, −1 for U = ¼.

ZERO, PLUS, MINUS = 0.5, 0.75, 0.25
TERMINAL = reference.TERMINAL
CELLS = [(0.2, 0.1), (0.5, 0.6), (0.8, 0.9)]


@pytest.mark.parametrize(
    ("name", "pairs", "i", "numbers", "normals", "F_Cr"),
    [
        ("sample_fixed", [(0.6, 0.7)], 2, [], [], [0.6, 0.7]),
        ("sample_jde", [(0.9, 0.1), (0.3, 0.8)], 1, [0.5, 0.5], [], [0.3, 0.8]),  # both coins say: stay
        ("sample_jde", [(0.9, 0.1), (0.3, 0.8)], 1, [0.05, 0.5, 0.5], [], [0.55, 0.8]),  # 0.1 + 0.9 · 0.5
        ("sample_jde", [(0.9, 0.1), (0.3, 0.8)], 1, [0.5, 0.05, 0.25], [], [0.3, 0.25]),
        ("sample_jde", [(0.9, 0.1), (0.3, 0.8)], 1, [0.05, 0.0, 0.05, 0.0], [], [0.1, 0.0]),
        ("sample_jde", [(0.9, 0.1), (0.3, 0.8)], 1, [0.1, 0.1], [], [0.3, 0.8]),  # the chance is 0.1: U < 0.1
        ("sample_jade", [(0.5, 0.3)], 0, [PLUS], [1.0], [0.6, 0.4]),
        ("sample_jade", [(0.5, 0.5)], 0, [MINUS], [-2.0], [0.4, 0.3]),
        ("sample_jade", [(0.05, 0.5)], 0, [MINUS, MINUS, PLUS], [0.0], [0.15, 0.5]),  # −0.05, −0.05, 0.15
        ("sample_jade", [(0.0, 0.5)], 0, [ZERO, PLUS], [0.0], [0.1, 0.5]),  # 0 is drawn again, too
        ("sample_jade", [(0.95, 0.9)], 0, [PLUS], [1.5], [1.0, 1.0]),  # 1.05 is cut, not drawn again
        ("sample_jade", [(0.5, 0.1)], 0, [ZERO], [-1.5], [0.5, 0.0]),
        ("sample_shade", CELLS, 0, [0.3, ZERO], [0.0], [0.2, 0.1]),
        ("sample_shade", CELLS, 1, [0.4, ZERO], [0.0], [0.5, 0.6]),
        ("sample_shade", CELLS, 2, [0.999, ZERO], [0.0], [0.8, 0.9]),
        ("sample_shade", [(0.2, TERMINAL)], 0, [0.5, PLUS], [], [0.3, 0.0]),  # no normal number
    ],
)
def test_F_and_Cr_of_a_trial_are_those_computed_by_hand(op, name, pairs, i, numbers, normals, F_Cr):
    drawn, rng = np.full((2, 3), nan), Scripted(numbers, normals)
    getattr(op, name)(i, np.array(pairs, float).T.copy(), rng, drawn)
    assert drawn[:, i].tolist() == pytest.approx(F_Cr, rel=1e-14, abs=0.0)
    assert rng.is_empty
    assert np.isnan(np.delete(drawn, i, axis=1)).all()


# Gains are positive for a success, 0 for a tie that replaces its target, negative for the rest.


def learned(op, name, pairs, F, Cr, gain, cell=0):
    """The pairs in memory after trials with these F, Cr and gains, and the next cell; F_Cr has places to spare."""
    memory = np.array(pairs, float).T.copy()
    cell = getattr(op, name)(np.array([[*F, 0.9], [*Cr, 0.9]]), np.array(gain, float), memory, cell)
    return memory.T.tolist(), cell


@pytest.mark.parametrize(
    ("name", "pairs", "cell", "F", "Cr", "gain", "after", "next_cell"),
    [
        ("learn_nothing", [(0.6, 0.7)], 0, [0.1, 0.2], [0.3, 0.4], [1, inf], [(0.6, 0.7)], 0),
        (
            "learn_jde",
            [(0.5, 0.9)] * 5,
            0,
            [0.1, 0.2, 0.3, 0.4],
            [0.6, 0.7, 0.8, 1.0],
            [3, 0, -1, inf],
            [(0.1, 0.6), (0.2, 0.7), (0.5, 0.9), (0.4, 1.0), (0.5, 0.9)],
            0,
        ),
        # Lehmer (0.04 + 0.36)/0.8 = 0.5; arithmetic (0.1 + 0.5)/2 = 0.3; 0.9 · 0.9 + 0.1 · 0.5, 0.9 · 0.4 + 0.1 · 0.3
        ("learn_jade", [(0.9, 0.4)], 0, [0.2, 1, 1, 0.6], [0.1, 1, 1, 0.5], [5, 0, -1, inf], [(0.86, 0.39)], 0),
        ("learn_jade", [(0.5, 0.5)], 0, [0.5], [0.0], [1], [(0.5, 0.45)], 0),
        # w = 1/4, 3/4: F (0.25 · 0.04 + 0.75 · 0.36)/(0.05 + 0.45) = 0.56; Cr 0.1 + 0.6
        ("learn_shade", [(0.5, 0.5)] * 2, 0, [0.2, 1, 0.6], [0.4, 1, 0.8], [1, 0, 3], [(0.56, 0.7), (0.5, 0.5)], 1),
        ("learn_shade", [(0.5, 0.5)] * 2, 1, [0.2, 1, 0.6], [0.4, 1, 0.8], [1, -1, 3], [(0.5, 0.5), (0.56, 0.7)], 0),
        ("learn_lshade", [(0.5, 0.5)], 0, [0.2, 0.6], [0.4, 0.8], [1, 3], [(0.56, 0.52 / 0.7)], 0),  # Lehmer, too
        # a cell whose successful Cr are all 0 is terminal for good (the 0.9 did not succeed), and its F still adapts
        ("learn_lshade", [(0.5, 0.5)] * 2, 0, [0.2, 0.6], [0, 0.9], [1, 0], [(0.2, TERMINAL), (0.5, 0.5)], 1),
        ("learn_lshade", [(0.2, TERMINAL)] * 2, 1, [0.9], [0.8], [1], [(0.2, TERMINAL), (0.9, TERMINAL)], 0),
        # a success whose weight vanishes keeps its cell from being terminal
        ("learn_lshade", [(0.5, 0.5)], 0, [0.4, 0.8], [0, 0.8], [inf, 1], [(0.4, 0.0)], 0),
        ("learn_lshade", [(0.5, 0.5)], 0, [0.4, 0.8], [0, 0.8], [1e300, 1e-300], [(0.4, 0.0)], 0),
    ],
)
def test_the_memory_after_a_generation_is_the_one_computed_by_hand(
    op, name, pairs, cell, F, Cr, gain, after, next_cell
):
    assert learned(op, name, pairs, F, Cr, gain, cell) == (near(after), next_cell)


@pytest.mark.parametrize("name", ["learn_shade", "learn_lshade"])
@pytest.mark.parametrize(
    ("gain", "F"),
    [
        ([inf, 5, inf], 0.5),  # 0.2 and 0.6 share the weight: (0.04 + 0.36)/0.8
        ([1e308, 0, 1e308], 0.5),  # the sum of the gains overflows
        ([1.7e308, -1, 1e-308], 0.2),
        ([5e-324, 0, 5e-324], 0.5),  # the smallest number there is
        ([0, 0, 1e-9], 0.6),  # one success
    ],
)
def test_extreme_gains_are_weights_like_any_other(op, name, gain, F):
    memory, cell = learned(op, name, [(0.7, 0.7)] * 2, [0.2, 1.0, 0.6], [0.2, 1.0, 0.6], gain)
    assert (memory[0][0], cell) == (pytest.approx(F, rel=1e-14), 1)
    assert 0.2 <= memory[0][1] <= 0.6


@pytest.mark.parametrize("name", ["learn_jade", "learn_shade", "learn_lshade"])
@pytest.mark.parametrize("gain", [[0, 0], [-1, 0], [-1, -1], []])
def test_without_success_the_memory_stays_and_its_cell_too(op, name, gain):
    values = [0.3] * len(gain)
    assert learned(op, name, [(0.7, 0.4)] * 3, values, values, gain, 1) == ([[0.7, 0.4]] * 3, 1)


# The example for readers.


def test_examples_are_true():
    found = doctest.testmod(reference)
    assert (found.failed, found.attempted) == (0, 4)
