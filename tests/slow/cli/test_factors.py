"""debox factors and debox contrast print what `debox.factors` and `debox.contrast` find."""

import json

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


def test_contrast_prints_its_table_in_every_form():
    part = ["--where", "N=5", "--where", "Cr=0.99", "--where", "strategy=mirror,sat"]
    found = debox.contrast("paper", "strategy", N=5, Cr=0.99, strategy=("mirror", "sat"))
    for form, text in (("text", str(found)), ("markdown", found.to_markdown()), ("latex", found.to_latex())):
        assert invoke("contrast", "paper", "strategy", *part, "--format", form).stdout == f"{text}\n"
    read = json.loads(invoke("contrast", "paper", "strategy", *part, "--format", "json").stdout)
    assert read == json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert read["pairs"][0]["fall"] == 47
