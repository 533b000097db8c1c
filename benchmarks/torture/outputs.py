"""Aim every writer at something it must not replace: links, pipes, devices, its own input, the inside of a store."""

from __future__ import annotations

import os
import random
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import debox
from benchmarks.torture import victim
from benchmarks.torture.victim import Failure

# The writers: a command with {store} and {out}; {out} ends in what the writer wants.
WRITERS = {
    "report": (("report", "{store}", "-o", "{out}"), ".html"),
    "pack": (("store", "pack", "{store}", "{out}"), ".parquet"),
    "export": (("store", "export", "{store}", "--csv", "{out}"), ".csv"),
}


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every writer at every target, in any order, again and again."""
    right = victim.undisturbed(folder)
    debox.open_store(folder / "undisturbed").pack(folder / "input.parquet")
    while True:
        pairs = [(writer, target) for writer in WRITERS for target in TARGETS]
        rng.shuffle(pairs)
        for writer, target in pairs:
            shutil.rmtree(folder / "target", ignore_errors=True)
            (folder / "target").mkdir()
            yield target, aim(folder, right, writer, target)


def aim(folder: Path, right: str, writer: str, target: str) -> str:
    """Let the writer write to the target; what must stay must have stayed."""
    words, suffix = WRITERS[writer]
    store = folder / "input.parquet"
    out, stays = TARGETS[target](folder / "target", suffix, store)
    end = victim.run(*(word.format(store=store, out=out) for word in words))
    attack = f"{writer} to a {target}"
    if not stays():
        raise Failure(f"{attack} replaced what it must not")
    victim.judge_store(folder / "undisturbed", right, attack)
    if victim.judge_store(store, right, attack) != victim.RIGHT:
        raise Failure(f"{attack} damaged its input")
    if left := [path.name for path in (folder / "target").rglob(".*.tmp")]:
        raise Failure(f"{attack} left {left}")
    return end


Target = tuple[Path, Callable[[], bool]]


def new_file(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"new{suffix}"
    return out, out.is_file


def link(folder: Path, suffix: str, store: Path) -> Target:
    """A link to a file that is there."""
    (folder / f"real{suffix}").touch()
    out = folder / f"link{suffix}"
    out.symlink_to(f"real{suffix}")
    return out, out.is_symlink


def dangling_link(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"link{suffix}"
    out.symlink_to(f"nowhere{suffix}")
    return out, out.is_symlink


def loop(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"loop{suffix}"
    out.symlink_to(out.name)
    return out, out.is_symlink


def directory(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"folder{suffix}"
    out.mkdir()
    return out, out.is_dir


def pipe(folder: Path, suffix: str, store: Path) -> Target:
    """A pipe that somebody reads."""
    out = folder / f"pipe{suffix}"
    os.mkfifo(out)
    threading.Thread(target=drain, args=(out,), daemon=True).start()
    return out, lambda: release(out) and stat.S_ISFIFO(out.stat().st_mode)


def drain(path: Path) -> None:
    with path.open("rb") as file:
        while file.read(2**16):
            pass


def release(path: Path) -> bool:
    """Let the reader go, if nobody has written."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    return True


def device(folder: Path, suffix: str, store: Path) -> Target:
    """A device like /dev/null, of our own; a link to /dev/null where only root could make one."""
    out = folder / f"device{suffix}"
    if os.geteuid() != 0:
        out.symlink_to("/dev/null")
        return out, out.is_symlink
    os.mknod(out, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    return out, out.is_char_device


def its_input(folder: Path, suffix: str, store: Path) -> Target:
    return store, store.is_file


def link_to_its_input(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"input{suffix}"
    out.symlink_to(store)
    return out, out.is_symlink


def hard_link_to_its_input(folder: Path, suffix: str, store: Path) -> Target:
    out = folder / f"input{suffix}"
    os.link(store, out)
    return out, lambda: out.samefile(store)


def inside_a_store(folder: Path, suffix: str, store: Path) -> Target:
    out = store.parent / "undisturbed" / "parts" / f"new{suffix}"
    return out, lambda: not out.exists()


def inside_a_store_by_a_link(folder: Path, suffix: str, store: Path) -> Target:
    (folder / "elsewhere").symlink_to(store.parent / "undisturbed")
    out = folder / "elsewhere" / f"new{suffix}"
    return out, lambda: not out.exists()


TARGETS: dict[str, Callable[[Path, str, Path], Target]] = {
    make.__name__.replace("_", " "): make
    for make in (
        *(new_file, link, dangling_link, loop, directory, pipe, device),
        *(its_input, link_to_its_input, hard_link_to_its_input, inside_a_store, inside_a_store_by_a_link),
    )
}
