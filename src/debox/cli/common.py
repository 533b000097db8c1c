"""What commands share: their options, how errors become messages, how a file is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from debox import files, operators
from debox.operators import SLOTS

if TYPE_CHECKING:
    from debox.store.store import Store


class Command(click.Command):
    """A command whose errors end it with a message: exit code 2 for wrong arguments, 1 for what cannot be done."""

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function of the command."""
        from debox.store.errors import StoreError
        from debox.study.work import StudyError
        from debox.travel import is_of_operator

        try:
            return super().invoke(ctx)
        except (StoreError, StudyError, ModuleNotFoundError) as error:  # no store, no matplotlib
            raise click.ClickException(str(error)) from None
        except Exception as error:
            if is_of_operator(error):
                raise click.ClickException(f"an operator of yours raised {type(error).__name__}: {error}") from None
            if isinstance(error, UnicodeError) or getattr(
                error, "__notes__", None
            ):  # notes: a user's traceback says more
                raise
            if isinstance(error, ValueError):
                raise click.UsageError(with_operators_hint(error), ctx) from None
            raise


class Group(click.Group):
    """Commands, some of them in groups; an error about a missing group names it."""

    command_class = Command
    group_class = type

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command asked for; if only a group has it, an error that says which."""
        for group in self.commands.values():
            if isinstance(group, click.Group) and args[0] in group.commands.keys() - self.commands.keys():
                ctx.fail(f"No such command {args[0]!r}; did you mean 'debox {group.name} {args[0]}'?")
        return super().resolve_command(ctx, args)


def with_operators_hint(error: ValueError) -> str:
    """The message of an error; behind one about an unknown operator, how the command gets to know it."""
    is_unknown = re.search(rf"\bunknown ({'|'.join(SLOTS)}) '", str(error))
    return f"{error}; yours come with --operators FILE" if is_unknown else str(error)


class Count(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """An integer, which may be written as 1e5."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """10000, "10000" and "1e4" → 10000"""
        try:
            number = float(value)
        except ValueError:
            number = 0.5
        if not number.is_integer():
            self.fail(f"{value!r} is not a whole number", param, ctx)
        return int(value) if str(value).lstrip("+-").isdigit() else int(number)


COUNT = Count()


def register_files(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    """Register the operators of the files, before other options are read."""
    if paths:
        from debox.operators.outside import load_file

        for path in paths:
            try:
                load_file(path)
            except ValueError as error:
                raise click.UsageError(f"--operators: {error}") from None


def list_option(*names: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that takes several values: separated by commas, or by giving it again."""

    def split(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())

    return click.option(*names, callback=split, multiple=True, **options)


STORE = click.argument("store", type=click.Path())
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
WHERE = click.option(
    "--where", multiple=True, metavar="TEXT", help="Which runs: 'N=5,20', 'F<=1', 'crossover=bin', 'dimension=30'."
)
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
    """Open a store for figures or reports; warn on stderr if runs with operators of users come out differently."""
    import debox
    from debox.study.verify import redo

    store = debox.open_store(path)
    named = [operators.find_or_none(slot, name) for slot in SLOTS for name in getattr(store.study, slot)]
    for message in redo(store, glance=True)[1] if operators.from_outside(filter(None, named)) else ():
        click.echo(f"{message}; its graphs and exact curves are those of now", err=True)
    return store


@contextmanager
def as_write_errors(path: str) -> Iterator[None]:
    """Turn OSErrors into errors of the command that name this path, not that of an unfinished file."""
    try:
        yield
    except BrokenPipeError:  # whoever read the output, such as head, has gone: click ends without a word
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None


def output(out: str, *suffixes: str) -> Callable[[str], None]:
    """A function that writes a text into the file, or prints it; an error at once if that cannot or must not be."""
    if out == "-":
        if sys.stdout is None:
            raise click.ClickException("cannot print: there is no standard output")
        return lambda text: click.echo(text, nl=False)
    target = files.absolute(out, "--out")
    with as_write_errors(out):
        files.check_output(target, *suffixes)

    def write(text: str) -> None:
        with as_write_errors(out):
            files.replace_text(target, text)
        click.echo(click.format_filename(out))

    return write
