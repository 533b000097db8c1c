"""Recipes: whole algorithms by one name, of which any part can be replaced."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple


class Recipe(NamedTuple):
    """The parts of an algorithm by their names, and its population size."""

    mutation: str
    crossover: str
    strategy: str
    adaptation: str
    population: Callable[[int, int], int]  # N from the number of variables and the budget
    population_in_words: str

    @property
    def text(self) -> str:
        """``DE/rand/1/bin saturation, adaptation=jDE``"""
        return f"DE/{self.mutation}/{self.crossover} {self.strategy}, adaptation={self.adaptation}"


def classic_population(n: int, budget: int) -> int:
    """3 per variable, 30 to 40, fewer (but 8) where that leaves under 10 generations."""
    return min(max(3 * n, 30), 40, max(budget // 10, 8))


def jade_population(n: int, budget: int) -> int:
    """30 up to 10 variables, 100 up to 30, then 400."""
    return 30 if n <= 10 else 100 if n <= 30 else 400


def population_by_budget(n: int, budget: int) -> int:
    """⌊√budget/2 + ½⌋, at least 8 and no more than L-SHADE's 18 per variable (docs/defaults.md)."""
    return max(8, min(math.floor(math.sqrt(budget) / 2 + 0.5), 18 * n))


# The default of `minimize`, and the published algorithms. jDE's sources do not settle its strategy.
RECIPES = {
    "debox": Recipe(
        "current-to-pbest/1", "bin", "mirror", "L-SHADE", population_by_budget, "N = √budget/2, from 8 to 18 n"
    ),
    "jDE": Recipe("rand/1", "bin", "saturation", "jDE", lambda n, budget: 100, "N = 100"),
    "JADE": Recipe(
        "current-to-pbest/1",
        "bin",
        "midpoint-target",
        "JADE",
        jade_population,
        "N = 30 up to n = 10, 100 up to n = 30, then 400",
    ),
    "SHADE": Recipe("current-to-pbest/1", "bin", "midpoint-target", "SHADE", lambda n, budget: 100, "N = 100"),
    "L-SHADE": Recipe("current-to-pbest/1", "bin", "midpoint-target", "L-SHADE", lambda n, budget: 18 * n, "N = 18 n"),
}
BY_NAME = {name.lower(): recipe for name, recipe in RECIPES.items()}


def find_or_none(name: object) -> Recipe | None:
    """The recipe of this name, in any case; None if there is none."""
    return BY_NAME.get(name.strip().lower()) if isinstance(name, str) else None


def similar(name: str) -> list[str]:
    """The recipe whose name is most like this one, if any: ``LSHADE`` → ``L-SHADE``"""
    letters = {re.sub(r"[^a-z]", "", key): key for key in BY_NAME}
    near = get_close_matches(re.sub(r"[^a-z]", "", name.lower()), letters, n=1)
    names = {key.lower(): key for key in RECIPES}
    return [names[letters[key]] for key in near]


def classic(mutation: str, crossover: str) -> Recipe:
    """Differential Evolution with this mutation and crossover, F and Cr fixed."""
    return Recipe(mutation, crossover, "mirror", "fixed", classic_population, "N = 3 n, from 30 to 40")
