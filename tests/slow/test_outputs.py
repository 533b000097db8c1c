"""Outputs: every kind of thing that a path may lead to, made in folders of the tests' own."""

import os

import pytest
from commands import run_python

# root may write everywhere, unless it gives that up
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


WRITES = """
import sys
from pathlib import Path
from debox import outputs
try:
    with outputs.writing(Path(sys.argv[1]), outputs.HTML) as aside:
        aside.write_text("new")
except OSError as error:
    print(error.strerror, error.filename)
"""


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_what_may_not_be_written_is_an_error_that_says_what_is_in_the_way(tmp_path, closed):
    path = tmp_path / "here" / "x.html"
    path.parent.mkdir()
    path.write_text("old")
    shut, mode = (path.parent, 0o555) if closed == "folder" else (path, 0o444)
    shut.chmod(mode)
    try:
        said = run_python(WRITES, path, prefix=BOUND, timeout=60).stdout
    finally:
        shut.chmod(0o755)
    why = f"no file can be made in its folder {path.parent}" if closed == "folder" else "the file is read-only"
    assert said == f"{why} {path}\n"
    assert path.read_text() == "old"
