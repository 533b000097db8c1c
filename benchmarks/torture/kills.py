"""Kill `debox run` at any moment, also between two calls of the file system; whatever is left must be whole."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import debox
from benchmarks.torture import victim
from benchmarks.torture.victim import Failure

# Kill the process just before its k-th call of one of these, or only of those that concern parts.
DIES_AT_A_CALL = """
import os, signal
left = [{k}]
def dying(call, only_parts):
    def called(path, *args, **options):
        if not only_parts or str(path).endswith(".parquet"):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return call(path, *args, **options)
    return called
for name in {names}:
    setattr(os, name, dying(getattr(os, name), {only_parts}))
"""
CALLS = ("replace", "unlink", "link", "fsync", "rename", "open", "close")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Kill runs on one store until it is complete, again and again."""
    right = victim.undisturbed(folder)
    store = folder / "killed"
    while True:
        shutil.rmtree(store, ignore_errors=True)
        stored = 0
        for _ in range(rng.randint(2, 6)):
            kind = rng.choice(["signal", "call", "merge"])
            died = kill_once(folder, store, kind, rng)
            stored = nothing_is_lost(store, stored, kind)
            yield kind if died else "came too late", victim.RIGHT
        if victim.run("run", victim.study_file(folder), "--store", store) != victim.RIGHT:
            raise Failure("a killed run cannot be resumed")
        yield "resumed", victim.judge_store(store, right, "resuming a killed run")


def kill_once(folder: Path, store: Path, kind: str, rng: random.Random) -> bool:
    """Start a run and kill it, from outside or by itself at a call of the file system; whether it was not faster."""
    code = victim.COMMAND
    if kind != "signal":
        merging = kind == "merge"
        k, names = (rng.randint(1, 12), ["unlink"]) if merging else (rng.randint(1, 150), list(CALLS))
        code = DIES_AT_A_CALL.format(k=k, names=names, only_parts=merging) + code
    arguments = ("run", victim.study_file(folder), "--store", store, "--json", "--workers", rng.choice("12"))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(victim.command(*arguments, code=code), **pipes)  # type: ignore[call-overload]
    try:
        process.communicate(timeout=rng.uniform(0.5, 1.8) if kind == "signal" else victim.SECONDS)
    except subprocess.TimeoutExpired:
        if kind != "signal":
            raise Failure(f"a run that dies at a call of {kind} hangs") from None
        process.send_signal(rng.choice(SIGNALS))
        try:
            process.communicate(timeout=victim.SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure("a run does not end on a signal") from None
    finally:
        process.kill()
        process.communicate()
    return process.returncode != 0


def nothing_is_lost(store: Path, stored: int, kind: str) -> int:
    """How many runs are there: not fewer than before, each once, all parts whole."""
    if not (store / "manifest.json").exists():
        return stored
    opened = debox.open_store(store)
    ids = opened.table(["id"])["id"].tolist() if (store / "parts").is_dir() else []
    if len(ids) < stored or len(set(ids)) < len(ids) or opened.bad_parts():
        raise Failure(f"after a kill ({kind}): {stored} runs before, {len(ids)} after, bad {opened.bad_parts()}")
    return len(ids)
