"""debox store pack, debox store export, debox store verify."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import debox
from debox import files
from debox.cli.common import OPERATORS, list_option
from debox.store.errors import StoreError

STORE = click.argument("store", type=click.Path())
DROP = list_option("--drop", metavar="COLUMNS", help="Columns to leave out, e.g. best_x,seconds.")


@click.group()
def store() -> None:
    """Look after the results of a study."""


@contextmanager
def as_command_errors() -> Iterator[None]:
    """Turn errors into those of the command: exit code 2 for wrong arguments, 1 for what cannot be done."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@store.command()
@STORE
@click.argument("file", type=click.Path(), required=False)
@click.option("-o", "--out", type=click.Path(), help="The same as FILE.")
@DROP
def pack(store: str, file: str | None, out: str | None, drop: tuple[str, ...]) -> None:
    """Write STORE into one Parquet FILE, which debox, pandas, polars, DuckDB and R's arrow read.

    FILE is the directory's name with .parquet unless given. The manifest goes with it.
    """
    if file is not None and out is not None:
        raise click.UsageError(f"the file to write is given twice: as {file} and as -o {out}")
    given = file if file is not None else out
    with as_command_errors():
        target = given if given is not None else default_file(store)
        debox.open_store(store).pack(target, drop=drop)
    print_size(target)


def default_file(store: str) -> str:
    """The file to pack a directory into: its name with .parquet, also of a store named . or ~"""
    if files.absolute(store).is_file():
        raise ValueError(f"-o NEW.parquet is needed: {store} is a file, not a directory")
    path = Path(store) if Path(store).name not in ("", "..", "~") else files.absolute(store).resolve()
    return f"{path}.parquet"


def print_size(written: str) -> None:
    """Print the file and its size."""
    size = files.absolute(written).stat().st_size
    in_words = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
    click.echo(f"{click.format_filename(written)}: {in_words}")


@store.command()
@STORE
@click.option("--csv", "file", required=True, type=click.Path(), help="The .csv file to write; - to print it.")
@DROP
def export(store: str, file: str, drop: tuple[str, ...]) -> None:
    """Write STORE as text: a line per run, numbers with all their digits, best_x as numbers between spaces.

    A text that begins with = + - @, a tab or a return gets an apostrophe: a spreadsheet would take it for a formula.
    debox itself writes none, but STORE may come from elsewhere.
    """
    printed = file == "-"
    if printed and sys.stdout is None:
        raise click.ClickException("cannot print: there is no standard output")
    with as_command_errors():
        debox.open_store(store).to_csv(sys.stdout if printed else file, drop=drop)
    if not printed:
        print_size(file)


@store.command()
@STORE
@click.option(
    "--sample",
    type=int,
    help="How many runs to do again and compare bit for bit [default: some of each set of operators and N, for 5 s].",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the choice of the sample [default: another each time]."
)
@OPERATORS
def verify(store: str, sample: int | None, seed: int | None) -> None:
    """Check STORE: checksums, columns, ids against the study's plan; and do some of its runs again."""
    from debox.study.verify import verify as verify_store

    with as_command_errors():
        result = verify_store(store, sample=sample, rng=seed)
    if result.problems:
        found = [*result.problems, *filter(None, [result.why_none_repeated])]
        raise click.ClickException("\n".join([f"{store} is not what it should be:", *found]))
    click.echo(f"{click.format_filename(store)}: {result}")
