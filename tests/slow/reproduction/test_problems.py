"""Problems have their minimum where they say, and recorders count what solvers ask for."""

import numpy as np
import pytest
from reproduction.problems import GOAL, Problem, Recorder, Stop, judging, rotation, sbox, tuning

OURS = [*tuning(), *judging()]
NAMES = [f"{problem.name} {problem.n}" for problem in OURS]


def value(problem, x):
    """Without compiling anything."""
    return problem.fun.py_func(x, *problem.data)


def lowest_nearby(problem, centre):
    """The least of 300 values, at steps of all lengths from a point, put back into the box."""
    rng = np.random.default_rng(1)
    steps = 10.0 ** rng.uniform(-6, 0, (300, 1)) * rng.standard_normal((300, problem.n)) * (problem.high - problem.low)
    steps *= rng.random(steps.shape) < rng.choice([1, 0.1], (300, 1))  # also along a few variables only
    return min(value(problem, x) for x in np.clip(centre + steps, problem.low, problem.high))


@pytest.mark.parametrize("problem", OURS, ids=NAMES)
def test_the_optimiser_is_in_the_box_and_has_the_value_that_the_formula_gives(problem):
    """0 where every term is a square, a distance or 1 − cos; −39.16616570377142 a variable for Styblinski and Tang."""
    assert ((problem.low <= problem.optimiser) & (problem.optimiser <= problem.high)).all()
    expected = -39.16616570377142 * problem.n if problem.name == "Styblinski-Tang" else 0.0
    assert value(problem, problem.optimiser) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("problem", OURS, ids=NAMES)
def test_no_point_nearby_is_lower_than_the_optimiser(problem):
    assert lowest_nearby(problem, problem.optimiser) >= value(problem, problem.optimiser) - 1e-11


@pytest.mark.parametrize("problem", OURS, ids=NAMES)
def test_the_search_nearby_finds_lower_points_around_another_one(problem):
    """The control: a tenth of the width aside it is not the optimiser."""
    other = problem.optimiser + 0.1 * (problem.high - problem.low) * np.where(problem.optimiser > problem.low, -1, 1)
    other = np.clip(other, problem.low, problem.high)
    assert lowest_nearby(problem, other) < value(problem, other)


def test_there_are_ten_of_each_kind_and_none_in_both():
    sets = [{problem.name for problem in problems} for problems in (tuning(), judging())]
    assert [len(tuning()), len(judging()), len(sets[0] | sets[1])] == [10, 10, 15]
    assert sorted(problem.n for problem in tuning()) == [10] * 5 + [20] * 5


def on_walls(problem, share=0.0):
    """How many variables of the optimiser are on a wall, or within this share of the width."""
    gap = np.minimum(problem.optimiser - problem.low, problem.high - problem.optimiser)
    return np.count_nonzero(gap <= share * (problem.high - problem.low) * (1 + 1e-9))


def test_four_problems_have_their_minimum_on_a_wall_or_near_one():
    problems = {problem.name: problem for problem in judging()}
    walls = {name: on_walls(problem) for name, problem in problems.items() if on_walls(problem)}
    assert walls == {"ripples": 20, "leaning": 10, "decays": 4}
    assert on_walls(problems["Zakharov"], 0.001) == 10
    assert on_walls(problems["Levy"], 0.001) == 0


def test_two_problems_have_periodic_variables_which_end_where_they_begin():
    periodic = {problem.name: problem for problem in judging() if any(problem.periodic)}
    assert {name: sum(problem.periodic) for name, problem in periodic.items()} == {"torsions": 20, "waves": 5}
    for problem in periodic.values():
        x = np.random.default_rng(1).uniform(problem.low, problem.high)
        for i in range(problem.n):
            low, high = x.copy(), x.copy()
            low[i], high[i] = problem.low[i], problem.high[i]
            assert (value(problem, low) == pytest.approx(value(problem, high), abs=1e-9)) == problem.periodic[i]


def test_a_rotation_is_orthogonal():
    R = rotation(10, np.random.default_rng(1))
    assert np.allclose(R @ R.T, np.eye(10), rtol=0, atol=1e-12)


def test_the_strictly_boxed_functions_have_their_minimum_in_the_box():
    pytest.importorskip("ioh")
    problems = sbox()
    assert [problem.name.split()[0] for problem in problems] == [f"f{k}" for k in range(1, 25)]
    for problem in problems:
        assert ((problem.low <= problem.optimiser) & (problem.optimiser <= problem.high)).all()
        assert problem.fun(problem.optimiser) - problem.minimum == pytest.approx(0, abs=GOAL)
        assert problem.fun(problem.optimiser + 20) == np.inf


# Recorders.


def line(least=0.0):
    """x on [0, 10]"""
    return Problem("line", lambda x: x[0], np.zeros(1), np.full(1, 10.0), np.zeros(1), least=least)


def test_a_recorder_keeps_the_best_value_within_the_budget_and_gives_no_more():
    recorder = Recorder(line(least=-1.0), 3)
    assert [recorder([x]) for x in (5, 2, 4)] == [5, 2, 4]
    assert (recorder.evaluations, recorder.error, recorder.has_stopped) == (3, 3, False)
    with pytest.raises(Stop):
        recorder([1])
    assert (recorder.evaluations, recorder.error, recorder.has_stopped) == (3, 3, True)


@pytest.mark.parametrize(("x", "is_over"), [(1e-8, True), (1.1e-8, False)])
def test_a_recorder_stops_a_solver_at_the_goal(x, is_over):
    recorder = Recorder(line(), 100)
    recorder([x])
    if is_over:
        with pytest.raises(Stop):
            recorder([1])
    else:
        assert recorder([1]) == 1
    assert recorder.evaluations == 2 - is_over


def test_a_value_that_is_no_number_is_counted_and_never_the_best():
    recorder = Recorder(line()._replace(fun=lambda x: np.nan), 2)
    assert np.isnan(recorder([1]))
    assert (recorder.evaluations, recorder.best) == (1, np.inf)


def test_a_point_outside_by_rounding_is_put_on_the_wall_and_any_other_is_an_error():
    recorder = Recorder(line(least=-1.0), 10)
    assert recorder([-1e-12]) == 0
    for x in (-0.01, 10.01, np.nan):
        with pytest.raises(ValueError, match="outside its box"):
            recorder([x])
    assert recorder.evaluations == 1
