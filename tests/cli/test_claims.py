"""debox claims: a table, JSON, a choice of claims."""

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
GRID = {"crossover": ["bin", "exp"], "strategy": ["mirror", "toroidal", "dismiss"]}
GRID |= {"N": [5, 20], "F": [0.5, 1.5], "Cr": [0.5, 0.99]}
CONFIGURATIONS = [f"DE/rand/1/{c} {s}, N={N}, F={F}, Cr={Cr}" for c, s, N, F, Cr in product(*GRID.values())]


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


def test_runs_on_other_functions_are_read_from_a_file(store):
    """The store has n = 3; data/bound.parquet has other runs."""
    other = run(store, "--only", "amount-upper-bound", "--bound", str(BOUND))
    assert other.exit_code == 0, other.output
    assert "runs on other functions have dimension 30, the study 3" in " ".join(other.output.split())


def test_a_store_may_be_compared_with_itself_as_a_reading(store):
    answer = run(store, "--compare", "--readings", f"mine={store}", "--only", "crossover-exp-below-bin")
    assert answer.exit_code == 0, answer.output
    said = " ".join(answer.output.split())
    assert (
        "mine: mine; 48 configurations have other runs; 5 runs of every configuration; 0 of 1 verdicts change" in said
    )
