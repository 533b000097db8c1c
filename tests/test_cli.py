import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

import debox
from debox import cli, registry


def run(*args):
    return CliRunner().invoke(cli.cli, args)


def run_main(monkeypatch, *args):
    """The exit code of the installed command."""
    monkeypatch.setattr(sys, "argv", ["debox", *args])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return end.value.code


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag):
    result = run(flag)
    assert result.exit_code == 0
    assert all(re.search(rf"^  {name}\b", result.output, re.MULTILINE) for name in cli.cli.commands)


@pytest.mark.parametrize("command", list(cli.cli.commands))
def test_every_command_explains_itself(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert cli.cli.commands[command].help.split("\n")[0][:40] in result.output


def test_version_is_the_version_of_the_package():
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"debox, version {debox.__version__}\n")


@pytest.mark.parametrize("operator", registry.OPERATORS, ids=lambda operator: f"{operator.slot}-{operator.name}")
def test_strategies_lists_every_operator_with_its_names_formula_and_source(operator):
    result = run("strategies")
    assert result.exit_code == 0
    section = re.search(rf"^{operator.slot}\n(.*?)\n\n", result.output, re.MULTILINE | re.DOTALL)[1]
    entry = re.search(rf"^  {re.escape(operator.name)}\b.*\n.*$", section, re.MULTILINE)[0]
    assert operator.short in entry
    assert operator.formula in entry
    assert operator.citation in entry


def test_python_dash_m_debox_is_the_command():
    result = subprocess.run([sys.executable, "-m", "debox", "strategies"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == run("strategies").output


def test_a_reader_that_has_gone_is_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([sys.executable, "-m", "debox", "strategies"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert result.stderr == b""


@pytest.mark.parametrize("wrong", [["fly"], ["--fly"], ["strategies", "--fly"], ["strategies", "extra"]], ids=" ".join)
def test_what_is_unknown_ends_with_2_and_a_message(monkeypatch, capsys, wrong):
    assert run_main(monkeypatch, *wrong) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert wrong[-1] in err
    assert "Usage:" in err


def test_a_command_that_works_ends_with_0(monkeypatch, capsys):
    assert run_main(monkeypatch, "strategies") == 0
    assert "toroidal" in capsys.readouterr().out


def test_no_command_shows_the_help_and_is_not_a_success(monkeypatch, capsys):
    assert run_main(monkeypatch) == 2
    out, err = capsys.readouterr()
    assert "Start with:" in out + err


def test_control_c_ends_with_130_and_without_a_traceback(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.cli.commands["strategies"], "callback", interrupted)
    assert run_main(monkeypatch, "strategies") == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == "interrupted"


def test_a_bug_is_not_hidden(monkeypatch):
    def broken():
        raise ZeroDivisionError

    monkeypatch.setattr(cli.cli.commands["strategies"], "callback", broken)
    monkeypatch.setattr(sys, "argv", ["debox", "strategies"])
    with pytest.raises(ZeroDivisionError):
        cli.main()
