"""A result of `minimize`, made by hand: four variables, one of them on its upper bound."""

import numpy as np

from debox.optimize.optimizer import Result

EVALUATIONS = np.arange(1, 101) * 100
HISTORY = Result(
    evaluations=EVALUATIONS,
    fun=10 * np.exp(-EVALUATIONS / 500),
    spread=0.3 * np.exp(-EVALUATIONS / 900),
    pois=0.4 * (1 - np.exp(-EVALUATIONS / 2000)),
)
WALLS = Result(
    names=["x[0]", "length", "x[2]", "x[3]"],
    lower_early=[3, 0, 20, 0],
    lower_late=[0, 0, 4, 0],
    upper_early=[120, 0, 10, 0],
    upper_late=[1840, 12, 0, 0],
    distance_lower=[1.0, 0.4, 0.02, 0.7],
    distance_upper=[0.0, 0.6, 0.98, 0.3],
    near_lower=[0.0, 0.0, 0.31, 0.0],
    near_upper=[0.93, 0.0, 0.0, 0.04],
    verdict=["on the bound", "free", "drifting", "free"],
)
RESULT = Result(fun=2.5e-8, nfev=10_000, pois=0.4, history=HISTORY, walls=WALLS)
