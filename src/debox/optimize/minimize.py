"""minimize: Differential Evolution for people with an objective, called as in scipy.optimize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from inspect import signature
from os import PathLike
from time import monotonic
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from debox import check
from debox.config import recipe_of
from debox.operators.kinds import Operator
from debox.optimize.objective import Errors, evaluator
from debox.optimize.optimizer import Optimizer, Result
from debox.travel import add_note

OF_OPTIMIZER = [name for name in signature(Optimizer).parameters if name != "unknown"]  # the others are of evaluation


def minimize(
    fun: Callable[..., Any],
    bounds: Any,
    variant: str = "debox",
    *,
    integrality: ArrayLike | None = None,
    named: bool = False,
    strategy: str | Operator | Sequence[str | Operator] | None = None,
    N: int | None = None,
    F: float | None = None,
    Cr: float | None = None,
    budget: float | None = None,
    rng: int | np.random.Generator | None = None,
    donors: str | Operator | None = None,
    mutation: str | Operator | None = None,
    crossover: str | Operator | None = None,
    adaptation: str | Operator | None = None,
    repair: str = "trial",
    vectorized: bool = False,
    workers: int | Callable[..., Any] = 1,
    init: ArrayLike | None = None,
    x0: Any = None,
    callback: Callable[[Result], Any] | None = None,
    args: tuple[Any, ...] = (),
    target: float | None = None,
    tol: float | str | None = "auto",
    polish: bool | str = "auto",
    time_limit: float | None = None,
    checkpoint: str | PathLike[str] | None = None,
    on_interrupt: str = "return",
    on_error: str = "raise",
    disp: bool = False,
    **unknown: Never,
) -> Result:
    """Minimise ``fun(x, *args)`` over a box with Differential Evolution, and say how often it left the box.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` → number, with x of shape (n,). With vectorized=True it gets a generation's points as (n, S)
        and returns (S,). NaN counts as worse than anything.
    bounds : sequence or dict of pairs or variables, scipy.optimize.Bounds or Box
        For each variable a pair (lower, upper), finite and within ±1e307, or its kind: `Real`, `Integer`, `Periodic`,
        `Choice` or `Fixed`. With a dict the variables have its keys as names.
    variant : str, default "debox"
        A whole algorithm by its name: "debox", "L-SHADE", "SHADE", "JADE" or "jDE" (`debox operators` says what they
        are made of); or classic DE as DE/mutation/crossover: rand/1, best/1, curr-to-best/1, …, then bin or exp.
    integrality : bool or sequence of bool, optional
        Which pairs are those of integers, as in SciPy; one for all, or one per variable.
    named : bool, default False
        Whether `fun` gets a dict of names and natural values in place of x; needs bounds with names.
    strategy : str, Operator or sequence of them, optional
        What happens to a variable outside its bounds: saturation, toroidal, mirror, … (`debox operators` says all),
        or a registered operator; or one per variable. With "none" points outside are evaluated, and x may be one of
        them. Periodic variables wrap with any strategy. By default that of the variant: mirror for debox and classic
        DE, saturation for jDE, midpoint-target for the other published ones.
    N : int, optional
        Population size, with L-SHADE and debox that of the start. By default that of the variant, which for debox is
        √budget/2 (see the page "The defaults of minimize").
    F, Cr : float, optional
        Scale factor in (0, 2], by default 0.6, and crossover rate in [0, 1], by default 0.7; where they adapt, what
        they begin with, by default 0.5 (jDE: Cr = 0.9).
    budget : int, optional
        Evaluations, at most. By default 10 000 per variable, and never under 10 generations. Say what you can afford:
        the population shrinks by the budget, so that a run with one far too large converges later.
    rng : int, numpy.random.Generator or None, default None
        Seed or generator; None: another run every time.
    donors : str or Operator, optional
        Whom the mutation may draw: "distinct", "not-target" or "not-parents". By default "distinct", or "not-target"
        where F and Cr adapt.
    mutation, crossover, adaptation : str or Operator, optional
        Parts that take the places of those of the variant.
    repair : {"trial", "mutant"}, default "trial"
        What a strategy for whole points repairs: the trial or, before crossover, the mutant.
    vectorized : bool, default False
        Whether `fun` takes a whole generation at once.
    workers : int or map-like callable, default 1
        Processes that call `fun`, which share a generation; -1 for all cores. The result does not depend on it.
    init : array_like of float, shape (N, n), or sequence of N dicts, optional
        Initial population inside the bounds; by default uniform.
    x0 : array_like of float, shape (n,) or (k, n), dict or sequence of dicts, optional
        Known points, one or several, that are part of the initial population; in `init` they come first.
    callback : callable, optional
        callback(intermediate_result), the result but walls, after every generation and step of polish; returning True
        or raising StopIteration ends the run.
    args : tuple, default ()
        Further arguments of `fun`.
    target : float, optional
        Stop as soon as a generation ends with a value ≤ target.
    tol : float, "auto" or None, default "auto"
        Stop when the population has converged in x and in f: its values differ by at most tol times what
        the best has gained since the first hundredth of the budget with a finite value, and its standard deviation is
        at most √tol widths of the bounds, on average over the variables. This is checked at every hundredth. None:
        never. "auto": 1e-12 for the variant "debox", None for others.
    time_limit : float, optional
        Seconds after which the run ends, with status 6: after the generation behind which another one that takes as
        long would end too late.
    checkpoint : str or os.PathLike, optional
        A file in which the run is saved every minute and however it ends, unless it is killed. If it is there, the run
        goes on from it and ends as it would have undisturbed; the result of a finished run is returned. Other settings
        or another `fun` than those of the file are an error; `rng`, `init` and `x0` are ignored.
    on_interrupt : {"return", "raise"}, default "return"
        What Ctrl-C does: end the run and return the best so far, with status 5, or raise KeyboardInterrupt, whose
        attribute `result` has it, as it does the second time and while the initial population is evaluated.
    on_error : {"raise", "nan"}, default "raise"
        What an exception of `fun` does: end the run, or count as the value NaN of that point; the result then has
        n_errors and first_error.
    polish : bool or "auto", default "auto"
        Whether a local search has the last fifth of the budget, but no more than 100 evaluations per variable: L-BFGS-B
        from the best point. Where F and Cr adapt as in L-SHADE and say that the population sits in one basin, a
        CMA-ES goes on from there first, already after two fifths (with at most 100 variables). Differential Evolution
        has the whole budget with variables that are Integer or Choice, with more than 1000 variables, if `fun` returned
        NaN or is noisy, and if less than 10 N evaluations were left to it. "auto": True for the variant "debox" without
        a checkpoint. `Optimizer` never polishes.
    disp : bool, default False
        Whether to show progress: on a terminal, or in a notebook with ipywidgets, a bar with f, POIS and the time left;
        else a line for each twentieth of the budget.

    Returns
    -------
    Result
        A dictionary with attributes, as SciPy's: x, fun, nfev, nit, success, status and message (see below),
        nfev_polish (how many of nfev are those of polish), population, population_energies, n_nan, and what happened at
        the bounds: walls (`print(result.walls)` says which variables are on a bound), n_infeasible (trials outside the
        box before repair), pois (n_infeasible / (nfev - nfev_polish)), infeasible_per_dimension (violated components),
        infeasible_per_bound (the same of lower and upper bounds, (n, 2)), pois_history (about 100 rows of evaluations
        and infeasible trials so far), history (the same rows with evaluations, fun, spread of the population and pois).
        Where variables have names or kinds: params, x by names (without names a list) with integers as int and options
        as they were given. Of periodic variables: wraps, how often each was wrapped.

    Notes
    -----
    Differential Evolution is that of Storn and Price [1]_; the page "What debox computes and draws, exactly" of the
    documentation defines what debox does, step by step.

    A function compiled with Numba is called by a compiled loop. An exception of `fun` is raised as it is; its attribute
    `result` has the result of all finished generations. ``tol=None, polish=False`` spends the whole budget.

    ====== ======================================================= ==================================================
    status the run ended because                                   success
    ====== ======================================================= ==================================================
    0      the budget is spent, or of no more use to polish        without a target, if the best value is finite
    1      the target is reached                                   True
    2      the callback stopped it                                 False
    3      it is not finished: intermediate results, error.result  False
    4      the population (tol) or its polish has converged        as for 0
    5      Ctrl-C interrupted it                                   False
    6      the time limit is over                                  False
    ====== ======================================================= ==================================================

    References
    ----------
    .. [1] R. Storn, K. Price, "Differential Evolution - a simple and efficient heuristic for global optimization over
       continuous spaces", Journal of Global Optimization 11 (1997), 341-359.

    Examples
    --------
    >>> import debox
    >>> def cost(x):
    ...     return (x[0] - 2) ** 2 + (x[1] - 0.5) ** 2
    >>> result = debox.minimize(cost, [(0, 5), (-1, 1)], strategy=["mirror", "toroidal"], budget=2000, rng=1)
    >>> result.x.round(2).tolist(), result.message
    ([2.0, 0.5], 'converged after 1289 of 2000 evaluations')
    """
    given = dict(locals())
    check.reject_unknown_keywords(minimize, unknown)
    is_polished = should_polish(polish, variant, checkpoint)
    optimizer = Optimizer(**{name: given[name] for name in OF_OPTIMIZER})
    if callback is not None and not callable(callback):
        raise ValueError(f"callback must be callable, got {callback!r}")
    args = tuple(args) if isinstance(args, tuple | list) else (args,)  # SciPy unpacks a list, too
    vectorized, disp = check.boolean("vectorized", vectorized), check.boolean("disp", disp)
    must_raise = check.choice("on_interrupt", on_interrupt, ("return", "raise")) == "raise"
    counts_errors = check.choice("on_error", on_error, ("raise", "nan")) == "nan"

    watchers: list[Callable[[], object]] = []  # called after every generation; what is true stops the run
    saves = None
    if checkpoint is not None:
        from debox.optimize.checkpoint import Checkpoint  # which most runs do without

        saves = Checkpoint(checkpoint, optimizer)
        optimizer = saves.optimizer
        watchers.append(saves)
    if callback is not None:
        watchers.append(lambda: asks_to_stop(callback, optimizer._result(with_walls=False)))
    if time_limit is not None:
        watchers.append(TimeLimit(time_limit, optimizer))
    errors = None
    if counts_errors:
        errors = optimizer._errors = optimizer._errors or Errors()
    space = optimizer.space if check.boolean("named", named) else None
    try:
        with ExitStack() as stack:
            evaluate = stack.enter_context(evaluator(fun, args, vectorized, workers, space, errors))
            if saves:
                stack.enter_context(saves)
                saves.check_objective(evaluate)
            if disp:
                from debox.optimize.progress import progress

                watchers.insert(0, stack.enter_context(progress(optimizer)))
            watch = (lambda: any(watch() for watch in watchers)) if watchers else None
            if is_polished:
                from debox.optimize.polish import Finish  # which published variants do without

                finish = Finish(optimizer, evaluate, watch)
                optimizer._run(evaluate, finish)
                finish.run()
            optimizer._run(evaluate, watch)  # all of it or, where polish found no gradient, the rest
    except BaseException as error:
        is_first = isinstance(error, KeyboardInterrupt) and not isinstance(error.__context__, KeyboardInterrupt)
        if isinstance(error, IndexError) and optimizer.space.names and not named:
            add_note(error, "fun gets an array; with named=True it gets a dict of the names")
        if must_raise or not is_first or not optimizer.nfev:
            carry_result(error, optimizer)
            raise
        optimizer._stop(5)
    result = optimizer.result
    if saves and saves.was_done:
        result.message += f"; checkpoint {str(saves.path)!r} held the finished run"
    return result


def should_polish(polish: Any, variant: str, checkpoint: Any) -> bool:
    """Whether a local search has the last part of the budget; "auto" says so for the recipe measured with it."""
    if isinstance(polish, str) and polish == "auto":
        return recipe_of(variant).polishes and checkpoint is None
    if not isinstance(polish, bool):
        raise ValueError(f"polish must be True, False or 'auto', got {polish!r}")
    if polish and checkpoint is not None:
        raise ValueError("polish=True cannot go with a checkpoint, which holds a run of Differential Evolution alone")
    return polish


class TimeLimit:
    """Called after a generation, ends the run if another one that takes as long would end after the limit."""

    def __init__(self, seconds: Any, optimizer: Optimizer) -> None:
        self.optimizer, self.before = optimizer, monotonic()
        self.end = self.before + check.real("time_limit", seconds, "seconds > 0", lambda seconds: seconds > 0)

    def __call__(self) -> bool:
        before, self.before = self.before, monotonic()
        if is_over := self.before + (self.before - before) > self.end:
            self.optimizer._stop(6)
        return is_over


def carry_result(error: BaseException, optimizer: Optimizer) -> None:
    """Give an error the result so far as its attribute `result`, and a note about that."""
    if optimizer.nfev and isinstance(error, Exception):
        done = f"{optimizer.nfev} evaluations were done in the generations before"
        add_note(error, f"{done}; the best of them is error.result, f = {optimizer.result.fun:.6g}")
    with suppress(Exception):  # of errors that take no attributes
        error.result = optimizer.result  # type: ignore[attr-defined]


def asks_to_stop(callback: Callable[[Result], Any], result: Result) -> bool:
    """Whether the callback returns what is true, or raises StopIteration."""
    try:
        return bool(callback(result))
    except StopIteration:
        return True
