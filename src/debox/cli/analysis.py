"""Commands that look at a stored study: debox claims, contrast, factors, predict, report, explore, cite."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from debox import operators
from debox.cli.common import (
    CONFIDENCE,
    JSON,
    OPERATORS,
    STORE,
    WHERE,
    Command,
    choice_option,
    list_option,
    open_to_show,
    out_option,
    output,
)
from debox.study.fields import AXES


@click.command(cls=Command, short_help="Compare each two levels of a factor.")
@STORE
@click.argument("factor")
@choice_option("of", ["mean", "spread"], "What of the runs is compared.")
@WHERE
@CONFIDENCE
@choice_option("format", ["text", "markdown", "latex", "json"], "A table for the terminal, a page or a paper; or JSON.")
def contrast(store: str, factor: str, where: dict[str, Any], format: str, **options: Any) -> None:
    """Compare each two levels of FACTOR in STORE, all else being equal: strategy, mutation, crossover, N, F, Cr, ….

    \b
    difference   of the mean share of infeasible trials, or of its standard deviation, on average over matched cells
    p            of no difference on average, corrected for all pairs
    rise, fall   cells that are shown to differ, corrected for all cells of all pairs; the others are open
    """
    from debox.analysis.contrast import contrast as compare

    found = compare(store, factor, **options, **where)
    texts = {"text": str(found), "markdown": found.to_markdown(), "latex": found.to_latex()}
    click.echo(texts[format] if format in texts else json.dumps(found.as_dict()))


@click.command(cls=Command, short_help="Put the paper's conclusions to the test.")
@STORE
@JSON
@list_option("--only", metavar="TEXT", help="Ids or patterns: 'collapse-*,size-5-to-20'.")
@click.option(
    "--bound", type=click.Path(), help="Runs on other functions, such as data/bound.parquet of debox's sources."
)
@WHERE
@click.option("--compare", is_flag=True, help="Which verdicts change under other readings of the paper's text.")
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
    where: dict[str, Any],
    compare: bool,
    readings: tuple[str, ...],
) -> None:
    """Put the paper's conclusions to the test on STORE, a directory or one packed .parquet file.

    Each sentence of the paper has one reading or several. A reading promises a share of cells; between the brackets is
    the share that agrees: cells that the runs do not decide are open.

    \b
    holds           even if all open cells disagree, the share is at least what is promised
    holds in part   … at least half of it
    does not hold   even if all open cells agree, it is less than half of it
    open            the runs do not decide
    not testable    the study lacks levels or runs, or says nothing about it

    With --compare: which verdicts change under other readings of the paper's text, each beside the verdict that STORE's
    own runs give for the same configurations and as many runs.
    """
    from debox import paper
    from debox.paper import text
    from debox.paper.bound import tests_of

    if readings and not compare:
        raise click.UsageError("--readings says what to compare with: give --compare, too")
    if compare and bound is not None:
        raise click.UsageError("--bound is about f0 and other functions, under one reading: give it without --compare")
    if compare:
        found = paper.compare(open_to_show(store), parse_readings(readings), only=only, **where)
        click.echo(text.comparisons_as_json(found) if as_json else text.comparisons_as_text(found))
        return
    results = paper.claims(open_to_show(store), only=only, others=None if bound is None else tests_of(bound), **where)
    click.echo(text.as_json(results) if as_json else text.as_text(results))


def parse_readings(given: tuple[str, ...]) -> dict[str, str] | str | None:
    """NAME=STORE, once or several times; or the path of one file of readings; None if nothing is given."""
    named = [text.partition("=") for text in given]
    if len(given) == 1 and not named[0][1]:
        return given[0]
    if wrong := [text for text, (name, sign, path) in zip(given, named, strict=True) if not (name and sign and path)]:
        raise ValueError(f"--readings must be NAME=STORE for each reading, or one file of readings, got {wrong[0]!r}")
    return {name: path for name, _, path in named} or None


@click.command(cls=Command, short_help="Show how much each factor matters.")
@STORE
@choice_option("of", ["mean", "logit", "spread", "quantiles"], "What of POIS is decomposed.")
@WHERE
@CONFIDENCE
@JSON
def factors(store: str, where: dict[str, Any], as_json: bool, **options: Any) -> None:
    """Show how much each factor of STORE, a directory or one packed .parquet file, matters, alone and with others.

    \b
    alone               what would vanish of the variance between configurations if the factor were fixed, on average
    with interactions   what would be left of it if all other factors were fixed, on average
    Shapley             interactions divided evenly among their factors: these shares sum to 100 %
    The noise of random runs is removed; so a share that is nearly nothing may come out below 0. --json has the shares
    of all sets of factors.
    """
    from debox.analysis.factors import factors as decompose

    found = decompose(store, **options, **where)
    click.echo(json.dumps(found.as_dict()) if as_json else str(found))


@click.command(cls=Command, short_help="Predict POIS between the levels of F and Cr.")
@STORE
@click.argument("config")
@click.option("-N", "N", type=int, help="Population size, one of the study's.")
@click.option("-F", "F", type=float, help="Scale factor, within the study's.")
@click.option("--cr", "--Cr", "Cr", type=float, help="Crossover rate, within the study's.")
@click.option(
    "--level", type=float, default=0.9, show_default=True, help="Share of configurations in which the band holds a run."
)
@WHERE
@JSON
@OPERATORS
def predict(store: str, config: str, level: float, where: dict[str, Any], as_json: bool, **factors: Any) -> None:
    """Predict the POIS of CONFIG, between the levels of F and Cr of STORE, a directory or one packed .parquet file.

    \b
    No run is done: the distributions of neighbouring configurations are interpolated. Both say the same:
      debox predict paper "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"
      debox predict paper "DE/rand/1/exp sat" -N 5 -F 0.6 --cr 0.9
    In brackets: the interval that holds this quantile of a fresh sample in about the share --level of configurations.
    Where debox can do the runs, `debox measure` says more: 50 runs of the paper's dimension and budget
    take about 0.15 s of one core. --json has the whole quantile function and its band.
    """
    from debox.analysis import predict as predicting

    if named := [name for name in where if name in AXES]:
        raise ValueError(f"where: {named[0]} is part of the configuration; choose a budget, dimension, …")
    predicting.refuse_swapped(store)
    found = predicting.predict(open_to_show(store), config, **factors, **where)
    click.echo(json.dumps(found.as_dict(level)) if as_json else predicting.describe(found, level))


@click.command(cls=Command, short_help="Report a study in one HTML file.")
@STORE
@out_option("report.html")
@WHERE
@OPERATORS
def report(store: str, out: str, where: dict[str, Any]) -> None:
    """Report the results of STORE, a directory or one packed .parquet file, in one HTML file.

    It begins with the answer: how often DE leaves the box, what drives it, what surprises. Then the paper's claims with
    verdicts, factors, figures and tables; at the end what was run. It needs no other file and no network.
    """
    from debox.report import report as make_report

    opened, write = open_to_show(store), output(out, ".html", ".htm")
    write(make_report(opened, where=where))


@click.command(cls=Command, short_help="Write an HTML page to look around in a study.")
@click.argument("store", type=click.Path(), required=False)
@out_option("explorer.html")
@WHERE
@click.option("--open", "opens", is_flag=True, help="Show the page in the browser.")
@OPERATORS
def explore(store: str | None, out: str, where: dict[str, Any], opens: bool) -> None:
    """Write the explorer of STORE, a directory or one packed .parquet file: one HTML file that anyone opens.

    It shows every distribution of the study, and runs the experiment in the reader's browser. The file holds all that
    it needs and asks for nothing else. Without STORE it is the paper's study, which comes with debox.
    """
    from debox.explore import explorer
    from debox.store.store import file_of_built_in

    if opens and out == "-":
        raise click.UsageError("--open shows a file: name it with -o, not -")
    opened, write = open_to_show(file_of_built_in("paper") if store is None else store), output(out, ".html", ".htm")
    write(explorer(opened, where=where))
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
