"""The user's objective: one that its owner compiled with Numba, in the form that the compiled loop takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from debox.jit.binding import type_of
from debox.jit.interrupts import delay_signals
from debox.jit.library import OPTIONS, is_compiled, load_numba
from debox.jit.locks import compiler_lock
from debox.jit.pointers import signatures
from debox.jit.switch import is_interpreted


def objective(fun: Callable[..., Any], args: tuple[Any, ...] = ()) -> Any:
    """A Numba-compiled f(x, *args) in the form that the compiled loop takes. Its exceptions pass through.

    With args it is the pair of args and a function (x, args), compiled once for args of these types, whatever their
    values. Else it is a function (x, rng). Compiled functions among args have no values at run time: all of args are
    then constants of that function, which is compiled anew every time.
    """
    if is_interpreted():
        return (args, lambda x, args: fun(x, *args)) if args else lambda x, rng: fun(x)
    with compiler_lock:
        try:
            if any(map(is_compiled, args)):
                return _with_constants(fun, args)
            return (args, _with_args(fun, type_of(args))) if args else _without_args(fun)
        except ValueError as error:  # what Numba says of a value that has none of its types
            raise_as_objective_error(load_numba().core.errors.NumbaValueError(str(error)), fun)
            raise
        except Exception as error:
            raise_as_objective_error(error, fun)
            raise


def raise_as_objective_error(error: Exception, fun: Callable[..., Any]) -> None:
    """If Numba raised the error because it cannot compile the objective, raise a ValueError with the reason in a line.

    Any other error is left to the caller.
    """
    if reason := why_not_compiled(error):
        name = getattr(fun, "__name__", fun)
        raise ValueError(f"Numba cannot compile the objective {name!r} with its args: {reason}") from error


def why_not_compiled(error: Exception) -> str:
    """What an error of Numba says, in a line; empty if it is another error."""
    if "numba" not in sys.modules or not isinstance(error, load_numba().core.errors.NumbaError):
        return ""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    return " ".join(lines[: 2 if lines[0].endswith(":") else 1])


def _with_constants(fun: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    dispatcher = load_numba().njit(lambda x, rng: fun(x, *args), **OPTIONS)
    with delay_signals():
        dispatcher.compile(signatures()["objective"])
    return dispatcher


@lru_cache(maxsize=32)
def _without_args(fun: Callable[..., Any]) -> Any:
    """Remembered: compiling takes as long as 300 000 evaluations."""
    return _with_constants(fun, ())


@lru_cache(maxsize=32)
def _with_args(fun: Callable[..., Any], args_type: Any) -> Any:
    t = load_numba().types
    dispatcher = load_numba().njit(lambda x, args: fun(x, *args), **OPTIONS)
    with delay_signals():
        dispatcher.compile(t.float64(t.float64[::1], args_type))
    return dispatcher
