"""Optimizer: Differential Evolution as a conversation, ask for points and tell their values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check, jit, recipes
from debox.assemble import assemble, kernels_to_swap, loop_for, proposer_for
from debox.box import Box
from debox.config import (
    PAPER_BUDGET,
    Config,
    Operators,
    least_size,
    per_variable,
    population_size,
    recipe_size,
    resolve,
    split_variant,
    with_defaults,
)
from debox.de import algorithm
from debox.de.adaptive import POPULATION, rank_anew, restart, with_room_for_archive
from debox.de.algorithm import COMPETES, EVALUATIONS, INFEASIBLE, NANS, UNSEEN, Tally
from debox.recipes import Recipe
from debox.registry import Operator
from debox.travel import add_note

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

GENERATIONS = 10  # of a run by default: no fewer (docs/defaults.md)

MESSAGES = {
    0: "the budget of {budget} evaluations is spent",
    1: "the target {target} is reached",
    2: "stopped on request",
    3: "not finished: {nfev} of {budget} evaluations done",
}


class Optimizer:
    """The ask/tell form of `minimize`, for objectives that run elsewhere.

    It takes the keywords of `minimize` that are not about calling the objective, and with the same seed does the same
    run. `save` writes the whole state, also between `ask` and `tell`; `Optimizer.load` continues to the identical end
    (so does a pickle).

    Parameters
    ----------
    bounds : sequence of (lower, upper) pairs, scipy.optimize.Bounds or Box
        One pair per variable, finite, within ±1e307.
    variant : str, default "debox"
        A whole algorithm by its name: "debox", "L-SHADE", "SHADE", "JADE" or "jDE" (`debox strategies` says what they
        are made of); or classic DE as DE/mutation/crossover: rand/1, best/1, curr-to-best/1, …, then bin or exp.
    strategy : str, Operator or sequence of them, optional
        What happens to a variable outside its bounds: saturation, toroidal, mirror, … (`debox strategies` says all),
        or a registered operator; or one per variable: an angle wraps while a length mirrors. With "none" nothing does:
        points outside are evaluated, and x may be one of them. By default that of the variant: mirror for debox
        and classic DE, saturation for jDE, midpoint-target for the other published ones.
    N : int, optional
        Population size, with L-SHADE and debox that of the start. By default that of the variant (docs/defaults.md),
        which for debox is √budget/2.
    F : float, optional
        Scale factor in (0, 2]; where it adapts, what it begins with. By default 0.6, or 0.5 where it adapts.
    Cr : float, optional
        Crossover rate in [0, 1]; where it adapts, what it begins with. By default 0.7; 0.5 where it adapts (jDE: 0.9).
    budget : int, optional
        Evaluations, spent exactly. By default 10 000 per variable, and never under 10 generations.
    rng : int, numpy.random.Generator or None, default None
        Seed or generator; None: another run every time.
    donors : str or Operator, optional
        Whom the mutation may draw: "distinct", "not-target" or "not-parents". By default "distinct", or "not-target"
        where F and Cr adapt.
    mutation, crossover, adaptation : str or Operator, optional
        Parts that take the places of those of the variant.
    repair : {"trial", "mutant"}, default "trial"
        What a strategy for whole points repairs: the trial or, before crossover, the mutant.
    init : array_like of float, shape (N, n), optional
        Initial population inside the box; by default uniform.
    target : float, optional
        Stop as soon as a generation ends with a value ≤ target.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it, its value and what is allowed.
    TypeError
        If there is no such keyword.

    Examples
    --------
    >>> from debox import Optimizer
    >>> opt = Optimizer([(0, 5), (-1, 1)], budget=2000, rng=1)
    >>> while not opt.done:
    ...     X = opt.ask()  # (S, n) points to evaluate, S ≤ N
    ...     opt.tell(X, (X[:, 0] - 2) ** 2 + (X[:, 1] - 0.5) ** 2)
    >>> opt.result.x.round(2).tolist()
    [2.0, 0.5]
    """

    def __init__(
        self,
        bounds: Any,
        variant: str = "debox",
        *,
        strategy: str | Operator | Sequence[str | Operator] | None = None,
        N: int | None = None,
        F: float | None = None,
        Cr: float | None = None,
        budget: int | None = None,
        rng: int | np.random.Generator | None = None,
        donors: str | Operator | None = None,
        mutation: str | Operator | None = None,
        crossover: str | Operator | None = None,
        adaptation: str | Operator | None = None,
        repair: str = "trial",
        init: ArrayLike | None = None,
        target: float | None = None,
        **unknown: Never,
    ) -> None:
        check.reject_unknown_keywords(Optimizer, unknown)
        self.box = Box.of(bounds)
        n, recipe = self.box.n, recipe_of(variant)
        strategies = per_variable(recipe.strategy if strategy is None else strategy, n)
        operators_given = {"mutation": mutation, "crossover": crossover, "adaptation": adaptation, "donors": donors}
        given = {"strategy": strategies[0], **operators_given, "F": F, "Cr": Cr, "repair": repair}
        parts = with_defaults({k: v for k, v in given.items() if v is not None}, recipe, always_F_and_Cr=True)
        operators = resolve(parts)  # the Config takes them as they are: before it, since N depends on them
        initial = self.box.population(init)
        points = None if initial is None else len(initial)
        N, self.budget = resolve_sizes(n, N, points, budget, operators, recipe)
        self.config = Config(**{**parts, **operators._asdict(), "N": N})
        self.strategies = [operator.name for operator in strategies]
        self.target = np.nan if target is None else check.real("target", target, "a finite value", lambda _: True)
        self.rng = check.generator(rng)
        if initial is not None and points != N:
            raise ValueError(f"init has {points} points, but N = {N}")
        P = self.box.sample(N, self.rng) if initial is None else initial
        self._f = np.full(N, np.nan)
        hundredths = np.unique([-(-self.budget * k // 100) for k in range(1, 101)])  # rounded up
        self._tally = Tally.empty(hundredths, n)
        self._generations = -1  # the initial population is generation 0
        self._best = 0
        self._stopped = False
        self._asked: NDArray[np.float64] | None = None
        self._asked_infeasible = np.zeros(N, np.bool_)
        self._asked_tally = self._tally._replace(violations=np.zeros(n, np.int64))  # count when values are told
        self._as_python = jit.is_interpreted()
        self._de = assemble(self.config, self.box, strategies, self.budget)
        self._rows = with_room_for_archive(self._de.adaptation, P) if self.config.adapts else P
        self._F_Cr = algorithm.same_for_all(self.config.F, self.config.Cr, N)

    @cached_property
    def _propose(self) -> Callable[..., Any]:
        """What takes the place of `algorithm.propose`, compiled when `ask` first needs it."""
        asked = (np.empty((1, self.box.n)), self._asked_infeasible, self._asked_tally)
        parents = (self._F_Cr, self._rows, 0, self.rng)
        return jit.bind(proposer_for(self.config), self._de, *parents, *asked, as_python=self._as_python)

    @cached_property
    def _select(self) -> Callable[..., Any]:
        """`algorithm.next_generation` or what takes its place, compiled when `tell` first needs it."""
        select = kernels_to_swap(self.config).get("next_generation", algorithm.next_generation)
        arguments = self._selection_arguments(np.empty((1, self.box.n)), np.empty(1))
        return jit.bind(select, *arguments, as_python=self._as_python)

    def _selection_arguments(self, trials: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[Any, ...]:
        """The arguments of `next_generation`, in its order."""
        de = self._de
        skip_infeasible = de.fate != COMPETES
        survivors = (de.adaptation, self._F_Cr, de.frozen, skip_infeasible, self._rows, self._f)
        rng = self.rng if self.config.adapts else 0  # slow to pass, and needed by an archive only
        return (*survivors, trials, values, self._asked_infeasible, rng, self._tally)

    @property
    def _N(self) -> int:
        """How many individuals there are now."""
        return int(self._de.adaptation.sizes[POPULATION]) if self.config.adapts else self.config.N

    @property
    def _P(self) -> NDArray[np.float64]:
        """The population."""
        return self._rows[: self._N]

    @property
    def done(self) -> bool:
        """Is the budget spent, the target reached, or the run stopped?"""
        return self._status() != 3

    @property
    def nfev(self) -> int:
        """Evaluations told so far."""
        return int(self._tally.counts[EVALUATIONS])

    def ask(self) -> NDArray[np.float64]:
        """The points to evaluate next; the same ones until their values are told.

        Returns
        -------
        ndarray of float, shape (S, n)
            Points inside the box. S is N, or what the budget leaves. With the strategy penalty infeasible trials count
            as evaluations and are not among the points: there are fewer, perhaps none, and then none are told. With the
            strategy none points may lie outside the box.

        Raises
        ------
        RuntimeError
            If the run is over.

        Examples
        --------
        >>> from debox import Optimizer
        >>> opt = Optimizer([(0, 5), (-1, 1)], N=7, budget=10, rng=1)
        >>> X = opt.ask()
        >>> X.shape, bool((X == opt.ask()).all())
        ((7, 2), True)
        >>> opt.tell(X, X[:, 0])
        >>> opt.ask().shape
        (3, 2)
        """
        if self.done:
            raise RuntimeError(f"nothing to ask: {self._message()}")
        if self._asked is None:
            if self._generations < 0:
                self._asked = self._P.copy()
            else:
                U = np.empty((min(self._N, self.budget - self.nfev), self.box.n))
                self._asked_tally.violations[:] = 0
                parents, asked = (self._F_Cr, self._rows, self._best), (self._asked_infeasible, self._asked_tally)
                propose = self._propose
                with jit.raise_lost_errors():
                    propose(self._de, *parents, self.rng, U, *asked)
                self._asked = U
        points: NDArray[np.float64] = self._asked[self._is_evaluated()].copy()
        return points

    def tell(self, X: ArrayLike, f: ArrayLike) -> None:
        """Take the values of the points that `ask` gave, and go on to the next generation.

        Parameters
        ----------
        X : array_like of float, shape (S, n)
            The points, all of them and in their order.
        f : array_like of float, shape (S,)
            Their values; NaN counts as worse than anything.

        Raises
        ------
        RuntimeError
            If no points are waiting for values.
        ValueError
            If X are other points, or f are not as many numbers.

        Examples
        --------
        >>> from debox import Optimizer
        >>> opt = Optimizer([(0, 5), (-1, 1)], N=7, budget=14, rng=1)
        >>> X = opt.ask()
        >>> opt.tell(X, [1, 2, 3, 4, 5, 6, 7])
        >>> opt.nfev, opt.result.fun
        (7, 1.0)
        """
        if self._asked is None:
            raise RuntimeError("tell comes after ask: no points are waiting for values")
        points = self._asked[self._is_evaluated()]
        if different := _difference(np.asarray(X), points):
            raise ValueError(f"X must be the points that ask() gave, all of them and in their order: {different}")
        self._tell(check.values(f, len(points), "f must hold"))

    def _is_evaluated(self) -> Any:
        """The index of those trials of this generation that are evaluated: with penalty the feasible ones, else all."""
        assert self._asked is not None
        return ~self._asked_infeasible[: len(self._asked)] if self._de.fate == UNSEEN else slice(None)

    def _tell(self, values: NDArray[np.float64]) -> None:
        """Take the values of the points last asked for, in their order."""
        assert self._asked is not None
        f_U = np.full(len(self._asked), np.inf)
        f_U[self._is_evaluated()] = values
        tally = self._tally
        nans = tally.counts[NANS]
        with jit.raise_lost_errors():  # an error of an adaptation is raised at the end, when the values are taken
            if self._generations < 0:
                self._f[:] = f_U
                algorithm.count(self._f, self._asked_infeasible, tally)
                self._best = self._rank()
            else:
                self._best = self._select(*self._selection_arguments(self._asked, f_U))
                tally.violations[:] += self._asked_tally.violations
            self._generations += 1
            self._asked = None
        if nans == 0 and tally.counts[NANS]:
            warn_of_nan()

    def _rank(self) -> int:
        """The index of the best; adaptive runs have an order of all, which is brought up to date."""
        return rank_anew(self._de.adaptation, self._f) if self.config.adapts else int(algorithm.best_of(self._f))

    def run(self, fun: Any, args: tuple[Any, ...] = ()) -> None:
        """Do the whole run, from its start, in one compiled call.

        Parameters
        ----------
        fun : callable
            fun(x, *args) → number, compiled with Numba.
        args : tuple, default ()
            Further arguments of `fun`.

        Raises
        ------
        RuntimeError
            If points were asked for before, or the run is over.
        ValueError
            If `fun` is not compiled with Numba, or Numba cannot compile it with these args.

        Examples
        --------
        >>> from numba import njit
        >>> from debox import Optimizer
        >>> opt = Optimizer([(0, 5), (-1, 1)], budget=2000, rng=1)
        >>> opt.run(njit(lambda x: (x[0] - 2) ** 2 + (x[1] - 0.5) ** 2))
        >>> opt.done, opt.result.x.round(2).tolist()
        (True, [2.0, 0.5])
        """
        self._run(fun, args)

    def _run(self, fun: Any, args: tuple[Any, ...]) -> None:
        """`run`, for `minimize` as well."""
        if not jit.is_compiled(fun) and not (callable(fun) and jit.is_interpreted()):
            raise ValueError("fun must be compiled with Numba; use minimize, or ask and tell")
        if self.done:
            raise RuntimeError(f"nothing to run: {self._message()}")
        if self._generations >= 0 or self._asked is not None:
            raise RuntimeError("run comes before any ask: it does the whole run")
        if jit.is_interpreted() != self._as_python:
            raise RuntimeError("run an optimizer where it was made: inside, or outside, of `with interpreted()`")
        state = (self._rows, self._f, *self._tally)  # unchanged if the objective raises
        copies = tuple(array.copy() for array in state)
        P, f, tally = copies[0], copies[1], Tally(*copies[2:])
        objective = jit.objective(fun, args)
        with_args = isinstance(objective, tuple)
        run = loop_for(self.config, algorithm.run, **({"evaluate": algorithm.evaluate_with_args} if with_args else {}))
        call = (objective, self._de, P, f, self.budget, self.target, self.rng, tally)
        rng_state, generations = self.rng.bit_generator.state, -1
        try:
            compiled = jit.bind(run, *call)
            with jit.raise_lost_errors():
                generations = compiled(*call)
        except BaseException as error:
            self.rng.bit_generator.state = rng_state
            if self.config.adapts:
                restart(self._de.adaptation, self.config.F, self.config.Cr)
            if generations < 0:  # an error of the objective; that of an operator is raised when the run has ended
                add_note(error, f"{tally.counts[EVALUATIONS]} evaluations were done in the generations before")
                add_note(error, "a run with callback or disp is not one compiled call and also notes the point")
            raise
        self._generations = generations
        for array, copy in zip(state, copies, strict=True):
            array[:] = copy
        self._best = self._rank()
        if self._tally.counts[NANS]:
            warn_of_nan()

    def stop(self) -> None:
        """End the run here.

        Examples
        --------
        >>> from debox import Optimizer
        >>> opt = Optimizer([(0, 5), (-1, 1)], rng=1)
        >>> opt.stop()
        >>> opt.done, opt.result.message
        (True, 'stopped on request')
        """
        self._stopped = True

    def _status(self) -> int:
        if self._generations >= 0 and self._f[self._best] <= self.target:
            return 1
        if self.nfev >= self.budget:
            return 0
        return 2 if self._stopped else 3

    def _message(self) -> str:
        message = MESSAGES[self._status()].format(budget=self.budget, target=self.target, nfev=self.nfev)
        if self._generations == 0 and self.nfev >= self.budget:
            message += "; no generation was done: the population is as large as the budget"
        if self.nfev and not np.isfinite(self._f[self._best]):
            message += "; no finite value was found"
        if self.nfev and not self.box.contains(self._P[self._best]):
            message += "; x lies outside the bounds"
        return message

    @property
    def result(self) -> OptimizeResult:
        """What is known so far, as `minimize` returns it."""
        from scipy.optimize import OptimizeResult

        counts, marks, infeasible_at, violations = self._tally
        infeasible, passed = int(counts[INFEASIBLE]), marks <= self.nfev
        history = np.column_stack([marks[passed], infeasible_at[passed]])
        if self.nfev and (len(history) == 0 or history[-1, 0] != self.nfev):
            history = np.vstack([history, [self.nfev, infeasible]])
        status, fun = self._status(), float(self._f[self._best])
        return OptimizeResult(
            x=self._P[self._best].copy(),
            fun=fun,
            nfev=self.nfev,
            nit=max(self._generations, 0),
            success=bool(status == 1 or (status == 0 and np.isnan(self.target) and np.isfinite(fun))),
            status=status,
            message=self._message(),
            population=self._P.copy(),
            population_energies=self._f[: self._N].copy(),
            pois=infeasible / self.nfev if self.nfev else 0.0,
            n_infeasible=infeasible,
            infeasible_per_dimension=violations.copy(),
            pois_history=history,
            n_nan=int(counts[NANS]),
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole state to a file, which is replaced whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            The file; an optimizer that was saved there before is replaced.

        Raises
        ------
        OSError
            If it cannot be written.
        ValueError
            If another kind of file is there, or the generator of random numbers cannot be saved.

        Examples
        --------
        >>> from debox import Optimizer
        >>> Optimizer([(0, 5), (-1, 1)], budget=100, rng=1).save("run.npz")
        >>> Optimizer.load("run.npz").budget
        100
        """
        from debox.optimize.saved import write

        write(path, self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold what `save` writes."""
        from debox.optimize.saved import packed, unpacked

        return unpacked, (packed(self),)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Optimizer:
        """The optimizer that `save` wrote; it continues as if it had never stopped.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        Optimizer
            It has the state of the one that was saved, random numbers included.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it holds no optimizer that `save` wrote.

        Examples
        --------
        >>> from debox import Optimizer
        >>> opt = Optimizer([(0, 5), (-1, 1)], budget=100, rng=1)
        >>> opt.save("run.npz")
        >>> bool((Optimizer.load("run.npz").ask() == opt.ask()).all())
        True
        """
        from debox.optimize.saved import read

        return read(path)


def recipe_of(variant: object) -> Recipe:
    """The recipe of this name, or classic Differential Evolution with the mutation and crossover that it says."""
    name, _, strategy = variant.strip().partition(" ") if isinstance(variant, str) else ("", "", "")
    if strategy and recipes.find_or_none(name):
        raise ValueError(f"variant {variant!r} says a strategy, too: give strategy={strategy.strip()!r} apart")
    return recipes.find_or_none(variant) or recipes.classic(**split_variant(variant))


def resolve_sizes(
    n: int, N: int | None, points: int | None, budget: int | None, operators: Operators, recipe: Recipe
) -> tuple[int, int]:
    """N and budget for n variables and, if init is given, its number of points; errors speak only of what was given."""
    mutation, donors = operators.mutation, operators.donors
    if N is not None:
        N = population_size(N, mutation, donors)
        return N, _budget(n, N, budget, f"N = {N} points start the run")
    if points is not None:
        N = population_size(points, mutation, donors, "the number of points in init")
        return N, _budget(n, N, budget, f"the {N} points of init start the run")
    budget = PAPER_BUDGET * n if budget is None else check.budget(budget, *least_size(mutation, donors))
    return recipe_size(recipe, n, budget, mutation, donors), budget


def _budget(n: int, N: int, budget: int | None, why: str) -> int:
    """As given, at least N; by default 10 000 per variable, more where that leaves under 10 generations."""
    if budget is None:
        return max(PAPER_BUDGET * n, GENERATIONS * N)
    return check.budget(budget, N, why)


def _difference(X: NDArray[Any], asked: NDArray[np.float64]) -> str:
    """How X differs from the points asked for, in words; empty if it does not."""
    if X.shape != asked.shape:
        return f"got shape {X.shape}, not {asked.shape}"
    both_nan = np.isnan(asked) & (X != X)  # with none, after an overflow
    others = np.flatnonzero(((asked != X) & ~both_nan).any(axis=1))
    return f"X[{others[0]}] differs" if others.size else ""


def warn_of_nan() -> None:
    """Warn at the line of the user, who called what called `_tell` or `_run`."""
    warnings.warn("the objective returned NaN: treated as worse than anything, counted in n_nan", RuntimeWarning, 4)
