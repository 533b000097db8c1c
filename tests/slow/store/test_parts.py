import os

import numpy as np
import pytest
from stored_rows import rows

from debox import files
from debox.store import parquet, schema
from debox.store.database import connect
from debox.store.errors import StoreError
from debox.store.parts import Parts


@pytest.fixture
def parts(tmp_path):
    return Parts(tmp_path)


def append(parts, *numbers):
    for runs in numbers:
        parts.append(schema.check_part(rows(runs)), "me")


def runs_in(parts):
    return parquet.read_table(parts.paths(), ["run"])["run"].tolist()


class Killed(BaseException):
    pass


def dies_at(monkeypatch, name, call):
    """The process ends at the call-th call of a function of os: nothing after it happens, and nothing is cleaned up."""
    original, calls = getattr(os, name), []

    def function(*args, **options):
        calls.append(args)
        if len(calls) >= call:
            raise Killed
        return original(*args, **options)

    monkeypatch.setattr(os, name, function)


# fsync: of the part, of the folder; replace: of the name; unlink: of each of three old parts
@pytest.mark.parametrize(
    ("name", "call"), [("fsync", 1), ("fsync", 2), ("replace", 1), ("unlink", 1), ("unlink", 2), ("unlink", 3)]
)
def test_a_merge_interrupted_anywhere_shows_each_run_once_and_can_be_done_again(parts, monkeypatch, name, call):
    append(parts, [3, 2], [5], [0, 1])
    before = parquet.read_table(parts.paths())
    with monkeypatch.context() as patched:
        dies_at(patched, name, call)
        with pytest.raises(Killed):
            parts.merge("me")
    np.testing.assert_equal(parquet.read_table(parts.paths()), before)
    assert parts.bad() == []
    parts.remove_leftovers(set())
    parts.merge("another")
    np.testing.assert_equal(parquet.read_table(parts.paths()), before)
    assert len(os.listdir(parts.folder)) == 1


def test_parts_of_which_nothing_was_noted_are_left_alone(parts):
    append(parts, [0], [1], [2])
    parquet.write_arrays(parts.folder / "new", schema.check_part(rows([3])))
    older = parts.folder / f"{files.digest(parts.folder / 'new')}.parquet"
    os.rename(parts.folder / "new", older)
    parts.merge("me")
    assert len(parts.paths()) == 2
    assert older in parts.paths()
    assert runs_in(parts) == [0, 1, 2, 3]


# How reading may go wrong: what is read instead of the rows.
LIES = {
    "a column has another value": "(SELECT * REPLACE (6 AS N) FROM {})",
    "a number is slightly off": "(SELECT * REPLACE (nextafter(pois, 2) AS pois) FROM {})",
    "a point is reversed": "(SELECT * REPLACE (list_reverse(best_x) AS best_x) FROM {})",
    "a row is missing": "(SELECT * FROM {} WHERE run > 0)",
    "a row is there twice": "(SELECT * FROM {0} UNION ALL SELECT * FROM {0} WHERE run = 0)",
    "ids are exchanged": "(SELECT * REPLACE (CASE run WHEN 0 THEN '0123456789abcdef' ELSE id END AS id) FROM {})",
    "a value is lost": "(SELECT * REPLACE (CASE run WHEN 0 THEN NULL ELSE pois END AS pois) FROM {})",
}


WHEN = {"always": 0, "from the third time on": 3, "of what it wrote": None}
WRONG = [*((lie, "always") for lie in LIES), *(("a column has another value", when) for when in list(WHEN)[1:])]


@pytest.mark.parametrize(("lie", "when"), [*WRONG, ("a row is missing", "of what it wrote")])
def test_a_reader_that_is_wrong_costs_no_part(parts, monkeypatch, lie, when):
    """Whenever it begins to be wrong: the parts stay, byte for byte, nothing else appears, and it is said."""
    append(parts, [0, 3], [1], [2])
    before = {path.name: path.read_bytes() for path in parts.folder.iterdir()}
    truth, reads = parquet.rows_of, []

    def rows_of(paths, named=False):
        reads.append(paths)
        wrong = paths[0].name == ".me.tmp" if WHEN[when] is None else len(reads) > WHEN[when]
        return LIES[lie].format(truth(paths, named)) if wrong else truth(paths, named)

    with monkeypatch.context() as patched:
        patched.setattr(parquet, "rows_of", rows_of)
        with pytest.raises(StoreError, match="were not merged, and all of them are kept"):
            parts.merge("me")
    assert {path.name: path.read_bytes() for path in parts.folder.iterdir()} == before
    parts.merge("me")  # and it works with a reader that is right: nothing else was wrong
    assert runs_in(parts) == [0, 1, 2, 3]
    assert len(parts.paths()) == 1


def test_parts_with_other_checkpoints_are_merged(parts):
    for runs, checkpoints in (([0], ()), ([1], ("0.1",)), ([2], ("third", "0.1"))):
        parts.append(schema.check_part(rows(runs, checkpoints=checkpoints)), "me")
    before = parquet.read_table(parts.paths())
    parts.merge("me")
    assert len(parts.paths()) == 1
    np.testing.assert_equal(parquet.read_table(parts.paths()), before)


def test_a_run_that_was_done_twice_is_kept_once_with_the_time_that_readers_saw(parts):
    for seconds in (1.0, 2.0, 3.0):
        parts.append(schema.check_part(rows([0, 1], seconds=seconds)), "me")
    before = parquet.read_table(parts.paths())
    parts.merge("me")
    np.testing.assert_equal(parquet.read_table(parts.paths()), before)
    assert len(before["id"]) == 2


def crafted(parts, query):
    """A part of these rows of SQL, under the name that its content asks for."""
    connect().execute(f"COPY ({query}) TO '{parts.folder / 'new'}' (FORMAT parquet)")
    path = parts.folder / f"{files.digest(parts.folder / 'new')}.parquet"
    os.rename(parts.folder / "new", path)
    return path


UNLIKE = {
    "a type": ("SELECT * REPLACE (N::INTEGER AS N) FROM ({})", "its column N is INTEGER where N should be BIGINT"),
    "texts": ("SELECT * REPLACE (pois::VARCHAR AS pois) FROM ({})", "its column pois is VARCHAR where pois should be"),
    "a list": ("SELECT * REPLACE (best_f AS best_x) FROM ({})", "its column best_x is DOUBLE where best_x should be"),
    "an order": ("SELECT pois, * EXCLUDE (pois) FROM ({})", "its column pois is DOUBLE where id should be VARCHAR"),
    "a column more": ("SELECT *, 1 AS colour FROM ({})", "unknown column 'colour'"),
    "a column less": ("SELECT * EXCLUDE (budget) FROM ({})", "it lacks the column budget"),
    "a column in another case": ("SELECT * RENAME (pois AS Pois) FROM ({})", "it lacks the column pois"),
}


@pytest.mark.parametrize("what", UNLIKE)
def test_a_part_unlike_the_schema_is_named_not_converted(parts, what):
    append(parts, [0, 1])
    (real,) = parts.paths()
    change, reason = UNLIKE[what]
    path = crafted(parts, change.format(f"FROM '{real}'"))
    ((name, said),) = parts.bad()
    assert name == path.name
    assert reason in said
