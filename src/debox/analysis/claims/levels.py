"""Which values of the factors a claim speaks of, and what a study lacks of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from debox.analysis.cube import Cube

Values = tuple[Any, ...]


class NotTestableError(Exception):
    """Why a claim cannot be tested here."""


@dataclass(frozen=True)
class Pick:
    """Some of a factor's values, such as those of at least 0.7; `words` says which."""

    words: str
    choose: Callable[[Any], bool]


def at_least(bound: float) -> Pick:
    """Values ≥ the bound."""
    return Pick(f"at least {bound:g}", lambda value: value >= bound)


def at_most(bound: float) -> Pick:
    """Values ≤ the bound."""
    return Pick(f"at most {bound:g}", lambda value: value <= bound)


def below(bound: float) -> Pick:
    """Values < the bound."""
    return Pick(f"below {bound:g}", lambda value: value < bound)


def above(bound: float) -> Pick:
    """Values > the bound."""
    return Pick(f"above {bound:g}", lambda value: value > bound)


def chosen(cube: Cube, factor: str, wanted: Any) -> Values:
    """The values of a factor that are meant: a value, a tuple of values, or a Pick; all of them must be there."""
    there = cube.axes[factor]
    if isinstance(wanted, Pick):
        found = tuple(value for value in there if wanted.choose(value))
        if not found:
            raise NotTestableError(f"needs {factor} {wanted.words}; the study has {listed(there)}")
        return found
    values = wanted if isinstance(wanted, tuple) else (wanted,)
    if missing := [value for value in values if value not in there]:
        raise NotTestableError(f"needs {factor} = {listed(missing)}; the study has {listed(there)}")
    return values


def part(cube: Cube, where: Mapping[str, Any]) -> Cube:
    """The part of the study that a claim speaks of."""
    return cube.take(**{factor: chosen(cube, factor, wanted) for factor, wanted in where.items()})


def several(cube: Cube, factor: str) -> None:
    """Refuse a study with only one value of a factor that a claim compares."""
    if len(cube.axes[factor]) < 2:
        raise NotTestableError(f"needs several {factor}; the study has {listed(cube.axes[factor])}")


def listed(values: Any) -> str:
    """0.05, 0.266, …"""
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def worded(where: Mapping[str, Any]) -> str:
    """N = 20, 100; F at least 0.7"""
    parts = []
    for factor, wanted in where.items():
        values = wanted if isinstance(wanted, tuple) else (wanted,)
        parts.append(f"{factor} {wanted.words}" if isinstance(wanted, Pick) else f"{factor} = {listed(values)}")
    return "; ".join(parts)
