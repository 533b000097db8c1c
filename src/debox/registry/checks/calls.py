"""Calls of an operator to check it: each ends after a bounded number of steps, and an error shows its arguments."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from debox.registry import Operator

MOST_LINES = 20_000  # lines of Python that a call may run: the longest of debox's own takes some hundred


class EndlessCall(BaseException):
    """A call ran too many lines; not an Exception, so that the operator's own code does not catch it."""


Function = Callable[..., Any]


def call(operator: Operator, *args: Any, function: Function | None = None) -> Any:
    """What the operator's function, or another one of it, returns; its errors and endless loops are ValueErrors."""
    before = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    try:
        with np.errstate(all="ignore"), limit_lines():
            return (function or operator.function)(*args)
    except EndlessCall:
        reason = f"does not end: {MOST_LINES} lines ran"
    except Exception as error:
        reason = f"raised {type(error).__name__}: {error}"
    raise ValueError(f"{describe_call(operator, before, function)} {reason}")


@contextmanager
def limit_lines() -> Iterator[None]:
    """Raise EndlessCall after MOST_LINES lines of Python inside this block."""
    lines_left, before = MOST_LINES, sys.gettrace()

    def trace(frame: Any, event: str, arg: Any) -> Any:
        nonlocal lines_left
        lines_left -= event == "line"
        if lines_left < 0:
            raise EndlessCall
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def fail(operator: Operator, args: list[Any], outcome: str, allowed: str, function: Function | None = None) -> None:
    """Raise a ValueError: the call, what came of it, what is allowed."""
    raise ValueError(f"{describe_call(operator, args, function)} {outcome}; {allowed}")


def describe_call(operator: Operator, args: list[Any], function: Function | None = None) -> str:
    """``strategy 'mine': mine(u=1.5, x=0.5, …)``"""
    called = function or operator.function
    names = inspect.signature(called).parameters
    passed = [f"{name}={text_of(arg)}" for name, arg in zip(names, args, strict=True) if name != "rng"]
    return f"{operator.slot} {operator.name!r}: {called.__name__}({', '.join(passed)})"


def text_of(value: Any) -> str:
    """A number or an array as a reader writes it."""
    if isinstance(value, np.ndarray):
        return f"[{', '.join(text_of(one) for one in value)}]"
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)


def is_number(value: Any) -> bool:
    """Can a compiled kernel return it as a float64?"""
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
