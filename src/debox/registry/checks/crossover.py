"""What a crossover must do: take each component from the target or the mutant, at least one from the mutant."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from debox.registry.checks.calls import call, fail, text_of
from debox.registry.checks.frequencies import compare

if TYPE_CHECKING:
    from debox.registry import Operator

RULE = "each u_i must be x_i or v_i, and at least one v_i"
SIZES = (1, 2, 3, 10)  # variables
RATES = (0.0, 0.1, 0.5, 0.9, 1.0)  # values of Cr
TIMES = 5  # for each of them
LAW_SIZE, LAW_RATES, LAW_TIMES = 3, (0.3, 0.8), 2000  # where the law of what is exchanged is compared


def check(operator: Operator) -> None:
    """Try a crossover: where components come from, and the law that `exchanges` promises."""
    rng = np.random.default_rng(1)
    for n, Cr, _ in product(SIZES, RATES, range(TIMES)):
        exchange(operator, n, Cr, rng)
    if operator.exchanges:
        for Cr in LAW_RATES:
            frequencies = Counter(exchange(operator, LAW_SIZE, Cr, rng) for _ in range(LAW_TIMES))
            what = f"crossover {operator.name!r} with n = {LAW_SIZE}, Cr = {Cr}: the components"
            compare(what, frequencies, law(operator.exchanges, LAW_SIZE, Cr), f"exchanges={operator.exchanges!r}")


def exchange(operator: Operator, n: int, Cr: float, rng: np.random.Generator) -> tuple[int, ...]:
    """Cross random points once; returns the numbers of the components that the trial takes from the mutant."""
    x, v, u = rng.uniform(0.0, 1.0, n), rng.uniform(2.0, 3.0, n), np.full(n, np.nan)
    x_after, v_after = x.copy(), v.copy()
    result = call(operator, x_after, v_after, Cr, rng, u)
    args = [x, v, Cr, None, np.full(n, np.nan)]
    if result is not None:
        fail(operator, args, f"returned {text_of(result)}", "a crossover writes into u and returns nothing")
    if x_after.tolist() != x.tolist() or v_after.tolist() != v.tolist():
        fail(operator, args, f"left x = {text_of(x_after)}, v = {text_of(v_after)}", "it may change u alone")
    from_mutant: NDArray[np.bool_] = u == v
    if not (from_mutant | (u == x)).all():
        fail(operator, args, f"left u = {text_of(u)}", RULE)
    if not from_mutant.any():
        fail(operator, args, f"left u = {text_of(u)}", RULE)
    return tuple(np.flatnonzero(from_mutant).tolist())


def law(exchanges: str, n: int, Cr: float) -> dict[tuple[int, ...], float]:
    """The probability of each set of exchanged components.

    each     a set of k: one of them is I, the others of the set are taken, the rest is not: k/n Crᵏ⁻¹ (1 − Cr)ⁿ⁻ᵏ
    segment  l < n components from any of n beginnings: Crˡ⁻¹ (1 − Cr)/n each; all n of them: Crⁿ⁻¹
    """
    if exchanges == "each":
        sets = [tuple(i for i in range(n) if bits >> i & 1) for bits in range(1, 2**n)]
        return {s: len(s) / n * Cr ** (len(s) - 1) * (1.0 - Cr) ** (n - len(s)) for s in sets}
    chances = {
        tuple(sorted((first + step) % n for step in range(length))): Cr ** (length - 1) * (1.0 - Cr) / n
        for length, first in product(range(1, n), range(n))
    }
    return {**chances, tuple(range(n)): Cr ** (n - 1)}
