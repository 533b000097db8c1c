"""Checks of the values that a study says: each gives the value as the study keeps it, or a ValueError."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from math import inf
from typing import Any, TypeVar

import numpy as np

from debox import check, registry
from debox.config import MOST_EVALUATIONS

PRINTED = 0.001  # how far a printed value may be from the exact one: three decimals, rounded or cut
LONGEST_NAME = 100  # characters
MOST_CHECKPOINTS = 1000  # each is a column of the store
NAMED = 20  # wrong values of a list that an error names
SHOWN = 200  # characters of a wrong value that an error shows

PART = "[A-Za-z0-9][A-Za-z0-9-]*"
NAME = re.compile(f"{PART}(/{PART})*")
LONGEST_OPERATOR = 60  # letters

Value = TypeVar("Value")


def label(value: Any) -> str:
    """The study's name: a word, for it names files."""
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w.-]*", value) or len(value) > LONGEST_NAME:
        allowed = f"a word of at most {LONGEST_NAME} letters, digits, '_', '-' and '.'"
        raise ValueError(f"name must be {allowed}, got {shown(value)}")
    return value


def shown(value: Any) -> str:
    """A wrong value as an error shows it: not more than a few lines of it."""
    written = repr(value)
    return written if len(written) <= SHOWN else f"{written[:SHOWN]}… ({len(written)} characters)"


def first_of(values: Iterable[Value]) -> Iterable[Value]:
    """The first few: as many as an error names."""
    return islice(values, NAMED)


def dimensions(value: Any) -> int:
    """How many variables the box has."""
    return check.integer("dimension", value, 1)


def evaluations(value: Any) -> int | str:
    """A number of evaluations, or so many for every variable: '10000 n'."""
    per_variable = re.fullmatch(r"(\d{1,4000})\s*[·*]?\s*n", value.strip()) if isinstance(value, str) else None
    try:
        number = check.integer("budget", int(per_variable[1]) if per_variable else value, 1, most=inf)
    except ValueError:
        raise ValueError(f"budget must be an integer ≥ 1 or a text such as '10000 n', got {shown(value)}") from None
    if number > MOST_EVALUATIONS:
        raise ValueError(f"budget must be at most {MOST_EVALUATIONS} evaluations, got {shown(value)}")
    return f"{number} n" if per_variable else number


def shares(values: Any) -> tuple[float, ...]:
    """Rising shares of the budget, as numbers or as texts such as '1/3'."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"checkpoints must be a list such as ['1/3', 0.5], got {shown(values)}")
    if len(values) > MOST_CHECKPOINTS:
        raise ValueError(
            f"checkpoints must be at most {MOST_CHECKPOINTS}, each a column of the store, got {len(values)}"
        )
    return check.shares("checkpoints", [share(value) for value in values])


def share(value: Any) -> Any:
    """'1/3' → 0.333…; what is no text is left to the check."""
    if not isinstance(value, str):
        return value
    fraction = re.fullmatch(r"\s*(\d{1,20})\s*/\s*(\d{1,20})\s*", value)
    try:
        return int(fraction[1]) / int(fraction[2]) if fraction else float(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"checkpoints must be numbers or fractions such as '1/3', got {shown(value)}") from None


def several(name: str, read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A check of one value made into a check of a list of different ones; a value alone is a list of one."""

    def values(given: Any) -> tuple[Any, ...]:
        listed = tuple(given) if isinstance(given, list | tuple | np.ndarray) else (given,)
        if not listed:
            raise ValueError(f"{name} must have at least one value, got {given!r}")
        checked = all_of(read, listed)
        if len(set(checked)) < len(checked):
            twice = sorted(str(value) for value, times in Counter(checked).items() if times > 1)
            raise ValueError(f"{name} must have different values, got {', '.join(first_of(twice))} more than once")
        return checked

    return values


def all_of(read: Callable[[Any], Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Every value checked, or what is wrong with the first that are."""
    checked, wrong = [], []
    for value in values:
        try:
            checked.append(read(value))
        except ValueError as error:
            wrong.append(str(error))
        if len(wrong) == NAMED:
            break
    if wrong:
        raise ValueError("\n".join(wrong))
    return tuple(checked)


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


def check_name(what: str, value: Any) -> str:
    """A name of letters, digits, - and / between them, such as current-to-best/1."""
    if not isinstance(value, str) or len(value) > LONGEST_OPERATOR or not NAME.fullmatch(value):
        allowed = f"a name of letters, digits, '-' and '/', such as 'rand/1', of at most {LONGEST_OPERATOR}"
        raise ValueError(f"{what} must be {allowed}, got {shown(value)}")
    return value


def installed(slot: str, name: str) -> registry.Operator | None:
    """The operator of this name, or None if there is none."""
    try:
        return registry.find(slot, name)
    except ValueError:
        return None


def full_name(slot: str, name: Any) -> str:
    """The name under which runs are stored; that of an operator that is not installed is its own."""
    operator = installed(slot, check_name(slot, name))
    return operator.name if operator else str(name)
