"""The compiled twin of a kernel: a Numba dispatcher whose machine code is kept on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from debox.jit import native_code
from debox.jit.cache import KernelCache
from debox.jit.fingerprint import fingerprint
from debox.jit.folder import cache_folder
from debox.jit.library import OPTIONS, load_numba
from debox.jit.marking import callees, copy_with

# For each caller of machine code, the wrappers that Numba need not generate for it. By default it generates two for
# every kernel, one for calls from Python, which takes arguments out of objects, and one for calls by pointer: a fifth
# to a quarter of the time of compiling L-SHADE and classic DE. A call from Python without its wrapper ends the process:
# Python calls only what `bind` gives, which has it.
OMITTED_WRAPPERS = {
    "Python": {"no_cfunc_wrapper": True},
    "pointer": {"no_cpython_wrapper": True},
    "kernel": {"no_cfunc_wrapper": True, "no_cpython_wrapper": True},
}


@cache
def dispatcher_of(function: Callable[..., Any], caller: str = "Python") -> Any:
    """The Numba dispatcher of a kernel: a copy of it that calls the dispatchers of the kernels it names."""
    if native_code.is_native(function):
        return native_code.intrinsic(load_numba(), function)
    twin = copy_with(function, {name: dispatcher_of(callee, "kernel") for name, callee in callees(function).items()})
    dispatcher = load_numba().njit(twin, **OPTIONS, **OMITTED_WRAPPERS[caller])
    return _with_cache(dispatcher, function, caller)


def _with_cache(dispatcher: Any, function: Callable[..., Any], caller: str) -> Any:
    """The dispatcher with a cache on disk, unless the kernel uses a value that its fingerprint cannot cover."""
    folder, source = cache_folder(), Path(function.__code__.co_filename)
    if folder is None or not source.is_file():
        return dispatcher
    digits, unknown = fingerprint(function)
    if not unknown:
        modules = sorted(modules_of(function))
        state = (
            f"{digits} {hashlib.sha256(source.read_bytes()).hexdigest()} {OPTIONS} {OMITTED_WRAPPERS[caller]} {modules}"
        )
        dispatcher._cache = KernelCache(load_numba(), function, caller, folder, state)
    return dispatcher


def modules_of(function: Callable[..., Any]) -> set[str]:
    """The modules of a kernel and of those that it calls: the file of its machine code names them.

    The module of an operator's file is named after the whole text, so the name changes with a comment, too.
    """
    called = [] if native_code.is_native(function) else callees(function).values()
    return {function.__module__}.union(*(modules_of(callee) for callee in called))
