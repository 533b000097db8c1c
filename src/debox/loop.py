"""Loop: a configuration and a box as one run of the C core, which takes the address of a struct of NumPy arrays.

`propose` makes the trials of a generation in U, `select` takes their values in f_U. Where the core is not installed,
the same two calls are those of reference.py, with the same numbers, some hundred times slower.
"""

from __future__ import annotations

import ctypes
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from debox import reference
from debox.box import Box
from debox.config import Config
from debox.operators import smallest_population
from debox.operators.kinds import Strategy
from debox.reference import COMPETES, EVALUATIONS, LOSES, POPULATION, UNSEEN, Vector
from debox.travel import OF_OPERATOR, add_note, warn_user

WHY_MISSING = ""
try:
    from debox import _core
except ImportError as error:  # installed without a C compiler, or for another computer
    _core, WHY_MISSING = None, f" ({error})"  # type: ignore[assignment]

BASES = {"r1": reference.BASE_R1, "best": reference.BASE_BEST, "target": reference.BASE_TARGET}
WRONG_DONOR = 2  # in Run.failed: a donor rule drew an index that nobody has; 1: an operator raised
STATE = ("trials", "generations", "best")  # of a run, besides its arrays and random numbers
BETWEEN_SIGNALS = 50.0  # ms in the core before Python looks for Ctrl-C

HOW_TO_GET_THE_CORE = (
    f"the C core of debox is not installed{WHY_MISSING}: install a wheel, or a C compiler and Python's headers "
    "(Debian: apt install gcc python3-dev), and then debox again: pip install --force-reinstall --no-deps debox"
)


class LostError(RuntimeError):
    """An operator of a user raised an error in compiled code, which keeps no errors: call it in Python."""


def struct(name: str) -> Any:
    """A struct of the core, with the fields that it says in C, such as ``i64 n, N; const double *a, *b;``"""
    kinds = {"i64": ctypes.c_int64, "double": ctypes.c_double, "Rng": ctypes.c_void_p * 7}
    fields = [
        (field, ctypes.c_void_p if "*" in declared else kinds[declared.split()[0]])
        for declared in getattr(_core, name).split(";")[:-1]
        for field in re.findall(r"\w+(?=,|$)", declared)
    ]
    return type(name, (ctypes.Structure,), {"_fields_": fields})()


def write(values: Mapping[str, Any], into: Any) -> int:
    """Write numbers and the addresses of arrays into a struct, by the names of its fields; its address."""
    for name, _ in into._fields_:
        value = values.get(name)
        if isinstance(value, Real | np.ndarray):
            setattr(into, name, value.ctypes.data if isinstance(value, np.ndarray) else value)
    return ctypes.addressof(into)


def is_compiled() -> bool:
    """Is the C core installed?"""
    return _core is not None


@cache  # once in a process: Python forgets what it warned of whenever somebody changes a filter
def warn_that_the_core_is_missing() -> None:
    warn_user(f"{HOW_TO_GET_THE_CORE}. Until then runs are some hundred times slower", RuntimeWarning)


class Loop(reference.Run):
    """A run of Algorithm 1, generation by generation.

    `strategies`, one per variable, take the place of the configuration's. `settings` are those of reference.Run: P,
    budget, rng and, where they are needed, marks, target and periodic. `run` is the struct of the core, which has the
    state of the run; without the core it is the loop itself.
    """

    def __init__(self, config: Config, box: Box, strategies: Sequence[Strategy] | None = None, **settings: Any) -> None:
        self.config, self.box = config, box
        self.run: Any = struct("RUN") if is_compiled() else self
        self.errors: list[BaseException] = []  # of a user's operators
        self._bridges: list[Any] = []  # to these; they must live as long as they are called
        settings |= settings_of(config, strategies or [config.operators.strategy] * box.n)
        super().__init__(box.lower, box.upper, **settings)
        self.v, self.taken = np.empty(box.n), np.repeat([[0.0], [0.0], [1.0]], box.n, axis=1)  # room for the core
        if is_compiled():
            periodic = self.periodic if self.periodic.any() else None
            values = {**vars(self), "n_marks": self.marks.size, "periodic": periodic}
            self.address: Any = write(values, self.run)
            self._propose, self._select = _core.propose, _core.select
            self.set_operators(compiled=True)
        else:
            warn_that_the_core_is_missing()
            self.address, self._propose, self._select = self, reference.propose, reference.select_survivors

    def set_operators(self, compiled: bool) -> None:
        """Give the run its operators: C functions, into which a user's are compiled, or which call them in Python."""
        self._bridges.clear()
        for role in ("donors", "mutation", "crossover", "whole", "sample", "learn"):
            if function := getattr(self, role):
                setattr(self.run, role, self._address_of(function, role, compiled))
        self._addresses = np.array([self._address_of(one, "strategy", compiled) for one in self.strategies], np.uintp)
        self.run.strategies = self._addresses.ctypes.data

    def _address_of(self, function: Callable[..., Any], role: str, compiled: bool) -> int:
        """The address of the C function of an operator."""
        if is_own(function):
            return _core.ADDRESSES[function.__name__]
        from debox.operators.bridge import bridge

        compiled = compiled and role != "learn"  # one call a generation, after which it cannot be done again
        self._bridges.append(bridge(function, role, lambda: self.rng, self.errors, compiled))
        return int(self._bridges[-1].address)

    def restart(self, P: Vector, rng: np.random.Generator) -> None:
        """Begin another run from the population P, with these random numbers."""
        super().restart(P, rng)
        if is_compiled():
            for name in STATE:  # which the struct has
                setattr(self.run, name, vars(self).pop(name))
            bitgen = (ctypes.c_void_p * 5).from_address(rng.bit_generator.ctypes.bit_generator.value)
            self.run.rng[:] = *bitgen, _core.ADDRESSES["normal"], _core.ADDRESSES["binomial_distribution"]

    @property
    def population(self) -> Vector:
        """The population, a view of the first rows of P."""
        return self.P[: self.sizes[POPULATION]]

    @property
    def evaluations(self) -> int:
        """Evaluations of finished generations."""
        return int(self.counts[EVALUATIONS])

    def propose(self) -> int:
        """Make the trials of the next generation, unless they wait for values; their number, 0 if the run is over."""
        if self.run.trials or (is_compiled() and not self._bridges):
            return self._propose(self.address)
        with suppress(LostError), self._undoing():
            return self._call(self._propose)
        self.set_operators(compiled=False)  # once more, for the error
        return self.propose()

    def select(self) -> int:
        """Take the values of the trials, and go on to the next generation; the number of marks that were passed."""
        if is_compiled() and (self.learn is None or is_own(self.learn)):
            return self._call(self._select)
        with self._undoing(vars(self).values()):
            return self._call(self._select)

    @contextmanager
    def _undoing(self, arrays: Iterable[Any] = ()) -> Iterator[None]:
        """After an error or Ctrl-C in Python the run is as before, these arrays included: a second try is the same."""
        changed = [(one, one.copy()) for one in arrays if isinstance(one, np.ndarray) and one.flags.writeable]
        numbers, drawn = [(name, getattr(self.run, name)) for name in STATE], self.rng.bit_generator.state
        try:
            yield
        except BaseException:
            self.rng.bit_generator.state = drawn
            for array, before in changed:
                array[:] = before
            for name, number in numbers:
                setattr(self.run, name, number)
            raise

    def advance_on_f0(self, until: int, is_stopped: Callable[[], bool], fast: int = 0) -> None:
        """Do evaluations on f0 up to this number, by whole generations or by the fast engine, unless it is stopped."""
        if is_compiled():
            while not is_stopped() and self._call(_core.advance, fast, until, BETWEEN_SIGNALS):
                pass
        else:
            while self.evaluations < until and not is_stopped() and self.propose():
                reference.evaluate(self, lambda x: self.rng.random())
                self.select()

    def _call(self, function: Callable[..., int], *args: Any) -> int:
        """Call the core, and raise what an operator of a user raised, or say what it did."""
        if not self._bridges:
            return function(self.address, *args)
        is_main = threading.current_thread() is threading.main_thread()  # Python interrupts no other thread
        with self._keeping_interrupts() if is_main else nullcontext():
            result = function(self.address, *args)
        if not self.run.failed and not self.errors:
            return result
        error: BaseException = LostError("an operator raised an error in compiled code")
        if self.errors:
            error = self.errors[0]
        elif self.run.failed == WRONG_DONOR:
            rule, N = self.config.operators.rule.name, int(self.sizes[POPULATION])
            error = ValueError(f"donors {rule!r} drew an index that is not below N = {N}")
        if isinstance(error, Exception):
            add_note(error, OF_OPERATOR)
        self.run.failed = 0
        self.errors.clear()
        raise error

    @contextmanager
    def _keeping_interrupts(self) -> Iterator[None]:
        """Keep an interrupt between the core and an operator in Python, which ctypes would print."""
        before = sys.unraisablehook

        def keep(lost: Any) -> None:
            if getattr(lost.object, "errors", None) is self.errors:
                self.errors.append(lost.exc_value)
            else:
                before(lost)

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before


def settings_of(config: Config, strategies: Sequence[Strategy]) -> dict[str, Any]:
    """What a configuration and strategies, one for each variable, say to a run of reference.py."""
    (mutation, crossover, _, _, adaptation), rule, N = config.operators, config.operators.rule, config.N
    strategy, functions = strategies[0], [one.function for one in strategies]  # whole and redrawing ones are not mixed
    in_use = sorted(dict.fromkeys(functions), key=lambda one: not is_own(one))  # debox's own come first
    least = min(max(adaptation.last_N, smallest_population(mutation, rule)), N) if adaptation.last_N else N
    settings: dict[str, Any] = {"strategy_of": np.array([in_use.index(one) for one in functions], np.uint16)}
    settings |= {"strategies": in_use, "n_own_strategies": sum(map(is_own, in_use)), "redraws": strategy.redraws}
    settings |= {"strategies": [], "whole": strategy.function} if strategy.whole else {}
    settings |= {"fate": UNSEEN if strategy.penalises else COMPETES if config.reevaluate else LOSES}
    settings |= {"repairs_mutant": config.repair == "mutant", "frozen": config.frozen, "F": config.F, "Cr": config.Cr}
    settings |= {"donors": rule.function, "avoided": len(rule.avoids), "crossover": crossover.function}
    settings |= {"mutation": mutation.function, "n_donors": mutation.donors, "base": BASES[mutation.base]}
    settings |= {"draws_K": mutation.draws_K, "uses_p_best": mutation.uses_p_best}
    settings |= {"p": adaptation.p, "p_varies": adaptation.p_varies, "keeps_ties": adaptation.keeps_ties}
    settings |= {"cells": adaptation.memory or N, "belongs_to_individuals": not adaptation.memory}
    settings |= {"archives": adaptation.archives if mutation.uses_archive else 0.0, "least": least}
    if config.operators.is_ranked:
        settings |= {"sample": adaptation.function, "learn": adaptation.learn}
    return settings


def is_own(function: Callable[..., Any]) -> bool:
    """Is it one of debox's operators?"""
    return getattr(reference, function.__name__, None) is function
