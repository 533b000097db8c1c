"""How to read a panel: four cells whose runs are made up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

import numpy as np

from debox.analysis.old_runs import Runs
from debox.edpois import BINS
from debox.figures.data.edpois import EdpoisPanel, cell
from debox.figures.entry import Entry

SIZE = (5.0, 4.3)
DESCRIPTION = (
    "How to read an EDPOIS panel: in each rectangle bars count runs per tenth of POIS, a blue circle marks Cr and F, "
    "and the bars' colour tells whether all runs are extremely close to 0 or 1."
)
RUNS = 50
SPREAD = {4: 7, 5: 24, 6: 16, 7: 3}  # runs per bin: 3 + 7 + 16 + 24 = 50


class ReadingKey(EdpoisPanel):
    """A panel of two F and two Cr, to be drawn with everything named that panels leave out."""


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure; its cells have as many runs as the study's."""
    yield Entry("reading-key", DESCRIPTION, SIZE, lambda runs: reading_key(runs.planned or RUNS))


def reading_key(runs: int = RUNS) -> ReadingKey:
    """Runs in several bins; and all in the top bin, within [0.9, 0.99], [0.99, 0.999] and [0.999, 1]."""
    spread = np.concatenate([np.full(count, (k + 0.5) / BINS) for k, count in runs_per_bin(runs).items()])
    violet, orange, teal = np.full(runs, 0.95), np.full(runs, 0.995), np.full(runs, 0.9995)
    cells = cell(0.6, 0.6, spread), cell(0.6, 0.8, orange), cell(1.6, 0.6, violet), cell(1.6, 0.8, teal)
    return ReadingKey("", runs, (0.6, 1.6), (0.6, 0.8), cells)


def runs_per_bin(runs: int) -> dict[int, int]:
    """So many runs over the bins of SPREAD, in nearly the same shares."""
    up_to = [round(runs * count / RUNS) for count in accumulate(SPREAD.values(), initial=0)]
    return {k: high - low for k, (low, high) in zip(SPREAD, pairwise(up_to), strict=True)}
