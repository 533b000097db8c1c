"""Marking functions as kernels, and reading in a kernel what it uses and which kernels it calls."""

from __future__ import annotations

import builtins
import dis
import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class Missing:
    """The value of a name that has none."""


def kernel(function: Function) -> Function:
    """Mark a function as one that debox may compile; it is returned unchanged.

    Parameters
    ----------
    function : callable
        A function of numbers and NumPy arrays that uses only what Numba can compile. Numba compiles it when debox
        first runs it.

    Returns
    -------
    callable
        The same function, which Python calls as before.

    Raises
    ------
    ValueError
        If it is no Python function: a class, a method, a builtin function, …

    Examples
    --------
    >>> import debox
    >>> @debox.kernel
    ... def twice(x):
    ...     return 2 * x
    >>> twice(3)
    6
    """
    if not isinstance(function, types.FunctionType):
        raise ValueError(f"function must be a Python function, got {function!r}")
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def is_kernel(value: object) -> bool:
    return hasattr(value, "__kernel__")


def pieces(code: types.CodeType) -> list[types.CodeType]:
    """A code object and those inside it: lambdas, generator expressions."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return [code, *(piece for part in inner for piece in pieces(part))]


def paths_in(function: Callable[..., Any]) -> list[tuple[str, ...]]:
    """What a kernel uses from outside itself: a name with the attributes taken of it, as ("math", "pi")."""
    return _paths_in(function.__code__)


@lru_cache(maxsize=1000)
def _paths_in(code: types.CodeType) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(path for piece in pieces(code) for path in _paths(piece, code.co_freevars)))


def _paths(piece: types.CodeType, outer: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    path: tuple[str, ...] = ()
    for step in dis.get_instructions(piece):
        if path and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = (*path, step.argval)
        elif step.opname != "EXTENDED_ARG":
            if path:
                yield path
            from_outside = step.opname in ("LOAD_GLOBAL", "LOAD_NAME") or step.argval in outer
            path = (step.argval,) if from_outside else ()


def names_in(function: Callable[..., Any]) -> list[str]:
    """The names that a kernel uses from outside itself, in any piece of its code."""
    return list(dict.fromkeys(path[0] for path in paths_in(function)))


def value_of(function: Callable[..., Any], name: str) -> Any:
    """What a name means in a kernel: a variable around it, a global or a builtin one; `Missing` if nothing."""
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if variable == name:
            try:
                return cell.cell_contents
            except ValueError:  # not assigned yet
                return Missing
    return function.__globals__.get(name, getattr(builtins, name, Missing))


def callees(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The kernels that a kernel calls, under the names it has for them."""
    values = ((name, value_of(function, name)) for name in names_in(function))
    return {name: callee for name, callee in values if is_kernel(callee)}


def copy_with(function: Callable[..., Any], names: dict[str, Any], suffix: str = "") -> Callable[..., Any]:
    """The same code with other values for some names; `suffix` is put behind its qualified name."""
    code, cells = function.__code__, function.__closure__ or ()
    pairs = zip(code.co_freevars, cells, strict=True)
    closure = tuple(types.CellType(names[name]) if name in names else cell for name, cell in pairs)
    scope = {**function.__globals__, **names}
    twin = types.FunctionType(code, scope, function.__name__, function.__defaults__, closure)
    twin.__module__, twin.__doc__, twin.__kwdefaults__ = function.__module__, function.__doc__, function.__kwdefaults__
    twin.__qualname__ = function.__qualname__ + suffix  # its files in the cache are named after it
    return kernel(twin)
