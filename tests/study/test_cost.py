from dataclasses import replace
from itertools import product

import pytest
from operator_lists import PAPER_MUTATIONS

from debox import Config, operators, reference, register
from debox.operators.kinds import Mutation
from debox.study import cost
from debox.study.plan import Task

PAIRS = [(m.name, x.name) for m, x in product(PAPER_MUTATIONS, operators.in_slot("crossover"))]


def config(mutation="rand/1", crossover="bin", N=20):
    return Config(mutation=mutation, crossover=crossover, strategy="sat", N=N, F=0.5, Cr=0.5)


@pytest.mark.parametrize(("mutation", "crossover"), PAIRS)
def test_every_variant_has_its_measured_times(mutation, crossover):
    *fast, plain = cost.MS[mutation, crossover]
    for N, ms in zip(cost.SIZES, fast, strict=True):
        assert cost.seconds(config(mutation, crossover, N), 30, 300_000) == pytest.approx(ms / 1e3)
    assert cost.seconds(config(mutation, crossover), 30, 300_000, "plain") == pytest.approx(plain / 1e3)


@pytest.mark.parametrize(("mutation", "crossover"), PAIRS)
def test_longer_runs_in_more_dimensions_cost_more(mutation, crossover):
    for N in (5, 8, 20, 60, 100, 1000):
        at = config(mutation, crossover, N)
        by_n = [cost.seconds(at, n, 10_000 * n) for n in (2, 10, 25, 30, 100, 1000, 3000)]
        assert by_n == sorted(by_n), at
        by_budget = [cost.seconds(at, 30, budget) for budget in (5000, 30_000, 100_000, 300_000, 10**6, 10**8)]
        assert by_budget == sorted(by_budget), at


@pytest.mark.parametrize(("name", "similar"), [("jDE", "rand/1"), ("SHADE", "current-to-best/1")])
def test_adaptive_runs_cost_what_was_measured_times_plain_ones(name, similar):
    usual = cost.MS[similar, "bin"][-1] / 1e3
    assert cost.seconds(Config(name, N=20), 30, 300_000) == pytest.approx(cost.ADAPTIVE * usual)


def test_the_fast_engine_is_never_estimated_slower_than_the_plain_one():
    for n, budget in product((2, 30, 1000), (3000, 300_000, 10**8)):
        assert cost.seconds(config(N=100), n, budget, "fast") <= cost.seconds(config(N=100), n, budget, "plain")


def test_the_plain_engine_is_asked_where_auto_would_take_it():
    short = config(N=100)
    assert cost.seconds(short, 30, 250) == cost.seconds(short, 30, 250, "plain")


def test_a_task_costs_its_building_once_and_each_run(monkeypatch):
    monkeypatch.setattr(cost, "BUILD", (1.0, 0.5))
    assert Task(config(), n=4, budget=100, runs=(0, 1, 2), seconds_per_run=10.0).seconds == 1 + 4 * 0.5 + 3 * 10


@pytest.mark.parametrize(
    ("fields", "alike"),
    [
        ({"function": reference.rand_1, "donors": 3}, "rand/1"),
        ({"function": reference.rand_2, "donors": 5}, "rand/2"),
        ({"function": reference.best_1, "donors": 2, "uses_best": True, "base": "best"}, "best/1"),
        (
            {"function": reference.current_to_best_1, "donors": 2, "uses_best": True, "uses_target": True},
            "current-to-best/1",
        ),
    ],
)
def test_a_mutation_from_outside_takes_the_times_of_the_most_similar_one(fields, alike):
    register(Mutation(name="mine", **fields))
    assert cost.similar_in_table("mine", "exp") == (alike, "exp")
    assert cost.seconds(config("mine", "exp"), 30, 300_000) == cost.seconds(config(alike, "exp"), 30, 300_000)


@pytest.mark.parametrize(("like", "engine"), [("bin", "fast"), ("exp", "fast"), ("", "plain")])
def test_a_crossover_from_outside_takes_the_times_of_its_law_and_of_the_engine_that_does_it(like, engine):
    known = operators.find("crossover", like or "bin")
    register(replace(known, name="mine", short="mine", exchanges=known.exchanges if like else ""))
    expected = cost.seconds(config("best/1", known.name), 30, 300_000, engine)
    assert cost.seconds(config("best/1", "mine"), 30, 300_000) == expected


def test_interpolation_is_linear_in_logarithms_and_goes_on_beyond_the_table():
    xs, ys = (1, 10, 1000), (5, 50, 50)
    assert cost.log_interpolate(xs, ys, 10**0.5) == pytest.approx(5 * 10**0.5)
    assert cost.log_interpolate(xs, ys, 100) == pytest.approx(50)
    assert cost.log_interpolate(xs, ys, 0.1) == pytest.approx(0.5)
    assert cost.log_interpolate(xs, ys, 10**6) == pytest.approx(50)
    assert [cost.log_interpolate(xs, ys, x) for x in xs] == pytest.approx(ys)
