"""Reader: the part of a store, a directory or one packed file, that reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, TextIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.config import Config
from debox.store import checksum, parquet
from debox.store.database import connect, database_error, first_line, interruptible, query_errors
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import Manifest
from debox.store.parts import BadPart, Parts, describe_damage
from debox.study.fields import AXES, in_words, with_long_names
from debox.study.study import Study

Found = TypeVar("Found")

MOST_ATTEMPTS = 100  # to read parts that are merged meanwhile; mostly two are enough


class Reader:
    """The finished runs of a study: as arrays, as frames, in SQL, packed into one file."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._parts = Parts(path / "parts")
        self._whole_file: tuple[str, int, int] | None = None  # name, size and time of a packed file that was checked

    def __repr__(self) -> str:
        return f"<Store {self.path}: study {self.study.name}>"

    def _repr_html_(self) -> str:
        from debox import edpois, notebook

        pois, entries = np.empty(0), [("study", self.study.name)]
        try:
            parts = self.parts()
            try:
                pois = self.table(["pois"])["pois"] if parts else pois
                runs = len(pois)
            except ValueError:  # a packed store may lack the column
                runs = len(self.table(["run"])["run"])
            entries += [("runs", f"{runs:,}"), ("parts", f"{len(parts)}")]
        except StoreError as error:
            entries += [("cannot be read", str(error))]
        entries += [("written by debox", str(self.manifest.versions.get("debox")))]
        head = notebook.table(f"Store {self.path}", entries)
        if not len(pois):
            return head
        return head + notebook.histogram(edpois.histogram(pois).tolist(), edpois.COLOURS[edpois.colour(pois)])

    @property
    def study(self) -> Study:
        """The study as it stands; its operators need not be installed."""
        return self.manifest.study

    def parts(self) -> list[Path]:
        """The files that hold the runs.

        Returns
        -------
        list of pathlib.Path
            The parts of a directory, or the packed file.

        Raises
        ------
        StoreError
            If the store is not there any more.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> {path.suffix for path in store.parts()}
        {'.parquet'}
        """
        if self.path.is_file():
            return [self.path]
        if self.path.is_dir() and not (self.path / "manifest.json").exists():
            raise StoreError(f"{self.path} is no store any more: its manifest.json is gone")
        return self._parts.paths()

    def bad_parts(self) -> list[BadPart]:
        """Parts whose content is not what their name says, or that cannot be read.

        Returns
        -------
        list of BadPart
            Name and reason of each; empty if the store is whole.

        Raises
        ------
        StoreError
            If the store is gone.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.bad_parts()
        []
        """

        def damage(_: list[Path]) -> list[BadPart]:
            return self._damage_of_file() if self.path.is_file() else self._parts.bad()

        return self._read_parts(damage, blame_damage=False)

    def misread_parts(self) -> list[str]:
        """The names of parts whose rows, as they are read, are not those that were appended.

        Returns
        -------
        list of str
            Empty, unless a library reads other numbers than were written.

        Raises
        ------
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.misread_parts()
        []
        """
        return self._read_whole_parts(lambda parts: checksum.misread_files(parts, checksum.read_rows(parts)))

    def finished(self) -> set[str]:
        """The ids of the runs in parts that are whole.

        Returns
        -------
        set of str
            One per run; `run` does not do these again.

        Raises
        ------
        StoreError
            If the store is gone.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> len(store.finished())
        6
        """

        def ids(parts: list[Path]) -> set[str]:
            bad = {part.name for part in self.bad_parts()}
            return set(parquet.read_table([part for part in parts if part.name not in bad], ["id"])["id"])

        return self._read_parts(ids)

    def table(self, columns: Sequence[str] | None = None, **where: Any) -> dict[str, NDArray[Any]]:
        """The runs as arrays, in the order of their configurations and run numbers.

        Parameters
        ----------
        columns : sequence of str, optional
            Which; by default all.
        **where : int, float or str
            Values of columns: only runs that have them, N=5, strategy="saturation".

        Returns
        -------
        dict of str to ndarray
            A row per run; best_x is (rows, dimension), or an array of arrays if there are several dimensions.

        Raises
        ------
        ValueError
            If there is no such column, or `columns` is no list of names.
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> table = store.table(["strategy", "run", "pois"])
        >>> table["run"].tolist(), table["pois"].shape
        ([0, 1, 2, 0, 1, 2], (6,))
        >>> store.table(["run"], strategy="toroidal")["run"].tolist()
        [0, 1, 2]
        """
        wanted = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else None
        if columns is not None and not wanted:
            raise ValueError(f"columns must be a list of names, such as ['run', 'pois'], got {columns!r}")
        return self._read_table(wanted, with_long_names(where))

    def edpois(self, config: Config | str, **where: Any) -> NDArray[np.float64]:
        """The POIS of a configuration's runs, in their order: an empirical distribution of POIS.

        Parameters
        ----------
        config : Config or str
            The configuration; a text may name operators that are not installed, if the study of the store has them.
        **where : int or str
            Values of other columns, which choose if there are several: dimension=30, budget=300_000, engine="fast".

        Returns
        -------
        ndarray of float, shape (runs,)
            What `sample_pois` gives of this configuration.

        Raises
        ------
        ValueError
            If there is no such run, or runs of several dimensions, budgets, seeds or engines.
        TypeError
            If `config` is neither a Config nor a text.
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> sat = "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9"
        >>> bool((store.edpois(sat) == debox.sample_pois(sat, n=2, budget=50, runs=3)).all())
        True
        """
        others = with_long_names(where)
        chosen = {**asdict(Config.of(config)), **others}
        columns = ("dimension", "budget", "seed", "engine")
        runs = self._read_table([*columns, "pois"], chosen)
        if len(runs["pois"]) == 0:
            raise ValueError(f"{self.path} has no run of {config}{self._what_is_there_instead(config, others)}")
        for name in columns:
            if len(choices := np.unique(runs[name])) > 1:
                raise ValueError(
                    f"{config} has runs with several values of {name}; pass {name}= one of {choices.tolist()}"
                )
        return runs["pois"]

    def _what_is_there_instead(self, config: Config | str, others: Mapping[str, Any]) -> str:
        """The end of a message about runs that are not there: what was asked for, and which runs there are."""
        asked = f" with {in_words({name: [value] for name, value in others.items()})}" if others else ""
        same = {name: value for name, value in asdict(Config.of(config)).items() if name not in others}
        for names, wanted in ((list(others), same), (list(AXES), {})):
            found = self._read_table(names, wanted) if names else {}
            there = {name: sorted(set(column.tolist())) for name, column in found.items()}
            if any(there.values()):
                return f"{asked}; there are {'such runs' if names == list(others) else 'runs'} with {in_words(there)}"
        return f"{asked}; there are no runs yet"

    def sql(self, query: str) -> Any:
        """Ask in SQL; the view `runs` holds the rows.

        Parameters
        ----------
        query : str
            A query in DuckDB's SQL.

        Returns
        -------
        duckdb.DuckDBPyRelation
            `.fetchall()`, `.fetchnumpy()`, `.df()`, … give its rows. They are kept in memory: whatever becomes of the
            store, the relation stays what it was.

        Raises
        ------
        StoreError
            If the store is gone or has damaged parts, or the query is no SQL.

        Notes
        -----
        SQL does not tell n from N: write dimension; n there is the population size.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.sql("SELECT max(pois) <= 1, dimension FROM runs GROUP BY dimension").fetchall()
        [(True, 2)]
        """
        connection = connect()

        def ask(parts: list[Path]) -> None:
            self._make_view(connection, parts)
            try:
                connection.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {query}")
            except query_errors() as error:
                names = [name for name, *_ in connection.execute("DESCRIBE runs").fetchall()]
                raise StoreError(
                    f"the query {query!r} is wrong: {first_line(error)}; "
                    f"the table runs has the columns {', '.join(names)}{self._where_the_rest_is()}"
                ) from None

        self._read_whole_parts(ask)
        return connection.sql("FROM answer")

    def to_pandas(self) -> Any:
        """All rows as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            A row per run, a column for each of `table`.

        Raises
        ------
        ImportError
            If pandas is not installed.
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.to_pandas().shape[0]
        6
        """
        from debox.store import frames

        return frames.to_pandas(self.table())

    def to_polars(self) -> Any:
        """All rows as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            A row per run, a column for each of `table`.

        Raises
        ------
        ImportError
            If polars is not installed.
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.to_polars().shape[0]
        6
        """
        from debox.store import frames

        return frames.to_polars(self.table())

    def to_arrow(self) -> Any:
        """All rows as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            A row per run, a column for each of `table`.

        Raises
        ------
        ImportError
            If pyarrow is not installed.
        StoreError
            If the store is gone or has damaged parts.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.to_arrow().num_rows
        6
        """
        from debox.store import frames

        return frames.to_arrow(self.table())

    def pack(self, path: str | PathLike[str], drop: Sequence[str] = ()) -> None:
        """Write all rows and the manifest into one file, which `open_store` reads.

        Parameters
        ----------
        path : str or os.PathLike
            The file, whose name ends in .parquet; another packed store is replaced, nothing else.
        drop : sequence of str, default ()
            Columns to leave out.

        Raises
        ------
        ValueError
            If the file may not be written there, or a column cannot be dropped.
        StoreError
            If the store is gone, has damaged parts or the file cannot be written.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.pack("walls.parquet", drop=["best_x"])
        >>> "best_x" in debox.open_store("walls.parquet").table()
        False
        """
        from debox.store import pack

        file = files.in_utf8(files.absolute(path, "the file to write"), "the file to write")
        with as_store_errors(file):
            pack.check_output(file, self.path)  # an error comes before everything is read
        self._refuse_bad_parts()
        self._read_whole_parts(lambda parts: pack.write(file, parts, self.manifest, drop))

    def to_csv(self, target: str | PathLike[str] | TextIO, drop: Sequence[str] = ()) -> None:
        """Write all rows as comma-separated text.

        A text that begins with = + - @, a tab or a return, which a spreadsheet would calculate, gets an apostrophe.

        Parameters
        ----------
        target : str, os.PathLike or text file
            A path that ends in .csv, or an open file.
        drop : sequence of str, default ()
            Columns to leave out.

        Raises
        ------
        ValueError
            If the file may not be written there, or a column cannot be dropped.
        StoreError
            If the store is gone, has damaged parts or the file cannot be written.

        Examples
        --------
        >>> import debox
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
        >>> store = debox.run(debox.Study(name="walls", n=2, budget=50, runs=3, **factors), "walls", workers=1)
        >>> store.to_csv("walls.csv")
        >>> with open("walls.csv") as file:
        ...     print(len(file.readlines()), "lines")
        7 lines
        """
        from debox.store import frames, pack

        if isinstance(target, str | PathLike):
            path = files.absolute(target, "the file to write")
            with as_store_errors(path):
                files.check_output(path, ".csv")
                with files.replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
                    self.to_csv(file, drop)
        else:
            frames.write_csv(self._read_table(pack.columns_without(self._column_names(), drop), {}), target)

    def _read_table(self, columns: Sequence[str] | None, where: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """Columns, or all of them, of the runs that have these values, in order."""
        return self._read_whole_parts(lambda parts: parquet.read_table(parts, columns, where))

    def _column_names(self) -> list[str]:
        return self._read_whole_parts(parquet.names_in)

    def _make_view(self, connection: Any, parts: Sequence[Path]) -> None:
        """Make the view `runs` of a connection to DuckDB."""
        connection.execute(f"CREATE OR REPLACE TEMP VIEW runs AS SELECT * FROM {parquet.each_once(parts)}")

    def _where_the_rest_is(self) -> str:
        """The end of an error about a column: where those are that this store has not; mostly nowhere."""
        return ""

    def _damage_of_file(self) -> list[BadPart]:
        from debox.store import pack

        state = files.state(self.path)
        bad = pack.bad_parts(self.path) if state != self._whole_file else []
        self._whole_file = None if bad else state
        return bad

    def _read_whole_parts(self, read: Callable[[list[Path]], Found]) -> Found:
        """What `read` returns for the parts; an error if one is damaged. Each is checked when it is first read."""

        def checked(parts: list[Path]) -> Found:
            self._refuse_bad_parts()
            return read(parts)

        return self._read_parts(checked)

    def _read_parts(self, read: Callable[[list[Path]], Found], blame_damage: bool = True) -> Found:
        """What `read` returns for the parts; it is called again if they are merged meanwhile.

        After an error about parts that are all there `bad_parts` is asked whether one is damaged, which explains more.
        `bad_parts` itself reads with `blame_damage=False`: it would ask itself without end.
        """
        for _ in range(MOST_ATTEMPTS):
            parts = self.parts()
            try:
                with interruptible():
                    return read(parts)
            except (database_error(), FileNotFoundError, StoreError) as error:
                if all(part.exists() for part in parts):
                    if blame_damage:
                        self._refuse_bad_parts()
                    if isinstance(error, StoreError):
                        raise
                    raise StoreError(f"cannot read {self.path}: {first_line(error)}") from None
        raise StoreError(f"the parts of {self.path} keep changing; is it being merged again and again?")

    def _refuse_bad_parts(self) -> None:
        if bad := self.bad_parts():
            raise StoreError(describe_damage(self.path, bad))
