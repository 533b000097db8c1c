"""Store: a study's results, a directory of Parquet parts and a manifest, or one packed Parquet file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TextIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from debox.config import Config
from debox.store import files, frames, lock, pack, parquet, schema, table
from debox.store.errors import StoreError, explained
from debox.store.manifest import Manifest
from debox.store.parts import BadPart, Parts

Found = TypeVar("Found")


class Store:
    """Results of a study. `open_store` reads one; `Store.create` is for those who write.

    DIR/manifest.json                 which study, and what made it
    DIR/parts/<checksum>.parquet      finished runs; a part appears whole or not at all, and never changes
    DIR/lock*                         who writes
    DIR/bad                           damaged parts that were set aside
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._parts = Parts(path / "parts")
        self._owner: lock.Owner | None = None

    @property
    def study(self) -> dict[str, Any]:
        """The study as it was written."""
        return self.manifest.study

    # ---- write

    @classmethod
    def create(cls, path: str | PathLike[str], manifest: Manifest) -> Store:
        """A new store, or the one that is there if it holds the same study, made by the same kernels."""
        folder = Path(path)
        with explained(folder):
            if not (folder / "manifest.json").exists():
                _begin(folder, manifest)
        there = _open_folder(folder).manifest
        there.refuse_another(manifest, folder)
        return cls(folder, replace(there, study=manifest.study))

    @contextmanager
    def locked(self, shard: tuple[int, int] | None = None) -> Iterator[None]:
        """Hold the store, or a shard (i, n) of it, for writing; raises StoreError naming who holds it already."""
        self._owner = owner = lock.acquire(self.path, shard)
        try:
            self._prepare()
            yield
        except BaseException:
            with suppress(StoreError):  # what went wrong first is what matters
                lock.release(self.path, owner)
            raise
        else:
            lock.release(self.path, owner)
        finally:
            self._owner = None

    def _prepare(self) -> None:
        """Clear up after writers that were killed; note the study if it was edited (more runs, another F)."""
        with explained(self.path):
            self._parts.remove_leftovers({owner.token for owner in lock.owners(self.path)})
            written = self.manifest.to_json()
            if written != _open_folder(self.path).manifest.to_json():
                files.replace(self.path / "manifest.json", written)

    def append(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Store runs as one more part: all of them or none."""
        self._parts.append(schema.checked(columns), self._holder().token)

    def compact(self) -> None:
        """Merge all parts into one; whenever this is interrupted, readers see each run once."""
        holder = self._holder()
        if holder.shard is not None:
            raise StoreError(f"merging the parts of {self.path} needs the lock of the whole store")
        self._refuse_bad_parts()
        if len(self.parts()) > 1:
            self._parts.merge(holder.token)

    def set_aside_bad_parts(self) -> list[BadPart]:
        """Move damaged parts to DIR/bad, so that their runs are done again."""
        self._holder()
        bad = self.bad_parts()
        self._parts.set_aside(bad, self.path / "bad")
        return bad

    def _holder(self) -> lock.Owner:
        if self._owner is None:
            raise StoreError(f"{self.path} is written under its lock only: with store.locked(): …")
        if not lock.holds(self.path, self._owner):
            raise StoreError(f"the lock {self.path / self._owner.name} was taken away: another process may write")
        return self._owner

    # ---- read

    def parts(self) -> list[Path]:
        """The files that hold the runs."""
        return [self.path] if self.path.is_file() else self._parts.paths()

    def bad_parts(self) -> list[BadPart]:
        """Parts whose content is not what their name says, or that cannot be read."""
        return self._reading(lambda _: pack.bad(self.path) if self.path.is_file() else self._parts.bad())

    def finished(self) -> set[str]:
        """The ids of the runs in parts that are whole."""

        def ids(parts: list[Path]) -> set[str]:
            bad = {part.name for part in self.bad_parts()}
            return set(table.read([part for part in parts if part.name not in bad], ["id"])["id"])

        return self._reading(ids)

    def table(self, columns: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """Column name → array, a row per run, in the order of `schema.ORDER`; best_x is (rows, n) if n is one."""
        return self._reading(lambda parts: table.read(parts, columns))

    def edpois(self, config: Config | str, **where: Any) -> NDArray[np.float64]:
        """The POIS of a configuration's runs, in their order; `n=30, budget=…` choose if there are several."""
        config = config if isinstance(config, Config) else Config(config)
        chosen = {**vars(config), **where}
        found = self._reading(lambda parts: table.read(parts, ["n", "budget", "seed", "engine", "pois"], chosen))
        if len(found["pois"]) == 0:
            raise ValueError(f"{self.path} has no run of {config}{f' with {where}' if where else ''}")
        for name in ("n", "budget", "seed", "engine"):
            if len(choices := np.unique(found[name])) > 1:
                raise ValueError(f"{config} has runs with several {name}; pass {name}= one of {choices.tolist()}")
        return found["pois"]

    def sql(self, query: str) -> Any:
        """A DuckDB relation: `.fetchall()`, `.fetchnumpy()`, `.df()`, … The view `runs` holds the rows.

        SQL does not tell n from N: there, n is called dimension.
        """
        if re.search(r"\bn\b", re.sub(r"'[^']*'", "''", query)):
            raise ValueError(f"SQL does not tell n from N: write dimension for n, and no alias n, in {query!r}")
        connection = parquet.connect()

        def view(parts: list[Path]) -> None:
            connection.execute(f"CREATE OR REPLACE TEMP VIEW runs AS SELECT * FROM {parquet.each_once(parts)}")

        self._reading(view)
        return connection.sql(query)

    def to_pandas(self) -> Any:
        """All rows as a pandas DataFrame."""
        return frames.to_pandas(self.table())

    def to_polars(self) -> Any:
        """All rows as a polars DataFrame."""
        return frames.to_polars(self.table())

    def to_arrow(self) -> Any:
        """All rows as a pyarrow Table."""
        return frames.to_arrow(self.table())

    def pack(self, path: str | PathLike[str], drop: Sequence[str] = ()) -> None:
        """Write all rows, without the columns to drop, and the manifest into one Parquet file."""
        self._refuse_bad_parts()
        self._reading(lambda parts: pack.write(Path(path), parts, self.manifest, drop))

    def to_csv(self, target: str | PathLike[str] | TextIO, drop: Sequence[str] = ()) -> None:
        """Write all rows, without the columns to drop, as text into a file."""
        found = self._reading(lambda parts: table.read(parts, pack.kept(parts, drop)))
        if isinstance(target, str | PathLike):
            path = Path(target)
            with explained(path), files.replacing(path) as aside, aside.open("w", encoding="utf-8") as file:
                frames.write_csv(found, file)
        else:
            frames.write_csv(found, target)

    def _reading(self, read: Callable[[list[Path]], Found]) -> Found:
        """What `read` finds in the parts; again, if they were merged under its hands."""
        while True:
            parts = self.parts()
            try:
                with parquet.interruptible():
                    return read(parts)
            except (parquet.errors(), FileNotFoundError, StoreError):
                if all(part.exists() for part in parts):
                    self._refuse_bad_parts()
                    raise

    def _refuse_bad_parts(self) -> None:
        if bad := self.bad_parts():
            names = "; ".join(f"{part.name}: {part.reason}" for part in bad)
            raise StoreError(f"{self.path} has damaged parts, `debox run` does their runs again: {names}")


def open_store(path: str | PathLike[str]) -> Store:
    """A store to read: a directory that `debox run` filled, or one packed .parquet file."""
    where = Path(path)
    if where.is_dir():
        return _open_folder(where)
    if not where.exists():
        raise StoreError(f"there is no store {where}")
    return Store(where, pack.manifest_of(where))


def _open_folder(folder: Path) -> Store:
    manifest = folder / "manifest.json"
    if not manifest.exists():
        raise StoreError(f"{folder} is not a store: it has no manifest.json")
    with explained(manifest, "read"):
        return Store(folder, Manifest.from_json(manifest.read_bytes(), folder))


def _begin(folder: Path, manifest: Manifest) -> None:
    """A new store in a new or empty directory (or what a process killed right here left)."""
    if folder.is_file():
        raise StoreError(f"{folder} is a file; runs are stored in a directory")
    if folder.exists() and (others := [p.name for p in folder.iterdir() if not re.match(r"parts$|\.", p.name)]):
        raise StoreError(f"{folder} is not a store and not empty (it has {others[0]}); choose another directory")
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # another process began it at the same moment
        files.place(folder / "manifest.json", manifest.to_json())
