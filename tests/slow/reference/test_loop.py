"""Algorithm 1, by hand: who is seen, counted, repaired, accepted, learned from, and who leaves."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from debox import reference as ref
from debox.reference import Run

FALSE_ALARM = 1e-6


def in_unit_box(P, budget, seed=1, **settings):
    P = np.array(P, float)
    return Run(np.zeros(P.shape[1]), np.ones(P.shape[1]), P, budget, np.random.default_rng(seed), **settings)


ADAPTIVE = {"sample": ref.sample_shade, "learn": ref.learn_shade, "cells": 2}


AVOIDED = {
    "distinct": lambda best: [],
    "not_target": lambda best: [1],
    "not_parents": lambda best: [1, best],
}


def draw_pairs(rule, draws, archived=3):
    """How often each (p-best, r1, r2) is drawn for target 1 of 5, the p-best being 0 or 1; 5, 6, 7 are archived"""
    settings = {"n_donors": 2, **ADAPTIVE}
    if rule != "distinct":  # the default
        settings |= {"donors": getattr(ref, rule), "avoided": len(AVOIDED[rule](0))}
    de = in_unit_box(np.zeros((5, 1)), 99, seed=3, uses_p_best=True, archives=1.0, **settings)
    de.sizes[ref.ARCHIVED] = archived
    return Counter((best, *r[:2]) for best, r in (ref.draw_parents(de, 1) for _ in range(draws)))


def law_of_pairs(avoided_by, archived=3):
    """Given the p-best, r1 is uniform over those allowed; r2 over those left, and the archived points 5, 6, …"""
    law = {}
    for best in (0, 1):
        allowed = [r for r in range(5) if r not in avoided_by(best)]
        for r1 in allowed:
            last = [r for r in [*allowed, *range(5, 5 + archived)] if r != r1]
            law |= {(best, r1, r2): 0.5 / len(allowed) / len(last) for r2 in last}
    return law


def is_rejected(counts, law):
    if not counts.keys() <= law.keys():
        return True
    draws = counts.total()
    statistic = sum((counts[key] - draws * p) ** 2 / (draws * p) for key, p in law.items())
    return chi2.sf(statistic, len(law) - 1) < FALSE_ALARM


@pytest.mark.parametrize("rule", AVOIDED)
def test_the_last_donor_is_uniform_over_population_and_archive(rule):
    counts = draw_pairs(rule, 6000)
    assert not is_rejected(counts, law_of_pairs(AVOIDED[rule]))
    for other in AVOIDED.keys() - {rule}:  # the control: who is drawn by another rule
        assert is_rejected(counts, law_of_pairs(AVOIDED[other]))
    assert is_rejected(counts, law_of_pairs(AVOIDED[rule], archived=4))
