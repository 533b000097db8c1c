"""`python -m benchmarks.neighbours` tries what debox and its neighbours have, and writes the table of README.

Every cell comes from running the installed version or from reading its signatures. It needs the extra `bench`.
"""

import inspect
import os
import pickle
import re
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import minionpy
import modde
import numpy as np
from ioh import ProblemClass, get_problem
from pymoo.algorithms.soo.nonconvex.de import DE, Variant
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.operators.control import NoParameterControl
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import IntegerRandomSampling
from pymoo.optimize import minimize as pymoo_minimize
from scipy import optimize

import debox
from debox import operators

LIBRARIES = ("debox", "SciPy", "pymoo", "minionpy", "modde")
README = Path(__file__).parents[1] / "README.md"
n, BUDGET = 3, 400
BOX = [(-5.0, 5.0)] * n  # that of modde
NO, YES = "–", "yes"
ADAPTIVE = ("jDE", "JADE", "SHADE", "L-SHADE", "jSO", "j2020", "NLSHADE-RSP", "LSRTDE", "ARRDE")


class Slope:
    """An objective whose minimum is in a corner; it keeps the points."""

    def __init__(self) -> None:
        self.points: list[np.ndarray] = []

    def __call__(self, x):
        self.points.append(np.array(x, float))
        return float(np.sum(x))

    def stayed_inside(self) -> bool:
        return bool(np.abs(self.points).max() <= 5 + 1e-12)


class Corner(Problem):
    """The same for pymoo."""

    def __init__(self, **options) -> None:
        super().__init__(n_var=n, n_obj=1, xl=-5, xu=5, **options)

    def _evaluate(self, x, out, *_, **__):
        out["F"] = np.sum(x, axis=1)


class Watch(Repair):
    """A repair that keeps the points it gets; pymoo copies it."""

    points: ClassVar[list[np.ndarray]] = []

    def _do(self, problem, X, **_):
        self.points.append(X)
        return X


def parameters(*functions: Callable) -> str:
    """The names of all arguments."""
    return " ".join(name for function in functions for name in inspect.signature(function).parameters)


def absent(pattern: str, text: str) -> str:
    """The cell for what a library lacks: no name in the text has the pattern."""
    if found := re.findall(rf"\w*(?:{pattern})\w*", text, re.IGNORECASE):
        raise AssertionError(f"{found} may be what the table says is absent")
    return NO


def run_minionpy(algorithm: str, **options):
    """Points, the result and what C++ wrote to stderr."""
    slope = Slope()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            minimizer = getattr(minionpy, algorithm)
            run = minimizer(lambda X: [slope(x) for x in X], BOX, maxevals=BUDGET, seed=1, options=options)
            result = run.optimize()
        finally:
            os.dup2(kept, 2)
        file.seek(0)
        return slope, result, file.read().decode()


def run_modde(**options):
    """A run by ask and tell."""
    slope = Slope()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        de = modde.AskTellDE(n, budget=BUDGET, lambda_=20, seed=1, **options)
        while de.parameters.used_budget < BUDGET:
            x = de.ask()
            de.tell(x, slope(x))
    return slope, de


def strategies():
    """Those with which all evaluated points are in the box."""
    ours = [one for one in operators.in_slot("strategy") if one.name != "none"]
    for one in ours:
        slope = Slope()
        debox.minimize(slope, BOX, "DE/rand/1/bin", strategy=one, budget=BUDGET, rng=1, tol=None)
        assert slope.stayed_inside(), one
    slope = Slope()
    optimize.differential_evolution(slope, BOX, maxiter=8, rng=1, polish=False)
    assert slope.stayed_inside()
    absent("bound_|repair|out_of", parameters(optimize.differential_evolution))
    pymoo_minimize(Corner(), DE(pop_size=20, repair=Watch()), ("n_eval", BUDGET), seed=1)
    assert (np.abs(np.concatenate(Watch.points)) <= 5).all()  # another repair gets only feasible trials
    names = ("clip", "random", "reflect", "reflect-random", "periodic")
    theirs = [run_minionpy("Differential_Evolution", bound_strategy=name) for name in names]
    assert all(slope.stayed_inside() and "not recognized" not in told for slope, _, told in theirs)
    assert "not recognized" in run_minionpy("Differential_Evolution", bound_strategy="nonsense")[2]
    choices = [one for one in modde.Parameters.__annotations__["bound_correction"] if one]
    assert all(run_modde(bound_correction=one)[0].stayed_inside() for one in choices)
    return len(ours), 1, 1, len(theirs), len(choices)


def one_for_each_variable():
    assert debox.minimize(Slope(), BOX, strategy=["mirror", "toroidal", "saturation"], budget=BUDGET, rng=1).nfev
    each = ["clip", "random", "reflect"]
    minion = refuses(lambda: run_minionpy("Differential_Evolution", bound_strategy=each), TypeError)
    modular = refuses(lambda: run_modde(bound_correction=["mirror", "toroidal", "saturate"]), ValueError)
    return YES, NO, NO, minion, modular


def refuses(run: Callable, error: type[Exception]) -> str:
    """The cell for what ends in this error."""
    try:
        run()
    except error:
        return NO
    raise AssertionError("what the table says is refused is accepted")


def counts_infeasible():
    assert debox.minimize(Slope(), BOX, budget=BUDGET, rng=1).n_infeasible > 0
    words = "pois|infeas|bound|repair|correct|outside"
    scipy = absent(words, " ".join(optimize.differential_evolution(Slope(), BOX, maxiter=8, rng=1)))
    result = pymoo_minimize(Corner(), DE(pop_size=20), ("n_eval", BUDGET), seed=1)
    others = {"return_least_infeasible", "repair"}  # a choice of what is returned, and the operator
    pymoo = absent(words, " ".join({*vars(result), *vars(result.algorithm)} - others))
    minion = absent(words, " ".join(dir(run_minionpy("Differential_Evolution")[1])))
    de = modde.ModularDE(get_problem(5, 1, n, ProblemClass.BBOB), budget=BUDGET, init_stats=True, seed=1)
    de.run()
    assert de.parameters.stats.corr_so_far > 0
    return YES, scipy, pymoo, minion, YES


def adaptive():
    """Those of the literature, by the names of the table."""
    ours = [name for name in ADAPTIVE if name in operators.RECIPES]
    scipy = absent(
        "adapt|shade|jde", parameters(optimize.differential_evolution) + optimize.differential_evolution.__doc__
    )
    assert inspect.signature(Variant).parameters["control"].default is not NoParameterControl
    classes = {name: name.replace("-RSP", "_RSP").replace("L-", "L") for name in ADAPTIVE}
    minion = [name for name, cls in classes.items() if hasattr(minionpy, cls) and run_minionpy(cls)[1].nfev]
    F = modde.Parameters.__annotations__["adaptation_method_F"]
    theirs = {"jDE": ("jDE", False), "SHADE": ("shade", False), "L-SHADE": ("shade", True)}
    modular = [
        name
        for name, (method, lpsr) in theirs.items()
        if method in F
        and run_modde(adaptation_method_F=method, adaptation_method_CR=method, lpsr=lpsr, use_archive=method == "shade")
    ]
    return ", ".join(ours), scipy, "its own", ", ".join(minion), ", ".join(modular)


def asks_and_tells():
    minion = absent("^ask$", "\n".join(dir(minionpy.Minimizer)))
    assert all(hasattr(one, "ask") and hasattr(one, "tell") for one in (debox.Optimizer, DE, modde.AskTellDE))
    return YES, absent("ask_|tell", " ".join(dir(optimize))), YES, minion, YES


def resumes():
    """A run that is saved after half of its evaluations ends as an undisturbed one."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.npz")
        whole, half = (debox.Optimizer(BOX, budget=BUDGET, rng=1) for _ in range(2))
        while not whole.done:
            whole.tell(X := whole.ask(), X.sum(axis=1))
        while half.result.nfev < BUDGET / 2:
            half.tell(X := half.ask(), X.sum(axis=1))
        half.save(file)
        half = debox.Optimizer.load(file)
        while not half.done:
            half.tell(X := half.ask(), X.sum(axis=1))
    assert whole.result.fun == half.result.fun
    scipy = absent("Solver", " ".join(name for name in dir(optimize) if "Differential" in name))
    ends = []
    for saved in (False, True):
        algorithm = DE(pop_size=20)
        algorithm.setup(Corner(), termination=("n_eval", BUDGET), seed=1)
        while algorithm.has_next():
            algorithm.next()
            if saved and algorithm.evaluator.n_eval == BUDGET / 2:
                algorithm = pickle.loads(pickle.dumps(algorithm))
        ends.append(algorithm.result().X)
    assert (ends[0] == ends[1]).all()
    run = minionpy.Differential_Evolution(Slope(), BOX, maxevals=BUDGET)
    minion = refuses(lambda: pickle.dumps(run.optimizer), TypeError)
    return YES, scipy, "by pickle", minion, resumes_modde()


def resumes_modde() -> str:
    """The same, by the methods of its parameters."""
    problem = get_problem(5, 1, n, ProblemClass.BBOB)
    whole = modde.ModularDE(problem, budget=BUDGET, seed=1, inialize_custom_pop=True, lambda_=20)
    whole.initialize_population()
    for _ in range(9):
        whole.step()
    with tempfile.NamedTemporaryFile() as file:
        whole.parameters.save(file.name)
        half = modde.ModularDE(problem, parameters=modde.Parameters.load(file.name))
    for de in (whole, half):
        for _ in range(9):
            de.step()
    assert (whole.parameters.population.x == half.parameters.population.x).all()
    return YES


def variables():
    kinds = [debox.Real(1, 9, log=True), debox.Integer(0, 9), debox.Periodic(0, 360), debox.Choice(["a", "b"])]
    x = debox.minimize(lambda x: x[0] + x[1], kinds, budget=BUDGET, rng=1).x
    assert x[1] == round(x[1])
    assert x[3] in (0, 1)
    x = optimize.differential_evolution(Slope(), BOX, maxiter=8, integrality=[True] * n, rng=1, polish=False).x
    assert (x == np.round(x)).all()
    options = {"sampling": IntegerRandomSampling(), "repair": RoundingRepair()}
    X = pymoo_minimize(Corner(vtype=int), DE(pop_size=20, **options), ("n_eval", BUDGET), seed=1).pop.get("X")
    assert (np.round(X) == X).all()
    words = "integ|categor|period|vtype|discrete"
    return (
        "log, integer, periodic, categorical",
        absent("categor|period|log", parameters(optimize.differential_evolution)) and "integer",
        "integer",
        absent(words, parameters(minionpy.Minimizer)),
        absent(words, " ".join(modde.Parameters.__annotations__)),
    )


def constraints():
    assert "constraints" in parameters(optimize.differential_evolution)
    assert "n_ieq_constr" in parameters(Problem)
    return (
        absent("constr", parameters(debox.minimize)),
        YES,
        YES,
        absent("constr", parameters(minionpy.Minimizer)),
        absent("constr", " ".join(modde.Parameters.__annotations__)),
    )


ROWS = {
    "strategies for out-of-bounds trials": strategies,
    "one for each variable": one_for_each_variable,
    "counts out-of-bounds trials": counts_infeasible,
    "adaptive DE": adaptive,
    "ask and tell": asks_and_tells,
    "a saved run resumes": resumes,
    "variables besides real ones": variables,
    "nonlinear constraints": constraints,
}


def table() -> str:
    """The table with the versions that were tried."""
    versions = [f"debox {debox.__version__}", *(f"{name} {version(name.lower())}" for name in LIBRARIES[1:])]
    lines = [["", *versions], ["---"] * 6, *([name, *map(str, cells())] for name, cells in ROWS.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    text = re.sub(
        r"(<!-- neighbours.*?-->\n).*?(<!-- end of neighbours -->)",
        lambda marks: f"{marks[1]}{table()}\n{marks[2]}",
        README.read_text(),
        flags=re.DOTALL,
    )
    README.write_text(text)
