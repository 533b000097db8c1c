"""An objective that tests of `minimize` and `Optimizer` share, runs of many kinds, and optimizers driven by it."""

from debox import Optimizer

BOUNDS = [(-1.0, 1.0), (0.25, 2.0), (-3.0, 4.0)]
STRATEGIES = ["saturation", "toroidal", "mirror", "COTN", "uniform", "midpoint-target", "midpoint-base", "rand-target"]
STRATEGIES += ["rand-base", "exp-target", "exp-center", "exp-spread", "reflect-random", "dismiss", "conservatism"]
STRATEGIES += ["project-midpoint", "project-base", "resample", "penalty", "none"]
MUTATIONS = ["rand/1", "rand/2", "best/1", "current-to-best/1", "best/2", "current-to-best/2", "rand-to-best/1"]
MUTATIONS += ["rand-to-best/2", "current-to-rand/1", "current-to-pbest/1"]

RUNS = {
    "default": {"budget": 105},
    "classic": {"variant": "DE/best/1/exp", "strategy": "COTN", "N": 7, "F": 1.5, "donors": "not-parents"},
    "target": {"strategy": ["toroidal", "mirror", "saturation"], "budget": 400, "target": 0.02},
    "jDE": {"variant": "jDE", "N": 10, "Cr": 0, "budget": 125},
    "JADE": {"variant": "JADE", "N": 10, "strategy": "resample"},
    "SHADE": {"variant": "SHADE", "N": 10, "strategy": "dismiss", "repair": "mutant"},
    "L-SHADE": {"variant": "L-SHADE", "N": 20, "budget": 125},
    "L-SHADE of 3": {"variant": "L-SHADE", "N": 3},  # fewer than it would end with
    "p-best": {"variant": "DE/curr-to-pbest/1/bin", "N": 9, "F": 2, "Cr": 1},
    "penalty": {"variant": "L-SHADE", "N": 10, "F": 0.9, "strategy": "penalty", "donors": "not-parents"},
    "none": {"variant": "L-SHADE", "N": 10, "mutation": "rand/1", "crossover": "exp", "strategy": "none"},
}
RUNS = {name: {"budget": 93, "rng": 1} | options for name, options in RUNS.items()}


def squares(x, centre=0.3):
    """For a point (n,) and for points (n, S), with the same roundings."""
    total = 0.0
    for i in range(len(x)):
        total = total + (x[i] - centre) * (x[i] - centre)
    return total


def drive(optimizer, generations=None):
    """Ask and tell so many generations, or until it is done; gives the optimizer."""
    while not optimizer.done and generations != 0:
        X = optimizer.ask()
        optimizer.tell(X, squares(X.T))
        generations = None if generations is None else generations - 1
    return optimizer


def asked_and_told(**options):
    return drive(Optimizer(BOUNDS, **options)).result
