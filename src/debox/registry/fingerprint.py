"""fingerprint: 16 hex digits of all that an operator's numbers depend on."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import TYPE_CHECKING

from debox.jit import fingerprint as kernels

if TYPE_CHECKING:
    from debox.registry import Operator

LABELS = ("citation", "short")  # change no number
FUNCTIONS = ("function", "weights")  # are described by fingerprints of their own


def fingerprint(operator: Operator) -> str:
    """16 hex digits of what the operator does: its kernel with all that it calls and names, its weights, its fields."""
    parts = [
        f"{field.name}={getattr(operator, field.name)!r}"
        for field in fields(operator)
        if field.name not in (*LABELS, *FUNCTIONS)
    ]
    functions = [function for function in (operator.function, operator.weights) if function is not None]
    parts += [kernels.fingerprint(function).digits for function in functions]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def check_values(operator: Operator) -> None:
    """Raise a ValueError if the kernel uses a value whose changes would not change the fingerprint."""
    for unknown in kernels.fingerprint(operator.function).unknown:
        raise ValueError(
            f"{operator.slot} {operator.name!r}: {operator.function.__name__} uses"
            f"{unknown.removeprefix(kernels.UNKNOWN)}; allowed are numbers, texts, arrays and tuples of them, "
            "functions of math and NumPy, and functions that are marked with @debox.kernel"
        )
