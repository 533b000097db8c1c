"""The paper's study and what several pages compute from it, once for all of them."""

from functools import cache
from pathlib import Path

import debox
from debox.analysis.claims.verdict import Result, judge_all
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs

DATA = Path(__file__).parent.parent / "data" / "paper.parquet"


@cache
def runs() -> Runs:
    """All runs of data/paper.parquet."""
    store = debox.open_store(DATA)
    return Runs.of(store.table(), store.study)


@cache
def claims() -> list[Result]:
    """The verdict on each conclusion of the paper."""
    return judge_all(Cube.of(runs()))
