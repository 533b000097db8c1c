"""debox store pack, debox store export, debox store verify."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import debox
from debox import files
from debox.cli.common import OPERATORS, STORE, Group, list_option

DROP = list_option("--drop", metavar="COLUMNS", help="Columns to leave out, e.g. best_x,seconds.")


@click.group(cls=Group)
def store() -> None:
    """Look after the results of a study."""


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
    target = file or out or default_file(store)
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
    """Write STORE as text: a line per run, numbers with all their digits, best_x as numbers between spaces."""
    printed = file == "-"
    if printed and sys.stdout is None:
        raise click.ClickException("cannot print: there is no standard output")
    debox.open_store(store).to_csv(sys.stdout if printed else file, drop=drop)
    if not printed:
        print_size(file)


@store.command()
@STORE
@click.option("--sample", metavar="K|all", help="How many runs to do again [default: some of each kind, for 5 s].")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the choice of the K runs [default: another each time]."
)
@OPERATORS
def verify(store: str, sample: str | None, seed: int | None) -> None:
    """Check STORE: checksums, columns, ids against the study's plan; do runs again and compare them bit for bit."""
    from debox.study.verify import verify as verify_store

    wanted = int(sample) if sample and sample.lstrip("-").isdigit() else sample
    result = verify_store(store, sample=wanted, rng=seed)
    if result.problems:
        found = [*result.problems, *filter(None, [result.why_none_repeated])]
        raise click.ClickException("\n".join([f"{store} is not what it should be:", *found]))
    click.echo(f"{click.format_filename(store)}: {result}")
