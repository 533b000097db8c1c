"""Figures: the CPU time of the whole set from the paper's study, and of one panel."""

import tempfile
from pathlib import Path

import debox
from benchmarks.measure import cpu_seconds, progress, verdict
from debox.analysis.runs import Runs
from debox.figures.save import make

DATA = Path(__file__).parents[1] / "data" / "paper.parquet"
PANEL, REPEATS = "panels/DE-rand-1-exp-sat-N5", 3


def whole_set(folder: Path) -> list[Path]:
    """Everything that `debox figures` does: the store read, all figures drawn and written as PDF."""
    return list(make(debox.open_store(DATA), folder))


def one_panel(runs: Runs, folder: Path) -> list[Path]:
    """A panel of 50 histograms, from the runs in memory to a PDF."""
    return list(make(runs, folder, only=[PANEL]))


def report() -> None:
    print("Figures: CPU time, from 300 000 stored runs to PDF files")
    runs = Runs.of(DATA)
    with tempfile.TemporaryDirectory() as folder:
        progress("one panel")
        panel = min(cpu_seconds(lambda: one_panel(runs, Path(folder)))[0] for _ in range(REPEATS))
        progress("all figures")
        seconds, paths = cpu_seconds(lambda: whole_set(Path(folder)))
    print(verdict(f"one panel, best of {REPEATS}", panel, 0.3, "s"))
    print(verdict(f"the whole set, {len(paths)} figures", seconds, 60, "s"))
