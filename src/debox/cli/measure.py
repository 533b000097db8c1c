"""debox operators (formerly debox strategies), debox measure."""

from __future__ import annotations

from typing import Any

import click

import debox
from debox import operators
from debox.cli.operators import OPERATORS, with_operators_hint
from debox.config import Missing, complete
from debox.operators.outside import load_packages, origin_of
from debox.travel import is_of_operator

PARTS = ("N", "F", "Cr", "donors", "repair", "adaptation")  # of a configuration, as options
EXAMPLE = 'debox measure "DE/rand/1/exp sat" -N 5 -F 0.7 --cr 0.99'


class Count(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """An integer, which may be written as 1e5."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """10000, "10000" and "1e4" → 10000"""
        try:
            return int(value)
        except ValueError:
            pass
        try:
            number = float(value)
        except ValueError:
            number = 0.5
        if not number.is_integer():
            self.fail(f"{value!r} is not a whole number", param, ctx)
        return int(number)


COUNT = Count()


@click.command(name="operators", short_help="List all operators and recipes.")
@OPERATORS
def list_operators() -> None:
    """List all operators (mutations, crossovers, strategies, donor rules, adaptations; yours, too) and recipes."""
    load_packages()
    for slot in operators.SLOTS:
        click.echo(f"{slot}")
        for operator in operators.in_slot(slot):
            origin = f"from {origin_of(operator)}" if operator in operators.REGISTRATIONS else ""
            names = ", ".join(dict.fromkeys((operator.name, operator.short)))
            click.echo(f"  {names:<33} {operator.formula}")
            for line in filter(None, (operator.citation, origin)):
                click.echo(f"  {'':<34}{line}")
        click.echo()
    click.echo("recipe")
    for name, recipe in operators.RECIPES.items():
        click.echo(f"  {name:<34}{recipe.text}; {recipe.population_in_words}")
    click.echo()
    click.echo("Write a variant as DE/mutation/crossover and a configuration as 'DE/rand/1/exp sat' or 'SHADE sat'.")


@click.command(short_help="Measure the POIS of a configuration on f0.")
@click.argument("config")
@click.option("-N", "N", type=int, help="Population size.")
@click.option(
    "-F", "F", type=float, help="Scale factor in (0, 2]; where it adapts, the initial one, which is optional."
)
@click.option("--cr", "--Cr", "Cr", type=float, help="Crossover rate in [0, 1]; where it adapts, likewise.")
@click.option("--donors", help="Donor rule: distinct, not-target or not-parents.")
@click.option("--no-reevaluate", is_flag=True, help="A dismissed trial changes nothing (dismiss only).")
@click.option("--frozen", is_flag=True, help="No trial is ever accepted: the population stays the initial one.")
@click.option("--repair", help="What a strategy for whole points repairs: trial or mutant.")
@click.option("--adaptation", help="How F and Cr adapt: fixed, jDE, JADE, SHADE or L-SHADE.")
@click.option("-n", "--n", "--dimension", "n", type=int, default=30, show_default=True, help="Number of variables.")
@click.option("--budget", type=COUNT, default=300_000, show_default=True, help="Evaluations per run.")
@click.option("--runs", type=COUNT, default=50, show_default=True, help="Independent runs.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Same seed and options, same runs.",
)
@click.option("--engine", default="auto", show_default=True, help="auto, fast or plain (Algorithm 1 step by step).")
@click.option("--workers", type=int, default=-1, show_default=True, help="Threads; -1 for all cores.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@OPERATORS
def measure(config: str, as_json: bool, seed: int, no_reevaluate: bool, frozen: bool, **options: Any) -> None:
    """Measure POIS, the proportion of infeasible solutions, of CONFIG on the random function f0.

    \b
    CONFIG is a configuration as the paper writes it, whole or with options:
      debox measure "DE/rand/1/exp sat" -N 5 -F 0.7 --cr 0.99
      debox measure "DE/curr-to-best/1/bin COTN, N=20, F=0.5, Cr=0.9" --runs 200 --n 10
      debox measure "L-SHADE midpoint-target" --runs 5
    """
    from debox.cli import show

    parts = {name: value for name in PARTS if (value := options.pop(name)) is not None}
    parts |= ({"reevaluate": False} if no_reevaluate else {}) | ({"frozen": True} if frozen else {})
    try:
        checked = complete(config, parts, n=options["n"], budget=options["budget"])
        measurement = debox.measure(checked, rng=seed, **options)
    except Missing as error:
        names = {"N": "-N", "F": "-F", "Cr": "--cr"}
        lacking = " ".join(names.get(field, field) for field in error.fields)
        raise click.UsageError(f"missing: {lacking}; for example {EXAMPLE}") from None
    except Exception as error:
        if is_of_operator(error):
            raise click.ClickException(f"an operator of yours raised {type(error).__name__}: {error}") from None
        if isinstance(error, ValueError):
            raise click.UsageError(with_operators_hint(error)) from None
        raise
    click.echo(show.as_json(measurement) if as_json else show.as_text(measurement))
