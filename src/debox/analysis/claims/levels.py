"""Which values of the factors a claim speaks of, and what a study lacks of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.cube import Cube
from debox.study.fields import AXES

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


def select_values(cube: Cube, factor: str, wanted: Any) -> Values:
    """The values of a factor that are meant: a value, a tuple of values, or a Pick; all of them must be there."""
    there = cube.axes[factor]
    if isinstance(wanted, Pick):
        found = tuple(value for value in there if wanted.choose(value))
        if not found:
            raise NotTestableError(f"needs {factor} {wanted.words}; the study has {join_values(there)}")
        return found
    values = wanted if isinstance(wanted, tuple) else (wanted,)
    if missing := [value for value in values if value not in there]:
        raise NotTestableError(f"needs {factor} = {join_values(missing)}; the study has {join_values(there)}")
    return values


def part(cube: Cube, where: Mapping[str, Any]) -> Cube:
    """The part of the study that a claim speaks of."""
    return cube.take(**{factor: select_values(cube, factor, wanted) for factor, wanted in where.items()})


def drop_missing_levels(cube: Cube) -> tuple[Cube, str]:
    """The part without the levels that have configurations which do not exist, and in words which levels those are.

    Such a configuration has NaN for POIS. A study has none, another reading of the paper may have some (`compare`).
    """
    left_out = []
    while (absent := np.asarray(np.isnan(cube.pois).any(-1))).any():
        if absent.all():
            raise NotTestableError("under this reading none of its configurations exists")
        several_levels = [name for name in AXES if len(cube.axes[name]) > 1]
        levels = [(name, k) for name in several_levels for k in range(len(cube.axes[name]))]
        name, k = min(levels, key=lambda level: (_absent_without(absent, *level), 1 / len(cube.axes[level[0]])))
        left_out.append(f"{name} {join_values([cube.axes[name][k]])}")
        cube = cube.take(**{name: cube.axes[name][:k] + cube.axes[name][k + 1 :]})
    return cube, f"without {', '.join(left_out)}, which some of the cells cannot have" if left_out else ""


def _absent_without(absent: NDArray[np.bool_], name: str, k: int) -> int:
    """How many configurations do not exist, those with the k-th value of a factor left out."""
    return int(np.delete(absent, k, AXES.index(name)).sum())


def require_several(cube: Cube, factor: str) -> None:
    """Refuse a study with only one value of a factor that a claim compares."""
    if len(cube.axes[factor]) < 2:
        raise NotTestableError(f"needs several {factor}; the study has {join_values(cube.axes[factor])}")


def join_values(values: Any) -> str:
    """0.05, 0.266, …"""
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def describe_part(where: Mapping[str, Any]) -> str:
    """N = 20, 100; F at least 0.7"""
    parts = []
    for factor, wanted in where.items():
        values = wanted if isinstance(wanted, tuple) else (wanted,)
        parts.append(f"{factor} {wanted.words}" if isinstance(wanted, Pick) else f"{factor} = {join_values(values)}")
    return "; ".join(parts)
