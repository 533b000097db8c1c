"""Operator: one line of the table of operators, and where one from outside comes from."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from debox.registry.fields import check_fields


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
        mutation ``(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F)`` returns a component of the mutant; with a further
        argument ``K``, a U(0, 1) number, the same for all components of a mutant;
        crossover ``(x, v, Cr, rng, u)`` writes the trial u made of target x and mutant v: each u_i is x_i or v_i, at
        least one is v_i;
        strategy ``(u, x, c, a, b, rng)`` returns a number in [a, b] for any component u outside it, also infinite or
        NaN, x and c being the components of target and base; with `whole`, all are vectors, u is changed and nothing
        is returned;
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

    def __post_init__(self) -> None:
        if self.short == "":
            object.__setattr__(self, "short", self.name)
        check_fields(self)

    @property
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
