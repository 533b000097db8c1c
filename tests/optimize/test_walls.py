from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from walled import verdicts

import debox
from debox.optimize.variables import Choice, Fixed, Integer, Periodic, Real, Space
from debox.optimize.walls import DRIFTING, FIXED, FREE, ON_THE_BOUND, OUTSIDE, listed, walls


def by_hand(bounds, x, population, early, late, wraps=None):
    """The walls of a run of 1000 evaluations; early and late are (lower, upper) violations of each variable searched.

    x and the population are points of the box that is searched.
    """
    space = Space.of(bounds)
    early, late = np.array(early).T, np.array(late).T
    loop = SimpleNamespace(
        evaluations=1000,
        marks=np.array([250, 500, 750, 1000]),
        violations_at=np.array([early // 2, early, early + late // 2, early + late]),
        violations=early + late,
        population=np.array(population, float),
        a=space.box.lower,
        b=space.box.upper,
        wraps=np.zeros(space.box.n, int) if wraps is None else np.array(wraps),
    )
    return walls(space, loop, np.array(x, float))


def one(x, population, early=(0, 0), late=(0, 0), bounds=(0, 2)):
    """The walls of one variable."""
    return by_hand([bounds], [x], [[value] for value in population], [early], [late])


def test_the_numbers_by_hand():
    found = by_hand(
        [(0, 10), (-1, 1)], [2, 1], [[2, 1], [0.1, 0.98], [9.9, 0.97], [5, -1]], [(3, 4), (0, 5)], [(1, 0), (0, 7)]
    )
    assert found.names == ("x[0]", "x[1]")
    assert found.lower_early.tolist() == [3, 0]
    assert found.upper_early.tolist() == [4, 5]
    assert found.lower_late.tolist() == [1, 0]
    assert found.upper_late.tolist() == [0, 7]
    assert found.distance_lower.tolist() == [0.2, 1]
    assert found.distance_upper.tolist() == [0.8, 0]
    assert found.near_lower.tolist() == [0.25, 0.25]  # 1 % of the widths 10 and 2: 0.1 and 0.02
    assert found.near_upper.tolist() == [0.25, 0.5]
    assert found.late == 500


def test_on_the_bound_by_hand():
    """x within 1e-4 of the width 2, and half of the population within 1 % of it."""
    assert one(2, [2, 2, 1, 1]).verdict == (ON_THE_BOUND,)
    assert one(2, [2, 1, 1, 1]).verdict == (FREE,)
    assert one(1.9998, [1.98] * 4).verdict == (ON_THE_BOUND,)
    assert one(1.9997, [2.0] * 4).verdict == (FREE,)
    assert one(0.0002, [0.02] * 4).verdict == (ON_THE_BOUND,)
    assert one(0, [2.0] * 4).verdict == (FREE,)  # the others sit on the other bound


def test_drifting_by_hand():
    """x within 5 % of the width, ≥ 5 % of the 500 late trials beyond that bound, ≥ 90 % of late violations there."""
    near = [1.95] * 4
    assert one(1.95, near, late=(0, 25)).verdict == (DRIFTING,)
    assert one(1.95, near, late=(0, 24)).verdict == (FREE,)
    assert one(1.89, near, late=(0, 400)).verdict == (FREE,)
    assert one(1.95, near, late=(3, 27)).verdict == (DRIFTING,)
    assert one(1.95, near, late=(4, 27)).verdict == (FREE,)
    assert one(1.95, near, late=(400, 0)).verdict == (FREE,)  # at the other bound
    assert one(1.95, near, early=(0, 400)).verdict == (FREE,)
    assert one(0.05, [0.05] * 4, late=(25, 0)).verdict == (DRIFTING,)
    assert one(2, [2] * 4, late=(0, 400)).verdict == (ON_THE_BOUND,)


def test_kinds_of_variables():
    """Of a logarithm 1 % of the decades; of integers the values; a circle, options and two values have no bounds."""
    bounds = {
        "rate": Real(1e-4, 1, log=True),
        "layers": Integer(1, 8),
        "turn": Periodic(0, 360),
        "kind": Choice(["a", "b", "c"]),
        "k": Fixed(3),
        "flag": Integer(0, 1),
    }
    x = [np.log(1e-4), 8.4, 360, 2.5, 1.5]
    population = [[np.log(1.05e-4), 7.6, 359.9, 2.2, 1.1], [np.log(1.2e-4), 7.4, 20, 2.1, 0.9]]
    late = [(30, 0), (0, 5), (0, 0), (0, 9), (0, 9)]
    found = by_hand(bounds, x, population, np.zeros((5, 2), int), late, wraps=[0, 0, 1234, 0, 0])
    assert found.verdict == (ON_THE_BOUND, ON_THE_BOUND, FREE, FREE, FIXED, FREE)
    assert found.near_lower.tolist() == [0.5, 0, 0, 0, 0, 0]  # log 1.05 is 0.5 % of four decades, log 1.2 is 2 %
    assert found.near_upper.tolist() == [0, 0.5, 0.5, 1, 0, 1]
    assert found.distance_upper.tolist()[:4] == [1, 0, 0, 0]
    assert np.isnan(found.distance_lower[4])
    assert found.late == 500
    assert str(found).splitlines() == [
        "rate sits on its lower bound 0.0001; 100 % of its late violations are there (6 % of late trials): "
        "widen it if you can.",
        "layers sits on its upper bound 8; 100 % of its late violations are there (1 % of late trials): "
        "widen it if you can.",
        "kind and flag are free.",
        "Wrapped: turn 1,234 times.",
    ]
    assert found.message() == "on a bound: rate (lower) and layers (upper)"


def test_sentences():
    assert str(one(1, [1])) == "x[0] is free of the bounds."
    assert one(1, [1]).message() == ""
    on = one(2, [2, 2, 2, 1], late=(7, 93))
    assert str(on) == (
        "x[0] sits on its upper bound 2.0; 93 % of its late violations are there (19 % of late trials): "
        "widen it if you can."
    )
    assert on.message() == "x[0] is on its upper bound 2.0"
    calm = one(0, [0, 0, 0, 1], bounds=(0, 2))
    assert str(calm) == (
        "x[0] sits on its lower bound 0.0, and so does 75 % of the final population: widen it if you can."
    )
    drifting = one(0.025, [0.02] * 4, late=(110, 0))
    assert str(drifting) == (
        "x[0] ends 1.2 % of its range from its lower bound 0.0, which 22 % of late trials violate: "
        "more evaluations would show whether it goes there."
    )
    assert str(one(2.5, [2.5])) == "x[0] lies beyond its upper bound 2.0."
    assert one(2.5, [2.5]).verdict == one(np.inf, [np.inf]).verdict == (OUTSIDE,)


@pytest.mark.parametrize("on_bound", [0, 2, 50])
def test_fifty_variables_are_no_wall_of_text(on_bound):
    x = np.where(np.arange(50) < on_bound, 2.0, 1.0)
    found = by_hand([(0, 2)] * 50, x, [x], np.zeros((50, 2), int), np.zeros((50, 2), int))
    assert len(found.on()) == on_bound
    assert len(str(found).splitlines()) <= 7
    assert len(str(found)) < 800
    assert len(found.message()) < 100


def test_lists_of_names():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdef")) == "a, b, c, d, e and f"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


@pytest.mark.parametrize("variant", ["debox", "DE/rand/1/bin"])
def test_a_variable_that_does_not_matter_is_not_said_to_sit_on_a_bound(variant):
    """With mirror; with saturation it may."""
    assert verdicts(None, variant=variant)[0].count(ON_THE_BOUND) <= 1


def test_the_result_adds_up_and_names_variables_on_a_bound():
    bounds = {"length": (0, 2), "fixed": debox.Fixed(1), "width": (-1, 1)}
    result = debox.minimize(lambda x: (x[0] - 3) ** 2 + x[2] ** 2, bounds, budget=1000, rng=1, polish=False)
    found = result.walls
    assert result.message == "the budget of 1000 evaluations is spent; length is on its upper bound 2.0"
    assert result.infeasible_per_bound.shape == (3, 2)
    assert result.infeasible_per_bound.sum(axis=1).tolist() == result.infeasible_per_dimension.tolist()
    lower, upper = found.lower_early + found.lower_late, found.upper_early + found.upper_late
    assert result.infeasible_per_bound.T.tolist() == [lower.tolist(), upper.tolist()]
    assert found.upper_late[0] > 100
    assert found.verdict == (ON_THE_BOUND, FIXED, FREE)


def test_history_has_named_columns():
    seen = []

    def cost(x):
        seen.append((x[0] - 0.3) ** 2)
        return seen[-1]

    result = debox.minimize(cost, [(0, 1)], budget=1000, N=10, variant="DE/rand/1/bin", rng=1)
    history = result.history
    assert history.dtype.names == ("evaluations", "fun", "spread", "pois")
    assert history.evaluations.tolist() == list(range(10, 1001, 10))
    assert history.fun.tolist() == [min(seen[:k]) for k in range(10, 1001, 10)]
    assert history.pois.tolist() == [infeasible / k for k, infeasible in result.pois_history.tolist()]
    assert history.spread[-1] == pytest.approx(result.population.std())
    assert history.spread[0] == pytest.approx(0.29, abs=0.1)  # of the uniform distribution


def test_a_run_that_stops_between_two_marks_has_a_row_for_its_end():
    calls = []
    result = debox.minimize(
        lambda x: x[0],
        [(0, 1)],
        "DE/rand/1/bin",
        N=7,
        budget=700,
        rng=1,
        callback=lambda r: calls.append(r) or len(calls) == 4,
    )
    assert result.nfev == 35 - 7
    assert result.history.evaluations.tolist() == [7, 14, 21, 28]
    stopped = debox.minimize(
        lambda x: x[0], [(0, 1)], N=8, budget=700, rng=1, polish=False, callback=lambda r: r.nfev > 40
    )
    assert stopped.history.evaluations[-1] == stopped.nfev
    assert stopped.history.fun[-1] == stopped.fun
    assert stopped.history.spread[-1] == pytest.approx(stopped.population.std())
    assert stopped.history.pois[-1] == stopped.pois


def test_a_result_before_anything_is_evaluated_has_empty_walls():
    result = debox.Optimizer([(0, 1)] * 2, rng=1).result
    assert len(result.history) == 0
    assert result.walls.verdict == (FREE, FREE)
    assert "bound" not in result.message


def test_a_loaded_optimizer_has_the_same_walls(tmp_path):
    opt = debox.Optimizer([(0, 1)] * 2, budget=500, rng=1)
    for _ in range(5):
        X = opt.ask()
        opt.tell(X, -X[:, 0] + (X[:, 1] - 0.4) ** 2)
    opt.save(tmp_path / "run.npz")
    loaded = debox.Optimizer.load(tmp_path / "run.npz")
    for one in (opt, loaded):
        one.run(lambda x: -x[0] + (x[1] - 0.4) ** 2)
    assert str(loaded.result) == str(opt.result)
    assert loaded.result.history.tolist() == opt.result.history.tolist()


def test_printed_a_result_is_short_and_says_the_most_important_first():
    result = debox.minimize(lambda x: -x[0] + x[1:] @ x[1:], [(-1, 1)] * 30, budget=2000, rng=1, polish=False)
    lines = str(result).splitlines()
    assert len(lines) < 30
    assert lines[0].split(": ")[0].strip() == "message"
    names = [line.split(":")[0].strip() for line in lines]
    order = ["message", "success", "fun", "x", "walls", "nfev", "pois", "history", "population"]
    assert [names.index(name) for name in order] == sorted(names.index(name) for name in order)
    assert "100 rows of evaluations, fun, spread, pois" in str(result)
    assert "× 30 numbers, from" in str(result)


def test_a_run_that_began_in_a_file_without_sides_says_nothing_about_them():
    opt = debox.Optimizer.load(Path(__file__).parents[1] / "golden" / "optimizer.npz")
    opt.run(lambda x: float(x @ x))
    result = opt.result
    assert not {"walls", "history", "infeasible_per_bound"} & result.keys()
    assert result.infeasible_per_dimension.sum() > 0
    assert "bound" not in result.message
    with pytest.raises(AttributeError, match="a result has no 'walls'"):
        _ = result.walls
    with pytest.raises(ValueError, match="result must be a result of debox"):
        debox.plot.walls(result)
