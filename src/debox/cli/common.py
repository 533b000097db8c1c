"""What commands share: their options, how errors become messages, how a file is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
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
        try:
            return super().invoke(ctx)
        except Exception as error:
            shown = translate(error, ctx)
            if shown is error:
                raise
            raise shown from None


def translate(error: Exception, ctx: click.Context) -> Exception:
    """The error as click shows it, in one line; errors of a user's objective and of debox itself as they are."""
    from debox.loop import HOW_TO_GET_THE_CORE
    from debox.store.errors import StoreError
    from debox.study.work import StudyError
    from debox.travel import is_of_operator

    if is_of_operator(error):
        return click.ClickException(f"an operator of yours raised {type(error).__name__}: {error}")
    if isinstance(error, MemoryError):
        return click.ClickException(str(error) or "out of memory")
    if isinstance(error, RecursionError):
        return click.ClickException(f"something is nested too deeply: {error}")
    if getattr(error, "__notes__", None):  # of a user's objective, whose traceback says more
        return error
    if isinstance(error, UnicodeError):
        return click.ClickException(f"a name or path that is no text cannot be used here: {error}")
    if isinstance(error, ValueError):
        return click.UsageError(with_operators_hint(error), ctx)
    without_core = isinstance(error, RuntimeError) and HOW_TO_GET_THE_CORE in str(error)
    if without_core or isinstance(error, StoreError | StudyError | ModuleNotFoundError):  # no store, no matplotlib
        return click.ClickException(str(error))
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):  # at which click ends without a word
        return click.ClickException(str(error))
    return error


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


def read_where(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
    """The conditions by the long names of the factors: ("N=5,20", "F<=1") → {"N": ("5", "20"), "F": ("<=1",)}"""
    from debox.analysis import where

    try:
        return where.read(texts)
    except ValueError as error:
        several = any(len(re.findall("[<>=]+", text)) > 1 for text in texts)
        hint = "; repeat --where for each condition: --where mutation=rand/1 --where N=5" if several else ""
        raise click.UsageError(f"{error}{hint}", context) from None


def choice_option(name: str, choices: Sequence[str], help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option with these choices, by default the first."""
    return click.option(f"--{name}", type=click.Choice(choices), default=choices[0], show_default=True, help=help)


def out_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Where a page is written."""
    return click.option(
        "-o", "--out", type=click.Path(), default=default, show_default=True, help="The file; - to print it."
    )


STORE = click.argument("store", type=click.Path())
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
WHERE = click.option(
    "--where",
    multiple=True,
    callback=read_where,
    metavar="TEXT",
    help="Which runs: 'N=5,20', 'F<=1', 'crossover=bin', 'dimension=30'. Repeat it for several conditions.",
)
SEED = click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same runs.")
CONFIDENCE = click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
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


def output(out: str, *suffixes: str, quiet: bool = False) -> Callable[[str | bytes], None]:
    """A function that writes a file and prints its path, or prints a text for -; an error at once if that cannot be."""
    if out == "-":
        if sys.stdout is None:
            raise click.ClickException("cannot print: there is no standard output")
        return lambda text: click.echo(text, nl=False)
    target = files.absolute(out, "--out")
    with as_write_errors(out):
        files.check_output(target, *suffixes)

    def write(content: str | bytes) -> None:
        with as_write_errors(out), files.replacing(target) as unfinished:
            unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        if not quiet:
            click.echo(click.format_filename(out))

    return write
