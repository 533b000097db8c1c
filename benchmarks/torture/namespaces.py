"""Writers in PID namespaces of their own, as containers are: a living one keeps its store, a dead one's is resumed."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.torture import victim
from benchmarks.torture.victim import REFUSED, RIGHT, Failure

UNSHARE = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
# A writer that stops for good, with the lock in its hand, before its first run.
HOLDS_THE_LOCK = (
    """
import time
from debox.study.execute import Execution
def hold(execution):
    print("holding", flush=True)
    time.sleep(600)
Execution.run = hold
"""
    + victim.COMMAND
)


def are_allowed() -> bool:
    """Whether this machine lets us make namespaces."""
    try:
        return subprocess.run([*UNSHARE, "true"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """One writer holds the store, another comes from elsewhere; then the first is killed, and the other comes again."""
    if not are_allowed():
        yield "namespaces are not allowed here", REFUSED
        return
    right = victim.undisturbed(folder)
    store, study = folder / "shared", victim.study_file(folder)
    while True:
        shutil.rmtree(store, ignore_errors=True)
        there, here = rng.choice([(UNSHARE, ()), ((), UNSHARE), (UNSHARE, UNSHARE)])
        holder = subprocess.Popen(
            [*there, *victim.command("run", study, "--store", store, code=HOLDS_THE_LOCK)], stdout=subprocess.PIPE
        )
        try:
            assert holder.stdout is not None
            if holder.stdout.readline() != b"holding\n":
                raise Failure("a writer in a namespace does not begin")
            if victim.run("run", study, "--store", store, prefix=here) != REFUSED:
                raise Failure(f"a living writer ({there}) was robbed from {here}")
            yield "living", REFUSED
        finally:
            holder.send_signal(signal.SIGKILL)
            holder.communicate()
        wait_for_death()
        if victim.run("run", study, "--store", store, prefix=here) != RIGHT:
            raise Failure(f"the store of a dead writer ({there}) is not resumed from {here}")
        yield "dead", victim.judge_store(store, right, "resuming from another namespace")


def wait_for_death() -> None:
    """The kernel ends a namespace a moment after its first process."""
    time.sleep(0.3)
