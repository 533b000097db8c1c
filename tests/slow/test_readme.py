"""The README says what is so: its examples run, its commands are there."""

import shlex
from pathlib import Path

import pytest
from benchmarks import neighbours
from commands import invoke
from markdown_pages import code_blocks

import debox.report

PAGE = Path(__file__).parents[2] / "README.md"


COMMANDS = [line for block in code_blocks(PAGE, "") for line in block.splitlines() if line.startswith("debox")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_commands_run_one_after_the_other(monkeypatch):
    """The report has few figures, to be quick: tests/report draws them."""
    monkeypatch.setattr(debox.report, "FIGURES", {"A run's life": ("life",)})
    assert len(COMMANDS) == 4
    for line in COMMANDS:
        answer = invoke(*shlex.split(line, comments=True)[1:])
        assert answer.exit_code == 0, (line, answer.output)


@pytest.mark.parametrize("library", neighbours.LIBRARIES)
def test_a_column_of_the_table_of_neighbours_is_what_the_installed_version_has(library):
    """`make .venv/.bench` installs the neighbours."""
    pytest.importorskip(library.lower())
    versions = {name.split()[0]: name for name in neighbours.kept()}
    if neighbours.name_and_version(library) != versions[library]:
        pytest.skip(f"the table is of {versions[library]}")
    assert neighbours.cells_of(library) == neighbours.kept()[versions[library]]
