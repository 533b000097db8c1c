"""What a donor rule must do: draw distinct individuals, none of those that it avoids."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from debox.registry.checks.calls import call, fail, text_of
from debox.registry.checks.frequencies import compare
from debox.registry.operator import MOST_DONORS

if TYPE_CHECKING:
    from debox.registry import Operator

TIMES = 10  # for each number of donors, population, target and best
UNWRITTEN = 2**64 - 1  # what r holds before the call
LAW_TIMES = 2000  # draws of two of five, of which the law is compared


def check(operator: Operator) -> None:
    """Try a donor rule: range, distinctness, whom it avoids, and the law that `uniform` promises."""
    rng = np.random.default_rng(1)
    for k in range(1, MOST_DONORS + 1):
        for N in (k + len(operator.avoids), k + 7, 100, 1000):
            for target, best in ((0, 0), (0, N - 1), (N - 1, N // 2)):
                for _ in range(TIMES):
                    draw(operator, k, N, target, best, rng)
    if operator.uniform:
        N, target, best = 5, 1, 3
        frequencies = Counter(draw(operator, 2, N, target, best, rng) for _ in range(LAW_TIMES))
        free = set(range(N)) - individuals_to_avoid(operator, target, best)
        pairs = list(permutations(free, 2))
        what = f"donors {operator.name!r} with N = {N}, target = {target}, best = {best}: the pair"
        compare(what, frequencies, dict.fromkeys(pairs, 1.0 / len(pairs)), "uniform=True")


def individuals_to_avoid(operator: Operator, target: int, best: int) -> set[int]:
    """The individuals that must not be drawn."""
    return {{"target": target, "best": best}[who] for who in operator.avoids}


def draw(operator: Operator, k: int, N: int, target: int, best: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Draw k donors out of N, which must be distinct indices and avoid whom the rule avoids."""
    r = np.full(k, UNWRITTEN, np.uint64)
    args = [N, target, best, None, r.copy()]
    result = call(operator, N, target, best, rng, r)
    if result is not None:
        fail(operator, args, f"returned {text_of(result)}", "a donor rule writes into r and returns nothing")
    donors = tuple(r.tolist())
    if not all(donor < N for donor in donors):
        fail(operator, args, f"left r = {text_of(r)}", f"allowed are indices from 0 to {N - 1}")
    if len(set(donors)) < k:
        fail(operator, args, f"left r = {text_of(r)}", "donors must be distinct")
    if wrong := individuals_to_avoid(operator, target, best) & set(donors):
        fail(operator, args, f"left r = {text_of(r)}", f"avoids={operator.avoids!r} forbids {sorted(wrong)}")
    return donors
