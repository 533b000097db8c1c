"""The database: what it is told not to do, and that it works in forked processes.

A process forked from one that has read waited forever. Each child here has a time limit, after which it is killed.
"""

import multiprocessing
import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from stored_rows import MANIFEST, filled, rows

from debox.store import database
from debox.store.database import connect, database_error, interruptible
from debox.store.store import Store, open_store

PATIENCE = 60  # seconds for what takes a fraction of one


def test_python_variables_are_no_tables():
    mine = {"a": np.zeros(3)}
    with pytest.raises(database_error(), match="mine"):
        connect().execute("SELECT * FROM mine")
    assert mine


def test_an_interrupted_query_is_a_keyboard_interrupt_other_errors_pass():
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")


def test_a_file_that_changes_in_place_is_read_anew(tmp_path):
    """As large as before and of the same time: whoever remembers a file would take it for the old one."""
    path, times = tmp_path / "a.parquet", (1, 1)
    for number in (1, 2):
        connect().execute(f"COPY (SELECT {number} AS a) TO '{path}' (FORMAT parquet)")
        os.utime(path, ns=times)
        assert connect().execute(f"SELECT a FROM read_parquet('{path}')").fetchall() == [(number,)]


def test_options_that_this_duckdb_knows_are_set():
    asked = "SELECT name, value FROM duckdb_settings()"
    found = dict(connect().execute(asked).fetchall())
    known = {name: value for name, value in database.OPTIONS.items() if name in found}
    assert {"python_enable_replacements", "autoinstall_known_extensions"} <= known.keys()
    assert {name: found[name] for name in known} == {name: value.strip("'") for name, value in known.items()}


def test_a_database_that_a_damaged_file_has_spoiled_is_made_anew(monkeypatch):
    """DuckDB takes some of what it finds in such a file for an error of its own, and answers nothing after that."""

    class Spoiled:
        def cursor(self):
            return self

        def execute(self, query):
            raise database_error()("database has been invalidated")

    monkeypatch.setattr(database, "_database", Spoiled())
    assert connect().execute("SELECT 1").fetchall() == [(1,)]


@pytest.fixture
def store(tmp_path):
    """A store that this process has read."""
    store = filled(Store.create(tmp_path / "store", MANIFEST), rows(range(20)), rows(range(20, 40)))
    assert len(store.table()["id"]) == 40
    return store


def read(path):
    """What a child does: look into the store, and say where it would put what does not fit into memory."""
    spill = connect().execute("SELECT current_setting('temp_directory')").fetchone()[0]
    good = Path(spill).name == f"debox-{os.getpid()}"
    return good and len(open_store(path).table()["id"]) == 40 and len(open_store(path).finished()) == 40


def fork(child):
    """The exit code of a child that does this, and then ends as a Python program does; "waits" if it does not end."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), 2
            )  # of what other threads held when they were cut off, DuckDB complains at length
            code = 0 if child() else 2
        finally:
            database._databases_of_parents.clear()  # the destructor that would wait, were there threads to wait for
            os._exit(code)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return "waits"


def test_a_forked_process_reads_and_so_does_its_child(store):
    assert fork(lambda: read(store.path) and fork(lambda: read(store.path)) == 0) == 0
    assert read(store.path)  # the parent goes on


def test_a_forked_process_writes(store):
    def write():
        with store.locked():
            store.append(rows([40]))
            store.compact()
        return len(open_store(store.path).table()["id"]) == 41

    assert fork(write) == 0
    assert len(store.table()["id"]) == 41


def test_processes_of_multiprocessing_read(store):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(read, [store.path] * 4).get(PATIENCE) == [True] * 4


def test_processes_forked_while_another_thread_reads_do_not_wait_for_it(store):
    stop, looks = threading.Event(), []

    def look():
        while not stop.is_set():
            looks.append(read(store.path))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        assert [fork(lambda: read(store.path)) for _ in range(4)] == [0] * 4
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert looks
    assert all(looks)


def test_all_cores_are_used_again_after_a_fork(store):
    asked = "SELECT current_setting('threads')"
    before = connect().execute(asked).fetchone()
    assert fork(lambda: connect().execute(asked).fetchone() == before) == 0
    assert connect().execute(asked).fetchone() == before
