"""THE table of operators: those of debox and those registered from outside; and recipes, whole algorithms by one name.

Everything that lists, checks or documents operators iterates over it. To add one to debox, write a function in
reference.py, the same in core/operators.h, and a line here. Users add theirs with a decorator (outside.py), which
tries the function first (checks.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from debox import reference as ref
from debox.operators.kinds import SLOTS as SLOTS
from debox.operators.kinds import Adaptation, Crossover, Donors, Mutation, Operator, Strategy

STORN95 = "Storn & Price 1995, TR-95-012"
STORN97 = "Storn & Price 1997, J. Global Optim. 11"
BOOK = "Price, Storn & Lampinen 2005, Differential Evolution"
INFEASIBLE = "Caraffini, Kononova & Corne 2019, Inf. Sci. 496"
PRICE99 = "Price 1999, New Ideas in Optimization"
SADE = "Qin, Huang & Suganthan 2009, IEEE Trans. Evol. Comput. 13"
SCIPY = "scipy.optimize.differential_evolution, 2015"
CONFINED = "Padhye, Mittal & Deb 2015, Comput. Optim. Appl. 62"
JADE = "Zhang & Sanderson 2009, IEEE Trans. Evol. Comput. 13"
BOUNDS = "Biedrzycki, Arabas & Jagodziński 2019, Swarm Evol. Comput. 50"
MODDE = "Vermetten et al. 2023, Modular Differential Evolution, GECCO"
MINION = "the default of minionpy, 2025"
JDE = "Brest et al. 2006, IEEE Trans. Evol. Comput. 10"
SHADE = "Tanabe & Fukunaga 2013, CEC"
LSHADE = "Tanabe & Fukunaga 2014, CEC"
PAPER = "Kononova, Caraffini & Bäck 2021, Inf. Sci. 581"

BEST: dict[str, Any] = {"uses_best": True, "base": "best"}
TARGET: dict[str, Any] = {"uses_target": True, "base": "target"}
TARGET_AND_BEST = TARGET | {"uses_best": True}

# fmt: off
OPERATORS: tuple[Operator, ...] = (
    Mutation("rand/1", ref.rand_1, citation=STORN97, donors=3, weights=lambda F: (0, 0, 1, F, -F)),
    Mutation("rand/2", ref.rand_2, citation=BOOK, donors=5, weights=lambda F: (0, 0, 1, F, -F, F, -F)),
    Mutation("best/1", ref.best_1, citation=BOOK, donors=2, **BEST, weights=lambda F: (0, 1, F, -F)),
    Mutation("current-to-best/1", ref.current_to_best_1, short="curr-to-best/1", citation=BOOK,
             donors=2, **TARGET_AND_BEST, weights=lambda F: (1 - F, F, F, -F)),
    Mutation("best/2", ref.best_2, citation=BOOK, donors=4, **BEST, weights=lambda F: (0, 1, F, -F, F, -F)),
    Mutation("current-to-best/2", ref.current_to_best_2, short="curr-to-best/2", citation=SADE,
             donors=4, **TARGET_AND_BEST, weights=lambda F: (1 - F, F, F, -F, F, -F)),
    Mutation("rand-to-best/1", ref.rand_to_best_1, citation=SCIPY,
             donors=3, uses_best=True, weights=lambda F: (0, F, 1 - F, F, -F)),
    Mutation("rand-to-best/2", ref.rand_to_best_2, citation=SCIPY,
             donors=5, uses_best=True, weights=lambda F: (0, F, 1 - F, F, -F, F, -F)),
    Mutation("current-to-rand/1", ref.current_to_rand_1, short="curr-to-rand/1", citation=PRICE99,
             donors=3, **TARGET, weights=lambda F, K: (1 - K, 0, K, K * F, -K * F)),
    Mutation("current-to-pbest/1", ref.current_to_pbest_1, short="curr-to-pbest/1", citation=JADE,
             donors=2, **TARGET_AND_BEST, uses_p_best=True, uses_archive=True, weights=lambda F: (1 - F, F, F, -F)),
    Crossover("bin", ref.binomial, citation=STORN97, exchanges="each"),
    Crossover("exp", ref.exponential, citation=STORN95, exchanges="segment"),
    Strategy("saturation", ref.saturation, short="sat", citation=INFEASIBLE),
    Strategy("toroidal", ref.toroidal, short="tor", citation=INFEASIBLE),
    Strategy("mirror", ref.mirror, short="mirr", citation=INFEASIBLE),
    Strategy("COTN", ref.cotn, citation=INFEASIBLE),
    Strategy("uniform", ref.uniform, short="unif", citation=BOOK),
    Strategy("midpoint-target", ref.midpoint_target, short="mid-tgt", citation=JADE),
    Strategy("midpoint-base", ref.midpoint_base, short="mid-base", citation=BOUNDS),
    Strategy("rand-target", ref.rand_target, short="rand-tgt", citation=BOUNDS),
    Strategy("rand-base", ref.rand_base, citation=BOOK),
    Strategy("exp-target", ref.exp_target, short="exp-tgt", citation=CONFINED),
    Strategy("exp-center", ref.exp_center, short="exp-ctr", citation=MODDE),
    Strategy("exp-spread", ref.exp_spread, short="exp-spr", citation=CONFINED),
    Strategy("reflect-random", ref.reflect_random, short="refl-rnd", citation=MINION),
    Strategy("dismiss", ref.dismiss, short="dism", citation=INFEASIBLE, whole=True, dismisses=True),
    Strategy("conservatism", ref.conservatism, short="cons", citation=BOUNDS, whole=True),
    Strategy("project-midpoint", ref.project_midpoint, short="proj-mid", citation=BOUNDS, whole=True),
    Strategy("project-base", ref.project_base, short="proj-base", citation=BOUNDS, whole=True),
    Strategy("resample", ref.resample, short="res", citation=BOUNDS, redraws=100),
    Strategy("penalty", ref.penalty, short="pen", citation=BOOK, whole=True, penalises=True),
    Strategy("none", ref.none, citation=STORN97, whole=True, leaves_outside=True),
    Donors("distinct", ref.distinct, citation=PAPER, uniform=True),
    Donors("not-target", ref.not_target, citation=STORN97, avoids=("target",), uniform=True),
    Donors("not-parents", ref.not_parents, citation=BOOK, avoids=("target", "best"), uniform=True),
    # The start of "fixed" is F and Cr that `minimize` has by default (config.complete); a Config must say them.
    Adaptation("fixed", ref.sample_fixed, learn=ref.learn_nothing, citation=STORN97, start=(0.6, 0.7)),
    Adaptation("jDE", ref.sample_jde, learn=ref.learn_jde, citation=JDE, memory=0, start=(0.5, 0.9)),
    Adaptation("JADE", ref.sample_jade, learn=ref.learn_jade, citation=JADE, archives=1.0, keeps_ties=True),
    Adaptation("SHADE", ref.sample_shade, learn=ref.learn_shade, citation=SHADE,
               memory=100, p=0.2, p_varies=True, archives=1.0),
    Adaptation("L-SHADE", ref.sample_shade, learn=ref.learn_lshade, citation=LSHADE,
               memory=6, has_terminal_cells=True, p=0.11, archives=2.6, last_N=4),
)
# fmt: on


REGISTRATIONS: tuple[Operator, ...] = ()  # those of users, in their order; `outside.register` replaces the tuple

# Strategies by the names of other texts: an error proposes debox's name, so that a strategy has one name.
SYNONYMS = {
    "clip": "saturation",
    "clamp": "saturation",
    "wrap": "toroidal",
    "periodic": "toroidal",
    "reflect": "mirror",
}


class UnknownOperator(ValueError):
    """No operator has this name; the message begins with ``unknown strategy 'mine';``"""


# Operators by their names.


def in_slot(slot: str) -> tuple[Any, ...]:
    """The operators of one slot: debox's own in the order of the table, then those registered so far."""
    return tuple(operator for operator in (*OPERATORS, *REGISTRATIONS) if operator.slot == slot)


def from_outside(operators: Iterable[Operator]) -> tuple[Operator, ...]:
    """The operators that users made, each once, in the order of their names."""
    return tuple(sorted(set(operators) - set(OPERATORS), key=lambda operator: (operator.slot, operator.name)))


def find(slot: str, name: object) -> Any:
    """An operator by its long or short name in any case, perhaps of an installed package; or itself if registered."""
    if isinstance(name, Operator):
        if name not in in_slot(slot):
            raise ValueError(f"{slot} {name.name!r} is not registered; call debox.register with it first")
        return name
    if not isinstance(name, str):
        hint = "; the scale factor is F" if slot == "mutation" else ""  # SciPy's keyword mutation is a number
        raise ValueError(f"{slot} must be a name, got {name!r}{hint}; {_choices(slot)}")
    wanted, known = name.strip().lower(), _by_name(slot)
    if wanted not in known:
        from debox.operators.outside import load_packages

        load_packages()
        known = _by_name(slot)
    if wanted in known:
        return known[wanted]
    raise UnknownOperator(f"unknown {slot} {name!r}; {_hint(slot, wanted, known)}{_choices(slot)}")


def find_or_none(slot: str, name: object) -> Any:
    """As `find`, but None if there is no such operator: a stored study may name operators not installed here."""
    try:
        return find(slot, name)
    except ValueError:
        return None


def _by_name(slot: str) -> dict[str, Any]:
    """The operators of a slot by their names, long and short, in small letters."""
    return {name: operator for operator in in_slot(slot) for name in operator.names}


def _choices(slot: str) -> str:
    """The names of a slot, each with the short name in brackets where it differs."""
    names = [o.name if o.name == o.short else f"{o.name} ({o.short})" for o in in_slot(slot)]
    return f"choose from {', '.join(names)}"


def _hint(slot: str, wanted: str, known: Mapping[str, Operator]) -> str:
    if slot == "strategy" and (variant := scipy_names().get(wanted)):
        return f"that is a DE variant: pass it as variant={variant!r}, strategy says what happens outside the box; "
    meant = {name: operator.name for name, operator in known.items()} | (SYNONYMS if slot == "strategy" else {})
    near = get_close_matches(wanted, meant, n=1)
    return f"did you mean {meant[near[0]]!r}? " if near else ""


def scipy_names() -> dict[str, str]:
    """SciPy's names of variants, in small letters: ``best1bin`` → ``DE/best/1/bin``"""
    pairs = [(m, c) for m in in_slot("mutation") for c in in_slot("crossover")]
    return {(re.sub(r"\W", "", m.name) + c.name).lower(): f"DE/{m.short}/{c.short}" for m, c in pairs}


def donor_rule(rule: Donors, mutation: Mutation) -> Donors:
    """The donor rule that a mutation runs with: without the best, a uniform rule becomes the one that may draw it."""
    if mutation.uses_best or "best" not in rule.avoids or not rule.uniform:
        return rule
    return find("donors", "not-target" if "target" in rule.avoids else "distinct")  # type: ignore[no-any-return]


def smallest_population(mutation: Mutation, rule: Donors) -> int:
    """The smallest population in which the mutation can draw its donors by a rule; there is always a target."""
    return max(1, mutation.donors + len(donor_rule(rule, mutation).avoids))


# Recipes: whole algorithms by one name, of which any part can be replaced.


class Recipe(NamedTuple):
    """The parts of an algorithm by their names, and its population size."""

    mutation: str
    crossover: str
    strategy: str
    adaptation: str
    population: Callable[[int, int], int]  # N from the number of variables and the budget
    population_in_words: str
    tol: float | None = None  # by default, to stop a run that has converged
    polishes: bool = False  # by default, in `minimize`

    @property
    def text(self) -> str:
        """``DE/rand/1/bin saturation, adaptation=jDE``"""
        return f"DE/{self.mutation}/{self.crossover} {self.strategy}, adaptation={self.adaptation}"


def population_by_budget(n: int, budget: int) -> int:
    """⌊√budget/2 + ½⌋, at least 8, at most L-SHADE's 18 per variable: see the page "The defaults of minimize"."""
    return max(8, min(math.floor(math.sqrt(budget) / 2 + 0.5), 18 * n))


# The default of `minimize`, and the published algorithms. jDE's sources do not settle its strategy.
P_BEST = ("current-to-pbest/1", "bin")
TOL = 1e-12  # of the default: without polish it ends 8 of 132 tuning runs of 1000 n too early, 1e-10 ends 28
RECIPES = {
    "debox": Recipe(*P_BEST, "mirror", "L-SHADE", population_by_budget, "N = √budget/2, from 8 to 18 n", TOL, True),
    "jDE": Recipe("rand/1", "bin", "saturation", "jDE", lambda n, budget: 100, "N = 100"),
    "JADE": Recipe(
        *(*P_BEST, "midpoint-target", "JADE", lambda n, budget: 30 if n <= 10 else 100 if n <= 30 else 400),
        "N = 30 up to n = 10, 100 up to n = 30, then 400",
    ),
    "SHADE": Recipe(*P_BEST, "midpoint-target", "SHADE", lambda n, budget: 100, "N = 100"),
    "L-SHADE": Recipe(*P_BEST, "midpoint-target", "L-SHADE", lambda n, budget: 18 * n, "N = 18 n"),
}
RECIPE_SLOTS = Recipe._fields[:4]  # a recipe says nothing about donors


def find_recipe(name: object) -> Recipe | None:
    """The recipe of this name, in any case; None if there is none."""
    by_name = {key.lower(): recipe for key, recipe in RECIPES.items()}
    return by_name.get(name.strip().lower()) if isinstance(name, str) else None


def classic(mutation: str, crossover: str) -> Recipe:
    """Differential Evolution with this mutation and crossover, F and Cr fixed."""

    def population(n: int, budget: int) -> int:
        return min(max(3 * n, 30), 40, max(budget // 10, 8))  # fewer where that would leave under 10 generations

    return Recipe(mutation, crossover, "mirror", "fixed", population, "N = 3 n, from 30 to 40")
