"""--operators FILE: operators of one's own, for every command that may meet them."""

from __future__ import annotations

import click


def load(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    """Register the operators of the files, before anything else of the command is looked at."""
    if not paths:
        return
    from debox.registry import file

    for path in paths:
        try:
            file.load(path)
        except ValueError as error:
            raise click.UsageError(f"--operators: {error}") from None


OPERATORS = click.option(
    "--operators",
    metavar="FILE",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=load,
    type=click.Path(),
    help="A Python file that registers operators of your own; it is run. Can be repeated.",
)
