"""Do other arithmetics change the runs of strategies that put nothing on bounds? A sample of them, run again."""

import json
import subprocess
import sys

from benchmarks.readings.studies import ROOT

STRATEGIES = ("COTN", "dismiss", "mirror", "toroidal")
MUTATIONS = ("best/1", "curr-to-best/1", "rand/1", "rand/2")
CONFIGS = [
    f"DE/{mutation}/{crossover} {strategy}, N={N}, F=0.916, Cr=0.99"
    for mutation in MUTATIONS
    for crossover in ("bin", "exp")
    for strategy in STRATEGIES
    for N in (5, 20)
]
RUNS, BUDGET = 5, 300_000

MEASURE = f"""
import json, sys, debox
from benchmarks.readings.arithmetic import adopt
adopt(sys.argv[1])
for config in {CONFIGS}:
    pois = debox.measure(config, n=30, budget={BUDGET}, runs={RUNS}, rng=0).pois
    print(json.dumps([round(share * {BUDGET}) for share in pois]))
"""


def counts(arithmetic: str) -> list[list[int]]:
    """Infeasible trials of every configuration and run, in a process of its own."""
    command = [sys.executable, "-c", MEASURE, arithmetic]
    process = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in process.stdout.splitlines()]


def check() -> None:
    """Print how many runs differ."""
    written = counts("as written")
    for arithmetic in ("tolerance", "fused"):
        other = counts(arithmetic)
        runs = [(a, b) for ours, theirs in zip(written, other, strict=True) for a, b in zip(ours, theirs, strict=True)]
        differ = [abs(a - b) for a, b in runs if a != b]
        print(f"{arithmetic}: {len(differ)} of {len(runs)} runs differ, by at most {max(differ, default=0)} trials")
