"""THE table of operators: those of debox and those registered from outside.

Everything that lists, checks or documents operators iterates over it. Adding one to debox is a function in `debox.de`
and a line here; one's own file adds some with `debox.register` (adding.py), which tries them first (checks/). They come
from a running program, an installed package (plugins.py) or a file named on the command line (file.py), and go with
the runs that need them to other processes (parcels.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from debox.de import crossover, donors, mutation, strategies


@dataclass(frozen=True, kw_only=True)
class Operator:
    """A mutation, crossover, strategy or donor rule: a kernel and what debox must know of it.

    Parameters
    ----------
    slot : {"mutation", "crossover", "strategy", "donors"}
        What kind of operator it is.
    name : str
        Letters, digits, "-" and "/" between them; written in any case.
    function : callable
        A function marked with `debox.kernel`, whose docstring begins with its formula. Its arguments are its slot's:
        mutation ``(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F)`` returns a component of the mutant;
        crossover ``(x, v, Cr, rng, u)`` writes the trial u made of target x and mutant v;
        strategy ``(u, x, c, a, b, rng)`` returns a number in [a, b] for a component u outside it, x and c being the
        components of target and base; with `whole`, all are vectors and u is changed;
        donors ``(N, target, best, rng, r)`` writes distinct indices below N into r.
    short : str, optional
        The name in captions and texts; `name` if not given.
    citation : str, optional
        Where it comes from.
    donors : int, default 0
        Mutation: how many donors it draws, at most 5.
    uses_best, uses_target : bool, default False
        Mutation: whether the best and the target are among its parents.
    base : {"r1", "best", "target"}, default "r1"
        Mutation: the vector to which differences are added; its components are the c of a strategy.
    weights : callable, optional
        Mutation: from F the tuple of the weights of target, best, r1, … which add up to 1, if it is a weighted sum.
        With it the fast engine is faster and `debox.theory` has formulas.
    exchanges : {"", "each", "segment"}, default ""
        Crossover: its law is that of bin, that of exp or another one, for which the fast engine is no help.
    whole : bool, default False
        Strategy: for the whole infeasible trial, not for each violated component.
    dismisses : bool, default False
        Strategy: an infeasible trial becomes its target, so that `reevaluate` matters.
    avoids : tuple of str, default ()
        Donors: which of "target" and "best", in this order, are never drawn.
    uniform : bool, default False
        Donors: whether all draws that are allowed are equally likely; else the fast engine is no help.

    Raises
    ------
    ValueError
        If a field is not what it may be; the message names it.

    Examples
    --------
    >>> import debox
    >>> @debox.kernel
    ... def middle(u, x, c, a, b, rng):
    ...     '''(a + b)/2'''
    ...     return a + (b - a) / 2
    >>> debox.Operator(slot="strategy", name="middle", function=middle).formula
    '(a + b)/2'
    """

    slot: str
    name: str
    function: Callable[..., Any]
    short: str = ""
    citation: str = ""
    donors: int = 0
    uses_best: bool = False
    uses_target: bool = False
    base: str = "r1"
    weights: Callable[[Any], tuple[Any, ...]] | None = None
    exchanges: str = ""
    whole: bool = False
    dismisses: bool = False
    avoids: tuple[str, ...] = ()
    uniform: bool = False

    def __post_init__(self) -> None:
        from debox.registry.fields import check_fields

        if self.short == "":
            object.__setattr__(self, "short", self.name)
        check_fields(self)

    @property
    def formula(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").split("\n")[0].strip()


class Origin(NamedTuple):
    """Where an operator from outside comes from."""

    where: str  # in words
    source: str | None = None  # the text of the file that registered it, if that travels to workers


class Registered(NamedTuple):
    """An operator from outside and its origin."""

    operator: Operator
    origin: Origin


STORN95 = "Storn & Price 1995, TR-95-012"
STORN97 = "Storn & Price 1997, J. Global Optim. 11"
BOOK = "Price, Storn & Lampinen 2005, Differential Evolution"
INFEASIBLE = "Caraffini, Kononova & Corne 2019, Inf. Sci. 496"
PAPER = "Kononova, Caraffini & Bäck 2021, Inf. Sci. 581"

OPERATORS = (
    Operator(
        slot="mutation",
        name="rand/1",
        function=mutation.rand_1,
        citation=STORN97,
        donors=3,
        weights=lambda F: (0, 0, 1, F, -F),
    ),
    Operator(
        slot="mutation",
        name="rand/2",
        function=mutation.rand_2,
        citation=BOOK,
        donors=5,
        weights=lambda F: (0, 0, 1, F, -F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="best/1",
        function=mutation.best_1,
        citation=BOOK,
        donors=2,
        uses_best=True,
        base="best",
        weights=lambda F: (0, 1, F, -F),
    ),
    Operator(
        slot="mutation",
        name="current-to-best/1",
        short="curr-to-best/1",
        function=mutation.current_to_best_1,
        citation=BOOK,
        donors=2,
        uses_best=True,
        uses_target=True,
        base="target",
        weights=lambda F: (1 - F, F, F, -F),
    ),
    Operator(slot="crossover", name="bin", function=crossover.binomial, citation=STORN97, exchanges="each"),
    Operator(slot="crossover", name="exp", function=crossover.exponential, citation=STORN95, exchanges="segment"),
    Operator(slot="strategy", name="saturation", short="sat", function=strategies.saturation, citation=INFEASIBLE),
    Operator(slot="strategy", name="toroidal", short="tor", function=strategies.toroidal, citation=INFEASIBLE),
    Operator(slot="strategy", name="mirror", short="mirr", function=strategies.mirror, citation=INFEASIBLE),
    Operator(slot="strategy", name="COTN", function=strategies.cotn, citation=INFEASIBLE),
    Operator(
        slot="strategy",
        name="dismiss",
        short="dism",
        function=strategies.dismiss,
        citation=INFEASIBLE,
        whole=True,
        dismisses=True,
    ),
    Operator(slot="donors", name="distinct", function=donors.distinct, citation=PAPER, uniform=True),
    Operator(
        slot="donors",
        name="not-target",
        function=donors.not_target,
        citation=STORN97,
        avoids=("target",),
        uniform=True,
    ),
    Operator(
        slot="donors",
        name="not-parents",
        function=donors.not_parents,
        citation=BOOK,
        avoids=("target", "best"),
        uniform=True,
    ),
)

REGISTERED: tuple[Registered, ...] = ()  # from outside, in the order in which they came; `adding.register` replaces it

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
    """The operators of one slot: debox's own in the order of the table, then those registered so far."""
    every = (*OPERATORS, *(registered.operator for registered in REGISTERED))
    return tuple(operator for operator in every if operator.slot == slot)


def from_outside(operators: Iterable[Operator]) -> tuple[Operator, ...]:
    """Those of the operators that are not debox's own, each once, in the order of their names."""
    found = {operator for operator in operators if operator not in OPERATORS}
    return tuple(sorted(found, key=lambda operator: (operator.slot, operator.name)))


def look_for_plugins() -> bool:
    """Register what installed packages offer, once; whether there was anything new."""
    from debox.registry.plugins import load

    return load()


def find(slot: str, name: object) -> Operator:
    """The operator of this long or short name, in any case; installed packages are asked for one that is not known."""
    if not isinstance(name, str):
        raise ValueError(f"{slot} must be a name, got {name!r}; choose from {', '.join(known_names(slot))}")
    wanted, known = name.strip().lower(), _by_name(slot)
    if wanted not in known and look_for_plugins():
        known = _by_name(slot)
    if wanted in known:
        return known[wanted]
    raise ValueError(f"unknown {slot} {name!r}; {_hint(slot, wanted, known)}choose from {', '.join(known_names(slot))}")


def _by_name(slot: str) -> dict[str, Operator]:
    """Every name, long and short, in small letters."""
    return {alias.lower(): operator for operator in in_slot(slot) for alias in (operator.short, operator.name)}


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
    """The rule in force: a mutation that does not use the best has no best among its parents to avoid.

    Of uniform rules the one without it takes its place; any other rule stays what it is.
    """
    if of_mutation.uses_best or "best" not in rule.avoids or not rule.uniform:
        return rule
    others = tuple(who for who in rule.avoids if who != "best")
    return next(other for other in in_slot("donors") if other.avoids == others and other.uniform)


def smallest_population(of_mutation: Operator, rule: Operator) -> int:
    """How many individuals the mutation needs under a donor rule."""
    return of_mutation.donors + len(donor_rule(rule, of_mutation).avoids)


def markdown_table() -> str:
    """Debox's own operators as docs/operators.md shows them; a bar inside a cell is escaped."""
    cells = [(o.slot, ", ".join(dict.fromkeys((o.name, o.short))), o.formula.replace("|", r"\|")) for o in OPERATORS]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| slot | names | what it does |", "|---|---|---|", *rows])
