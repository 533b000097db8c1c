"""debox figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from debox.cli.common import OPERATORS, STORE, WHERE, Command, as_write_errors, list_option, open_to_show


@click.command(cls=Command, short_help="Draw the figures of a study.")
@STORE
@click.option("--out", type=click.Path(file_okay=False), default="figures", show_default=True)
@list_option(
    "--format", "formats", metavar="TEXT", default=["pdf"], help="Of pdf, png, svg, csv (the numbers) [default: pdf]."
)
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
    from debox.figures.save import make

    opened, top, tell = open_to_show(store), files.absolute(out, "--out"), partial(click.echo, err=True)
    with as_write_errors(out):
        for path in make(opened, top, where=where, formats=formats, only=only, style=style, tell=tell):
            click.echo(click.format_filename(Path(out, path.relative_to(top))))
