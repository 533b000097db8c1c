"""Operators of installed packages: entry points of the group ``debox.operators``.

They are loaded when somebody lists operators or asks for one that is not in the table.

An entry point names an Operator, a list of them or a module that defines or registers some.
"""

from __future__ import annotations

import sys
import warnings
from contextvars import ContextVar
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from debox import registry
from debox.registry import Operator, Origin
from debox.registry.adding import Loading, register_all_in
from debox.registry.file import message_of

GROUP = "debox.operators"

_is_loaded = False
_is_loading = ContextVar("_is_loading", default=False)  # in this thread: a package may ask for operators, too


def load() -> None:
    """Register what the installed packages offer, once in a process.

    A package that cannot be used is named in a warning; debox does without it. Threads that ask at the same time all
    load, which does no harm; were one to wait for another while it imports, it might be waited for itself.
    """
    global _is_loaded
    if _is_loaded or _is_loading.get():
        return
    before = _is_loading.set(True)
    try:
        for entry in entry_points(group=GROUP):
            load_entry(entry)
    finally:
        _is_loading.reset(before)
    _is_loaded = True


def load_entry(entry: EntryPoint) -> None:
    """Register the operators of one entry point, or warn."""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
    try:
        with Loading(Origin(f"package {package}")) as operators:
            value = entry.load()
            register_all_in(vars(value) if isinstance(value, ModuleType) else {entry.name: value})
            if not operators and not operators_of_module(value):
                raise ValueError(f"it has no operators: {entry.value} must be a debox.Operator or a module with some")
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {message_of(error)}"
        warnings.warn(
            f"operators of package {package} (entry point {entry.name} = {entry.value}) are left out: {reason}",
            RuntimeWarning,
            stacklevel=2,
        )


def operators_of_module(module: object) -> list[Operator]:
    """The operators whose functions a module defines and that it registered when it was imported before."""
    return [
        registration.operator
        for registration in registry.REGISTRATIONS
        if sys.modules.get(registration.operator.function.__module__) is module
    ]
