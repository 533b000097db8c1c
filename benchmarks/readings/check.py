"""Do other arithmetics change the runs of strategies that put nothing on bounds? A sample of them, run again."""

import json
import subprocess

import debox
from benchmarks import variants
from benchmarks.readings import arithmetic
from benchmarks.readings.studies import ROOT
from debox.analysis.old_runs import Panel, Runs

STRATEGIES = ("COTN", "dism", "mirr", "tor")
MUTATIONS = ("best/1", "curr-to-best/1", "rand/1", "rand/2")
PANELS = [
    (f"DE/{mutation}/{crossover} {strategy}", N)
    for mutation in MUTATIONS
    for crossover in ("bin", "exp")
    for strategy in STRATEGIES
    for N in (5, 20)
]
F, CR = 0.916, 0.99  # of the configuration whose POIS fusing is known to change under saturation
RUNS, BUDGET = 5, 300_000

MEASURE = f"""
import json, debox
for panel, N in {PANELS}:
    config = f"{{panel}}, N={{N}}, F={F}, Cr={CR}"
    pois = debox.measure(config, n=30, budget={BUDGET}, runs={RUNS}, rng=0).pois
    print(json.dumps([round(share * {BUDGET}) for share in pois]))
"""
BEGIN, END = "<!-- check: written by `python -m benchmarks.readings check` -->", "<!-- end of check -->"


def counts(name: str) -> list[int]:
    """Infeasible trials of every configuration and run by this arithmetic, in a process of its own."""
    process = variants.python(arithmetic.core(name), MEASURE, stdout=subprocess.PIPE)
    return [count for line in process.stdout.splitlines() for count in json.loads(line)]


def counts_of_the_paper() -> list[int]:
    """The same runs in the paper's study."""
    runs = Runs.of(debox.open_store(ROOT / "data" / "paper.parquet").table())
    pois = [runs.values(Panel.of(panel, N), F, CR)[:RUNS] for panel, N in PANELS]
    return [round(share * BUDGET) for values in pois for share in values]


def section() -> str:
    """How many runs of the sample differ, a sentence for each arithmetic."""
    paper = counts_of_the_paper()
    lines = [
        f"Other strategies than saturation, a sample of {len(PANELS)} configurations with F={F} and Cr={CR}, "
        f"{RUNS} runs each, with the seeds of the paper's study:",
        "",
    ]
    for name in arithmetic.ARITHMETICS:
        pairs = enumerate(zip(paper, counts(name), strict=True))
        differ = [f"{_name(k)}: {a} → {b}" for k, (a, b) in pairs if a != b]
        which = f" ({'; '.join(differ)} infeasible trials)" if differ else ""
        lines.append(f"- {name}: {len(differ)} of {len(paper)} runs have another count than there{which}.")
    return "\n".join([BEGIN, "", *lines, "", END])


def _name(k: int) -> str:
    """Configuration and number of the k-th run of the sample."""
    panel, N = PANELS[k // RUNS]
    return f"{panel}, N={N}, run {k % RUNS}"
