from itertools import product

import pytest
from benchmarks import scaling

from debox import Config, registry
from debox.study import cost
from debox.study.plan import Task

PAIRS = [(m.name, x.name) for m, x in product(registry.in_slot("mutation"), registry.in_slot("crossover"))]


def config(mutation="rand/1", crossover="bin", N=20):
    return Config(mutation=mutation, crossover=crossover, strategy="sat", N=N, F=0.5, Cr=0.5)


@pytest.mark.parametrize(("mutation", "crossover"), PAIRS)
def test_every_variant_has_its_measured_times(mutation, crossover):
    for N, ms in zip(cost.SIZES, cost.FAST[mutation, crossover], strict=True):
        assert cost.seconds(config(mutation, crossover, N), 30, 300_000) == pytest.approx(ms / 1e3)
    plain = cost.PLAIN[mutation, crossover] / 1e3
    assert cost.seconds(config(mutation, crossover), 30, 300_000, "plain") == pytest.approx(plain)


@pytest.mark.parametrize(("mutation", "crossover"), PAIRS)
@pytest.mark.parametrize("N", [5, 8, 20, 60, 100, 1000])
def test_longer_runs_in_more_dimensions_cost_more(mutation, crossover, N):
    at = config(mutation, crossover, N)
    by_n = [cost.seconds(at, n, 10_000 * n) for n in (2, 10, 25, 30, 100, 1000, 3000)]
    assert by_n == sorted(by_n)
    by_budget = [cost.seconds(at, 30, budget) for budget in (5000, 30_000, 100_000, 300_000, 10**6, 10**8)]
    assert by_budget == sorted(by_budget)


def test_the_fast_engine_is_never_estimated_slower_than_the_plain_one():
    for n, budget in product((2, 30, 1000), (3000, 300_000, 10**8)):
        assert cost.seconds(config(N=100), n, budget, "fast") <= cost.seconds(config(N=100), n, budget, "plain")


def test_the_plain_engine_is_asked_where_auto_would_take_it():
    short = config(N=100)
    assert cost.seconds(short, 30, 250) == cost.seconds(short, 30, 250, "plain")


def test_building_takes_longer_in_more_dimensions():
    """6.8 ms were measured at n = 1000 and 18 ms at n = 3000: other machines have other times but similar ratios."""
    assert cost.build(3000) / cost.build(1000) == pytest.approx(18 / 6.8, rel=0.25)
    assert cost.build(1000) > 3 * cost.build(30)


def test_a_task_costs_its_building_once_and_each_run(monkeypatch):
    monkeypatch.setattr(cost, "BUILD", (1.0, 0.5))
    assert Task(config(), n=4, budget=100, runs=(0, 1, 2), seconds=10.0).cost == 1 + 4 * 0.5 + 3 * 10


def test_the_large_study_of_the_benchmark_builds_every_configuration(monkeypatch):
    monkeypatch.setattr(cost, "BUILD", (1.0, 0.5))
    monkeypatch.setattr(scaling, "LARGE", {"configurations": 10, "n": 4, "runs": 3})
    assert scaling.large_seconds(10.0) == 10 * (1 + 4 * 0.5 + 3 * 10)


def test_interpolation_is_linear_in_logarithms_and_goes_on_beyond_the_table():
    xs, ys = (1, 10, 1000), (5, 50, 50)
    assert cost.log_interpolate(xs, ys, 10**0.5) == pytest.approx(5 * 10**0.5)
    assert cost.log_interpolate(xs, ys, 100) == pytest.approx(50)
    assert cost.log_interpolate(xs, ys, 0.1) == pytest.approx(0.5)
    assert cost.log_interpolate(xs, ys, 10**6) == pytest.approx(50)
    assert [cost.log_interpolate(xs, ys, x) for x in xs] == pytest.approx(ys)
