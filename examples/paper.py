"""The panels of the paper's result figures, measured: mean POIS over 50 runs for each F and Cr, and every run in a CSV.

The study with its store, its figures and its report is still to come; this is the measuring part.
"""

import csv
import os
import sys
import time
from itertools import product
from pathlib import Path

import debox

F_GRID = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
CR_GRID = (0.05, 0.285, 0.52, 0.755, 0.99)
FIGURES = {
    "population sizes": [("DE/curr-to-best/1/bin sat", N) for N in (5, 20, 100)],
    "mutations": [(f"DE/{mutation}/exp sat", 5) for mutation in ("best/1", "rand/1", "rand/2")],
    "crossovers": [
        (f"DE/{name}", 5) for name in ("best/1/bin sat", "best/1/exp sat", "rand/1/bin tor", "rand/1/exp tor")
    ],
    "strategies": [(f"DE/rand/1/exp {strategy}", 5) for strategy in ("COTN", "mirr", "sat")],
}


def panel(name: str, N: int) -> list[debox.Measurement]:
    """The 50 configurations of one panel, row by row of F."""
    return debox.measure_many(debox.Config(name, N=N, F=F, Cr=Cr) for F, Cr in product(F_GRID, CR_GRID))


def show(title: str, measured: list[debox.Measurement]) -> None:
    """Mean POIS in the places of the paper's figure: F upward, Cr to the right."""
    print(f"\n{title}\n   F \\ Cr " + "".join(f"{Cr:>8}" for Cr in CR_GRID))
    means = [m.mean() for m in measured]
    for k in reversed(range(len(F_GRID))):
        row = means[k * len(CR_GRID) : (k + 1) * len(CR_GRID)]
        print(f"{F_GRID[k]:>9} " + "".join(f"{mean:>8.3f}" for mean in row))


def write(path: Path, measured: list[debox.Measurement]) -> None:
    """All runs as CSV, under their name only when complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["config", "N", "F", "Cr", "run", "pois", "accepted"])
        for m in measured:
            for run, (pois, accepted) in enumerate(zip(m.pois, m.accepted, strict=True)):
                table.writerow([str(m.config), m.config.N, m.config.F, m.config.Cr, run, pois, accepted])
    os.replace(unfinished, path)


def main(folder: str = "out") -> None:
    """Measure all panels once, show them figure by figure, write the CSV."""
    started, done = time.perf_counter(), {}
    for figure, panels in FIGURES.items():
        print(f"\n== {figure} ==", flush=True)
        for name, N in panels:
            if (name, N) not in done:
                done[name, N] = panel(name, N)
            show(f"{name}, N={N}", done[name, N])
    measured = [m for configurations in done.values() for m in configurations]
    write(Path(folder) / "paper.csv", measured)
    evaluations = sum(len(m.pois) * m.budget for m in measured)
    print(
        f"\n{evaluations:.2g} evaluations in {time.perf_counter() - started:.0f} s; every run is in {folder}/paper.csv"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
