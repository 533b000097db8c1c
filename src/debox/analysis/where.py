"""Where: which part of a study is meant, in one grammar for functions, claims and commands.

A condition is a text such as ``N=5,20``, ``F<=1`` or ``crossover=bin``, or an argument: ``N=(5, 20)``, ``F="<=1"``,
``crossover="bin"``. Of several values any will do; several comparisons of one factor must all be met.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from debox import check
from debox.study.fields import AXES, SHARED, level_of, long_name, several, short_repr, with_long_names

COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">"}
COMPARISON = re.compile(r"\s*(<=|>=|<|>)\s*([^<>=\s]+)\s*")
CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|<|>|=)\s*([^<>=\s][^<>=]*?)\s*")
Where = Mapping[str, tuple[Any, ...]]  # what is asked of each factor: values, and comparisons such as "<=1"


def read(where: Mapping[str, Any] | Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """Conditions by the long names of the factors, from arguments or from texts.

    ``read(["N=5,20", "F<=1"])`` and ``read({"N": (5, 20), "F": "<=1"})`` mean the same.
    """
    if not isinstance(where, Mapping):
        found: dict[str, Any] = {}
        for text in where:
            parts = CONDITION.fullmatch(text) if isinstance(text, str) else None
            if not parts:
                wrong = f"{short_repr(text)} does not read as name=value or name<=value, such as N=5,20 or F<=1"
                raise ValueError(f"where: {wrong}")
            name, sign, value = parts.groups()
            values = [one.strip() for one in value.split(",")] if sign == "=" else [sign + value]
            found[name] = (*found.get(name, ()), *values)
        where = found
    for name in where:
        check.choice("a factor in where", long_name(name) if isinstance(name, str) else name, (*AXES, *SHARED))
    return {name: _several(wanted) for name, wanted in with_long_names(where).items()}


def _several(wanted: Any) -> tuple[Any, ...]:
    """One value or condition, or several, as a tuple; a text may hold several: "5,20"."""
    if isinstance(wanted, str) and "," in wanted:
        return tuple(one.strip() for one in wanted.split(","))
    return several(wanted)


def levels(name: str, there: Sequence[Any], wanted: Any) -> tuple[Any, ...]:
    """The levels of a factor, of those that are there, that are asked for, in their order; a ValueError if none is.

    A value that is not there is an error, too; a comparison may leave out as many as it likes.
    """
    wanted = _several(wanted)
    limits = [limit for one in wanted if isinstance(one, str) and (limit := COMPARISON.fullmatch(one))]
    values = [one for one in wanted if not (isinstance(one, str) and COMPARISON.fullmatch(one))]
    found = {level_of(name, there, value, "where") for value in values} or set(there)
    for limit in limits:
        found = {level for level in found if COMPARISONS[limit[1]](level, _number(name, limit[2]))}
    if not found:
        raise ValueError(f"where: no {name} of {join(there)} is {in_words(wanted)}")
    return tuple(level for level in there if level in found)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        shown = short_repr(value)
        raise ValueError(f"where: {name} must be a number, or one after <=, <, >= or >, got {shown}") from None


def in_words(wanted: Any) -> str:
    """``5, 20`` or ``≥ 0.5 and ≤ 1``"""
    texts = [COMPARISON.sub(lambda found: f"{SIGNS[found[1]]} {found[2]}", text) for text in _texts(wanted)]
    return (" and " if any(text[0] in "≤≥<>" for text in texts) else ", ").join(texts)


def describe(where: Mapping[str, Any]) -> str:
    """``N = 20, 100; F ≥ 0.7``"""
    parts = []
    for name, wanted in where.items():
        words = in_words(wanted)
        parts.append(f"{name} {words}" if words[0] in "≤≥<>" else f"{name} = {words}")
    return "; ".join(parts)


def join(values: Iterable[Any]) -> str:
    """``0.05, 0.266, 0.483``"""
    return ", ".join(_texts(tuple(values)))


def _texts(wanted: Any) -> list[str]:
    return [f"{one:g}" if isinstance(one, float) else str(one) for one in _several(wanted)]
