"""The command `debox`."""

from __future__ import annotations

import sys

import click

import debox
from debox import registry


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(debox.__version__, prog_name="debox")
def cli() -> None:
    """Differential Evolution in a box: choose what happens at the walls, and count how often it does.

    \b
    Start with:
      debox strategies        the operators and their formulas
    """


@cli.command()
def strategies() -> None:
    """List every operator: mutations, crossovers, strategies at the walls, donor rules."""
    for slot in registry.SLOTS:
        click.echo(f"{slot}")
        for operator in registry.in_slot(slot):
            names = ", ".join(dict.fromkeys((operator.name, operator.short)))
            click.echo(f"  {names:<34}{operator.formula}")
            click.echo(f"  {'':<34}{operator.citation}")
        click.echo()
    click.echo("Write a variant as DE/mutation/crossover and a configuration as 'DE/rand/1/exp sat'.")


def main() -> None:
    """Run the command; Ctrl-C ends it quietly with 130."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    sys.exit(code if isinstance(code, int) else 0)
