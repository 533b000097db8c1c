"""What the sweeps of F, Cr, n, N and budget say in numbers."""

import numpy as np

from benchmarks.collapse.experiments import LARGE, SMALL
from benchmarks.collapse.linear import critical_F
from benchmarks.collapse.predictions import SWEPT
from benchmarks.collapse.table import Row, of


def threshold(mutation: str, N: int) -> float:
    """F_c: where a population without a box, replaced by whole mutants, neither grows nor shrinks."""
    found = sorted((row["F"], row["share"]) for row in of("linear", mutation=mutation, N=N))
    return critical_F(np.array([value for _, value in found]), np.array([F for F, _ in found]))


def half_fall(rows: list[Row]) -> float:
    """1 − Cr at which POIS is half way from its maximum to its value at Cr = 1, by interpolation in ln(1 − Cr)."""
    curve = sorted((row["evolve"], row["share"]) for row in rows)
    top = max(range(len(curve)), key=lambda k: curve[k][1])
    half = (curve[top][1] + curve[-1][1]) / 2
    for (Cr, high), (later, low) in zip(curve[top:-1], curve[top + 1 : -1], strict=False):
        if high >= half > low:
            return float((1 - Cr) * ((1 - later) / (1 - Cr)) ** ((high - half) / (high - low)))
    return float("nan")


def half_falls() -> dict[str, dict[int, float]]:
    """1 − Cr of the half fall by strategy of the cell and dimension."""
    sizes = sorted({row["n"] for row in of("n")})
    return {cell[2]: {n: half_fall(of("n", strategy=cell[2], n=n)) for n in sizes} for cell in SWEPT}


def swept_falls(experiment: str, strategy: str) -> dict[int, tuple[float, float]]:
    """A − B and its standard error by N or budget."""
    found = {(row[experiment], row["evolve"]): row for row in of(experiment, strategy=strategy)}
    pairs = {value: (found[value, SMALL], found[value, LARGE]) for value, _ in sorted(found)}
    return {v: (a["share"] - b["share"], float(np.hypot(a["error"], b["error"]))) for v, (a, b) in pairs.items()}


def factors_with_smaller_Cr() -> dict[str, float]:
    """By how much 1 − Cr of the half fall shrinks from n = 10 to 100, smaller Cr included, by strategy of the cell."""
    found = {}
    for cell in SWEPT:
        ten, hundred = (
            half_fall(of("n", strategy=cell[2], n=n) + of("wide", strategy=cell[2], n=n)) for n in (10, 100)
        )
        found[cell[2]] = ten / hundred
    return found


def fallen_at(Cr: float, strategy: str) -> float:
    """How much of the fall from the smaller to the larger Cr has happened at a Cr between them, in 30 dimensions."""
    share = {row["evolve"]: row["share"] for row in of("n", strategy=strategy, n=30)}
    return float((share[SMALL] - share[Cr]) / (share[SMALL] - share[LARGE]))
