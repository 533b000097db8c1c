"""Checks of an Operator when it is made: its names, the arguments of its function, the fields of its slot."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from debox.registry.operator import Operator

NAME_PART = "[A-Za-z0-9][A-Za-z0-9-]*"
NAME = re.compile(f"{NAME_PART}(/{NAME_PART})*")
LONGEST_NAME = 60  # letters
NAME_RULE = f"a name of letters, digits, '-' and '/' between them, such as 'rand/1', at most {LONGEST_NAME}"
MOST_DONORS = 5
MOST_REDRAWS = 10_000

ARGUMENTS = {
    "mutation": ("x", "x_best", "x_r1", "x_r2", "x_r3", "x_r4", "x_r5", "F"),
    "crossover": ("x", "v", "Cr", "rng", "u"),
    "strategy": ("u", "x", "c", "a", "b", "rng"),
    "donors": ("N", "target", "best", "rng", "r"),
}
# The fields that one slot alone has: a test of the value, and what it may be, in words.
FLAG = (lambda value: isinstance(value, bool), "True or False")
FIELDS_BY_SLOT: dict[str, dict[str, tuple[Callable[[Any], bool], str]]] = {
    "mutation": {
        "donors": (lambda k: type(k) is int and 0 <= k <= MOST_DONORS, f"an integer from 0 to {MOST_DONORS}"),
        "uses_best": FLAG,
        "uses_target": FLAG,
        "base": (lambda base: base in ("r1", "best", "target"), "'r1', 'best' or 'target'"),
        "weights": (lambda weights: weights is None or callable(weights), "None or a function of F"),
    },
    "crossover": {"exchanges": (lambda kind: kind in ("", "each", "segment"), "'', 'each' or 'segment'")},
    "strategy": {
        "whole": FLAG,
        "dismisses": FLAG,
        "penalises": FLAG,
        "redraws": (lambda k: type(k) is int and 0 <= k <= MOST_REDRAWS, f"an integer from 0 to {MOST_REDRAWS}"),
        "leaves_outside": FLAG,
    },
    "donors": {
        "avoids": (
            lambda avoids: avoids in ((), ("target",), ("best",), ("target", "best")),
            "(), ('target',), ('best',) or ('target', 'best')",
        ),
        "uniform": FLAG,
    },
}


def check_fields(operator: Operator) -> None:
    """Raise a ValueError that names the field, its value and what is allowed, or do nothing."""
    if operator.slot not in FIELDS_BY_SLOT:
        raise ValueError(f"slot must be one of {', '.join(FIELDS_BY_SLOT)}, got {operator.slot!r}")
    for field in ("name", "short"):
        check_name(f"{field} of a {operator.slot}", getattr(operator, field), operator.slot)
    what = f"{operator.slot} {operator.name!r}"
    if not isinstance(operator.citation, str):
        raise ValueError(f"{what}: citation must be a text, got {operator.citation!r}")
    check_function(what, operator.function, arguments_of(operator.slot, operator.function))
    for slot, fields in FIELDS_BY_SLOT.items():
        for field, (is_allowed, allowed) in fields.items():
            value, default = getattr(operator, field), type(operator).__dataclass_fields__[field].default
            if slot == operator.slot and not is_allowed(value):
                raise ValueError(f"{what}: {field} must be {allowed}, got {value!r}")
            if slot != operator.slot and value != default:
                raise ValueError(f"{what}: {field} belongs to the slot {slot}, got {field}={value!r}")
    for field in ("dismisses", "penalises", "leaves_outside"):
        if getattr(operator, field) and not operator.whole:
            raise ValueError(f"{what}: {field}=True needs whole=True, got whole=False")
    kinds = [field for field in ("dismisses", "penalises", "leaves_outside", "redraws") if getattr(operator, field)]
    if len(kinds) > 1:
        raise ValueError(f"{what}: {' and '.join(kinds)} exclude each other, got both")


def arguments_of(slot: str, function: object) -> tuple[str, ...]:
    """The arguments that a function of this slot takes; K is added where a mutation takes it."""
    takes_K = slot == "mutation" and inspect.isfunction(function) and "K" in inspect.signature(function).parameters
    return (*ARGUMENTS[slot], *(("K",) if takes_K else ()))


def is_name(name: object) -> bool:
    """Whether an operator may be called so: names stand in texts and become part of the names of files."""
    return isinstance(name, str) and len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None


def check_name(what: str, name: object, slot: str) -> None:
    """Raise a ValueError unless a name can stand in 'DE/mutation/crossover strategy' and in the name of a file."""
    if not isinstance(name, str) or not is_name(name):
        raise ValueError(f"{what} must be {NAME_RULE}, got {name!r}")
    if slot == "crossover" and "/" in name:
        raise ValueError(f"{what} must have no '/': it is the last part of DE/mutation/crossover, got {name!r}")
    if slot == "mutation" and name.lower().startswith("de/"):
        raise ValueError(f"{what} must not begin with 'DE/', which begins DE/mutation/crossover, got {name!r}")


def check_function(what: str, function: object, arguments: tuple[str, ...]) -> None:
    """Raise a ValueError unless it is a Python function, marked as a kernel, with these arguments and a formula."""
    signature = f"({', '.join(arguments)})"
    if not inspect.isfunction(function):
        raise ValueError(f"{what}: function must be a Python function {signature}, got {function!r}")
    if not hasattr(function, "__kernel__"):
        raise ValueError(f"{what}: function {function.__name__!r} must be marked with @debox.kernel")
    parameters = inspect.signature(function).parameters.values()
    if tuple(p.name for p in parameters) != arguments or any(p.default is not p.empty for p in parameters):
        raise ValueError(f"{what}: the function must take {signature}, got {inspect.signature(function)}")
    if not (function.__doc__ or "").split("\n")[0].strip() and sys.flags.optimize < 2:  # python -OO: no docstrings
        raise ValueError(f"{what}: the first line of the function's docstring must be its formula, got none")
