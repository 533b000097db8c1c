"""Binding: the machine code of a kernel for arguments of given types."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from debox.jit import compiling
from debox.jit.interrupts import delay_signals
from debox.jit.library import is_compiled, load_numba
from debox.jit.locks import compiler_lock
from debox.jit.pointer_type import Pointer
from debox.jit.switch import is_interpreted


def bind(function: Callable[..., Any], *args: Any, as_python: bool | None = None) -> Callable[..., Any]:
    """The compiled twin of a kernel for arguments of these types; skips Numba's dispatch (0.1 ms) on every call.

    The twin does not look at the types of its arguments again: call it only with arguments of the types it is bound to.
    `as_python`: what `is_interpreted` said when operators among the arguments were made; by default what it says now.
    """
    if is_interpreted() if as_python is None else as_python:
        return np.errstate(over="ignore")(function)  # integers wrap around without a warning, as compiled ones do
    with compiler_lock:
        signature = tuple(type_of(arg) for arg in args)
        dispatcher = compiling.dispatcher_of(function)
        if signature not in dispatcher.overloads:
            with delay_signals():
                dispatcher.compile(signature)
        return dispatcher.overloads[signature].entry_point  # type: ignore[no-any-return]


def type_of(value: Any) -> Any:
    """The Numba type of an argument."""
    if isinstance(value, Pointer):
        return value.type
    numba = load_numba()
    if isinstance(value, tuple):
        # Built here because typeof does not know our pointers.
        parts = [type_of(part) for part in value]
        if hasattr(value, "_fields"):
            return numba.types.NamedTuple(parts, type(value))
        return numba.types.UniTuple(parts[0], len(parts)) if len(set(parts)) == 1 else numba.types.Tuple(parts)
    if isinstance(value, np.ndarray) and value.flags.carray:
        return _array_type(value.dtype, value.ndim)
    if is_compiled(value):
        return numba.types.FunctionType(value.nopython_signatures[0])
    return numba.typeof(value)


@cache
def _array_type(dtype: np.dtype[Any], dimensions: int) -> Any:
    """The type of contiguous arrays; cached, since Numba takes as long as a short run to find it."""
    return load_numba().typeof(np.zeros((1,) * dimensions, dtype))
