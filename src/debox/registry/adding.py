"""register: an operator of one's own, tried and added to the table."""

from __future__ import annotations

import threading
from itertools import product

from debox import registry
from debox.registry import Operator, Origin, Registered
from debox.registry.fingerprint import check_values, fingerprint

LOCK = threading.RLock()  # held while the table is changed
_loading: Loading | None = None  # the file or package whose code is running


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
    with LOCK:
        there = in_the_table(operator)
        if there is None:
            refuse_ambiguous_variants(operator)
            from debox.registry.checks import check

            check_values(operator)
            check(operator)
            origin = _loading.origin if _loading else Origin(f"module {operator.function.__module__}")
            registry.REGISTERED = (*registry.REGISTERED, Registered(operator, origin))
        if _loading:
            _loading.operators.append(there or operator)
    return there or operator


def in_the_table(operator: Operator) -> Operator | None:
    """The same operator if it is there already, None if its names are free; else a ValueError."""
    names = {operator.name.lower(), operator.short.lower()}
    others = [o for o in registry.in_slot(operator.slot) if names & {o.name.lower(), o.short.lower()}]
    for other in others:
        if other == operator or (other not in registry.OPERATORS and fingerprint(other) == fingerprint(operator)):
            return other
        known = "one of debox's own" if other in registry.OPERATORS else f"from {origin_of(other).where}"
        raise ValueError(
            f"{operator.slot} {operator.name!r} (short {operator.short!r}) has a name of another one: "
            f"{other.name!r} (short {other.short!r}) is {known}; choose another name, "
            "or restart Python to change an operator"
        )
    return None


def refuse_ambiguous_variants(operator: Operator) -> None:
    """No mutation may be called as another one and a crossover are together: DE/rand/1/bin has one meaning."""
    mutations, crossovers = (names_with(operator, slot) for slot in ("mutation", "crossover"))
    for mutation, crossover in product(mutations, crossovers):
        if f"{mutation}/{crossover}" in mutations:
            raise ValueError(
                f"{operator.slot} {operator.name!r} gives DE/{mutation}/{crossover} a second meaning: {mutation!r} and "
                f"{mutation + '/' + crossover!r} would both be mutations; choose another name"
            )


def names_with(operator: Operator, slot: str) -> set[str]:
    """The names of a slot, in small letters, when the operator is one of the table."""
    every = [*registry.in_slot(slot), *([operator] if operator.slot == slot else [])]
    return {name.lower() for one in every for name in (one.name, one.short)}


def origin_of(operator: Operator) -> Origin:
    """Where an operator from outside comes from."""
    return next(registered.origin for registered in registry.REGISTERED if registered.operator == operator)


class Loading:
    """Inside this block what is registered comes from this origin, and is listed; after an error all of it is gone."""

    def __init__(self, origin: Origin) -> None:
        self.origin, self.operators = origin, list[Operator]()

    def __enter__(self) -> list[Operator]:
        global _loading
        LOCK.acquire()
        self.table, self.outer, _loading = registry.REGISTERED, _loading, self
        return self.operators

    def __exit__(self, error: object, *_: object) -> None:
        global _loading
        _loading = self.outer
        if error is not None:
            registry.REGISTERED = self.table
        LOCK.release()


def register_all_in(names: dict[str, object]) -> None:
    """Register the operators among the values of a module's names, alone or in lists and tuples."""
    listed = [part for value in names.values() for part in (value if isinstance(value, list | tuple) else [value])]
    for value in listed:
        if isinstance(value, Operator):
            register(value)
