"""debox claims."""

from __future__ import annotations

import click

import debox
from debox.cli.common import OPERATORS, WHERE, list_option, open_to_show
from debox.cli.figures import parse_settings


@click.command(short_help="Put the paper's conclusions to the test.")
@click.argument("store", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Everything about every claim, as JSON.")
@list_option("--only", metavar="TEXT", help="Ids, families or patterns: 'collapse,size-*'.")
@click.option(
    "--bound",
    type=click.Path(),
    help="Runs on other functions, for which f0 may be a bound; data/bound.parquet of debox's repository has some.",
)
@WHERE
@click.option("--compare", is_flag=True, help="Every verdict also under other readings of the paper's text.")
@click.option(
    "--readings",
    multiple=True,
    metavar="[NAME=]PATH",
    help="With --compare: a file of readings, or NAME=STORE for each [default: those of the paper's study].",
)
@OPERATORS
def claims(
    store: str,
    as_json: bool,
    only: tuple[str, ...],
    bound: str | None,
    where: tuple[str, ...],
    compare: bool,
    readings: tuple[str, ...],
) -> None:
    """Put the paper's conclusions to the test on STORE, a directory or one packed .parquet file.

    Every claim gets a verdict: holds, holds in part, does not hold, or not testable, with an effect size, a p-value
    corrected for all claims of its family, the share of cells that agree, and the evidence in a sentence.

    \b
    share of a run    infeasible ÷ trials: POIS without the initial population, which is in the box
    p …               for the share of cells that the claim promises
    p … (in part)     for half of it, where a claim holds in part
    p none (exact)    nothing is random: the claim is about theory

    With --compare each claim is a row of its verdicts under all readings; a star marks one that differs from the
    verdict on STORE itself, from the same configurations and as many runs.
    """
    from debox.store.errors import StoreError

    if readings and not compare:
        raise click.UsageError("--readings says what to compare with: give --compare, too")
    if compare and bound is not None:
        raise click.UsageError("--bound is about f0 and other functions, under one reading: give it without --compare")
    try:
        from debox.analysis.claims import compare_text, text
        from debox.analysis.claims.bound import simulations_of

        study, settings = open_to_show(store), parse_settings(where)
        if compare:
            comparisons = debox.compare_claims(study, parse_readings(readings), only=only, **settings)
            written = compare_text.as_json(comparisons) if as_json else compare_text.as_text(comparisons)
        else:
            simulations = simulations_of(bound) if bound is not None else {}
            results = debox.claims(study, only=only, simulations=simulations, **settings)
            written = text.as_json(results) if as_json else text.as_text(results)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(written)


def parse_readings(given: tuple[str, ...]) -> dict[str, str] | str | None:
    """NAME=STORE, once or several times; or the path of one file of readings; None if nothing is given."""
    named = [text.partition("=") for text in given]
    if len(given) == 1 and not named[0][1]:
        return given[0]
    if wrong := [text for text, (name, sign, path) in zip(given, named, strict=True) if not (name and sign and path)]:
        raise ValueError(f"--readings must be NAME=STORE for each reading, or one file of readings, got {wrong[0]!r}")
    return {name: path for name, _, path in named} or None
