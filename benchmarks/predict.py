"""Prediction: runs of 300 configurations between the levels of the paper's study, to judge `debox.predict` by.

They are drawn from fixed seeds, F and Cr uniform within the study's range. The first draw, 200 of them, has every panel
once and 80 panels twice; methods and the band were chosen with it in view. The second, one of each of 100
panels, was done when the band was as it is: it judges what was not chosen by it.
The first half of a configuration's runs is what a prediction is compared with; the second half, another sample of the
same law, shows what no prediction can beat: the noise floor.
"""

import re
from itertools import product
from pathlib import Path

import numpy as np

import debox
from benchmarks.measure import cpu_seconds, progress, verdict
from debox.analysis.old_runs import Panel, Runs
from debox.analysis.predict.answer import panel_runs
from debox.analysis.predict.grid import Grid
from debox.analysis.predict.judge import leave_columns_out, leave_rows_out
from debox.analysis.predict.methods import METHODS
from debox.store.parquet import connect, sql_text

ROOT = Path(__file__).parents[1]
DATA, OFFGRID = ROOT / "data" / "paper.parquet", ROOT / "data" / "offgrid.parquet"
PAGE = ROOT / "docs" / "prediction.md"
DRAWS, RUNS = {20260: 200, 20317: 100}, 100  # seeds and how many configurations; runs of each
PANEL = ("mutation", "crossover", "strategy", "N")


def configurations(study: debox.Study, seed: int) -> list[debox.Config]:
    """The configurations of a draw."""
    rng, count = np.random.default_rng(seed), DRAWS[seed]
    panels = list(product(*(study.values(name) for name in PANEL)))
    rounds = -(-count // len(panels))
    chosen = np.concatenate([rng.permutation(len(panels)) for _ in range(rounds)])[:count]
    ranges = {name: (min(study.values(name)), max(study.values(name))) for name in ("F", "Cr")}
    drawn = {name: np.round(rng.uniform(*ends, count), 4).tolist() for name, ends in ranges.items()}
    return [
        debox.Config(**dict(zip(PANEL, panels[k], strict=True)), F=F, Cr=Cr)
        for k, F, Cr in zip(chosen, drawn["F"], drawn["Cr"], strict=True)
    ]


def simulate(seed: int) -> dict[str, np.ndarray]:
    """Measure all configurations of a draw, with the dimension and budget of the study; columns, a row per run."""
    study = debox.open_store(DATA).study
    (n,) = study.dimension
    measured = []
    for k, config in enumerate(configurations(study, seed)):
        progress(f"{k + 1} of {DRAWS[seed]}: {config}")
        measured.append(debox.measure(config, n=n, budget=study.budget_for(n), runs=RUNS, rng=seed))
    columns = {name: np.repeat([getattr(m.config, name) for m in measured], RUNS) for name in (*PANEL, "F", "Cr")}
    columns["run"] = np.tile(np.arange(RUNS), len(measured))
    columns["infeasible"] = np.round(np.concatenate([m.pois * m.budget for m in measured])).astype(np.int64)
    columns["seconds"] = np.repeat([m.seconds / RUNS for m in measured], RUNS)
    return columns


def complete() -> None:
    """Simulate the draws that the file lacks, and add them to it."""
    for k, seed in enumerate(DRAWS):
        stored = connect().execute(f"SELECT * FROM {sql_text(OFFGRID)}").fetchnumpy() if OFFGRID.exists() else {}
        if len(stored.get("run", ())) <= RUNS * sum(list(DRAWS.values())[:k]):
            new = simulate(seed)
            write({name: np.concatenate([stored[name], new[name]]) if stored else new[name] for name in new})


def write(columns: dict[str, np.ndarray]) -> None:
    """The file, small: numbers as narrow as they go."""
    connection = connect()
    connection.register("given", {name: c.astype(object) if c.dtype.kind == "U" else c for name, c in columns.items()})
    narrow = "* REPLACE (N::UTINYINT AS N, run::UTINYINT AS run, infeasible::UINTEGER AS infeasible)"
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19"
    connection.execute(f"COPY (SELECT {narrow} FROM given) TO {sql_text(OFFGRID)} ({options})")


def left_out_table() -> str:
    """W1 of rows and columns inside the grid that are left out, over all panels, for every method."""
    grids = list(grids_of_study().values())
    rows = []
    for name, method in METHODS.items():
        progress(f"leaving out rows and columns: {name}")
        by_row = np.array([leave_rows_out(method, grid) for grid in grids])
        by_column = np.array([leave_columns_out(method, grid) for grid in grids])
        last = by_row[..., -1]  # the largest Cr, where distributions collapse
        rows.append([name, by_row.mean(), np.median(by_row), last.mean(), by_column.mean(), np.median(by_column)])
    head = ["method", "rows: mean W1", "median", f"mean at Cr = {grids[0].Cr[-1]:g}", "columns: mean W1", "median"]
    lines = [head, ["---"] * len(head), *([name, *(f"{x:.5f}" for x in found)] for name, *found in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def grids_of_study() -> dict[Panel, Grid]:
    """The grid of every panel of the paper's study."""
    store = debox.open_store(DATA)
    runs = Runs.of(store.table(), store.study)
    return {panel: Grid.of(*panel_runs(runs, panel.name, panel.N)) for panel in runs.panels()}


def times() -> dict[str, float]:
    """Medians of CPU seconds of a prediction with its band: of a path, of a panel's first, and of its second."""
    store, found = debox.open_store(DATA), {"path": [], "first": [], "second": []}
    debox.predict(store, configurations(store.study, 20260)[0]).band()  # loads what Python loads once
    for k, config in enumerate(configurations(store.study, 20317)[:40]):  # of 40 panels
        head, F = str(config).partition(",")[0], config.F + (1e-6 if k % 2 else -1e-6)
        calls = {
            "path": lambda c=config: debox.predict(DATA, c).band(),
            "first": lambda c=config: debox.predict(store, c).band(),
            "second": lambda c=config, head=head, F=F: debox.predict(store, head, N=c.N, F=F, Cr=c.Cr).band(),
        }
        for name, call in calls.items():
            if name != "path" or k < 5:
                found[name].append(cpu_seconds(call)[0])
    return {name: float(np.median(seconds)) for name, seconds in found.items()}


def put(name: str, text: str) -> None:
    """Put a text between the marks of this name on the page, if there is one."""
    if PAGE.exists():
        marks = rf"(<!-- {name}:.*?-->\n).*?(<!-- end of {name} -->)"
        PAGE.write_text(re.sub(marks, lambda m: m[1] + text + m[2], PAGE.read_text(), flags=re.DOTALL))


def report_times() -> None:
    """The CPU time of predictions, printed and put on the page."""
    found = times()
    print(verdict("predict(store, …).band(), the panel read before, median of 40", found["second"], 0.05, "s"))
    names = {
        "second": "another configuration of the panel, the store open",
        "first": "the first configuration of a panel, the store open",
        "path": "any configuration, by the path of `data/paper.parquet`",
    }
    lines = [f"| {text} | {1000 * found[name]:.0f} |" for name, text in names.items()]
    put("times", "\n".join(["| `debox.predict(…).band()` | ms |", "| --- | --- |", *lines]) + "\n")


def report() -> None:
    """Simulate what the file lacks, leave out and write the page's table; then times."""
    complete()
    print("Prediction: rows and columns inside the grid, left out and predicted from the others; W1 in POIS")
    table = left_out_table()
    print(table)
    put("left out", table)
    report_times()
