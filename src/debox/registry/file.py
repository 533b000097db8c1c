"""Operators from a file that the user names: it is run as a module.

The module is named after the text of the file, so that it has the same name in every process that runs it.
"""

from __future__ import annotations

import hashlib
import linecache
import os
import sys
import traceback
from types import ModuleType

from debox import files
from debox.registry import Operator, Origin
from debox.registry.adding import Loading, register, register_all_in

LARGEST_FILE = 1_000_000  # bytes

_operators: dict[str, list[Operator]] = {}  # of each module that this process has run, by its name


def load(path: str | os.PathLike[str]) -> list[Operator]:
    """The operators that a Python file registers or defines; a ValueError names the file and the reason."""
    where = files.absolute(path, "--operators")
    try:
        source = files.read_small(where, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the operators in {where}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{where} is no text: {error}") from None
    operators = run(source, str(where))
    if not operators:
        raise ValueError(f"{where} has no operators: it must define a debox.Operator or call debox.register")
    return operators


def run(source: str, where: str) -> list[Operator]:
    """The operators of this source text, which is run once in a process; by two threads at the same time, by each."""
    name = module_name(source)
    with Loading(Origin(f"file {where}", source)) as registrations:
        if name not in _operators:
            module = execute(source, where, name)
            try:
                register_all_in(vars(module))
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
            _operators[name] = list(dict.fromkeys(registrations))
        for operator in _operators[name]:
            register(operator)
    return _operators[name]


def module_name(source: str) -> str:
    """``debox_operators_0123456789abcdef``, the same in every process that has this text."""
    return f"debox_operators_{hashlib.sha256(source.encode()).hexdigest()[:16]}"


def execute(source: str, where: str, name: str) -> ModuleType:
    """Run the text as a module of this name; after an error no such module is left behind."""
    module = ModuleType(name)
    module.__file__ = where
    sys.modules[name] = module
    linecache.cache[where] = (len(source), None, source.splitlines(keepends=True), where)
    try:
        exec(compile(source, where, "exec", dont_inherit=True), vars(module))  # not with the futures of this file
    except BaseException as error:
        sys.modules.pop(name, None)  # the file itself may have taken it out
        if isinstance(error, KeyboardInterrupt):
            raise
        raise ValueError(f"{where}{line_of(error, where)}: {type(error).__name__}: {message_of(error)}") from None
    return module


def message_of(error: BaseException) -> str:
    """What an error says; nothing if its own text cannot be had."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be written)"


def line_of(error: BaseException, where: str) -> str:
    """Where in the file the error was raised: ``, line 3``"""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == where]
    return f", line {lines[-1]}" if lines else ""
