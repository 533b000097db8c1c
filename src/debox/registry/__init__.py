"""THE table of operators: those of debox and those registered from outside.

Everything that lists, checks or documents operators iterates over it. To add one to debox, write a function in
`debox.de` and a line here. Users add their own with `debox.register` (adding.py), which tries each of them first
(checks/). Those come from a running program, an installed package (plugins.py) or a file named on the command line
(file.py), and are sent to the other processes that need them for a run (parcels.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from debox.de import adaptations, strategies, variation
from debox.registry.operator import Operator as Operator
from debox.registry.operator import Origin as Origin
from debox.registry.operator import Registration as Registration

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

OPERATORS = (
    Operator(
        slot="mutation",
        name="rand/1",
        function=variation.rand_1,
        citation=STORN97,
        donors=3,
        weights=lambda F: (0, 0, 1, F, -F),
    ),
    Operator(
        slot="mutation",
        name="rand/2",
        function=variation.rand_2,
        citation=BOOK,
        donors=5,
        weights=lambda F: (0, 0, 1, F, -F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="best/1",
        function=variation.best_1,
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
        function=variation.current_to_best_1,
        citation=BOOK,
        donors=2,
        uses_best=True,
        uses_target=True,
        base="target",
        weights=lambda F: (1 - F, F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="best/2",
        function=variation.best_2,
        citation=BOOK,
        donors=4,
        uses_best=True,
        base="best",
        weights=lambda F: (0, 1, F, -F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="current-to-best/2",
        short="curr-to-best/2",
        function=variation.current_to_best_2,
        citation=SADE,
        donors=4,
        uses_best=True,
        uses_target=True,
        base="target",
        weights=lambda F: (1 - F, F, F, -F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="rand-to-best/1",
        function=variation.rand_to_best_1,
        citation=SCIPY,
        donors=3,
        uses_best=True,
        weights=lambda F: (0, F, 1 - F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="rand-to-best/2",
        function=variation.rand_to_best_2,
        citation=SCIPY,
        donors=5,
        uses_best=True,
        weights=lambda F: (0, F, 1 - F, F, -F, F, -F),
    ),
    Operator(
        slot="mutation",
        name="current-to-rand/1",
        short="curr-to-rand/1",
        function=variation.current_to_rand_1,
        citation=PRICE99,
        donors=3,
        uses_target=True,
        base="target",
        weights=lambda F, K: (1 - K, 0, K, K * F, -K * F),
    ),
    Operator(
        slot="mutation",
        name="current-to-pbest/1",
        short="curr-to-pbest/1",
        function=variation.current_to_pbest_1,
        citation=JADE,
        donors=2,
        uses_best=True,
        uses_p_best=True,
        uses_archive=True,
        uses_target=True,
        base="target",
        weights=lambda F: (1 - F, F, F, -F),
    ),
    Operator(slot="crossover", name="bin", function=variation.binomial, citation=STORN97, exchanges="each"),
    Operator(slot="crossover", name="exp", function=variation.exponential, citation=STORN95, exchanges="segment"),
    Operator(slot="strategy", name="saturation", short="sat", function=strategies.saturation, citation=INFEASIBLE),
    Operator(slot="strategy", name="toroidal", short="tor", function=strategies.toroidal, citation=INFEASIBLE),
    Operator(slot="strategy", name="mirror", short="mirr", function=strategies.mirror, citation=INFEASIBLE),
    Operator(slot="strategy", name="COTN", function=strategies.cotn, citation=INFEASIBLE),
    Operator(slot="strategy", name="uniform", short="unif", function=strategies.uniform, citation=BOOK),
    Operator(
        slot="strategy", name="midpoint-target", short="mid-tgt", function=strategies.midpoint_target, citation=JADE
    ),
    Operator(
        slot="strategy", name="midpoint-base", short="mid-base", function=strategies.midpoint_base, citation=BOUNDS
    ),
    Operator(slot="strategy", name="rand-target", short="rand-tgt", function=strategies.rand_target, citation=BOUNDS),
    Operator(slot="strategy", name="rand-base", function=strategies.rand_base, citation=BOOK),
    Operator(slot="strategy", name="exp-target", short="exp-tgt", function=strategies.exp_target, citation=CONFINED),
    Operator(slot="strategy", name="exp-center", short="exp-ctr", function=strategies.exp_center, citation=MODDE),
    Operator(slot="strategy", name="exp-spread", short="exp-spr", function=strategies.exp_spread, citation=CONFINED),
    Operator(
        slot="strategy", name="reflect-random", short="refl-rnd", function=strategies.reflect_random, citation=MINION
    ),
    Operator(
        slot="strategy",
        name="dismiss",
        short="dism",
        function=strategies.dismiss,
        citation=INFEASIBLE,
        whole=True,
        dismisses=True,
    ),
    Operator(
        slot="strategy",
        name="conservatism",
        short="cons",
        function=strategies.conservatism,
        citation=BOUNDS,
        whole=True,
    ),
    Operator(
        slot="strategy",
        name="project-midpoint",
        short="proj-mid",
        function=strategies.project_midpoint,
        citation=BOUNDS,
        whole=True,
    ),
    Operator(
        slot="strategy",
        name="project-base",
        short="proj-base",
        function=strategies.project_base,
        citation=BOUNDS,
        whole=True,
    ),
    Operator(slot="strategy", name="resample", short="res", function=strategies.resample, citation=BOUNDS, redraws=100),
    Operator(
        slot="strategy",
        name="penalty",
        short="pen",
        function=strategies.penalty,
        citation=BOOK,
        whole=True,
        penalises=True,
    ),
    Operator(
        slot="strategy",
        name="none",
        function=strategies.none,
        citation=STORN97,
        whole=True,
        leaves_outside=True,
    ),
    Operator(slot="donors", name="distinct", function=variation.distinct, citation=PAPER, uniform=True),
    Operator(
        slot="donors",
        name="not-target",
        function=variation.not_target,
        citation=STORN97,
        avoids=("target",),
        uniform=True,
    ),
    Operator(
        slot="donors",
        name="not-parents",
        function=variation.not_parents,
        citation=BOOK,
        avoids=("target", "best"),
        uniform=True,
    ),
    Operator(
        slot="adaptation",
        name="fixed",
        function=adaptations.sample_fixed,
        learn=adaptations.learn_nothing,
        citation=STORN97,
        start=(0.6, 0.7),  # F and Cr that `minimize` has by default (config.with_defaults); a Config must say them
    ),
    Operator(
        slot="adaptation",
        name="jDE",
        function=adaptations.sample_jde,
        learn=adaptations.learn_jde,
        citation=JDE,
        memory=0,
        start=(0.5, 0.9),
    ),
    Operator(
        slot="adaptation",
        name="JADE",
        function=adaptations.sample_jade,
        learn=adaptations.learn_jade,
        citation=JADE,
        archives=1.0,
        keeps_ties=True,
    ),
    Operator(
        slot="adaptation",
        name="SHADE",
        function=adaptations.sample_shade,
        learn=adaptations.learn_shade,
        citation=SHADE,
        memory=100,
        p=0.2,
        p_varies=True,
        archives=1.0,
    ),
    Operator(
        slot="adaptation",
        name="L-SHADE",
        function=adaptations.sample_lshade,
        learn=adaptations.learn_lshade,
        citation=LSHADE,
        memory=6,
        has_terminal_cells=True,
        p=0.11,
        archives=2.6,
        last_N=4,
    ),
)

REGISTRATIONS: tuple[Registration, ...] = ()  # from outside, in their order; `adding.register` replaces it
_NAMES: dict[str, tuple[tuple[Operator, ...], tuple[Registration, ...], Mapping[str, Operator]]] = {}  # `_by_name`

# What other texts call strategies. An error proposes our name; theirs is not accepted, so that a strategy has one name.
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
    return _in_slot(slot, OPERATORS, REGISTRATIONS)


def _in_slot(
    slot: str, operators: tuple[Operator, ...], registrations: tuple[Registration, ...]
) -> tuple[Operator, ...]:
    every = (*operators, *(registration.operator for registration in registrations))
    return tuple(operator for operator in every if operator.slot == slot)


def from_outside(operators: Iterable[Operator]) -> tuple[Operator, ...]:
    """Those of the operators that are not debox's own, each once, in the order of their names."""
    distinct = {id(operator): operator for operator in operators}.values()  # of n strategies most are one
    outside = {operator for operator in distinct if operator not in OPERATORS}
    return tuple(sorted(outside, key=lambda operator: (operator.slot, operator.name)))


def look_for_plugins() -> None:
    """Register what installed packages offer, once in a process."""
    from debox.registry.plugins import load

    load()


def find(slot: str, name: object) -> Operator:
    """The operator of this long or short name, in any case; installed packages are asked for one that is not known."""
    if not isinstance(name, str):
        hint = "; the scale factor is F" if slot == "mutation" else ""  # SciPy's keyword mutation is a number
        raise ValueError(f"{slot} must be a name, got {name!r}{hint}; choose from {', '.join(known_names(slot))}")
    wanted, known = name.strip().lower(), _by_name(slot)
    if wanted not in known:
        look_for_plugins()
        known = _by_name(slot)
    if wanted in known:
        return known[wanted]
    raise ValueError(f"unknown {slot} {name!r}; {_hint(slot, wanted, known)}choose from {', '.join(known_names(slot))}")


def find_or_none(slot: str, name: object) -> Operator | None:
    """As `find`, but None if there is no such operator: a stored study may name some that are not installed here."""
    try:
        return find(slot, name)
    except ValueError:
        return None


def _by_name(slot: str) -> Mapping[str, Operator]:
    """The operators of a slot by every name that they have, long and short, in small letters.

    Kept until there are others: every configuration of a study asks for five.
    """
    operators, registrations, names = _NAMES.get(slot, ((), (), {}))
    if operators is not OPERATORS or registrations is not REGISTRATIONS:
        operators, registrations = OPERATORS, REGISTRATIONS
        some = _in_slot(slot, operators, registrations)  # of these, though a thread may register another meanwhile
        names = {alias.lower(): operator for operator in some for alias in (operator.short, operator.name)}
        _NAMES[slot] = operators, registrations, names
    return names


def known_names(slot: str) -> list[str]:
    """Each operator's name, with the short one in brackets where it differs."""
    return [o.name if o.name == o.short else f"{o.name} ({o.short})" for o in in_slot(slot)]


def _hint(slot: str, wanted: str, known: Mapping[str, Operator]) -> str:
    if slot == "strategy" and re.fullmatch(r"[a-z]+\d(bin|exp)", wanted):
        variant = scipy_names().get(wanted)
        example = f": pass it as variant={variant!r}" if variant else ""
        return f"that is a DE variant{example}, strategy says what happens outside the box; "
    if slot == "strategy" and wanted in NAMES_IN_OTHER_TEXTS:
        return f"did you mean {NAMES_IN_OTHER_TEXTS[wanted]!r}? "
    near = get_close_matches(wanted, known, n=1)
    return f"did you mean {known[near[0]].name!r}? " if near else ""


def scipy_names() -> dict[str, str]:
    """What SciPy calls our variants, in small letters: ``best1bin`` → ``DE/best/1/bin``"""
    pairs = [(m, c) for m in in_slot("mutation") for c in in_slot("crossover")]
    return {(re.sub(r"\W", "", m.name) + c.name).lower(): f"DE/{m.short}/{c.short}" for m, c in pairs}


def donor_rule(rule: Operator, mutation: Operator) -> Operator:
    """The rule in force for a mutation: one that does not use the best has no best among its parents to avoid.

    A uniform rule that avoids the best is then replaced by the one that does not; any other rule stays as it is.
    """
    if mutation.uses_best or "best" not in rule.avoids or not rule.uniform:
        return rule
    others = tuple(who for who in rule.avoids if who != "best")
    return next(other for other in in_slot("donors") if other.avoids == others and other.uniform)


def smallest_population(mutation: Operator, rule: Operator) -> int:
    """How many individuals the mutation needs under a donor rule."""
    return mutation.donors + len(donor_rule(rule, mutation).avoids)


def markdown_table() -> str:
    """Debox's own operators as docs/operators.md shows them; a bar inside a cell is escaped."""
    cells = [(o.slot, ", ".join(dict.fromkeys((o.name, o.short))), o.formula.replace("|", r"\|")) for o in OPERATORS]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| slot | names | what it does |", "|---|---|---|", *rows])
