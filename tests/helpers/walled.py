"""Verdicts on walls of runs whose minimum is beyond a bound, near it or inside."""

import numpy as np

import debox


def problem(place, seed):
    """Σ w_j (x_j − o_j)², weights from 1 to 0.1, over [0, 1]⁵; o_0 is `place`; None: f does not depend on x_0."""
    o = np.random.default_rng(seed).uniform(0.2, 0.8, 5)
    w = 10 ** (-np.arange(5) / 4)
    o[0], w[0] = (0.5, 0.0) if place is None else (place, w[0])
    return lambda x: w @ (x - o[:, None]) ** 2


def verdicts(place, budget=1000, seeds=20, **options):
    """Those of the first variable, and of all others, in 20 runs."""
    run = dict(vectorized=True, budget=budget, **options)
    found = [
        debox.minimize(
            problem(place, seed), [(0, 1)] * 5, rng=seed, **({"tol": None, "polish": False} | run)
        ).walls.verdict
        for seed in range(seeds)
    ]
    return [one[0] for one in found], [verdict for one in found for verdict in one[1:]]
