"""What was simulated of the collapse: the rows of data/collapse.parquet, and what an intervention restores."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from math import hypot, sqrt
from typing import Any, NamedTuple

import duckdb

from reproduction.collapse.design import LARGE, SMALL, SWEPT, Step, falling
from reproduction.numbers import DATA

FILE = DATA / "collapse.parquet"
Row = dict[str, Any]
Cell = Any  # a Step, or another tuple that begins with mutation, crossover, strategy, N, F
ANY, BELOW_1, ABOVE_1 = (0.0, 2.0), (0.0, 1.0), (1.0, 2.0)  # ranges of F


@cache
def rows() -> list[Row]:
    """All rows."""
    found = duckdb.execute(f"SELECT * FROM read_parquet('{FILE}')")
    names = ["n" if name == "dimension" else name for name, *_ in found.description]
    return [dict(zip(names, values, strict=True)) for values in found.fetchall()]


def of(experiment: str, **wanted: Any) -> list[Row]:
    """The rows of an experiment with these values."""
    return [row for row in rows() if row["experiment"] == experiment and wanted.items() <= row.items()]


@cache
def every_case() -> dict[tuple[Any, ...], Row]:
    """The rows of all rounds by cell, Cr of evolution and intervention."""
    names = ("mutation", "crossover", "strategy", "N", "F", "evolve")
    every = of("fall") + of("second") + of("third")
    return {(*(row[name] for name in names), row["intervention"] or ""): row for row in every}


def case(cell: Cell, intervention: str = "", evolve: float = LARGE) -> Row:
    """What was simulated of a cell: B, unless it is said otherwise."""
    return every_case()[(*cell[:5], evolve, intervention)]


def A(cell: Cell) -> Row:
    """The population of the smaller Cr, counted with the larger one."""
    return case(cell, evolve=SMALL)


def chosen(saturation: bool | None = None, F: tuple[float, float] = ANY, **levels: Any) -> list[Step]:
    """Falling cells of saturation or of the others, with F in a range, with these levels; dismiss only if asked for."""
    wanted = {name: level for name, level in levels.items() if name != "dismiss"}
    return [
        fall
        for fall in falling()
        if (saturation is None or (fall.strategy == "saturation") == saturation)
        and F[0] <= fall.F <= F[1]
        and (levels.get("dismiss") or fall.strategy != "dismiss")
        and all(getattr(fall, name) == level for name, level in wanted.items())
    ]


class Ratio(NamedTuple):
    """A ratio of sums over cells, and its standard error: runs are random, cells are not."""

    value: float
    error: float
    cells: int

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.error:.2f}"


def restored(
    intervention: str, cells: Iterable[Cell], evolve: float = LARGE, between: tuple[float, float] = (SMALL, LARGE)
) -> Ratio:
    """The restored share Σ (I − B) / Σ (A − B) of these cells, A and B evolving `between` two Cr."""
    a, b = between
    found = [(case(cell, intervention, evolve), case(cell, evolve=a), case(cell, evolve=b)) for cell in cells]
    fallen = sum(a["share"] - b["share"] for _, a, b in found)
    R = sum(i["share"] - b["share"] for i, _, b in found) / fallen
    variance = sum(i["error"] ** 2 + (R * a["error"]) ** 2 + ((1 - R) * b["error"]) ** 2 for i, a, b in found)
    return Ratio(R, sqrt(variance) / fallen, len(found))


def appears(cells: Iterable[Cell]) -> Ratio:
    """The share of the fall that whole mutants at the smaller Cr bring about: (A − whole) / (A − B)"""
    left = restored("whole", cells, SMALL)
    return left._replace(value=1 - left.value)


def z(x: Row, y: Row) -> float:
    """The difference of two shares in standard errors; 0 if nothing varies and nothing differs."""
    difference = x["share"] - y["share"]
    return float(difference / hypot(x["error"], y["error"])) if difference else 0.0


def threshold(mutation: str, N: int) -> float:
    """F_c: where the exponent of a population without a box crosses 0 upward for the last time; NaN if it does not."""
    return last_crossing(sorted((row["F"], row["share"]) for row in of("linear", mutation=mutation, N=N)))


def last_crossing(points: list[tuple[float, float]]) -> float:
    """The F at which numbers cross 0 upward for the last time, by linear interpolation; NaN if they do not."""
    for (F, low), (after, high) in reversed(list(pairwise(points))):
        if low < 0 <= high:
            return F + low / (low - high) * (after - F)
    return float("nan")


def half_fall(curve: Iterable[Row]) -> float:
    """1 − Cr at which POIS is half way from its maximum to its value at Cr = 1, by interpolation in ln(1 − Cr)."""
    points = sorted((row["evolve"], row["share"]) for row in curve)
    top = max(range(len(points)), key=lambda k: points[k][1])
    half = (points[top][1] + points[-1][1]) / 2
    for (Cr, high), (later, low) in zip(points[top:-1], points[top + 1 : -1], strict=False):
        if high >= half > low:
            return float((1 - Cr) * ((1 - later) / (1 - Cr)) ** ((high - half) / (high - low)))
    return float("nan")


def shrinks() -> dict[str, float]:
    """By how much 1 − Cr of the half fall shrinks from n = 10 to 100, by strategy of the swept cell."""
    by_n = {cell[2]: [half_fall(of("n", strategy=cell[2], n=n)) for n in (10, 100)] for cell in SWEPT}
    return {strategy: ten / hundred for strategy, (ten, hundred) in by_n.items()}


def falls_by_budget(strategy: str) -> dict[int, float]:
    """A − B by budget."""
    found = {(row["budget"], row["evolve"]): row["share"] for row in of("budget", strategy=strategy)}
    return {budget: found[budget, SMALL] - found[budget, LARGE] for budget, _ in sorted(found)}
