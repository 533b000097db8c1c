"""The keys of a study: each with its meaning, its default and its check; Study, docs and tests iterate over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from debox import check, registry
from debox.config import ENGINE_NAMES, REPAIRS, crossover_rate, default_donors, scale_factor
from debox.design import checks

GRIDS = ("printed", "exact")
DEFAULT_DIMENSION = (30,)  # the paper's; `Study` tells this tuple by identity from a value that is given
DEFAULT_DONORS = ("distinct",)  # told by identity, too: the default depends on the adaptation
ADAPTIVE_DONORS = ("not-target",)  # what it is where F and Cr adapt
START = ("F", "Cr")  # with which adaptations begin, in the order of Operator.start
SHORT_NAMES = {"n": "dimension"}  # the paper's symbols, which may be given for the names


class StartValues(tuple[float, ...]):
    """Values of F or Cr that nobody gave: another adaptation in the study's place has others."""


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = _Required()  # the default of keys that have none


class Field(NamedTuple):
    meaning: str
    check: Callable[[Any], Any]  # gives the value as the study keeps it, or raises a ValueError
    default: Any = REQUIRED
    is_factor: bool = False  # one value or a list of them


def operator(slot: str, meaning: str, default: Any = REQUIRED) -> Field:
    """A factor whose values are names of operators."""
    return Field(meaning, checks.list_check(slot, lambda name: registry.find(slot, name).name), default, is_factor=True)


def factor(name: str, meaning: str, check_value: Callable[[Any], Any], default: Any = REQUIRED) -> Field:
    """A factor whose values are no names of operators."""
    return Field(meaning, checks.list_check(name, check_value), default, is_factor=True)


FIELDS = {
    "name": Field("the study's name, a word", checks.study_name),
    "seed": Field("an integer ≥ 0: same seed, same runs", lambda value: check.integer("seed", value, 0), 0),
    "runs": Field("independent runs of every configuration", lambda value: check.integer("runs", value, 1), 50),
    "dimension": factor("dimension", "numbers of variables, in short n", checks.dimension, DEFAULT_DIMENSION),
    "budget": Field("evaluations of a run: a number, or '10000 n' for so many a variable", checks.budget, "10000 n"),
    "mutation": operator("mutation", "names of mutations, long or short, as `debox strategies` lists them"),
    "crossover": operator("crossover", "names of crossovers"),
    "strategy": operator("strategy", "names of strategies"),
    "N": factor("N", "population sizes", lambda value: check.integer("N", value, 1)),
    "F": factor("F", "scale factors in (0, 2]; where F adapts those of the start, which may be left out", scale_factor),
    "Cr": factor("Cr", "crossover rates in [0, 1]; where Cr adapts those of the start, likewise", crossover_rate),
    "donors": operator(
        "donors",
        "whom a mutation may draw: distinct, not-target, not-parents; not-target where F and Cr adapt",
        DEFAULT_DONORS,
    ),
    "reevaluate": factor(
        "reevaluate",
        "false: a dismissed trial changes nothing",
        lambda value: check.boolean("reevaluate", value),
        True,
    ),
    "frozen": factor("frozen", "true: no trial is ever accepted", lambda value: check.boolean("frozen", value), False),
    "repair": factor(
        "repair",
        "trial or mutant: what strategies for whole points repair",
        lambda value: check.choice("repair", value, REPAIRS),
        "trial",
    ),
    "adaptation": operator(
        "adaptation", "how F and Cr adapt, which are then those of the start: fixed, jDE, JADE, SHADE, L-SHADE", "fixed"
    ),
    "engine": Field("auto, plain or fast", lambda value: check.choice("engine", value, ENGINE_NAMES), "auto"),
    "checkpoints": Field("shares of the budget at which POIS is noted", checks.checkpoints, (1 / 3, 2 / 3)),
    "grid": Field(
        "printed: F and Cr as written; exact: equally spaced from the first to the last, the others being rounded",
        lambda value: check.choice("grid", value, GRIDS),
        "printed",
    ),
}
FACTORS = tuple(name for name, field in FIELDS.items() if field.is_factor)
AXES = tuple(
    name for name in FACTORS if FIELDS[name].default is REQUIRED
)  # factors without a default: what configurations of a study differ in
ADAPTATION = "adaptation"  # a factor, too, of runs that differ in it
SHARED = (*(name for name in FACTORS if name not in AXES), "budget")  # what all runs of a figure have in common


def long_name(name: str) -> str:
    """The name of a key or column that may be given by its short name: n is dimension."""
    return SHORT_NAMES.get(name, name)


def with_long_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their long names; an error if one is given under both."""
    for short, name in SHORT_NAMES.items():
        if short in given and name in given:
            raise ValueError(
                f"{name} is given twice: as {name} = {checks.short_repr(given[name])} and, in short, as {short} = "
                f"{checks.short_repr(given[short])}"
            )
    return {long_name(name): value for name, value in given.items()}


def check_fields(given: Mapping[str, Any], stored: bool = False) -> tuple[dict[str, Any], list[str]]:
    """The checked value of every key, and messages about wrong ones; if `stored`, operators need not be installed."""
    try:
        given = with_long_names(given)
    except ValueError as error:
        return {}, [str(error)]
    given = {name: value for name, value in given.items() if not isinstance(value, StartValues)}
    values: dict[str, Any] = {}
    wrong = [f"unknown key {key!r}; choose from {', '.join(FIELDS)}" for key in given if key not in FIELDS]
    for name, field in FIELDS.items():
        if name not in given and field.default is REQUIRED:
            if name in START:
                continue  # until the adaptations are known
            wrong.append(f"{name} is missing: {field.meaning}")
            continue
        try:
            check_value = stored_names_check(name) if stored and name in registry.SLOTS else field.check
            values[name] = check_value(given.get(name, field.default))
        except ValueError as error:
            wrong.append(str(error) if name in str(error) else f"{name}: {error}")
    for name in START:
        if name not in given and ADAPTATION in values:  # else it is wrong, and whether F and Cr are missing is open
            try:
                values[name] = start_values(name, values[ADAPTATION])
            except ValueError as error:
                wrong.append(str(error))
    asked = given.get("donors", DEFAULT_DONORS)
    if (asked is DEFAULT_DONORS or asked is ADAPTIVE_DONORS) and "adaptation" in values:
        own = {default_donors(name) for name in values["adaptation"]}
        values["donors"] = DEFAULT_DONORS if own == set(DEFAULT_DONORS) else ADAPTIVE_DONORS
        if len(own) > 1:
            wrong.append(
                "donors must be given where F and Cr adapt in some configurations only: "
                f"adaptation = {', '.join(values['adaptation'])} has {' or '.join(sorted(own))} by default"
            )
    for name in ("F", "Cr") if values.get("grid") == "exact" else ():
        try:
            checks.equally_spaced(name, values.get(name, (0.0,)))
        except ValueError as error:
            wrong.append(str(error))
    return values, wrong


def start_values(name: str, adaptations: Sequence[str]) -> StartValues:
    """F or Cr, if nobody gives it: where it adapts, the one that all of these adaptations begin with."""
    found = {adaptation: checks.installed_operator("adaptation", adaptation) for adaptation in adaptations}
    if any(operator is None or operator.name == "fixed" for operator in found.values()):
        some = f"; it does not adapt in all configurations: adaptation = {', '.join(found)}" if len(found) > 1 else ""
        raise ValueError(f"{name} is missing: {FIELDS[name].meaning}{some}")
    starts = {adaptation: operator.start[START.index(name)] for adaptation, operator in found.items() if operator}
    if len(set(starts.values())) > 1:
        listed = ", ".join(f"{adaptation} with {start}" for adaptation, start in starts.items())
        raise ValueError(f"{name} must be given where adaptations begin with different ones by default: {listed}")
    return StartValues(set(starts.values()))


def stored_names_check(slot: str) -> Callable[[Any], tuple[str, ...]]:
    """A check of the names of a stored study's operators."""
    return checks.list_check(slot, lambda name: checks.full_name(slot, name))
