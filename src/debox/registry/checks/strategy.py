"""What a strategy must do: end in the box, wherever the trial is, and do the same for the same random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from debox.registry.checks.calls import call, fail, is_number, text_of

if TYPE_CHECKING:
    from debox.registry import Operator

Vector = NDArray[np.float64]

# Bounds as a Box allows them: usual ones, the widest, some of the narrowest.
BOXES = [(0.0, 1.0), (-5.0, 10.0), (1e-3, 1e-3 + 1e-9), (-1e307, 1e307), (1.0, 1.0 + 2**-52), (0.0, 5e-324)]
SHARES = (0.0, 0.3, 1.0)  # where x and c lie in the box
RANDOM_CASES = 100  # per box, with u, x and c anywhere: a strategy may be wrong in a part of the box only
DISTANCES = (1e-9, 0.1, 1.0, 2.5, 1e6)  # of u from the wall, in widths of the box
FARTHEST = 1.7976931348623157e308
SIZES = (1, 2, 5)  # variables, of a strategy for the whole trial


def check(operator: Operator) -> None:
    """Try a strategy: in every box, from every place outside it."""
    for number, (a, b) in enumerate(BOXES):
        if operator.whole:
            check_whole(operator, a, b, number)
        else:
            check_component(operator, a, b, number)


def points_outside(a: float, b: float) -> Iterator[float]:
    """Places beyond both walls, near and far, infinite and NaN."""
    yield from (np.nextafter(a, -np.inf), np.nextafter(b, np.inf))
    for distance in DISTANCES:
        yield from (u for u in (a - distance * (b - a), b + distance * (b - a)) if not a <= u <= b)
    yield from (-FARTHEST, FARTHEST, -np.inf, np.inf, np.nan)


def points_inside(a: float, b: float) -> list[float]:
    """Places in the box."""
    return [min(max((1.0 - share) * a + share * b, a), b) for share in SHARES]


def random_cases(a: float, b: float, number: int) -> Iterator[tuple[float, float, float]]:
    """u up to a width outside the box, x and c anywhere in it."""
    for beyond, side, *shares in np.random.default_rng(number).uniform(size=(RANDOM_CASES, 4)):
        u = a - beyond * (b - a) if side < 0.5 else b + beyond * (b - a)
        x, c = (min(max((1.0 - share) * a + share * b, a), b) for share in shares)
        if not a <= u <= b:
            yield u, x, c


def check_component(operator: Operator, a: float, b: float, number: int) -> None:
    """(u, x, c, a, b, rng) → a number in [a, b]"""
    fixed = product(points_outside(a, b), points_inside(a, b), points_inside(a, b))
    for u, x, c in chain(fixed, random_cases(a, b, number)):
        args = [np.float64(value) for value in (u, x, c, a, b)]
        first, second = (call(operator, *args, np.random.default_rng(number)) for _ in range(2))
        if not (is_number(first) and a <= first <= b):
            fail(
                operator,
                [*args, None],
                f"gave {text_of(first)}",
                f"allowed is a number in [a, b] = [{a!r}, {b!r}]",
            )
        if first != second:
            fail(operator, [*args, None], f"gave {text_of(first)}, then {text_of(second)}", MUST_REPEAT)


MUST_REPEAT = "with the same random numbers the result must be the same"


def check_whole(operator: Operator, a: float, b: float, number: int) -> None:
    """(u, x, c, a, b, rng) changes the vector u so that a_i ≤ u_i ≤ b_i for all i, and nothing else"""
    rng = np.random.default_rng(number)
    for n, far in product(SIZES, points_outside(a, b)):
        lower, upper = np.full(n, a), np.full(n, b)
        x, c, u = (rng.choice(points_inside(a, b), n) for _ in range(3))
        u[rng.integers(n)] = far
        first, second = (call_whole(operator, [u, x, c, lower, upper], number) for _ in range(2))
        args = [u, x, c, lower, upper, None]
        if not operator.leaves_outside and not ((lower <= first) & (first <= upper)).all():
            fail(operator, args, f"left u = {text_of(first)}", f"allowed are components in [{a!r}, {b!r}]")
        if not np.array_equal(first, second, equal_nan=True):
            fail(operator, args, f"left u = {text_of(first)}, then {text_of(second)}", MUST_REPEAT)
        if operator.dismisses and first.tolist() != x.tolist():
            fail(
                operator,
                args,
                f"left u = {text_of(first)}",
                "with dismisses=True the trial must become its target x",
            )


def call_whole(operator: Operator, args: list[Vector], seed: int) -> Vector:
    """The vector u after the call, which must leave the other vectors as they are and return nothing."""
    copies = [np.copy(arg) for arg in args]
    result = call(operator, *copies, np.random.default_rng(seed))
    if result is not None:
        fail(
            operator,
            [*args, None],
            f"returned {text_of(result)}",
            "with whole=True it changes u and returns nothing",
        )
    for name, before, after in zip("xcab", args[1:], copies[1:], strict=True):
        if before.tolist() != after.tolist():
            fail(operator, [*args, None], f"changed {name} to {text_of(after)}", "it may change u alone")
    return copies[0]
