"""Marking functions as kernels, and reading in a kernel which names it uses and which kernels it calls."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Mark a function as one that debox may compile; it is returned unchanged."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def is_kernel(value: object) -> bool:
    return hasattr(value, "__kernel__")


def pieces(code: types.CodeType) -> list[types.CodeType]:
    """A code object and those inside it: lambdas, generator expressions."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return [code, *(piece for part in inner for piece in pieces(part))]


def names_in(function: Callable[..., Any]) -> list[str]:
    """The names that a kernel uses, in any piece of its code."""
    return [name for piece in pieces(function.__code__) for name in piece.co_names]


def callees(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The kernels that a kernel calls, under the names it has for them."""
    known = ((name, function.__globals__.get(name)) for name in names_in(function))
    return {name: callee for name, callee in known if callee is not None and is_kernel(callee)}


def copy_with(function: Callable[..., Any], names: dict[str, Any], suffix: str = "") -> Callable[..., Any]:
    """The same code with other values for some global names; `suffix` is put behind its qualified name."""
    twin = types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    twin.__module__, twin.__doc__ = function.__module__, function.__doc__
    twin.__qualname__ = function.__qualname__ + suffix  # its files in the cache are named after it
    return kernel(twin)
