"""debox predict."""

from __future__ import annotations

import json

import click

from debox.cli.common import OPERATORS, list_option, open_to_show
from debox.cli.figures import parse_pairs


@click.command(short_help="Predict POIS between the levels of F and Cr.")
@click.argument("store", type=click.Path())
@click.argument("config")
@click.option("-N", "N", type=int, help="Population size, one of the study's.")
@click.option("-F", "F", type=float, help="Scale factor, within the study's.")
@click.option("--cr", "--Cr", "Cr", type=float, help="Crossover rate, within the study's.")
@click.option(
    "--level", type=float, default=0.9, show_default=True, help="Share of configurations in which the band holds a run."
)
@list_option("--where", metavar="TEXT", help="Which budget, dimension, …, if there are several: 'budget=3000'.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the whole quantile function and its band.")
@OPERATORS
def predict(
    store: str,
    config: str,
    N: int | None,
    F: float | None,
    Cr: float | None,
    level: float,
    where: tuple[str, ...],
    as_json: bool,
) -> None:
    """Predict the POIS of CONFIG, between the levels of F and Cr of STORE, a directory or one packed .parquet file.

    \b
    No run is done: the distributions of neighbouring configurations are interpolated. Both say the same:
      debox predict paper "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"
      debox predict paper "DE/rand/1/exp sat" -N 5 -F 0.6 --cr 0.9
    In brackets: the interval that holds this quantile of a fresh sample in about the share --level of configurations.
    Where debox can do the runs, `debox measure` says more: 50 runs of the paper's dimension and budget
    take about 0.15 s of one core.
    """
    from debox.analysis.predict import predict as predicted
    from debox.analysis.predict.answer import refuse_swapped
    from debox.analysis.predict.result import describe
    from debox.store.errors import StoreError
    from debox.study.fields import AXES

    try:
        if factors := [name for name in parse_pairs(where) if name in AXES]:
            raise ValueError(f"where: {factors[0]} is part of the configuration; choose a budget, dimension, …")
        refuse_swapped(store, config)
        found = predicted(open_to_show(store), config, N=N, F=F, Cr=Cr, **parse_pairs(where))
        text = json.dumps(found.as_dict(level)) if as_json else describe(found, level)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(text)
