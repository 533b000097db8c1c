"""What the table of operators says of a mutation, or does not, changes no run and no law.

Two mean counts may differ by at most LIMIT = 5 standard errors: false-alarm rate 5.7e-7 per comparison, fixed seeds.
"""

from dataclasses import replace

import numpy as np
import pytest

from debox import Box, Config, registry
from debox.f0.engines import ENGINES
from debox.jit import kernel
from debox.registry import OPERATORS, find

LIMIT = 5


BUDGET = 3000


@pytest.fixture
def register(monkeypatch):
    """A mutation of one's own: one function, one line of the registry"""

    def add(**fields):
        mine = replace(fields.pop("like"), name="mine", short="mine", **fields)
        monkeypatch.setattr(registry, "OPERATORS", (*OPERATORS, mine))

    return add


def runs(engine, config, n, number=5):
    """What so many runs leave, in each seed's order"""
    engine = ENGINES[engine](config, Box.unit(n), BUDGET, np.array([BUDGET]))
    for seed in range(number):
        engine.begin(np.random.default_rng(seed))
        engine.advance(BUDGET)
        outcome = engine.outcome()
        yield outcome.infeasible, outcome.accepted, outcome.best_f, outcome.best_x.tolist()


@pytest.mark.parametrize(  # codes of three, four and five terms; enumerated, simulated
    ("mutation", "crossover", "N", "n"),
    [("rand/1", "bin", 6, 3), ("rand/2", "exp", 6, 3), ("current-to-best/1", "exp", 40, 35)],
)
def test_a_mutation_that_does_not_tell_its_weights_has_the_same_runs(register, mutation, crossover, N, n):
    known = Config(f"DE/{mutation}/{crossover} tor, N={N}, F=0.7, Cr=0.6")
    expected = list(runs("fast", known, n))
    register(like=find("mutation", mutation), weights=None)
    assert list(runs("fast", replace(known, mutation="mine"), n)) == expected


def test_a_population_too_large_for_codes_has_the_same_runs(monkeypatch):
    config = Config("DE/rand/2/exp tor, N=40, F=0.7, Cr=0.6")
    expected = list(runs("fast", config, 35))
    monkeypatch.setattr("debox.f0.fast.fixed_point.fits_32_bits", lambda N, n: False)
    assert list(runs("fast", config, 35)) == expected


@kernel
def away_from_one(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = F (1 − x_r1 x_r2) − F x_r3²"""
    return F * (1.0 - x_r1 * x_r2) - F * x_r3 * x_r3  # from three zeros it leads to F


@pytest.mark.parametrize(("crossover", "N"), [("bin", 5), ("exp", 40)])  # enumerated, simulated
def test_a_mutation_that_is_no_weighted_sum_has_the_same_law_in_both_engines(register, crossover, N):
    register(like=find("mutation", "rand/1"), function=away_from_one, weights=None)

    def infeasible(engine, F):
        config = Config(f"DE/mine/{crossover} tor, N={N}, F={F}, Cr=0.6")
        return np.array([run[0] for run in runs(engine, config, 3, number=200)])

    plain = infeasible("plain", 1.2)
    for F, same in ((1.2, True), (1.4, False)):
        fast = infeasible("fast", F)
        off = abs(fast.mean() - plain.mean()) / np.sqrt((fast.var() + plain.var()) / len(fast))
        assert (off < LIMIT) == same
