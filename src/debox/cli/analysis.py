"""Commands that look at a stored study: debox report, debox explore, debox cite."""

from __future__ import annotations

import re
from pathlib import Path

import click

from debox import operators
from debox.cli.common import OPERATORS, STORE, WHERE, Command, open_to_show, output
from debox.cli.figures import parse_pairs


@click.command(cls=Command, short_help="Report a study in one HTML file.")
@STORE
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
    from debox.report import report as make_report

    opened, write = open_to_show(store), output(out, ".html", ".htm")
    made_by = {**opened.manifest.versions, "platform": opened.manifest.platform}
    write(make_report(opened.table(), study=opened.study, provenance=made_by, where=parse_pairs(where)))


@click.command(cls=Command, short_help="Write an HTML page to look around in a study.")
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
    from debox.explore import explorer
    from debox.store.store import file_of_built_in

    if opens and out == "-":
        raise click.UsageError("--open shows a file: name it with -o, not -")
    opened, write = open_to_show(store or file_of_built_in("paper")), output(out, ".html", ".htm")
    write(explorer(opened.table(), study=opened.study, where=parse_pairs(where)))
    if opens:
        click.launch(Path(out).resolve().as_uri())


@click.command(cls=Command, short_help="Print BibTeX, and the methods of a stored study.")
@click.argument("what", metavar="[CONFIG|STORE]", default="debox")
@OPERATORS
def cite(what: str) -> None:
    """Print BibTeX of debox, of the paper, and of the algorithm of CONFIG or STORE.

    \b
      debox cite                          the default of minimize, with its local search
      debox cite "DE/rand/1/exp sat"      the operators of a configuration
      debox cite L-SHADE                  those of a recipe
      debox cite paper > paper.bib        those of a stored study

    Of a STORE it prints its methods first, a paragraph of LaTeX to paste: configurations, runs, seeds, versions.
    BibTeX ignores the paragraph, so the output may be used as it is.
    """
    from debox import cite as citing

    if re.match("DE/", what, re.IGNORECASE) or operators.find_recipe(re.split("[ ,]", what)[0]):
        click.echo(citing.bibtex(citing.operators_of(what), citing.polishes(what)))
    else:
        store = open_to_show(what)
        click.echo(f"{citing.methods(store)}\n\n{citing.bibtex(citing.operators_in(store))}")
