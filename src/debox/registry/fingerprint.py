"""fingerprint: 16 hex digits of all that an operator's numbers depend on.

The names of the kernels that it calls and of its variables count, too: to rename one, such as `violated` in
de/strategies.py, gives the operators that use it other fingerprints, and stores would refuse to be continued.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from debox.jit import fingerprint as kernels

if TYPE_CHECKING:
    from debox.registry import Operator

LABELS = ("citation", "short", "has_terminal_cells")  # change no number
FUNCTIONS = ("function", "weights", "learn")  # are described by fingerprints of their own


def fingerprint(operator: Operator) -> str:
    """16 hex digits of what the operator does: its kernel with all that it calls and names, its weights, its fields."""
    parts = [
        f"{field.name}={getattr(operator, field.name)!r}"
        for field in fields(operator)
        if field.name not in (*LABELS, *FUNCTIONS)
    ]
    parts += [kernels.fingerprint(function).digits for function in _functions(operator)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def check_values(operator: Operator) -> None:
    """Raise a ValueError if the kernel or the weights use a value whose changes would not change the fingerprint."""
    for function in _functions(operator):
        for unknown in kernels.fingerprint(function).unknown:
            raise ValueError(
                f"{operator.slot} {operator.name!r}: {function.__name__} uses"
                f"{unknown.removeprefix(kernels.UNKNOWN)}; allowed are numbers, texts, arrays and tuples of them, "
                "functions of math and NumPy, and functions that are marked with @debox.kernel"
            )


def _functions(operator: Operator) -> list[Callable[..., Any]]:
    """The functions by which the operator computes."""
    functions = (getattr(operator, name) for name in FUNCTIONS)
    return [function for function in functions if function is not None]
