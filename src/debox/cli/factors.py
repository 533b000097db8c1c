"""debox factors."""

from __future__ import annotations

import json

import click

from debox.cli.common import list_option


@click.command(short_help="Show how much each factor matters.")
@click.argument("store", type=click.Path())
@click.option(
    "--of",
    type=click.Choice(["mean", "logit", "spread", "quantiles"]),
    default="mean",
    show_default=True,
    help="What of POIS is decomposed.",
)
@list_option("--where", metavar="TEXT", help="A part: 'crossover=bin', 'N=5,N=20', 'F<=1'; or which budget, ….")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all sets of factors.")
def factors(store: str, of: str, where: tuple[str, ...], confidence: float, as_json: bool) -> None:
    """Show how much each factor of STORE, a directory or one packed .parquet file, matters, alone and with others.

    \b
    alone               what would vanish of the variance between configurations if the factor were fixed, on average
    with interactions   what would be left of it if all other factors were fixed, on average
    Shapley             interactions divided evenly among their factors: these shares sum to 100 %
    The noise of random runs is removed; so a share that is nearly nothing may come out below 0.
    """
    from debox.analysis.factors import factors as analysed
    from debox.analysis.factors.where import pairs
    from debox.store.errors import StoreError

    try:
        found = analysed(store, of, confidence=confidence, **pairs(where))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(found.as_dict()) if as_json else str(found))
