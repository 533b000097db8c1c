"""debox explore, on a small study that is really run and stored."""

import json
import re
from functools import partial

import pytest
from commands import invoke

import debox

run = partial(invoke, "explore")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two dimensions, four cells, three runs."""
    path = tmp_path_factory.mktemp("explore") / "store"
    operators = {"mutation": "rand/1", "crossover": "exp", "strategy": "sat", "N": 5}
    study = debox.Study(name="small", **operators, F=[0.5, 1.5], Cr=[0.1, 0.9], n=[2, 3], budget=60, runs=3)
    debox.run(study, path, workers=1)
    return path


def header_of(text):
    return json.loads(re.search(r'id="header">(.*?)</script>', text)[1])


@pytest.mark.slow
def test_it_writes_one_file_and_prints_its_path(stored, tmp_path):
    out = tmp_path / "small.html"
    result = run(stored, "-o", out, "--where", "dimension=3")
    assert (result.exit_code, result.stdout) == (0, f"{out}\n"), result.output
    assert [path.name for path in tmp_path.iterdir()] == ["small.html"]
    header = header_of(out.read_text())
    assert (header["name"], header["dimension"], header["budget"], header["runs"]) == ("small", 3, 60, 3)


@pytest.mark.slow
def test_it_prints_the_page_and_names_an_open_choice(stored):
    assert header_of(run(stored, "-o", "-", "--where", "n=2").stdout)["dimension"] == 2
    result = run(stored, "-o", "-")
    assert result.exit_code == 2
    assert "the runs have dimension = 2, 3" in result.output


def test_a_page_that_is_printed_cannot_be_opened(tmp_path):
    result = run(tmp_path, "-o", "-", "--open")
    assert result.exit_code == 2
    assert "--open shows a file" in result.output


def test_what_is_no_store_is_named(tmp_path):
    result = run(tmp_path / "missing", "-o", tmp_path / "x.html")
    assert result.exit_code == 1
    assert "there is no store" in result.output


def test_the_study_of_the_paper_is_there_without_a_name():
    from debox.cli.explore import PAPER

    assert debox.open_store(PAPER).study.name == "paper"
