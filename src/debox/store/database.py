"""DuckDB, as a database in the memory of this process; the only place that imports it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# What DuckDB is not to do by itself. Versions differ in what they know: an option that one does not know is left out.
OPTIONS = {
    "python_enable_replacements": "false",  # no Python variable is a table
    "autoinstall_known_extensions": "false",  # nothing is downloaded
    "enable_external_file_cache": "false",  # a file is read, not remembered
    "parquet_metadata_cache": "false",
    "enable_geoparquet_conversion": "false",
    "file_search_path": "''",  # a file is where its path says
    "async_threads": "0",  # they would be missing in a process that is forked
}

_database: Any = None  # of this process
_of_the_parent: list[Any] = []  # see `_begin_child`


def connect() -> Any:
    """A connection of its own to this process's database, which is made anew if a damaged file has spoiled it."""
    global _database
    if _database is None or not _works(_database):
        _database = _new()
    return _database.cursor()


def _works(database: Any) -> bool:
    """Whether it answers: after an error that it takes for its own, DuckDB refuses everything."""
    try:
        database.cursor().execute("SELECT 1")
    except errors():
        return False
    return True


def _new() -> Any:
    import duckdb

    made = duckdb.connect()
    spill = Path(tempfile.gettempdir()) / f"debox-{os.getpid()}"  # made when needed; DuckDB's own choice is ./.tmp
    options = {**OPTIONS, "temp_directory": text(spill)}
    known = {name for (name,) in made.execute("SELECT name FROM duckdb_settings()").fetchall()}
    for name in options.keys() & known:
        made.execute(f"SET GLOBAL {name} = {options[name]}")
    return made


def text(value: object) -> str:
    """A text in SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def errors() -> type[Exception]:
    """What DuckDB raises."""
    import duckdb

    return duckdb.Error


def first_line(error: Exception) -> str:
    """What an error says, without the query and the places in DuckDB's source that follow."""
    return str(error).partition("\n")[0]


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C is a KeyboardInterrupt also while DuckDB works, which makes a RuntimeError of it."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def system_errors() -> Iterator[None]:
    """What the system did not allow DuckDB to do, as the OSError it was."""
    import duckdb

    try:
        yield
    except duckdb.IOException as error:
        number = re.search(r'"errno":"(\d+)"', str(error))  # it wraps the errors of its own threads
        raise (OSError(int(number[1]), os.strerror(int(number[1]))) if number else OSError(str(error))) from error


# A forked process has the parent's database, but not its threads: a query would wait for them forever. So the child
# makes a database of its own. Threads end before the fork, or the parent's database could not be destroyed in the
# child when it exits; the parent starts them again.


def _before_fork() -> None:
    if _database is not None:
        with suppress(errors()):
            _database.cursor().execute("SET threads = 1")


def _go_on_in_parent() -> None:
    if _database is not None:
        with suppress(errors()):
            _database.cursor().execute("RESET threads")


def _begin_child() -> None:
    """Forget the parent's database, but keep it: to destroy it now might wait for what another thread was doing."""
    global _database
    _of_the_parent.append(_database)
    _database = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_go_on_in_parent, after_in_child=_begin_child)
