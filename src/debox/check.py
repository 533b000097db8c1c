"""Checks of arguments: the value as its type, or an error that names the argument, the value and what is allowed."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from inspect import signature
from math import inf, isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

# For keywords of SciPy, lmfit and optuna: an argument of debox, and what a function that has it answers.
KEYWORDS_ELSEWHERE = {
    "popsize": ("N", "use N, the size of the whole population"),
    **dict.fromkeys(("maxiter", "maxfun", "max_nfev", "n_trials"), ("budget", "use budget, a number of evaluations")),
    "timeout": ("time_limit", "use time_limit, in seconds"),
    "n_jobs": ("workers", "use workers"),
    "verbose": ("disp", "use disp"),
    "seed": ("rng", "use rng"),
    "dimension": ("n", "use n, the dimension"),
    "recombination": ("Cr", "use Cr"),
    "atol": ("tol", "use tol, which is relative to the bounds and to what was gained"),
    "updating": ("bounds", "the best is always refreshed between generations"),
    "constraints": ("bounds", "there are bounds only; use a penalty in the objective"),
}

LARGEST_INTEGER = 2**63 - 1  # the compiled loop counts with 64 bits
MOST_EVALUATIONS = 2**60  # of a run; its counters may go a few generations further, and must stay below 2**63


def reject_unknown_keywords(
    function: Callable[..., Any], unknown: Mapping[str, object], hints: Mapping[str, str] | None = None
) -> None:
    """Raise a TypeError about an unknown keyword, with the function's hint or debox's name for a keyword of others."""
    for name in unknown:
        own = [parameter for parameter in signature(function).parameters if parameter != "unknown"]
        argument, answer = KEYWORDS_ELSEWHERE.get(name, ("", ""))
        hint = answer if argument in own else f"choose from {', '.join(own)}"
        raise TypeError(f"unknown option {name!r}; {(hints or {}).get(name, hint)}")


def integer(name: str, value: Any, least: int, why: str = "", most: float = LARGEST_INTEGER) -> int:
    """An integer from least to most, which may be written as 1e4; `why` says why it must not be smaller."""
    is_whole = isinstance(value, float | np.floating) and value.is_integer()
    number: int | None = None
    with suppress(TypeError):
        number = int(value) if is_whole else operator.index(value)
    if number is None or number < least or isinstance(value, bool):
        ending = f": {why}" if why and number is not None else ""
        raise ValueError(f"{name} must be an integer ≥ {least}, got {value!r}{ending}")
    if number > most:
        raise ValueError(f"{name} must be an integer ≤ {most}, got {value!r}")
    return number


def budget(value: Any, least: int = 1, why: str = "", written: str = "") -> int:
    """A number of evaluations from `least` to what a run can count; an error shows it as it was `written`."""
    number = integer("budget", value, least, why, most=inf)
    if number > MOST_EVALUATIONS:
        raise ValueError(f"budget must be at most {MOST_EVALUATIONS} evaluations, got {written or repr(value)}")
    return number


def real(name: str, value: Any, allowed: str, is_allowed: Callable[[float], bool]) -> float:
    """A finite number in the allowed range."""
    number = np.nan
    with suppress(ValueError):
        array = floats(value, name)
        number = float(array) if array.ndim == 0 and not isinstance(value, bool | np.bool_) else np.nan
    if not isfinite(number) or not is_allowed(number):
        raise ValueError(f"{name} must be a number with {allowed}, got {value!r}")
    return number


def shares(name: str, values: Any) -> tuple[float, ...]:
    """Strictly increasing numbers in (0, 1)."""
    checked: tuple[float, ...] = (np.nan, np.nan)  # which do not rise
    if isinstance(values, Iterable) and not isinstance(values, str):
        checked = tuple(real(name, value, "0 < share < 1", lambda share: 0 < share < 1) for value in values)
    if list(checked) != sorted(set(checked)):
        raise ValueError(f"{name} must be a sequence of rising numbers in (0, 1), got {values!r}")
    return checked


def boolean(name: str, value: Any) -> bool:
    """True or False; not 1, 0 or NumPy's."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return value


def generator(rng: int | np.random.Generator | None) -> np.random.Generator:
    """A Generator from an int, a Generator or None (fresh entropy)."""
    if not isinstance(rng, bool):
        with suppress(TypeError, ValueError):
            return np.random.default_rng(rng)
    raise ValueError(f"rng must be an integer ≥ 0, a numpy Generator or None, got {rng!r}")


def seed(rng: int | np.random.Generator | None) -> int:
    """The seed itself if it is an integer; else one drawn from the Generator, or from fresh entropy."""
    if rng is None or isinstance(rng, np.random.Generator):
        return int(generator(rng).integers(2**63))
    return integer("rng", rng, 0, most=inf)


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """One of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
    return str(value)


def workers(value: Any, allowed: str = "an integer ≥ 1 or -1 for all cores") -> int:
    """A number of workers; −1 means all cores. `allowed` is the end of the error."""
    if isinstance(value, int) and value == -1:
        return os.cpu_count() or 1
    try:
        return integer("workers", value, 1, most=inf)
    except ValueError:
        raise ValueError(f"workers must be {allowed}, got {value!r}") from None


def values(f: Any, S: int, source: str = "the objective must give") -> NDArray[np.float64]:
    """The values of S points as (S,) floats."""
    array = floats(f, f"{source} numbers")
    if array.shape != (S,):
        raise ValueError(f"{source} {S} values, one per point, got shape {array.shape}")
    return array


def floats(given: Any, rule: str) -> NDArray[np.float64]:
    """Real numbers, one or many, as floats in a new array; text, dates, complex or masked numbers, … break the rule."""
    if type(given) is np.ndarray and given.dtype == np.float64:  # at once, what most objectives return
        return given.copy()
    if is_masked(given):
        raise ValueError(f"{rule}, got {given!r}: masked values are not numbers")
    with suppress(ValueError, OverflowError):  # of ragged sequences, of whole numbers beyond the range
        array = np.asarray(given)
        real_objects = array.dtype.kind == "O" and all(isinstance(number, Real | Decimal) for number in array.flat)
        if real_objects or array.dtype.kind in "fiub":
            with np.errstate(over="ignore"):  # what is beyond the range of floats is infinite
                return np.array(array, dtype=np.float64, order="C")
    raise ValueError(f"{rule}, got {given!r}")


def is_masked(given: Any) -> bool:
    """Whether an array, or an array in a sequence, has masked values, which NumPy would use like others."""
    ma: Any = sys.modules.get("numpy.ma")  # not imported here: it takes time, and without it nothing is masked
    if ma is not None and isinstance(given, list | tuple):
        return any(map(is_masked, given))
    return isinstance(given, getattr(ma, "MaskedArray", ())) and bool(ma.is_masked(given))
