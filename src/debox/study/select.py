"""Options that choose a part of a study: `only`, values of its factors, and `shard`, the i-th of n parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from debox.design.fields import FACTORS, FIELDS, long_name
from debox.design.study import Study


def select_values(study: Study, only: str | Mapping[str, Any] | None) -> dict[str, list[Any]]:
    """The values of each factor that `only` names, checked against those of the study."""
    wanted: dict[str, list[Any]] = {}
    for name, value in _pairs(only):
        factor = long_name(name)
        if factor not in FACTORS:
            raise ValueError(f"only: unknown factor {factor!r}; choose from {', '.join(FACTORS)}")
        for checked in FIELDS[factor].check(_parse_value(factor, value)):
            wanted.setdefault(factor, []).append(_value_in_study(study, factor, checked))
    return wanted


def _pairs(only: object) -> list[tuple[str, Any]]:
    """The factors that `only` names, each with a value."""
    if isinstance(only, Mapping):
        return list(only.items())
    if not isinstance(only, str | None):
        raise ValueError(f"only must be text such as 'strategy=sat,N=5' or a mapping of factors, got {only!r}")
    return [_parse_pair(text) for text in (only or "").split(",") if text]


def _value_in_study(study: Study, factor: str, given: Any) -> Any:
    """The value of the study that is given exactly or as it is printed."""
    values = study.values(factor)
    matches = [value for value in values if value == given] or [
        value for value in values if given in _printed_forms(value)
    ]
    if not matches:
        choices = ", ".join(map(str, values))
        raise ValueError(f"only: {factor}={given} is not in study {study.name!r}; choose from {choices}")
    return min(matches, key=lambda value: abs(value - given)) if len(matches) > 1 else matches[0]


def _printed_forms(value: Any) -> tuple[float, ...]:
    """0.2666… as it is printed: 0.267, rounded, or 0.266, cut."""
    return (float(f"{value:.3f}"), float(f"{value:.6f}"[:-3])) if isinstance(value, float) else ()


def _parse_pair(text: str) -> tuple[str, str]:
    factor, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise ValueError(f"only: {text!r} does not read as factor=value, e.g. 'strategy=sat,N=5'")
    return factor, value


def _parse_value(factor: str, value: Any) -> Any:
    """A value given as text, converted to the factor's type."""
    kind = {"N": int, "dimension": int, "F": float, "Cr": float}.get(factor)
    if factor in ("reevaluate", "frozen") and isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower(), value)
    try:
        return kind(value) if kind and isinstance(value, str) else value
    except ValueError:
        return value  # the check says what is allowed


def parse_shard(given: str | tuple[int, int]) -> tuple[int, int]:
    """'3/8', or (3, 8) → (3, 8)"""
    numbers = "/".join(map(str, given)) if isinstance(given, Iterable) else ""
    match = re.fullmatch(r"(\d+)/(\d+)", given if isinstance(given, str) else numbers)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got {given!r}")
    return int(match[1]), int(match[2])
