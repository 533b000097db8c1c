"""f0: a fresh U(0,1) for every evaluation."""

import numpy as np
from scipy.stats import kstest

from debox import jit
from debox.f0.function import f0

FALSE_ALARM = 1e-6


def test_f0_is_uniform_and_fresh_also_at_a_point_seen_before():
    rng, x = np.random.default_rng(1), np.full(3, 0.5)
    values = np.array([f0(x, rng) for _ in range(5000)])
    assert len(set(values)) == 5000
    assert kstest(values, "uniform").pvalue > FALSE_ALARM
    assert kstest(values**1.1, "uniform").pvalue < FALSE_ALARM
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 5 / np.sqrt(5000)  # false-alarm rate 6e-7
    assert x.tolist() == [0.5] * 3


def test_f0_does_not_look_at_the_point():
    points = [np.zeros(1), np.ones(4), np.array([np.nan])]
    assert len({f0(x, np.random.default_rng(7)) for x in points}) == 1


def test_compiled_f0_draws_the_same_numbers():
    x, interpreted, compiled = np.zeros(2), np.random.default_rng(3), np.random.default_rng(3)
    twin = jit.bind(f0, x, compiled)
    assert [f0(x, interpreted) for _ in range(20)] == [twin(x, compiled) for _ in range(20)]
