"""The fast engine's tables and buffers for one configuration."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import registry
from debox.config import Config
from debox.de import jit
from debox.f0 import scan
from debox.f0.enumeration import Enumeration
from debox.f0.simulate import BATCHED_UP_TO, Simulation

BATCH = 256  # simulated trials at a time: their columns stay in the first-level cache
MOST_CHANCES = 20_000  # donor tuples × targets worth a table


def prepare(config: Config, n: int) -> tuple[Simulation, Enumeration]:
    """Fresh tables for the two ways to count a quiet stretch; they share the rows."""
    mutation, crossover, N = registry.find("mutation", config.mutation), config.crossover, config.N
    takes = registry.find("crossover", crossover).takes
    if not takes:
        raise ValueError(f"the fast engine knows no closed form of crossover {crossover!r}; use engine='plain'")
    exp = takes == "segment"
    rule = registry.donor_rule(registry.find("donors", config.donors), mutation)
    per_target = mutation.uses_target or bool(rule.avoids)
    targets = N if per_target else 1
    tuples = donor_tuples(N, mutation.donors if perm(N, mutation.donors) * targets <= MOST_CHANCES else None)
    width = 2 * n + int(scan.LANES)
    shared: dict[str, Any] = {
        "rows": np.full(N * width, np.nan),
        "width": np.uint64(width),
        "keep": keep_table(n, config.Cr, exp),
        "per_target": per_target,
        "exp": exp,
    }
    accept_chance, alias = alias_table(lengths(n, config.Cr))
    sim = Simulation(
        **shared,
        scan=jit.pointer(jit.specialise(scan.scan, formula=mutation.function), "scan"),
        accept_chance=accept_chance,
        alias=alias.astype(np.int32),
        batched=not rule.avoids and N <= BATCHED_UP_TO,
        lanes=np.zeros((4, BATCH), np.uint64),
        u=np.empty(BATCH),
        target=np.zeros(BATCH, np.int32),
        r=np.zeros((5, BATCH), np.int32),
        first=np.zeros(BATCH, np.int32),
        length=np.full(BATCH, n, np.int32),
        undecided=np.zeros(BATCH, np.int32),
        pause=np.zeros(1, np.int64),
    )
    enum = Enumeration(
        **shared,
        chances=jit.pointer(jit.specialise(scan.chances, formula=mutation.function), "chances"),
        distinct=not rule.avoids,
        avoids_best="best" in rule.avoids,
        uses_best=mutation.uses_best,
        tuples=tuples,
        all=np.arange(len(tuples)),
        containing=tuples_with_each(N, mutation.donors) if len(tuples) else np.zeros((N, 0), np.int64),
        chance=np.zeros((targets, len(tuples)), np.int64),
        total=np.zeros(targets, np.int64),
        q=np.zeros(targets),
        changed=np.ones(N, np.bool_),
        best=np.full(1, -1),
        missed=np.zeros(1),
        flags=np.zeros(n, np.int64),
        after_gap=np.concatenate([[0.0], np.cumsum(np.power(config.Cr, np.arange(n + 1)))]),
    )
    return sim, enum


def keep_table(n: int, Cr: float, exp: bool) -> NDArray[np.float64]:
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
