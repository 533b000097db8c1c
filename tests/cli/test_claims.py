"""debox claims: a table, JSON, a choice of claims; errors that say what is wrong."""

import json
from itertools import product

import pytest
from commands import invoke
from stored_rows import edited, filled, rows

from debox.store.manifest import Manifest
from debox.store.store import Store

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


def part(configuration):
    """Five of six planned runs, whose POIS leave room for the first population."""
    made = rows(range(5), configuration)
    return made | {"pois": 0.9 * made["pois"]}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of made-up runs."""
    path = tmp_path_factory.mktemp("claims") / "store"
    new = Store.create(path, Manifest(edited(**GRID, runs=6), source="0123456789abcdef"))
    filled(new, *map(part, CONFIGURATIONS))
    return str(path)


def run(*arguments):
    return invoke("claims", *arguments)


@pytest.mark.slow
def test_the_table_fits_in_100_columns(store):
    answer = run(store)
    assert answer.exit_code == 0, answer.output
    assert max(map(len, answer.output.splitlines())) <= 100
    assert "NOT TESTABLE   size-20-to-100" in answer.output
    assert "needs N = 100; the study has 5, 20" in answer.output
    assert answer.output.splitlines()[-1] == "on 5 of 6 planned runs of every configuration"


def test_json_of_some_claims(store):
    answer = run(store, "--json", "--only", "crossover-exp-b*,factors")
    results = json.loads(answer.output)
    assert {one["family"] for one in results} == {"crossover", "factors"}
    first = results[0]
    assert (first["id"], first["cells"] > 0, 0 <= first["p"] <= 1) == ("crossover-exp-below-bin", True, True)


def test_where_chooses_runs_and_help_explains_p(store):
    answer = run(store, "--only", "crossover-exp-below-bin", "--where", "n=3")
    assert answer.exit_code == 0, answer.output
    assert "\n1 claim: " in answer.output
    assert "p … (in part)" in run("--help").output


def test_what_is_wrong_is_said(store, tmp_path):
    unknown = run(store, "--only", "colapse")
    assert unknown.exit_code == 2
    assert "no claim or family is named 'colapse'" in unknown.output
    for name in ("only", "F", "foo"):
        where = run(store, "--where", f"{name}=3")
        assert where.exit_code == 2
        assert (
            f"where must be one of dimension, donors, reevaluate, frozen, repair, budget, got '{name}'" in where.output
        )
    nothing = run(str(tmp_path / "nothing"))
    assert nothing.exit_code == 1
    assert "nothing" in nothing.output
