"""Loop: a configuration and a box as one run of the C core, which takes the address of a struct of NumPy arrays.

`propose` makes the trials of a generation in U, `select` takes their values in f_U. Where the core is not installed,
the same two calls are those of reference.py, with the same numbers, some hundred times slower.
"""

from __future__ import annotations

import ctypes
import sys
import warnings
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from debox import reference
from debox.box import Box
from debox.config import Config
from debox.operators.kinds import Strategy

try:
    from debox import _core
except ImportError:  # installed without a C compiler
    _core = None  # type: ignore[assignment]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED = range(5)  # places of counts
POPULATION, ARCHIVED, CELL = range(3)  # places of sizes
BASES = {"r1": 0, "best": 1, "target": 2}
COMPETES, LOSES, UNSEEN = range(3)  # the fate of an infeasible trial: it is evaluated, and may win, or not; or neither
BETWEEN_SIGNALS = 50.0  # ms in the core before Python looks for Ctrl-C

HOW_TO_GET_THE_CORE = (
    "the C core of debox is not installed: install a wheel, or a C compiler and Python's headers "
    "(Debian: apt install gcc python3-dev), and then debox again: pip install --force-reinstall --no-deps debox"
)

POINTERS = "donors mutation crossover strategies strategy_of whole sample learn"
NUMBERS = (
    "n N budget n_donors base draws_K n_own_strategies redraws repairs_mutant fate frozen uses_p_best p_varies "
    "keeps_ties avoided least belongs_to_individuals cells n_marks trials generations best failed"
)
REALS = "F Cr p archives target"
ARRAYS = "a b P f U f_U F_Cr memory gain v taken sizes order counts infeasible_at violations pending marks infeasible"
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class LostError(RuntimeError):
    """An operator of a user raised an error in compiled code, which keeps no errors: call it in Python."""


class Run(ctypes.Structure):
    """The struct Run of core/loop.h."""

    _fields_: ClassVar[Any] = [
        *((name, ctypes.c_void_p) for name in POINTERS.split()),
        *((name, ctypes.c_int64) for name in NUMBERS.split()),
        *((name, ctypes.c_double) for name in REALS.split()),
        *((name, ctypes.c_void_p) for name in ARRAYS.split()),
        *(("bits", ctypes.c_void_p * 5), ("normal", ctypes.c_void_p), ("binomial", ctypes.c_void_p)),
    ]


if _core is not None and ctypes.sizeof(Run) != _core.SIZE:
    raise ImportError(f"debox._core is of another version of debox: its runs have {_core.SIZE} bytes; reinstall debox")


def is_compiled() -> bool:
    """Is the C core installed?"""
    return _core is not None


class Loop:
    """A run of Algorithm 1, generation by generation.

    Parameters
    ----------
    config : Config
        The configuration.
    box : Box
        The bounds.
    budget : int
        Evaluations of the run.
    rng : numpy.random.Generator
        Where the random numbers come from.
    P : ndarray of float, shape (N, n)
        The initial population.
    marks : ndarray of int
        Rising numbers of evaluations at which infeasible trials are noted.
    strategies : sequence of Strategy, optional
        One per variable; by default that of the configuration.
    target : float, default NaN
        The run ends with a generation whose best value is at most this.
    """

    P: Floats
    f: Floats
    U: Floats
    f_U: Floats
    F_Cr: Floats
    memory: Floats
    sizes: Integers
    order: Integers
    counts: Integers
    infeasible_at: Integers
    violations: Integers
    pending: Integers
    marks: Integers
    infeasible: NDArray[np.bool_]
    _propose: Callable[[Any], int]
    _select: Callable[[Any], bool]

    def __init__(
        self,
        config: Config,
        box: Box,
        *,
        budget: int,
        rng: np.random.Generator,
        P: Floats,
        marks: Integers,
        strategies: Sequence[Strategy] | None = None,
        target: float = np.nan,
    ) -> None:
        self.config, self.box = config, box
        numbers = numbers_of(config, box.n, budget, strategies)
        self.arrays = arrays_for(config, box, numbers, marks)
        self.functions, numbers["n_own_strategies"] = functions_of(config, box.n, strategies, self.arrays)
        values = {**numbers, "F": config.F, "Cr": config.Cr, "p": config.operators.adaptation.p, "target": target}
        for name, array in self.arrays.items():
            setattr(self, name, array)
        self.errors: list[BaseException] = []  # of a user's operators
        self.run: Any
        self._whom: Any  # what the two calls take
        if is_compiled():
            self.run = self._compiled_run(values)
            self.address = self._whom = ctypes.addressof(self.run)
            self._propose, self._select = _core.propose, _core.select
        else:
            warn_that_the_core_is_missing()
            self._may_lose_errors = False
            self.run = self._whom = SimpleNamespace(**values, **self.arrays, **self.functions)
            self._propose, self._select = reference.propose, lambda run: reference.select_survivors(run) is None
        self.restart(P, rng)

    def _compiled_run(self, values: dict[str, Any]) -> Run:
        run = Run(**values)
        for name, array in self.arrays.items():
            setattr(run, name, array.ctypes.data)
        run.normal, run.binomial = _core.ADDRESSES["normal"], _core.ADDRESSES["binomial_distribution"]
        self._set_operators(run, compiled=True)
        return run

    def _set_operators(self, run: Run, compiled: bool) -> None:
        """Write the addresses of C functions into a run; a user's operators are compiled, or called in Python."""
        self._bridges: list[Any] = []  # they must live as long as they are called
        for role in ("donors", "mutation", "crossover", "whole", "sample", "learn"):
            setattr(run, role, self._address(self.functions[role], role, compiled))
        addresses = [self._address(function, "strategy", compiled) for function in self.functions["strategies"]]
        self._strategies = (ctypes.c_void_p * len(addresses))(*addresses)
        run.strategies = ctypes.addressof(self._strategies)
        self._may_lose_errors = any(bridge.is_compiled for bridge in self._bridges)

    def _address(self, function: Callable[..., Any] | None, role: str, compiled: bool) -> int | None:
        """Where the C function of an operator's Python function lies."""
        if function is None or is_own(function):
            return None if function is None else _core.ADDRESSES[function.__name__]
        from debox.operators.bridge import bridge

        self._bridges.append(bridge(function, role, lambda: self.rng, self.errors, compiled))
        address: int = self._bridges[-1].address
        return address

    def call_operators_in_python(self) -> None:
        """From now on a user's operators are not compiled: the numbers are the same, and errors are kept."""
        self._set_operators(self.run, compiled=False)

    def restart(self, P: Floats, rng: np.random.Generator) -> None:
        """Begin another run from the population P, with these random numbers."""
        N = self.config.N
        self.P[:N], self.f[:], self.rng = P, np.nan, rng
        self.F_Cr[:] = self.memory[:] = [[self.config.F], [self.config.Cr]]
        self.sizes[:], self.order[:] = (N, 0, 0), np.arange(N)
        for array in (self.counts, self.infeasible_at, self.violations, self.pending):
            array[:] = 0
        self.run.generations, self.run.trials, self.run.best, self.run.failed = -1, 0, 0, 0
        if is_compiled():
            bitgen = _capsule_pointer(rng.bit_generator.capsule, b"BitGenerator")
            ctypes.memmove(self.run.bits, bitgen, ctypes.sizeof(self.run.bits))
        else:
            self.run.rng = rng

    @property
    def population(self) -> Floats:
        """The population, a view of the first rows of P."""
        return self.P[: self.sizes[POPULATION]]

    @property
    def evaluations(self) -> int:
        """Evaluations of finished generations."""
        return int(self.counts[EVALUATIONS])

    def propose(self) -> int:
        """Make the trials of the next generation, unless they wait for values; their number, 0 if the run is over."""
        before = self.rng.bit_generator.state if self._may_lose_errors else None
        trials: int = self._propose(self._whom)
        if trials < 0 and before is not None:  # again, in Python, for the error
            self.call_operators_in_python()
            self.rng.bit_generator.state, self.run.failed = before, 0
            trials = self._propose(self._whom)
        if trials < 0:
            self.raise_error()
        return trials

    def select(self) -> None:
        """Take the values of the trials, and go on to the next generation."""
        if not self._select(self._whom):
            self.raise_error()

    def advance_on_f0(self, until: int, is_stopped: Callable[[], bool]) -> None:
        """Do generations on f0 up to the one that ends with, or after, so many evaluations, unless it is stopped."""
        if is_compiled():
            while not is_stopped() and _core.advance(self.address, until, BETWEEN_SIGNALS):
                pass
            if self.run.failed:
                self.raise_error()
        else:
            while self.evaluations < until and not is_stopped() and (trials := self.propose()):
                for i in range(trials):
                    unseen = self.run.fate == UNSEEN and self.infeasible[i]
                    self.f_U[i] = np.inf if unseen else self.rng.random()
                self.select()

    def raise_error(self) -> None:
        """Raise what an operator of a user raised."""
        self.run.failed = 0
        error = self.errors.pop() if self.errors else LostError("an operator raised an error in compiled code")
        raise error


def warn_that_the_core_is_missing() -> None:
    """Warn once in a process."""
    if not warn_that_the_core_is_missing.__dict__.setdefault("done", False):
        warn_that_the_core_is_missing.__dict__["done"] = True
        frame, level = sys._getframe(1), 2
        while frame.f_back and frame.f_globals.get("__name__", "").startswith("debox."):  # up to the user's line
            frame, level = frame.f_back, level + 1
        warnings.warn(f"{HOW_TO_GET_THE_CORE}. Until then runs are some hundred times slower", RuntimeWarning, level)


def numbers_of(config: Config, n: int, budget: int, strategies: Sequence[Strategy] | None) -> dict[str, Any]:
    """The fields of a run that are numbers, from the fields of operators."""
    mutation, _, strategy, _, adaptation = config.operators
    strategy = strategies[0] if strategies else strategy  # whole ones and those that redraw are never mixed
    N, ranked = config.N, config.is_ranked
    return {
        "n": n,
        "N": N,
        "budget": budget,
        "n_donors": mutation.donors,
        "base": BASES[mutation.base],
        "draws_K": mutation.draws_K,
        "redraws": strategy.redraws,
        "repairs_mutant": config.repair == "mutant",
        "fate": UNSEEN if strategy.penalises else COMPETES if config.reevaluate else LOSES,
        "frozen": config.frozen,
        "uses_p_best": mutation.uses_p_best,
        "p_varies": adaptation.p_varies,
        "keeps_ties": adaptation.keeps_ties,
        "avoided": len(config.operators.rule.avoids),
        "least": min(max(adaptation.last_N, config.smallest_N), N) if adaptation.last_N else N,
        "belongs_to_individuals": ranked and adaptation.memory == 0,
        "cells": (adaptation.memory or N) if ranked else 1,
        "archives": adaptation.archives if ranked and mutation.uses_archive else 0.0,
    }


def arrays_for(config: Config, box: Box, numbers: dict[str, Any], marks: Integers) -> dict[str, NDArray[Any]]:
    """Room for the state of a run."""
    N, n, archives = config.N, box.n, numbers["archives"]
    archived = archive_size(archives, N) + N if archives else 0  # and, before it is cut, a generation's targets
    numbers["n_marks"] = len(marks)
    return {
        "a": np.array(box.lower),
        "b": np.array(box.upper),
        "P": np.zeros((N + archived, n)),
        "f": np.empty(N),
        "U": np.empty((N, n)),
        "f_U": np.empty(N),
        "F_Cr": np.empty((2, N)),
        "memory": np.empty((2, numbers["cells"])),
        "gain": np.zeros(N),
        "v": np.empty(n),
        "taken": np.repeat([[0.0], [0.0], [1.0]], n, axis=1),
        "sizes": np.zeros(3, np.int64),
        "order": np.arange(N, dtype=np.int64),
        "counts": np.zeros(5, np.int64),
        "infeasible_at": np.zeros(len(marks), np.int64),
        "violations": np.zeros(n, np.int64),
        "pending": np.zeros(n, np.int64),
        "marks": np.array(marks, np.int64),
        "infeasible": np.zeros(N, np.bool_),
    }


def archive_size(archives: float, N: int) -> int:
    """⌊archives · N + ½⌋"""
    return int(archives * N + 0.5)


def functions_of(
    config: Config, n: int, strategies: Sequence[Strategy] | None, arrays: dict[str, NDArray[Any]]
) -> tuple[dict[str, Any], int]:
    """The operators as Python functions, by the names of their fields, and the number of strategies of debox's own.

    debox's own come first among the strategies; `arrays` takes which of them each variable has.
    """
    mutation, crossover, strategy, _, adaptation = config.operators
    chosen = list(strategies or [strategy] * n)
    whole = chosen[0].function if chosen[0].whole else None
    of_variables = [reference.saturation if whole else operator.function for operator in chosen]
    distinct = sorted(dict.fromkeys(of_variables), key=lambda function: not is_own(function))
    place = {function: k for k, function in enumerate(distinct)}
    arrays["strategy_of"] = np.array([place[function] for function in of_variables], np.uint16)
    functions = {
        "donors": config.operators.rule.function,
        "mutation": mutation.function,
        "crossover": crossover.function,
        "strategies": distinct,
        "whole": whole,
        "sample": adaptation.function if config.is_ranked else None,
        "learn": adaptation.learn if config.is_ranked else None,
    }
    own = 0 if whole and not is_own(whole) else sum(map(is_own, distinct))
    return functions, own


def is_own(function: Callable[..., Any]) -> bool:
    """Is it an operator of debox's own?"""
    return getattr(reference, function.__name__, None) is function
