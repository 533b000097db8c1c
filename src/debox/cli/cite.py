"""debox cite."""

from __future__ import annotations

import re

import click

from debox import operators
from debox.cli.operators import OPERATORS, open_to_show, with_operators_hint


@click.command(short_help="Print BibTeX, and the methods of a stored study.")
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
    from debox.store.errors import StoreError

    try:
        if re.match("DE/", what, re.IGNORECASE) or operators.find_recipe(re.split("[ ,]", what)[0]):
            written = citing.bibtex(citing.operators_of(what), citing.polishes(what))
        else:
            store = open_to_show(what)
            written = f"{citing.methods(store)}\n\n{citing.bibtex(citing.operators_in(store))}"
    except ValueError as error:
        raise click.UsageError(with_operators_hint(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(written)
