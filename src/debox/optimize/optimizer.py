"""Optimizer: Differential Evolution as a conversation, ask for points and tell their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check
from debox.config import PAPER_BUDGET, complete, per_variable, recipe_of
from debox.loop import Loop
from debox.operators.kinds import Operator
from debox.optimize.objective import Errors, Evaluate, evaluator
from debox.optimize.variables import Space
from debox.reference import INFEASIBLE, MARKS_PASSED, NANS, UNSEEN
from debox.travel import warn_user

NUMBERS_SHOWN = 12  # of an array other than x, where a result is printed
GENERATIONS = 10  # at least, of a run with the default budget (page "The defaults of minimize")

ONLY_MINIMIZE = {"polish": "only minimize polishes", "checkpoint": "use save and load"}

MESSAGES = {
    0: "the budget of {budget} evaluations is spent",
    1: "the target {target} is reached",
    2: "stopped on request",
    3: "not finished: {nfev} of {budget} evaluations done",
    4: "converged after {nfev} of {budget} evaluations",
    5: "interrupted after {nfev} of {budget} evaluations",
    6: "the time limit ended the run after {nfev} of {budget} evaluations",
}


class Result(dict[str, Any]):
    """What `minimize` returns: `result.x` is `result["x"]`.

    Examples
    --------
    >>> import debox
    >>> result = debox.minimize(lambda x: x[0] ** 2, [(-1, 2)], budget=1000, rng=1)
    >>> result.nfev, result["nfev"]
    (1000, 1000)
    """

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"a result has no {name!r}; it has {', '.join(self)}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        shown = {name: value if name == "x" else _shortened(value) for name, value in self.items()}
        width = max(map(len, shown), default=0)
        indent = "\n" + " " * (width + 2)
        return "\n".join(f"{name:>{width}}: {str(value).replace(chr(10), indent)}" for name, value in shown.items())


def _shortened(value: Any) -> Any:
    """What stands for a value where a result is printed: of large arrays what they are."""
    if isinstance(value, np.ndarray) and value.dtype.names:
        return f"{len(value)} rows of {', '.join(value.dtype.names)}"
    if not isinstance(value, np.ndarray) or value.size <= NUMBERS_SHOWN:
        return value
    return f"{' × '.join(map(str, value.shape))} numbers, from {value.min():.6g} to {value.max():.6g}"


class Optimizer:
    """The ask/tell form of `minimize`, for objectives that run elsewhere.

    With the same seed it does the same run. `save` writes the whole state, also between `ask` and `tell`;
    `Optimizer.load` continues to the identical end, as does a pickle.

    Parameters
    ----------
    bounds, variant, integrality, strategy, N, F, Cr, budget, rng, donors
        As in `minimize`.
    mutation, crossover, adaptation, repair, init, x0, target, tol
        As in `minimize`.

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
        integrality: ArrayLike | None = None,
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
        init: ArrayLike | None = None,
        x0: Any = None,
        target: float | None = None,
        tol: float | str | None = "auto",
        **unknown: Never,
    ) -> None:
        check.reject_unknown_keywords(Optimizer, unknown, ONLY_MINIMIZE)
        self.space = Space.of(bounds, integrality)
        self.box = self.space.box
        n, recipe = self.box.n, recipe_of(variant)
        of_all = per_variable(recipe.strategy if strategy is None else strategy, self.space.n)
        strategies = self.space.searched(of_all)
        initial = starts = None
        if init is not None or x0 is not None:
            from debox.optimize import start  # which most runs do without

            initial, starts = start.given_points(self.space, init, x0)
            if N is None and initial is not None:
                N = len(initial)
        parts: dict[str, Any] = {"mutation": mutation, "crossover": crossover, "adaptation": adaptation}
        parts |= {"donors": donors, "N": N, "F": F, "Cr": Cr, "strategy": strategies[0], "repair": repair}
        self.config = complete(options=parts, n=n, budget=budget, recipe=recipe)
        N = self.config.N
        self.budget = max(PAPER_BUDGET * n, GENERATIONS * N)
        if budget is not None:
            self.budget = check.budget(budget, N, f"N = {N} points start the run")
        self.strategies = [operator.name for operator in of_all]
        self.target = np.nan if target is None else check.real("target", target, "a finite value", lambda _: True)
        if isinstance(tol, str) and tol == "auto":
            tol = recipe.tol
        self.tol = None if tol is None else check.real("tol", tol, "0 ≤ tol (or None, or 'auto')", lambda tol: tol >= 0)
        self.rng = check.generator(rng)
        if initial is not None and len(initial) != N:
            raise ValueError(f"{'init has' if x0 is None else 'init and x0 have'} {len(initial)} points, but N = {N}")
        P = self.box._sample(N, self.rng) if initial is None else initial
        if starts is not None:
            P = start.around(starts, P, self.box, self.budget)
        elif initial is not None:
            start.warn_of_constant_variables(self.space, initial)
        hundredths = np.unique([-(-self.budget * k // 100) for k in range(1, 101)])  # rounded up
        settings = {"P": P, "budget": self.budget, "rng": self.rng, "marks": hundredths}
        settings |= {"target": self.target, "periodic": self.space.periodic}
        self._loop = Loop(self.config, self.box, strategies, **settings)
        self._end = 3  # the status, unless the target is reached or the budget spent
        self._nfev_polish = 0  # evaluations of a Finish
        self._polished: list[tuple[int, float]] = []  # evaluations and best value when it began, and on its way
        self._best_of_polish = np.nan  # the least value that it found, if it gained
        self._errors: Errors | None = None  # of the objective, if they count as NaN
        self._has_warned_of_nan = False
        self._knows_sides = True  # do the counts say which bound was violated? Not those of earlier files

    def __repr__(self) -> str:
        best = f", f = {self._loop.f[self._loop.run.best]:.6g}" if self.nfev else ""
        return f"<Optimizer of {self.space.n} variables, {self._message()}{best}>"

    @property
    def done(self) -> bool:
        """Whether the budget is spent, the target reached, the population converged, or the run stopped."""
        return self._status() != 3

    @property
    def nfev(self) -> int:
        """Number of evaluations so far."""
        return self._loop.evaluations + self._nfev_polish

    def ask(self) -> NDArray[np.float64]:
        """The points to evaluate next; the same ones until their values are told.

        They have shape (S, n), as the objective sees them. S is N, or what the budget leaves; with the strategy
        penalty, which does not evaluate infeasible trials, fewer, perhaps none.

        Raises
        ------
        RuntimeError
            If the run is over.
        """
        if self.done:
            raise RuntimeError(f"nothing to ask: {self._message()}")
        self._loop.propose()
        return self._asked()[1].copy()

    def params(self, x: ArrayLike) -> Any:
        """A point that `ask` gave in natural values, as `result.params` has them: a dict, without names a list.

        Parameters
        ----------
        x : array_like of float, shape (n,)
            A row of the points.
        """
        point = check.floats(x, "x must be a point")
        if point.shape != (self.space.n,):
            raise ValueError(f"x must be one point, of {self.space.n} numbers, got shape {point.shape}")
        return self.space.params(point)

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
        """
        if not self._loop.run.trials:
            raise RuntimeError("tell comes after ask: no points are waiting for values")
        seen, asked = self._asked()
        given, rule = np.asarray(X), "X must be the points that ask() gave, all of them and in their order"
        if given.shape != asked.shape:
            raise ValueError(f"{rule}: got shape {given.shape}, not {asked.shape}")
        both_nan = np.isnan(asked) & (given != given)  # with none, after an overflow
        differs = ((asked != given) & ~both_nan).any(axis=1)
        if differs.any():
            raise ValueError(f"{rule}: X[{differs.argmax()}] differs")
        self._take(seen, check.values(f, len(asked), "f must hold"))

    def _asked(self) -> tuple[slice | NDArray[np.int64], NDArray[np.float64]]:
        """The trials of this generation that are evaluated, with penalty the feasible ones, else all; their points."""
        loop, trials = self._loop, self._loop.run.trials
        seen = np.flatnonzero(~loop.infeasible[:trials]) if loop.run.fate == UNSEEN else slice(trials)
        return seen, self.space.decode(loop.U[seen])

    def _take(self, seen: slice | NDArray[np.int64], values: Any) -> None:
        """Go on to the next generation with the values of the trials that are evaluated."""
        loop = self._loop
        loop.f_U[:] = np.inf  # of those that are not
        loop.f_U[seen] = values
        if loop.select():
            self._check_convergence()
        nans, errors = int(loop.counts[NANS]), self._errors.count if self._errors else 0  # which have their own warning
        if nans not in (0, errors) and not self._has_warned_of_nan:
            self._has_warned_of_nan = True
            warn_user("the objective returned NaN: treated as worse than anything, counted in n_nan", RuntimeWarning)

    def run(self, fun: Callable[..., Any], args: tuple[Any, ...] = (), *, named: bool = False) -> None:
        """Do the rest of the run.

        Parameters
        ----------
        fun, args, named
            As in `minimize`.
        """
        with evaluator(fun, args, vectorized=False, workers=1, space=self.space if named else None) as evaluate:
            self._run(evaluate)

    def _run(self, evaluate: Evaluate, watch: Callable[[], bool] | None = None) -> None:
        """Propose, evaluate, select, to the end; `watch` is called after every generation, and may end the run."""
        while self._end == 3 and self._loop.propose():
            seen, X = self._asked()
            self._take(seen, evaluate(X) if len(X) else ())  # with penalty perhaps all are infeasible
            if watch and watch():
                self.stop()

    def _check_convergence(self) -> None:
        """End the run if the population has converged in x and in f, as `minimize` says, after a hundredth has passed.

        In x to √tol, since values near a smooth minimum differ by the square. A plateau is convergence in f alone.
        """
        loop = self._loop
        passed = loop.counts[MARKS_PASSED]
        if self.tol is None or not loop.spread_at[passed - 1] ** 2 <= self.tol:
            return
        f, known = loop.f[: len(loop.population)], loop.best_at[:passed]
        if finite := known[np.isfinite(known)].tolist():
            with np.errstate(over="ignore"):  # of values near the end of the range of floats
                if f.max() - f.min() <= self.tol * (finite[0] - f.min()):
                    self._stop(4)

    def stop(self) -> None:
        """End the run here."""
        self._stop(2)

    def _stop(self, status: int) -> None:
        """End the run with this status, unless it has ended."""
        if self._end == 3:
            self._end = status

    def _status(self) -> int:
        loop = self._loop
        if loop.f[loop.run.best] <= self.target:  # NaN until the first values
            return 1
        return 0 if self.nfev >= self.budget else self._end

    def _message(self) -> str:
        loop, status, errors, best = self._loop, self._status(), self._errors, self._loop.P[self._loop.run.best]
        message = MESSAGES[status].format(budget=self.budget, target=self.target, nfev=self.nfev)
        if status == 0 and self.nfev < self.budget:
            message = f"ended after {self.nfev} of {self.budget} evaluations: a gradient takes more than the rest"
        if loop.run.generations == 0 and self.nfev >= self.budget:
            message += "; no generation was done: the population is as large as the budget"
        if status in (0, 4) and not np.isnan(self.target):
            message += f"; the target {self.target} is not reached"
        if self.nfev and not np.isfinite(loop.f[loop.run.best]):
            message += "; no finite value was found"
        if self.nfev and not self.box.contains(best) and not self.space.contains(self.space.decode(best)):
            message += "; x lies outside the bounds"
        if errors is not None and errors.count:
            times = "once:" if errors.count == 1 else f"{errors.count} times, first"
            message += f"; the objective raised {times} {errors.first}"
        return message

    @property
    def result(self) -> Result:
        """What is known so far, as `minimize` returns it."""
        return self._result()

    def _result(self, with_walls: bool = True) -> Result:
        """What is known so far; callbacks get it without walls, which would take longer than a generation."""
        from debox.optimize.walls import history, walls

        loop, space, nfev, status = self._loop, self.space, self._loop.evaluations, self._status()
        best, infeasible, passed = loop.P[loop.run.best], int(loop.counts[INFEASIBLE]), loop.marks <= nfev
        pois_history = np.column_stack([loop.marks[passed], loop.infeasible_at[passed]])
        if nfev and nfev not in loop.marks:
            pois_history = np.vstack([pois_history, [nfev, infeasible]])
        fun, x = float(loop.f[loop.run.best]), space.decode(best.copy())
        success = status == 1 or bool(status in (0, 4) and np.isnan(self.target) and np.isfinite(fun))
        result = Result(message=self._message(), success=success, status=status, fun=fun, x=x)
        if space.names or not space.is_plain:
            result.params = space.params(x)
        if self._knows_sides and with_walls:
            result.walls = walls(space, loop, best, self._end == 4, is_polished=fun == self._best_of_polish)
            if status != 3 and (on_a_bound := result.walls.message()):
                result.message += f"; {on_a_bound}"
        result |= {"nfev": self.nfev, "nfev_polish": self._nfev_polish, "nit": max(loop.run.generations, 0)}
        result.n_nan = int(loop.counts[NANS])
        if self._errors is not None:
            result |= {"n_errors": self._errors.count, "first_error": self._errors.first}
        result |= {"pois": infeasible / nfev if nfev else 0.0, "n_infeasible": infeasible}
        result.infeasible_per_dimension = space.of_all(loop.violations.sum(axis=0))
        if self._knows_sides:
            result.infeasible_per_bound = space.of_all(loop.violations).T.copy()
            result.history = history(loop, [*self._polished, (self.nfev, fun)] if self._polished else [])
        if space.periodic.any():
            result.wraps = space.of_all(loop.wraps)
        result |= {"pois_history": pois_history, "population": space.decode(loop.population.copy())}
        result.population_energies = loop.f[: len(loop.population)].copy()
        return result

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole state to a file, which is replaced whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            The file; an optimizer that was saved there before is replaced, another kind of file is not.
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
        """
        from debox.optimize.saved import read

        return read(path)
