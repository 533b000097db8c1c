"""debox compare draws, and ends at Ctrl-C."""

import json
import os

import pytest
from commands import invoke, start_python

CODE = "import debox.cli; debox.cli.main()"
PROBLEM = """
import os, signal
BOUNDS = [(0, 1)]
calls = 0


def cost(x):
    return x[0]


def interrupted(x):
    global calls
    calls += 1
    if calls == 100:
        os.kill(os.getpid(), signal.SIGINT)
    return x[0]
"""
SHORT = ["--budget", "40", "--runs", "3", "--strategies", "mirror,sat"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problem.py").write_text(PROBLEM)
    return tmp_path


def run(*options):
    """What is printed; the function is in a file, which is no module that stays."""
    result = invoke("compare", "problem.py:cost", *SHORT, *options)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


@pytest.mark.parametrize(("name", "begin"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.svg", b"<?xml")])
def test_a_picture_is_written_and_its_name_printed_but_not_with_json(folder, name, begin):
    assert run("-o", name).splitlines()[-1] == name
    assert (folder / name).read_bytes().startswith(begin)
    (folder / name).unlink()
    assert json.loads(run("--json", "-o", name))["best"] == "saturation"
    assert (folder / name).exists()


def test_a_measurement_is_drawn_likewise(folder):
    short = ["DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", "-n", "2", "--budget", "100", "--runs", "3"]
    result = invoke("measure", *short, "-o", "runs.svg")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "runs.svg")
    assert "POIS" in (folder / "runs.svg").read_text()
    assert json.loads(invoke("measure", *short, "--json", "-o", "runs.png").stdout)["runs"] == 3
    assert (folder / "runs.png").read_bytes().startswith(b"\x89PNG")


def test_runs_are_polished_if_asked_for():
    plain, polished = (json.loads(run("--json", "--budget", 300, *options)) for options in ([], ["--polish"]))
    assert plain["strategies"][0]["x"] != polished["strategies"][0]["x"]


def test_workers_give_the_same():
    assert run("--json", "--workers", 1) == run("--json", "--workers", 2)


def test_control_c_ends_it_with_130_and_no_output(folder):
    process = start_python(CODE, "compare", "problem:interrupted", "--budget", "1e9", cwd=folder)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "interrupted"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_progress_is_shown_on_a_terminal_alone(folder):
    ours, theirs = os.openpty()
    try:
        process = start_python(CODE, "compare", "problem:cost", *SHORT, "--json", cwd=folder, stderr=theirs)
        out, _ = process.communicate(timeout=60)
        shown = os.read(ours, 10_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert json.loads(out)["best"] == "saturation"
    assert shown.split("\r\n")[0].startswith("run 1 of 3: best f = ")
