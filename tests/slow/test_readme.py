"""The README says what is so: its examples run, its commands are there."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import invoke
from markdown_pages import code_blocks

from debox.report import sections

PAGE = Path(__file__).parents[2] / "README.md"


COMMANDS = [line for block in code_blocks(PAGE, "") for line in block.splitlines() if line.startswith("debox")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_commands_run_one_after_the_other(monkeypatch):
    """The report has few figures, to be quick: tests/report draws them."""
    monkeypatch.setattr(sections, "FIGURES", {"A run's life": ("life",)})
    assert len(COMMANDS) > 4
    for line in COMMANDS:
        answer = invoke(*shlex.split(line, comments=True)[1:])
        assert answer.exit_code == 0, (line, answer.output)


def test_type_checkers_accept_the_examples_and_see_what_is_wrong(tmp_path):
    """debox says that it has types (py.typed): a checker of somebody's program reads them."""
    examples = "\n".join(code_blocks(PAGE, "python"))
    (tmp_path / "examples.py").write_text(examples)
    (tmp_path / "wrong.py").write_text(f'{examples}\ndebox.measure("DE/rand/1/exp sat", runs="fifty")\n')
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--cache-dir", str(tmp_path / "cache")]
    right, wrong = (
        subprocess.run([*command, name], cwd=tmp_path, capture_output=True, text=True)
        for name in ("examples.py", "wrong.py")
    )
    assert (right.returncode, right.stdout) == (0, "Success: no issues found in 1 source file\n")
    assert 'Argument "runs" to "measure" has incompatible type "str"; expected "int"' in wrong.stdout
