"""Which part of a study is analysed: some levels of its factors, one dimension, one budget, …"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

from debox import registry
from debox.analysis.cube import Cube
from debox.design.checks import full_name
from debox.design.fields import AXES

COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


def settings(where: Mapping[str, Any]) -> dict[str, Any]:
    """What `where` says of dimension, budget, …, which all runs have in common; not of factors."""
    return {name: value for name, value in where.items() if name not in AXES}


def part(cube: Cube, where: Mapping[str, Any]) -> Cube:
    """The part of the cube with the levels of its factors that `where` asks for."""
    wanted = {name: levels(name, cube.axes[name], value) for name, value in where.items() if name in AXES}
    return cube.take(**wanted)


def levels(name: str, there: Sequence[Any], wanted: Any) -> tuple[Any, ...]:
    """The levels that are asked for by value (bin, 5) or by comparison ("<=1"), in their order.

    Of several values any will do; all comparisons must be met: ("5", "20") are both, (">=0.5", "<=1") is a range.
    """
    several = wanted if isinstance(wanted, list | tuple) else [wanted]
    limits, values = [w for w in several if _is_comparison(w)], [w for w in several if not _is_comparison(w)]
    found = [set(_matching(name, there, limit)) for limit in limits]
    if values:
        found.append({level for value in values for level in _matching(name, there, value)})
    met = tuple(level for level in there if all(level in one for one in found))
    if not met:
        asked = " and ".join(map(str, several))
        raise ValueError(f"where: no {name} of {', '.join(map(str, there))} is {asked}")
    return met


def _is_comparison(wanted: Any) -> bool:
    return str(wanted).lstrip().startswith(("<", ">"))


def _matching(name: str, there: Sequence[Any], wanted: Any) -> list[Any]:
    if comparison := re.fullmatch(r"\s*(<=|>=|<|>)\s*(.+)", str(wanted)):
        sign, limit = comparison.groups()
        found = [] if name in registry.SLOTS else [v for v in there if COMPARISONS[sign](v, _number(name, limit))]
    elif name in registry.SLOTS:
        found = [value for value in there if value == full_name(name, str(wanted))]
    else:
        found = [value for value in there if value == _number(name, wanted)]
    if not found:
        raise ValueError(f"where: {name} must be one of {', '.join(map(str, there))}, got {wanted!r}")
    return found


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"where: {name} must be a number, or one after <=, <, >= or >, got {value!r}") from None


def pairs(conditions: Sequence[str]) -> dict[str, Any]:
    """("crossover=bin", "F<=1", "N=5", "N=20") → {"crossover": "bin", "F": "<=1", "N": ("5", "20")}"""
    found: dict[str, Any] = {}
    for text in conditions:
        read = re.fullmatch(r"\s*(\w+)\s*(<=|>=|<|>|=)\s*([^<>=\s][^<>=]*?)\s*", text)
        if not read:
            raise ValueError(f"where: {text!r} does not read as name=value or name<=value, e.g. N=5 or F<=1")
        name, sign, value = read.groups()
        one = value if sign == "=" else sign + value
        before = found.get(name, ())
        found[name] = (*(before if isinstance(before, tuple) else (before,)), one) if name in found else one
    return found
