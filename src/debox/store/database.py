"""DuckDB, as a database in the memory of this process; the only place that imports it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# Switches off what DuckDB does unasked. Versions differ in their options: those that one does not have are left out.
OPTIONS = {
    "python_enable_replacements": "false",  # no Python variable is a table
    "autoinstall_known_extensions": "false",  # nothing is downloaded
    "enable_external_file_cache": "false",  # a file is read, not remembered
    "parquet_metadata_cache": "false",
    "enable_geoparquet_conversion": "false",
    "file_search_path": "''",  # a file is where its path says
    "async_threads": "0",  # a forked process would not have these threads
}

_database: Any = None  # of this process
_databases_of_parents: list[Any] = []  # kept, see `_after_fork_in_child`


def connect() -> Any:
    """A new connection to this process's database; the database is made anew if a damaged file has broken it."""
    global _database
    if _database is None or not _works(_database):
        _database = _make_database()
    return _database.cursor()


def _works(database: Any) -> bool:
    """Whether the database answers: after an internal error DuckDB refuses every query."""
    try:
        database.cursor().execute("SELECT 1")
    except database_error():
        return False
    return True


def _make_database() -> Any:
    import duckdb

    database = duckdb.connect()
    spill = Path(tempfile.gettempdir()) / f"debox-{os.getpid()}"  # made when needed; DuckDB's own choice is ./.tmp
    options = {**OPTIONS, "temp_directory": sql_text(spill)}
    known = {name for (name,) in database.execute("SELECT name FROM duckdb_settings()").fetchall()}
    for name in options.keys() & known:
        database.execute(f"SET GLOBAL {name} = {options[name]}")
    return database


def sql_text(value: object) -> str:
    """A value as a text literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def database_error() -> type[Exception]:
    """The class of DuckDB's errors."""
    import duckdb

    return duckdb.Error


def query_errors() -> tuple[type[Exception], ...]:
    """The classes of DuckDB's errors about a query that is wrong by itself, whatever the files hold."""
    import duckdb

    return duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException


def first_line(error: Exception) -> str:
    """The first line of an error message; the query and places in DuckDB's source follow it."""
    return str(error).partition("\n")[0]


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn the RuntimeError that DuckDB raises at Ctrl-C back into a KeyboardInterrupt."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def system_errors() -> Iterator[None]:
    """Turn DuckDB's errors about files into the OSErrors that caused them."""
    import duckdb

    try:
        yield
    except duckdb.IOException as error:
        number = re.search(r'"errno":"(\d+)"', str(error))  # present if a thread of DuckDB raised it
        raise (OSError(int(number[1]), os.strerror(int(number[1]))) if number else OSError(str(error))) from error


# A forked process has the parent's database, but not its threads: a query would wait for them forever. So the child
# makes a database of its own. Threads end before the fork, or the parent's database could not be destroyed in the
# child when it exits; the parent starts them again.


def _before_fork() -> None:
    if _database is not None:
        with suppress(database_error()):
            _database.cursor().execute("SET threads = 1")


def _after_fork_in_parent() -> None:
    if _database is not None:
        with suppress(database_error()):
            _database.cursor().execute("RESET threads")


def _after_fork_in_child() -> None:
    """Forget the parent's database, but keep it: to destroy it now might wait for what another thread was doing."""
    global _database
    _databases_of_parents.append(_database)
    _database = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
