"""The command `debox`: each command is arguments in, library calls, output."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import NoReturn

import click

import debox
from debox import threads
from debox.cli import analysis, figures, optimise, study
from debox.cli.common import Group
from debox.version import public_address

SIGTERM_CODE = 143  # the exit code after SIGTERM


class Commands(Group):
    """All commands of debox."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Below the help of `debox`, where the pages are that help texts name."""
        if address := public_address("Documentation"):
            formatter.write_paragraph()
            formatter.write_text(f"Documentation: {address}")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(debox.__version__, prog_name="debox")
def cli() -> None:
    """Differential Evolution with bounds: choose how out-of-bounds trials are repaired, and see how often that happens.

    \b
    Start with:
      debox operators                                               the operators and their formulas
      debox measure "DE/rand/1/exp sat" -N 5 -F 0.7 --cr 0.99       how often it leaves the box, on f0
      debox compare problem:cost --bounds "0,5;0,3"                 which strategy suits your function, in problem.py
      debox run smoke --store out/smoke                             a whole study, in seconds
      debox figures paper --only crossovers                         the paper's study, drawn
      debox factors paper                                           which factor matters most
      debox contrast paper strategy                                 how much each two strategies differ
      debox predict paper "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"   what lies between its levels
      debox claims paper                                            the paper's conclusions, put to the test
      debox report paper -o report.html                             answers, claims, factors, figures in one HTML file
      debox explore -o paper.html                                   the paper's study, and runs of yours, in a browser
      debox cite paper                                              its methods in a paragraph, and BibTeX
    """


for command in (
    *(optimise.list_operators, optimise.measure, optimise.compare),
    *(study.study, study.run, study.status, study.store, figures.figures, analysis.predict),
    *(analysis.claims, analysis.contrast, analysis.factors, analysis.report, analysis.explore, analysis.cite),
):
    cli.add_command(command)
cli.add_command(copy(optimise.list_operators), "strategies")  # its former name
cli.commands["strategies"].hidden = True


def main() -> None:
    """Run the command. Ctrl-C ends it with 130, SIGTERM with 143."""
    escape_unprintable()
    try:
        with sigterm_as_exit():
            code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except OSError as error:  # while it prints help: commands translate theirs
        click.echo(f"Error: {error}", err=True)
        code = 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except SystemExit as error:  # by SIGTERM
        code = error.code
    exit_with(code if isinstance(code, int) else 0)


@contextmanager
def sigterm_as_exit() -> Iterator[None]:
    """Let SIGTERM, which batch systems send, end the command as Ctrl-C does, with SIGTERM_CODE."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(SIGTERM_CODE))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_with(code: int) -> NoReturn:
    """End the process with this code, without waiting for threads that are still running."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, AttributeError):  # a full disk, no output at all
            setattr(sys, name, None)  # else Python tries again at exit
    if threads.unfinished_threads():
        os._exit(code)
    sys.exit(code)


def escape_unprintable() -> None:
    """Let output escape what the terminal cannot show, such as a path that is no text, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
