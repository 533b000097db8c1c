"""The five kinds of operators, one for each slot of a configuration, checked when they are made.

An operator is a Python function and what debox must know about it. The docstrings and the fields here are the help of
the decorators in outside.py, with which users make operators.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar

Function = Callable[..., Any]

NAME = re.compile("(?![Dd][Ee]/)[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9][A-Za-z0-9-]*)*")
NAME_RULE = "a name of letters, digits, '-' and '/' between them, such as 'rand/1' (not 'DE/rand/1'), at most 60"
HELP = """{}The first line of the function's docstring is its formula.

Parameters
----------
{}
Returns
-------
callable
    A function that makes the operator from the decorated function.

Examples
--------
>>> import debox
{}
"""


def is_name(name: object) -> bool:
    """Whether an operator may have this name, which is part of configurations and of file names."""
    return isinstance(name, str) and len(name) <= 60 and NAME.fullmatch(name) is not None


def is_number(value: object) -> bool:
    """Whether it is a real number, and not True or False."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_start(pair: Any) -> bool:
    """Whether it is a pair of F in (0, 2] and Cr in [0, 1]."""
    is_pair = isinstance(pair, tuple) and len(pair) == 2 and all(map(is_number, pair))
    return is_pair and 0 < pair[0] <= 2 and 0 <= pair[1] <= 1


AVOIDED = ((), ("target",), ("best",), ("target", "best"))
RULES: dict[str, tuple[Callable[[Any], bool], str]] = {  # for each field or type: a test, and what it allows
    "name": (is_name, NAME_RULE),
    "short": (is_name, NAME_RULE),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "citation": (lambda text: isinstance(text, str), "a text"),
    "donors": (lambda k: type(k) is int and 0 <= k <= 5, "an integer from 0 to 5"),
    "base": (lambda base: base in ("r1", "best", "target"), "'r1', 'best' or 'target'"),
    "weights": (lambda weights: weights is None or callable(weights), "None or a function of F"),
    "exchanges": (lambda law: law in ("", "each", "segment"), "'', 'each' or 'segment'"),
    "redraws": (lambda k: type(k) is int and 0 <= k <= 10_000, "an integer from 0 to 10000"),
    "avoids": (lambda avoids: avoids in AVOIDED, "(), ('target',), ('best',) or ('target', 'best')"),
    "memory": (lambda H: type(H) is int and 0 <= H <= 10_000, "an integer from 0 to 10000"),
    "learn": (inspect.isfunction, "a Python function (F_Cr, gain, memory, cell)"),
    "start": (is_start, "a pair of F in (0, 2] and Cr in [0, 1]"),
    "p": (lambda p: is_number(p) and 0 < p <= 1, "a number in (0, 1]"),
    "archives": (lambda rate: is_number(rate) and 0 <= rate < 100, "a number, at least 0 and under 100"),
    "last_N": (lambda N: type(N) is int and N >= 0, "an integer ≥ 0"),
}


def option(default: Any, meaning: str) -> Any:
    """A field with its default and, for the help, what it means."""
    return field(default=default, metadata={"meaning": meaning})


def rules_of(kind: Any) -> list[tuple[Field[Any], Callable[[Any], bool], str]]:
    """The fields that a decorator takes, each with its test and what it allows."""
    return [(one, *RULES["bool" if one.type == "bool" else one.name]) for one in fields(kind) if one.metadata]


@dataclass(frozen=True, repr=False)
class Operator:
    """What all operators have: a name, a function, a short name and a citation."""

    slot: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]]  # of the function; a mutation may also take K

    name: str = field(metadata={"meaning": "Configurations write it in any case. That of a crossover has no '/'."})
    function: Function
    _: KW_ONLY
    short: str = option("", "The name in captions and texts, by default `name`.")
    citation: str = option("", "Where the operator was published.")

    def __post_init__(self) -> None:
        if self.short == "":
            object.__setattr__(self, "short", self.name)
        for one, is_allowed, allowed in rules_of(self):
            value = getattr(self, one.name)
            self.refuse(not is_allowed(value), f"{one.name} must be {allowed}, got {value!r}")
        self.check_function("function", self.arguments)

    @classmethod
    def help_text(cls) -> str:
        """The help of the decorator that makes operators of this kind."""
        parameters = ""
        for one, _, allowed in rules_of(cls):
            ending = {MISSING: "", "": ", optional", None: ", optional"}.get(one.default, f", default {one.default!r}")
            parameters += f"{one.name} : {allowed}{ending}\n    {one.metadata['meaning']}\n"
        about, _, example = inspect.cleandoc(cls.__doc__ or "").partition("Examples\n--------\n")
        return HELP.format(about, parameters, example)

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<debox {self.slot} {self.name!r}>"

    @cached_property  # looked up for every configuration of a study
    def names(self) -> set[str]:
        """The long and the short name in small letters, for a lookup that ignores case."""
        return {self.name.lower(), self.short.lower()}

    @property
    def formula(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").split("\n")[0].strip()

    def refuse(self, is_wrong: bool, reason: str) -> None:
        """Raise a ValueError that names the operator if something is wrong with it."""
        if is_wrong:
            raise ValueError(f"{self.slot} {self.name!r}: {reason}")

    def check_function(self, what: str, arguments: tuple[str, ...]) -> None:
        """Raise a ValueError unless a field is a Python function with these arguments and a formula, its docstring."""
        function, takes = getattr(self, what), f"({', '.join(arguments)})"
        self.refuse(not inspect.isfunction(function), f"{what} must be a Python function {takes}, got {function!r}")
        parameters = inspect.signature(function).parameters.values()
        fits = tuple(p.name for p in parameters) == arguments and all(p.default is p.empty for p in parameters)
        self.refuse(not fits, f"{what} must take {takes}, got {inspect.signature(function)}")
        has_formula = (function.__doc__ or "").split("\n")[0].strip() or sys.flags.optimize >= 2  # -OO: no docstrings
        self.refuse(not has_formula, f"the first line of the docstring of {what} must be its formula, got none")


@dataclass(frozen=True, repr=False, kw_only=True)
class Mutation(Operator):
    """Make a mutation of a function ``(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F)``, and register it.

    The function returns a component of the mutant. A further argument ``K`` is a U(0, 1) number, the same for all
    components of a mutant. If the mutant is a weighted sum, `weights` makes the fast engine faster and gives
    `debox.theory` its formulas: of F (and K) it returns the weights of target, best, r1, …, a tuple with sum 1.

    Examples
    --------
    >>> @debox.mutation("half-to-best/1", donors=3, uses_best=True, weights=lambda F: (0, 0.5, 0.5, F, -F))
    ... def half_to_best(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    ...     '''v = (x_r1 + x_best)/2 + F (x_r2 − x_r3)'''
    ...     return (x_r1 + x_best) / 2 + F * (x_r2 - x_r3)
    """

    slot = "mutation"
    arguments = ("x", "x_best", "x_r1", "x_r2", "x_r3", "x_r4", "x_r5", "F")
    donors: int = option(0, "Number of donors.")
    uses_best: bool = option(False, "Whether the best is among its parents.")
    uses_target: bool = option(False, "Whether the target is among its parents.")
    uses_p_best: bool = option(False, "Whether the best is, in each trial, one of the p-best at random.")
    uses_archive: bool = option(False, "Whether the last donor may come from the archive of replaced targets.")
    base: str = option("r1", "The vector to which differences are added; strategies receive its components as c.")
    weights: Function | None = field(default=None, metadata={"meaning": "Weights of the parents in a weighted sum."})

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse(self.uses_p_best and not self.uses_best, "uses_p_best=True needs uses_best=True, got False")
        self.refuse(self.uses_archive and not self.donors, "uses_archive=True needs a donor, got donors=0")

    def check_function(self, what: str, arguments: tuple[str, ...]) -> None:
        super().check_function(what, (*arguments, "K") if self.draws_K else arguments)

    @cached_property  # needed for every configuration of a study
    def draws_K(self) -> bool:
        """Whether the function takes K, a U(0, 1) number drawn for each trial."""
        return inspect.isfunction(self.function) and "K" in inspect.signature(self.function).parameters


@dataclass(frozen=True, repr=False, kw_only=True)
class Crossover(Operator):
    """Make a crossover of a function ``(x, v, Cr, rng, u)``, and register it.

    The function writes the trial u and returns nothing: each u_i is x_i or v_i of the mutant, at least one is v_i.

    Examples
    --------
    >>> @debox.crossover("one")
    ... def one(x, v, Cr, rng, u):
    ...     '''u_I = v_I, else u_i = x_i'''
    ...     i = int(rng.random() * u.size)
    ...     u[:] = x
    ...     u[i] = v[i]
    """

    slot = "crossover"
    arguments = ("x", "v", "Cr", "rng", "u")
    exchanges: str = option("", "Whose law it has, of bin ('each') or of exp ('segment'): the fast engine needs one.")

    def __post_init__(self) -> None:
        super().__post_init__()
        has_slash = "/" in self.name + self.short
        self.refuse(has_slash, "name and short must have no '/': DE/mutation/crossover ends with it")


@dataclass(frozen=True, repr=False, kw_only=True)
class Strategy(Operator):
    """Make a strategy of a function ``(u, x, c, a, b, rng)``, and register it.

    The function returns a number in [a, b] for any component u outside, also an infinite one; x and c are the
    components of the target and of the base, to which the mutation adds differences. debox replaces NaN by x before.

    Examples
    --------
    >>> @debox.strategy("halfway", short="half")
    ... def halfway(u, x, c, a, b, rng):
    ...     '''(x + the violated bound)/2'''
    ...     return (x + (a if u < a else b)) / 2
    >>> debox.Config("DE/rand/1/bin half, N=20, F=0.7, Cr=0.9").strategy
    'halfway'
    """

    slot = "strategy"
    arguments = ("u", "x", "c", "a", "b", "rng")
    whole: bool = option(False, "Whether it repairs whole infeasible trials: it gets vectors and changes u in place.")
    dismisses: bool = option(False, "Whether an infeasible trial becomes its target (see `reevaluate`). Needs `whole`.")
    penalises: bool = option(False, "Whether an infeasible trial is counted, but not evaluated. Needs `whole`.")
    redraws: int = option(0, "How often donors and crossover of an infeasible trial are drawn again before its repair.")
    leaves_outside: bool = option(False, "Whether infeasible trials are evaluated (plain engine). Needs `whole`.")

    def __post_init__(self) -> None:
        super().__post_init__()
        ways = [way for way in ("dismisses", "penalises", "leaves_outside", "redraws") if getattr(self, way)]
        self.refuse(len(ways) > 1, f"{' and '.join(ways)} exclude each other, got both")
        needs_whole = bool(ways) and not self.redraws and not self.whole
        self.refuse(needs_whole, f"{''.join(ways)}=True needs whole=True, got whole=False")

    @property
    def minds_repair(self) -> bool:
        """Whether `repair="mutant"` differs from `repair="trial"`: rules for components commute with crossover."""
        return (self.whole or self.redraws > 0) and not (self.dismisses or self.penalises or self.leaves_outside)


@dataclass(frozen=True, repr=False, kw_only=True)
class Donors(Operator):
    """Make a donor rule of a function ``(N, target, best, rng, r)``, and register it.

    The function writes distinct indices below N into the array r and returns nothing; target and best are indices.

    Examples
    --------
    >>> @debox.donors("ring", avoids=("target",))
    ... def ring(N, target, best, rng, r):
    ...     '''r_k = t + k, cyclically'''
    ...     for k in range(r.size):
    ...         r[k] = (target + k + 1) % N
    """

    slot = "donors"
    arguments = ("N", "target", "best", "rng", "r")
    avoids: tuple[str, ...] = option((), "Whom the rule never draws.")
    uniform: bool = option(False, "Whether all allowed draws are equally likely; the fast engine needs that.")


@dataclass(frozen=True, repr=False, kw_only=True)
class Adaptation(Operator):
    """Make an adaptation of a function ``(i, memory, rng, F_Cr)``, which samples F and Cr, and register it.

    The function writes F and Cr of trial i into column i of F_Cr and returns nothing. The columns of memory are pairs
    of 0 < F ≤ 2 and 0 ≤ Cr ≤ 1. After a generation `learn` changes them and returns the column to change next; gain is
    f(target) − f(trial), negative if the trial did not replace its target.

    Examples
    --------
    >>> def unchanged(F_Cr, gain, memory, cell):
    ...     '''M stays'''
    ...     return cell
    >>> @debox.adaptation("dither", learn=unchanged)
    ... def dither(i, memory, rng, F_Cr):
    ...     '''F = M_F (1 + U)/2, Cr = M_Cr'''
    ...     F_Cr[0, i], F_Cr[1, i] = memory[0, 0] * (1 + rng.random()) / 2, memory[1, 0]
    """

    slot = "adaptation"
    arguments = ("i", "memory", "rng", "F_Cr")
    learn: Function = field(metadata={"meaning": "Changes the memory after each generation."})
    memory: int = option(1, "Number of pairs in memory, 0 for a pair per individual.")
    has_terminal_cells: bool = option(False, "Whether Cr in memory may also be −1, which means Cr = 0 from now on.")
    start: tuple[float, float] = option((0.5, 0.5), "Initial F and Cr, unless the configuration has others.")
    p: float = option(0.05, "The p-best are the best max(2, ⌊p N + ½⌋) individuals.")
    p_varies: bool = option(False, "Whether p is drawn from U(2/N, p) for each trial.")
    archives: float = option(0.0, "Size of the archive relative to N.")
    keeps_ties: bool = option(False, "Whether a trial that is as good as its target does not replace it.")
    last_N: int = option(0, "Population size at the end of the budget, 0 for a constant size.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_function("learn", ("F_Cr", "gain", "memory", "cell"))


KINDS = (Mutation, Crossover, Strategy, Donors, Adaptation)
SLOTS = tuple(kind.slot for kind in KINDS)
