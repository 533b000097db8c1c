"""debox claims: a table, JSON, a choice of claims; errors that say what is wrong."""

import json
from itertools import product

import pytest
from click.testing import CliRunner
from tests.store.rows import filled, rows

from debox.cli import cli
from debox.store.manifest import Manifest
from debox.store.store import Store

OPERATORS = product(("bin", "exp"), ("mirror", "toroidal", "dismiss"), (5, 20), (0.5, 1.5), (0.5, 0.99))
CONFIGURATIONS = [f"DE/rand/1/{cross} {strategy}, N={N}, F={F}, Cr={Cr}" for cross, strategy, N, F, Cr in OPERATORS]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of made-up runs."""
    path = tmp_path_factory.mktemp("claims") / "store"
    new = Store.create(path, Manifest(study={"name": "small"}, source="0123456789abcdef"))
    filled(new, *(rows(range(5), configuration) for configuration in CONFIGURATIONS))
    return str(path)


def invoke(*arguments):
    return CliRunner().invoke(cli, ["claims", *arguments])


def test_the_table_fits_in_100_columns(store):
    answer = invoke(store)
    assert answer.exit_code == 0, answer.output
    assert max(map(len, answer.output.splitlines())) <= 100
    assert "NOT TESTABLE   size-20-to-100" in answer.output
    assert "needs N = 100; the study has 5, 20" in answer.output


def test_json_of_some_claims(store):
    answer = invoke(store, "--json", "--only", "crossover-exp-b*,factors")
    results = json.loads(answer.output)
    assert {one["family"] for one in results} == {"crossover", "factors"}
    first = results[0]
    assert (first["id"], first["cells"] > 0, 0 <= first["p"] <= 1) == ("crossover-exp-below-bin", True, True)


def test_what_is_wrong_is_said(store, tmp_path):
    unknown = invoke(store, "--only", "colapse")
    assert unknown.exit_code == 2
    assert "no claim or family is named 'colapse'" in unknown.output
    nothing = invoke(str(tmp_path / "nothing"))
    assert nothing.exit_code == 1
    assert "nothing" in nothing.output
