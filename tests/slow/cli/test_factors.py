"""debox factors and debox contrast print what `debox.factors` and `debox.contrast` find."""

import json
import re

import pytest
from commands import invoke

import debox

PART = {"crossover": "bin", "N": (5, 20), "F": "<=1"}


def run(*args):
    return invoke("factors", "paper", *args, "--where", "crossover=bin", "--where", "N=5,20", "--where", "F<=1")


def test_a_table_is_printed():
    result = run()
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{debox.factors('paper', **PART)}\n"
    assert result.stdout.startswith("mean POIS: 1000 configurations of 50 runs, crossover = bin; N = 5, 20; F ≤ 1\n")


def test_json_holds_all_that_is_known():
    found = json.loads(run("--of", "logit", "--json", "--confidence", "0.9").stdout)
    expected = debox.factors("paper", "logit", confidence=0.9, **PART).as_dict()
    assert found | {"where": {}} == json.loads(json.dumps(expected | {"where": {}}))
    assert len(found["shares"]) == 63 + 18 + 1


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (
            ["--where", "strategy=wall"],
            "strategy must be one of COTN, .*got 'wall'",
        ),
        (["--where", "budget=7"], "where: budget must be one of 300000, got '7'"),
        (["--where", "dimension"], "'dimension' does not read as name=value or name<=value"),
        (["--where", "of=mean"], "where must be one of"),
        (["--confidence", "2"], "confidence must be a number with 0 < confidence < 1, got 2.0"),
        (["--of", "median"], "'median' is not one of"),
    ],
)
def test_what_is_wrong_is_named_and_ends_with_2(args, named):
    result = run(*args)
    assert (result.exit_code, bool(re.search(named, result.stderr))) == (2, True), result.output


def test_no_store_is_an_error_without_a_traceback(tmp_path):
    result = invoke("factors", tmp_path / "nothing")
    assert result.exit_code == 1
    assert "there is no store" in result.stderr


def test_contrast_prints_its_table_in_every_form():
    part = ["--where", "N=5", "--where", "Cr=0.99", "--where", "strategy=mirror,sat"]
    found = debox.contrast("paper", "strategy", N=5, Cr=0.99, strategy=("mirror", "sat"))
    for form, text in (("text", str(found)), ("markdown", found.to_markdown()), ("latex", found.to_latex())):
        assert invoke("contrast", "paper", "strategy", *part, "--format", form).stdout == f"{text}\n"
    read = json.loads(invoke("contrast", "paper", "strategy", *part, "--format", "json").stdout)
    assert read == json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert read["pairs"][0]["fall"] == 47
