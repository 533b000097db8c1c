"""Store: a study's results, a directory of Parquet parts and a manifest, or one packed Parquet file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.config import Config
from debox.store import frames, lock, parquet, schema
from debox.store.errors import StoreError, explained
from debox.store.manifest import Manifest

PART = re.compile(r"[0-9a-f]{32}\.parquet")


class BadPart(NamedTuple):
    name: str
    reason: str


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
        self._owner: lock.Owner | None = None
        self._whole: set[tuple[str, int, int]] = set()  # parts found whole: name, size, time

    # ---- write

    @classmethod
    def create(cls, path: str | PathLike[str], manifest: Manifest) -> Store:
        """A new store, or the one that is there if it holds the same study, made by the same kernels."""
        folder = Path(path)
        if folder.is_file():
            raise StoreError(f"{folder} is a file; runs are stored in a directory")
        if not (folder / "manifest.json").exists():
            with explained(folder):
                (folder / "parts").mkdir(parents=True, exist_ok=True)
                _replace(folder / "manifest.json", manifest.to_json())
        _open_folder(folder).manifest.refuse_another(manifest, folder)
        return cls(folder, manifest)

    @contextmanager
    def locked(self, shard: tuple[int, int] | None = None) -> Iterator[None]:
        """Hold the store, or a shard (i, n) of it, for writing; raises StoreError naming who holds it already."""
        self._owner = lock.acquire(self.path, shard)
        try:
            with explained(self.path):
                self._remove_leftovers()
                if self.manifest != _open_folder(self.path).manifest:  # the study was edited: more runs, another F
                    _replace(self.path / "manifest.json", self.manifest.to_json())
            yield
        finally:
            owner, self._owner = self._owner, None
            lock.release(self.path, owner)

    def append(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Store runs as one more part: all of them or none."""
        arrays = schema.checked(columns)
        unfinished = self._unfinished()
        parquet.write_arrays(unfinished, arrays)
        self._finish(unfinished)

    def compact(self) -> None:
        """Merge all parts into one; whenever this is interrupted, readers see each run once."""
        if self._owner is None or self._owner.shard is not None:
            raise StoreError(f"merging the parts of {self.path} needs the lock of the whole store")
        self._refuse_bad_parts()
        parts = self.parts()
        if len(parts) > 1:
            rows, unfinished = parquet.each_once(parts), self._unfinished()
            parquet.write_rows(unfinished, rows, parquet.columns_of(rows), {})
            merged = self._finish(unfinished)
            with explained(self.path):
                for part in parts:
                    if part != merged:
                        part.unlink()

    def set_aside_bad_parts(self) -> list[BadPart]:
        """Move damaged parts to DIR/bad, so that their runs are done again."""
        self._unfinished()
        bad = self.bad_parts()
        with explained(self.path):
            for part in bad:
                (self.path / "bad").mkdir(exist_ok=True)
                os.replace(self.path / "parts" / part.name, self.path / "bad" / part.name)
        return bad

    def _unfinished(self) -> Path:
        """A name that no reader looks at."""
        if self._owner is None:
            raise StoreError(f"{self.path} is written under its lock only: use `with store.locked():`")
        if not lock.holds(self.path, self._owner):
            raise StoreError(f"the lock {self.path / self._owner.name} was taken away; another process may write")
        return self.path / "parts" / f".{self._owner.token}.tmp"

    def _finish(self, unfinished: Path) -> Path:
        with explained(unfinished):
            part = unfinished.with_name(f"{parquet.digest(unfinished)}.parquet")
            os.replace(unfinished, part)
            parquet.sync_folder(part.parent)
        return part

    def _remove_leftovers(self) -> None:
        """Half-written files of writers that are gone."""
        writing = {owner.token for owner in lock.owners(self.path)}
        for path in (self.path / "parts").glob(".*.tmp"):
            if path.name[1:-4] not in writing:
                path.unlink(missing_ok=True)

    # ---- read

    def parts(self) -> list[Path]:
        """The files that hold the runs."""
        if self.path.is_file():
            return [self.path]
        return [path for path in sorted((self.path / "parts").glob("*.parquet")) if PART.fullmatch(path.name)]

    @property
    def study(self) -> dict[str, Any]:
        """The study as it was written."""
        return self.manifest.study

    def finished(self) -> set[str]:
        """The ids of the runs in parts that are whole."""
        bad = {part.name for part in self.bad_parts()}
        whole = [part for part in self.parts() if part.name not in bad]
        return set(parquet.connect().execute(f"SELECT id FROM {parquet.rows_of(whole)}").fetchnumpy()["id"])

    def bad_parts(self) -> list[BadPart]:
        """Parts whose content is not what their name says, or that cannot be read."""
        found = ((part, self._what_is_wrong(part)) for part in self.parts())
        return [BadPart(part.name, reason) for part, reason in found if reason]

    def _what_is_wrong(self, part: Path) -> str:
        with explained(part, "read"):
            stat = part.stat()
            state = (part.name, stat.st_size, stat.st_mtime_ns)
            if state in self._whole:
                return ""
            if self.path.is_dir() and parquet.digest(part) != part.stem:
                return "its content does not match its checksum"
        try:
            parquet.columns_of(parquet.rows_of([part]))
        except (parquet.errors(), ValueError) as error:
            return f"it cannot be read ({error})"
        self._whole.add(state)
        return ""

    def _refuse_bad_parts(self) -> None:
        if bad := self.bad_parts():
            names = "; ".join(f"{part.name}: {part.reason}" for part in bad)
            raise StoreError(f"{self.path} has damaged parts, `debox run` does their runs again: {names}")

    def table(self, columns: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """Column name → array, a row per run, in the order of the study's plan; best_x is (rows, n) if n is one."""
        rows = parquet.each_once(self.parts())
        have = [column.name for column in parquet.columns_of(rows)]
        wanted = have if columns is None else list(columns)
        if unknown := [name for name in wanted if name not in have]:
            raise ValueError(f"unknown column {unknown[0]!r}; {self.path} has {', '.join(have)}")
        plain = [name for name in wanted if name != "best_x"] or ["n"]
        names = ", ".join(parquet.quoted(name) for name in plain)
        found = parquet.connect().execute(f"SELECT {names} FROM {rows} {parquet.in_order()}").fetchnumpy()
        arrays = {name: _filled(found[parquet.sql_name(name)]) for name in plain}
        if "best_x" in wanted:
            arrays["best_x"] = self._points(rows)
        return {name: arrays[name] for name in wanted}

    def _points(self, rows: str) -> NDArray[Any]:
        connection = parquet.connect()
        sorted_rows = f"(SELECT best_x, dimension FROM {rows} {parquet.in_order()})"
        flat = connection.execute(f"SELECT unnest(best_x) AS x FROM {sorted_rows}").fetchnumpy()["x"]
        n = connection.execute(f"SELECT dimension FROM {sorted_rows}").fetchnumpy()["dimension"]
        if len(n) == 0 or (n == n[0]).all():
            return flat.reshape(len(n), -1 if len(n) else 0)
        points = np.empty(len(n), object)
        points[:] = np.split(flat, np.cumsum(n)[:-1])
        return points

    def sql(self, query: str) -> Any:
        """A DuckDB relation: `.fetchall()`, `.fetchnumpy()`, `.df()`, … The view `runs` holds the rows.

        SQL does not tell n from N: the dimension's column is called dimension there.
        """
        if re.search(r"(?<![\w.])n(?!\w)", re.sub(r"'[^']*'", "''", query)):
            raise ValueError(f"SQL does not tell n from N: write dimension for n, and no alias n, in {query!r}")
        connection = parquet.connect()
        connection.execute(f"CREATE OR REPLACE TEMP VIEW runs AS SELECT * FROM {parquet.each_once(self.parts())}")
        return connection.sql(query)

    def edpois(self, config: Config | str, **where: Any) -> NDArray[np.float64]:
        """The POIS of a configuration's runs, in their order; `n=30, budget=…` choose if there are several."""
        config = config if isinstance(config, Config) else Config(config)
        table = self.table([*vars(config), "n", "budget", "seed", "engine", "pois"])
        for name, value in {**vars(config), **where}.items():
            keep = table[name] == value
            table = {column: array[keep] for column, array in table.items()}
        if len(table["pois"]) == 0:
            raise ValueError(f"{self.path} has no run of {config}")
        for name in ("n", "budget", "seed", "engine"):
            if len(choices := np.unique(table[name])) > 1:
                raise ValueError(f"{config} has runs with several {name}; pass {name}= one of {choices.tolist()}")
        return table["pois"]

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
        rows, target = parquet.each_once(self.parts()), Path(path)
        columns = parquet.columns_of(rows)
        droppable = [column.name for column in columns if column.name not in schema.ORDER]
        if wrong := [name for name in drop if name not in droppable]:
            raise ValueError(f"cannot drop {wrong[0]!r}; choose from {', '.join(droppable)}")
        kept = [column for column in columns if column.name not in drop]
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        parquet.write_rows(unfinished, rows, kept, {"debox": self.manifest.to_json()})
        with explained(target):
            os.replace(unfinished, target)
            parquet.sync_folder(target.parent)


def open_store(path: str | PathLike[str]) -> Store:
    """A store to read: a directory that `debox run` filled, or one packed .parquet file."""
    where = Path(path)
    if where.is_dir():
        return _open_folder(where)
    if not where.exists():
        raise StoreError(f"there is no store {where}")
    found = parquet.metadata_of(where)
    if "debox" not in found:
        raise StoreError(f"{where} is a Parquet file, but not one that `debox store pack` wrote")
    return Store(where, Manifest.from_json(found["debox"], where))


def _open_folder(folder: Path) -> Store:
    try:
        text = (folder / "manifest.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StoreError(f"{folder} is not a store: it has no manifest.json") from None
    return Store(folder, Manifest.from_json(text, folder))


def _replace(path: Path, text: str) -> None:
    """Write aside, then rename: the file is the old one or the new one, whole."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with aside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        parquet.sync_folder(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def _filled(array: NDArray[Any]) -> NDArray[Any]:
    """A checkpoint that some parts do not have is NaN there."""
    return array.filled(np.nan) if isinstance(array, np.ma.MaskedArray) else array
