"""What a person waits for: the first call of a process in an empty home, beside SciPy's, and imports."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import NamedTuple

from benchmarks.measure import progress, verdict

PAIRS = 5
PROBLEM = "fun, bounds = lambda x: (x * x).sum(), [(-5, 5)] * 4"  # budget 2 000
FIRST_CALLS = {
    "debox": f"import debox; {PROBLEM}; assert debox.minimize(fun, bounds, budget=2000).nfev <= 2000",
    "SciPy": f"from scipy.optimize import differential_evolution; {PROBLEM}; found = differential_evolution("
    "fun, bounds, popsize=10, maxiter=49, tol=0, atol=-1, polish=False); assert found.nfev == 2000",
}
IMPORTS = {"import debox": 0.17, "from debox import minimize": 0.17, "from debox import measure": 0.17}  # CPU seconds


class Process(NamedTuple):
    """Seconds of a whole process."""

    wall: float
    cpu: float


def python(code: str) -> Process:
    """A Python process that runs this code in an empty home."""
    started, before = time.perf_counter(), cpu_of_children()
    with tempfile.TemporaryDirectory() as home:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        subprocess.run([sys.executable, "-c", code], env={**environment, "HOME": home}, check=True)
    return Process(time.perf_counter() - started, cpu_of_children() - before)


def cpu_of_children() -> float:
    """CPU seconds of the processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def report() -> None:
    print(f"Start-up: a whole process in an empty home that minimises once (n = 4, 2 000 evaluations), {PAIRS} pairs\n")
    progress("first calls")
    pairs = [[python(code) for code in FIRST_CALLS.values()] for _ in range(1 + PAIRS)][1:]  # the first one reads disks
    for k, name in enumerate(FIRST_CALLS):
        walls, cpus = zip(*(pair[k] for pair in pairs), strict=True)
        print(f"  {name:<6} wall {median(walls):.2f} s, CPU {median(cpus):.2f} s (medians)")
    progress("imports")
    numpy = min(python("import numpy").cpu for _ in range(PAIRS))
    print("\nDemands")
    for what in Process._fields:
        differences = [getattr(ours, what) - getattr(theirs, what) for ours, theirs in pairs]
        print(verdict(f"first call, debox − SciPy, {what}, median", median(differences), 0.3, "s"))
    for code, limit in IMPORTS.items():
        best = min(python(code).cpu for _ in range(PAIRS)) - numpy
        print(verdict(f"{code}, CPU beyond that of NumPy, best of {PAIRS}", best, limit, "s"))
