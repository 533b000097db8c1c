"""What every operator must do, tried on an operator from outside when it is registered.

The function runs as plain Python, on fixed random numbers, a few hundred times. The first call that does what it must
not ends in a ValueError that says what was passed, what came out and what is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from debox.registry.checks import adaptation, crossover, donors, mutation, strategy

if TYPE_CHECKING:
    from debox.registry import Operator

CHECKS = {
    "mutation": mutation.check,
    "crossover": crossover.check,
    "strategy": strategy.check,
    "donors": donors.check,
    "adaptation": adaptation.check,
}


def check(operator: Operator) -> None:
    """Raise a ValueError if the operator's function does what the loop does not expect of its slot."""
    CHECKS[operator.slot](operator)
