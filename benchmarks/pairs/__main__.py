"""`python -m benchmarks.pairs REVISION [PAIRS]`: is the code here as fast as that of a revision in its history?

A pair is two processes, one of each, which share a core and take turns of a twentieth of a second; the shortest of its
turns is what a process needs for a setting, and their ratio, here ÷ revision, is what the pair says. Where machine code
and arrays come to lie differs from process to process and changes speeds by some per cent: hence many pairs. Shown are
the median over pairs and an interval of order statistics that covers the true median with a chance of at least 95 %,
whatever the distribution.

`python -m benchmarks.pairs REVISION PAIRS REVISION` compares two revisions; the same one twice is the control: it shows
what is noise. A further argument chooses the settings whose names have it in them.
"""

import os
import subprocess
import sys
import tempfile
from math import comb
from pathlib import Path

import numpy as np

from benchmarks.measure import progress, table
from benchmarks.pairs import settings

ROOT = Path(__file__).parents[2]
TURNS = 12  # of each process of a pair, for each setting
LIMITS = 0.97, 1.03  # between which the interval should lie


def check_out(revision: str, folder: Path) -> Path:
    """The source of a revision, in a new folder, with its C core if it has one."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    if (folder / "src" / "debox" / "core").is_dir():
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=folder, env={**os.environ, "DEBOX_CORE": "required"}, check=True)
    return folder / "src"


def start(source: Path, folder: Path) -> subprocess.Popen[str]:
    """A process that times the debox of this source; what older revisions compile is kept in the folder."""
    variables = {
        **os.environ,
        "PYTHONPATH": str(source),
        "DEBOX_CACHE_DIR": str(folder / f"cache-{source.parent.name}"),
    }
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, settings.__file__], env=variables, **pipes)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {max(os.sched_getaffinity(0))})
    imported = process.stdout.readline().strip()
    if not imported.startswith(str(source)):
        raise RuntimeError(f"the process was to time the debox in {source}, but imported {imported!r}")
    return process


def turn(process: subprocess.Popen[str], setting: str) -> float:
    """CPU seconds of one turn."""
    process.stdin.write(f"{setting}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def ratios_of_pair(old: subprocess.Popen[str], new: subprocess.Popen[str], chosen: list[str]) -> list[float]:
    """For each setting, the shortest turn of the new process ÷ the shortest of the old; who begins alternates."""
    ratios = []
    for setting in chosen:
        turns = {process: [] for process in (old, new)}
        for round_ in range(TURNS):
            for process in (old, new) if round_ % 2 == 0 else (new, old):
                turns[process].append(turn(process, setting))
        ratios.append(min(turns[new]) / min(turns[old]))
    return ratios


def interval(pairs: int) -> tuple[int, int]:
    """The ranks, from 0, between which the median lies with a chance of at least 95 %."""
    outside = [2 * sum(comb(pairs, k) for k in range(rank + 1)) / 2**pairs for rank in range(pairs // 2)]
    low = sum(chance <= 0.05 for chance in outside) - 1
    if low < 0:
        raise ValueError(f"pairs must be at least 6 for an interval of 95 %, got {pairs}")
    return low, pairs - 1 - low


def main(revision: str, pairs: int = 24, new_revision: str = "", part: str = "") -> None:
    low, high = interval(pairs)
    chosen = [setting for setting in settings.SETTINGS if part in setting]
    if not chosen:
        raise ValueError(f"no setting has {part!r} in its name; there are {', '.join(settings.SETTINGS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old_source = check_out(revision, folder / "old")
        new_source = check_out(new_revision, folder / "new") if new_revision else ROOT / "src"
        found = []
        for pair in range(pairs):
            progress(f"pair {pair + 1} of {pairs}")
            processes = [start(source, folder) for source in (old_source, new_source)]
            try:
                found.append(ratios_of_pair(*processes, chosen))
            finally:
                for process in processes:
                    process.stdin.close()
                    process.wait()
    rows = []
    for setting, ratios in zip(chosen, np.sort(found, axis=0).T, strict=True):
        inside = LIMITS[0] <= ratios[low] and ratios[high] <= LIMITS[1]
        verdict = "ok" if inside else "faster" if ratios[high] < 1 else "slower" if ratios[low] > 1 else "too wide"
        rows.append([setting, f"{np.median(ratios):.3f}", f"[{ratios[low]:.3f}, {ratios[high]:.3f}]", verdict])
    print(f"CPU time, {new_revision or 'here'} ÷ {revision}, {pairs} pairs of processes, {TURNS} turns each")
    print(table(["setting", "median", "95 % interval", f"inside {list(LIMITS)}?"], rows))


revision, *others = sys.argv[1:] or sys.exit(__doc__)
main(revision, *(int(text) for text in others[:1]), *others[1:])
