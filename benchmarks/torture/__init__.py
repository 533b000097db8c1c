"""`make torture`: debox is killed, its disk is full, its files are damaged; each attack must end well.

A campaign generates lists of (attack, end). A good end is the right table or a clear error; a crash, a traceback,
silence, a hang or a wrong table is a Failure. What may crash or hang is done by a `Child`; none outlives its campaign.
"""

import json
import os
import pickle
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import debox
from debox.store.errors import StoreError

RIGHT, REFUSED = "right table", "clear error"
SECONDS = 100  # after which a child hangs
ENDED = os.WEXITED | os.WNOWAIT | os.WNOHANG
QUICK, LONG = 3000, 60_000  # budgets: a study of a tenth of a second, and one of some seconds

STUDY = {"name": "victim", "runs": 20, "dimension": 10, "mutation": ["rand/1", "rand/2"], "crossover": "bin",
         "strategy": ["sat", "tor"], "N": [5, 20], "F": 0.5, "Cr": 0.9, "engine": "plain"}  # fmt: skip
# The command `debox` with short chunks, and often a part: moments enough for an attack.
COMMAND = """
from debox.study import execute, plan
plan.SHORTEST, execute.SHORTEST_PART = 0.01, 0.2
from debox.cli import main
main()
"""

Ends = Iterator[list[tuple[str, str]]]
Rows = dict[str, str]  # of a table: id → all other values but the time that the run took


class Failure(Exception):
    """An attack that debox did not withstand; the message says which and what came of it."""


class Child:
    """A call in a fork of this process that leads a group of its own; its output goes to files."""

    living: ClassVar[list["Child"]] = []

    def __init__(self, folder: Path, call: Callable[..., Any], *arguments: Any) -> None:
        self.files = Path(tempfile.mkdtemp(prefix="child-", dir=folder))
        self.what = f"{call.__name__} {arguments}"[:120]
        ready, begun = os.pipe()
        self.pid, code = os.fork(), 70
        if self.pid:
            self.living.append(self)
            os.close(begun)
            os.read(ready, 1)  # its end: now the child leads its group, and hears signals
            os.close(ready)
            return
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for number, name in enumerate(("in", "out", "err")):
                os.dup2(os.open(self.files / name, os.O_CREAT | os.O_RDWR | os.O_APPEND), number)
            os.close(begun)
            (self.files / "result").write_bytes(pickle.dumps(call(*arguments)))
            code = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)

    def said(self, name: str = "err") -> str:
        """The output so far; the errors, unless "out" is asked for."""
        return (self.files / name).read_text(errors="replace")

    def ends(self, seconds: float = SECONDS) -> bool:
        """Whether it ends within so many seconds."""
        until = time.monotonic() + seconds
        while not (ended := os.waitid(os.P_PID, self.pid, ENDED)) and time.monotonic() < until:
            time.sleep(0.005)
        return ended is not None

    def reap(self) -> int:
        """End it, if it has not ended, and all that it started; its exit code, -9 after a kill."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.living.remove(self)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def code(self, seconds: float = SECONDS) -> int:
        """Its exit code when it has ended by itself; it must not hang."""
        in_time, code = self.ends(seconds), self.reap()
        if not in_time:
            raise Failure(f"{self.what} hangs: {self.said()[-2000:]}")
        return code

    def result(self, seconds: float = SECONDS) -> Any:
        """What the call gives; it must not raise, crash or hang."""
        if code := self.code(seconds):
            raise Failure(f"{self.what} ends with {code}: {self.said()[-2000:]}")
        return pickle.loads((self.files / "result").read_bytes())

    def end(self) -> str:
        """RIGHT for a command that ends well, REFUSED for one that says what is wrong."""
        code, said = self.code(), self.said()
        if code not in (0, 1, 2) or "Traceback" in said or (code and not said.strip()):
            raise Failure(f"{self.what} ends with {code}: {said[-2000:] or 'silence'}")
        return REFUSED if code else RIGHT


def program(folder: Path, *words: object) -> Child:
    """Python with these words."""
    return Child(folder, os.execv, sys.executable, [sys.executable, *map(str, words)])


def rows(path: object) -> Rows:
    """The rows of a store, each there once."""
    table = debox.open_store(path).table()
    values = [np.asarray(table[name]).tolist() for name in sorted(table) if name != "seconds"]
    found = dict(zip(table["id"].tolist(), map(repr, zip(*values, strict=True)), strict=True))
    if len(found) < len(table["id"]):
        raise Failure(f"{path}: {len(table['id']) - len(found)} runs are there twice")
    return found


def judge(path: object, right: Rows, what: str) -> str:
    """RIGHT if a store has the right table; debox's own errors pass."""
    if rows(path) != right:
        raise Failure(f"{what}: another table, and no error")
    return RIGHT


def try_to(call: Callable[..., str], *arguments: Any) -> str:
    """What the call gives, or REFUSED if debox says why it cannot."""
    try:
        return call(*arguments)
    except (StoreError, ValueError) as error:
        if not str(error):
            raise Failure(f"{call.__name__}{arguments}: an error without a message") from error
        return REFUSED


def victim(folder: Path, budget: int = QUICK) -> tuple[Path, Rows]:
    """The file of a study, and the table that it must have; folder/undisturbed is its store."""
    file, keys = folder / "victim.toml", {**STUDY, "budget": budget}
    file.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items()))
    return file, rows(debox.run(file, folder / "undisturbed").path)


def campaign(attacks: Callable[[Path, random.Random], Ends], seconds: float, seed: int) -> tuple[Counter[Any], str]:
    """Attack for so long; how often each attack came to each end, and a failure, or ""."""
    counts, until, failure = Counter[tuple[str, str]](), time.monotonic() + seconds, ""
    with tempfile.TemporaryDirectory(prefix="debox-torture-") as folder:
        try:
            for ends in attacks(Path(folder), random.Random(seed)):
                counts.update(ends)
                if time.monotonic() > until:
                    break
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        finally:
            while Child.living:
                Child.living[-1].reap()
    return counts, failure
