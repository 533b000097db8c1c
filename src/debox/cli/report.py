"""debox report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from debox import files
from debox.cli.figures import WHERE, as_write_errors, parse_pairs
from debox.cli.operators import OPERATORS, open_to_show

if TYPE_CHECKING:
    from debox.store.manifest import Manifest


@click.command(short_help="Report a study in one HTML file.")
@click.argument("store", type=click.Path())
@click.option(
    "-o", "--out", type=click.Path(), default="report.html", show_default=True, help="The file; - to print it."
)
@WHERE
@OPERATORS
def report(store: str, out: str, where: tuple[str, ...]) -> None:
    """Report the results of STORE, a directory or one packed .parquet file, in one HTML file.

    It begins with the answer: how often DE leaves the box, what drives it, what surprises. Then the paper's claims with
    verdicts, factors, figures and tables; at the end what was run. It needs no other file and no network.
    """
    from debox.store.errors import StoreError

    try:
        from debox.report import report as make_report

        opened = open_to_show(store)
        chosen = parse_pairs(where)
        write = page_writer(out)
        write(make_report(opened.table(), study=opened.study, provenance=made_by(opened.manifest), where=chosen))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, ModuleNotFoundError) as error:  # no store, no matplotlib
        raise click.ClickException(str(error)) from None


def page_writer(out: str) -> Callable[[str], None]:
    """A function that writes the page into the file, or prints it; an error at once if that cannot or must not be."""
    if out == "-":
        if sys.stdout is None:
            raise click.ClickException("cannot print: there is no standard output")
        return lambda text: click.echo(text, nl=False)
    target = files.absolute(out, "--out")
    with as_write_errors(out):
        files.check_output(target, ".html", ".htm")

    def write(text: str) -> None:
        with as_write_errors(out):
            files.replace_text(target, text)
        click.echo(click.format_filename(out))

    return write


def made_by(manifest: Manifest) -> dict[str, str]:
    """Versions and platform: what the numbers depend on besides the study."""
    return {**manifest.versions, "platform": manifest.platform}
