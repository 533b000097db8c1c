"""minimize: Differential Evolution for people with an objective, with the manners of scipy.optimize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike

from debox import check, jit
from debox.optimize.objective import evaluator, note
from debox.optimize.optimizer import Optimizer

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

LINES_SHOWN = 20  # with disp=True


def minimize(
    fun: Callable[..., Any],
    bounds: Any,
    variant: str = "DE/rand/1/bin",
    *,
    strategy: str | Sequence[str] = "mirror",
    N: int | None = None,
    F: float = 0.6,
    Cr: float = 0.7,
    budget: int | None = None,
    rng: int | np.random.Generator | None = None,
    donors: str = "distinct",
    vectorized: bool = False,
    workers: int | Callable[..., Any] = 1,
    init: ArrayLike | None = None,
    callback: Callable[[OptimizeResult], Any] | None = None,
    args: tuple[Any, ...] = (),
    target: float | None = None,
    disp: bool = False,
    **unknown: Never,
) -> OptimizeResult:
    """Minimise fun(x, *args) over a box with Differential Evolution, and say how often it left the box.

    fun         f(x, *args) → number. With vectorized=True it gets a generation's points as (n, S) and returns (S,).
                A function compiled with Numba runs the whole optimisation as one compiled call, which Ctrl-C ends
                only with callback or disp; it is compiled once for args of the same types, whatever their values.
    bounds      pairs (lower, upper), one per variable, or a scipy.optimize.Bounds; within ±1e307
    variant     DE/mutation/crossover: rand/1, rand/2, best/1 or curr-to-best/1, then bin or exp
    strategy    what happens to a variable outside its bounds: saturation, toroidal, mirror, COTN or dismiss (`debox
                strategies` says all); or a sequence, one per variable (an angle wraps while a length mirrors)
    N, F, Cr    population size (default: 3 per variable, 30 to 40), scale factor in (0, 2], crossover
                rate in [0, 1]; N is smaller where the budget would leave under 10 generations
    budget      evaluations, spent exactly; default 10 000 per variable, and never under 10 generations
    rng         seed, numpy Generator or None
    donors      distinct, not-target or not-parents: whom the mutation may draw
    workers     processes, -1 for all cores, or a map-like callable; same seed, same result
    args        a tuple (or list) of further arguments of fun; anything else is one further argument
    init        initial population (N, n) inside the box; default: uniform
    callback    callback(intermediate_result) after every generation; returning True or StopIteration ends the run
    target      stop as soon as a generation ends with a value ≤ target
    disp        print progress

    Returns a scipy.optimize.OptimizeResult: x, fun, nfev, nit, success, status (0 budget spent, 1 target reached,
    2 stopped on request), message, population, population_energies, and always n_infeasible (trials outside the box
    before repair), pois (n_infeasible / nfev), infeasible_per_dimension (violated components), pois_history
    (rows of evaluations and infeasible trials so far; about 100), n_nan. success: the target was reached or, without
    a target, the budget is spent and the best value is finite.
    """
    check.reject_unknown_keywords(minimize, unknown)
    optimizer = Optimizer(
        bounds,
        variant,
        strategy=strategy,
        N=N,
        F=F,
        Cr=Cr,
        budget=budget,
        rng=rng,
        donors=donors,
        init=init,
        target=target,
    )
    if not callable(fun):
        raise ValueError(f"fun must be callable, got {fun!r}")
    check.callback(callback)
    args = tuple(args) if isinstance(args, tuple | list) else (args,)  # SciPy unpacks a list, too
    vectorized, watched = check.boolean("vectorized", vectorized), check.boolean("disp", disp) or callback is not None
    if jit.is_compiled(fun) and not vectorized and not watched and workers == 1:
        optimizer.run(fun, args)
        return optimizer.result
    with evaluator(fun, args, vectorized, workers) as evaluate:
        while not optimizer.done:
            try:
                values = evaluate(optimizer.ask())
            except Exception as error:
                note(error, f"{optimizer.nfev} evaluations were done in the generations before")
                raise
            optimizer._tell(values)
            if watched and tells_to_stop(optimizer, callback, disp):
                optimizer.stop()
    return optimizer.result


def tells_to_stop(optimizer: Optimizer, callback: Callable[[OptimizeResult], Any] | None, disp: bool) -> bool:
    """Show the state after a generation; does the callback want to stop?"""
    if disp and (optimizer.done or optimizer.nfev % (optimizer.budget // LINES_SHOWN + 1) < optimizer.config.N):
        result = optimizer.result
        print(f"{result.nfev:>9} of {optimizer.budget} evaluations   f = {result.fun:<13.6g} POIS = {result.pois:.3f}")
    if callback is None:
        return False
    try:
        return bool(callback(optimizer.result))
    except StopIteration:
        return True
