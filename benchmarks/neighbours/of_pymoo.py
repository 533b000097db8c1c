"""What pymoo's Differential Evolution has."""

import pickle
from typing import ClassVar

import numpy as np
from pymoo.algorithms.soo.nonconvex.de import DE, Variant
from pymoo.core import variable
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.operators.control import EvolutionaryParameterControl
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import IntegerRandomSampling
from pymoo.optimize import minimize

from benchmarks.neighbours import BUDGET, COUNTERS, YES, Slope, absent, count_strategies, n, parameters, refuses

PARAMETERS = parameters(*(kind.__init__ for one in (DE, Variant) for kind in one.__mro__))


class Corner(Problem):
    """The least sum of the variables."""

    def __init__(self, **options) -> None:
        super().__init__(n_var=n, n_obj=1, xl=-5, xu=5, **options)
        self.slope = Slope()

    def _evaluate(self, x, out, *_, **__):
        out["F"] = [self.slope(point) for point in x]


class OnSphere(Corner):
    """The same on a sphere or outside it."""

    def __init__(self) -> None:
        super().__init__(n_ieq_constr=1)

    def _evaluate(self, x, out, *_, **__):
        out["F"] = np.sum(x**2, axis=1)
        out["G"] = 9 - out["F"]


class Categories(Problem):
    def __init__(self) -> None:
        super().__init__(vars={"colour": variable.Choice(options=["red", "blue"])}, n_obj=1)

    def _evaluate(self, x, out, *_, **__):
        out["F"] = [float(point["colour"] == "red") for point in x]


class Watch(Repair):
    """A repair that keeps the points it gets; pymoo copies it."""

    points: ClassVar[list[np.ndarray]] = []

    def _do(self, problem, X, **_):
        self.points.append(X)
        return X


def run(problem: Problem, **options):
    return minimize(problem, DE(pop_size=20, **options), ("n_eval", BUDGET), seed=1)


def strategies() -> str:
    """No argument chooses: a repair from outside gets trials that are feasible already."""
    one_for_each_variable()
    run(problem := Corner())
    return count_strategies([problem.slope])


def one_for_each_variable() -> str:
    run(Corner(), repair=Watch())
    assert (np.abs(np.concatenate(Watch.points)) <= 5).all()
    return absent("bound|out_of|correct", PARAMETERS)


def counts_infeasible() -> str:
    result = run(Corner())
    others = {"return_least_infeasible", "repair"}  # a choice of what is returned, and the operator
    return absent(COUNTERS, " ".join({*vars(result), *vars(result.algorithm)} - others))


def adaptive() -> str:
    """With this control individuals have values of F of their own, and offspring inherit them."""
    control = EvolutionaryParameterControl
    values = run(Corner(), control=control).pop.get("ParameterControl.F")
    assert len({*values}) > 5
    return control.__name__.removesuffix("ParameterControl").lower()


def start() -> DE:
    algorithm = DE(pop_size=20)
    algorithm.setup(Corner(), termination=("n_eval", BUDGET), seed=1)
    return algorithm


def asks_and_tells() -> str:
    algorithm, problem = start(), Corner()
    while algorithm.has_next():
        trials = algorithm.ask()
        algorithm.evaluator.eval(problem, trials)
        algorithm.tell(trials)
    assert len(problem.slope.points) == BUDGET
    return YES


def resumes() -> str:
    """A run that is pickled after half of its evaluations ends as an undisturbed one; no method saves it."""
    absent("save|load|resume|checkpoint", " ".join({*dir(DE)} - {"save_history"}))
    ends = []
    for saved in (False, True):
        algorithm = start()
        while algorithm.has_next():
            algorithm.next()
            if saved and algorithm.evaluator.n_eval == BUDGET / 2:
                algorithm = pickle.loads(pickle.dumps(algorithm))
        ends.append(algorithm.result().X)
    assert (ends[0] == ends[1]).all()
    return "by pickle"


def variables() -> str:
    X = run(Corner(vtype=int), sampling=IntegerRandomSampling(), repair=RoundingRepair()).pop.get("X")
    assert (np.round(X) == X).all()
    refuses(lambda: run(Categories()), TypeError, "'dict' and 'dict'")
    absent("period|log", " ".join(variable.__all__))
    return "integer"


def constraints() -> str:
    assert abs(run(OnSphere()).F - 9) < 0.1
    return YES
