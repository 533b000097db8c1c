"""What a person waits for: the first call after the installation, the first call of the next process, the import."""

import os
import re
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from benchmarks.measure import progress, verdict

REPEATS = 3
OBJECTIVES = {
    "NumPy": "lambda X: (X * X).sum(axis=0), vectorized=True",
    "Numba": "__import__('numba').njit(lambda x: (x * x).sum())",
}
CALL = "import debox; debox.minimize(bounds=[(-5, 5)] * 30, N=20, budget=2000, fun={})"
IMPORT = "import time; t = time.perf_counter(); import debox; print(time.perf_counter() - t)"


class Process(NamedTuple):
    wall: float  # seconds until its end
    cpu: float
    spoke: float  # seconds until its first word on stderr
    said: str


def python(code: str, cache: str) -> Process:
    """A Python process that runs this code."""
    environment = {**os.environ, "DEBOX_CACHE_DIR": cache}
    started, before = time.perf_counter(), cpu_of_children()
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, bufsize=0) as process:
        assert process.stderr is not None
        first = process.stderr.read(1)
        spoke = time.perf_counter() - started
        said = (first + process.stderr.read()).decode()
    if process.returncode:
        raise RuntimeError(f"{code!r} failed:\n{said}")
    return Process(time.perf_counter() - started, cpu_of_children() - before, spoke, said)


def cpu_of_children() -> float:
    """CPU seconds of the processes that were started here and have ended."""
    usage = os.times()
    return usage.children_user + usage.children_system


def compiling_seconds(process: Process) -> float:
    """How long debox compiled, as it says line by line."""
    return sum(map(float, re.findall(r"^debox: compiling .* … ([0-9.]+) s$", process.said, re.MULTILINE)))


def import_seconds() -> float:
    """The time of `import debox` inside a new process."""
    return float(subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout)


def report() -> None:
    print("Start-up: wall time of a whole process, from nothing to its first result (2000 evaluations)")
    lines = []
    for name, objective in OBJECTIVES.items():
        progress(f"start-up with an empty cache, {name} objective")
        with tempfile.TemporaryDirectory() as cache:
            first, *later = (python(CALL.format(objective), cache) for _ in range(1 + REPEATS))
        second = min(later)
        print(f"\n  {name} objective, what the first process says on stderr:")
        print("\n".join(f"    {line}" for line in first.said.splitlines()))
        lines.append(verdict(f"{name}, first process, what debox says it compiles", compiling_seconds(first), 8, "s"))
        lines.append(verdict(f"{name}, first process, all its CPU time (wall {first.wall:.1f} s)", first.cpu, 8, "s"))
        lines.append(verdict(f"{name}, first process, until it says what one waits for", first.spoke, 2, "s"))
        lines.append(
            verdict(f"{name}, second process, best of {REPEATS} (CPU {second.cpu:.1f} s)", second.wall, 2, "s")
        )
    progress("import debox")
    lines.append(verdict(f"import debox, best of {REPEATS}", min(import_seconds() for _ in range(REPEATS)), 0.5, "s"))
    print("\nDemands (where the CPU time is much less than the wall time, the machine was busy with something else)")
    print("\n".join(lines))
