"""The exact facts of docs/spec.md §5 about the trials of generation 1 and about acceptances on f0."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from algorithm_parts import UNIT, f0
from operator_lists import PAPER_STRATEGIES
from scipy.stats import ttest_1samp

from debox import registry
from debox.de.algorithm import (
    ACCEPTED,
    INFEASIBLE,
)

FALSE_ALARM = 1e-6  # of each statistical test below


# Generation 1 (docs/spec.md §5). The donors are different points, uniform and independent, so a component
# of the mutant is Σ wⱼUⱼ with Σ wⱼ = 1. It is below 0 with probability Σ_v (−1)^|v| max(0, −w·v)^k / (k! ∏ wⱼ), the
# volume of a corner of the cube by inclusion and exclusion, and above 1 as often (U → 1 − U). Components are
# independent, and those left to the target are feasible.


def chance_outside(*w):
    corners = product((0, 1), repeat=len(w))
    volume = sum((-1) ** sum(v) * max(0, -np.dot(w, v)) ** len(w) for v in corners)
    return 2 * volume / (factorial(len(w)) * prod(w))


def chance_infeasible(crossover, p, Cr, n):
    if crossover == "bin":
        return 1 - (1 - p) * (1 - Cr * p) ** (n - 1)
    lengths = [Cr ** (length - 1) * ((1 - Cr) if length < n else 1) for length in range(1, n + 1)]
    return 1 - sum(chance * (1 - p) ** length for length, chance in enumerate(lengths, start=1))


def p_value_of_mean(samples, expected):
    """Two-sided, of independent samples; there are enough of them for a normal law of their mean"""
    return ttest_1samp(samples, expected).pvalue


def infeasible_in_generation_1(plain, simulate, other_loop, variant, F, runs=450, N=8, n=6):
    """The share of infeasible trials in each of many runs; trials of one run share donors, runs share nothing"""
    text = f"{variant} sat, N={N}, F={F}, Cr=0.4"
    de, run, rng = plain(text, UNIT * n), other_loop(text), np.random.default_rng(8)
    return [simulate(de, f0, rng.random((N, n)), 2 * N, rng, run=run).counts[INFEASIBLE] / N for _ in range(runs)]


def test_a_mutant_component_of_rand_1_is_outside_with_the_chance_in_the_spec():
    for F in (0.05, 0.5, 1.0):
        assert chance_outside(1, F, -F) == pytest.approx(F / 3)
    for F in (1.0, 1.5, 2.0):
        assert chance_outside(1, F, -F) == pytest.approx(1 - 1 / F + 1 / (3 * F**2))


WEIGHTS = {"rand/1": lambda F: (1, F, -F), "rand/2": lambda F: (1, F, -F, F, -F)}


@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize(("mutation", "F"), [("rand/1", 0.5), ("rand/1", 2.0), ("rand/2", 0.7)])
def test_infeasible_trials_of_generation_1_are_as_frequent_as_their_chance(
    plain, simulate, other_loop, mutation, F, crossover
):
    p = chance_outside(*WEIGHTS[mutation](F))
    shares = infeasible_in_generation_1(plain, simulate, other_loop, f"DE/{mutation}/{crossover}", F)
    assert p_value_of_mean(shares, chance_infeasible(crossover, p, 0.4, 6)) > FALSE_ALARM
    # refused: the chance of the other crossover, and of a binomial that may exchange nothing
    other = {"bin": "exp", "exp": "bin"}[crossover]
    assert p_value_of_mean(shares, chance_infeasible(other, p, 0.4, 6)) < FALSE_ALARM
    assert p_value_of_mean(shares, 1 - (1 - 0.4 * p) ** 6) < FALSE_ALARM


# On f0 a slot's accepted values are the records of independent U(0, 1): the g-th of G + 1 is one with probability 1/g.


def acceptances_on_f0(plain, simulate, text, N=4, G=15, runs=120):
    de, rng = plain(f"{text}, N={N}, F=2, Cr=0.9", UNIT), np.random.default_rng(9)
    return [simulate(de, f0, rng.random((N, 1)), N * (G + 1), rng).counts[ACCEPTED] for _ in range(runs)]


RECORDS = 4 * sum(1 / g for g in range(2, 17))  # N (H_(G+1) − 1)


@pytest.mark.parametrize("strategy", [*PAPER_STRATEGIES, registry.find("strategy", "none")], ids=lambda s: s.name)
def test_acceptances_on_f0_are_records(plain, simulate, strategy):
    accepted = acceptances_on_f0(plain, simulate, f"DE/rand/1/bin {strategy.name}")
    assert p_value_of_mean(accepted, RECORDS) > FALSE_ALARM


@pytest.mark.parametrize("more", ["dism, reevaluate=False", "penalty"])
def test_records_are_refused_where_infeasible_trials_are_never_accepted(plain, simulate, more):
    accepted = acceptances_on_f0(plain, simulate, f"DE/rand/1/bin {more}")
    assert p_value_of_mean(accepted, RECORDS) < FALSE_ALARM
