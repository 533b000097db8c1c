"""What `scipy.optimize.differential_evolution` has."""

import numpy as np
from scipy import optimize
from scipy.optimize import differential_evolution

from benchmarks.neighbours import BOX, COUNTERS, YES, Slope, absent, count_strategies, n, parameters

PARAMETERS = parameters(differential_evolution)


def strategies() -> str:
    """No argument chooses: all runs have the same."""
    absent("bound_|repair|out_of|correct", PARAMETERS)
    slope = Slope()
    differential_evolution(slope, BOX, maxiter=8, rng=1, polish=False)
    return count_strategies([slope])


def one_for_each_variable() -> str:
    return absent("bound_|repair|out_of|correct", PARAMETERS)


def counts_infeasible() -> str:
    return absent(COUNTERS, " ".join(differential_evolution(Slope(), BOX, maxiter=8, rng=1)))


def adaptive() -> str:
    return absent("adapt|shade|jde", PARAMETERS + str(differential_evolution.__doc__))


def asks_and_tells() -> str:
    return absent(r"\bask|\btell", " ".join(dir(optimize)))


def resumes() -> str:
    """From its last population and its generator a run does not continue as an undisturbed one: it begins anew."""

    def run(rng, generations, **start):
        return differential_evolution(Slope(), BOX, maxiter=generations, rng=rng, polish=False, tol=0, **start)

    generator = np.random.default_rng(1)
    half = run(generator, 4)
    resumed, whole = run(generator, 4, init=half.population), run(np.random.default_rng(1), 8)
    assert half.nfev + resumed.nfev > whole.nfev
    assert resumed.fun != whole.fun
    return absent("save|load|resume|checkpoint", PARAMETERS + " ".join(half))


def variables() -> str:
    x = differential_evolution(Slope(), BOX, maxiter=8, integrality=[True] * n, rng=1, polish=False).x
    assert (x == np.round(x)).all()
    absent("categor|choice|period|log", PARAMETERS)
    return "integer"


def constraints() -> str:
    outside = optimize.NonlinearConstraint(lambda x: x @ x, 9, np.inf)
    result = differential_evolution(lambda x: x @ x, BOX, constraints=outside, maxiter=50, rng=1)
    assert abs(result.fun - 9) < 1e-3
    return YES
