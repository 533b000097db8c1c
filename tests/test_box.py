import dataclasses
import re

import numpy as np
import pytest
from scipy.optimize import Bounds

from debox import Box

UNIT = Box.of([(0, 1), (0, 1)])
HUGE = np.finfo(float).max
NO_NUMBERS = [
    [("0", "1")],
    [(0, None)],
    [(0, 1 + 0j)],
    np.array([(0, 1 + 0j)]),
    [(0, 10**400)],
    np.array([(0, 1)], "datetime64[s]"),
    [(0, np.ma.masked)],
    np.ma.array([(0, 1)], mask=[(False, True)]),
]


@pytest.mark.parametrize(
    "bounds",
    [
        [(-1, 2), (0, 3)],
        ((-1.0, 2.0), [0.0, 3.0]),
        np.array([[-1, 2], [0, 3]]),
        Bounds([-1, 0], [2, 3]),
        Box([-1, 0], [2, 3]),
    ],
    ids=["pairs", "tuples", "array", "scipy", "box"],
)
def test_a_box_is_made_of_what_people_call_bounds(bounds):
    box = Box.of(bounds)
    assert box.lower.tolist() == [-1.0, 0.0]
    assert box.upper.tolist() == [2.0, 3.0]
    assert box.n == 2


def test_one_number_of_scipy_bounds_holds_for_every_variable():
    box = Box.of(Bounds(0, [1, 2, 3]))
    assert box.lower.tolist() == [0, 0, 0]
    assert box.upper.tolist() == [1, 2, 3]
    assert Box.of(Bounds(-1, 1)).n == 1


@pytest.mark.parametrize(
    "pair",
    [(np.nan, 1), (0, np.nan), (-np.inf, 1), (0, np.inf), (1, 1), (2, 1), (0.0, -0.0)],
    ids=str,
)
@pytest.mark.parametrize("kind", ["pairs", "box"])
def test_a_pair_that_is_not_finite_or_not_ascending_is_an_error_that_names_it(pair, kind):
    low, high = map(float, pair)
    expected = re.escape(f"bounds[1] = ({low}, {high}): both must be finite and lower < upper")
    with pytest.raises(ValueError, match=expected):
        Box.of([(0, 1), pair]) if kind == "pairs" else Box([0, low], [1, high])


@pytest.mark.parametrize(
    "pair", [(-1.1e307, 0), (0, 1.1e307), (-9e307, 9e307), (1e308, 1.7e308), (-HUGE, HUGE)], ids=str
)
@pytest.mark.parametrize("kind", [lambda pair: Box.of([(0, 1), pair]), lambda pair: Box([0, pair[0]], [1, pair[1]])])
def test_a_pair_so_wide_that_mutants_overflow_is_an_error_that_says_what_is_allowed(pair, kind):
    low, high = map(float, pair)
    with pytest.raises(ValueError, match=re.escape(f"bounds[1] = ({low}, {high}): both must lie in [-1e+307, 1e+307]")):
        kind(pair)


@pytest.mark.parametrize("pair", [(-1e307, 1e307), (9e306, 1e307), (0, 5e-324), (1.0, np.nextafter(1, 2))], ids=str)
def test_the_largest_and_the_smallest_boxes_are_boxes(pair):
    box = Box.of([pair])
    assert [box.lower[0], box.upper[0]] == list(pair)
    assert box.contains(box._sample(100, np.random.default_rng(1))).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (5, r"box must be a sequence"),
        ([(0, 1, 2)], r"box must be a sequence"),
        ([(0, 1), (2, 1)], r"box\[1\] = \(2\.0, 1\.0\)"),
        (Bounds([0, 2], [1, 1]), r"box\[1\] = \(2\.0, 1\.0\): both must be finite and lower < upper"),
        (Bounds([0], [1j]), "box must be a sequence"),
    ],
    ids=repr,
)
def test_an_error_names_the_argument_as_the_caller_calls_it(wrong, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Box.of(wrong, "box")


@pytest.mark.parametrize(
    "bounds",
    [None, 5, "ab", [], [0, 1], [(0, 1, 2)], [(0, 1), (0,)], [("a", "b")], np.zeros((2, 3, 2)), *NO_NUMBERS],
    ids=repr,
)
def test_what_is_no_sequence_of_pairs_is_an_error(bounds):
    with pytest.raises(ValueError, match=r"bounds must be a sequence of \(lower, upper\) pairs of finite numbers, got"):
        Box.of(bounds)


@pytest.mark.parametrize(("lower", "upper"), [([0, 0], [1]), ([], []), ([[0]], [[1]]), (0, 1)])
def test_sides_that_do_not_match_are_an_error(lower, upper):
    with pytest.raises(ValueError, match="bounds need one pair per variable, got shapes"):
        Box(lower, upper)


def test_a_box_cannot_be_changed():
    mine = np.array([0.0, 0.0])
    box = Box(mine, [1, 1])
    mine[0] = 0.5
    assert box.lower[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        box.lower[0] = 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        box.lower = mine


def test_a_bound_is_feasible_and_the_next_number_outside_is_not():
    box = Box([-1, 0], [2, 3])
    above, below = np.nextafter(2, 3), np.nextafter(0, -1)
    points = np.array([[-1, 0], [2, 3], [0, 1], [above, 1], [0, below], [np.nan, 1], [np.inf, 1]])
    assert box.contains(points).tolist() == [True, True, True, False, False, False, False]


@pytest.mark.parametrize("box", [UNIT, Box([-3, 10], [-1, 1e6]), Box([-1e307, 0], [1e307, 1])], ids=repr)
def test_samples_are_uniform_and_independent(box):
    """Chi-squared over a 4 × 4 grid of equally likely cells (15 degrees of freedom), rejected above its 1 − 10⁻⁶
    quantile: false alarms one in a million per seed, and the seed is fixed. The control, squares of the places, and
    the control with both coordinates from one draw must be rejected."""
    from scipy.stats import chi2

    def statistic(place):
        cells = np.bincount((place // 0.25).clip(0, 3).astype(int) @ [4, 1], minlength=16)
        return ((cells - len(place) / 16) ** 2 / (len(place) / 16)).sum()

    X = box._sample(4000, np.random.default_rng(1))
    place = (X - box.lower) / (box.upper - box.lower)
    limit = chi2.isf(1e-6, 15)
    assert statistic(place) < limit
    assert statistic(place**2) > limit
    assert statistic(place[:, [0, 0]]) > limit


def test_a_masked_side_is_an_error():
    lower = np.ma.array([0, 5], mask=[False, True])
    for make in (lambda: Box(lower, [1, 9]), lambda: Box([0, 5], [9, np.ma.masked])):
        with pytest.raises(ValueError, match=r"(?s)bounds must be numbers, got .*: masked values are not numbers"):
            make()


def test_given_points_are_copied_and_their_bounds_feasible():
    mine = np.array([[0.0, 1.0], [0.5, 0.5]])
    P = UNIT._population(mine)
    assert P.tolist() == mine.tolist()
    assert not np.shares_memory(P, mine)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        (np.zeros(2), r"init must have shape \(N, 2\), got \(2,\)"),
        (np.zeros((5, 3)), r"init must have shape \(N, 2\), got \(5, 3\)"),
        ([[0, 0], [0]], r"init must .*\(N, 2\)"),
        ("latinhypercube", r"init must .*\(N, 2\)"),
        ([[0, 0], [0, 7.5]], r"init\[1\].*7\.5.*outside.*-3\.0, 4\.0"),
        ([[0, np.nan]], r"init\[0\].*nan.*outside.*-3\.0, 4\.0"),
        ([["0", "1"]], r"init must be numbers of shape \(N, 2\), got"),
        (np.array([[0j, 1]]), r"init must be numbers of shape \(N, 2\), got"),
        ([[0, np.ma.masked]], r"init must be numbers of shape \(N, 2\), got .*: masked values are not numbers"),
    ],
    ids=["vector", "wide", "ragged", "text", "outside", "nan", "digits", "complex", "masked"],
)
def test_given_points_that_are_wrong_are_an_error_that_names_them_and_what_is_allowed(init, message):
    with pytest.raises(ValueError, match=message):
        Box([0, -3], [1, 4])._population(init)
