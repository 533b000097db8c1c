"""Operators of installed packages: entry points of the group ``debox.operators``, looked up when they are asked for.

An entry point names an Operator, a list of them or a module that defines or registers some.
"""

from __future__ import annotations

import sys
import warnings
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from debox import registry
from debox.registry import Operator, Origin
from debox.registry.adding import LOCK, Loading, register_all_in

GROUP = "debox.operators"

_is_loaded = False


def load() -> bool:
    """Register what the installed packages offer, once in a process; whether there was anything new.

    A package that cannot be used is named in a warning; debox does without it.
    """
    global _is_loaded
    with LOCK:
        if _is_loaded:
            return False
        _is_loaded = True
        before = registry.REGISTERED
        for entry in entry_points(group=GROUP):
            load_one(entry)
        return before != registry.REGISTERED


def load_one(entry: EntryPoint) -> None:
    """Register the operators of one entry point, or warn."""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
    try:
        with Loading(Origin(f"package {package}")) as operators:
            found = entry.load()
            register_all_in(vars(found) if isinstance(found, ModuleType) else {entry.name: found})
            if not operators and not registered_by(found):
                raise ValueError(f"it has no operators: {entry.value} must be a debox.Operator or a module with some")
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        warnings.warn(
            f"operators of package {package} (entry point {entry.name} = {entry.value}) are left out: {told}",
            RuntimeWarning,
            stacklevel=2,
        )


def registered_by(found: object) -> list[Operator]:
    """The operators that this module registered when it was imported, by someone else before."""
    return [
        registered.operator
        for registered in registry.REGISTERED
        if sys.modules.get(registered.operator.function.__module__) is found
    ]
