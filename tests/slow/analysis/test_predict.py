"""How often bands hold fresh runs; every kind of source."""

import numpy as np
import pytest

import debox
from debox.analysis.between import LEAST, Calibration, Cells, Guess
from debox.analysis.runs import Runs

TRIALS = 100_000


def expit(logits):
    return 1 / (1 + np.exp(-logits))


@pytest.mark.parametrize("runs", [10, 50])
@pytest.mark.parametrize("law", ["normal", "uniform", "exponential"])
def test_the_reach_of_a_stored_cell_holds_the_smallest_the_median_and_the_largest_run_as_often_as_it_says(law, runs):
    """4000 pairs of samples: shares vary by √(0.9 · 0.1/4000) = 0.005. Tails are not known, so that the smallest and
    the largest run of laws with other tails than a logistic one are held in up to 0.08 more or less of pairs: 0.1 is a
    false alarm in 10⁻⁴ of seeds. Controls: the stored sample taken for the law holds the median run in
    P(|Z| < 1.645/√2) = 0.76 of pairs, and ends that are not beyond the stored sample hold the smallest run in at most
    half of them.
    """
    rng, at = np.random.default_rng(7), [0, runs // 2, -1]
    draw = {"normal": rng.normal, "uniform": rng.uniform, "exponential": rng.exponential}[law]
    stored, fresh = (np.sort(4e5 + 3e4 * draw(size=(4000, 1, runs)), axis=-1) for _ in range(2))
    one, shares = np.ones((4000, 1, 1)), {}
    for of_cell in (1.0, 0.0):
        low, high = Guess(stored, LEAST * one, of_cell * one, 10**6).band(0.9, 0.0)
        shares[of_cell] = ((low <= fresh) & (fresh <= high)).mean(axis=(0, 1))
    assert shares[1.0][at] == pytest.approx([0.9, 0.9, 0.9], abs=0.1)
    assert shares[1.0].mean() == pytest.approx(0.9, abs=0.02)
    assert shares[0.0][runs // 2] < 0.82
    assert (np.maximum(low, stored[..., :1]) <= fresh)[..., 0].mean() < 0.55


def test_bands_hold_fresh_runs_between_the_levels_of_smooth_surfaces():
    """20 surfaces, 4 places each. Coverage varies by about 0.2 from surface to surface, 0.045 for their mean: less than
    0.76 is a false alarm in about 10⁻³ of seeds. The control has no widening.
    """
    F, Cr = np.array([0.1, 0.3, 0.6, 1.0, 1.5, 2.0]), np.array([0.1, 0.3, 0.6, 0.9])
    between, found = (np.array([0.2, 0.45, 0.8, 1.25]), np.array([0.2])), {0: [], 1: []}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b, c = rng.uniform(-1, 1, 3)

        def runs(F, Cr, rng=rng, a=a, b=b, c=c):
            middle = a + 3 * b * np.sin(F[:, None] + 3 * Cr) + 2 * c * Cr
            return np.sort(TRIALS * expit(rng.normal(middle[..., None], 0.02, (len(F), len(Cr), 20))), axis=-1)

        cells = Cells(F, Cr, runs(F, Cr), np.zeros((6, 4)), TRIALS, 10)
        widening, fresh = Calibration(cells).widening(0.9), runs(*between)
        guess = cells.interpolate(*between, np.zeros((4, 1)))
        for factor, shares in found.items():
            low, high = guess.band(0.9, factor * widening)
            shares.append(((low <= fresh) & (fresh <= high)).mean())
    assert np.mean(found[1]) > 0.76
    assert np.mean(found[0]) < 0.6


def test_a_store_its_path_frames_and_mappings_give_the_same_prediction(made):
    table = made({(F, Cr): [F * Cr / 2, F / 4] for F in (0.5, 1.0) for Cr in (0.1, 0.9)})
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    lists = {name: column.tolist() for name, column in table.items()}
    every = (table, lists, pandas.DataFrame(table), polars.DataFrame(lists), Runs.of(table))
    (found,) = {tuple(debox.predict(one, "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5").pois) for one in every}
    assert 0.05 < found[0] < found[1] < 0.5
