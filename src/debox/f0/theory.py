"""Differential Evolution on f0 in closed form.

In generation 1 the points are independent and uniform on [0, 1]ⁿ, and f0 says nothing about position: the best is any
individual with probability 1/N, and so is one of the p-best. Who is target, best and donor decides the weights wⱼ with
which different individuals enter the mutant. Given these weights its n components are independent, each of them Σ wⱼUⱼ
with Σ wⱼ = 1. A trial's chance is therefore averaged over the weights last, after the crossover.

No formula is known, and a ValueError says so, for a mutation without weights, a crossover without `exchanges`, donors
that are not uniform, and where F and Cr adapt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import expm1, factorial, fsum, log, log1p, perm, prod
from operator import mul

import numpy as np
from numpy.polynomial.legendre import leggauss

from debox import check, operators
from debox.config import Config, crossover_rate
from debox.operators.kinds import Crossover

__all__ = [
    "component_infeasible",
    "expected_acceptances",
    "expected_exchanges",
    "frozen_pois",
    "p_max",
    "trial_infeasible",
]


def component_infeasible(config: Config | str) -> float:
    """The probability that a component of a mutant of generation 1 lies outside its bounds.

    Parameters
    ----------
    config : Config or str
        The configuration, of which mutation, donors, N and F matter.

    Returns
    -------
    float
        To 15 digits; to 10 for a mutation that draws K, over which it is integrated numerically.

    Examples
    --------
    >>> from debox import theory
    >>> round(theory.component_infeasible("DE/rand/1/bin sat, N=5, F=1, Cr=1"), 6)
    0.333333
    """
    return fsum(chance * p for p, chance in component_chances(Config.of(config)))


def trial_infeasible(config: Config | str, n: int) -> float:
    """The probability that a trial of generation 1 in n dimensions is infeasible.

    Parameters
    ----------
    config, n
        As in `measure`.

    Returns
    -------
    float
        Mutation, crossover, donors, N, F and Cr matter.

    Examples
    --------
    >>> from debox import theory
    >>> round(theory.trial_infeasible("DE/rand/1/bin sat, N=5, F=1, Cr=1", n=2), 6)  # 1 − (2/3)²
    0.555556
    """
    n = check.integer("n", n, 1)
    config = Config.of(config, n)
    of_trial = formula_for(TRIAL_CHANCES, config.operators.crossover)
    return fsum(chance * of_trial(p, config.Cr, n) for p, chance in component_chances(config))


def frozen_pois(config: Config | str, n: int, budget: int) -> float:
    """The expectation of POIS if no trial is ever accepted (frozen=True): (1 − N/budget) P(trial infeasible).

    Parameters
    ----------
    config, n, budget
        As in `measure`.

    Returns
    -------
    float
        The expected proportion of infeasible solutions.

    Examples
    --------
    >>> from debox import theory
    >>> round(theory.frozen_pois("DE/rand/1/bin sat, N=5, F=1, Cr=1, frozen=True", n=2, budget=10), 6)
    0.277778
    """
    # Every trial of every slot meets uniform points and a uniform best, so a generation cut short changes nothing.
    config = Config.of(config, n, budget)
    return count_trials(config, budget) / budget * trial_infeasible(config, n)


def expected_acceptances(config: Config | str, budget: int) -> float:
    """The expected number of accepted trials: H_{G+1} − 1 for a slot that lives G generations; 0 if frozen.

    It is not known where the population shrinks, or where infeasible trials cannot be accepted (penalty; dismiss with
    reevaluate=False), so that acceptance depends on position.

    Parameters
    ----------
    config, budget
        As in `measure`.

    Returns
    -------
    float
        Of the whole population; only N and frozen matter.

    Examples
    --------
    >>> from debox import theory
    >>> theory.expected_acceptances("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.9", budget=10)
    2.5
    """
    config = Config.of(config)
    G, last = divmod(count_trials(config, budget), config.N)  # last: trials in the incomplete generation at the end
    if config.frozen:
        return 0.0
    if config.operators.strategy.penalises or not config.reevaluate:
        raise ValueError(f"expected acceptances are not known for {config}: infeasible trials are not accepted")
    if config.operators.adaptation.last_N:
        raise ValueError(f"expected acceptances are not known for {config}, whose population shrinks")
    return last * (harmonic(G + 2) - 1) + (config.N - last) * (harmonic(G + 1) - 1)


def expected_exchanges(crossover: str, n: int, Cr: float) -> float:
    """The expected number of components from the mutant: for bin 1 + (n−1)Cr, for exp (1 − Crⁿ)/(1 − Cr).

    Parameters
    ----------
    crossover : str
        The name of a crossover: "bin" or "exp".
    n : int
        The dimension, at least 1.
    Cr : float
        The crossover rate, in [0, 1].

    Returns
    -------
    float
        The expectation, in [1, n].

    Examples
    --------
    >>> from debox import theory
    >>> theory.expected_exchanges("bin", n=5, Cr=0.5), theory.expected_exchanges("exp", n=2, Cr=0.5)
    (3.0, 1.5)
    """
    exchanges = formula_for(EXCHANGES, operators.find("crossover", crossover))
    return exchanges(crossover_rate(Cr), check.integer("n", n, 1))


def p_max(t: float, n: int) -> float:
    """The chance for each of n components with which a point is infeasible with probability t: 1 − (1 − t)^(1/n).

    Parameters
    ----------
    t : float
        The probability that a point is infeasible, in [0, 1].
    n : int
        The dimension, at least 1.

    Returns
    -------
    float
        The probability for each of n independent components.

    Examples
    --------
    >>> from debox import theory
    >>> theory.p_max(0.75, n=2)  # 1 − (1/2)² = 0.75
    0.5
    """
    t, n = check.real("t", t, "0 ≤ t ≤ 1", lambda t: 0 <= t <= 1), check.integer("n", n, 1)
    return -expm1(log1p(-t) / n) if t < 1 else 1.0


def component_chances(config: Config) -> list[tuple[float, float]]:
    """For each way in which parents coincide: the chance that a component is outside, and the chance of that way."""
    return [
        (float(chance_outside(w)), share * float(chance))
        for K, share in values_of_K(config)
        for w, chance in mixture(config, K).items()
    ]


def chance_outside(w: tuple[Fraction, ...]) -> Fraction:
    """P(Σ wⱼUⱼ ∉ [0, 1]) = 2/(k! ∏ wⱼ) Σ_{v ∈ {0,1}ᵏ} (−1)^{|v|} max(0, −w·v)ᵏ; no weight is 0, their sum is 1"""
    # In fractions: in floating point the terms cancel and little is left when a weight is small.
    k, total = len(w), Fraction()
    for v in product((0, 1), repeat=k):
        total += (-1) ** sum(v) * max(0, -sum(map(mul, w, v), Fraction())) ** k
    return 2 * total / (factorial(k) * prod(w))


def values_of_K(config: Config) -> list[tuple[Fraction, float]]:
    """Values of K, uniform on (0, 1), with the share of each in a mean; one if the mutation does not draw K."""
    if not config.operators.mutation.draws_K:
        return [(Fraction(0), 1.0)]
    # Gauss–Legendre between the K at which the law of a mutant bends: there the weights of some parents add up to 0.
    subsets = list(product((0, 1), repeat=2 + config.operators.mutation.donors))
    at_0, at_1 = (np.dot(subsets, np.array(weights_of(config, Fraction(K)), float)) for K in (0, 1))
    changes = at_0 * at_1 < 0
    bends = np.unique([0, 1, *at_0[changes] / (at_0 - at_1)[changes]])
    nodes, shares = leggauss(20)
    widths = np.diff(bends)[:, None]
    values = bends[:-1, None] + widths * (1 + nodes) / 2
    return list(zip(map(Fraction, values.flat), (widths * shares / 2).flat, strict=True))


def weights_of(config: Config, K: Fraction) -> tuple[Fraction, ...]:
    """The weights of target, best, r1, … in a mutant; an error if the mutation has none, or F is not one number."""
    mutation, adaptation = config.operators.mutation, config.operators.adaptation
    if adaptation.name != "fixed":
        raise ValueError(f"no exact formula is known for adaptation {adaptation.name!r}, which draws F and Cr")
    if not mutation.weights:
        raise ValueError(f"no exact formula is known for mutation {mutation.name!r}, which has no weights")
    scales = (Fraction(config.F), K) if mutation.draws_K else (Fraction(config.F),)
    return tuple(map(Fraction, mutation.weights(*scales)))


def mixture(config: Config, K: Fraction = Fraction(1, 2)) -> dict[tuple[Fraction, ...], Fraction]:
    """The weights of the different individuals in a mutant, sorted and without zeros, and the probability of each."""
    mutation, rule, weights = config.operators.mutation, config.operators.rule, weights_of(config, K)
    if not rule.uniform:
        raise ValueError(f"no exact formula is known for donors {rule.name!r}, which are not uniform")
    mixed: defaultdict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
    N, k, target, other = config.N, mutation.donors, 0, 1
    bests = ((target, Fraction(1, N)), (other, 1 - Fraction(1, N)))
    for best, p_best in bests[:N]:  # of N = 1 the target is the best
        parents = {"target": target, "best": best}
        avoided = {parents[role] for role in rule.avoids}
        free, left = set(parents.values()) - avoided, N - len(avoided)
        for donors in product(*((*free, number) for number in range(N, N + k))):  # from N on: any but the parents
            chance = Fraction(perm(left - len(free), len(set(donors) - free)), perm(left, k))
            if chance and len(set(donors)) == k:
                mixed[merge_weights(weights, (target, best, *donors))] += p_best * chance
    return dict(mixed)


def merge_weights(weights: tuple[Fraction | int, ...], individuals: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The total weight of each individual, in rising order, without zeros."""
    total: defaultdict[int, Fraction] = defaultdict(Fraction)
    for weight, individual in zip(weights, individuals, strict=True):
        total[individual] += weight
    return tuple(sorted(filter(None, total.values())))


def geometric_sum(d: float, n: int) -> float:
    """Σ_{l=0..n−1} (1 − d)ˡ = (1 − (1 − d)ⁿ)/d for d in [0, 1]"""
    if d in (0, 1):
        return 1.0 if d else float(n)
    return -expm1(n * log1p(-d)) / d


def count_trials(config: Config, budget: int) -> int:
    """budget − N: the evaluations after the initial population."""
    return check.budget(budget, config.N, f"N = {config.N} points start the run") - config.N


def formula_for(table: dict[str, Callable[..., float]], crossover: Crossover) -> Callable[..., float]:
    """The formula for the law of a crossover; an error if there is none."""
    if crossover.exchanges not in table:
        laws = " or ".join(f"exchanges={law!r}" for law in table)
        raise ValueError(f"no exact formula is known for crossover {crossover.name!r}; there are some for {laws}")
    return table[crossover.exchanges]


def harmonic(m: int) -> float:
    """H_m = 1 + 1/2 + … + 1/m"""
    if m < 1000:
        return fsum(1 / k for k in range(1, m + 1))
    return log(m) + np.euler_gamma + 1 / (2 * m) - 1 / (12 * m**2)  # the next term, 1/(120 m⁴), is below 10⁻¹⁴


TRIAL_CHANCES: dict[str, Callable[[float, float, int], float]] = {  # from the chance p of a component of the mutant
    "each": lambda p, Cr, n: -expm1(log1p(-p) + (n - 1) * log1p(-Cr * p)),  # 1 − (1 − p)(1 − Cr p)ⁿ⁻¹
    # Σ_{l=1..n} Crˡ⁻¹(1 − p)ˡ⁻¹ p: the l-th component is exchanged and the first that is infeasible
    "segment": lambda p, Cr, n: p * geometric_sum(1 - Cr + Cr * p, n),
}
EXCHANGES: dict[str, Callable[[float, int], float]] = {
    "each": lambda Cr, n: 1 + (n - 1) * Cr,
    "segment": lambda Cr, n: geometric_sum(1 - Cr, n),
}
