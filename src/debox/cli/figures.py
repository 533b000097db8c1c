"""debox figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from debox import check
from debox.cli.operators import OPERATORS, open_to_show
from debox.study.fields import SHARED, long_name


def split_commas(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """("pdf,png", "svg") → ("pdf", "png", "svg")"""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def list_option(*names: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that takes several values: separated by commas, or by giving it again."""
    return click.option(*names, callback=split_commas, multiple=True, **options)


WHERE = list_option("--where", metavar="TEXT", help="Which runs, if there are several: 'dimension=30'.")


@click.command(short_help="Draw the figures of a study.")
@click.argument("store", type=click.Path())
@click.option("--out", type=click.Path(file_okay=False), default="figures", show_default=True)
@list_option("--format", "formats", metavar="TEXT", default=["pdf"], help="Of pdf, png and svg [default: pdf].")
@list_option("--only", metavar="TEXT", help="Names or patterns: 'threshold,atlas-*,panels/*-sat-N5'.")
@click.option("--style", type=click.Choice(["paper", "screen"]), default="paper", show_default=True)
@WHERE
@OPERATORS
def figures(
    store: str, out: str, formats: tuple[str, ...], only: tuple[str, ...], style: str, where: tuple[str, ...]
) -> None:
    """Draw the figures of STORE, a directory or one packed .parquet file: the paper's, compact ones, every panel.

    \b
    --format pdf,png    several, separated by commas
    --only …            the error about an unknown name lists names and patterns
    --where dimension=3 the figures go into a folder of that name within --out
    Figures without a single run are left out; stderr names them.
    """
    from debox import files
    from debox.store.errors import StoreError

    try:
        from debox.figures.make import make

        opened = open_to_show(store)
        chosen = parse_pairs(where)
        options: dict[str, Any] = {
            "formats": formats,
            "only": only,
            "style": style,
            "tell": partial(click.echo, err=True),
        }
        table, top = opened.table(), files.absolute(out, "--out")
        with as_write_errors(out):
            for path in make(table, top, study=opened.study, where=chosen, **options):
                click.echo(click.format_filename(Path(out, path.relative_to(top))))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, ModuleNotFoundError) as error:  # no store, no matplotlib
        raise click.ClickException(str(error)) from None


@contextmanager
def as_write_errors(path: str) -> Iterator[None]:
    """Turn OSErrors into errors of the command that name this path, not that of an unfinished file."""
    try:
        yield
    except BrokenPipeError:  # whoever read the output, such as head, has gone: click ends without a word
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None


def parse_settings(conditions: Iterable[str]) -> dict[str, Any]:
    """("dimension=30", "budget=3000") → {"dimension": "30", "budget": "3000"}; other names are refused"""
    found: dict[str, Any] = parse_pairs(conditions)
    for name in found:
        if name not in SHARED:
            check.choice("where", name, SHARED)
    return found


def parse_pairs(conditions: Iterable[str]) -> dict[str, str]:
    """("dimension=30", "budget=3000") → {"dimension": "30", "budget": "3000"}; of each name there is one value"""
    found: dict[str, str] = {}
    for short_or_long, value in map(parse_pair, conditions):
        name = long_name(short_or_long)
        if value != found.setdefault(name, value):
            raise ValueError(f"where: {name} is given twice, as {found[name]} and {value}; choose one")
    return found


def parse_pair(text: str) -> tuple[str, str]:
    """dimension=30 → ("dimension", "30")"""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise ValueError(f"where: {text!r} does not read as name=value, e.g. dimension=30")
    return name, value
