"""Checks of the values in a study: each returns the value as the study keeps it, or raises a ValueError.

Operators of a stored study need not be installed: its runs can be read and drawn without them. Their names come from a
file and become part of other files' names, so what they are made of is checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from math import inf
from typing import Any, TypeVar

import numpy as np

from debox import check, registry
from debox.registry.operator import NAME_RULE, is_name

PRINTED_ERROR = 0.001  # how far a value printed with three decimals, rounded or cut, may be from the exact one
LONGEST_NAME = 100  # characters
MOST_CHECKPOINTS = 1000  # each is a column of the store
MOST_NAMED = 20  # wrong values of a list in an error message
MOST_CHARACTERS = 200  # of a wrong value in an error message

Value = TypeVar("Value")


def study_name(value: Any) -> str:
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


def dimension(value: Any) -> int:
    """A number of variables of the box."""
    return check.integer("dimension", value, 1)


def budget(value: Any) -> int | str:
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


def checkpoints(values: Any) -> tuple[float, ...]:
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
        listed = tuple(given) if isinstance(given, list | tuple | np.ndarray) else (given,)
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


def installed_operator(slot: str, name: str) -> registry.Operator | None:
    """The operator of this name; None if it is not installed."""
    try:
        return registry.find(slot, name)
    except ValueError:
        return None


def full_name(slot: str, name: Any) -> str:
    """The name under which runs are stored: the long name, or the name as given if the operator is not installed."""
    operator = installed_operator(slot, check_name(slot, name))
    return operator.name if operator else str(name)
