"""Specialising: a kernel in which some names mean other kernels, so that the compiler sees through the calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from debox.jit.fingerprint import fingerprint
from debox.jit.locks import compiler_lock
from debox.jit.marking import callees, copy_with, names_in


def specialise(function: Callable[..., Any], **names: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel in which these names mean these kernels, also in the kernels that it calls.

    The kernel itself is left as it is. A kernel that uses none of the names is returned unchanged.
    """
    with compiler_lock:  # threads at the same time get the same copy: its machine code is kept under one fingerprint
        return _specialise(function, tuple(names.items()))


@cache
def _specialise(function: Callable[..., Any], names: tuple[tuple[str, Callable[..., Any]], ...]) -> Callable[..., Any]:
    replacements = {name: kernel for name, kernel in names if name in names_in(function)}
    for name, callee in callees(function).items():
        if name not in replacements and (special := _specialise(callee, names)) is not callee:
            replacements[name] = special
    if not replacements:
        return function
    suffix = "".join(f"[{kernel.__name__} {fingerprint(kernel).digits}]" for _, kernel in names)
    return copy_with(function, replacements, suffix)
