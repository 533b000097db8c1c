"""The keys of a study: each with its meaning, its default and its check; Study, docs and tests iterate over them.

A check returns a value as the study keeps it, or raises a ValueError. Operators of a stored study need not be
installed: its runs can be read and drawn without them. Their names come from a file and become part of other files'
names, so what they are made of is checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import Any, NamedTuple, TypeVar

import numpy as np

from debox import check, operators
from debox.config import ENGINE_NAMES, REPAIRS, crossover_rate, defaults_with, scale_factor
from debox.operators import NAME_RULE, is_name

GRIDS = ("printed", "exact")
ADAPTATION = "adaptation"  # the key on which F, Cr and donors depend if they are not given
START = ("F", "Cr")  # with which adaptations begin, in the order of Operator.start
SHORT_NAMES = {"n": "dimension"}  # the paper's symbols, which may be given for the names

PRINTED_ERROR = 0.001  # how far a value printed with three decimals, rounded or cut, may be from the exact one
LONGEST_NAME = 100  # characters
MOST_CHECKPOINTS = 1000  # each is a column of the store
MOST_NAMED = 20  # wrong values of a list in an error message
LONGEST_RANGE = 100_000  # values of a factor: what is written as a range may have more than memory holds
MOST_CHARACTERS = 200  # of a wrong value in an error message

Value = TypeVar("Value")


# Three marks say that a value was not given, so that it is not mistaken for the same value given by the user:
# - REQUIRED is the default of a key that has none, and no value of a study.
# - The tuples DEFAULT_DIMENSION, DEFAULT_DONORS and ADAPTIVE_DONORS are compared with `is`: a user who gives the same
#   values gives another tuple. If the dimension is not given, n may be; if donors are not, they follow the adaptation.
# - StartValues is the type of F and Cr that were not given and follow the adaptation.
# A study keeps the marks of donors, F and Cr: in `dataclasses.replace(study, adaptation=…)` they follow the new one.
class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = _Required()
DEFAULT_DIMENSION = (30,)  # the paper's
DEFAULT_DONORS = ("distinct",)  # where F and Cr are fixed
ADAPTIVE_DONORS = ("not-target",)  # where they adapt


class StartValues(tuple[float, ...]):
    """Values of F or Cr that are not given, but with which the adaptation begins."""


class Field(NamedTuple):
    meaning: str
    check: Callable[[Any], Any]  # gives the value as the study keeps it, or raises a ValueError
    default: Any = REQUIRED
    is_factor: bool = False  # one value or a list of them


def check_study_name(value: Any) -> str:
    """The study's name: a word, for it names files."""
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w.-]*", value) or len(value) > LONGEST_NAME:
        allowed = f"a word of at most {LONGEST_NAME} letters, digits, '_', '-' and '.'"
        raise ValueError(f"name must be {allowed}, got {short_repr(value)}")
    return value


def short_repr(value: Any) -> str:
    """A wrong value for an error message: at most a few lines of it."""
    written = repr(value)
    return written if len(written) <= MOST_CHARACTERS else f"{written[:MOST_CHARACTERS]}… ({len(written)} characters)"


def first_few(values: Iterable[Value]) -> Iterable[Value]:
    """The first few of them, for an error message."""
    return islice(values, MOST_NAMED)


def check_dimension(value: Any) -> int:
    """A number of variables of the box."""
    return check.integer("dimension", value, 1)


def check_budget(value: Any) -> int | str:
    """A number of evaluations, or so many for every variable: '10000 n'."""
    per_variable = re.fullmatch(r"(\d{1,4000})\s*[·*]?\s*n", value.strip()) if isinstance(value, str) else None
    try:
        number = check.integer("budget", int(per_variable[1]) if per_variable else value, 1, most=inf)
    except ValueError:
        raise ValueError(
            f"budget must be an integer ≥ 1 or a text such as '10000 n', got {short_repr(value)}"
        ) from None
    check.budget(number, written=short_repr(value))
    return f"{number} n" if per_variable else number


def check_checkpoints(values: Any) -> tuple[float, ...]:
    """Rising shares of the budget, as numbers or as texts such as '1/3'."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"checkpoints must be a list such as ['1/3', 0.5], got {short_repr(values)}")
    if len(values) > MOST_CHECKPOINTS:
        raise ValueError(
            f"checkpoints must be at most {MOST_CHECKPOINTS}, each a column of the store, got {len(values)}"
        )
    return check.shares("checkpoints", [parse_share(value) for value in values])


def parse_share(value: Any) -> Any:
    """'1/3' → 0.333…; what is no text is returned as it is, to be checked."""
    if not isinstance(value, str):
        return value
    fraction = re.fullmatch(r"\s*(\d{1,20})\s*/\s*(\d{1,20})\s*", value)
    try:
        return int(fraction[1]) / int(fraction[2]) if fraction else float(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"checkpoints must be numbers or fractions such as '1/3', got {short_repr(value)}") from None


def list_check(name: str, check_value: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    """From a check of one value, a check of a list of different values; a value alone is taken as a list of one."""

    def values(given: Any) -> tuple[Any, ...]:
        if isinstance(given, range) and given[LONGEST_RANGE:]:
            raise ValueError(f"{name} must have at most {LONGEST_RANGE} values if it is a range, got {given!r}")
        listed = tuple(given) if isinstance(given, list | tuple | range | np.ndarray) else (given,)
        if not listed:
            raise ValueError(f"{name} must have at least one value, got {given!r}")
        checked = check_each(check_value, listed)
        if len(set(checked)) < len(checked):
            twice = sorted(str(value) for value, times in Counter(checked).items() if times > 1)
            raise ValueError(f"{name} must have different values, got {', '.join(first_few(twice))} more than once")
        return checked

    return values


def check_each(check_value: Callable[[Any], Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The checked values; a ValueError about the first few that are wrong."""
    checked, wrong = [], []
    for value in values:
        try:
            checked.append(check_value(value))
        except ValueError as error:
            wrong.append(str(error))
        if len(wrong) == MOST_NAMED:
            break
    if wrong:
        raise ValueError("\n".join(wrong))
    return tuple(checked)


def equally_spaced(name: str, printed: tuple[float, ...]) -> tuple[float, ...]:
    """The equally spaced values of which these are printed with three decimals, rounded or cut."""
    exact = np.linspace(printed[0], printed[-1], len(printed))
    for value, expected in zip(printed, exact, strict=True):
        if abs(value - expected) >= PRINTED_ERROR:
            raise ValueError(
                f"{name} must be equally spaced to three decimals with grid = 'exact', "
                f"got {value!r} where {expected:.3f} should be; say grid = 'printed' to use the values as written"
            )
    return tuple(exact.tolist())


def check_name(what: str, value: Any) -> str:
    """A name that an operator may have, such as current-to-best/1."""
    if not is_name(value):
        raise ValueError(f"{what} must be {NAME_RULE}, got {short_repr(value)}")
    return str(value)


def full_name(slot: str, name: Any) -> str:
    """The name under which runs are stored: the long name, or the name as given if the operator is not installed."""
    operator = operators.find_or_none(slot, check_name(slot, name))
    return operator.name if operator else str(name)


def operator(slot: str, meaning: str, default: Any = REQUIRED) -> Field:
    """A factor whose values are names of operators."""
    return Field(meaning, list_check(slot, lambda name: operators.find(slot, name).name), default, is_factor=True)


def factor(name: str, meaning: str, check_value: Callable[[Any], Any], default: Any = REQUIRED) -> Field:
    """A factor whose values are no names of operators."""
    return Field(meaning, list_check(name, check_value), default, is_factor=True)


FIELDS = {
    "name": Field("the study's name, a word", check_study_name),
    "seed": Field("an integer ≥ 0: same seed, same runs", lambda value: check.integer("seed", value, 0), 0),
    "runs": Field("independent runs of every configuration", lambda value: check.integer("runs", value, 1), 50),
    "dimension": factor("dimension", "numbers of variables, in short n", check_dimension, DEFAULT_DIMENSION),
    "budget": Field("evaluations of a run: a number, or '10000 n' for so many a variable", check_budget, "10000 n"),
    "mutation": operator("mutation", "names of mutations, long or short, as `debox operators` lists them"),
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
    "checkpoints": Field("shares of the budget at which POIS is noted", check_checkpoints, (1 / 3, 2 / 3)),
    "grid": Field(
        "printed: F and Cr as written; exact: equally spaced from the first to the last, the others being rounded",
        lambda value: check.choice("grid", value, GRIDS),
        "printed",
    ),
}
FACTORS = tuple(name for name, field in FIELDS.items() if field.is_factor)
AXES = tuple(name for name in FACTORS if FIELDS[name].default is REQUIRED)  # in which configurations of a study differ
SHARED = (*(name for name in FACTORS if name not in AXES), "budget")  # what all runs of a figure have in common


def long_name(name: str) -> str:
    """The name of a key or column that may be given by its short name: n is dimension."""
    return SHORT_NAMES.get(name, name)


def in_words(there: Mapping[str, Collection[Any]]) -> str:
    """``mutation best/1, rand/1; N 5, 20``"""
    return "; ".join(f"{name} {', '.join(map(str, values))}" for name, values in there.items())


def with_long_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their long names; an error if one is given under both."""
    for short, name in SHORT_NAMES.items():
        if short in given and name in given:
            raise ValueError(
                f"{name} is given twice: as {name} = {short_repr(given[name])} and, in short, as {short} = "
                f"{short_repr(given[short])}"
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
            check_value = stored_names_check(name) if stored and name in operators.SLOTS else field.check
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
    if (asked is DEFAULT_DONORS or asked is ADAPTIVE_DONORS) and ADAPTATION in values:
        own = {defaults_with(name)["donors"] for name in values[ADAPTATION]}
        values["donors"] = DEFAULT_DONORS if own == set(DEFAULT_DONORS) else ADAPTIVE_DONORS
        if len(own) > 1:
            wrong.append(
                "donors must be given where F and Cr adapt in some configurations only: "
                f"adaptation = {', '.join(values[ADAPTATION])} has {' or '.join(sorted(own))} by default"
            )
    for name in ("F", "Cr") if values.get("grid") == "exact" else ():
        try:
            equally_spaced(name, values.get(name, (0.0,)))
        except ValueError as error:
            wrong.append(str(error))
    return values, wrong


def start_values(name: str, adaptations: Sequence[str]) -> StartValues:
    """F or Cr if it is not given: where it adapts, the one that all of these adaptations begin with."""
    found = {adaptation: operators.find_or_none(ADAPTATION, adaptation) for adaptation in adaptations}
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
    return list_check(slot, lambda name: full_name(slot, name))
