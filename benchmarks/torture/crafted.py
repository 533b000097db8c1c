"""Files that somebody made with care: manifests, study files, saved optimizers."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import debox
from benchmarks.torture import saved, victim
from benchmarks.torture.victim import REFUSED, RIGHT, Failure
from debox.store.errors import StoreError

AT_A_TIME = 15  # attacks in one child process
FUZZED = 2000  # saved optimizers at a time

# Values that somebody may write where a name, a number or a list is expected.
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63 - 1, 2**64, 10**30, -0.0, 0.5, 1e308, float("inf"), float("nan")),
    *("", "x", "N", "5", "/../../x", "../x", "a/b", "=1+1", "\x00", "<script>", "%s", "{}", "ü", "1e999", "x" * 10**5),
    *([], [1], [[]], {}, {"a": 1}, [None], ["rand/1"], [0.5] * 1000),
)


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """All kinds by turns."""
    victim.undisturbed(folder)
    while True:
        for craft in (manifests, studies):
            yield from victim.in_child(craft, folder, rng.random())
        for end, count in saved.fuzz(FUZZED, rng.randrange(2**32)).items():
            if end not in saved.GOOD:
                raise Failure(f"a crafted optimizer ends in {end}")
            yield from [("saved optimizer", REFUSED if end == "error" else RIGHT)] * count


def survives(kind: str, use: Any, attack: object) -> tuple[str, str]:
    """How a crafted file ends: with a result, or with an error that says why."""
    try:
        use()
    except (StoreError, ValueError, debox.StudyError) as error:
        if not str(error):
            raise Failure(f"{attack}: an error without a message") from error
        return kind, REFUSED
    except Exception as error:
        raise Failure(f"{attack} ends in {error!r}") from error
    return kind, RIGHT


def changed(value: Any, rng: random.Random) -> Any:
    """The value with something else somewhere in it."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        if rng.random() < 0.15:
            return {name: kept for name, kept in value.items() if name != key}
        return {**value, key: changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.5:
        k = rng.randrange(len(value))
        return [*value[:k], changed(value[k], rng), *value[k + 1 :]]
    return rng.choice(ODD)


def written(value: Any, rng: random.Random) -> bytes:
    """A text of it, now and then one that is no JSON."""
    text = json.dumps(value).encode()
    if rng.random() < 0.1:
        return rng.choice([b"", b"\xff\xfe", b"[" * 10**5, text[: len(text) // 2], b'{"a":' * 10**5])
    return text


def manifests(folder: Path, seed: float) -> list[tuple[str, str]]:
    """manifest.json with something else in it: status, table, and a run that goes on."""
    from debox.study.status import status_of

    rng, ends, copy = random.Random(seed), [], folder / "copy"
    for _ in range(AT_A_TIME):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder / "undisturbed", copy)
        given = changed(json.loads((copy / "manifest.json").read_bytes()), rng)
        (copy / "manifest.json").write_bytes(written(given, rng))
        said = f"manifest {json.dumps(given)[:1000]}"
        ends.append(survives("manifest", lambda: status_of(copy), said))
        ends.append(survives("manifest", lambda: debox.open_store(copy).table(), said))
        ends.append(survives("manifest", lambda: debox.run(victim.study_file(folder), copy), said))
    return ends


def studies(folder: Path, seed: float) -> list[tuple[str, str]]:
    """A study file with something else in it: planned, or refused with a reason."""
    import tomllib

    rng, ends, file = random.Random(seed), [], folder / "crafted.toml"
    for _ in range(AT_A_TIME):
        given = changed(tomllib.loads(victim.STUDY), rng)
        if rng.random() < 0.9 and isinstance(given, dict):
            text = "\n".join(f"{key} = {toml(value)}" for key, value in given.items()).encode("utf-8", "replace")
        else:
            text = written(given, rng)
        file.write_bytes(text)
        ends.append(survives("study", lambda: show(file), f"study {text[:1000]!r}"))
    return ends


def toml(value: Any) -> str:
    """A value as TOML writes it; what it cannot write is left out."""
    if isinstance(value, float) and value != value:
        return "nan"
    if value in (float("inf"), None) or isinstance(value, dict):
        return "inf" if value else "{}"
    return json.dumps(value)


def show(file: Path) -> None:
    """What `debox study show` does."""
    from debox.cli.study import describe_study

    describe_study(debox.Study.load(file))
