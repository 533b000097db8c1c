"""--operators FILE: an option of all commands that use operators; registers those of a user's file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from debox.operators import SLOTS

if TYPE_CHECKING:
    from pathlib import Path

    from debox.store.store import Store


def register_files(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    """Register the operators of the files, before other options are read."""
    if not paths:
        return
    from debox.operators.outside import load_file

    for path in paths:
        try:
            load_file(path)
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
    help="A Python file that defines your own operators; it is run. Can be repeated.",
)


def open_to_show(path: str | Path) -> Store:
    """Open a store for figures or reports; warn on stderr of runs with operators of users that come out differently."""
    import debox
    from debox.study.verify import redo

    store = debox.open_store(path)
    for message in redo(store, glance=True, only_outside=True)[1]:
        click.echo(f"{message}; its graphs and exact curves are those of now", err=True)
    return store


def with_operators_hint(error: ValueError) -> str:
    """The message of an error; behind one about an unknown operator, how the command gets to know it."""
    is_unknown = re.search(rf"\bunknown ({'|'.join(SLOTS)}) '", str(error))
    return f"{error}; yours come with --operators FILE" if is_unknown else str(error)
