"""Operator: one line of the table of operators, checked when it is made; and where one from outside comes from."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

NAME_PART = "[A-Za-z0-9][A-Za-z0-9-]*"
NAME = re.compile(f"{NAME_PART}(/{NAME_PART})*")
LONGEST_NAME = 60  # letters
NAME_RULE = f"a name of letters, digits, '-' and '/' between them, such as 'rand/1', at most {LONGEST_NAME}"
MOST_DONORS = 5
MOST_REDRAWS = 10_000
MOST_CELLS = 10_000  # of an adaptation's memory
MOST_ARCHIVED = 100  # times N

ARGUMENTS = {
    "mutation": ("x", "x_best", "x_r1", "x_r2", "x_r3", "x_r4", "x_r5", "F"),
    "crossover": ("x", "v", "Cr", "rng", "u"),
    "strategy": ("u", "x", "c", "a", "b", "rng"),
    "donors": ("N", "target", "best", "rng", "r"),
    "adaptation": ("i", "memory", "rng", "F_Cr"),
}
LEARN_ARGUMENTS = ("F_Cr", "gain", "memory", "cell")


def is_number(value: object) -> bool:
    """Is it a real number, and not True or False?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


# The fields that one slot alone has: a test of the value, and what it may be, in words.
FLAG = (lambda value: isinstance(value, bool), "True or False")
FIELDS_BY_SLOT: dict[str, dict[str, tuple[Callable[[Any], bool], str]]] = {
    "mutation": {
        "donors": (lambda k: type(k) is int and 0 <= k <= MOST_DONORS, f"an integer from 0 to {MOST_DONORS}"),
        "uses_best": FLAG,
        "uses_target": FLAG,
        "uses_p_best": FLAG,
        "uses_archive": FLAG,
        "base": (lambda base: base in ("r1", "best", "target"), "'r1', 'best' or 'target'"),
        "weights": (lambda weights: weights is None or callable(weights), "None or a function of F"),
    },
    "crossover": {"exchanges": (lambda kind: kind in ("", "each", "segment"), "'', 'each' or 'segment'")},
    "strategy": {
        "whole": FLAG,
        "dismisses": FLAG,
        "penalises": FLAG,
        "redraws": (lambda k: type(k) is int and 0 <= k <= MOST_REDRAWS, f"an integer from 0 to {MOST_REDRAWS}"),
        "leaves_outside": FLAG,
    },
    "donors": {
        "avoids": (
            lambda avoids: avoids in ((), ("target",), ("best",), ("target", "best")),
            "(), ('target',), ('best',) or ('target', 'best')",
        ),
        "uniform": FLAG,
    },
    "adaptation": {
        "learn": (lambda learn: callable(learn), "a function"),
        "has_terminal_cells": FLAG,
        "memory": (
            lambda H: type(H) is int and 0 <= H <= MOST_CELLS,
            f"an integer from 0, for a pair per individual, to {MOST_CELLS}",
        ),
        "start": (
            lambda pair: (
                isinstance(pair, tuple)
                and len(pair) == 2
                and all(map(is_number, pair))
                and 0 < pair[0] <= 2
                and 0 <= pair[1] <= 1
            ),
            "a pair of F in (0, 2] and Cr in [0, 1]",
        ),
        "p": (lambda p: is_number(p) and 0 < p <= 1, "a number in (0, 1]"),
        "p_varies": FLAG,
        "archives": (
            lambda rate: is_number(rate) and 0 <= rate < MOST_ARCHIVED,
            f"a number, at least 0 and under {MOST_ARCHIVED}",
        ),
        "keeps_ties": FLAG,
        "last_N": (lambda N: type(N) is int and N >= 0, "an integer, 0 for a population that stays as large as it is"),
    },
}


@dataclass(frozen=True, kw_only=True)
class Operator:
    """A mutation, crossover, strategy, donor rule or adaptation: a kernel and what debox must know of it.

    Parameters
    ----------
    slot : {"mutation", "crossover", "strategy", "donors", "adaptation"}
        What kind of operator it is.
    name : str
        Letters, digits, "-" and "/" between them; written in any case.
    function : callable
        A function marked with `debox.kernel`, whose docstring begins with its formula. Its arguments are its slot's:
        mutation ``(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F)`` returns a component of the mutant; with a further
        argument ``K``, a U(0, 1) number, the same for all components of a mutant;
        crossover ``(x, v, Cr, rng, u)`` writes the trial u made of target x and mutant v: each u_i is x_i or v_i, at
        least one is v_i;
        strategy ``(u, x, c, a, b, rng)`` returns a number in [a, b] for any component u outside it, also infinite or
        NaN, x and c being the components of target and base; with `whole`, all are vectors, u is changed and nothing
        is returned;
        donors ``(N, target, best, rng, r)`` writes distinct indices below N into r;
        adaptation ``(i, memory, rng, F_Cr)`` writes F and Cr of trial i into column i of F_Cr, from pairs in memory.
    short : str, optional
        The name in captions and texts; `name` if not given.
    citation : str, optional
        Where it comes from.
    donors : int, default 0
        Mutation: how many donors it draws, at most 5.
    uses_best, uses_target : bool, default False
        Mutation: whether the best and the target are among its parents.
    uses_p_best : bool, default False
        Mutation: whether its best is, in each trial, one of the p-best at random.
    uses_archive : bool, default False
        Mutation: whether its last donor comes from the population and the archive of replaced targets.
    base : {"r1", "best", "target"}, default "r1"
        Mutation: the vector to which differences are added; its components are the c of a strategy.
    weights : callable, optional
        Mutation: from F the tuple of the weights of target, best, r1, … which add up to 1, if it is a weighted sum.
        With it the fast engine is faster and `debox.theory` has formulas. From F and K, if the mutation takes K.
    exchanges : {"", "each", "segment"}, default ""
        Crossover: its law is that of bin, that of exp or another one, for which the fast engine is no help.
    whole : bool, default False
        Strategy: for the whole infeasible trial, not for each violated component.
    dismisses : bool, default False
        Strategy: an infeasible trial becomes its target, so that `reevaluate` matters.
    penalises : bool, default False
        Strategy: an infeasible trial counts as an evaluation, but is neither evaluated nor ever accepted.
    redraws : int, default 0
        Strategy: how often an infeasible trial is drawn anew, donors and crossover, before the function repairs it.
    leaves_outside : bool, default False
        Strategy: points may stay outside the box, where they are evaluated; then the fast engine is no help.
    avoids : tuple of str, default ()
        Donors: which of "target" and "best", in this order, are never drawn.
    uniform : bool, default False
        Donors: whether all draws that are allowed are equally likely; else the fast engine is no help.
    learn : callable, optional
        Adaptation, which needs it: a kernel ``(F_Cr, gain, memory, cell)`` that changes the memory after a generation
        and returns the column to be changed next; gain is f(target) − f(trial), negative if the trial did not replace
        its target.
    memory : int, default 1
        Adaptation: how many pairs of F and Cr are in memory; 0: each individual has one. In every pair 0 < F ≤ 2 and
        0 ≤ Cr ≤ 1.
    has_terminal_cells : bool, default False
        Adaptation: whether the Cr of a pair in memory may also be −1, for Cr = 0 from now on.
    start : pair of float, default (0.5, 0.5)
        Adaptation: F and Cr with which the memory begins, unless others are asked for.
    p : float, default 0.05
        Adaptation: the p-best are the best max(2, ⌊p N + ½⌋) individuals.
    p_varies : bool, default False
        Adaptation: whether p is drawn from U(2/N, p) for each trial.
    archives : float, default 0.0
        Adaptation: how many times N the archive holds, under 100.
    keeps_ties : bool, default False
        Adaptation: whether a trial that is as good as its target does not replace it.
    last_N : int, default 0
        Adaptation: to how many individuals the population shrinks at the end of the budget; 0: it does not.

    Raises
    ------
    ValueError
        If a field is not what it may be; the message names it.

    Notes
    -----
    An edited operator needs a new process or another name. In a notebook, put operators into a .py file and import it,
    so that process pools find them.

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
    weights: Callable[..., tuple[Any, ...]] | None = None
    exchanges: str = ""
    whole: bool = False
    dismisses: bool = False
    penalises: bool = False
    redraws: int = 0
    leaves_outside: bool = False
    avoids: tuple[str, ...] = ()
    uniform: bool = False
    uses_p_best: bool = False
    uses_archive: bool = False
    learn: Any = None
    memory: int = 1
    has_terminal_cells: bool = False
    start: tuple[float, float] = (0.5, 0.5)
    p: float = 0.05
    p_varies: bool = False
    archives: float = 0.0
    keeps_ties: bool = False
    last_N: int = 0

    def __post_init__(self) -> None:
        if self.short == "":
            object.__setattr__(self, "short", self.name)
        check_fields(self)
        for field in ("p", "archives"):  # kernels take floats
            object.__setattr__(self, field, float(getattr(self, field)))

    @cached_property  # asked for every configuration of a study
    def draws_K(self) -> bool:
        """Mutation: whether it takes K, a U(0, 1) number of each trial."""
        return self.slot == "mutation" and "K" in inspect.signature(self.function).parameters

    @property
    def minds_repair(self) -> bool:
        """Strategy: whether `repair="mutant"` differs from `repair="trial"`.

        A rule for components commutes with crossover; dismissing and penalising judge the trial; staying outside
        repairs nothing.
        """
        repairs_all = self.whole or self.redraws > 0
        return repairs_all and not (self.dismisses or self.penalises or self.leaves_outside)

    @property
    def formula(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").split("\n")[0].strip()


class Origin(NamedTuple):
    """Where an operator from outside comes from."""

    where: str  # in words: ``file /home/me/mine.py``
    source: str | None = None  # the text of that file, which workers run to have the operator; None if it is no file


class Registration(NamedTuple):
    """An operator from outside and its origin."""

    operator: Operator
    origin: Origin


def check_fields(operator: Operator) -> None:
    """Raise a ValueError that names the field, its value and what is allowed, or do nothing."""
    if operator.slot not in FIELDS_BY_SLOT:
        raise ValueError(f"slot must be one of {', '.join(FIELDS_BY_SLOT)}, got {operator.slot!r}")
    for field in ("name", "short"):
        check_name(f"{field} of a {operator.slot}", getattr(operator, field), operator.slot)
    what = f"{operator.slot} {operator.name!r}"
    if not isinstance(operator.citation, str):
        raise ValueError(f"{what}: citation must be a text, got {operator.citation!r}")
    check_function(what, operator.function, arguments_of(operator.slot, operator.function))
    if operator.slot == "adaptation":
        if operator.learn is None:
            raise ValueError(f"{what}: learn is required: a function ({', '.join(LEARN_ARGUMENTS)}), got None")
        check_function(f"{what}: learn", operator.learn, LEARN_ARGUMENTS)
    for slot, fields in FIELDS_BY_SLOT.items():
        for field, (is_allowed, allowed) in fields.items():
            value, default = getattr(operator, field), type(operator).__dataclass_fields__[field].default
            if slot == operator.slot and not is_allowed(value):
                raise ValueError(f"{what}: {field} must be {allowed}, got {value!r}")
            if slot != operator.slot and value != default:
                raise ValueError(f"{what}: {field} belongs to the slot {slot}, got {field}={value!r}")
    for field in ("dismisses", "penalises", "leaves_outside"):
        if getattr(operator, field) and not operator.whole:
            raise ValueError(f"{what}: {field}=True needs whole=True, got whole=False")
    if operator.uses_p_best and not operator.uses_best:
        raise ValueError(f"{what}: uses_p_best=True needs uses_best=True, got uses_best=False")
    if operator.uses_archive and not operator.donors:
        raise ValueError(f"{what}: uses_archive=True needs a donor that comes from it, got donors=0")
    kinds = [field for field in ("dismisses", "penalises", "leaves_outside", "redraws") if getattr(operator, field)]
    if len(kinds) > 1:
        raise ValueError(f"{what}: {' and '.join(kinds)} exclude each other, got both")


def arguments_of(slot: str, function: object) -> tuple[str, ...]:
    """The arguments that a function of this slot takes; K is added where a mutation takes it."""
    takes_K = slot == "mutation" and inspect.isfunction(function) and "K" in inspect.signature(function).parameters
    return (*ARGUMENTS[slot], *(("K",) if takes_K else ()))


def is_name(name: object) -> bool:
    """Whether an operator may be called so: names stand in texts and become part of the names of files."""
    return isinstance(name, str) and len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None


def check_name(what: str, name: object, slot: str) -> None:
    """Raise a ValueError unless a name can stand in 'DE/mutation/crossover strategy' and in the name of a file."""
    if not isinstance(name, str) or not is_name(name):
        raise ValueError(f"{what} must be {NAME_RULE}, got {name!r}")
    if slot == "crossover" and "/" in name:
        raise ValueError(f"{what} must have no '/': it is the last part of DE/mutation/crossover, got {name!r}")
    if slot == "mutation" and name.lower().startswith("de/"):
        raise ValueError(f"{what} must not begin with 'DE/', which begins DE/mutation/crossover, got {name!r}")


def check_function(what: str, function: object, arguments: tuple[str, ...]) -> None:
    """Raise a ValueError unless it is a Python function, marked as a kernel, with these arguments and a formula."""
    signature = f"({', '.join(arguments)})"
    if not inspect.isfunction(function):
        raise ValueError(f"{what}: function must be a Python function {signature}, got {function!r}")
    if not hasattr(function, "__kernel__"):
        raise ValueError(f"{what}: function {function.__name__!r} must be marked with @debox.kernel")
    parameters = inspect.signature(function).parameters.values()
    if tuple(p.name for p in parameters) != arguments or any(p.default is not p.empty for p in parameters):
        raise ValueError(f"{what}: the function must take {signature}, got {inspect.signature(function)}")
    if not (function.__doc__ or "").split("\n")[0].strip() and sys.flags.optimize < 2:  # python -OO: no docstrings
        raise ValueError(f"{what}: the first line of the function's docstring must be its formula, got none")
