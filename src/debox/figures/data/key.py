"""How to read a panel: four made-up cells, and nine more standing upright on the plane of F and Cr."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from debox.edpois import BINS
from debox.figures.data.edpois import Cell, EdpoisPanel, cell

RUNS = 50
SPREAD = {4: 7, 5: 24, 6: 16, 7: 3}  # runs per bin: 3 + 7 + 16 + 24 = 50

# Runs per bin of the nine upright histograms, from POIS 0 upward; rows are F, columns Cr, both rising.
UPRIGHT = (
    ((44, 6), (21, 26, 3), (8, 22, 15, 5)),
    ((0, 9, 31, 10), (0, 0, 12, 28, 10), (0, 2, 6, 11, 17, 14)),
    ((0, 0, 0, 0, 13, 30, 7), (0, 0, 0, 0, 0, 4, 20, 26), (3, 0, 0, 0, 0, 0, 2, 5, 9, 31)),
)


@dataclass(frozen=True)
class Sketch:
    """Histograms at the crossings of F and Cr, row by row of F; nothing is to scale."""

    planned: int
    rows: tuple[tuple[Cell, ...], ...]


def key(runs: int = RUNS) -> EdpoisPanel:
    """Runs in several bins; and all in the top bin, within [0.9, 0.99], [0.99, 0.999] and [0.999, 1]."""
    spread = np.concatenate([np.full(count, (k + 0.5) / BINS) for k, count in shared_out(runs).items()])
    violet, orange, teal = np.full(runs, 0.95), np.full(runs, 0.995), np.full(runs, 0.9995)
    cells = cell(0.6, 0.6, spread), cell(0.6, 0.8, orange), cell(1.6, 0.6, violet), cell(1.6, 0.8, teal)
    return EdpoisPanel("", runs, (0.6, 1.6), (0.6, 0.8), cells)


def shared_out(runs: int) -> dict[int, int]:
    """So many runs over the bins, in nearly the same shares."""
    up_to = [round(runs * count / RUNS) for count in accumulate(SPREAD.values(), initial=0)]
    return {k: high - low for k, (low, high) in zip(SPREAD, pairwise(up_to), strict=True)}


def sketch() -> Sketch:
    """Three values of F by three of Cr."""
    rows = tuple(
        tuple(Cell(float(F), float(Cr), (*runs, *[0] * (BINS - len(runs))), "violet") for Cr, runs in enumerate(row))
        for F, row in enumerate(UPRIGHT)
    )
    return Sketch(RUNS, rows)
