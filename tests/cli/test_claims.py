"""debox claims: a table, JSON, a choice of claims; errors that say what is wrong."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from stored_rows import edited, filled, rows

from debox.store.manifest import Manifest
from debox.store.store import Writer

BOUND = Path(__file__).parents[2] / "data" / "bound.parquet"
GRID = {
    "crossover": ["bin", "exp"],
    "strategy": ["mirror", "toroidal", "dismiss"],
    "N": [5, 20],
    "F": [0.5, 1.5],
    "Cr": [0.5, 0.99],
}
CONFIGURATIONS = [
    f"DE/rand/1/{crossover} {strategy}, N={N}, F={F}, Cr={Cr}"
    for crossover, strategy, N, F, Cr in product(*GRID.values())
]


def part(configurations):
    """Five of six planned runs of each, whose POIS leave room for the first population."""
    made = [rows(range(5), configuration) for configuration in configurations]
    together = {name: [value for columns in made for value in columns[name]] for name in made[0]}
    return together | {"pois": 0.9 * np.array(together["pois"])}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of made-up runs."""
    path = tmp_path_factory.mktemp("claims") / "store"
    new = Writer.create(path, Manifest(edited(**GRID, runs=6)))
    filled(new, part(CONFIGURATIONS))
    return str(path)


def run(*arguments):
    return invoke("claims", *arguments)


def test_the_table_fits_in_100_columns(store):
    answer = run(store)
    assert answer.exit_code == 0, answer.output
    assert max(map(len, answer.output.splitlines())) <= 100
    assert "NOT TESTABLE   size-20-to-100" in answer.output
    assert "where: N must be one of 5, 20, got 100" in answer.output
    assert answer.output.splitlines()[-1] == "on 5 of 6 planned runs of every configuration"


def test_json_of_some_claims(store):
    answer = run(store, "--json", "--only", "crossover-exp-b*,collapse-exists")
    first, second = json.loads(answer.output)
    assert (first["id"], second["id"]) == ("crossover-exp-below-bin", "collapse-exists")
    assert first["agree"] + first["against"] <= first["cells"] == 24
    assert first["low"] == first["agree"] / 24


def test_where_chooses_runs(store):
    answer = run(store, "--only", "crossover-exp-below-bin", "--where", "n=3", "--where", "N=5")
    assert answer.exit_code == 0, answer.output
    assert "of 12 cells" in answer.output
    assert "\n1 sentence of the paper, 1 reading: " in answer.output


def test_runs_on_other_functions_are_read_from_a_file(store, tmp_path):
    """The store has n = 3; data/bound.parquet has other runs, and a text is no table."""
    other = run(store, "--only", "amount-upper-bound", "--bound", str(BOUND))
    assert other.exit_code == 0, other.output
    assert "runs on other functions have dimension 30, the study 3" in " ".join(other.output.split())
    (tmp_path / "text").write_text("no table")
    for name, what in (("text", "a Parquet file"), ("nothing", "is not a file")):
        wrong = run(store, "--bound", str(tmp_path / name))
        assert wrong.exit_code == 1
        assert what in wrong.output


def test_what_is_wrong_is_said(store, tmp_path):
    unknown = run(store, "--only", "colapse")
    assert unknown.exit_code == 2
    assert "no claim matches 'colapse'" in unknown.output
    where = run(store, "--where", "foo=3")
    assert where.exit_code == 2
    assert "where must be one of mutation, " in where.output
    nothing = run(str(tmp_path / "nothing"))
    assert nothing.exit_code == 1
    assert "nothing" in nothing.output


def test_a_store_may_be_compared_with_itself_as_a_reading(store):
    answer = run(store, "--compare", "--readings", f"mine={store}", "--only", "crossover-exp-below-bin")
    assert answer.exit_code == 0, answer.output
    said = " ".join(answer.output.split())
    assert (
        "mine: mine; 48 configurations have other runs; 5 runs of every configuration; 0 of 1 verdicts change" in said
    )


def test_a_reading_whose_store_is_not_there_is_named(store, tmp_path):
    answer = run(store, "--compare", "--readings", f"mine={tmp_path / 'nothing'}", "--only", "factors-*")
    assert answer.exit_code == 1
    assert "nothing" in answer.output


@pytest.mark.parametrize("given", [["a.parquet", "b.parquet"], ["=x"], ["name="]])
def test_what_is_no_reading_is_named(store, given):
    answer = run(store, "--compare", *(word for one in given for word in ("--readings", one)))
    assert answer.exit_code == 2
    assert f"NAME=STORE for each reading, or one file of readings, got '{given[0]}'" in " ".join(answer.output.split())


def test_readings_need_compare(store):
    answer = run(store, "--readings", "a.parquet")
    assert answer.exit_code == 2
    assert "give --compare, too" in answer.output


def test_an_upper_bound_is_not_compared_between_readings(store):
    answer = run(store, "--compare", "--bound", str(BOUND))
    assert answer.exit_code == 2
    assert "give it without --compare" in answer.output
