"""debox report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import debox
from debox.cli.figures import pair, parts, writing

if TYPE_CHECKING:
    from debox.store.manifest import Manifest


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), default="report.html", show_default=True)
@click.option("--where", callback=parts, help="Which runs, if there are several n, donors, …: 'n=30'.")
def report(store: Path, out: Path, where: tuple[str, ...]) -> None:
    """Tell what was run in STORE, a directory or one packed .parquet file, and what came out, as one HTML file.

    The file holds everything it shows: numbers, figures and tables; it needs no other file and no network.
    """
    from debox import files
    from debox.store.errors import StoreError

    try:
        from debox.report import report as told

        opened = debox.open_store(store)
        chosen = dict(pair(text) for text in where)
        text = told(opened.table(), study=opened.study, made=made_by(opened.manifest), where=chosen)
        with writing(out):
            files.replace(out, text)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, ModuleNotFoundError) as error:  # no store, no matplotlib
        raise click.ClickException(str(error)) from None
    click.echo(out)


def made_by(manifest: Manifest) -> dict[str, str]:
    """What the numbers depend on, besides the study."""
    return {**manifest.versions, "platform": manifest.platform, "source": manifest.source}
