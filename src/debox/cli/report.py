"""debox report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

import debox
from debox import files, outputs
from debox.cli.figures import pair, parts, writing
from debox.cli.operators import OPERATORS

if TYPE_CHECKING:
    from debox.store.manifest import Manifest


@click.command()
@click.argument("store", type=click.Path())
@click.option(
    "-o", "--out", type=click.Path(), default="report.html", show_default=True, help="The file; - to print it."
)
@click.option("--where", callback=parts, help="Which runs, if there are several: 'dimension=30'.")
@OPERATORS
def report(store: str, out: str, where: tuple[str, ...]) -> None:
    """Tell what was run in STORE, a directory or one packed .parquet file, and what came out, as one HTML file.

    The file holds everything it shows: numbers, figures and tables; it needs no other file and no network.
    """
    from debox.store.errors import StoreError

    try:
        from debox.report import report as told

        opened = debox.open_store(store)
        chosen = dict(pair(text) for text in where)
        put = printed if out == "-" else into_file(out, opened.parts())
        put(told(opened.table(), study=opened.study, provenance=made_by(opened.manifest), where=chosen))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, ModuleNotFoundError) as error:  # no store, no matplotlib
        raise click.ClickException(str(error)) from None


def printed(text: str) -> None:
    """Print the page."""
    if sys.stdout is None:
        raise click.ClickException("cannot print: there is no standard output")
    click.echo(text, nl=False)


def into_file(out: str, inputs: Collection[Path]) -> Callable[[str], None]:
    """What writes the page, if it may be written there: that is found out before the page is made."""
    target = files.absolute(out, "--out")
    with writing(out):
        outputs.destination(target, outputs.HTML, inputs)

    def put(text: str) -> None:
        with writing(out), outputs.writing(target, outputs.HTML, inputs) as aside:
            aside.write_text(text, encoding="utf-8")
        if not outputs.is_stream(target):
            click.echo(click.format_filename(out))

    return put


def made_by(manifest: Manifest) -> dict[str, str]:
    """What the numbers depend on, besides the study."""
    return {
        **{name: str(version) for name, version in manifest.versions.items()},
        "platform": manifest.platform,
        "source": manifest.source,
    }
