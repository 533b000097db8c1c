"""The initial population: points of x0, how many lie around them, and variables that cannot move."""

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, squares
from scipy.optimize import Bounds

from debox import Choice, Fixed, Integer, Optimizer, Periodic, Real, minimize
from debox.optimize.start import RADIUS, SHARE, SMALL

X0 = [0.5, 1.0, -2.0]
LARGE = 3 * SMALL + 1  # the first budget for which the population is not drawn around x0
MIXED = {"rate": Real(1e-6, 1e-1, log=True), "teeth": Integer(10, 60), "angle": Periodic(-np.pi, np.pi)}
MIXED |= {"grade": Choice(["soft", "hard"]), "load": Fixed(3)}


def first_points(bounds=BOUNDS, **options):
    return Optimizer(bounds, **{"rng": 1, "budget": LARGE} | options).ask()


def test_the_points_of_x0_come_first_and_with_a_large_budget_the_others_stay_where_they_were():
    uniform = first_points()
    for x0 in (X0, tuple(X0), np.array(X0), [X0], np.array([X0])):
        np.testing.assert_array_equal(first_points(x0=x0), [X0, *uniform[1:]])
    np.testing.assert_array_equal(first_points(Bounds(*np.transpose(BOUNDS)), x0=X0), [X0, *uniform[1:]])
    others = [X0, [0.0, 2.0, 4.0]]
    np.testing.assert_array_equal(first_points(x0=others), [*others, *uniform[2:]])


def test_with_a_small_budget_a_share_of_the_others_lies_around_the_points_in_turn():
    near, far = np.array([-1.0, 1.0, 0.5]), np.array([0.5, 0.25, 4.0])  # on bounds, too
    uniform, P = first_points(budget=LARGE - 1, N=42), first_points(budget=LARGE - 1, N=42, x0=[near, far])
    moved = 2 + round(SHARE * 40)
    np.testing.assert_array_equal(P[:2], [near, far])
    np.testing.assert_array_equal(P[moved:], uniform[moved:])
    lower, upper = np.transpose(BOUNDS)
    for k, centre in enumerate((near, far)):
        around, as_before = P[2 + k : moved : 2], uniform[2 + k : moved : 2]
        least = np.maximum(lower, centre - RADIUS * (upper - lower))
        most = np.minimum(upper, centre + RADIUS * (upper - lower))
        np.testing.assert_allclose((around - least) / (most - least), (as_before - lower) / (upper - lower), atol=1e-12)
        assert ((least <= around) & (around <= most)).all()


def test_one_point_and_a_population_of_one_kind_of_individual_are_enough_to_run():
    result = minimize(squares, BOUNDS, x0=[0.3] * 3, budget=100, rng=1)
    assert result.fun == 0
    assert_same_result(result, minimize(squares, BOUNDS, x0=[[0.3] * 3], budget=100, rng=1))


def test_with_init_the_points_of_x0_are_further_points_and_come_first():
    init = np.random.default_rng(1).uniform(*np.transpose(BOUNDS), (9, 3))
    np.testing.assert_array_equal(first_points(init=init, x0=X0), [X0, *init])


def test_x0_has_variables_of_every_kind_by_names_or_in_order():
    point = {"rate": 1e-3, "teeth": 37, "angle": 3.0, "grade": "hard", "load": 3}
    for x0 in (point, [point], list(point.values()), [list(point.values())], [1e-3, 37, 3.0, 1, 3]):
        optimizer = Optimizer(MIXED, x0=x0, budget=300, rng=1)
        first = optimizer.ask()[0]
        np.testing.assert_allclose(first, [1e-3, 37, 3.0, 1, 3])
        assert optimizer.space.params(first) == point | {"rate": pytest.approx(1e-3)}
    for x0 in (["a", "b"], [["a", "b"]], [["a", "b"], ["c", "b"]]):  # text is a value, not a point
        points = Optimizer([Choice(["a", "b", "c"])] * 2, x0=x0, budget=300, rng=1).ask()
        assert points[0].tolist() == [0, 1]


def test_a_periodic_variable_of_a_given_point_wraps():
    bounds = [Periodic(-180, 180), (0, 1)]
    for given, within in ((350, -10), (-190, 170), (540, -180), (-181, 179), (180, 180), (-180, -180), (12.5, 12.5)):
        for points in ({"x0": [given, 0.5]}, {"init": [[given, 0.5], *[[0, 1]] * 9]}):
            assert Optimizer(bounds, budget=300, rng=1, **points).ask()[0].tolist() == [within, 0.5]
    just_below = np.nextafter(-180, -181)  # the sum is rounded
    assert Optimizer(bounds, x0=[just_below, 0.5], budget=300, rng=1).ask()[0, 0] in (-180, 180)


WRONG = [
    ([Periodic(0, 1)], [np.inf], r"^x0\[0\] = inf is not a finite number$"),
    (BOUNDS, 0.5, r"^x0 must have 3 values, one per variable, got 0\.5$"),
    (BOUNDS, [], r"^x0 must have 3 values, one per variable, got \[\]$"),
    (BOUNDS, [1, 2], r"^x0 must have 3 values, one per variable, got \[1, 2\]$"),
    (BOUNDS, [X0, X0[:2]], r"^x0\[1\] must have 3 values"),
    (BOUNDS, [0, 0, 0], r"^x0\[1\] = 0 lies outside \[0\.25, 2\.0\]$"),
    (BOUNDS, [X0, [0, 1, np.nan]], r"^x0\[1\]\[2\] = nan is not a finite number$"),
    (BOUNDS, "start", "^x0 must have 3 values"),
    (BOUNDS, {"a": 1}, "^x0 must have the names of the variables"),
    (MIXED, {"rate": 1e-3}, r"^x0 must have the names of the variables \(rate, .*\), got \['rate'\]$"),
    (MIXED, [1e-3, 37.5, 3.0, "hard", 3], r"^x0\['teeth'\] = 37\.5 is not an integer$"),
    (BOUNDS, [X0] * 21, "^x0 has 21 points, more than the population, N = 20$"),
]


@pytest.mark.parametrize(("bounds", "x0", "message"), WRONG)
def test_a_wrong_start_is_named_with_what_is_allowed(bounds, x0, message):
    with pytest.raises(ValueError, match=message):
        Optimizer(bounds, x0=x0, N=20, budget=300)


def test_an_error_about_the_number_of_points_names_both_arguments():
    with pytest.raises(ValueError, match=r"^init and x0 have 10 points, but N = 9$"):
        Optimizer(BOUNDS, x0=X0, init=np.random.default_rng(1).uniform(0.5, 1, (9, 3)), N=9)


@pytest.mark.parametrize("run", [Optimizer, lambda *args, **options: minimize(squares, *args, **options)])
def test_an_init_without_variety_in_a_variable_is_warned_of_by_name_where_the_user_is(run):
    init = np.random.default_rng(1).uniform(0.5, 1, (9, 3))
    init[:, 1] = 0.7
    with pytest.warns(UserWarning, match="^init has the same value in every point for variable 1: DE cannot") as caught:
        run(BOUNDS, init=init, budget=20)
    assert [warning.filename for warning in caught] == [__file__]
    init[:, 2] = 0.7
    names = dict(zip("abc", BOUNDS, strict=True))
    with pytest.warns(UserWarning, match="for variables 'b', 'c': DE cannot move there$"):
        run(names, init=init, budget=20)
    mixed = {"load": Fixed(3), "teeth": Integer(1, 9)}  # what is fixed is meant to stay
    with pytest.warns(UserWarning, match="for variable 'teeth': DE cannot"):
        Optimizer(mixed, init=[{"load": 3, "teeth": 4}] * 9)
    Optimizer(mixed, init=[{"load": 3, "teeth": k + 1} for k in range(9)])
