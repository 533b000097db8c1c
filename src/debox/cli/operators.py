"""--operators FILE: an option of all commands that use operators; registers those of a user's file."""

from __future__ import annotations

import click


def register_files(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    """Register the operators of the files, before other options are read."""
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
    callback=register_files,
    type=click.Path(),
    help="A Python file that registers operators of your own; it is run. Can be repeated.",
)
