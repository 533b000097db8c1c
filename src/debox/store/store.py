"""Store: a study's results, a directory of Parquet parts and a manifest, or one packed Parquet file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from debox import files
from debox.store import lock, schema
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import LARGEST_MANIFEST, Manifest
from debox.store.parts import BadPart
from debox.store.read import Reader

PACKAGE = Path(__file__).parents[1]
DATA = (PACKAGE / "data", PACKAGE.parents[1] / "data")  # installed; in a clone
BUILT_IN = {
    "paper": ("paper.parquet", "paper.npz")
}  # the whole study, which a clone has; its counts, which wheels have


class Store(Reader):
    """Results of a study. `open_store` reads one, `run` fills one; `Store.create` is for those who write.

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
    >>> store.sql("SELECT strategy, count(*) FROM runs GROUP BY strategy ORDER BY strategy").fetchall()
    [('saturation', 3), ('toroidal', 3)]
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        super().__init__(path, manifest)
        self._owner: lock.Owner | None = None

    @classmethod
    def create(cls, path: str | PathLike[str], manifest: Manifest) -> Store:
        """A new store, or the existing one if it holds the same study, made by the same code.

        Parameters
        ----------
        path : str or os.PathLike
            Its directory, which is made if it is not there.
        manifest : Manifest
            The study, and the code that does its runs.

        Returns
        -------
        Store
            The store; the manifest of an existing one is written anew when it is `locked`, if something in it is new.

        Raises
        ------
        StoreError
            If the directory holds something else, another study or runs of other code, or cannot be written.
        ValueError
            If `path` is no path, or lies within another store.
        """
        folder = files.in_utf8(files.absolute(path, "a store"), "a store")
        with as_store_errors(folder):
            if not os.path.lexists(folder / "manifest.json"):
                try:
                    _begin(folder, manifest)
                except (StoreError, ValueError):
                    if not os.path.lexists(folder / "manifest.json"):  # else another process began it at this moment
                        raise
        stored = _open_folder(folder).manifest
        stored.refuse_other_study(manifest, folder)
        return cls(folder, stored.extend(manifest))

    @contextmanager
    def locked(self, shard: tuple[int, int] | None = None) -> Iterator[None]:
        """Hold the store, or a shard of it, for writing, and remove what killed writers left.

        Parameters
        ----------
        shard : (int, int), optional
            (i, n) for the i-th of n parts of the study, which different processes may write at once; by default all.

        Yields
        ------
        None
            While the block runs, the store may be written.

        Raises
        ------
        StoreError
            If another process holds it, which the message names, or it cannot be written.
        ValueError
            If there is no such shard.
        """
        self._owner = owner = lock.acquire(self.path, shard)
        try:
            self._prepare()
            yield
        except BaseException:
            with suppress(StoreError):  # the first error is raised
                lock.release(self.path, owner)
            raise
        else:
            lock.release(self.path, owner)
        finally:
            self._owner = None

    def _prepare(self) -> None:
        """Remove what killed writers left; update the manifest if the study was edited or versions are new."""
        with as_store_errors(self.path):
            if not os.path.lexists(self.path / "parts"):  # git and some copying tools drop empty folders
                (self.path / "parts").mkdir()
            self._parts.remove_leftovers({owner.token for owner in lock.owners(self.path)})
            stored = _open_folder(self.path).manifest  # another shard may have written it since
            self.manifest = stored.extend(self.manifest)
            if self.manifest != stored:
                files.replace_text(self.path / "manifest.json", self.manifest.to_json())

    def append(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Store runs as one more part: all of them or none.

        Parameters
        ----------
        columns : mapping of str to sequence
            Every column of the schema, with a value for each run.

        Raises
        ------
        ValueError
            If a column is missing, unknown or has values that do not fit.
        StoreError
            If the store is not held (`locked`) or cannot be written.
        """
        self._parts.append(schema.check_part(columns), self._owner_or_error().token)

    def compact(self) -> None:
        """Merge all parts into one; whenever this is interrupted, readers see each run once.

        Raises
        ------
        StoreError
            If the whole store is not held (`locked`), a part is damaged or misread, or the store cannot be written.
        """
        owner = self._owner_or_error()
        if owner.shard is not None:
            raise StoreError(f"merging the parts of {self.path} needs the lock of the whole store")
        self._refuse_bad_parts()
        if len(self.parts()) > 1:
            self._parts.merge(owner.token)

    def set_aside_bad_parts(self) -> list[BadPart]:
        """Move damaged parts to DIR/bad, so that their runs are done again.

        Returns
        -------
        list of BadPart
            Name and reason of each.

        Raises
        ------
        StoreError
            If the store is not held (`locked`) or cannot be written.
        """
        self._owner_or_error()
        bad = self.bad_parts()
        self._parts.set_aside(bad, self.path / "bad")
        return bad

    def _owner_or_error(self) -> lock.Owner:
        """The lock that this store is held by; a StoreError if there is none, or none any more."""
        if self._owner is None:
            raise StoreError(f"{self.path} is written under its lock only: with store.locked(): …")
        if not lock.holds(self.path, self._owner):
            raise StoreError(f"the lock {self.path / self._owner.name} was taken away: another process may write")
        return self._owner


def open_store(path: str | PathLike[str]) -> Store:
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
    ValueError
        If `path` is no path.

    Examples
    --------
    >>> import debox
    >>> factors = dict(mutation="rand/1", crossover="bin", strategy="sat", N=5, F=0.7, Cr=0.9)
    >>> store = debox.run(debox.Study(name="one", n=2, budget=50, runs=3, **factors), "one", workers=1)
    >>> store.pack("one.parquet")
    >>> packed = debox.open_store("one.parquet")
    >>> packed.finished() == store.finished()
    True
    """
    where = _file_if_built_in(path) or files.in_utf8(files.absolute(path, "a store"), "a store")
    with as_store_errors(where, "read"):
        if where.is_dir():
            return _open_folder(where)
        if not where.exists():
            hint = f"; {where.stem!r} names the study that comes with debox" if where.stem in BUILT_IN else ""
            raise StoreError(f"there is no store {where}{hint}")
        if not where.is_file():
            raise StoreError(f"{where} is neither a directory nor a file: it cannot be a store")
    if where.suffix == ".npz":
        from debox.store.counts import CountedStore

        return CountedStore.open(where)
    from debox.store import pack

    return Store(where, pack.manifest_of(where))


def file_of_built_in(name: str) -> Path:
    """The file of a store that comes with debox: installed, or in a clone."""
    files_of = [folder / file for folder in DATA for file in BUILT_IN[name]]
    return next((file for file in files_of if file.is_file()), files_of[0])


def _file_if_built_in(path: str | PathLike[str]) -> Path | None:
    """The file of a store that comes with debox; None if the name is that of no such store, or there is one here."""
    if not isinstance(path, str) or path not in BUILT_IN or os.path.lexists(path):
        return None
    return file_of_built_in(path)


def _open_folder(folder: Path) -> Store:
    path = folder / "manifest.json"
    if not os.path.lexists(path):
        raise StoreError(f"{folder} is not a store: it has no manifest.json")
    with as_store_errors(path, "read"):
        try:
            text = files.read_small(path, LARGEST_MANIFEST)
        except ValueError as error:
            raise StoreError(f"{folder} is not a store: {error}") from None
        return Store(folder, Manifest.from_json(text, folder))


def _begin(folder: Path, manifest: Manifest) -> None:
    """Make a store in a new or empty directory, or in one that a process killed in this function left."""
    files.refuse_stores(folder, Path(os.path.realpath(folder)))
    if folder.is_file():
        raise StoreError(f"{folder} is a file; runs are stored in a directory")
    if folder.exists() and (entries := [p.name for p in folder.iterdir() if not re.match(r"parts$|\.", p.name)]):
        raise StoreError(f"{folder} is not a store and not empty (it has {entries[0]}); choose another directory")
    parts = Path(os.path.realpath(folder), "parts")  # follows a link, also one to a missing folder
    parts.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # another process began it at the same moment
        files.create(folder / "manifest.json", manifest.to_json())
