"""The README says what is so: its examples run, its table is the registry's."""

import re
import shlex
from pathlib import Path

import pytest
from commands import invoke

from debox import registry

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language):
    every = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for of_language, text in every if of_language == language]


COMMANDS = [line for block in blocks("") for line in block.splitlines() if line.startswith("debox")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_python_examples_run_and_print_what_is_shown(capsys):
    space = {}
    for example, shown in zip(blocks("python"), blocks("text"), strict=True):
        exec(example, space)
        assert capsys.readouterr().out == shown
    assert space["result"].fun < 1e-6  # the minimum is 0, at (2, 1, 0)


def test_commands_run_one_after_the_other():
    assert len(COMMANDS) > 4
    for line in COMMANDS:
        answer = invoke(*shlex.split(line, comments=True)[1:])
        assert answer.exit_code == 0, (line, answer.output)


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parents[1] / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["test", "paper"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_the_operator_table_is_the_registry():
    table = re.search(r"<!-- operators.*?-->\n(.*?)\n<!-- end of operators -->", README, re.DOTALL)
    assert table is not None
    assert table[1] == registry.markdown_table(), "run `make format`"


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 80
