"""What is attacked, a small study and its store, and what counts as a good end: the right table or a clear error."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import debox
from debox.store.errors import StoreError

RIGHT, REFUSED = "right table", "clear error"
SECONDS = 60  # an attack that takes longer hangs

STUDY = """
name = "victim"
runs = 5
dimension = 4
budget = 3000
mutation = ["rand/1", "rand/2"]
crossover = "bin"
strategy = ["sat", "tor"]
N = [5, 20]
F = 0.5
Cr = 0.9
engine = "plain"
"""
RUNS = 40
# The command `debox`, with few runs in a chunk and in a part, so that there is much to interrupt.
COMMAND = """
from debox.study import execute, plan
plan.SHORTEST, execute.SHORTEST_PART = 0.0005, 0
from debox.cli import main
main()
"""


class Failure(Exception):
    """An attack that debox did not withstand; the message says which and what came of it."""


def study_file(folder: Path) -> Path:
    """The study in a file of this folder."""
    file = folder / "victim.toml"
    if not file.exists():
        file.write_text(STUDY)
    return file


def command(*arguments: object, code: str = COMMAND) -> list[str]:
    """The command `debox` with these arguments, as a process of its own."""
    return [sys.executable, "-c", code, *map(str, arguments)]


def run(*arguments: object, code: str = COMMAND, prefix: Iterable[str] = (), **environment: str) -> str:
    """Run the command to its end: RIGHT if it says all is well, REFUSED if it says what is wrong; else a Failure."""
    words = [*prefix, *command(*arguments, code=code)]
    try:
        ended = subprocess.run(
            words, capture_output=True, timeout=SECONDS, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"debox {arguments} hangs") from None
    return judge_end(ended.returncode, ended.stderr.decode(errors="replace"), arguments)


def judge_end(code: int, stderr: str, attack: object) -> str:
    """RIGHT for a process that ended well, REFUSED for one that said what is wrong; a crash is a Failure."""
    if code == 0:
        return RIGHT
    if code not in (1, 2) or "Traceback" in stderr or not stderr.strip():
        raise Failure(f"{attack} ends with {code}: {stderr[-2000:]}")
    return REFUSED


def content(table: dict[str, Any]) -> str:
    """A digest of all values of a table but the time that runs took; the columns' order does not matter."""
    said = hashlib.sha256()
    for name in sorted(set(table) - {"seconds"}):
        said.update(name.encode())
        values = [np.asarray(point).tolist() for point in table[name]]
        said.update(repr(values).encode())
    return said.hexdigest()


def judge_store(path: Path | str, right: str, attack: object) -> str:
    """RIGHT if the store has the right table, REFUSED if debox says why it has not; a Failure if it has another."""
    try:
        found = content(debox.open_store(path).table())
    except (StoreError, ValueError) as error:
        if not str(error):
            raise Failure(f"{attack}: an error without a message, {error!r}") from error
        return REFUSED
    except Exception as error:
        raise Failure(f"{attack} ends in {error!r}") from error
    if found != right:
        raise Failure(f"{attack}: another table, and no error")
    return RIGHT


def undisturbed(folder: Path) -> str:
    """What the table of the study must be, as `content` says it; its store is folder/undisturbed."""
    debox.run(study_file(folder), folder / "undisturbed")
    return content(debox.open_store(folder / "undisturbed").table())


def in_child(function: Any, *arguments: Any) -> Any:
    """What the function gives when it is called in a process of its own, so that a crash or a hang is seen.

    It is a fork of this one: starting Python and importing debox takes longer than most attacks.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        try:
            return pool.submit(function, *arguments).result(timeout=SECONDS * 3)
        except BrokenProcessPool:
            raise Failure(f"{function.__name__}{arguments} crashed") from None
        except TimeoutError:
            for process in pool._processes.values():
                process.kill()
            raise Failure(f"{function.__name__}{arguments} hangs") from None
        except Exception as error:
            raise error if isinstance(error, Failure) else Failure(f"{function.__name__} ends in {error!r}") from error
