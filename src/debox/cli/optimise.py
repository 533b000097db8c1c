"""debox operators, debox measure, debox compare: one configuration, one function."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

import debox
from debox import files, operators
from debox.cli.common import COUNT, JSON, OPERATORS, SEED, Command, list_option, output
from debox.config import complete
from debox.edpois import BINS

if TYPE_CHECKING:
    from debox.f0.measure import Measurement

PARTS = ("N", "F", "Cr", "donors", "repair", "adaptation")  # of a configuration, as options
BAR = 40  # characters for all runs
PICTURE = click.option("-o", "--out", type=click.Path(), help="Draw it into this .png, .pdf or .svg file, too.")
EIGHTHS = " ▏▎▍▌▋▊▉"
MOST_NAMES = 10  # of a module that an error shows
PAIRS = "pairs such as '0,5;-1,1', or a name such as BOUNDS or module:BOUNDS"


@click.command(cls=Command, name="operators", short_help="List all operators and recipes.")
@OPERATORS
def list_operators() -> None:
    """List all operators (mutations, crossovers, strategies, donor rules, adaptations; yours, too) and recipes."""
    from debox.operators.outside import load_packages

    load_packages()
    for slot in operators.SLOTS:
        click.echo(f"{slot}")
        for operator in operators.in_slot(slot):
            origin = f"from {operator.function.__module__}" if operator in operators.REGISTRATIONS else ""
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


@click.command(cls=Command, short_help="Measure the POIS of a configuration on f0.")
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
@SEED
@click.option("--engine", default="auto", show_default=True, help="auto, fast or plain (Algorithm 1 step by step).")
@click.option("--workers", type=int, default=-1, show_default=True, help="Threads; -1 for all cores.")
@JSON
@PICTURE
@OPERATORS
def measure(
    config: str, as_json: bool, seed: int, no_reevaluate: bool, frozen: bool, out: str | None, **options: Any
) -> None:
    """Measure POIS, the proportion of infeasible solutions, of CONFIG on the random function f0.

    \b
    CONFIG is a configuration as the paper writes it, whole or with options:
      debox measure "DE/rand/1/exp sat" -N 5 -F 0.7 --cr 0.99
      debox measure "DE/curr-to-best/1/bin COTN, N=20, F=0.5, Cr=0.9" --runs 200 --n 10
      debox measure "L-SHADE midpoint-target" --runs 5 -o runs.png
    """
    draw = picture_writer("measurement", out, as_json) if out is not None else None
    parts = {name: value for name in PARTS if (value := options.pop(name)) is not None}
    parts |= ({"reevaluate": False} if no_reevaluate else {}) | ({"frozen": True} if frozen else {})
    checked = complete(config, parts, n=options["n"], budget=options["budget"])
    measurement = debox.measure(checked, rng=seed, **options)
    click.echo(as_json_text(measurement) if as_json else as_text(measurement))
    if draw is not None:
        draw(measurement, as_text(measurement))


def as_text(m: Measurement) -> str:
    """What `debox measure` prints."""
    runs = len(m.pois)
    low, quarter, median, three_quarters, high = m.quantiles()
    lines = [
        f"{m.config}",
        f"f0, n={m.n}, budget {m.budget}, {runs} runs, seed {m.seed}, {m.engine} engine",
        "",
        f"  POIS mean    {m.mean():.4f}    sd {m.pois.std(ddof=1) if runs > 1 else 0.0:.4f}",
        f"  quantiles    5% {low:.4f}  25% {quarter:.4f}  50% {median:.4f}  75% {three_quarters:.4f}  95% {high:.4f}",
        f"  range        {m.pois.min():.4f} to {m.pois.max():.4f}",
        "",
    ]
    for k, count in reversed(list(enumerate(m.histogram()))):
        interval = f"{'[' if k == 0 else '('}{k / BINS:.1f}, {(k + 1) / BINS:.1f}]"
        lines.append(f"  {interval} {bar(count / runs):<{BAR}} {count or '':>5}".rstrip())
    lines += ["", f"  colour {m.colour()}, {m.seconds:.2f} s of computing"]
    return "\n".join(lines)


def bar(share: float) -> str:
    """A bar of this share of BAR characters, to an eighth of one."""
    whole, eighths = divmod(round(share * BAR * 8), 8)
    return "█" * whole + EIGHTHS[eighths].strip()


def as_json_text(m: Measurement) -> str:
    """Everything a Measurement knows but its traces and best points."""
    facts = {
        "config": str(m.config),
        **asdict(m.config),
        "dimension": m.n,  # as in stores: SQL ignores case: n would be N
        "budget": m.budget,
        "runs": len(m.pois),
        "seed": m.seed,
        "engine": m.engine,
        "mean": m.mean(),
        "sd": float(m.pois.std(ddof=1)) if len(m.pois) > 1 else 0.0,
        "quantiles": dict(zip(("0.05", "0.25", "0.5", "0.75", "0.95"), m.quantiles().tolist(), strict=True)),
        "histogram": m.histogram().tolist(),
        "colour": m.colour(),
        "pois": m.pois.tolist(),
        "checkpoints": m.checkpoints,
        "pois_at": m.pois_at.tolist(),
        "accepted": m.accepted.tolist(),
        "best_f": m.best_f.tolist(),
        "seconds": m.seconds,
    }
    return json.dumps(facts)


@click.command(cls=Command, short_help="Compare strategies on your own function.")
@click.argument("function", metavar="MODULE:FUN")
@click.option("--bounds", help=f"Per variable lower,upper: {PAIRS} [default: BOUNDS of MODULE].")
@list_option("--strategies", metavar="TEXT", help="Names, separated by commas, or all [default: one of each idea].")
@click.option("--variant", default="debox", show_default=True, help="debox, L-SHADE, …, or such as DE/rand/1/bin.")
@click.option("--budget", type=COUNT, help="Evaluations per run [default: that of debox.minimize].")
@click.option("--runs", type=COUNT, default=15, show_default=True, help="Runs per strategy.")
@SEED
@click.option("--workers", type=int, default=1, show_default=True, help="Processes that call FUN; -1 for all cores.")
@click.option("--polish", is_flag=True, help="End runs with a local search where debox.minimize does by default.")
@click.option("--vectorized", is_flag=True, help="FUN takes points as columns (n, S) and returns S values.")
@JSON
@PICTURE
@OPERATORS
def compare(
    function: str,
    bounds: str | None,
    strategies: tuple[str, ...],
    as_json: bool,
    seed: int,
    out: str | None,
    polish: bool,
    **options: Any,
) -> None:
    """Compare strategies on your own function: which way to repair trials outside the bounds suits it?

    FUN takes an array of n numbers and returns one, which is minimised. MODULE is found in the current directory, too;
    a file such as problem.py will do. Every strategy does the same runs, from the same seeds.
    They end without a local search, but for --polish.

    \b
      debox compare problem:cost                                     problem.py has cost and BOUNDS
      debox compare problem:cost --bounds "0,5;0,3" --budget 1e4
      debox compare problem:cost --strategies mirror,saturation,toroidal --runs 31 -o strategies.png
    """
    chosen: Any = None if not strategies else "all" if strategies == ("all",) else list(strategies)
    sys.path.insert(0, os.getcwd())
    draw = picture_writer("compare", out, as_json) if out is not None else None
    with redirect_stdout(sys.stderr):  # of progress, and of what the function prints
        fun, module = find(function, "MODULE:FUN")
        if not callable(fun):
            raise ValueError(f"{function} must be a function, got {fun!r}")
        box = find_bounds(bounds, module)
        on_terminal = sys.stderr is not None and sys.stderr.isatty()
        options["polish"] = "auto" if polish else False
        comparison = debox.compare(fun, box, chosen, rng=seed, disp=on_terminal, **options)
    click.echo(json.dumps(comparison.as_dict()) if as_json else str(comparison))
    if draw is not None:
        draw(comparison, str(comparison))


def find(text: str, argument: str) -> tuple[Any, ModuleType]:
    """What module:name stands for, and the module."""
    where, colon, name = text.rpartition(":")
    if not (where and colon and name):
        raise ValueError(f"{argument} must be such as problem:cost, a module and a name in it, got {text!r}")
    module = load(where)
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            there = [one for one, it in vars(module).items() if one[0] != "_" and not isinstance(it, ModuleType)]
            names = ", ".join(there[:MOST_NAMES]) + (", …" if len(there) > MOST_NAMES else "")
            raise ValueError(f"{where} has no {name!r}; it has {names or 'no names'}")
        value = getattr(value, part)
    return value, module


def load(where: str) -> ModuleType:
    """The module of this name, or of this file."""
    name = where
    if where.endswith(".py"):
        path = files.absolute(where, "MODULE")
        if not path.is_file():
            raise ValueError(f"there is no file {where}")
        name = path.stem
        sys.path.insert(0, str(path.parent))
    try:
        return import_module(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise ValueError(f"there is no module {name!r}, neither in this directory nor installed") from None
        place = traceback.extract_tb(error.__traceback__)[-1]
        line = "" if isinstance(error, SyntaxError) else f" ({place.filename}, line {place.lineno})"  # which it says
        raise click.ClickException(f"{where} cannot be imported: {type(error).__name__}: {error}{line}") from None


def find_bounds(text: str | None, module: ModuleType) -> Any:
    """The bounds that are written or named; those of the function's module if nothing is said."""
    if text is None:
        if not hasattr(module, "BOUNDS"):
            raise ValueError(f"--bounds is needed, since {module.__name__} has no BOUNDS; give {PAIRS}")
        return module.BOUNDS
    if re.fullmatch(r"[^\W\d]\w*", text):
        return find(f"{module.__name__}:{text}", "--bounds")[0]
    if ":" in text:
        return find(text, "--bounds")[0]
    try:
        pairs = [tuple(map(float, pair.split(","))) for pair in text.strip("; ").split(";")]
    except ValueError:
        pairs = []
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"--bounds must be {PAIRS}; got {text!r}")
    return pairs


def picture_writer(kind: str, out: str, quiet: bool) -> Callable[[Any, str], None]:
    """A function that draws a result of this kind into the file; an error at once if that cannot or must not be."""
    from debox.figures.catalogue import of_result
    from debox.figures.save import contents
    from debox.figures.style import in_style

    write = output("./-" if out == "-" else out, ".png", ".pdf", ".svg", quiet=quiet)
    with in_style("paper"):  # an error at once if there is no matplotlib
        pass

    def draw(result: Any, caption: str) -> None:
        page = replace(of_result(kind, result), name=Path(out).stem, caption=caption)
        write(contents(page, Path(out).suffix[1:].lower()))

    return draw
