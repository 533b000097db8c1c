"""Put a store under every odd path there is, also as `key=value`: the right table comes out, or a clear error."""

from __future__ import annotations

import csv
import os
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import debox
from benchmarks.torture import victim
from benchmarks.torture.victim import RIGHT, Failure
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS

NAMES = (
    *(
        "a b",
        "quote'",
        'double"',
        "back\\slash",
        "semi;colon",
        "-o",
        "--store",
        "per%cent",
        "$HOME",
        "{a,b}",
        "dollar$",
    ),
    *("star*", "what?", "[a]", "[!a]", "**", "new\nline", "tab\t", "ünï", "日本", "~", "~root", ".hidden", "..."),
    *("s3:", "http:", "file:", "x" * 200, "a=b=c", "=", "a=", "=b", "store.parquet", "*.parquet", "#", "&", "|"),
    os.fsdecode(b"not-utf-8-\xff"),
)
KEYS = (*(column.name for column in COLUMNS), "n", "filename", "file_row_number", "key")
VALUES = ("5", "abc", "__HIVE_DEFAULT_PARTITION__", "2020-01-01", "0.5")


def attacks(folder: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every name and every key=value, in any order, once; then pairs of them, one below the other, for ever."""
    right = victim.undisturbed(folder)
    odd = [("name", name) for name in NAMES]
    odd += [("key=value", f"{key}={rng.choice(VALUES)}") for key in KEYS]
    odd += [("key=value", f"{name}=5") for name in NAMES if "/" not in name and len(name) < 100]
    rng.shuffle(odd)
    for kind, name in odd:
        yield from under(folder / "odd" / name, folder, right, kind)
    for first, second in iter(lambda: (rng.choice(NAMES), f"{rng.choice(KEYS)}={rng.choice(VALUES)}"), None):
        for parts in product((first, second), repeat=2):
            yield from under(folder.joinpath("deep", *parts), folder, right, "nested")


def under(place: Path, folder: Path, right: str, kind: str) -> Iterator[tuple[str, str]]:
    """Run, merge, read, pack and export a store below this place."""
    for end in victim.in_child(cycle, place, folder, right):
        yield kind, end


def put_decoys(place: Path, folder: Path) -> None:
    """Stores of other runs where a path leads that takes the letters * ? [ for a pattern."""
    other = re.sub(r"\[!?(.)\]", r"\1", place.name).replace("*", "x").replace("?", "x")
    if other != place.name and not (place.parent / other / "store").exists():
        debox.run(victim.study_file(folder), place.parent / other / "store", only="N=5")
        debox.open_store(place.parent / other / "store").pack(place.parent / other / "packed.parquet")


def cycle(place: Path, folder: Path, right: str) -> list[str]:
    """The ends of one store's life below this place."""
    from debox.study import execute, plan

    plan.SHORTEST, execute.SHORTEST_PART = 0.0005, 0
    place.mkdir(parents=True, exist_ok=True)
    put_decoys(place, folder)
    store, ends = place / "store", []
    try:
        for _ in range(2):  # the second time there is nothing left to do
            debox.run(victim.study_file(folder), store, workers=1)
        if (store / "bad").exists():
            raise Failure(f"{place}: parts were set aside")
        ends.append(victim.judge_store(store, right, f"a store in {place}"))
        debox.open_store(store).pack(place / "packed.parquet")
        ends.append(victim.judge_store(place / "packed.parquet", right, f"a packed store in {place}"))
        debox.open_store(store).to_csv(place / "table.csv")
        with (place / "table.csv").open() as file:
            if len(list(csv.reader(file))) != victim.RUNS + 1:
                raise Failure(f"{place}: another CSV file")
        found = debox.open_store(store).sql("SELECT count(*) FROM runs WHERE N = 5").fetchall()
        if found != [(victim.RUNS // 2,)]:
            raise Failure(f"{place}: {found} runs have N = 5")
        ends.append(RIGHT)
    except (StoreError, ValueError) as error:
        if not str(error):
            raise Failure(f"{place}: an error without a message") from error
        ends.append(victim.REFUSED)
    return ends
