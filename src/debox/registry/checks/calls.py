"""Calls of an operator to check it: each ends after a bounded number of steps, and an error shows its arguments."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from debox.registry.operator import arguments_of

if TYPE_CHECKING:
    from debox.registry import Operator

MOST_LINES = 20_000  # lines of Python that a call may run: the longest of debox's own takes some hundred


class EndlessCall(BaseException):
    """A call ran too many lines; not an Exception, so that the operator's own code does not catch it."""


def call(operator: Operator, *args: Any) -> Any:
    """What the function returns; an error of its own, or a call that does not end, is raised as a ValueError."""
    before = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    try:
        with np.errstate(all="ignore"), limit_lines():
            return operator.function(*args)
    except EndlessCall:
        reason = f"does not end: {MOST_LINES} lines ran"
    except Exception as error:
        reason = f"raised {type(error).__name__}: {error}"
    raise ValueError(f"{describe_call(operator, before)} {reason}")


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


def fail(operator: Operator, args: list[Any], outcome: str, allowed: str) -> None:
    """Raise a ValueError: the call, what came of it, what is allowed."""
    raise ValueError(f"{describe_call(operator, args)} {outcome}; {allowed}")


def describe_call(operator: Operator, args: list[Any]) -> str:
    """``strategy 'mine': mine(u=1.5, x=0.5, …)``"""
    names = arguments_of(operator.slot, operator.function)
    passed = [f"{name}={text_of(arg)}" for name, arg in zip(names, args, strict=True) if name != "rng"]
    return f"{operator.slot} {operator.name!r}: {operator.function.__name__}({', '.join(passed)})"


def text_of(value: Any) -> str:
    """A number or an array as a reader writes it."""
    if isinstance(value, np.ndarray):
        return f"[{', '.join(text_of(one) for one in value)}]"
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)


def is_number(value: Any) -> bool:
    """Can a compiled kernel return it as a float64?"""
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
