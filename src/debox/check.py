"""Checks of arguments: the value as its type, or an error that names the argument, the value and what is allowed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def integer(name: str, value: Any, least: int, why: str = "") -> int:
    """An integer ≥ least."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer ≥ {least}, got {value!r}") from None
    if number < least or isinstance(value, bool):
        raise ValueError(f"{name} must be an integer ≥ {least}, got {value!r}{': ' + why if why else ''}")
    return number


def real(name: str, value: Any, allowed: str, is_allowed: Callable[[float], bool]) -> float:
    """A finite number in the allowed range."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number with {allowed}, got {value!r}") from None
    if not isfinite(number) or not is_allowed(number):
        raise ValueError(f"{name} must be a number with {allowed}, got {value!r}")
    return number


def boolean(name: str, value: Any) -> bool:
    """True or False, nothing that merely behaves like them."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return value


def generator(rng: int | np.random.Generator | None) -> np.random.Generator:
    """A Generator from an int, a Generator or None (fresh entropy), as SPEC 7 has it."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ValueError(f"rng must be an integer ≥ 0, a numpy Generator or None, got {rng!r}: {error}") from None


def values(f: ArrayLike, S: int) -> NDArray[np.float64]:
    """An objective's values as (S,) floats."""
    array = np.ascontiguousarray(f, dtype=np.float64)
    if array.shape != (S,):
        raise ValueError(f"the objective must give {S} values, one per point, got shape {array.shape}")
    return array
