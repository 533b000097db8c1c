"""How often something happened, compared with the probability that a law gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt

Draw = tuple[int, ...]

LIMIT = 6.0  # standard errors: a right law is refused once in 10⁹ comparisons, and the random numbers are fixed


def compare(what: str, frequencies: Counter[Draw], law: Mapping[Draw, float], promise: str) -> None:
    """Raise a ValueError if an outcome is not allowed, or too frequent or too rare for its probability."""
    times = frequencies.total()
    for outcome in {**law, **frequencies}:
        chance = law.get(outcome, 0.0)
        if abs(frequencies[outcome] - times * chance) > LIMIT * sqrt(times * chance * (1.0 - chance)):
            raise ValueError(
                f"{what} {outcome!r} came {frequencies[outcome]} times in {times}; "
                f"with {promise} it must be about {times * chance:.0f}"
            )
