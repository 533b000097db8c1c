"""Prediction: runs of 200 configurations between the levels of the paper's study, to judge `debox.predict` by.

They are drawn once, from a fixed seed: every panel once and 80 panels twice, F and Cr uniform within the study's range.
The first half of a configuration's runs is what a prediction is compared with; the second half, another sample of the
same law, shows what no prediction can beat: the noise floor.
"""

from itertools import product
from pathlib import Path

import numpy as np

import debox
from benchmarks.measure import progress
from debox.store.database import connect, sql_text

ROOT = Path(__file__).parents[1]
DATA, OFFGRID = ROOT / "data" / "paper.parquet", ROOT / "data" / "offgrid.parquet"
CONFIGURATIONS, RUNS, SEED = 200, 100, 20260
PANEL = ("mutation", "crossover", "strategy", "N")


def configurations(study: debox.Study) -> list[debox.Config]:
    """The configurations, drawn from the seed."""
    rng = np.random.default_rng(SEED)
    panels = list(product(*(study.values(name) for name in PANEL)))
    rounds = -(-CONFIGURATIONS // len(panels))
    chosen = np.concatenate([rng.permutation(len(panels)) for _ in range(rounds)])[:CONFIGURATIONS]
    ranges = {name: (min(study.values(name)), max(study.values(name))) for name in ("F", "Cr")}
    drawn = {name: np.round(rng.uniform(*ends, CONFIGURATIONS), 4).tolist() for name, ends in ranges.items()}
    return [
        debox.Config(**dict(zip(PANEL, panels[k], strict=True)), F=F, Cr=Cr)
        for k, F, Cr in zip(chosen, drawn["F"], drawn["Cr"], strict=True)
    ]


def simulate() -> None:
    """Measure all of them, with the dimension and budget of the study, and write the file."""
    study = debox.open_store(DATA).study
    (n,) = study.dimension
    measured = []
    for k, config in enumerate(configurations(study)):
        progress(f"{k + 1} of {CONFIGURATIONS}: {config}")
        measured.append(debox.measure(config, n=n, budget=study.budget_for(n), runs=RUNS, rng=SEED))
    columns = {name: np.repeat([getattr(m.config, name) for m in measured], RUNS) for name in (*PANEL, "F", "Cr")}
    columns["run"] = np.tile(np.arange(RUNS), len(measured))
    columns["infeasible"] = np.round(np.concatenate([m.pois * m.budget for m in measured])).astype(np.int64)
    columns["seconds"] = np.repeat([m.seconds / RUNS for m in measured], RUNS)
    write(columns)


def write(columns: dict[str, np.ndarray]) -> None:
    """The file, small: numbers as narrow as they go."""
    connection = connect()
    connection.register("given", {name: c.astype(object) if c.dtype.kind == "U" else c for name, c in columns.items()})
    narrow = "* REPLACE (N::UTINYINT AS N, run::UTINYINT AS run, infeasible::UINTEGER AS infeasible)"
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19"
    connection.execute(f"COPY (SELECT {narrow} FROM given) TO {sql_text(OFFGRID)} ({options})")


def report() -> None:
    """Simulate."""
    simulate()
