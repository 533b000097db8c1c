"""What a study says: every key with its meaning, its default and its check; Study, docs and tests iterate over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from debox import check, registry
from debox.config import ENGINES, crossover_rate, scale_factor
from debox.design.checks import dimensions, equally_spaced, evaluations, full_name, label, several, shares, shown

GRIDS = ("printed", "exact")
DIMENSION = (30,)  # the paper's: a tuple, which `Study` tells from any 30 that is given
SHORT = {"n": "dimension"}  # the paper's symbol, which is shorter to type than the word for it


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = _Required()  # the default of what has none


class Field(NamedTuple):
    meaning: str
    read: Callable[[Any], Any]  # the value as the study keeps it, or a ValueError
    default: Any = REQUIRED
    is_factor: bool = False  # one value or a list of them


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
    "dimension": factor("dimension", "numbers of variables, in short n", dimensions, DIMENSION),
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
    "engine": Field("auto, plain or fast", lambda value: check.choice("engine", value, ENGINES), "auto"),
    "checkpoints": Field("shares of the budget at which POIS is noted", shares, (1 / 3, 2 / 3)),
    "grid": Field(
        "printed: F and Cr as written; exact: equally spaced from the first to the last, the others being rounded",
        lambda value: check.choice("grid", value, GRIDS),
        "printed",
    ),
}
FACTORS = tuple(name for name, field in FIELDS.items() if field.is_factor)
AXES = tuple(name for name in FACTORS if FIELDS[name].default is REQUIRED)  # what tells the configurations apart
SHARED = (*(name for name in FACTORS if name not in AXES), "budget")  # what all runs of a figure have in common


def long_name(name: str) -> str:
    """The name of a key or column, of which the short one may be given: n is dimension."""
    return SHORT.get(name, name)


def with_long_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their long names; an error if one is given under both."""
    for short, name in SHORT.items():
        if short in given and name in given:
            raise ValueError(
                f"{name} is given twice: as {name} = {shown(given[name])} and, in short, as {short} = "
                f"{shown(given[short])}"
            )
    return {long_name(name): value for name, value in given.items()}


def read(given: Mapping[str, Any], stored: bool = False) -> tuple[dict[str, Any], list[str]]:
    """The checked value of every field, and all that is wrong; operators of a stored study need not be installed."""
    try:
        given = with_long_names(given)
    except ValueError as error:
        return {}, [str(error)]
    values: dict[str, Any] = {}
    wrong = [f"unknown key {key!r}; choose from {', '.join(FIELDS)}" for key in given if key not in FIELDS]
    for name, field in FIELDS.items():
        if name not in given and field.default is REQUIRED:
            wrong.append(f"{name} is missing: {field.meaning}")
            continue
        try:
            values[name] = (stored_names(name) if stored and name in registry.SLOTS else field.read)(
                given.get(name, field.default)
            )
        except ValueError as error:
            wrong.append(str(error) if name in str(error) else f"{name}: {error}")
    for name in ("F", "Cr") if values.get("grid") == "exact" else ():
        try:
            equally_spaced(name, values.get(name, (0.0,)))
        except ValueError as error:
            wrong.append(str(error))
    return values, wrong


def stored_names(slot: str) -> Callable[[Any], tuple[str, ...]]:
    """A check of the names of a stored study's operators."""
    return several(slot, lambda name: full_name(slot, name))
