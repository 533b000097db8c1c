"""What the last bit of points on a bound decides: `python -m benchmarks.law rounding` measures it for docs/law.md."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import variants
from benchmarks.law.contraction import inspect

PAGE = Path(__file__).parents[2] / "docs" / "law.md"
BEGIN, END = "<!-- rounding: written by `python -m benchmarks.law rounding` -->", "<!-- end of rounding -->"

SATURATED = "DE/curr-to-best/1/exp sat, N=100, F=0.916, Cr=0.99"
CONFIGS = (SATURATED, f"{SATURATED}, donors=not-parents")
N_DIM, BUDGET, RUNS = 30, 300_000, 200

MEASURE = f"""
import json, debox
for config in {CONFIGS}:
    print(json.dumps(debox.measure(config, n={N_DIM}, budget={BUDGET}, runs={RUNS}, rng=1).pois.tolist()))
"""

TEXT = f"""## Points on a bound

Saturation puts components exactly on a bound, and there the last bit of a mutant decides whether it counts as
infeasible. Take v = x_t + F (x_best − x_t) + F (x_r1 − x_r2) where r2 is the best itself. In exact arithmetic
v = x_t + F (x_r1 − x_t), which for F ≤ 1 lies between two points of the population: feasible, and 0 where both have 0.

- Debox computes the formula as it is written, from left to right, and rounds every product and every sum to a double.
  There, with x_best = b, v is F·b − F·b with both products rounded alike: exactly 0, feasible.
- A compiler that may do so fuses a product with the sum it goes into and rounds only the sum. There v is F·b rounded
  less F·b exact: for every other b a number some 1e-17 below 0, and the mutant counts as infeasible.
- At 1 both ways round to 1: numbers are further apart there.

The core of debox is not compiled so; a test looks at its code. A program that fuses has another POIS, as the same runs
(n = {N_DIM}, {BUDGET} evaluations, {RUNS} runs, the same seeds) show; if the best is no donor, the case is rare.
"""


def section() -> list[str]:
    """The lines of the page, measured anew in a minute; no lines, but an error, if the core of debox fuses."""
    from debox import _core

    if wrong := inspect(_core.__file__).fusing:
        sys.exit(f"FAILED: functions that fuse a product with a sum: {', '.join(wrong)}")
    rounded, fused = pois(Path(_core.__file__)), pois(variants.build_core(*variants.FUSED))
    rows = [
        f"| {config} | {mean(a)} | {mean(b)} | {np.count_nonzero(a != b)} of {RUNS} |"
        for config, a, b in zip(CONFIGS, rounded, fused, strict=True)
    ]
    head = ["| configuration | POIS | POIS, fused | runs that differ |", "|---|---|---|---|"]
    return [BEGIN, TEXT, *head, *rows, END]


def pois(core: Path) -> list[NDArray[np.float64]]:
    """The POIS of the runs of each configuration on a core."""
    process = variants.python(core, MEASURE, stdout=subprocess.PIPE)
    return [np.array(json.loads(line)) for line in process.stdout.splitlines()]


def mean(pois: NDArray[np.float64]) -> str:
    """With its standard error."""
    return f"{pois.mean():.4f} ± {pois.std(ddof=1) / np.sqrt(pois.size):.4f}"


def update() -> None:
    """Write this section of the page anew, and leave the others."""
    old = PAGE.read_text(encoding="utf-8")
    new, places = re.subn(f"{BEGIN}.*?{END}", lambda _: "\n".join(section()), old, flags=re.DOTALL)
    if places != 1:
        sys.exit(f"{PAGE.name} has {places} places between {BEGIN} and {END}, not one")
    PAGE.write_text(new, encoding="utf-8")
    print(f"wrote the section on rounding in {PAGE.name}")
