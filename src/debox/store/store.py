"""Store: a study's results, a directory of Parquet parts and a manifest, or one packed Parquet file."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.config import Config
from debox.operators import SLOTS
from debox.store import parquet, parts, schema
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import Manifest
from debox.store.parts import BadPart
from debox.study.fields import AXES, full_name, in_words, with_long_names
from debox.study.study import Study

PACKAGE = Path(__file__).parents[1]
DATA = (PACKAGE / "data", PACKAGE.parents[1] / "data")  # installed; in a clone
BUILT_IN = {"paper": ("paper.parquet", "paper.npz")}  # all of it, which a clone has; its counts, which wheels have
MANIFEST = "debox_manifest"  # the name of the text embedded in a packed file


class Store:
    """Results of a study. `open_store` reads one, `run` fills one; what is read was checked for damage before.

    Methods raise a StoreError if the store is gone, a part whose runs they give is damaged, or writing fails.

    DIR/manifest.json                 which study, and what made it
    DIR/parts/<checksum>.parquet      finished runs; a part appears whole or not at all, and never changes
    DIR/lock*                         who writes
    DIR/bad                           damaged parts that were set aside

    Parameters
    ----------
    path : pathlib.Path
        The directory, or the packed file.
    manifest : Manifest
        What is known of the study.

    Examples
    --------
    >>> import debox
    >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
    >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
    >>> len(store.finished()), store.bad_parts()
    (6, [])
    >>> store.table(["run", "pois"], strategy="toroidal")["run"].tolist()
    [0, 1, 2]
    >>> store.edpois("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9").shape
    (3,)
    >>> store.sql("SELECT strategy, count(*) FROM runs GROUP BY strategy ORDER BY strategy").fetchall()
    [('saturation', 3), ('toroidal', 3)]
    >>> store.pack("walls.parquet", drop=["best_x"])
    >>> debox.open_store("walls.parquet").finished() == store.finished()
    True
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._is_packed = path.is_file()

    def __repr__(self) -> str:
        return f"<Store {self.path}: study {self.study.name}>"

    def _repr_html_(self) -> str:
        from debox import edpois, notebook

        entries = [("study", self.study.name), ("written by debox", str(self.manifest.versions.get("debox")))]
        pois = np.empty(0)
        try:
            table = self.table(["run", *({"pois"} & {*self._column_names()})])  # a packed store may lack it
            pois = table.get("pois", pois)
            entries += [("runs", f"{len(table['run']):,}"), ("parts", f"{len(self.parts())}")]
        except StoreError as error:
            entries += [("cannot be read", str(error))]
        html = notebook.table(f"Store {self.path}", entries)
        if len(pois):
            html += notebook.histogram(edpois.histogram(pois).tolist(), edpois.COLOURS[edpois.colour(pois)])
        return html

    @property
    def study(self) -> Study:
        """The study as it stands; its operators need not be installed."""
        return self.manifest.study

    def parts(self) -> list[Path]:
        """The files that hold the runs: the parts of a directory, or the packed file."""
        return [self.path] if self._is_packed else parts.paths(self.path / "parts")

    def bad_parts(self) -> list[BadPart]:
        """Name and reason of the parts whose content is not what was stored, or that cannot be read."""
        return parts.damaged(self.parts(), self._is_packed)

    def finished(self) -> set[str]:
        """The ids of the runs in parts that are whole, which `run` does not do again."""
        whole = [path for path in self.parts() if not parts.damage(path, self._is_packed)]
        return set(parquet.read(whole, ["id"])["id"])

    def table(self, columns: Sequence[str] | None = None, **where: Any) -> dict[str, NDArray[Any]]:
        """The runs as arrays by column, in the order of their configurations and run numbers.

        best_x is (rows, dimension), or an array of arrays if there are several dimensions.

        Parameters
        ----------
        columns : sequence of str, optional
            Which; by default all.
        **where : int, float or str
            Only runs with these values of columns: N=5, strategy="sat".
        """
        wanted = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else None
        if columns is not None and not wanted:
            raise ValueError(f"columns must be a list of names, such as ['run', 'pois'], got {columns!r}")
        values = with_long_names(where)
        values |= {slot: full_name(slot, values[slot]) for slot in SLOTS if slot in values}
        return self._read(wanted, values)

    def edpois(self, config: Config | str, **where: Any) -> NDArray[np.float64]:
        """The POIS of a configuration's runs, in their order: an empirical distribution of POIS.

        Parameters
        ----------
        config : Config or str
            The configuration, of operators that are installed; `table` reads runs of others.
        **where : int or str
            Values of other columns, which choose if there are several: dimension=30, budget=300_000, engine="fast".
        """
        others = with_long_names(where)
        columns = ("dimension", "budget", "seed", "engine")
        runs = self._read([*columns, "pois"], {**asdict(Config.of(config)), **others})
        if len(runs["pois"]) == 0:
            asked = f" with {in_words({name: [value] for name, value in others.items()})}" if others else ""
            there = self._read(list(dict.fromkeys([*others, *AXES])), {})
            found = in_words({name: sorted(set(column.tolist())) for name, column in there.items() if len(column)})
            raise ValueError(f"{self.path} has no run of {config}{asked}; stored: {found or 'no runs yet'}")
        for name in columns:
            if len(some := np.unique(runs[name])) > 1:
                raise ValueError(f"{config} has runs with {name} {some.tolist()}; pass {name}= one of them")
        return runs["pois"]

    def sql(self, query: str) -> Any:
        """The answer to a query in SQL, in which the view `runs` holds the rows, as a relation of DuckDB.

        Its `.fetchall()`, `.fetchnumpy()`, `.df()`, … give its rows. They are kept in memory: whatever becomes of the
        store, the relation stays what it was.

        Parameters
        ----------
        query : str
            In DuckDB's SQL. SQL ignores case: n is N, the population size; dimension is the number of variables.

        Raises
        ------
        StoreError
            If the query is wrong.
        """
        return parquet.ask(query, self._whole_parts())

    def to_pandas(self) -> Any:
        """All rows as a pandas DataFrame; best_x is a column of arrays."""
        return import_module("pandas").DataFrame(self._lists())

    def to_polars(self) -> Any:
        """All rows as a polars DataFrame; best_x is a column of lists."""
        return import_module("polars").DataFrame(self._lists())

    def to_arrow(self) -> Any:
        """All rows as a pyarrow Table; best_x is a column of lists."""
        return import_module("pyarrow").table(self._lists())

    def _lists(self) -> dict[str, Any]:
        """All rows as other libraries take them: arrays of numbers, lists of texts and of points."""
        return {name: a if a.ndim == 1 and a.dtype != object else list(a) for name, a in self.table().items()}

    def to_csv(self, target: str | os.PathLike[str] | TextIO, drop: Sequence[str] = ()) -> None:
        """Write all rows as comma-separated text: numbers with all their digits, best_x as numbers between spaces.

        Parameters
        ----------
        target : str, os.PathLike or text file
            A path that ends in .csv, or an open file.
        drop : sequence of str, default ()
            Columns to leave out.
        """
        if isinstance(target, str | os.PathLike):
            path = files.absolute(target, "the file to write")
            with as_store_errors(path):
                files.check_output(path, ".csv")
                with files.replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
                    return self.to_csv(file, drop)
        table, writer = self._read(self._names_without(drop), {}), csv.writer(target, lineterminator="\n")
        values: dict[str, Iterator[Any]] = {name: map(a.item, range(len(a))) for name, a in table.items()}
        if "best_x" in table:
            values["best_x"] = (" ".join(map(repr, point.tolist())) for point in table["best_x"])
        writer.writerow(table)
        writer.writerows(zip(*values.values(), strict=True))
        return None

    def pack(self, path: str | os.PathLike[str], drop: Sequence[str] = ()) -> None:
        """Write all rows and the manifest into one file, which `open_store` and all that reads Parquet read.

        Parameters
        ----------
        path : str or os.PathLike
            The file, whose name ends in .parquet; another packed store is replaced, nothing else.
        drop : sequence of str, default ()
            Columns to leave out.
        """
        target = files.absolute(path, "the file to write", for_duckdb=True)
        with as_store_errors(target):
            files.check_output(target, ".parquet")
            if target.exists() and self.path.exists() and target.samefile(self.path):
                raise ValueError(f"cannot write {target}: it is what is read; name another")
            if target.exists() and target.stat().st_size and not parts.seal(target):
                raise ValueError(f"cannot write {target}: it is not a file that `debox store pack` wrote; name another")
            whole, names = self._whole_parts(), self._names_without(drop)
            embedded = {MANIFEST: self.manifest.to_json(), parts.SEAL: parts.UNSEALED}
            with files.replacing(target) as unfinished:
                parquet.pack(unfinished, whole, names, embedded)
                parts.write_seal(unfinished)

    def _whole_parts(self) -> list[Path]:
        """The parts; a StoreError if one is damaged."""
        listed = self.parts()
        if bad := parts.damaged(listed, self._is_packed):
            raise StoreError(parts.describe_damage(self.path, bad))
        return listed

    def _read(self, columns: Sequence[str] | None, where: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """Columns, or all of them, of the runs that have these values, in order."""
        return parquet.read(self._whole_parts(), columns, where)

    def _column_names(self) -> list[str]:
        return list(self.sql("FROM runs LIMIT 0").columns)

    def _names_without(self, drop: Sequence[str]) -> list[str]:
        """The names of the columns without those to drop."""
        if isinstance(drop, str) or not isinstance(drop, Iterable):
            raise ValueError(f"drop must be a list of names, such as ['best_x'], got {drop!r}")
        dropped, names = list(drop), self._column_names()
        droppable = [name for name in names if name not in schema.ORDER]
        if wrong := [name for name in dropped if name not in droppable]:
            raise ValueError(f"cannot drop {wrong[0]!r}; choose from {', '.join(droppable)}")
        return [name for name in names if name not in dropped]


class Writer(Store):
    """A store that `run` fills; it is held, by one process or one for each shard, while it is written."""

    @classmethod
    def create(cls, path: str | os.PathLike[str], manifest: Manifest) -> Writer:
        """A new store, or the existing one if it holds the same study; several processes may begin it at once."""
        folder = files.absolute(path, "a store", for_duckdb=True)
        with as_store_errors(folder):
            if not os.path.lexists(folder / "manifest.json"):
                place = Path(os.path.realpath(folder))  # of a link, which may lead to a folder that is not there yet
                for name in os.listdir(place) if place.exists() else ():
                    if not re.fullmatch(r"\..*|parts|lock.*|manifest\.json", name):  # the last: another was quicker
                        raise StoreError(f"{folder} is not a store but has {name} in it; choose another folder")
                (place / "parts").mkdir(parents=True, exist_ok=True)
                files.replace_text(place / "manifest.json", manifest.to_json())
        stored = _manifest_in(folder)
        stored.refuse_other_study(manifest, folder)
        return cls(folder, stored)

    def locked(self, shard: tuple[int, int] | None = None) -> AbstractContextManager[None]:
        """Hold the store, or shard (i, n), the i-th of n parts."""
        return parts.lock(self.path, shard)

    def note(self, manifest: Manifest) -> None:
        """Put the study as it stands now, and who writes from now on, into the manifest."""
        with as_store_errors(self.path):
            stored = _manifest_in(self.path)  # another shard may have written it since
            stored.refuse_other_study(manifest, self.path)
            self.manifest = stored.extend(manifest)
            if self.manifest != stored:
                files.replace_text(self.path / "manifest.json", self.manifest.to_json())

    def append(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Store runs, with every column of the schema, as one more part: all of them or none."""
        parts.append(self.path / "parts", schema.check_part(columns))

    def set_aside_bad_parts(self) -> list[BadPart]:
        """Move damaged parts to DIR/bad, so that their runs are done again; name and reason of each."""
        bad = self.bad_parts()
        with as_store_errors(self.path):
            for part in bad:
                (self.path / "bad").mkdir(exist_ok=True)
                with suppress(FileNotFoundError):  # another shard was quicker
                    os.replace(self.path / "parts" / part.name, self.path / "bad" / part.name)
        return bad


def open_store(path: str | os.PathLike[str]) -> Store:
    """A store to read: a directory that `debox run` filled, one packed .parquet file, or the paper's study.

    Parameters
    ----------
    path : str or os.PathLike
        The directory or the file; "paper", unless there is one of that name, is the paper's study, which comes with
        debox: all of it in a clone of the repository, the columns of POIS in an installation.

    Returns
    -------
    Store
        Its runs: `table`, `edpois`, `sql`, `to_pandas` and others read them.

    Raises
    ------
    StoreError
        If there is no store, or one of another version; the message says which.

    Examples
    --------
    >>> import debox
    >>> debox.open_store("paper").study
    <Study paper: 6000 configurations × 50 runs>
    """
    if isinstance(path, str) and path in BUILT_IN and not os.path.lexists(path):
        path = file_of_built_in(path)
    where = files.absolute(path, "a store", for_duckdb=True)
    with as_store_errors(where, "read"):
        if where.is_dir():
            return Store(where, _manifest_in(where))
        if not where.is_file():
            hint = f"; {where.stem!r} names the study that comes with debox" if where.stem in BUILT_IN else ""
            raise StoreError(f"there is no store {where}{hint}")
        if where.suffix == ".npz":
            from debox.store.counts import CountedStore

            return CountedStore.open(where)
        if bad := parts.damaged([where], is_packed=True):
            raise StoreError(parts.describe_damage(where, bad))
        return Store(where, Manifest.from_json(parquet.texts_in(where)[MANIFEST], where))


def file_of_built_in(name: str) -> Path:
    """The file of a store that comes with debox: installed, or in a clone."""
    files_of = [folder / file for folder in DATA for file in BUILT_IN[name]]
    return next((file for file in files_of if file.is_file()), files_of[0])


def _manifest_in(folder: Path) -> Manifest:
    path = folder / "manifest.json"
    if not os.path.lexists(path):
        raise StoreError(f"{folder} is not a store: it has no manifest.json")
    with as_store_errors(path, "read"):
        return Manifest.from_json(path.read_bytes(), folder)
