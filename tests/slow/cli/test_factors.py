"""debox factors, on a stored study that was never run: its POIS follow F and nothing else."""

import json

import numpy as np
import pytest
from commands import invoke
from stored_rows import edited, filled, rows

from debox.store.manifest import Manifest
from debox.store.store import Store


def run(*args):
    return invoke("factors", *args)


def part(crossover, F, n):
    made = rows(range(6), f"DE/rand/1/{crossover} sat, N=5, F={F}, Cr=0.5", n=n)
    return made | {"pois": F / 4 + np.array([0, 1, 2, 0, 1, 2]) / 300}


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two crossovers, three F, two dimensions."""
    path = tmp_path_factory.mktemp("factors") / "store"
    parts = [part(c, F, n) for c in ("bin", "exp") for F in (0.5, 1.0, 1.5) for n in (2, 3)]
    study = edited(crossover=["bin", "exp"], F=[0.5, 1.0, 1.5], Cr=0.5, dimension=[2, 3], runs=6)
    filled(Store.create(path, Manifest(study)), *parts)
    return path


def test_a_table_is_printed(stored):
    result = run(stored, "--where", "dimension=3")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "mean POIS: 6 configurations of 6 runs, dimension = 3"
    of_F = next(line for line in lines if line.startswith("F "))
    assert of_F.split()[:3] == ["F", "3", "100.0"]
    assert lines[-1].startswith("crossover × F ")


@pytest.mark.parametrize("of", ["mean", "logit", "spread", "quantiles"])
def test_json_holds_all_that_is_known(stored, of):
    result = run(stored, "--where", "dimension=3,crossover=bin,F<=1", "--of", of, "--json", "--confidence", "0.9")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["of"], found["configurations"], found["confidence"]) == (of, 2, 0.9)
    assert found["axes"]["F"] == [0.5, 1.0]
    assert found["where"] == {"dimension": 3, "crossover": "bin", "F": "<=1"}
    assert len(found["shares"]) == 63 + 18


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ([], "the runs have dimension = 2, 3"),
        (["--where", "dimension=3,N=7"], "N must be one of 5, got '7'"),
        (["--where", "dimension"], "'dimension' does not read as name=value or name<=value"),
        (["--where", "dimension=3", "--confidence", "2"], "confidence must be above 0 and below 1, got 2.0"),
        (
            ["--where", "foo=3"],
            "where must be one of mutation, crossover, strategy, N, F, Cr, dimension, donors, reevaluate, "
            "frozen, repair, adaptation, budget, got 'foo'",
        ),
        (["--where", "of=mean"], "got 'of'"),
        (["--of", "median"], "'median' is not one of"),
    ],
)
def test_what_is_wrong_is_named_and_ends_with_2(stored, args, named):
    result = run(stored, *args)
    assert (result.exit_code, named in result.stderr) == (2, True), result.output


def test_no_store_is_an_error_without_a_traceback(tmp_path):
    result = run(tmp_path / "nothing")
    assert result.exit_code == 1
    assert "there is no store" in result.stderr
