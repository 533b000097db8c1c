"""register: try an operator of the user's own and add it to the table."""

from __future__ import annotations

import os
import threading
from contextvars import ContextVar
from itertools import product

from debox import registry
from debox.registry import Operator, Origin, Registration
from debox.registry.fingerprint import check_values, fingerprint

LOCK = threading.RLock()  # held while the table is changed, and during a fork: the child has no thread to free it
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)
_in_progress = list["Loading"]()  # of all threads
_loading = ContextVar["Loading | None"]("_loading", default=None)  # the file or package whose code this thread runs


def register(operator: Operator) -> Operator:
    """Add an operator to those that configurations, studies and commands can name.

    The operator is first tried as plain Python on a few hundred random cases: it must do what every operator of its
    slot does. It is compiled when it is first used.

    Parameters
    ----------
    operator : Operator
        What is added. Registering the same operator again is harmless.

    Returns
    -------
    Operator
        The operator in the table.

    Raises
    ------
    ValueError
        If its slot has another operator of this name or short name, or the function does what it must not; the message
        says what was passed, what came out and what is allowed.
    TypeError
        If it is no Operator.

    Examples
    --------
    >>> import debox
    >>> @debox.kernel
    ... def to_base(u, x, c, a, b, rng):
    ...     '''c, the component of the mutation's base'''
    ...     return c
    >>> _ = debox.register(debox.Operator(slot="strategy", name="to-base", function=to_base))
    >>> debox.Config("DE/rand/1/bin to-base, N=10, F=0.5, Cr=0.9")
    Config('DE/rand/1/bin to-base, N=10, F=0.5, Cr=0.9')
    """
    if not isinstance(operator, Operator):
        raise TypeError(f"operator must be a debox.Operator, got {operator!r}")
    loading = _loading.get()
    with LOCK:
        same = find_same(operator)
        if same is None:
            refuse_ambiguous_variants(operator)
            from debox.registry.checks import check

            check_values(operator)
            check(operator)
            origin = loading.origin if loading else Origin(f"module {operator.function.__module__}")
            registration = Registration(operator, origin)
            registry.REGISTRATIONS = (*registry.REGISTRATIONS, registration)
            if loading:
                loading.added.append(registration)
        else:
            for other in _in_progress:  # it stays, whichever of them fails
                if other is not loading:
                    other.added = [one for one in other.added if one.operator is not same]
    if loading:
        loading.operators.append(same or operator)
    return same or operator


def find_same(operator: Operator) -> Operator | None:
    """The same operator in the table, None if its names are free; a ValueError if another operator has one of them."""
    names = {operator.name.lower(), operator.short.lower()}
    others = [o for o in registry.in_slot(operator.slot) if names & {o.name.lower(), o.short.lower()}]
    for other in others:
        if other == operator or (other not in registry.OPERATORS and fingerprint(other) == fingerprint(operator)):
            return other
        owner = "one of debox's own" if other in registry.OPERATORS else f"from {origin_of(other).where}"
        raise ValueError(
            f"{operator.slot} {operator.name!r} (short {operator.short!r}) has a name of another one: "
            f"{other.name!r} (short {other.short!r}) is {owner}; choose another name, "
            "or restart Python to change an operator"
        )
    return None


def refuse_ambiguous_variants(operator: Operator) -> None:
    """Raise a ValueError if DE/rand/1/bin had two meanings: rand/1 with bin, and a mutation rand/1/bin."""
    mutations, crossovers = (names_after_adding(operator, slot) for slot in ("mutation", "crossover"))
    for mutation, crossover in product(mutations, crossovers):
        if f"{mutation}/{crossover}" in mutations:
            raise ValueError(
                f"{operator.slot} {operator.name!r} gives DE/{mutation}/{crossover} a second meaning: {mutation!r} and "
                f"{mutation + '/' + crossover!r} would both be mutations; choose another name"
            )


def names_after_adding(operator: Operator, slot: str) -> set[str]:
    """The names of a slot, in small letters, once the operator is in the table."""
    every = [*registry.in_slot(slot), *([operator] if operator.slot == slot else [])]
    return {name.lower() for one in every for name in (one.name, one.short)}


def origin_of(operator: Operator) -> Origin:
    """Where an operator from outside comes from."""
    return next(registration.origin for registration in registry.REGISTRATIONS if registration.operator == operator)


class Loading:
    """A block in which a thread loads operators from one origin.

    What is registered inside gets this origin and is put into the list that the block gives. An error takes it out of
    the table again; what other origins, such as installed packages, have added meanwhile stays.
    """

    def __init__(self, origin: Origin) -> None:
        self.origin, self.operators = origin, list[Operator]()
        self.added = list[Registration]()  # to the table, by nobody else

    def __enter__(self) -> list[Operator]:
        self.outer = _loading.set(self)
        with LOCK:
            _in_progress.append(self)
        return self.operators

    def __exit__(self, error: object, *_: object) -> None:
        _loading.reset(self.outer)
        with LOCK:
            _in_progress.remove(self)
            if error is not None:
                registry.REGISTRATIONS = tuple(one for one in registry.REGISTRATIONS if one not in self.added)


def register_all_in(names: dict[str, object]) -> None:
    """Register the operators among the values of a module's names, alone or in lists and tuples."""
    values = [part for value in names.values() for part in (value if isinstance(value, list | tuple) else [value])]
    for value in values:
        if isinstance(value, Operator):
            register(value)
