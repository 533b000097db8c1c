"""Typed function pointers: operators as arguments of one compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from debox.jit import compiling
from debox.jit.binding import type_of
from debox.jit.interrupts import delay_signals
from debox.jit.library import load_numba
from debox.jit.locks import compiler_lock
from debox.jit.pointer_type import Pointer, pointer_type
from debox.jit.switch import is_interpreted


def pointer(function: Callable[..., Any], role: str) -> Any:
    """A function as a typed function pointer, so that one compiled loop serves all functions of its role."""
    if is_interpreted():
        return function
    with compiler_lock:
        return _pointer(function, signatures()[role])


def counter(function: Callable[..., Any], *args: Any) -> Any:
    """A kernel that takes arguments of these types and returns a whole number, or a truth value, as a typed pointer."""
    if is_interpreted():
        return function
    with compiler_lock:
        return _pointer(function, load_numba().types.int64(*map(type_of, args)))


@cache
def signatures() -> dict[str, Any]:
    """The type of a function in each role; operators write into an argument or return a number."""
    t = load_numba().types
    matrix, vector, number = t.float64[:, ::1], t.float64[::1], t.float64
    indices, integer = t.uint64[::1], t.int64
    rng = type_of(np.random.default_rng(0))
    return {
        "donors": t.void(integer, integer, integer, rng, indices),
        "mutation": t.void(matrix, integer, integer, indices, number, number, vector),
        "crossover": t.void(vector, vector, number, rng, vector),
        "strategy": number(number, number, number, number, number, rng),
        "whole strategy": t.void(vector, vector, vector, vector, vector, rng),
        "sample": t.void(integer, matrix, rng, matrix),
        "learn": integer(matrix, vector, matrix, integer),
        "objective": number(vector, rng),
    }


@cache
def _pointer(function: Callable[..., Any], signature: Any) -> Pointer:
    with delay_signals():
        result = compiling.dispatcher_of(function, "pointer").get_compile_result(signature)
        address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
    return Pointer(address, pointer_type(signature), result)
