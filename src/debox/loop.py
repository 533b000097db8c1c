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
from debox.travel import OF_OPERATOR, add_note

try:
    from debox import _core
except ImportError as error:  # installed without a C compiler, or for another computer
    _core, WHY_MISSING = None, f" ({error})"  # type: ignore[assignment]
else:
    WHY_MISSING = ""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED = range(5)  # places of counts
POPULATION, ARCHIVED, CELL = range(3)  # places of sizes
BASES = {"r1": 0, "best": 1, "target": 2}
COMPETES, LOSES, UNSEEN = range(3)  # the fate of an infeasible trial: it is evaluated, and may win, or not; or neither
WRONG_DONOR = 2  # in Run.failed: a donor rule drew an index that nobody has; 1: an operator raised
BETWEEN_SIGNALS = 50.0  # ms in the core before Python looks for Ctrl-C

HOW_TO_GET_THE_CORE = (
    f"the C core of debox is not installed{WHY_MISSING}: install a wheel, or a C compiler and Python's headers "
    "(Debian: apt install gcc python3-dev), and then debox again: pip install --force-reinstall --no-deps debox"
)

POINTERS = "donors mutation crossover strategies strategy_of periodic whole sample learn"
NUMBERS = (
    "n N budget n_donors base draws_K n_own_strategies redraws repairs_mutant fate frozen uses_p_best p_varies "
    "keeps_ties avoided least belongs_to_individuals cells n_marks trials generations best failed"
)
REALS = "F Cr p archives target"
ARRAYS = (
    "a b P f U f_U F_Cr memory gain v taken sizes order counts infeasible_at violations pending wraps pending_wraps "
    "violations_at best_at spread_at marks infeasible"
)
_capsule_pointer = ctypes.pythonapi["PyCapsule_GetPointer"]  # of our own: its types are set
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
    """A run of Algorithm 1 from the population P, generation by generation.

    At each of `marks`, rising numbers of evaluations, infeasible trials are noted and, at the end of that generation,
    violations, the best value and the spread of the population. `strategies`, one per variable, take the place of the
    configuration's; `periodic` variables are wrapped before the check, whatever their strategy. The run ends with its
    budget or a generation whose best value is at most `target`.
    """

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
        periodic: NDArray[np.bool_] | None = None,
    ) -> None:
        self.config, self.box = config, box
        run: Any = Run() if is_compiled() else SimpleNamespace()  # the same fields
        self.run, N, n = run, config.N, box.n
        run.n, run.budget, run.target, run.n_marks = n, budget, target, len(marks)
        self._configure(strategies or [config.operators.strategy])
        archived = archive_size(run.archives, N) + N if run.archives else 0  # and, before it is cut, replaced targets
        self.a, self.b, self.marks = np.array(box.lower), np.array(box.upper), np.array(marks, np.int64)
        self.P, self.f = np.zeros((N + archived, n)), np.empty(N)
        self.U, self.f_U, self.infeasible = np.empty((N, n)), np.empty(N), np.zeros(N, np.bool_)
        self.F_Cr, self.memory, self.gain = np.empty((2, N)), np.empty((2, run.cells)), np.zeros(N)
        self.v, self.taken = np.empty(n), np.repeat([[0.0], [0.0], [1.0]], n, axis=1)
        self.sizes, self.order = np.zeros(3, np.int64), np.arange(N, dtype=np.int64)
        self.counts, self.infeasible_at = np.zeros(5, np.int64), np.zeros(len(marks), np.int64)
        self.violations, self.pending = np.zeros((2, 2, n), np.int64)  # each of lower and of upper bounds
        self.wraps, self.pending_wraps = np.zeros((2, n), np.int64)
        self.violations_at = np.zeros((len(marks), 2, n), np.int64)
        self.best_at, self.spread_at = np.zeros((2, len(marks)))
        self.periodic = np.array(periodic, np.bool_) if periodic is not None and np.any(periodic) else None
        self.errors: list[BaseException] = []  # of a user's operators
        for name in ARRAYS.split():
            setattr(run, name, getattr(self, name).ctypes.data if is_compiled() else getattr(self, name))
        run.periodic = self.periodic.ctypes.data if is_compiled() and self.periodic is not None else self.periodic
        if is_compiled():
            run.normal, run.binomial = _core.ADDRESSES["normal"], _core.ADDRESSES["binomial_distribution"]
            self.address: Any = ctypes.addressof(run)
            self._propose, self._select = _core.propose, _core.select
        else:
            warn_that_the_core_is_missing()
            self.address = run
            self._propose, self._select = reference.propose, lambda run: reference.select_survivors(run) is None
        self._set_operators(compiled=True)
        self.restart(P, rng)

    def _configure(self, strategies: Sequence[Strategy]) -> None:
        """Write the numbers of the configuration into the run, and collect the Python functions of its operators."""
        run, config = self.run, self.config
        (mutation, crossover, _, _, adaptation), rule = config.operators, config.operators.rule
        strategy, N, ranked = strategies[0], config.N, config.is_ranked  # whole and redrawing ones are never mixed
        run.N, run.F, run.Cr, run.frozen = N, config.F, config.Cr, config.frozen
        run.n_donors, run.base, run.draws_K = mutation.donors, BASES[mutation.base], mutation.draws_K
        run.avoided, run.uses_p_best = len(rule.avoids), mutation.uses_p_best
        run.redraws, run.repairs_mutant = strategy.redraws, config.repair == "mutant"
        run.fate = UNSEEN if strategy.penalises else COMPETES if config.reevaluate else LOSES
        run.p, run.p_varies, run.keeps_ties = adaptation.p, adaptation.p_varies, adaptation.keeps_ties
        run.least = min(max(adaptation.last_N, config.smallest_N), N) if adaptation.last_N else N
        run.cells, run.belongs_to_individuals = (
            (adaptation.memory or N) if ranked else 1,
            ranked and not adaptation.memory,
        )
        run.archives = adaptation.archives if ranked and mutation.uses_archive else 0.0

        whole = strategy.function if strategy.whole else None
        of_variables = [reference.saturation if whole else one.function for one in strategies]
        of_variables *= run.n if len(of_variables) == 1 else 1
        self._strategies = sorted(
            dict.fromkeys(of_variables), key=lambda one: not is_own(one)
        )  # debox's own come first
        run.n_own_strategies = 0 if whole and not is_own(whole) else sum(map(is_own, self._strategies))
        self.strategy_of = np.array([self._strategies.index(one) for one in of_variables], np.uint16)
        sample, learn = (adaptation.function, adaptation.learn) if ranked else (None, None)
        functions = (rule.function, mutation.function, crossover.function, whole, sample, learn)
        self._functions = dict(
            zip(("donors", "mutation", "crossover", "whole", "sample", "learn"), functions, strict=True)
        )

    def _set_operators(self, compiled: bool) -> None:
        """Give the run its operators: C functions, into which a user's are compiled, or which call them in Python."""
        self._bridges: list[Any] = []  # they must live as long as they are called
        for role, function in self._functions.items():
            setattr(self.run, role, self._operator(function, role, compiled))
        operators = [self._operator(function, "strategy", compiled) for function in self._strategies]
        if is_compiled():
            self._addresses = (ctypes.c_void_p * len(operators))(*operators)
            self.run.strategies, self.run.strategy_of = ctypes.addressof(self._addresses), self.strategy_of.ctypes.data
        else:
            self.run.strategies, self.run.strategy_of = operators, self.strategy_of
        self._may_lose_errors = any(bridge.is_compiled for bridge in self._bridges)
        self._calls_python = any(not bridge.is_compiled for bridge in self._bridges)

    def _operator(self, function: Callable[..., Any] | None, role: str, compiled: bool) -> Any:
        """An operator as the loop takes it: the address of its C function; without the core, a Python function."""
        if not is_compiled():
            return by_numbers(function, role) if function and not is_own(function) else function
        if function is None or is_own(function):
            return _core.ADDRESSES[function.__name__] if function else None
        from debox.operators.bridge import bridge

        compiled = compiled and role != "learn"  # one call a generation, after which it cannot be done again
        self._bridges.append(bridge(function, role, lambda: self.rng, self.errors, compiled))
        return self._bridges[-1].address

    def call_operators_in_python(self) -> None:
        """From now on a user's operators are not compiled: the numbers are the same, and errors are kept."""
        self._set_operators(compiled=False)

    def restart(self, P: Floats, rng: np.random.Generator) -> None:
        """Begin another run from the population P, with these random numbers."""
        N = self.config.N
        self.P[:N], self.f[:], self.rng = P, np.nan, rng
        self.F_Cr[:] = self.memory[:] = [[self.config.F], [self.config.Cr]]
        self.sizes[:], self.order[:] = (N, 0, 0), np.arange(N)
        for array in (self.counts, self.infeasible_at, self.violations, self.pending, self.wraps, self.pending_wraps):
            array[:] = 0
        for noted in (self.violations_at, self.best_at, self.spread_at):
            noted[:] = 0
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
        if not self._bridges:
            return self._propose(self.address)
        before = self.rng.bit_generator.state
        trials = self._call(self._propose, self.address)
        if trials < 0 and not self.errors and self._may_lose_errors:  # again, in Python, for the error
            self.call_operators_in_python()
            self.rng.bit_generator.state, self.run.failed = before, 0
            trials = self._call(self._propose, self.address)
        if trials < 0 or self.errors:  # the next try has the same random numbers
            self.rng.bit_generator.state, self.run.trials = before, 0
            self.raise_error()
        return int(trials)

    def select(self) -> None:
        """Take the values of the trials, and go on to the next generation."""
        works = self._call(self._select, self.address)
        if not works or self.errors:
            self.raise_error()

    def _call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call the core. Where that calls Python, an interrupt between the two, which ctypes would print, is kept."""
        if not self._calls_python:
            return function(*args)
        before = sys.unraisablehook

        def keep(lost: Any) -> None:
            if getattr(lost.object, "errors", None) is self.errors:
                self.errors.append(lost.exc_value)
            else:
                before(lost)

        sys.unraisablehook = keep
        try:
            return function(*args)
        finally:
            sys.unraisablehook = before

    def advance_on_f0(self, until: int, is_stopped: Callable[[], bool]) -> None:
        """Do generations on f0 up to the one that ends with, or after, so many evaluations, unless it is stopped."""
        if is_compiled():
            while not is_stopped() and self._call(_core.advance, self.address, 0, until, BETWEEN_SIGNALS):
                pass
            if self.run.failed or self.errors:
                self.raise_error()
        else:
            while self.evaluations < until and not is_stopped() and (trials := self.propose()):
                for i in range(trials):
                    unseen = self.run.fate == UNSEEN and self.infeasible[i]
                    self.f_U[i] = np.inf if unseen else self.rng.random()
                self.select()

    def raise_error(self) -> None:
        """Raise what an operator of a user raised, or say what it did."""
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


def warn_that_the_core_is_missing() -> None:
    """Warn once in a process."""
    if not warn_that_the_core_is_missing.__dict__.setdefault("done", False):
        warn_that_the_core_is_missing.__dict__["done"] = True
        frame, level = sys._getframe(1), 2
        while frame.f_back and frame.f_globals.get("__name__", "").startswith("debox."):  # up to the user's line
            frame, level = frame.f_back, level + 1
        warnings.warn(f"{HOW_TO_GET_THE_CORE}. Until then runs are some hundred times slower", RuntimeWarning, level)


def by_numbers(function: Callable[..., Any], role: str) -> Callable[..., Any]:
    """A user's operator as reference.py calls it: its numbers are NumPy's, a mutation is called for each component."""

    def mutate(*given: Any) -> list[Any]:
        return [function(*parents, *map(np.float64, given[7:])) for parents in zip(*given[:7], strict=True)]

    def repair(*given: Any) -> Any:
        return function(*map(np.float64, given[:5]), given[5])

    return mutate if role == "mutation" else repair if role == "strategy" else function


archive_size = reference.archive_size


def is_own(function: Callable[..., Any]) -> bool:
    """Is it an operator of debox's own?"""
    return getattr(reference, function.__name__, None) is function
