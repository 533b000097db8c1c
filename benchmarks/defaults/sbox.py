"""The 24 strictly boxed functions of ioh (SBOX), by which the default of `minimize` is judged, too."""

from importlib import import_module

import numpy as np

from benchmarks.defaults.problem import Problem

n, INSTANCE = 10, 3  # 1 and 2 were seen while the default was chosen


def sbox() -> list[Problem]:
    """All 24, of 10 variables on [−5, 5]: the third instance of each."""
    ioh = import_module("ioh")
    found = (ioh.get_problem(k, INSTANCE, n, ioh.ProblemClass.SBOX) for k in range(1, 25))
    return [
        Problem(
            f"f{fun.meta_data.problem_id} {fun.meta_data.name}",
            fun,
            np.array(fun.bounds.lb),
            np.array(fun.bounds.ub),
            np.array(fun.optimum.x),
            least=fun.optimum.y,
        )
        for fun in found
    ]
