"""The README says what is so: its examples run, its commands are there."""

import inspect
import re
from pathlib import Path

import pytest
from markdown_pages import code_blocks

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
    assert space["result"].fun == pytest.approx(0.1)  # the minimum, at (2, 0.1, 0)


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parents[1] / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["test", "paper"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 100


def test_its_first_page_has_a_picture_for_either_scheme_and_says_what_it_shows():
    first = README.split("##")[0]
    assert re.findall(r'src(?:set)?="(.*?)"', first) == [f"docs/figures/inside-{one}.webp" for one in ("dark", "light")]
    (text,) = re.findall(r'alt="(.*?)"', first)
    assert len(text) > 50


def test_the_table_of_libraries_has_what_debox_has_today():
    """What others have is tried by benchmarks/neighbours.py, which needs them."""
    (table,) = re.findall(r"<!-- neighbours.*?-->\n(.*?)<!--", README, re.DOTALL)
    columns = zip(*([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()), strict=True)
    rows, ours, *others = columns
    cells = dict(zip(rows, ours, strict=True))
    assert cells[""] == f"debox {debox.__version__}"
    strategies = [one.name for one in operators.in_slot("strategy") if one.name != "none"]
    assert cells["strategies for out-of-bounds trials"] == str(len(strategies))
    assert cells["adaptive DE"] == ", ".join(name for name in operators.RECIPES if name != "debox")
    assert cells["nonlinear constraints"] == "–"
    assert "constraints" not in inspect.signature(debox.minimize).parameters
    assert [re.fullmatch(r"\w+ \d+\.\d+\.\d+", other[0]) is not None for other in others] == [True] * 4
