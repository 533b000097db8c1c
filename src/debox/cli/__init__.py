"""The command `debox`: each command is arguments in, library calls, output."""

from __future__ import annotations

import sys
from copy import copy

import click

import debox
from debox.cli import cite, claims, compare, explore, factors, figures, measure, predict, report, store, study
from debox.cli.ending import escape_unprintable, exit_with, sigterm_as_exit
from debox.version import public_address


class Commands(click.Group):
    """Commands, some of them in groups; an error about a missing group names it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command asked for; if only a group has it, an error that says which."""
        for group in self.commands.values():
            if isinstance(group, click.Group) and args[0] in group.commands.keys() - self.commands.keys():
                ctx.fail(f"No such command {args[0]!r}; did you mean 'debox {group.name} {args[0]}'?")
        return super().resolve_command(ctx, args)

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
      debox predict paper "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"   what lies between its levels
      debox claims paper                                            the paper's conclusions, put to the test
      debox report paper -o report.html                             answers, claims, factors, figures in one HTML file
      debox explore -o paper.html                                   the paper's study, and runs of yours, in a browser
      debox cite paper                                              its methods in a paragraph, and BibTeX
    """


COMMANDS = (
    *(measure.list_operators, measure.measure, compare.compare),
    *(study.study, study.run, study.status, store.store),
    *(figures.figures, claims.claims, factors.factors, predict.predict, report.report, explore.explore, cite.cite),
)
for command in COMMANDS:
    cli.add_command(command)
cli.add_command(copy(measure.list_operators), "strategies")  # its former name
cli.commands["strategies"].hidden = True


def main() -> None:
    """Run the command. Ctrl-C ends it with 130, SIGTERM with 143; no memory, disk or core with 1 and a message."""
    escape_unprintable()
    try:
        with sigterm_as_exit():
            code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except SystemExit as error:  # by SIGTERM
        code = error.code
    except (OSError, MemoryError, RecursionError, UnicodeError) as error:
        click.echo(f"Error: {describe_error(error)}", err=True)
        sys.stdout = None  # else Python tries to write the rest again at exit
        code = 1
    except RuntimeError as error:
        from debox.loop import HOW_TO_GET_THE_CORE

        if HOW_TO_GET_THE_CORE not in str(error):
            raise
        click.echo(f"Error: {error}", err=True)
        code = 1
    exit_with(code if isinstance(code, int) else 0)


def describe_error(error: Exception) -> str:
    """An error message for a reader who does not know Python."""
    if isinstance(error, MemoryError):
        return str(error) or "out of memory"
    if isinstance(error, UnicodeError):
        return f"a name or path that is no text cannot be used here: {error}"
    return f"something is nested too deeply: {error}" if isinstance(error, RecursionError) else str(error)
