"""The page on walls tells what data/strategies.parquet says."""

import numpy as np
import pytest
from reproduction import walls
from reproduction.numbers import load, plain
from reproduction.runs import read
from reproduction.walls import PLACES, POLISHED, contests, do, keys, small, twins


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return read("strategies", out=tmp_path_factory.mktemp("no logs"))


@pytest.fixture(scope="module")
def found(rows):
    return contests(rows)


def test_all_runs_are_there_and_the_numbers_are_what_they_say(rows):
    assert set(rows) == set(keys())
    assert load()["walls"] == plain(walls.numbers(rows)), "run `python -m reproduction walls`"


def test_the_recommended_strategy_is_beaten_only_where_there_is_an_angle(found):
    beaten = {contest[:2] for contest, runs in found.items() if "rand-target" in runs.worse}
    assert beaten == {("small", "an angle")}


def test_strategies_are_the_same_where_the_page_says_so(found):
    groups = [names for names in twins(found).values() if len(names) > 1]
    assert groups == [
        ["midpoint-target", "midpoint-base"],
        ["rand-target", "rand-base"],
        ["dismiss", "conservatism", "penalty"],
    ]


@pytest.mark.parametrize("place", PLACES)
def test_small_problems_have_their_minimum_where_their_name_says(place):
    share = {"far inside": (0.4, 0.6), "inside": (0.1, 0.9), "an angle": (0, 1)}
    for seed in range(20):
        problem = small(place, seed)
        at = (problem.optimiser - problem.low) / (problem.high - problem.low)
        gap = np.minimum(at, 1 - at)
        if place == "near the corner":
            assert (gap > 0).all()
            assert (gap <= 0.01).all()
        elif place in ("on one bound", "in the corner"):
            assert np.count_nonzero(gap == 0) == (1 if place == "on one bound" else problem.n)
        else:
            low, high = share[place]
            assert ((low <= at) & (at <= high)).all()
        rng, least = np.random.default_rng(seed), problem.minimum
        for width in (1e-4, 1e-2, 1.0):
            near = problem.optimiser + width * (problem.high - problem.low) * rng.uniform(-1, 1, (50, problem.n))
            points = [x for x in np.clip(near, problem.low, problem.high) if (x != problem.optimiser).any()]
            assert min(problem.fun(x, *problem.data) for x in points) > least


def test_a_seed_draws_its_own_problem_and_a_run_can_be_done_again(rows):
    assert not np.array_equal(small("inside", 0).optimiser, small("inside", 1).optimiser)
    wanted = ("inside", "rand-target", 3)
    of_suites = {key.suite: key for key in rows if (key.problem, key.solver, key.seed) == wanted}
    assert of_suites.keys() == {"small", POLISHED}
    for key in of_suites.values():
        again = do(key)
        assert again[:2] == (pytest.approx(rows[key][0], rel=1e-4), rows[key][1])
    assert rows[of_suites["small"]][1] == 1000
