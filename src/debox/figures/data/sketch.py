"""What a panel lays flat: nine histograms, made up, standing upright on the plane of F and Cr."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from debox.analysis.old_runs import Runs
from debox.edpois import BINS
from debox.figures.data.edpois import Cell
from debox.figures.entry import Entry

SIZE = (5.0, 2.3)
DESCRIPTION = (
    "Histograms of POIS standing upright at the crossings of F and Cr, which a panel lays flat into rectangles."
)
RUNS = 50

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


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure, the same for all runs."""
    yield Entry("sketch-3d", DESCRIPTION, SIZE, lambda runs: sketch())


def sketch() -> Sketch:
    """Three values of F by three of Cr."""
    rows = tuple(
        tuple(Cell(float(F), float(Cr), (*runs, *[0] * (BINS - len(runs))), "violet") for Cr, runs in enumerate(row))
        for F, row in enumerate(UPRIGHT)
    )
    return Sketch(RUNS, rows)
