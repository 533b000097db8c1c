"""The table of claims, and the numbers in it that are known exactly."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest
from made_runs import runs_of

from debox.paper import statements
from debox.paper.statements import CLAIMS

RUNS = runs_of(lambda **_: 0.5, crossover=["bin", "exp"], Cr=[0.0, 0.5, 1.0], dimension=4)


def test_ids_are_unique_and_sentences_have_one_section():
    assert len({one.id for one in CLAIMS}) == len(CLAIMS)
    sections = {}
    for one in CLAIMS:
        sections.setdefault(one.sentence, set()).add(one.section)
    assert {sentence for sentence, of in sections.items() if len(of) > 1} == set()


def test_readings_of_a_sentence_differ_in_their_words_and_stand_together():
    keys = [(one.sentence, one.reading) for one in CLAIMS]
    assert len(set(keys)) == len(keys)
    order = [one.sentence for one in CLAIMS]
    changes = 1 + sum(a != b for a, b in pairwise(order))
    assert changes == len(set(order))


def test_what_controls_and_what_is_excluded_cannot_both_hold():
    limits = {
        (one.options.get("below"), one.options.get("least")) for one in CLAIMS if one.options.get("kind") == "total"
    }
    assert limits == {(0.01, None), (None, 0.01)}


@pytest.mark.parametrize(("crossover", "expected"), [("bin", (0.25, 0.125, 0.0)), ("exp", (0.25, 0.03125, 0.0))])
def test_the_expected_share_of_exchanges_by_hand(crossover, expected):
    """n = 4. bin: (1 + 3 Cr)/4; exp: (1 + Cr + Cr² + Cr³)/4; minus Cr, without its sign."""
    found = [value for _, value in statements.off_Cr(crossover)(RUNS)]
    assert found == pytest.approx(expected)


def test_bin_exchanges_more_by_hand():
    """(1 + 3/2)/4 − (1 + 1/2 + 1/4 + 1/8)/4 at Cr = .5, and nothing at 0 and 1."""
    assert [value for _, value in statements.bin_minus_exp(RUNS)] == pytest.approx([0, 0.15625, 0])


def test_the_chance_of_m_exchanges_by_hand():
    """At Cr = .5 exactly m have the chance .5ᵐ, at Cr = 1 they have none; more than m have Crᵐ."""
    assert [value for _, value in statements.exactly_m(RUNS)] == pytest.approx([0, 0, 0, 1, 1, 1])
    assert [value for _, value in statements.more_than_m(RUNS)] == pytest.approx([0] * 6)


def test_the_chance_of_m_exchanges_is_that_of_the_operator():
    """20 000 crossovers with n = 4 and Cr = .6: within 5 standard errors."""
    from debox.reference import exponential as exp

    rng, counts = np.random.default_rng(1), np.zeros(5)
    x, v, u = np.zeros(4), np.ones(4), np.zeros(4)
    for _ in range(20_000):
        exp(x, v, 0.6, rng, u)
        counts[int(u.sum())] += 1
    expected = 20_000 * np.array([0, 0.4, 0.6 * 0.4, 0.36 * 0.4, 0.216])
    assert (np.abs(counts - expected) <= 5 * np.sqrt(expected)).all()


def test_a_trial_is_infeasible_less_often_than_its_mutant_by_hand():
    """rand/1, F = 1, N = 3, bin with Cr = .5, n = 4: trial and mutant differ by what each component's chance p gives.

    p: x + y − z of three uniform numbers is outside [0, 1] with chance 1/3.
    """
    runs = runs_of(lambda **_: 0.5, N=[3], F=[1.0], Cr=[0.5], dimension=4)
    ((_, found),) = statements.trial_minus_mutant(runs)
    p = 1 / 3
    trial = sum(comb(3, k) * 0.5**3 * (1 - (1 - p) ** (k + 1)) for k in range(4))
    assert found == pytest.approx(trial - (1 - (1 - p) ** 4))
