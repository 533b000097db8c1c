"""The published algorithms by one name: their parts, and their population sizes as the papers print them."""

import pytest

from debox import Config, Optimizer, config, operators


@pytest.mark.parametrize(
    ("name", "n", "N"),
    [
        *(("jDE", n, 100) for n in (5, 50)),
        *(("JADE", n, N) for n, N in ((5, 30), (10, 30), (11, 100), (30, 100), (31, 400))),
        *(("SHADE", n, 100) for n in (5, 50)),
        *(("L-SHADE", n, 18 * n) for n in (5, 50)),
    ],
)
def test_the_population_is_that_of_the_paper(name, n, N):
    assert Config.of(name, n).N == N
    assert Config.of(name.lower(), n, budget=10 * N).N == N


@pytest.mark.parametrize(
    ("n", "budget", "N"),
    [(10, 40_000, 100), (10, 441, 11), (10, 625, 13), (10, 624, 12), (30, 200, 8), (2, 40_000, 36), (1, 100, 8)],
)  # √budget/2 = 100, 10.5, 12.5, 12.49; from 8 to 18 n
def test_the_population_of_debox_is_half_the_root_of_the_budget(n, budget, N):
    assert Config.of("debox", n, budget).N == N


PUBLISHED = {  # by hand, for n = 30: N, mutation, crossover, strategy, adaptation, F and Cr of the start
    "debox": (274, "current-to-pbest/1", "bin", "mirror", "L-SHADE", 0.5, 0.5),  # √300 000/2 = 273.86
    "jDE": (100, "rand/1", "bin", "saturation", "jDE", 0.5, 0.9),
    "JADE": (100, "current-to-pbest/1", "bin", "midpoint-target", "JADE", 0.5, 0.5),
    "SHADE": (100, "current-to-pbest/1", "bin", "midpoint-target", "SHADE", 0.5, 0.5),
    "L-SHADE": (540, "current-to-pbest/1", "bin", "midpoint-target", "L-SHADE", 0.5, 0.5),
}


def test_every_part_of_a_recipe_is_the_published_one():
    names = ("N", "mutation", "crossover", "strategy", "adaptation", "F", "Cr")
    found = {name: Config.of(name, 30) for name in operators.RECIPES}
    assert {name: tuple(getattr(config, part) for part in names) for name, config in found.items()} == PUBLISHED
    assert {config.donors for config in found.values()} == {"not-target"}


@pytest.mark.parametrize("name", operators.RECIPES)
@pytest.mark.parametrize(("n", "budget"), [(2, 300), (12, 5000), (3, 50)])
def test_an_optimizer_has_the_configuration_of_its_recipe(name, n, budget):
    assert Optimizer([(0, 1)] * n, name, budget=budget).config == Config.of(name, n, budget)


REPLACED = [
    {"strategy": "toroidal", "donors": "distinct"},
    {"mutation": "rand/2", "crossover": "exp"},
    {"adaptation": "jDE"},  # F and Cr of the start are jDE's
    {"adaptation": "fixed", "F": 0.8, "Cr": 0.3},
    {"F": 0.9},
    {"strategy": "resample", "repair": "mutant"},
]


@pytest.mark.parametrize("name", operators.RECIPES)
@pytest.mark.parametrize("parts", REPLACED)
def test_a_part_is_replaced_in_an_optimizer_as_in_a_configuration(name, parts):
    assert Optimizer([(0, 1)], name, N=9, budget=99, **parts).config == Config(name, N=9, **parts)


def test_optimizer_and_configuration_have_their_defaults_from_one_place(monkeypatch):
    monkeypatch.setitem(config.DEFAULTS, "donors", "not-parents")
    assert (
        Optimizer([(0, 1)], "DE/rand/1/bin", N=9).config.donors
        == Config("DE/rand/1/bin sat, N=9, F=1, Cr=1").donors
        == "not-parents"
    )


def test_the_population_is_at_most_the_budget_and_enough_for_the_mutation():
    assert Config.of("L-SHADE", 30, budget=100).N == 100
    assert Config.of("L-SHADE", 30, budget=3).N == 3
    with pytest.raises(
        ValueError, match=r"^budget must be an integer ≥ 3, got 2: current-to-pbest/1 needs a population of 3$"
    ):
        Config.of("L-SHADE", 30, budget=2)  # two donors besides the target
    with pytest.raises(ValueError, match=r"^budget must be an integer ≥ 3, got 2\.5$"):
        Config.of("L-SHADE", 30, budget=2.5)
