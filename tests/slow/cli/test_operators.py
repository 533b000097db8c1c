"""--operators FILE: every command that may meet operators of one's own takes it; nothing that a store says is run."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from drawings import tell_instead_of_drawing

import debox
from debox import operators
from debox.cli import cli
from debox.operators import bridge

MINE = '''
import debox

@debox.strategy("middle", short="mid", citation="nobody, 2026")
def middle(u, x, c, a, b, rng):
    """(a + b)/2"""
    return a + (b - a) / 2

@debox.mutation("half/1", donors=3, weights=lambda F: (0, 0, 1, F / 2, -F / 2))
def half(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_r2 − x_r3)/2"""
    return x_r1 + F * (x_r2 - x_r3) / 2
'''
STUDY = """
name = "own"
runs = 3
n = 2
budget = 200
mutation = ["half/1", "rand/1"]
crossover = "bin"
strategy = ["middle", "sat"]
N = 5
F = [0.5, 1.5]
Cr = 0.9
"""


ONE_STRATEGY = MINE[: MINE.index("\n@debox.mutation")]  # edited, it compiles a strategy and no loop over donors


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with operators of one's own and a study of them; to be quick, they are called in Python."""
    monkeypatch.setattr(bridge, "compile_once", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(MINE)
    (tmp_path / "own.toml").write_text(STUDY)
    return tmp_path


@pytest.fixture
def with_one_strategy(here):
    """The file has the strategy alone, the study debox's own mutation: 12 runs"""
    (here / "own.py").write_text(ONE_STRATEGY)
    (here / "own.toml").write_text(STUDY.replace('"half/1", ', ""))


@pytest.fixture
def command(monkeypatch):
    """A command in a process of its own, as far as operators go"""

    def invoke(*args):
        monkeypatch.setattr(operators, "REGISTRATIONS", ())
        return CliRunner().invoke(cli, args)

    return invoke


def test_every_command_that_meets_operators_takes_a_file_of_them():
    def all_commands(group):
        for command in group.commands.values():
            yield from all_commands(command) if hasattr(command, "commands") else [command]

    takes = {c.name for c in all_commands(cli) if "--operators" in [name for p in c.params for name in p.opts]}
    shown = {"figures", "report", "explore", "claims", "predict", "cite"}
    assert takes == {"operators", "measure", "compare", "show", "run", "status", "verify", *shown}


def test_a_strategy_of_a_file_is_compared(here, command):
    (here / "a_problem.py").write_text("BOUNDS = [(0, 1)]\n\n\ndef cost(x):\n    return x[0]\n")
    options = ["--strategies", "mid,sat", "--budget", "40", "--runs", "2"]
    result = command("compare", "a_problem.py:cost", *options, "--operators", "own.py")
    assert "\nmiddle " in result.output


def test_the_operators_of_a_file_are_listed_with_where_they_come_from(here, command):
    listed = command("operators", "--operators", "own.py").output
    assert "middle, mid                       (a + b)/2" in listed
    assert "nobody, 2026" in listed
    assert f"from file {here / 'own.py'}" in listed
    assert "v = x_r1 + F (x_r2 − x_r3)/2" in listed
    assert "middle, mid" not in command("operators").output


def test_a_study_of_ones_own_operators_goes_all_the_way(here, command, monkeypatch):
    tell_instead_of_drawing(monkeypatch)
    own = ("--operators", "own.py")
    for line in (
        ("measure", "DE/half/1/bin mid, N=5, F=0.5, Cr=0.9", "--n", "2", "--budget", "200", "--runs", "3"),
        ("study", "show", "own.toml"),
        ("run", "own.toml", "--store", "store"),
        ("status", "store"),
        ("store", "verify", "store"),
        ("figures", "store", "--only", "life", "--format", "svg"),
        ("report", "store", "-o", "report.html"),
    ):
        answer = command(*line, *own)
        assert answer.exit_code == 0, (line, answer.output)
    facts = json.loads(command("status", "store", "--json", *own).output)
    assert (facts["runs"], facts["of"]) == (24, 24)
    assert "mid" in (here / "report.html").read_text()


@pytest.mark.parametrize(
    ("line", "hinted"),
    [
        (("measure", "DE/rand/1/bin mid", "-N", "5", "-F", "0.5", "--cr", "0.9"), True),
        (("measure", "DE/half/1/bin sat", "-N", "5", "-F", "0.5", "--cr", "0.9"), True),
        (("study", "show", "own.toml"), True),
        (("run", "own.toml", "--store", "store"), True),
        (("measure", "DE/rand/1/bin sat", "-N", "5", "-F", "7", "--cr", "0.9"), False),
        (("study", "show", "nowhere.toml"), False),
    ],
)
def test_an_error_about_an_unknown_operator_mentions_the_option_and_no_other_does(here, command, line, hinted):
    answer = command(*line)
    assert (answer.exit_code, (here / "store").exists()) == (2, False)
    assert ("; yours come with --operators FILE" in " ".join(answer.output.split())) == hinted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0", "own.py, line 1: ZeroDivisionError: division by zero"),
        ("x = 1", "own.py has no operators"),
        (MINE.replace("return a + (b - a) / 2", "return u"), "strategy 'middle': middle(u="),
        (None, "own.py: No such file or directory"),
    ],
)
def test_a_file_that_is_wrong_is_named_and_nothing_is_done(here, command, text, message):
    (here / "own.py").write_text(text) if text else (here / "own.py").unlink()
    answer = command("run", "own.toml", "--store", "store", "--operators", "own.py")
    assert answer.exit_code == 2
    assert message in " ".join(answer.output.split())
    assert not (here / "store").exists()


@pytest.mark.usefixtures("with_one_strategy")
def test_an_edited_operator_does_not_continue_a_store_and_verify_says_so(command):
    own = ("--operators", "own.py")
    assert command("run", "own.toml", "--store", "store", "--shard", "1/2", *own).exit_code == 0
    Path("own.py").write_text(ONE_STRATEGY.replace("return a + (b - a) / 2", "return a + (b - a) / 4"))
    answer = command("run", "own.toml", "--store", "store", *own)
    assert answer.exit_code == 1
    assert re.search(r"store cannot go on here: \d of \d stored runs that were done again come out diff", answer.output)
    answer = command("store", "verify", "store", "--sample", "12", *own)
    assert answer.exit_code == 1
    assert "comes out differently when done again" in answer.output
    (differs,) = re.findall(
        "^run .* differently when done again: .*", command("status", "store", *own).output, re.MULTILINE
    )
    for show in (["figures", "--only", "threshold", "--format", "csv"], ["explore"], ["claims", "--only", "amount"]):
        note = command(show[0], "store", *show[1:], *own).stderr
        assert f"{differs}; its graphs and exact curves are those of now\n" in note


def test_without_the_file_verify_checks_the_rest_and_names_all_that_is_missing(here, command):
    assert command("run", "own.toml", "--store", "store", "--operators", "own.py").exit_code == 0
    answer = command("store", "verify", "store")
    assert answer.exit_code == 0, answer.output
    assert "not installed: mutation half/1, strategy middle; to run the study, register what is" in answer.output
    part = next((here / "store" / "parts").iterdir())
    part.write_bytes(part.read_bytes()[:-9])
    answer = command("store", "verify", "store")
    assert answer.exit_code == 1
    assert part.name in answer.output


def test_nothing_that_a_store_names_is_imported(here, command, monkeypatch):
    """A store from elsewhere names a module that is there, as an operator and wherever else a name may stand."""
    tell_instead_of_drawing(monkeypatch)
    (here / "evil.py").write_text("open('imported', 'w').close()\n")
    monkeypatch.syspath_prepend(str(here))
    assert command("run", "own.toml", "--store", "store", "--operators", "own.py").exit_code == 0
    manifest = json.loads((here / "store" / "manifest.json").read_text())
    manifest["study"]["strategy"] = ["evil", "saturation"]
    manifest["source"] = "0123456789abcdef strategy:evil=evil module:evil=evil.py"
    for also in ({}, {"operators": ["evil.py"]}, {"modules": ["evil"]}):
        (here / "store" / "manifest.json").write_text(json.dumps(manifest | also))
        for line in (("status", "store"), ("store", "verify", "store"), ("report", "store", "-o", "r.html")):
            command(*line)
        command("figures", "store", "--only", "life", "--format", "svg")
        command("run", "own.toml", "--store", "store", "--operators", "own.py")
    assert not (here / "imported").exists()
    __import__("evil")  # it could have been
    assert (here / "imported").exists()
    del sys.modules["evil"]


def test_an_error_of_an_operator_is_reported_as_that_and_other_configurations_are_done(here, command):
    raises = 'if b == 1.0 and 0.123 < x < 0.124:\n        raise ValueError("unlucky")\n    return'  # no check meets it
    (here / "own.py").write_text(ONE_STRATEGY.replace("return", raises))
    (here / "own.toml").write_text(STUDY.replace('"half/1", ', "").replace("200", "100000") + 'engine = "plain"\n')
    config = "DE/rand/1/bin middle, N=20, F=0.9, Cr=0.9"
    answer = command("measure", config, "-n", "2", "--budget", "100000", "--engine", "plain", "--operators", "own.py")
    assert (answer.exit_code, answer.output) == (1, "Error: an operator of yours raised ValueError: unlucky\n")
    answer = command("run", "own.toml", "--store", "out", "--json", "--operators", "own.py")
    events = [event for event in map(json.loads, answer.stdout.splitlines()) if event["event"] in ("retry", "failed")]
    assert (answer.exit_code, events[-1]["event"]) == (1, "failed")
    assert {event["error"] for event in events} == {"an operator of yours raised ValueError: unlucky"}
    assert (debox.open_store("out").table()["strategy"] == "saturation").sum() == 6
