"""The README says what is so: its examples run, its commands are there."""

import re
from pathlib import Path

import pytest
from markdown_pages import code_blocks
from operator_lists import PAPER_MUTATIONS, PAPER_STRATEGIES

import debox
from debox import operators

PAGE = Path(__file__).parents[1] / "README.md"
README = PAGE.read_text()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_python_examples_run_and_print_what_is_shown(capsys):
    space = {}
    for example, shown in zip(code_blocks(PAGE, "python"), code_blocks(PAGE, "text"), strict=True):
        exec(example, space)
        assert capsys.readouterr().out == shown
    assert space["result"].fun < 1e-6  # the minimum is 0, at (2, 1, 0)


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parents[1] / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["test", "paper"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_it_says_why_one_study_needs_a_choice_of_dimension_and_the_other_none():
    text = " ".join(README.split())
    assert "`--where` chooses one of smoke's two dimensions" in text
    assert "the paper's study, `data/paper.parquet`, has one" in text
    assert [len(debox.Study.load(name).dimension) for name in ("smoke", "paper")] == [2, 1]


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 80


@pytest.mark.parametrize("slot", ["mutation", "crossover", "strategy"])
def test_every_operator_of_the_paper_is_named_and_the_place_of_the_others(slot):
    of_paper = {"mutation": PAPER_MUTATIONS, "strategy": PAPER_STRATEGIES}.get(slot, operators.in_slot(slot))
    assert [o.name for o in of_paper if o.name not in README and o.short not in README] == []
    assert "docs/operators.md" in README
    assert "debox operators" in " ".join(debox.minimize.__doc__.split())
