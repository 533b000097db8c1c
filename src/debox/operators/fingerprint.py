"""fingerprint: 16 hex digits of what an operator from outside does.

They cover the source of its functions without words, that of the functions they call, the values of the variables they
use, and the operator's fields. Of what Python's and other libraries define only the name counts.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from debox.operators.kinds import Function, Mutation, Operator

WITHOUT_NUMBERS = ("citation", "short", "has_terminal_cells", "function", "learn", "weights")
LIBRARIES = {*sys.stdlib_module_names, "debox", "numba", "numpy", "scipy"} - {"__main__"}
SENT = "_fingerprint"  # the attribute of an operator from another process, where its source was


def fingerprint(operator: Operator) -> str:
    """16 hex digits of the operator's functions, weights and fields."""
    if SENT in vars(operator):
        return str(vars(operator)[SENT])
    values = {one.name: getattr(operator, one.name) for one in fields(operator)}
    parts = [operator.slot, *(f"{name}={value!r}" for name, value in values.items() if name not in WITHOUT_NUMBERS)]
    parts += [describe(values[name]) for name in ("function", "learn") if name in values]
    if isinstance(operator, Mutation) and operator.weights:
        scales = [(F, 0.3) if operator.draws_K else (F,) for F in (0.3, 0.5, 1.7)]
        parts.append(repr([operator.weights(*some) for some in scales]))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def describe(function: Function) -> str:
    """A function, the functions it calls and the variables it uses, as text that is the same in every process."""
    return "\n".join(_lines(function, set()))


def _lines(function: Function, described: set[Any]) -> Iterator[str]:
    described.add(function)
    yield source_of(function)
    for name, value in sorted(used_by(function).items()):
        called = function_of(value)
        if called is None or library_of(called):
            yield f"{name} = {constant(value)}"
        elif called not in described:
            yield f"{name}:"
            yield from _lines(called, described)


@cache  # as it was when it was first asked for: the file may be edited later
def source_of(function: Function) -> str:
    """The code of a function without its decorators, docstring, comments and layout; bytecode if there is no source."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        assert isinstance(tree, ast.FunctionDef)
    except (OSError, TypeError, SyntaxError, ValueError, AssertionError):
        return "".join(f"{code.co_code.hex()} {code.co_names} {constants(code)}" for code in codes(function.__code__))
    tree.decorator_list = []
    tree.body = (tree.body[1:] or [ast.Pass()]) if ast.get_docstring(tree) is not None else tree.body
    return ast.unparse(tree)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions inside it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


def constants(code: CodeType) -> list[str]:
    """The constants of a code object but for its docstring, which is the first."""
    return [constant(value) for value in code.co_consts[1:] if not isinstance(value, CodeType)]


def used_by(function: Function) -> dict[str, Any]:
    """The values of the global variables, those of surrounding functions, and those of modules that a function uses."""
    names = [name for code in codes(function.__code__) for name in code.co_names]
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType) and not library_of(module):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in names if name in vars(module)}
    return found


def function_of(value: Any) -> FunctionType | None:
    """The Python function in a function, an operator or what Numba compiled; None if there is none."""
    function = getattr(value, "function" if isinstance(value, Operator) else "py_func", value)
    return function if isinstance(function, FunctionType) else None


def library_of(value: Any) -> str:
    """The name of the library that defines a function or is a module; empty if it is a user's."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    root = str(module).partition(".")[0]
    return root if root in LIBRARIES else ""


def constant(value: Any) -> str:
    """A value as text: arrays whole, functions, classes and modules by their names, nothing by its address."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, ModuleType | type) or callable(value):
        return str(getattr(value, "__qualname__", getattr(value, "__name__", type(value).__qualname__)))
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
