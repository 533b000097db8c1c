"""The command `debox` in this process, and Python programs in processes of their own."""

import os
import subprocess
import sys
import traceback
import warnings

import pytest
from click.testing import CliRunner

import debox.cli
from debox.cli import cli


def invoke(*arguments):
    """Run `debox ARGUMENTS` in this process; gives exit_code, output, stdout and stderr."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def start_python(code, *arguments, prefix=(), **options):
    """Start a program with these arguments, behind a prefix such as setpriv; output and errors are pipes of text."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*prefix, sys.executable, "-c", code, *map(str, arguments)], **(pipes | options))


def run_python(code, *arguments, prefix=(), **options):
    """Run a program with these arguments to its end; gives returncode, stdout and stderr."""
    captured = {"capture_output": True, "text": True}
    return subprocess.run([*prefix, sys.executable, "-c", code, *map(str, arguments)], **(captured | options))


def fork_python(code, *arguments, **options):
    """Start a program as `start_python` does, in a fork of this process: it need not import debox again.

    That saves one or two seconds. It is for programs that are killed, meet a full disk or leave machine code for the
    next; how Python itself starts and ends, and what is imported, is seen with `start_python` only.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    fork = {"preexec_fn": lambda: run_and_exit(code, arguments), "restore_signals": False}  # those of Python
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of forks beside threads: debox bears them, see jit/locks.py
        return subprocess.Popen(["false"], **(pipes | fork | options))  # never reached: the fork ends before


def run_in_fork(code, *arguments):
    """Run such a program to its end, which must be a good one; gives stdout and stderr."""
    process = fork_python(code, *arguments)
    try:
        output, told = process.communicate(timeout=100)
    finally:
        process.kill()
    assert process.returncode == 0, told
    return output, told


def run_and_exit(code, arguments):
    """Run a program in a process that was forked, and end the process."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # among them a pipe: Popen waits until it is closed
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    sys.argv = ["-c", *map(str, arguments)]
    try:
        exec(code, {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    if sys.stdout:
        sys.stdout.flush()
    os._exit(status)


def run_main(monkeypatch, *arguments):
    """The exit code of the installed command."""
    monkeypatch.setattr(sys, "argv", ["debox", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        debox.cli.main()
    return end.value.code
