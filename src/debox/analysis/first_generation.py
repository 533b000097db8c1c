"""The exact curve of generation 1: POIS of a run whose population never moves from where it starts."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, fsum

from debox import operators
from debox.analysis.runs import Runs
from debox.config import Config
from debox.f0 import theory

# The field that an operator needs for an exact curve, and what is said of one without it.
NEEDED = {
    "mutation": ("weights", "has no weights"),
    "crossover": ("exchanges", "has no exchanges"),
    "donors": ("uniform", "is not uniform"),
}
STEPS = {"F": 16, "Cr": 64}  # points of a curve per unit, besides the values measured


def first_generation(runs: Runs, mutation: str, crossover: str, N: int, F: float, Cr: float) -> float:
    """(1 − N/budget) P(a trial of generation 1 is infeasible), as `theory.frozen_pois`, with what the runs share."""
    return float(1 - N / runs.common("budget")) * trial_chance(runs, mutation, crossover, N, F, Cr)


def trial_chance(runs: Runs, mutation: str, crossover: str, N: int, F: float, Cr: float) -> float:
    """P(a trial of generation 1 is infeasible)"""
    n, donors = runs.common("dimension"), runs.common("donors", "distinct")
    of_trial = theory.TRIAL_CHANCES[operators.find("crossover", crossover).exchanges]
    return fsum(weight * of_trial(p, Cr, n) for p, weight in component_chances(mutation, donors, N, F))


def why_no_curve(runs: Runs, mutation: str, crossover: str) -> str:
    """Why there is no exact curve: ``no exact curve: my-own/2 is not installed here``; empty if there is one."""
    names = {"mutation": mutation, "crossover": crossover, "donors": runs.common("donors", "distinct")}
    found = {slot: operators.find_or_none(slot, name) for slot, name in names.items()}
    missing = [names[slot] for slot, operator in found.items() if operator is None]
    reasons = [f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed here"] if missing else []
    for slot, (field, lack) in NEEDED.items():
        operator = found[slot]
        reasons += [f"{names[slot]} {lack}"] if operator and not getattr(operator, field) else []
    if (adapting := runs.common("adaptation", "fixed")) != "fixed":
        reasons.append(f"{adapting} adapts F and Cr")
    return f"no exact curve: {', '.join(reasons)}" if reasons else ""


@lru_cache(maxsize=4096)  # it does not depend on Cr, crossover and strategy, and is slow, being exact
def component_chances(mutation: str, donors: str, N: int, F: float) -> tuple[tuple[float, float], ...]:
    """For each way in which parents coincide: the chance of an infeasible component, and the chance of that way."""
    config = Config(mutation=mutation, crossover="bin", strategy="dismiss", donors=donors, N=N, F=F, Cr=0)
    return tuple(theory.component_chances(config))


def curve_points(against: str, values: tuple[float, ...]) -> tuple[float, ...]:
    """The values of F or Cr, and many between the first and the last."""
    steps = STEPS[against]
    between = range(ceil(values[0] * steps), floor(values[-1] * steps) + 1) if values else ()
    return tuple(sorted({*values, *(k / steps for k in between)}))
