"""debox study show, run, status; what may happen to a study is in tests/slow/test_accidents.py."""

import json
import re
import signal

import pytest
from commands import fork_python, invoke

from debox import Study, open_store
from debox.store.manifest import Manifest
from debox.store.store import Writer

STUDY = """
name = "small"
runs = 4
n = 10
budget = 20000
mutation = ["rand/1", "rand/2"]
crossover = "bin"
strategy = "sat"
N = [5, 20]
F = [0.5, 1.5]
Cr = 0.9
engine = "plain"
"""
RUNS = 32
# The installed command, with a run in every chunk, so that there are enough moments to interrupt.
COMMAND = "from debox.study import plan; plan.SHORTEST = 0.001; from debox.cli import main; main()"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture
def brief(tmp_path):
    """The same in two dimensions, with runs of no time: 64 of them. test_readme.py runs all of `smoke`."""
    path = tmp_path / "brief.toml"
    path.write_text(STUDY.replace("n = 10", "n = [3, 10]").replace("20000", "1000"))
    return path


def start(*arguments, code=COMMAND):
    return fork_python(code, *arguments)


# Looking.


def test_show_tells_factors_runs_evaluations_and_time():
    result = invoke("study", "show", "paper")
    assert result.exit_code == 0
    for words in ("strategy    COTN, dismiss, mirror, saturation, toroidal", "N           5, 20, 100"):
        assert words in result.output
    assert "6,000 configurations × 50 runs = 300,000 runs, 90,000,000,000 evaluations" in result.output
    assert re.search(r"about \d+ (min|h) .* of CPU time \(estimated\)", result.output)


def test_show_reads_a_file(file):
    assert f"8 configurations × 4 runs = {RUNS} runs, 640,000 evaluations" in invoke("study", "show", file).output


def test_show_without_a_name_lists_the_built_in_studies():
    lines = invoke("study", "show").output.splitlines()
    assert [line.split()[1].rstrip(":") for line in lines] == ["adaptive", "paper", "quick", "smoke"]


@pytest.mark.parametrize("command", [["study", "show"], ["run", "--store", "out"]], ids=" ".join)
def test_everything_wrong_with_a_file_is_said_and_ends_with_2(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.toml").write_text(STUDY.replace("runs = 4", "runs = 0").replace('"sat"', '"saturn"'))
    result = invoke(*command, "wrong.toml")
    assert result.exit_code == 2
    assert "runs must be an integer ≥ 1, got 0" in result.output
    assert "unknown strategy 'saturn'" in result.output
    assert f"Error: {tmp_path / 'wrong.toml'} is not a valid study" in result.output
    assert not (tmp_path / "out").exists()


def test_show_counts_a_study_that_could_never_be_listed_and_run_refuses_it(tmp_path):
    huge = STUDY.replace("runs = 4", "runs = 1000000000").replace("[0.5, 1.5]", str([k / 100 for k in range(1, 201)]))
    (tmp_path / "huge.toml").write_text(huge)
    shown = invoke("study", "show", tmp_path / "huge.toml")
    assert shown.exit_code == 0
    assert "800 configurations × 1000000000 runs = 800,000,000,000 runs, 16,000,000,000,000,000 " in shown.output
    refused = invoke("run", tmp_path / "huge.toml", "--store", tmp_path / "out")
    assert refused.exit_code == 2
    assert "800,000,000,000 runs of 800 configurations are too many" in refused.output
    assert not (tmp_path / "out").exists()


def test_show_says_that_its_name_may_be_left_out():
    assert "study show [OPTIONS] [NAME|FILE]\n" in invoke("study", "show", "--help").output


@pytest.mark.parametrize("command", ["study show", "store pack", "store export", "store verify"])
def test_a_command_without_its_group_is_told_which(command):
    result = invoke(command.split()[1], "anything")
    assert result.exit_code == 2
    assert f"No such command '{command.split()[1]}'; did you mean 'debox {command}'?" in result.output


def test_a_command_that_no_group_has_is_unknown():
    assert "No such command 'papre'" in invoke("papre").output


# Running.


def test_run_fills_a_store_status_tells_and_running_again_says_it_is_complete(brief, tmp_path):
    result = invoke("run", brief, "--store", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'out'} is complete\n")
    assert "small: 64 of 64 runs (100 %)" in invoke("status", tmp_path / "out").output
    again = invoke("run", brief, "--store", tmp_path / "out")
    assert "64 of 64 runs are stored, nothing left to do" in again.stderr
    told = invoke("store", "verify", tmp_path / "out")
    assert told.exit_code == 0
    assert told.output.startswith("small: 64 of 64 runs (100 %) in 1 part\n")
    assert told.output.endswith("\nno problems were found\n")
    assert "\nrepeated 0 of the stored runs: none" in invoke("store", "verify", tmp_path / "out", "--sample", 0).output


def test_run_does_parts_of_a_study(brief, tmp_path):
    only, store = ["--only", "mutation=rand/1", "--only", "N=5", "--workers", 1, "--json"], tmp_path / "out"
    result = invoke("run", brief, "--store", store, *only)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["planned", "end"]
    assert events[-1]["of"] == 2 * 2 * 4  # F, dimensions, runs
    facts = json.loads(invoke("status", store, "--json").stdout)
    assert (facts["runs"], facts["of"]) == (16, 64)
    for shard in ("1/2", "2/2"):
        assert invoke("run", brief, "--store", store, "--shard", shard).exit_code == 0
    assert len(open_store(store).finished()) == 64


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--only", "strategy=tor"], "only: strategy must be one of saturation, got 'tor'"),
        (["--only", "colour"], "does not read as factor=value"),
        (["--shard", "3/2"], "shard must be i/n"),
        (["--workers", "0"], "workers must be an integer ≥ 1 or -1 for all cores, got 0"),
    ],
)
def test_wrong_options_are_named_and_end_with_2(file, tmp_path, options, named):
    result = invoke("run", file, "--store", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert named in result.output
    assert not (tmp_path / "out").exists()


def test_a_scheduler_that_is_not_there_ends_with_1(file, tmp_path, monkeypatch):
    monkeypatch.setattr("debox.study.execute.CONNECT_SECONDS", 0.5)
    result = invoke("run", file, "--store", tmp_path / "out", "--dask", "tcp://127.0.0.1:9")
    assert result.exit_code == 1
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in result.output


def test_failed_runs_are_named_and_end_with_1(file, tmp_path, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("debox.study.execute.run_chunk", fail)
    result = invoke("run", file, "--store", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert f"{RUNS} of {RUNS} runs failed" in result.stderr
    failed = [json.loads(line) for line in result.stdout.splitlines() if '"failed"' in line]
    assert len({id for event in failed for id in event["ids"]}) == RUNS


def test_a_store_of_another_study_is_refused_with_the_reason(file, tmp_path):
    invoke("run", "smoke", "--store", tmp_path / "out", "--only", "strategy=sat,N=5,n=3")
    result = invoke("run", file, "--store", tmp_path / "out")
    assert result.exit_code == 1
    assert "another study: name 'smoke', not 'small'" in result.output


def test_a_command_that_is_done_leaves_the_signals_as_they_were(file, tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    invoke("run", file, "--store", tmp_path / "out", "--only", "N=5")
    assert signal.getsignal(signal.SIGTERM) == before


def test_control_c_does_not_wait_for_runs_of_hours(tmp_path):
    (tmp_path / "hours.toml").write_text(STUDY.replace("20000", "20000000000"))
    process = start("run", tmp_path / "hours.toml", "--store", tmp_path / "out", "--json")
    next(line for line in process.stdout if '"running"' in line)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)  # a run would take hours
    assert process.returncode == 130


def test_status_of_a_store_whose_operators_are_not_installed_names_them(tmp_path):
    study = Study.stored({**Study.load("smoke").as_dict(), "strategy": "bounce", "mutation": ["rand/1", "my-own/2"]})
    Writer.create(tmp_path / "store", Manifest(study))
    result = invoke("status", tmp_path / "store")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("smoke: 0 of 96 runs (0 %)")  # 2·2·1 operators, 2 N, 2 F, 1 Cr, 2 n, 3 runs
    (line,) = (line for line in result.output.splitlines() if "installed" in line)
    assert line.startswith("not installed: mutation my-own/2, strategy bounce; to run the study, register what is miss")
    facts = json.loads(invoke("status", tmp_path / "store", "--json").output)
    assert facts["not_installed"] == ["mutation my-own/2", "strategy bounce"]
