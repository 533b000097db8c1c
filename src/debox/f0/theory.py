"""What f0 does to Differential Evolution, in closed form.

In generation 1 the points are independent and uniform on [0, 1]ⁿ, and f0 says nothing about position: the best is any
individual with probability 1/N. Who is target, best and donor decides the weights wⱼ with which different individuals
enter the mutant. Given these weights its n components are independent, each of them Σ wⱼUⱼ with Σ wⱼ = 1. A trial's
chance is therefore averaged over the weights last, after the crossover.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import expm1, factorial, fsum, log, log1p, prod
from operator import mul
from typing import TypeVar

from numpy import euler_gamma

from debox import check, registry
from debox.config import Config

__all__ = [
    "component_infeasible",
    "expected_acceptances",
    "expected_exchanges",
    "frozen_pois",
    "p_max",
    "trial_infeasible",
]

Formula = TypeVar("Formula")


def component_infeasible(config: Config) -> float:
    """The probability that a component of a mutant of generation 1 lies outside its bounds."""
    return float(sum(chance * leaves(w) for w, chance in mixture(config).items()))


def trial_infeasible(config: Config, n: int) -> float:
    """The probability that a trial of generation 1 in n dimensions is infeasible."""
    n, mixed = check.integer("n", n, 1), mixture(config)
    crossed = known(CROSSED, registry.find("crossover", config.crossover))
    return fsum(float(chance) * crossed(float(leaves(w)), config.Cr, n) for w, chance in mixed.items())


def frozen_pois(config: Config, n: int, budget: int) -> float:
    """The expectation of POIS if no trial is ever accepted (frozen=True): (1 − N/budget) P(trial infeasible)."""
    # Every trial of every slot meets uniform points and a uniform best, so a generation cut short changes nothing.
    return trials(config, budget) / budget * trial_infeasible(config, n)


def expected_acceptances(config: Config, budget: int) -> float:
    """The expected number of accepted trials: H_{G+1} − 1 for a slot that lives G generations; 0 if frozen.

    Acceptances are records of independent numbers. Not covered: dismiss with reevaluate=False, where an infeasible
    trial is no candidate, so that acceptance depends on position.
    """
    G, longer = divmod(trials(config, budget), config.N)  # so many slots see a last, partial generation too
    if config.frozen:
        return 0.0
    if config.operators.strategy.dismisses and not config.reevaluate:
        raise ValueError(f"expected acceptances are not known for {config}: reevaluate=False ties them to position")
    return longer * (harmonic(G + 2) - 1) + (config.N - longer) * (harmonic(G + 1) - 1)


def expected_exchanges(crossover: str, n: int, Cr: float) -> float:
    """The expected number of components a trial takes from its mutant: bin 1 + (n−1)Cr; exp (1 − Crⁿ)/(1 − Cr)."""
    exchanges = known(EXCHANGES, registry.find("crossover", crossover))
    return exchanges(check.real("Cr", Cr, "0 ≤ Cr ≤ 1", lambda Cr: 0 <= Cr <= 1), check.integer("n", n, 1))


def p_max(t: float, n: int) -> float:
    """1 − (1 − t)^(1/n): with this chance for each of n components, a point is infeasible with probability t."""
    t, n = check.real("t", t, "0 ≤ t ≤ 1", lambda t: 0 <= t <= 1), check.integer("n", n, 1)
    return -expm1(log1p(-t) / n) if t < 1 else 1.0


def leaves(w: tuple[Fraction, ...]) -> Fraction:
    """P(Σ wⱼUⱼ ∉ [0, 1]) = 2/(k! ∏ wⱼ) Σ_{v ∈ {0,1}ᵏ} (−1)^{|v|} max(0, −w·v)ᵏ; no weight is 0, their sum is 1"""
    # In fractions: in floating point the terms cancel and little is left when a weight is small.
    k, total = len(w), Fraction()
    for v in product((0, 1), repeat=k):
        total += (-1) ** sum(v) * max(0, -sum(map(mul, w, v), Fraction())) ** k
    return 2 * total / (factorial(k) * prod(w))


def mixture(config: Config) -> dict[tuple[Fraction, ...], Fraction]:
    """The weights of the different individuals in a mutant, sorted and without zeros, and the probability of each."""
    config = checked(config)
    mutation, rule = config.operators.mutation, config.operators.rule
    avoids = rule.avoids
    if not mutation.weights:
        raise ValueError(f"no exact formula is known for mutation {mutation.name!r}, which has no weights")
    if not rule.uniform:
        raise ValueError(f"no exact formula is known for donors {rule.name!r}, which are not uniform")
    weights = tuple(map(Fraction, mutation.weights(Fraction(config.F))))
    mixed: defaultdict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
    target = 0
    for best, p_best in ((target, Fraction(1, config.N)), (1, 1 - Fraction(1, config.N))):
        parents = {"target": target, "best": best}
        avoided = frozenset(parents[role] for role in avoids)
        for donors, p_donors in draws(mutation.donors, config.N, frozenset(parents.values()), avoided):
            mixed[merged(weights, (target, best, *donors))] += p_best * p_donors
    return dict(mixed)


def draws(k: int, N: int, parents: frozenset[int], taken: frozenset[int]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """k distinct donors out of N, none of them taken, with their probability; all but the parents are alike."""
    if k == 0:
        yield (), Fraction(1)
        return
    left, free = N - len(taken), parents - taken
    stranger = N + k  # a number nobody else has
    ways = {**dict.fromkeys(free, 1), stranger: left - len(free)}
    for donor in [donor for donor in ways if ways[donor]]:
        for others, chance in draws(k - 1, N, parents, taken | {donor}):
            yield (donor, *others), chance * Fraction(ways[donor], left)


def merged(weights: tuple[Fraction | int, ...], individuals: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The total weight of each individual, in rising order, zeros left out."""
    total: defaultdict[int, Fraction] = defaultdict(Fraction)
    for weight, individual in zip(weights, individuals, strict=True):
        total[individual] += weight
    return tuple(sorted(filter(None, total.values())))


def crossed_bin(p: float, Cr: float, n: int) -> float:
    """1 − (1 − p)(1 − Cr p)ⁿ⁻¹"""
    return -expm1(log1p(-p) + (n - 1) * log1p(-Cr * p))


def crossed_exp(p: float, Cr: float, n: int) -> float:
    """Σ_{l=1..n} Crˡ⁻¹(1 − p)ˡ⁻¹ p: the l-th component is exchanged and the first that is infeasible"""
    return p * powers(1 - Cr + Cr * p, n)


def powers(d: float, n: int) -> float:
    """Σ_{l=0..n−1} (1 − d)ˡ = (1 − (1 − d)ⁿ)/d for d in [0, 1]"""
    if d in (0, 1):
        return 1.0 if d else float(n)
    return -expm1(n * log1p(-d)) / d


def trials(config: Config, budget: int) -> int:
    """budget − N: what the initial population leaves."""
    N = checked(config).N
    return check.integer("budget", budget, N, f"N = {N} points start the run") - N


def checked(config: Config) -> Config:
    """A configuration, nothing that merely looks like one."""
    if not isinstance(config, Config):
        raise TypeError(f"config must be a debox.Config, got {config!r}")
    return config


def known(table: dict[str, Formula], crossover: registry.Operator) -> Formula:
    """The formula for a crossover of this law, if there is one."""
    if crossover.exchanges not in table:
        laws = " or ".join(f"exchanges={law!r}" for law in table)
        raise ValueError(f"no exact formula is known for crossover {crossover.name!r}; there are some for {laws}")
    return table[crossover.exchanges]


def harmonic(m: int) -> float:
    """H_m = 1 + 1/2 + … + 1/m"""
    if m < 1000:
        return fsum(1 / k for k in range(1, m + 1))
    return log(m) + euler_gamma + 1 / (2 * m) - 1 / (12 * m**2)  # the next term, 1/(120 m⁴), is below 10⁻¹⁴


CROSSED = {"each": crossed_bin, "segment": crossed_exp}  # P(trial infeasible) from that of a mutant's component
EXCHANGES: dict[str, Callable[[float, int], float]] = {
    "each": lambda Cr, n: 1 + (n - 1) * Cr,
    "segment": lambda Cr, n: powers(1 - Cr, n),
}
