"""Tables of the fast engine for a configuration: the struct Fast of core/fast.h and its arrays.

core/fast.h explains the engine, this file its input. All tables are exact or rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.config import Config, Operators
from debox.loop import HOW_TO_GET_THE_CORE, is_compiled, struct, write

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_BATCHED_N = 1024  # up to which three donors are drawn from one U: 53 bits leave more than 20 for the third
BATCH = 256  # trials at a time, as in fast.h
WORD = 32  # components at a time
LINE = 64  # bytes of a line of the cache, which 32 codes fill
ROLES = 7  # in a mutation: target, best, r1, …, r5
TARGET = 0
FEWEST_TERMS, MOST_TERMS = 3, 5  # of the sum that makes a mutant component
FARTHEST = 100.0  # widths of the box from it: beyond, 16 bits tell too little
MODULUS, MARGIN = 2**16, 3  # of sums of codes; more than their error, as in fast.h
MOST_CHANCES = 20_000  # donor tuples × targets worth a table
NO_TUPLES = np.zeros((0, 5), np.uint16), np.zeros((0, 0), np.int64)


class Tables:
    """The struct for the runs of a configuration in n dimensions, one after the other, and the arrays it points to."""

    def __init__(self, config: Config, n: int) -> None:
        if reason := why_not_fast(config.operators):
            raise ValueError(f"the fast engine knows no law of {reason}; use engine='plain'")
        if not is_compiled():
            raise RuntimeError(f"the fast engine needs it: {HOW_TO_GET_THE_CORE}; or use engine='plain', far slower")
        self.values = {**points(config, n), **components(config, n), **enumeration(config), **room(config)}
        self.fast = struct("FAST")
        self.address = write(self.values, self.fast)


def why_not_fast(operators: Operators) -> str:
    """The operator for which the fast engine has no tables, and the reason; empty if there is none."""
    mutation, crossover, strategy, donors, adaptation = operators
    reasons = (
        (adaptation.name != "fixed", adaptation, "draws F and Cr for each trial"),
        (mutation.uses_p_best, mutation, "draws one of the p-best for each trial"),
        (mutation.draws_K, mutation, "draws K for each trial"),
        (not crossover.exchanges, crossover, "does not say exchanges='each' or exchanges='segment'"),
        (strategy.leaves_outside, strategy, "leaves points outside the box"),
        (not donors.uniform, donors, "does not say uniform=True"),
    )
    return next((f"{operator.slot} {operator.name!r}, which {does}" for holds, operator, does in reasons if holds), "")


# Points in whole numbers of 16 bits.


def points(config: Config, n: int) -> dict[str, Any]:
    """The sum of codes that makes a mutant component, and room for the codes: for each weight a row per individual."""
    N, width, weights = config.N, -(-n // WORD) * WORD, config.operators.mutation.weights
    fits = MOST_TERMS * N * width <= 2**32  # do 32 bits number the places of all codes?
    terms = terms_of(weights(config.F) if weights and fits else ())
    different = sorted({weight for _, weight in terms})
    S, stride = int((MODULUS - 4 * MARGIN) / reach(terms)), width if any(different) else 0
    return {
        "words": width // WORD,
        "stride": stride,
        "S": S,
        "n_weights": len(different),
        "n_terms": len(terms),
        "weights": np.array(different) * S,
        # For each term of the sum: whose code it is, and where the codes for its weight start
        "roles": np.array([role for role, _ in terms], np.int64),
        "starts": np.array([different.index(weight) * N * stride for _, weight in terms], np.uint32),
        "codes": zeros(len(different) * N * stride or width, dtype=np.uint16),  # one row of zeros if codes are no help
    }


def terms_of(weights: Sequence[float]) -> list[tuple[int, float]]:
    """Role and weight of the terms of the sum, at least three; weights are 0 if codes are no help."""
    terms = [(role, float(weight)) for role, weight in enumerate(weights) if weight]
    if len(terms) > MOST_TERMS or reach(terms) > FARTHEST:
        terms = []
    return terms + [(TARGET, 0.0)] * (FEWEST_TERMS - len(terms))


def reach(terms: list[tuple[int, float]]) -> float:
    """How far a mutant component gets from 0 upwards or from 1 downwards, in widths of the box."""
    lowest, highest = sum(min(w, 0.0) for _, w in terms), sum(max(w, 0.0) for _, w in terms)
    return max(highest, 1.0 - lowest)


def zeros(*shape: int, dtype: type[np.generic]) -> NDArray[Any]:
    """Zeros that begin with a line of the cache, as the core reads vectors: astride two they take twice as long."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.zeros(size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(dtype).reshape(shape)


# The components that the crossover takes.


def components(config: Config, n: int) -> dict[str, Any]:
    """The components that bin and exp take from a mutant, and the chance of an infeasible trial."""
    Cr, k = config.Cr, np.arange(n + 1)
    accept_chance, alias = alias_table(lengths(n, Cr))  # exp: column i gives a segment of length i + 1, or its alias
    return {
        "is_exp": config.operators.crossover.exchanges == "segment",
        "p_feasible": (1.0 - k / n) * (1.0 - Cr) ** k,  # bin: P(trial feasible | k components of its mutant are not)
        "accept_chance": accept_chance,
        "length_choices": (np.column_stack([alias, np.arange(n)]) + 1).astype(np.int32).ravel(),
        "gap_sum": np.concatenate([[0.0], np.cumsum(np.power(Cr, np.arange(n)))]),  # Σ Crᵈ for d = 0..k−1, for each k
    }


def lengths(n: int, Cr: float) -> Floats:
    """P(L = l) for l = 1..n under exp: Crˡ⁻¹(1 − Cr), and Crⁿ⁻¹ for l = n"""
    p: Floats = np.power(Cr, np.arange(n)) * (1.0 - Cr)
    p[-1] = Cr ** (n - 1)
    return p


def alias_table(p: Floats) -> tuple[Floats, Integers]:
    """Walker's alias method (Vose 1991): column i gives i with chance[i], else alias[i]."""
    n = len(p)
    share, chance, alias = p * n, np.ones(n), np.arange(n)
    small = [i for i in range(n) if share[i] < 1.0]
    large = [i for i in range(n) if share[i] >= 1.0]
    while small and large:
        low, high = small.pop(), large.pop()
        chance[low], alias[low] = share[low], high
        share[high] -= 1.0 - share[low]
        (small if share[high] < 1.0 else large).append(high)
    return chance, alias


# All tuples of donors, for the exact chance of a trial to be infeasible.


def enumeration(config: Config) -> dict[str, Any]:
    """The donor tuples, unless there are too many, and room for their chances."""
    mutation, rule, N, k = config.operators.mutation, config.operators.rule, config.N, config.operators.mutation.donors
    per_target = bool(mutation.uses_target or rule.avoids)
    targets = N if per_target else 1
    tuples, tuples_with = donor_tuples(N, k) if perm(N, k) * targets <= MOST_CHANCES else NO_TUPLES
    return {
        "per_target": per_target,
        "uses_best": mutation.uses_best,
        "draws_together": not rule.avoids and N <= LARGEST_BATCHED_N,
        "avoids_target": "target" in rule.avoids,
        "avoids_best": "best" in rule.avoids,
        "n_tuples": len(tuples),
        "n_with": tuples_with.shape[1],
        "tuples": tuples,
        "all_tuples": np.arange(len(tuples), dtype=np.int64),
        "tuples_with": tuples_with,
        "chance": np.zeros((targets, len(tuples)), np.int64),
        "total": np.zeros(targets, np.int64),
        "q": np.zeros(targets),
    }


@cache
def donor_tuples(N: int, k: int) -> tuple[NDArray[np.uint16], Integers]:
    """All ordered tuples of k distinct individuals, with zeros up to five; for each individual, which contain it."""
    tuples = np.zeros((perm(N, k), 5), np.uint16)
    tuples[:, :k] = list(permutations(range(N), k))
    return tuples, np.array([np.flatnonzero((tuples[:, :k] == i).any(axis=1)) for i in range(N)], np.int64)


def room(config: Config) -> dict[str, Any]:
    """Room for a batch of trials and for the state of a run; fast.h describes each array."""
    columns = {name: zeros(BATCH, dtype=np.int32) for name in ("first", "length", "undecided")}
    return columns | {
        "lanes": zeros(4, BATCH, dtype=np.uint64),
        "u": zeros(BATCH, dtype=np.float64),
        "parents": zeros(ROLES, BATCH, dtype=np.int32),
        "places": zeros(MOST_TERMS, BATCH, dtype=np.uint32),
        "clock": zeros(config.N, dtype=np.int64),
        "accepting": zeros(config.N, dtype=np.bool_),
        "changed": zeros(config.N, dtype=np.bool_),
    }
