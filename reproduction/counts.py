"""data/paper.npz, the paper's study as wheels carry it."""

import debox
from debox.store import counts
from reproduction.numbers import DATA


def run() -> None:
    """Write it from data/paper.parquet."""
    counts.write(DATA / "paper.npz", debox.open_store(DATA / "paper.parquet"))
