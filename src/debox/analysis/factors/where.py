"""Which part of a study is analysed: some levels of its factors, one dimension, one budget, …"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from debox import check, operators
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs
from debox.study.fields import ADAPTATION, AXES, SHARED, full_name, long_name, with_long_names

COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
COMPARISON = re.compile(r"\s*(<=|>=|<|>)\s*(.+)")
SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">"}


def settings(where: Mapping[str, Any]) -> dict[str, Any]:
    """What `where` says of dimension, budget, …, which all runs have in common; not of factors.

    One adaptation is what all runs have in common, several are levels of a factor.
    """
    check_names(where)
    several = {name for name, value in where.items() if name == ADAPTATION and isinstance(value, list | tuple)}
    return {name: value for name, value in where.items() if name not in (*AXES, *several)}


def check_names(where: Iterable[str]) -> None:
    """Raise a ValueError about a name that is neither a factor nor a setting; it lists both."""
    for name in where:
        if long_name(name) not in (*AXES, *SHARED):
            check.choice("where", name, (*AXES, *SHARED))


def normalise(where: Mapping[str, Any], runs: Runs) -> dict[str, Any]:
    """What `where` asks for as the runs have it: 30 for "30", "saturation" for "sat", "<=1" for " <= 1"."""
    found = {}
    for name, wanted in with_long_names(where).items():
        if name in runs.axes:
            found[name] = _as_the_runs_have_it(name, runs.axes[name], wanted)
        else:
            value = runs.setting(name)
            found[name] = wanted if value is None else value.item() if isinstance(value, np.generic) else value
    return found


def _as_the_runs_have_it(name: str, there: Sequence[Any], wanted: Any) -> Any:
    if isinstance(wanted, list | tuple):
        return [_as_the_runs_have_it(name, there, one) for one in wanted]
    if comparison := COMPARISON.fullmatch(str(wanted)):
        return "".join(comparison.groups()).strip()
    return _matching(name, there, wanted)[0]


def in_words(name: str, wanted: Any) -> str:
    """``N = 5, 20`` or ``F ≤ 1``, of what is normalised"""
    several = wanted if isinstance(wanted, list | tuple) else [wanted]
    read = [COMPARISON.fullmatch(str(one)) for one in several]
    values = [str(one) for one, comparison in zip(several, read, strict=True) if not comparison]
    equal = [f"{name} = {', '.join(values)}"] if values else []
    return " or ".join(equal + [f"{name} {SIGNS[one[1]]} {one[2]}" for one in read if one])


def part(runs: Runs, where: Mapping[str, Any]) -> Cube:
    """The cube of the runs with the levels of factors that `where` asks for; others may lack runs."""
    several = {ADAPTATION: runs.adaptations} if isinstance(where.get(ADAPTATION), list | tuple) else {}
    axes = {**several, **runs.axes}  # several adaptations are asked for of runs that have one, too
    asked = {name: levels(name, axes[name], value) for name, value in where.items() if name in axes}
    return Cube.of(runs, {name: found for name, found in asked.items() if name in runs.axes})


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
    if comparison := COMPARISON.fullmatch(str(wanted)):
        sign, limit = comparison.groups()
        found = [] if name in operators.SLOTS else [v for v in there if COMPARISONS[sign](v, _number(name, limit))]
    elif name in operators.SLOTS:
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
    check_names(found)
    return found
