"""Finish: what `minimize` does with the last part of its budget, once DE has found the basin.

Where the population sits in one basin, a short CMA-ES goes on from its covariance; L-BFGS-B ends every run. Constants
were chosen on the tuning problems of reproduction/ and 23 like the classes of SBOX (n = 10), 11 seeds each, at
200 n and 1000 n evaluations: `python -m reproduction shapes` compares them with DE alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.loop import Loop
from debox.optimize.objective import Evaluate
from debox.optimize.optimizer import Optimizer
from debox.optimize.variables import Choice, Integer, Space
from debox.reference import NANS, TERMINAL

Floats = NDArray[np.float64]

# L-BFGS-B has a fifth of the budget, at most 100 n: with 0.3 smooth functions gain at 200 n, with 0.4 separable ones
# with many minima lose. A whole fifth of 1000 n leaves the discus at 2e-4, 100 n at 1e-8: CMA-ES does better there.
SHARE, MOST = 5, 100
GATE = 0.4  # of the budget until CMA-ES may begin; 0.5 leaves rotated ellipsoids of 1000 n above 4e-8, 0.4 below 1e-8
# Mean Cr of L-SHADE's memory, at half of 1000 n: 0.88 or more where there is one basin, and on Ackley, Schaffer, peaks;
# 0.69 or less on Rastrigin, Schwefel, Katsuura, Lunacek, where CMA-ES does not gain, and Weierstrass, where it would.
HIGH_CR = 0.8
DIAGONAL = 0.5  # of the first covariance: few individuals suggest correlations; 0.2 lost on a separable ellipsoid
# CMA-ES decomposes n × n numbers in every iteration, and the points of a gradient are n × n, too.
MOST_FOR_CMA, MOST_VARIABLES = 100, 1000
STEP = 1e-8  # of forward differences, in widths of the bounds: the root of the precision of floats
PLATEAU = 1e-4  # mean spread of a population, in widths: with less it has converged, and equal values are rounding
PRECISION = 1e-15  # of f, relative to what DE has gained: a search that gains less has ended
NOISE = 1e-12  # of |f|: a vectorised objective may round one point otherwise than a generation


class Enough(Exception):
    """The part of the budget is spent, or a stop was asked for."""


def is_continuous(space: Space) -> bool:
    """Whether no variable is an Integer or a Choice."""
    return not any(isinstance(variable, Integer | Choice) for variable in space.variables)


def share_of(optimizer: Optimizer) -> int:
    """Evaluations that a Finish has; 0 if it cannot work, or would leave too few to Differential Evolution."""
    n, N, strategy = optimizer.box.n, optimizer.config.N, optimizer.config.operators.strategy
    share = min(optimizer.budget // SHARE, MOST * n, optimizer.budget - 10 * N)  # N of `minimize` may be large
    is_enough = n <= MOST_VARIABLES and share >= 2 * (n + 2)
    return share if is_enough and is_continuous(optimizer.space) and not strategy.leaves_outside else 0


class Finish:
    """The last part of a run; called after every generation of DE, it says whether that part begins at once."""

    def __init__(self, optimizer: Optimizer, evaluate: Evaluate, watch: Callable[[], bool] | None) -> None:
        self.optimizer, self.loop, self.evaluate, self.watch = optimizer, optimizer._loop, evaluate, watch
        self.n, self.rng = optimizer.box.n, optimizer.rng
        self.low, self.width = optimizer.box.lower, optimizer.box.upper - optimizer.box.lower
        self.periodic = optimizer.space.periodic
        self.share = share_of(optimizer)
        self.loop.run.budget = optimizer.budget - self.share
        self.begins = False

    def __call__(self) -> bool:
        """Whether DE should end: `watch` ends the run, or CMA-ES does better in the basin of the population."""
        loop, run = self.loop, self.loop.run
        if self.watch and self.watch():
            self.share = 0
            return True
        if not self.share:
            return False
        is_first, is_last = run.generations == 0, loop.evaluations >= int(run.budget)
        has_value = bool(np.isfinite(loop.f[run.best]))
        past_the_gate = loop.evaluations >= GATE * self.optimizer.budget and not is_last
        self.begins = past_the_gate and has_value and self.n <= MOST_FOR_CMA and sits_in_a_basin(loop)
        has_nan = bool(loop.counts[NANS])
        is_noisy = (is_first or is_last or self.begins) and has_value and not has_nan and self.is_noisy()
        if has_nan or is_noisy or (is_last and not has_value):  # DE goes on to the end
            self.begins, self.share, run.budget = False, 0, self.optimizer.budget - self.optimizer._nfev_polish
        return self.begins

    def is_noisy(self) -> bool:
        """Whether the best point has another value when it is evaluated again."""
        best = self.loop.run.best
        known, self.optimizer._nfev_polish = self.loop.f[best], self.optimizer._nfev_polish + 1
        again = float(self.evaluate(self.optimizer.space.decode(self.loop.P[best : best + 1]))[0])
        return not abs(again - known) <= NOISE * max(abs(known), abs(again))

    def run(self) -> None:
        """Do the last part, unless the run was ended by its target or by `watch`.

        DE goes on where there is no gradient: where a value is infinite, as many objectives mark infeasible points, and
        on a plateau.
        """
        optimizer = self.optimizer
        if not self.share or optimizer._status() == 1:
            return
        optimizer._end = 3  # DE has converged, or ended for this
        optimizer._polished = [(self.loop.evaluations, float(self.loop.f[self.loop.run.best]))]
        gain = self.loop.best_at[0] - self.loop.f[self.loop.run.best]
        self.scale = gain if 0 < gain < np.inf else 1.0
        try:
            if self.begins:
                self.least_left = self.share
                self.cma_es()
            self.least_left = max(optimizer.budget - optimizer.nfev - self.share, 0)
            self.l_bfgs_b()
        except Enough:
            pass
        except NoGradient:
            optimizer._polished = []  # history has the rows of Differential Evolution
            self.share, self.loop.run.budget = 0, optimizer.budget - optimizer._nfev_polish
            return
        status = optimizer._status()
        optimizer._stop(4 if status == 3 else status)

    def values(self, Z: Floats) -> Floats:
        """f at points of the unit box, all of them or none; the best one is that of the run from now on.

        Periodic variables may lie outside: they wrap.
        """
        optimizer, loop = self.optimizer, self.loop
        if optimizer.budget - optimizer.nfev - len(Z) < self.least_left:
            raise BudgetIsSpent
        Z = np.where(self.periodic, Z - np.floor(Z), Z)
        X = np.clip(self.low + self.width * Z, optimizer.box.lower, optimizer.box.upper)
        f = np.asarray(self.evaluate(optimizer.space.decode(X)), np.float64)
        optimizer._nfev_polish += len(f)
        loop.counts[NANS] += np.isnan(f).sum()
        f = np.where(np.isnan(f), np.inf, f)
        if f.min() < loop.f[loop.run.best]:
            loop.P[loop.run.best], loop.f[loop.run.best] = X[f.argmin()], f.min()
            optimizer._best_of_polish = float(f.min())
        if (optimizer.nfev - optimizer._polished[-1][0]) * 100 >= optimizer.budget:
            optimizer._polished.append((optimizer.nfev, float(loop.f[loop.run.best])))
        if optimizer._status() == 1:
            raise Enough
        if self.watch and self.watch():
            optimizer.stop()
            raise Enough
        return f

    def l_bfgs_b(self) -> None:
        """L-BFGS-B from the best point, with forward differences; the points of a gradient are one generation."""
        from scipy.optimize import minimize

        start = np.clip((self.loop.P[self.loop.run.best] - self.low) / self.width, 0, 1)
        spread = np.std((self.loop.population - self.low) / self.width, axis=0).mean()
        may_be_plateau = not self.begins and spread > PLATEAU  # where CMA-ES was before, it has converged

        def value_and_gradient(z: Floats) -> tuple[float, Floats]:
            steps = np.where((z + STEP > 1) & ~self.periodic, -STEP, STEP)
            f = self.values(np.vstack([z, z + np.diag(steps)])) / self.scale
            is_plateau = may_be_plateau and np.array_equal(z, start) and (f == f[0]).all()
            if is_plateau or not np.isfinite(f).all():
                raise NoGradient
            return f[0], (f[1:] - f[0]) / steps

        bounds = [(None, None) if wraps else (0, 1) for wraps in self.periodic]
        options: Any = {"ftol": PRECISION, "gtol": 0, "maxiter": 10**9, "maxfun": 10**9}
        try:
            minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        except BudgetIsSpent:
            self.optimizer._stop(0)

    def cma_es(self) -> None:
        """(μ/μ_w, λ)-CMA-ES (Hansen 2016, arXiv:1604.00772) from the population; points outside are put on the bound.

        The length of p_σ is not corrected for its first generations.

        x ~ m + σ N(0, C); σ by the length of the path p_σ, C by the path p_c and the best λ/2 steps. Periodic variables
        lie within half a period of the best point at first, and may leave the box.
        """
        n, loop = self.n, self.loop
        P = (loop.population - self.low) / self.width
        order = np.argsort(loop.f[: len(P)], kind="stable")
        best = P[order[0]]
        P = np.where(self.periodic, best + (P - best + 0.5) % 1 - 0.5, P)
        lam, w, mu_w, c_s, c_c, c_1, c_mu, damping, expected = cma_constants(n)
        mu = len(w)

        m, sigma, p_s, p_c = P[order[: max(2, len(P) // 2)]].mean(axis=0), 1.0, np.zeros(n), np.zeros(n)
        C = np.atleast_2d(np.cov(P.T)) + 1e-16 * np.eye(n)
        C = (1 - DIAGONAL) * C + DIAGONAL * np.diag(np.diag(C))
        while True:
            variances, B = np.linalg.eigh((C + C.T) / 2)
            D = np.sqrt(np.maximum(variances, 1e-30 * variances.max()))
            Z = m + sigma * (self.rng.standard_normal((lam, n)) * D) @ B.T
            Z = np.where(self.periodic, Z, np.clip(Z, 0, 1))
            try:
                f = self.values(Z)
            except BudgetIsSpent:
                return
            if f.max() <= f.min() + PRECISION * self.scale or sigma * D.max() < 1e-12:
                return
            Y = (Z[np.argsort(f, kind="stable")[:mu]] - m) / sigma
            y = w @ Y
            m = m + sigma * y
            p_s = (1 - c_s) * p_s + sqrt(c_s * (2 - c_s) * mu_w) * (B @ ((B.T @ y) / D))
            length = float(np.linalg.norm(p_s)) / expected
            p_c = (1 - c_c) * p_c + (length < 1.4 + 2 / (n + 1)) * sqrt(c_c * (2 - c_c) * mu_w) * y
            C = (1 - c_1 - c_mu) * C + c_1 * np.outer(p_c, p_c) + c_mu * (Y.T * w) @ Y
            sigma *= exp(min(1.0, c_s / damping * (length - 1)))


class BudgetIsSpent(Exception):
    """The next points are more than this search may evaluate."""


class NoGradient(Exception):
    """A value is not finite at a point or next to it, or the population lies scattered on a plateau."""


def cma_constants(n: int) -> tuple[int, Floats, float, float, float, float, float, float, float]:
    """λ, the weights, μ_w, c_σ, c_c, c_1, c_μ, d_σ and E |N(0, I)|: defaults of CMA-ES, without negative weights."""
    lam = 4 + int(3 * log(n))
    w = log((lam + 1) / 2) - np.log(np.arange(1, lam // 2 + 1))
    w /= w.sum()
    mu_w = float(1 / (w**2).sum())
    c_s, c_c = (mu_w + 2) / (n + mu_w + 5), (4 + mu_w / n) / (n + 4 + 2 * mu_w / n)
    c_1 = 2 / ((n + 1.3) ** 2 + mu_w)
    c_mu = 2 * (mu_w - 2 + 1 / mu_w) / ((n + 2) ** 2 + mu_w)
    damping = 1 + c_s  # with many more points than λ this and c_μ would have further terms
    return lam, w, mu_w, c_s, c_c, c_1, c_mu, damping, sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))


def sits_in_a_basin(loop: Loop) -> bool:
    """Whether L-SHADE's memory says so: trials succeed that take nearly all components from the mutant."""
    adaptation = loop.config.operators.adaptation
    Cr = np.where(loop.memory[1] == TERMINAL, 0.0, loop.memory[1])
    return bool(loop.config.operators.is_ranked and adaptation.memory and Cr.mean() >= HIGH_CR)
