"""Median, spread and camps of samples made by hand; and how often one mode is taken for two."""

import numpy as np

from debox.analysis.summary import camps


def rate(samples):
    return np.mean([bool(camps(sample)) for sample in samples])


def test_samples_of_one_mode_are_rarely_called_bimodal():
    """5000 samples each: true rates are near 10⁻⁴ (50 runs) and 0.007 (20 runs), the limits some 6σ above them."""
    rng = np.random.default_rng(5)
    assert rate(rng.random((5000, 50))) < 0.001
    assert rate(rng.random((5000, 20))) < 0.014
    assert rate(rng.beta(2, 5, (5000, 50))) < 0.001
    assert rate(np.minimum(rng.exponential(0.1, (5000, 50)), 1)) < 0.001


def test_a_spike_with_a_flat_tail_is_the_hardest_single_mode():
    """3 of 10 runs in the tail: true rates near 0.02 (50 runs) and 0.17 (20 runs); limits 6σ and more away."""
    rng = np.random.default_rng(7)
    rates = [rate(rng.random((5000, runs)) * (rng.random((5000, runs)) < 0.3)) for runs in (50, 20)]
    assert rates[0] < 0.035
    assert 0.1 < rates[1] < 0.25
