"""How often something happened, compared with the probability that a law gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt

Draw = tuple[int, ...]

LIMIT = 6.0  # standard errors: a right law is refused once in 10⁹ comparisons, and the random numbers are fixed


def compare(what: str, found: Counter[Draw], law: Mapping[Draw, float], promised: str) -> None:
    """Raise a ValueError if an outcome is not allowed, or too frequent or too rare for its probability."""
    times = found.total()
    for outcome in {**law, **found}:
        chance = law.get(outcome, 0.0)
        if abs(found[outcome] - times * chance) > LIMIT * sqrt(times * chance * (1.0 - chance)):
            raise ValueError(
                f"{what} {outcome!r} came {found[outcome]} times in {times}; "
                f"with {promised} it must be about {times * chance:.0f}"
            )
