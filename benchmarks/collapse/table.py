"""What was simulated, as a list of rows, and what an intervention restores."""

from collections.abc import Iterable
from functools import cache
from math import hypot, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.collapse.experiments import LARGE, SMALL, paper
from debox.analysis.collapse import Fall, falls, last_steps
from debox.store.parquet import connect, sql_text

DATA = Path(__file__).parents[2] / "data" / "collapse.parquet"
Row = dict[str, Any]
CELL = ("mutation", "crossover", "strategy", "N", "F")
Cell = Fall | tuple[Any, ...]  # begins with the five names of CELL


@cache
def rows() -> list[Row]:
    """All rows."""
    found = connect().execute(f"SELECT * FROM read_parquet({sql_text(DATA)})")
    names = ["n" if name == "dimension" else name for name, *_ in found.description]
    return [dict(zip(names, values, strict=True)) for values in found.fetchall()]


def of(experiment: str, **wanted: Any) -> list[Row]:
    """The rows of an experiment with these values."""
    return [row for row in rows() if row["experiment"] == experiment and wanted.items() <= row.items()]


@cache
def steps() -> list[Fall]:
    """The last step of Cr in every row of the paper's study."""
    return last_steps(paper())


@cache
def falling() -> list[Fall]:
    """Those of them that fall."""
    return falls(paper())


@cache
def cases() -> dict[tuple[Any, ...], Row]:
    """The rows of all rounds by cell, Cr of evolution and intervention."""
    every = of("fall") + of("second") + of("third")
    return {(*(row[name] for name in CELL), row["evolve"], row["intervention"] or ""): row for row in every}


def case(fall: Cell, intervention: str = "", evolve: float = LARGE) -> Row:
    """What was simulated of a cell."""
    return cases()[(*fall[:5], evolve, intervention)]


def A(fall: Cell) -> Row:
    """The population of the smaller Cr, counted with the larger one."""
    return case(fall, evolve=SMALL)


class Ratio(NamedTuple):
    """A ratio of sums over cells, and its standard error: runs are random, cells are not."""

    value: float
    error: float
    cells: int

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.error:.2f}"


def restored(
    intervention: str, chosen: Iterable[Cell], evolve: float = LARGE, between: tuple[float, float] = (SMALL, LARGE)
) -> Ratio:
    """The restored share Σ (I − B) / Σ (A − B) of these cells, A and B evolving `between` two Cr; NaN without any."""
    a, b = between
    cells = [(case(fall, intervention, evolve), case(fall, evolve=a), case(fall, evolve=b)) for fall in chosen]
    fallen = sum(a["share"] - b["share"] for _, a, b in cells)
    if not fallen:
        return Ratio(float("nan"), float("nan"), 0)
    R = sum(i["share"] - b["share"] for i, _, b in cells) / fallen
    variance = sum(i["error"] ** 2 + (R * a["error"]) ** 2 + ((1 - R) * b["error"]) ** 2 for i, a, b in cells)
    return Ratio(R, sqrt(variance) / fallen, len(cells))


def z(x: Row, y: Row, what: str = "share", error: str = "error") -> float:
    """The difference of two rows in standard errors; 0 if nothing varies and nothing differs."""
    difference = x[what] - y[what]
    return difference / hypot(x[error], y[error]) if difference else 0.0
