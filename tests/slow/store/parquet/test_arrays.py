import pytest
from stored_rows import rows

from debox.store import parquet, schema
from debox.store.errors import StoreError


@pytest.fixture
def write(tmp_path):
    def one(columns):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.parquet"
        parquet.write_arrays(path, schema.check_part(columns))
        return path

    return one


@pytest.mark.parametrize("name", [column.name for column in schema.COLUMNS])
def test_the_digest_sees_a_change_in_any_column(write, name):
    before = parquet.read_table([write(rows(range(4)))])
    after = {**before, name: before[name].copy()}
    first = after[name][0]
    after[name][0] = f"{first}x" if isinstance(first, str) else (not first if first.dtype == bool else first + 1)
    assert parquet.table_digest(before) != parquet.table_digest(after)


ODD = {
    "no id": ("id", "NULL::VARCHAR", "the column id has no value in 1 of them"),
    "no mutation": ("mutation", "NULL::VARCHAR", "the column mutation has no value in 1 of them"),
    "no N": ("N", "NULL::BIGINT", "the column N has no value in 1 of them"),
    "no answer": ("frozen", "NULL::BOOLEAN", "the column frozen has no value in 1 of them"),
    "no dimension": ("dimension", "NULL::BIGINT", "in 1 of them dimension is not the number of variables"),
    "no point": ("best_x", "NULL::DOUBLE[]", "in 1 of them dimension is not the number of variables"),
    "an empty point": ("best_x", "[]::DOUBLE[]", "in 1 of them dimension is not the number of variables"),
    "a point too long": ("best_x", "[1.0, 2, 3, 4]", "in 1 of them dimension is not the number of variables"),
    "dimension 0": ("dimension", "0", "in 1 of them dimension is not the number of variables"),
    "negative dimension": ("dimension", "-3", "in 1 of them dimension is not the number of variables"),
    "huge dimension": ("dimension", "4611686018427387904", "in 1 of them dimension is not the number of variables"),
}


@pytest.mark.parametrize("what", ODD)
def test_rows_that_no_run_has_are_a_store_error(write, tmp_path, what):
    name, value, said = ODD[what]
    changed = f"CASE run WHEN 1 THEN {value} ELSE {name} END AS {name}"
    made = f"(SELECT * REPLACE ({changed}) FROM {parquet.rows_of([write(rows(range(3)))])})"
    parquet.write_rows(tmp_path / "odd.parquet", made, schema.COLUMNS, {})
    with pytest.raises(StoreError, match=rf"odd\.parquet holds rows that debox does not write: {said}"):
        parquet.read_table([tmp_path / "odd.parquet"])
