"""debox claims."""

from __future__ import annotations

import click

import debox
from debox.cli.figures import parse_settings, split_commas


@click.command()
@click.argument("store", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Everything about every claim, as JSON.")
@click.option("--only", callback=split_commas, help="Ids, families or patterns: 'collapse,size-*'.")
@click.option("--bound", type=click.Path(), help="Runs on other functions, data/bound.parquet: is f0 an upper bound?")
@click.option("--where", callback=split_commas, help="Which runs, if there are several: 'dimension=30'.")
def claims(store: str, as_json: bool, only: tuple[str, ...], bound: str | None, where: tuple[str, ...]) -> None:
    """Put the paper's conclusions to the test on STORE, a directory or one packed .parquet file.

    Every claim gets a verdict: holds, holds in part, does not hold, or not testable, with an effect size, a p-value
    corrected for all claims of its family, the share of cells that agree, and the evidence in a sentence.

    \b
    share of a run    infeasible ÷ trials: POIS without the initial population, which is in the box
    p …               for the share of cells that the claim promises
    p … (in part)     for half of it, where a claim holds in part
    p none (exact)    nothing is random: the claim is about theory
    """
    from debox.store.errors import StoreError

    try:
        from debox.analysis.claims import text, verdict
        from debox.analysis.claims.bound import Bounded

        simulations = {"amount-upper-bound": Bounded.of(bound)} if bound is not None else {}
        results = verdict.claims(debox.open_store(store), only=only, simulations=simulations, **parse_settings(where))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(text.as_json(results) if as_json else text.as_text(results))
