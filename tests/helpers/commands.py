"""The command `debox` in this process, and Python programs in processes of their own."""

import subprocess
import sys

from click.testing import CliRunner

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
