"""Damage a file of a store, a packed store or a saved optimizer: flip bits, cut, append, fill with zeros."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import debox
from benchmarks.torture import victim
from benchmarks.torture.victim import Failure

AT_A_TIME = 25  # attacks in one child process


def flip(data: bytearray, rng: random.Random) -> None:
    """One bit."""
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def cut(data: bytearray, rng: random.Random) -> None:
    """The end is missing."""
    del data[rng.randrange(len(data) + 1) :]


def zero(data: bytearray, rng: random.Random) -> None:
    """A stretch of zeros, as a power cut leaves it."""
    first = rng.randrange(len(data) + 1)
    data[first : first + 512] = bytes(len(data[first : first + 512]))


def append(data: bytearray, rng: random.Random) -> None:
    """Something that does not belong there."""
    data += rng.randbytes(rng.randint(1, 64))


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (flip, flip, flip, cut, zero, append)


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Damage what lies in a folder, look at what debox makes of it, put it back."""
    right = victim.undisturbed(folder)
    store = folder / "undisturbed"
    victim.run("run", victim.study_file(folder), "--store", folder / "parts", code=victim.COMMAND)
    debox.open_store(store).pack(folder / "packed.parquet")
    saved_optimizer(folder)
    while True:
        for what in (damage_stores, damage_saved):
            yield from victim.in_child(what, folder, right, rng.random())


def damaged(file: Path, rng: random.Random) -> bytes:
    """Damage the file; what it was before."""
    before = file.read_bytes()
    data = bytearray(before)
    rng.choice(DAMAGES)(data, rng)
    file.write_bytes(data)
    return before


def damage_stores(folder: Path, right: str, seed: float) -> list[tuple[str, str]]:
    """Files of a store of several parts, of one part, and of a packed one."""
    rng, ends = random.Random(seed), []
    for _ in range(AT_A_TIME):
        path = folder / rng.choice(["undisturbed", "parts", "packed.parquet"])
        file = path if path.is_file() else rng.choice(sorted(f for f in path.rglob("*") if f.is_file()))
        before = damaged(file, rng)
        try:
            ends.append((f"store: {kind(file)}", victim.judge_store(path, right, f"a damaged {file.name}")))
        finally:
            file.write_bytes(before)
    return ends


def kind(file: Path) -> str:
    """What a file of a store is."""
    if file.parent.name == "parts":
        return "part"
    return "packed" if file.suffix == ".parquet" else file.name


def objective(x: np.ndarray) -> float:
    return float((x**2).sum())


def saved_optimizer(folder: Path) -> None:
    """An optimizer in the middle of its work, in folder/saved.npz; what its end is, in folder/end.npy."""
    opt = debox.Optimizer([(-1, 2)] * 3, N=6, budget=120, rng=1)
    for _ in range(4):
        X = opt.ask()
        opt.tell(X, [objective(x) for x in X])
    opt.ask()
    opt.save(folder / "saved.npz")
    np.save(folder / "end.npy", goes_on(opt))


def goes_on(opt: debox.Optimizer) -> np.ndarray:
    """The population at the end of its run."""
    while not opt.done:
        X = opt.ask()
        opt.tell(X, [objective(x) for x in X])
    return np.asarray(opt.result.population)


def damage_saved(folder: Path, right: str, seed: float) -> list[tuple[str, str]]:
    """The file of a saved optimizer."""
    rng, file, end, ends = random.Random(seed), folder / "saved.npz", np.load(folder / "end.npy"), []
    for _ in range(AT_A_TIME):
        before = damaged(file, rng)
        try:
            same = np.array_equal(goes_on(debox.Optimizer.load(file)), end)
        except ValueError:
            ends.append(("saved optimizer", victim.REFUSED))
        else:
            if not same:
                raise Failure("a damaged optimizer goes on to another end")
            ends.append(("saved optimizer", victim.RIGHT))
        finally:
            file.write_bytes(before)
    return ends
