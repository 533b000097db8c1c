"""THE table of operators. Everything that lists, checks or documents operators iterates over it.

Adding an operator is one function in `debox.de` and one line here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from debox.de import crossover, donors, mutation, strategies


@dataclass(frozen=True)
class Operator:
    slot: str  # mutation, crossover, strategy or donors
    name: str
    short: str  # as in the paper's captions
    function: Callable[..., Any]
    citation: str
    donors: int = 0  # mutation: how many individuals it draws
    uses_best: bool = False  # mutation: is the best a parent?
    uses_target: bool = False  # mutation: is the target one?
    base: str = "r1"  # mutation: the vector to which differences are added, "r1", "best" or "target"
    weights: Callable[[Any], tuple[Any, ...]] | None = None  # mutation: by F, of target, best, r1, …; they add up to 1
    exchanges: str = ""  # crossover: "each" component by itself, or a "segment"; empty: the fast f0 engine is no help
    avoids: tuple[str, ...] = ()  # donors: who, besides each other, is never drawn
    whole: bool = False  # strategy: for the whole infeasible trial, not for each violated component
    dismisses: bool = False  # strategy: an infeasible trial becomes its target, so that `reevaluate` matters

    @property
    def formula(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").split("\n")[0]


STORN95 = "Storn & Price 1995, TR-95-012"
STORN97 = "Storn & Price 1997, J. Global Optim. 11"
BOOK = "Price, Storn & Lampinen 2005, Differential Evolution"
INFEASIBLE = "Caraffini, Kononova & Corne 2019, Inf. Sci. 496"
PAPER = "Kononova, Caraffini & Bäck 2021, Inf. Sci. 581"

OPERATORS = (
    Operator("mutation", "rand/1", "rand/1", mutation.rand_1, STORN97, donors=3, weights=lambda F: (0, 0, 1, F, -F)),
    Operator(
        "mutation", "rand/2", "rand/2", mutation.rand_2, BOOK, donors=5, weights=lambda F: (0, 0, 1, F, -F, F, -F)
    ),
    Operator(
        "mutation",
        "best/1",
        "best/1",
        mutation.best_1,
        BOOK,
        donors=2,
        uses_best=True,
        base="best",
        weights=lambda F: (0, 1, F, -F),
    ),
    Operator(
        "mutation",
        "current-to-best/1",
        "curr-to-best/1",
        mutation.current_to_best_1,
        BOOK,
        donors=2,
        uses_best=True,
        uses_target=True,
        base="target",
        weights=lambda F: (1 - F, F, F, -F),
    ),
    Operator("crossover", "bin", "bin", crossover.binomial, STORN97, exchanges="each"),
    Operator("crossover", "exp", "exp", crossover.exponential, STORN95, exchanges="segment"),
    Operator("strategy", "saturation", "sat", strategies.saturation, INFEASIBLE),
    Operator("strategy", "toroidal", "tor", strategies.toroidal, INFEASIBLE),
    Operator("strategy", "mirror", "mirr", strategies.mirror, INFEASIBLE),
    Operator("strategy", "COTN", "COTN", strategies.cotn, INFEASIBLE),
    Operator("strategy", "dismiss", "dism", strategies.dismiss, INFEASIBLE, whole=True, dismisses=True),
    Operator("donors", "distinct", "distinct", donors.distinct, PAPER),
    Operator("donors", "not-target", "not-target", donors.not_target, STORN97, avoids=("target",)),
    Operator("donors", "not-parents", "not-parents", donors.not_parents, BOOK, avoids=("target", "best")),
)

# What other texts call them: proposed in an error, not accepted, so that a strategy has the paper's names everywhere.
NAMES_IN_OTHER_TEXTS = {
    "clip": "saturation",
    "clamp": "saturation",
    "wrap": "toroidal",
    "periodic": "toroidal",
    "reflect": "mirror",
}

SLOTS = tuple(dict.fromkeys(operator.slot for operator in OPERATORS))


def in_slot(slot: str) -> tuple[Operator, ...]:
    """The operators of one slot, in the order of the table."""
    return tuple(operator for operator in OPERATORS if operator.slot == slot)


def find(slot: str, name: object) -> Operator:
    """The operator of this long or short name, in any case."""
    if not isinstance(name, str):
        raise ValueError(f"{slot} must be a name, got {name!r}; choose from {', '.join(known_names(slot))}")
    known = {alias.lower(): operator for operator in in_slot(slot) for alias in (operator.short, operator.name)}
    wanted = name.strip().lower()
    if wanted in known:
        return known[wanted]
    raise ValueError(f"unknown {slot} {name!r}; {_hint(slot, wanted, known)}choose from {', '.join(known_names(slot))}")


def known_names(slot: str) -> list[str]:
    """Each operator's name, with the short one in brackets where it differs."""
    return [o.name if o.name == o.short else f"{o.name} ({o.short})" for o in in_slot(slot)]


def _hint(slot: str, wanted: str, known: dict[str, Operator]) -> str:
    if slot == "strategy" and re.fullmatch(r"[a-z]+\d(bin|exp)", wanted):
        ours = scipy_names().get(wanted)
        example = f": pass it as variant={ours!r}" if ours else ""
        return f"that is a DE variant{example}, strategy says what happens outside the box; "
    if slot == "strategy" and wanted in NAMES_IN_OTHER_TEXTS:
        return f"did you mean {NAMES_IN_OTHER_TEXTS[wanted]!r}? "
    near = get_close_matches(wanted, known, n=1)
    return f"did you mean {known[near[0]].name!r}? " if near else ""


def scipy_names() -> dict[str, str]:
    """What SciPy calls our variants: ``best1bin`` → ``DE/best/1/bin``"""
    pairs = [(m, c) for m in in_slot("mutation") for c in in_slot("crossover")]
    return {re.sub(r"\W", "", m.name) + c.name: f"DE/{m.short}/{c.short}" for m, c in pairs}


def donor_rule(rule: Operator, of_mutation: Operator) -> Operator:
    """The rule in force: a mutation that does not use the best has no best among its parents to avoid."""
    if of_mutation.uses_best or "best" not in rule.avoids:
        return rule
    return next(other for other in in_slot("donors") if other.avoids == ("target",))


def smallest_population(of_mutation: Operator, rule: Operator) -> int:
    """How many individuals the mutation needs under a donor rule."""
    return of_mutation.donors + len(donor_rule(rule, of_mutation).avoids)


def markdown_table() -> str:
    """The operators as the README shows them; a bar inside a cell is escaped."""
    cells = [(o.slot, ", ".join(dict.fromkeys((o.name, o.short))), o.formula.replace("|", r"\|")) for o in OPERATORS]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| slot | names | what it does |", "|---|---|---|", *rows])
