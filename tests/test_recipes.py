"""The published algorithms by one name: their parts, and their population sizes as the papers print them."""

import pytest

from debox import Config, recipes
from debox.config import resolve_operator


@pytest.mark.parametrize(
    ("name", "n", "N"),
    [
        *(("jDE", n, 100) for n in (5, 50)),
        *(("JADE", n, N) for n, N in ((5, 30), (10, 30), (30, 100), (100, 400))),
        *(("SHADE", n, 100) for n in (5, 50)),
        *(("L-SHADE", n, 18 * n) for n in (5, 50)),
    ],
)
def test_the_population_is_that_of_the_paper(name, n, N):
    assert Config.of(name, n).N == N
    assert Config.of(name.lower(), n, budget=10 * N).N == N


def test_the_population_is_at_most_the_budget_and_enough_for_the_mutation():
    assert Config.of("L-SHADE", 30, budget=100).N == 100
    assert Config.of("L-SHADE", 30, budget=2).N == 3  # two donors besides the target


@pytest.mark.parametrize("name", recipes.RECIPES)
def test_every_part_of_a_recipe_is_an_operator_and_its_text_says_them(name):
    recipe = recipes.RECIPES[name]
    for slot in ("mutation", "crossover", "strategy", "adaptation"):
        assert resolve_operator(slot, getattr(recipe, slot)).name == getattr(recipe, slot)
    assert Config(recipe.text, N=50) == Config(name, N=50)


@pytest.mark.parametrize(
    ("written", "meant"), [("LSHADE", ["L-SHADE"]), ("L-SHADE-EpSin", ["L-SHADE"]), ("jade2", ["JADE"]), ("CMA", [])]
)
def test_the_nearest_recipe_is_found(written, meant):
    assert recipes.similar(written) == meant
