"""The command itself: help, the list of operators, exit codes."""

import re
import sys
from dataclasses import replace

import pytest
from commands import fork_python, invoke, run_main

import debox
from debox import cli, operators


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag):
    result = invoke(flag)
    assert result.exit_code == 0
    shown = {name for name in cli.cli.commands if re.search(rf"^  {name}\b", result.output, re.MULTILINE)}
    assert shown == set(cli.cli.commands) - {"strategies"}  # what operators was called before


@pytest.mark.parametrize("command", list(cli.cli.commands))
def test_every_command_explains_itself(command):
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert cli.cli.commands[command].help.split("\n")[0][:40] in result.output


def test_help_shows_stores_that_every_installation_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = [line.split() for line in invoke("--help").output.splitlines() if " paper " in line]
    assert [words[1] for words in shown] == ["figures", "factors", "contrast", "predict", "claims", "report", "cite"]
    assert "paper.parquet" not in invoke("--help").output + invoke("predict", "--help").output
    assert debox.open_store("paper").path.is_file()


@pytest.mark.parametrize("command", ["figures", "factors", "claims", "report", "explore"])
def test_a_clone_s_path_of_the_paper_s_study_is_answered_with_its_name(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke(command, "data/paper.parquet")
    assert result.exit_code == 1
    assert "paper.parquet; 'paper' names the study that comes with debox" in result.output


def test_version_is_the_version_of_the_package():
    assert invoke("--version").output == f"debox, version {debox.__version__}\n"


def test_operators_lists_every_operator_and_recipe():
    result = invoke("operators")
    assert result.exit_code == 0
    assert invoke("strategies").output == result.output
    sections = dict(re.findall(r"^(\w+)\n(.*?)\n\n", result.output, re.MULTILINE | re.DOTALL))
    for operator in operators.OPERATORS:
        entry = re.search(rf"^  {re.escape(operator.name)}\b.*\n.*$", sections[operator.slot], re.MULTILINE)[0]
        assert all(part in entry for part in (operator.short, operator.formula, operator.citation))
    assert [line.split()[0] for line in sections["recipe"].splitlines()] == list(operators.RECIPES)
    assert "DE/current-to-pbest/1/bin midpoint-target, adaptation=L-SHADE; N = 18 n" in sections["recipe"]


def test_a_space_is_kept_between_a_long_name_and_its_formula():
    name = "a-strategy-with-a-name-of-40-letters-abc"
    debox.register(replace(operators.find("strategy", "mirror"), name=name, short=name))
    assert f"  {name} {operators.find('strategy', 'mirror').formula}\n" in invoke("operators").output


SHORT = ["measure", "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", "--runs", "2", "--n", "2", "--budget", "100"]


@pytest.mark.parametrize("command", [["-h"], ["measure", "-h"], SHORT], ids=" ".join)
def test_what_cannot_be_written_ends_with_1_and_a_message(command):
    with open("/dev/full", "w") as full:
        process = fork_python("from debox.cli import main; main()", *command, stdout=full)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "Error: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("wrong", [["fly"], ["--fly"], ["operators", "--fly"], ["operators", "extra"]], ids=" ".join)
def test_what_is_unknown_ends_with_2_and_a_message(monkeypatch, capsys, wrong):
    assert run_main(monkeypatch, *wrong) == 2
    out, err = capsys.readouterr()
    assert (out, wrong[-1] in err, "Usage:" in err) == ("", True, True)


def test_a_command_that_works_ends_with_0(monkeypatch, capsys):
    assert run_main(monkeypatch, "operators") == 0
    assert "toroidal" in capsys.readouterr().out


def test_no_command_shows_the_help_and_is_not_a_success(monkeypatch, capsys):
    assert run_main(monkeypatch) == 2
    assert "Start with:" in "".join(capsys.readouterr())


def raises(error):
    def fail():
        raise error

    return fail


def endless():
    endless()


ENDS = [
    (raises(KeyboardInterrupt), 130, "interrupted\n"),
    (raises(MemoryError("Unable to allocate 8 TiB")), 1, "Error: Unable to allocate 8 TiB\n"),
    (raises(MemoryError()), 1, "Error: out of memory\n"),
    (raises(OSError(28, "No space left on device")), 1, "Error: [Errno 28] No space left on device\n"),
    (raises(ModuleNotFoundError("figures need matplotlib")), 1, "Error: figures need matplotlib\n"),
    (endless, 1, "Error: something is nested too deeply: maximum recursion depth exceeded"),
    (lambda: "\udcff".encode(), 1, "Error: a name or path that is no text cannot be used here: 'utf-8' codec"),
]


@pytest.mark.parametrize(("command", "code", "message"), ENDS)
def test_what_cannot_be_done_ends_with_a_message(monkeypatch, capsys, command, code, message):
    monkeypatch.setattr(cli.cli.commands["operators"], "callback", command)
    assert run_main(monkeypatch, "operators") == code
    out, err = capsys.readouterr()
    assert (out, err.lstrip().startswith(message)) == ("", True), err


def test_a_bug_is_not_hidden(monkeypatch):
    monkeypatch.setattr(cli.cli.commands["operators"], "callback", raises(ZeroDivisionError))
    monkeypatch.setattr(sys, "argv", ["debox", "operators"])
    with pytest.raises(ZeroDivisionError):
        cli.main()
