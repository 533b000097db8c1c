"""debox figures."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from debox import check
from debox.cli.common import OPERATORS, WHERE, as_write_errors, list_option, open_to_show
from debox.study.fields import SHARED, long_name


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
    for short_or_long, value in map(parse_pair, (one for text in conditions for one in text.split(",") if one.strip())):
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
