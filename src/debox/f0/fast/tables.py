"""The fast engine's tables and buffers for one configuration."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import jit
from debox.config import Config, Operators
from debox.f0.fast import fixed_point, scan
from debox.f0.fast.batch import BATCHED_UP_TO, Simulation
from debox.f0.fast.exact import COST_BIN, COST_EXP, COST_TEST, Enumeration, Prices
from debox.registry import Operator

BATCH = 256  # simulated trials at a time: their columns stay in the first-level cache
MOST_CHANCES = 20_000  # donor tuples × targets worth a table
LARGEST = 2**31 - 1  # N and n: individuals and components have numbers of 32 bits


def prepare(config: Config, n: int) -> tuple[Simulation, Enumeration]:
    """Fresh tables for the two ways to count a quiet stretch; they share the points."""
    mutation, crossover, rule = config.operators.mutation, config.operators.crossover, config.operators.rule
    if reason := why_not_fast(config.operators):
        raise ValueError(f"the fast engine knows no law of {reason}; use engine='plain'")
    for name, size in {"N": config.N, "n": n}.items():
        if size > LARGEST:
            raise ValueError(f"{name} must be at most {LARGEST} for the fast engine, got {size}; use engine='plain'")
    weights = mutation.weights(config.F) if mutation.weights and fixed_point.fits_32_bits(config.N, n) else ()
    exp = crossover.exchanges == "segment"
    points, parents = fixed_point.empty_points(config.N, n, weights), np.zeros((7, BATCH), np.int32)
    exact_bits = jit.specialise(scan.outside_bits, formula=mutation.function)
    shared: dict[str, Any] = {
        "exact_bits": jit.counter(exact_bits, points, parents, 0, config.F, 0),
        "points": points,
        "parents": parents,
        "places": np.zeros((fixed_point.MOST_TERMS, BATCH), np.uint32),
        "exp": exp,
        "p_feasible": p_feasible_table(n, config.Cr, exp),
        "per_target": mutation.uses_target or bool(rule.avoids),
    }
    bits_of_terms = fixed_point.bits_for(weights)
    return (
        simulation(config, n, mutation, rule, shared, bits_of_terms),
        enumeration(config, n, mutation, rule, shared, bits_of_terms),
    )


def why_not_fast(operators: Operators) -> str:
    """Which of the operators does what the fast engine has no tables for, and why; empty if none does."""
    mutation, crossover, strategy, donors, adaptation = operators
    if adaptation.name != "fixed":
        return f"adaptation {adaptation.name!r}, which draws F and Cr for each trial"
    if mutation.uses_p_best:
        return f"mutation {mutation.name!r}, which draws one of the p-best for each trial"
    if mutation.draws_K:
        return f"mutation {mutation.name!r}, which draws K for each trial"
    if not crossover.exchanges:
        return f"crossover {crossover.name!r}, which does not say exchanges='each' or exchanges='segment'"
    if strategy.leaves_outside:
        return f"strategy {strategy.name!r}, which leaves points outside the box"
    return "" if donors.uniform else f"donors {donors.name!r}, which does not say uniform=True"


def simulation(
    config: Config, n: int, mutation: Operator, rule: Operator, shared: dict[str, Any], bits_of_terms: Any
) -> Simulation:
    """The tables and buffers of `simulate`."""
    accept_chance, alias = alias_table(lengths(n, config.Cr))
    u, mask, undecided = np.empty(BATCH), all_components(n), np.zeros(BATCH, np.int64)
    spans = np.repeat(np.array([[0], [len(mask)]]), BATCH, axis=1)
    exact_bits, points, parents, places, p_feasible = (
        shared[name] for name in ("exact_bits", "points", "parents", "places", "p_feasible")
    )
    example = (exact_bits, points, 0, parents, places, mask, spans, config.F, p_feasible, u, undecided)
    return Simulation(
        **shared,
        scan=jit.counter(jit.specialise(scan.scan, bits_of_terms=bits_of_terms), *example),
        n=n,
        batched=not rule.avoids and config.N <= BATCHED_UP_TO,
        uses_best=mutation.uses_best,
        accept_chance=accept_chance,
        length_choices=(np.column_stack([alias, np.arange(n)]) + 1).astype(np.int32).ravel(),
        lanes=np.zeros((4, BATCH), np.uint64),
        u=u,
        first=np.zeros(BATCH, np.int32),
        length=np.zeros(BATCH, np.int32),
        mask=mask,
        spans=spans,
        undecided=undecided,
    )


def enumeration(
    config: Config, n: int, mutation: Operator, rule: Operator, shared: dict[str, Any], bits_of_terms: Any
) -> Enumeration:
    """The tables of `enumerate_chances`."""
    N, k, targets = config.N, mutation.donors, config.N if shared["per_target"] else 1
    tuples = donor_tuples(N, k if perm(N, k) * targets <= MOST_CHANCES else None)
    tuples_with = tuples_with_each(N, k) if len(tuples) else np.zeros((N, 0), np.int64)
    chance, numbers = np.zeros((targets, len(tuples)), np.int64), np.arange(len(tuples))
    all_bits, gaps = all_components(n), scan.gap_tables(n, config.Cr)
    words = np.zeros(len(all_bits), np.uint32)
    exact_bits, points, parents, places, exp, p_feasible = (
        shared[name] for name in ("exact_bits", "points", "parents", "places", "exp", "p_feasible")
    )
    example = (
        exact_bits,
        points,
        parents,
        places,
        all_bits,
        config.F,
        exp,
        p_feasible,
        gaps,
        words,
        numbers,
        chance[0],
    )
    return Enumeration(
        **shared,
        prices=prices(exp, chance.shape, tuples_with.shape[1], bool(rule.avoids), shared["per_target"]),
        chances=jit.counter(
            jit.specialise(scan.chances, bits_of_terms=bits_of_terms) if len(tuples) else scan.no_chances, *example
        ),
        all_bits=all_bits,
        gaps=gaps,
        words=words,
        distinct=not rule.avoids,
        avoids_best="best" in rule.avoids,
        tuples=tuples,
        all_tuples=numbers,
        tuples_with=tuples_with,
        chance=chance,
        total=np.zeros(targets, np.int64),
        q=np.zeros(targets),
        changed=np.ones(N, np.bool_),
        best=np.full(int(mutation.uses_best), -1),
        missed_savings=np.zeros(1),
    )


def all_components(n: int) -> NDArray[np.uint32]:
    """For each trial of a batch, words with a bit set for each component."""
    words = [(1 << min(n - begin, 32)) - 1 for begin in range(0, n, 32)]
    return np.repeat(np.array(words, np.uint32)[:, None], BATCH, axis=1)


def prices(exp: bool, chances: tuple[int, int], with_each: int, avoids: bool, per_target: bool) -> Prices:
    """What the chances of targets × tuples cost; with_each: how many of the tuples contain a given individual."""
    targets, tuples = chances
    return Prices(
        possible=tuples > 0,
        chance=COST_EXP if exp else COST_BIN,
        chances=targets * tuples,
        chances_of_one=targets * with_each + per_target * tuples,
        mean=targets * tuples * COST_TEST if avoids else 0.0,
    )


def p_feasible_table(n: int, Cr: float, exp: bool) -> NDArray[np.float64]:
    """P(trial feasible | k of the scanned components infeasible): bin (1 − k/n)(1 − Cr)ᵏ; exp 1, 0, 0, …"""
    k = np.arange(n + 1)
    return np.where(k == 0, 1.0, 0.0) if exp else (1.0 - k / n) * (1.0 - Cr) ** k


def lengths(n: int, Cr: float) -> NDArray[np.float64]:
    """P(L = l) for l = 1..n under exp: Crˡ⁻¹(1 − Cr), and Crⁿ⁻¹ for l = n"""
    p: NDArray[np.float64] = np.power(Cr, np.arange(n)) * (1.0 - Cr)
    p[-1] = Cr ** (n - 1)
    return p


def alias_table(p: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
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


def stand_in(config: Config) -> Config:
    """A configuration of as few individuals as may be for which, in any dimension, the same code is compiled.

    Code depends on the operators, on the number of terms in a sum (F), and on whether there is a table of chances (N).
    (Populations too large for codes have code of their own, which is compiled when they are met.)
    """
    mutation = config.operators.mutation
    weights = mutation.weights if mutation.weights and not mutation.draws_K else lambda F: ()
    usual = fixed_point.bits_for(weights(0.5)) is fixed_point.bits_for(weights(config.F))
    few = min(config.N, MOST_CHANCES + 1)
    return replace(config, N=few, F=0.5 if usual else config.F, Cr=0.5, reevaluate=True, frozen=False)


@cache
def donor_tuples(N: int, k: int | None) -> NDArray[np.uint64]:
    """All ordered tuples of k distinct individuals, filled up with zeros to five."""
    if k is None:
        return np.zeros((0, 5), np.uint64)
    tuples = np.zeros((perm(N, k), 5), np.uint64)
    tuples[:, :k] = list(permutations(range(N), k))
    return tuples


@cache
def tuples_with_each(N: int, k: int) -> NDArray[np.int64]:
    """For each individual, the numbers of the tuples that contain it."""
    tuples = donor_tuples(N, k)[:, :k]
    return np.array([np.flatnonzero((tuples == i).any(axis=1)) for i in range(N)])
