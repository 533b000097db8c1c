"""What a study says: every key with its meaning, its default and its check; Study, docs and tests iterate over them."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from debox import check, registry
from debox.config import crossover_rate, scale_factor
from debox.f0.engines import ENGINES

REQUIRED = object()
GRIDS = ("printed", "exact")
PRINTED = 0.001  # how far a printed value may be from the exact one: three decimals, rounded or cut


class Field(NamedTuple):
    meaning: str
    read: Callable[[Any], Any]  # the value as the study keeps it, or a ValueError
    default: Any = REQUIRED
    is_factor: bool = False  # one value or a list of them


def label(value: Any) -> str:
    """The study's name: a word, for it names files."""
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w.-]*", value):
        raise ValueError(f"name must be a word of letters, digits, '_', '-' and '.', got {value!r}")
    return value


def evaluations(value: Any) -> int | str:
    """A number of evaluations, or so many for every variable: '10000 n'."""
    per_variable = re.fullmatch(r"(\d+)\s*[·*]?\s*n", value.strip()) if isinstance(value, str) else None
    if per_variable and int(per_variable[1]) > 0:
        return f"{int(per_variable[1])} n"
    try:
        return check.integer("budget", value, 1)
    except ValueError:
        raise ValueError(f"budget must be an integer ≥ 1 or a text such as '10000 n', got {value!r}") from None


def shares(values: Any) -> tuple[float, ...]:
    """Rising shares of the budget, as numbers or as texts such as '1/3'."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"checkpoints must be a list such as ['1/3', 0.5], got {values!r}")
    return check.shares("checkpoints", [share(value) for value in values])


def share(value: Any) -> Any:
    """'1/3' → 0.333…; what is no text is left to the check."""
    try:
        return float(Fraction(value)) if isinstance(value, str) else value
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"checkpoints must be numbers or fractions such as '1/3', got {value!r}") from None


def several(name: str, read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A check of one value made into a check of a list of different ones; a value alone is a list of one."""

    def values(given: Any) -> tuple[Any, ...]:
        listed = tuple(given) if isinstance(given, list | tuple | np.ndarray) else (given,)
        if not listed:
            raise ValueError(f"{name} must have at least one value, got {given!r}")
        checked = all_of(read, listed)
        if len(set(checked)) < len(checked):
            twice = sorted({str(value) for value in checked if checked.count(value) > 1})
            raise ValueError(f"{name} must have different values, got {', '.join(twice)} more than once")
        return checked

    return values


def all_of(read: Callable[[Any], Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Every value checked, or all that is wrong with them."""
    checked, wrong = [], []
    for value in values:
        try:
            checked.append(read(value))
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("\n".join(wrong))
    return tuple(checked)


def operator(slot: str, meaning: str, default: Any = REQUIRED) -> Field:
    """A factor whose values are names of operators."""
    return Field(meaning, several(slot, lambda name: registry.find(slot, name).name), default, is_factor=True)


def factor(name: str, meaning: str, read: Callable[[Any], Any], default: Any = REQUIRED) -> Field:
    """A factor with other values."""
    return Field(meaning, several(name, read), default, is_factor=True)


FIELDS = {
    "name": Field("the study's name, a word", label),
    "seed": Field("an integer ≥ 0: same seed, same runs", lambda value: check.integer("seed", value, 0), 0),
    "runs": Field("independent runs of every configuration", lambda value: check.integer("runs", value, 1), 50),
    "n": factor("n", "dimensions", lambda value: check.integer("n", value, 1), 30),
    "budget": Field("evaluations of a run: a number, or '10000 n' for so many a variable", evaluations, "10000 n"),
    "mutation": operator("mutation", "names of mutations, long or short, as `debox strategies` lists them"),
    "crossover": operator("crossover", "names of crossovers"),
    "strategy": operator("strategy", "names of strategies"),
    "N": factor("N", "population sizes", lambda value: check.integer("N", value, 1)),
    "F": factor("F", "scale factors in (0, 2]", scale_factor),
    "Cr": factor("Cr", "crossover rates in [0, 1]", crossover_rate),
    "donors": operator("donors", "whom a mutation may draw: distinct, not-target, not-parents", "distinct"),
    "reevaluate": factor(
        "reevaluate",
        "false: a dismissed trial changes nothing",
        lambda value: check.boolean("reevaluate", value),
        True,
    ),
    "frozen": factor("frozen", "true: no trial is ever accepted", lambda value: check.boolean("frozen", value), False),
    "engine": Field("auto, plain or fast", lambda value: check.choice("engine", value, ["auto", *ENGINES]), "auto"),
    "checkpoints": Field("shares of the budget at which POIS is noted", shares, (1 / 3, 2 / 3)),
    "grid": Field(
        "printed: F and Cr as written; exact: equally spaced from the first to the last, the others being rounded",
        lambda value: check.choice("grid", value, GRIDS),
        "printed",
    ),
}
FACTORS = tuple(name for name, field in FIELDS.items() if field.is_factor)


def equally_spaced(name: str, printed: tuple[float, ...]) -> tuple[float, ...]:
    """The values that these are, when each is cut or rounded to three decimals."""
    exact = np.linspace(printed[0], printed[-1], len(printed))
    for value, meant in zip(printed, exact, strict=True):
        if abs(value - meant) >= PRINTED:
            raise ValueError(
                f"{name} must be equally spaced to three decimals with grid = 'exact', "
                f"got {value!r} where {meant:.3f} should be; say grid = 'printed' to use the values as written"
            )
    return tuple(exact.tolist())
