"""debox explore."""

from __future__ import annotations

from pathlib import Path

import click

from debox.cli.figures import WHERE, parse_pairs
from debox.cli.operators import OPERATORS, open_to_show
from debox.cli.report import page_writer


@click.command(short_help="Write an HTML page to look around in a study.")
@click.argument("store", type=click.Path(), required=False)
@click.option(
    "-o", "--out", type=click.Path(), default="explorer.html", show_default=True, help="The file; - to print it."
)
@WHERE
@click.option("--open", "opens", is_flag=True, help="Show the page in the browser.")
@OPERATORS
def explore(store: str | None, out: str, where: tuple[str, ...], opens: bool) -> None:
    """Write the explorer of STORE, a directory or one packed .parquet file: one HTML file that anyone opens.

    It shows every distribution of the study, and runs the experiment in the reader's browser. The file holds all that
    it needs and asks for nothing else. Without STORE it is the paper's study, which comes with debox.
    """
    from debox.store.errors import StoreError

    if opens and out == "-":
        raise click.UsageError("--open shows a file: name it with -o, not -")
    try:
        from debox.explore import explorer
        from debox.store.store import file_of_built_in

        opened = open_to_show(store or file_of_built_in("paper"))
        write = page_writer(out)
        write(explorer(opened.table(), study=opened.study, where=parse_pairs(where)))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if opens:
        click.launch(Path(out).resolve().as_uri())
