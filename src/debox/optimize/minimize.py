"""minimize: Differential Evolution for people with an objective, with the manners of scipy.optimize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from debox import check
from debox.operators.kinds import Operator
from debox.optimize.objective import evaluator
from debox.optimize.optimizer import Optimizer, Result

LINES_SHOWN = 20  # with disp=True


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
    budget: int | None = None,
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
    disp: bool = False,
    **unknown: Never,
) -> Result:
    """Minimise fun(x, *args) over a box with Differential Evolution, and say how often it left the box.

    Parameters
    ----------
    fun : callable
        fun(x, *args) → number, with x of shape (n,). With vectorized=True it gets a generation's points as (n, S)
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
        or a registered operator; or one per variable: an angle wraps while a length mirrors. With "none" nothing does:
        points outside are evaluated, and x may be one of them. Periodic variables wrap with any strategy. By default
        that of the variant: mirror for debox and classic DE, saturation for jDE, midpoint-target for the other
        published ones.
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
    vectorized : bool, default False
        Whether `fun` takes a whole generation at once.
    workers : int or map-like callable, default 1
        Processes that call `fun`; -1 for all cores. The result does not depend on it.
    init : array_like of float, shape (N, n), or sequence of N dicts, optional
        Initial population inside the bounds; by default uniform. A variable with the same value in all points cannot
        move, of which a warning tells.
    x0 : array_like of float, shape (n,) or (k, n), dict or sequence of dicts, optional
        Known points, one or several, that are part of the initial population; in `init` they come first.
    callback : callable, optional
        callback(intermediate_result) after every generation; returning True or raising StopIteration ends the run.
    args : tuple, default ()
        Further arguments of `fun`; a list is unpacked, too, and anything else is one further argument.
    target : float, optional
        Stop as soon as a generation ends with a value ≤ target.
    disp : bool, default False
        Whether progress is printed.

    Returns
    -------
    Result
        A dictionary with attributes, as SciPy's: x, fun, nfev, nit, success, status (0 budget spent, 1 target reached,
        2 stopped on request), message, population, population_energies, and what happened at the walls: n_infeasible
        (trials outside the box before repair), pois (n_infeasible / nfev), infeasible_per_dimension (violated
        components), pois_history (about 100 rows of evaluations and infeasible trials so far); n_nan.
        Where variables have names or kinds: params, x by names (without names a list) with integers as
        int and options as they were given. Of periodic variables: wraps, how often each was wrapped. success: the
        target was reached or, without a target, the budget is spent and the best value is finite.

    Raises
    ------
    ValueError
        If an argument is not allowed, or `fun` returns what is no number; the message names it and what is allowed.
    TypeError
        If there is no such keyword, or `fun` does not take these arguments.

    Notes
    -----
    Differential Evolution is that of Storn and Price [1]_; docs/spec.md defines what debox does, step by step.

    A function compiled with Numba is called for a whole generation at once, by a loop that is compiled once for args of
    the same types. An exception of `fun` is raised as it is, with a note of how many evaluations were done before.

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
    ([2.0, 0.5], 'the budget of 2000 evaluations is spent')
    >>> 0 < result.pois < 1, result.pois == result.n_infeasible / 2000
    (True, True)
    """
    check.reject_unknown_keywords(minimize, unknown)
    optimizer = Optimizer(
        bounds,
        variant,
        integrality=integrality,
        strategy=strategy,
        N=N,
        F=F,
        Cr=Cr,
        budget=budget,
        rng=rng,
        donors=donors,
        mutation=mutation,
        crossover=crossover,
        adaptation=adaptation,
        repair=repair,
        init=init,
        x0=x0,
        target=target,
    )
    check.callback(callback)
    args = tuple(args) if isinstance(args, tuple | list) else (args,)  # SciPy unpacks a list, too
    vectorized, disp = check.boolean("vectorized", vectorized), check.boolean("disp", disp)

    def report(before: int) -> bool:
        return report_generation(optimizer, before, callback, disp)

    space = optimizer.space if check.boolean("named", named) else None
    with evaluator(fun, args, vectorized, workers, space) as evaluate:
        optimizer._run(evaluate, report if disp or callback is not None else None)
    return optimizer.result


def report_generation(optimizer: Optimizer, before: int, callback: Callable[[Result], Any] | None, disp: bool) -> bool:
    """Print a line if `disp` is due and call the callback; returns whether the callback asks to stop.

    `before`: how many evaluations were done before this generation.
    """
    step = optimizer.budget // LINES_SHOWN + 1
    if disp and (optimizer.done or optimizer.nfev // step > before // step):
        result = optimizer.result
        print(f"{result.nfev:>9} of {optimizer.budget} evaluations   f = {result.fun:<13.6g} POIS = {result.pois:.3f}")
    if callback is None:
        return False
    try:
        return bool(callback(optimizer.result))
    except StopIteration:
        return True
