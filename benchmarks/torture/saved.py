"""Damaged files of Optimizer.save, loaded and run on in processes of their own, so that a crash is seen and counted.

Each file must end in the ValueError of Optimizer.load or in an optimizer that runs on: to the equal result where only
bytes were changed (the checksums see all others), else to a valid one.

    python -m benchmarks.torture.saved 10000 [seed]
    python -m benchmarks.torture.saved flips
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.torture.damage import change_bytes, change_content
from debox import Optimizer
from debox.optimize.saved import packed, unpacked

ROOT = Path(__file__).parents[2]
GOOD = ("error", "equal", "valid")  # every other outcome is a fault of debox
SECONDS = 20  # for one file
FILES = 1000  # of one process
BOUNDS = [(-1, 1), (0, 0.5), (5, 9)]
VARIANTS = [("DE/rand/1/bin", "mirror"), ("DE/curr-to-best/1/exp", "COTN"), ("L-SHADE", "saturation")]
BIT_GENERATORS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]
BASES = 2 * len(VARIANTS) * len(BIT_GENERATORS) * 3  # kinds of saved runs, told or asked, at three times


def fuzz(files, seed=0):
    """How many of so many damaged files ended how: a Counter of outcomes, of which only those in GOOD should be."""
    counts, first = Counter(), 0
    while first < files:
        last = min(first + FILES, files)
        command = [
            sys.executable,
            "-X",
            "faulthandler",
            "-m",
            "benchmarks.torture.saved",
            str(seed),
            str(first),
            str(last),
        ]
        child = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=FILES * SECONDS)
        outcomes = child.stdout.splitlines()
        counts.update(outcome.split()[0] for outcome in outcomes)
        if first + len(outcomes) < last:  # the next file ended the process
            counts["hang" if child.returncode == -signal.SIGALRM else "crash"] += 1
            print(f"file {first + len(outcomes)} of seed {seed}: exit code {child.returncode}", file=sys.stderr)
            first += 1
        first += len(outcomes)
    return counts


def f(X):
    return ((X - [0.9, 0.1, 5.0]) ** 2).sum(axis=1)


def run_on(optimizer, generations=40):
    """To the end, or for so many generations where a changed budget has none; are all points in the box?"""
    inside = True
    while not optimizer.done and generations:
        X = optimizer.ask()
        inside &= bool(optimizer.box.contains(X).all())
        optimizer.tell(X, f(X) if X.shape[1] == len(BOUNDS) else X.sum(axis=1))
        generations -= 1
    return inside


@cache
def base(kind):
    """A saved run, before or after some generations, perhaps between ask and tell; and its end."""
    kind, asked = divmod(kind, 2)
    kind, variant = divmod(kind, len(VARIANTS))
    generations, bit_generator = divmod(kind, len(BIT_GENERATORS))
    rng = np.random.Generator(BIT_GENERATORS[bit_generator](7))
    variant, strategy = VARIANTS[variant]
    optimizer = Optimizer(BOUNDS, variant, strategy=strategy, N=7, F=0.9, Cr=0.3, budget=150, rng=rng)
    run_on(optimizer, [0, 1, 9][generations])
    if asked:
        optimizer.ask()
    with tempfile.TemporaryDirectory() as folder:
        optimizer.save(Path(folder) / "run")
        data = (Path(folder) / "run").read_bytes()
    run_on(optimizer)
    return data, optimizer.result


def damaged(number, seed):
    """The file of this number, half of them with changed bytes, and what an undamaged one ends in."""
    rng = np.random.default_rng([seed, number])
    data, end = base(int(rng.integers(BASES)))
    return (change_content if number % 2 else change_bytes)(data, rng), end


def outcome(path, end, may_differ):
    """How loading a file and going on from it ends, in a word, and why."""
    try:
        optimizer = Optimizer.load(path)
    except ValueError as error:
        name = repr(os.fspath(path))
        ours = (f"{name} is not a file that Optimizer.save wrote", f"{name} has an unknown ")
        return "error" if str(error).startswith(ours) else f"strange {error!r}"
    except Exception as error:
        return f"exception {error!r}"
    inside = run_on(optimizer)
    result = optimizer.result
    kinds = {name: np.asarray(end[name]).dtype.kind for name in end if name in result}  # a file may not know the sides
    numbers = [name for name, kind in kinds.items() if kind in "fi"]  # others follow from them
    if all(np.array_equal(result[name], end[name], equal_nan=True) for name in numbers):
        return "equal"
    counts = (
        0 <= result.n_infeasible <= result.nfev <= optimizer.budget and (result.infeasible_per_dimension >= 0).all()
    )
    valid = may_differ and inside and counts and optimizer.box.contains(result.population).all()
    return "valid" if valid else f"invalid {result.message}"


def run(seed, first, last):
    """The files of these numbers, one line each; a file that takes too long kills the process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        for number in range(first, last):
            data, end = damaged(number, seed)
            path.write_bytes(data)
            signal.alarm(SECONDS)
            print(" ".join(outcome(path, end, bool(number % 2)).split()), flush=True)
            signal.alarm(0)


def flips(seed=0):
    """One bit of each byte of a file flipped: how many were refused, how many changed nothing; others are faults."""
    data, rng, counts = base(BASES - 1)[0], np.random.default_rng(seed), Counter()
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << int(rng.integers(8))
        try:
            counts["equal" if packed(unpacked(bytes(flipped))) == data else f"wrong: byte {place}"] += 1
        except ValueError:
            counts["error"] += 1
    return counts


if __name__ == "__main__":
    if sys.argv[1:] == ["flips"]:
        sys.exit(print(dict(flips())))
    numbers = [int(argument) for argument in sys.argv[1:]]
    if len(numbers) == 3:
        run(*numbers)
    else:
        print(dict(fuzz(*numbers)))
