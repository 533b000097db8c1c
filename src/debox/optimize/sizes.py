"""The sizes of a run, N and budget: as given, or by default (docs/defaults.md). Errors speak only of what was given."""

from __future__ import annotations

from debox import check
from debox.config import population_size
from debox.registry import Operator, smallest_population

PER_VARIABLE = 10_000  # evaluations
GENERATIONS = 10  # no fewer by default


def resolve_sizes(
    n: int, N: int | None, points: int | None, budget: int | None, mutation: Operator, donors: Operator
) -> tuple[int, int]:
    """N and budget for n variables and, if init is given, its number of points."""
    if N is not None:
        N = population_size(N, mutation, donors)
        return N, _budget(n, N, budget, f"N = {N} points start the run")
    if points is not None:
        N = population_size(points, mutation, donors, "the number of points in init")
        return N, _budget(n, N, budget, f"the {N} points of init start the run")
    budget = PER_VARIABLE * n if budget is None else population_size(budget, mutation, donors, "budget")
    return default_population(n, budget, smallest_population(mutation, donors)), budget


def default_population(n: int, budget: int, least: int) -> int:
    """3 per variable, 30 to 40, fewer (but 8) where that leaves under 10 generations; never more than the budget."""
    return max(least, min(max(3 * n, 30), 40, max(budget // GENERATIONS, 8), budget))


def _budget(n: int, N: int, budget: int | None, why: str) -> int:
    """As given, at least N; by default 10 000 per variable, more where that leaves under 10 generations."""
    if budget is None:
        return max(PER_VARIABLE * n, GENERATIONS * N)
    return check.integer("budget", budget, N, why)
