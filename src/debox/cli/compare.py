"""debox compare."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

import debox
from debox import files
from debox.cli.figures import as_write_errors, list_option
from debox.cli.measure import COUNT
from debox.cli.operators import OPERATORS, with_operators_hint

if TYPE_CHECKING:
    from debox.optimize.compare import Comparison

MOST_NAMES = 10  # of a module that an error shows
FORMATS = (".png", ".pdf", ".svg")
PAIRS = "pairs such as '0,5;-1,1', or a name such as BOUNDS or module:BOUNDS"


@click.command(short_help="Compare strategies on your own function.")
@click.argument("function", metavar="MODULE:FUN")
@click.option("--bounds", help=f"Per variable lower,upper: {PAIRS} [default: BOUNDS of MODULE].")
@list_option("--strategies", metavar="TEXT", help="Names, separated by commas, or all [default: one of each idea].")
@click.option("--variant", default="debox", show_default=True, help="debox, L-SHADE, …, or such as DE/rand/1/bin.")
@click.option("--budget", type=COUNT, help="Evaluations per run [default: that of debox.minimize].")
@click.option("--runs", type=COUNT, default=15, show_default=True, help="Runs per strategy.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same runs.")
@click.option("--workers", type=int, default=1, show_default=True, help="Processes that call FUN; -1 for all cores.")
@click.option("--vectorized", is_flag=True, help="FUN takes points as columns (n, S) and returns S values.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.option("-o", "--out", type=click.Path(), help="Draw it into this .png, .pdf or .svg file, too.")
@OPERATORS
def compare(
    function: str,
    bounds: str | None,
    strategies: tuple[str, ...],
    as_json: bool,
    seed: int,
    out: str | None,
    **options: Any,
) -> None:
    """Compare strategies on your own function: which way to repair trials outside the bounds suits it?

    FUN takes an array of n numbers and returns one, which is minimised. MODULE is found in the current directory, too;
    a file such as problem.py will do. Every strategy does the same runs, from the same seeds. They are not polished.

    \b
      debox compare problem:cost                                     problem.py has cost and BOUNDS
      debox compare problem:cost --bounds "0,5;0,3" --budget 1e4
      debox compare problem:cost --strategies mirror,saturation,toroidal --runs 31 -o strategies.png
    """
    chosen: Any = None if not strategies else "all" if strategies == ("all",) else list(strategies)
    sys.path.insert(0, os.getcwd())
    try:
        draw = picture_writer(out) if out is not None else None
        with redirect_stdout(sys.stderr):  # of progress, and of what the function prints
            fun, module = find(function, "MODULE:FUN")
            if not callable(fun):
                raise ValueError(f"{function} must be a function, got {fun!r}")
            box = find_bounds(bounds, module)
            on_terminal = sys.stderr is not None and sys.stderr.isatty()
            comparison = debox.compare(fun, box, chosen, rng=seed, disp=on_terminal, **options)
    except ValueError as error:
        if getattr(error, "__notes__", None):  # by the function: its traceback says more
            raise
        raise click.UsageError(with_operators_hint(error)) from None
    except ModuleNotFoundError as error:  # no matplotlib
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(comparison.as_dict()) if as_json else str(comparison))
    if draw is not None:
        draw(comparison)
        if not as_json:
            click.echo(f"\n{click.format_filename(str(out))}")


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


def picture_writer(out: str) -> Callable[[Comparison], None]:
    """A function that draws a comparison into the file; an error at once if that cannot or must not be."""
    from debox.figures.draw.save import save
    from debox.figures.draw.style import in_style

    target = files.absolute(out, "--out")
    if target.suffix not in FORMATS:
        raise ValueError(f"--out must end in {' or '.join(FORMATS)}, got {out!r}")
    with as_write_errors(out):
        files.check_output(target, target.suffix)

    def write(comparison: Comparison) -> None:
        figure: Any = debox.plot.compare(comparison).figure
        with as_write_errors(out), in_style("paper"):
            save(figure, Path(target), Path(out).stem, str(comparison))

    return write
