"""Fork while stores are read and runs are done: the child reads and runs as if nothing had been."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.torture import victim
from benchmarks.torture.victim import RIGHT, Failure

# A parent with busy threads forks children, which read the store and measure; each must say the same and end.
FORKS = """
import multiprocessing, os, sys, threading, time
import debox
from benchmarks.torture import victim
store, right, what, seed = sys.argv[1:]
CONFIG = "DE/rand/1/bin sat, N=5, F=0.5, Cr=0.9"
def read():
    return victim.content(debox.open_store(store).table()) == right
def measure():
    return debox.measure(CONFIG, n=4, budget=20_000, runs=1, engine="plain").pois[0]
def child(connection, expected):
    connection.send(read() and measure() == expected)
expected = measure()
assert read()
stop = threading.Event()
def busy():
    while not stop.is_set():
        read() if what == "reading" else measure()
thread = threading.Thread(target=busy, daemon=True)
if what != "quiet":
    thread.start()
context = multiprocessing.get_context("fork")
for k in range(3):
    time.sleep(0.01 * (int(seed) % 7) + 0.05)
    ours, theirs = context.Pipe()
    process = context.Process(target=child, args=(theirs, expected))
    process.start()
    if not ours.poll(40):
        process.kill()
        sys.exit("a forked child hangs")
    if not ours.recv():
        sys.exit("a forked child reads or measures something else")
    process.join(20)
stop.set()
os._exit(0)
"""


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Fork from a parent that is quiet, that reads in a thread, that runs in a thread."""
    right = victim.undisturbed(folder)
    while True:
        for what in ("quiet", "reading", "running"):
            arguments = [str(folder / "undisturbed"), right, what, str(rng.randrange(1000))]
            ended = subprocess.run(
                [sys.executable, "-c", FORKS, *arguments], capture_output=True, text=True, timeout=4 * victim.SECONDS
            )
            if ended.returncode:
                raise Failure(f"forking from a {what} parent: {ended.stderr[-2000:]}")
            yield what, RIGHT
