"""The tables for simulated trials against what the crossover itself does."""

from fractions import Fraction
from math import fsum

import numpy as np
import pytest
from coins import Scripted, coins
from fast_tables import prepared
from hypothesis import example, given
from hypothesis import strategies as st

from debox.de.variation import exponential
from debox.f0.fast.batch import LARGEST_BATCHED_N, alias_table, lengths


def distance(p, chance, alias):
    """From p to the law that an alias table describes (a column is drawn uniformly), exactly added up"""
    law = [Fraction(c) for c in chance.tolist()]
    for c, other in zip(chance.tolist(), alias.tolist(), strict=True):
        law[other] += 1 - Fraction(c)
    return max(abs(float(total / len(p) - Fraction(chance))) for total, chance in zip(law, p.tolist(), strict=True))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=70).filter(lambda weights: sum(weights) > 1e-3))
@example([1.0])
@example([0.0, 0.0, 1.0])
@example([1.0] * 3)
def test_an_alias_table_describes_the_law_it_was_made_from(weights):
    p = np.array(weights) / fsum(weights)
    chance, alias = alias_table(p)
    assert np.all((chance >= 0) & (chance <= 1))
    # at most n subtractions from a share of at most n, each off by n/2⁵³, then divided by n; p itself is rounded too
    assert distance(p, chance, alias) <= 2 * len(p) * 2.0**-53


@pytest.mark.parametrize("Cr", [0.0, 0.05, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 30, 65])
def test_the_alias_table_of_the_lengths_is_exact(n, Cr):
    p = lengths(n, Cr)
    assert abs(fsum(p) - 1) <= 1e-15
    assert distance(p, *alias_table(p)) <= 1e-15


@pytest.mark.parametrize("Cr", [0.0, 0.05, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 30, 65])
def test_column_i_of_the_lengths_gives_one_of_either_pair(n, Cr):
    sim, _ = prepared(f"DE/rand/1/exp sat, N=5, F=0.5, Cr={Cr}", n)
    law = [Fraction()] * (n + 1)
    for i, chance in enumerate(map(Fraction, sim.accept_chance.tolist())):
        law[sim.length_choices[2 * i]] += (1 - chance) / n
        law[sim.length_choices[2 * i + 1]] += chance / n
    expected = [0, *(Cr**step * (1 - Cr) for step in range(n - 1)), Cr ** (n - 1)]
    assert [float(p) for p in law] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_lengths_is_the_law_of_what_the_exponential_crossover_exchanges(n, Cr):
    law, u = [Fraction()] * n, np.zeros(n)
    for thrown, chance in coins(n, Cr):  # n coins are the most it throws, after I
        exponential(np.zeros(n), np.ones(n), Cr, Scripted(0.0, *thrown), u)
        law[int(u.sum()) - 1] += chance
    assert lengths(n, Cr) == pytest.approx([float(chance) for chance in law], abs=1e-15)


@pytest.mark.parametrize(("N", "together"), [(LARGEST_BATCHED_N, True), (LARGEST_BATCHED_N + 1, False)])
def test_donors_are_drawn_in_batches_up_to_the_largest_population_one_number_can_address(N, together):
    sim, _ = prepared(f"DE/rand/1/bin sat, N={N}, F=0.5, Cr=0.5")
    assert sim.draws_donors_together == together
