"""The fingerprint of a kernel: 8 hex digits that change with whatever Numba compiles into its machine code.

That is the code of the kernel and of the kernels it calls, wherever they live, and every value that they take from
outside, which Numba compiles in as a constant: global variables, variables of a function around them, attributes of
modules, default arguments. Of what Python, NumPy or Numba define the name is enough: the cache keeps versions apart.
A value of any other kind is unknown: a kernel that uses one is compiled in every process, for nothing tells when its
machine code is out of date.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Callable, Iterator
from enum import Enum
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from debox.jit.marking import Missing, is_kernel, paths_in, pieces, value_of
from debox.jit.native_code import emitter_of, is_native

LIBRARIES = {"builtins", "cmath", "math", "numba", "numpy", "operator", "typing"}
PLAIN = {type(None), bool, int, float, complex, str, bytes, type(...)}
UNKNOWN = "unknown:"


class Fingerprint(NamedTuple):
    digits: str  # what the kernel does
    unknown: list[str]  # the values in it, or in kernels that it calls, whose changes do not change the digits


def fingerprint(function: Callable[..., Any]) -> Fingerprint:
    """What a kernel does, in 8 hex digits: machine code is kept under it, since its source may be anyone's file."""
    lines = list(_Description().of_function(function))
    digits = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
    return Fingerprint(digits, [line for line in lines if line.startswith(UNKNOWN)])


class _Description:
    """A kernel as lines of text, which are the same in every process. Each function is described once."""

    def __init__(self) -> None:
        self.described: set[int] = set()

    def of_function(self, function: Callable[..., Any], *, emits: bool = False) -> Iterator[str]:
        """emits: the compiler calls it, to write instructions; it may call functions that are no kernels"""
        if is_native(function):
            function, emits = emitter_of(function), True
        if id(function) in self.described:
            yield f"{function.__qualname__}, described above"
            return
        self.described.add(id(function))
        for piece in pieces(function.__code__):
            yield from self._of_code(piece, function.__doc__)
        for path in paths_in(function):
            yield ".".join(path)
            value = value_of(function, path[0])
            yield from [f"{UNKNOWN} {path[0]}, which is not defined"] if value is Missing else ()
            yield from self._of_path(value, path, emits)
        for value in (function.__defaults__, *sorted((function.__kwdefaults__ or {}).items())):
            yield from self._of_value(value, emits)

    def _of_code(self, piece: types.CodeType, doc: str | None) -> Iterator[str]:
        """What a piece of code does, without its docstring and the pieces inside it, whose repr has an address."""
        yield f"{piece.co_code.hex()} {piece.co_exceptiontable.hex()} {piece.co_flags} {piece.co_argcount}"
        yield repr((piece.co_names, piece.co_varnames, piece.co_freevars, piece.co_cellvars))
        for place, constant in enumerate(piece.co_consts):
            if not isinstance(constant, types.CodeType) and not (place == 0 and constant == doc):
                yield from self._of_value(constant, False)

    def _of_path(self, value: Any, path: tuple[str, ...], emits: bool) -> Iterator[str]:
        """The value at the end of a path, as far as it leads through modules."""
        for name in path[1:]:
            if not isinstance(value, types.ModuleType):
                break
            module, value = value, getattr(value, name, None)
            if _is_of_library(module) and callable(value):
                return  # its name is in the path already
        for line in self._of_value(value, emits):
            yield line.replace(f"{UNKNOWN} a value of", f"{UNKNOWN} {'.'.join(path)}, a value of", 1)

    def _of_value(self, value: Any, emits: bool) -> Iterator[str]:
        kind = type(value)
        if kind in PLAIN:
            yield f"{kind.__name__} {value!r}"
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            content = hashlib.sha256(value.tobytes()).hexdigest()
            yield f"{value.dtype!r} {np.shape(value)} {value.strides} {content}"
        elif isinstance(value, tuple):
            yield f"{_name_anywhere(kind)} of {getattr(kind, '_fields', len(value))}"
            for part in value:
                yield from self._of_value(part, emits)
        elif isinstance(value, frozenset):
            yield f"set {sorted('|'.join(self._of_value(part, emits)) for part in value)}"
        elif isinstance(value, Enum):
            yield f"{_name_anywhere(kind)} {value.name}"
            yield from self._of_value(value.value, emits)
        elif isinstance(value, np.dtype) or kind.__module__.startswith("numba.core.types."):
            yield f"{_name_anywhere(kind)} {value!r}"
        elif isinstance(value, type):
            yield from self._of_class(value, emits)
        else:
            yield from self._of_callable(value, emits)

    def _of_class(self, value: type, emits: bool) -> Iterator[str]:
        yield _name_anywhere(value)
        if issubclass(value, tuple) and hasattr(value, "_fields"):
            yield repr(value._fields)
            yield from self._of_value(tuple(getattr(value, "_field_defaults", {}).values()), emits)
        elif issubclass(value, Enum):
            for name, member in value.__members__.items():
                yield name
                yield from self._of_value(member.value, emits)
        elif not _is_of_library(value) and not issubclass(value, BaseException):
            yield f"{UNKNOWN} the class {_name(value)}"

    def _of_callable(self, value: Any, emits: bool) -> Iterator[str]:
        function = getattr(value, "py_func", value)  # a user's function, compiled with Numba
        if function is not value:
            options = getattr(value, "targetoptions", {}).items()
            yield repr(sorted((name, sorted(of) if isinstance(of, set | frozenset) else of) for name, of in options))
        if isinstance(function, types.FunctionType) and (is_kernel(function) or not _is_of_library(function)):
            yield from self.of_function(function, emits=emits)
            if function is value and not is_kernel(function) and not emits:
                yield f"{UNKNOWN} the function {_name(function)}, which is no kernel"
        elif _is_of_library(value):
            yield _name(value)
        else:
            yield f"{UNKNOWN} a value of {_name(type(value))}"


def _name(value: Any) -> str:
    """What it is called, with its module: for the reader of an error."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", repr(value))
    return f"{getattr(value, '__module__', None)}.{name}"


def _name_anywhere(value: Any) -> str:
    """What it is called, however its module is loaded: that of a library is part of the name, a user's is not.

    A user's file has other module names when it is imported, run as a script and given to --operators.
    """
    return _name(value) if _is_of_library(value) else str(value.__qualname__)


def _is_of_library(value: Any) -> bool:
    """Whether Python, NumPy or Numba define it, under the name that it has."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] in LIBRARIES
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module.split(".")[0] not in LIBRARIES:
        return False
    return reduce(lambda found, part: getattr(found, part, None), name.split("."), sys.modules.get(module)) is value
