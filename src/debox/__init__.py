"""Differential Evolution with bounds: choose how out-of-bounds trials are repaired, and see how often that happens.

Optimise
    minimize        the minimum of a function within bounds, called as in scipy.optimize
    Optimizer       the same step by step: ask for points, tell their values; save and load
    compare         which strategy suits a function: the same runs with each, and which are worse beyond chance
    Box             the bounds of a problem
    Real, Integer, Periodic, Choice, Fixed
                    kinds of variables, in the place of a pair of bounds
Measure
    Config          a configuration, as the paper writes it: "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    measure         the proportion of infeasible solutions (POIS) of a configuration on f0, run by run
    measure_many    the same of several configurations, in parallel
    sample_pois     just the numbers
    Measurement     what `measure` gives
    theory          what is known exactly: chances of the first generation, expected numbers of acceptances
Study
    Study           many configurations, in Python or in a TOML file
    run             does the runs of a study, or what is left of them, into a store
    open_store      the results of a study, as arrays, frames, SQL
    plot            figures of measurements and stores
    contrast        how much each two levels of a factor differ, all else being equal
    factors         how much each factor of a stored study matters, alone and with others
    predict         the POIS that a stored study predicts between its levels of F and Cr
    paper           the paper's conclusions put to the test on a stored study: `paper.claims`, and `paper.compare` under
                    other readings of the paper's text
Operators of your own
    strategy, mutation, crossover, donors, adaptation
                    decorators: make an operator of a function, check it, and add it to the table
    register        adds an operator to the table, such as a changed copy of another one
Errors besides those of Python
    StoreError      a store is not there, in use, damaged, or of another study
    StudyError      some runs of a study could not be done; the others are stored

A wrong argument of any function raises a ValueError or a TypeError that names it, its value and what is allowed.
The command `debox` does the same from a shell; `debox operators` lists the operators.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from debox.version import __version__ as __version__

if TYPE_CHECKING:
    from debox import paper, plot
    from debox.analysis.contrast import contrast
    from debox.analysis.factors import factors
    from debox.analysis.predict import predict
    from debox.box import Box
    from debox.config import Config
    from debox.f0 import theory
    from debox.f0.measure import Measurement, measure, measure_many, sample_pois
    from debox.operators.outside import adaptation, crossover, donors, mutation, register, strategy
    from debox.optimize.compare import compare
    from debox.optimize.minimize import minimize
    from debox.optimize.optimizer import Optimizer
    from debox.optimize.variables import Choice, Fixed, Integer, Periodic, Real
    from debox.store.errors import StoreError
    from debox.store.store import open_store
    from debox.study.execute import run
    from debox.study.study import Study
    from debox.study.work import StudyError

# Where each public name is defined, so that a program imports what it uses; the imports above are for type checkers.
_HOMES = {
    "Box": "debox.box",
    "Choice": "debox.optimize.variables",
    "Config": "debox.config",
    "Fixed": "debox.optimize.variables",
    "Integer": "debox.optimize.variables",
    "Measurement": "debox.f0.measure",
    "Optimizer": "debox.optimize.optimizer",
    "Periodic": "debox.optimize.variables",
    "Real": "debox.optimize.variables",
    "StoreError": "debox.store.errors",
    "Study": "debox.study.study",
    "StudyError": "debox.study.work",
    "adaptation": "debox.operators.outside",
    "compare": "debox.optimize.compare",
    "contrast": "debox.analysis.contrast",
    "crossover": "debox.operators.outside",
    "donors": "debox.operators.outside",
    "factors": "debox.analysis.factors",
    "measure": "debox.f0.measure",
    "measure_many": "debox.f0.measure",
    "minimize": "debox.optimize.minimize",
    "mutation": "debox.operators.outside",
    "open_store": "debox.store.store",
    "paper": "debox",
    "plot": "debox",
    "predict": "debox.analysis.predict",
    "register": "debox.operators.outside",
    "run": "debox.study.execute",
    "sample_pois": "debox.f0.measure",
    "strategy": "debox.operators.outside",
    "theory": "debox.f0",
}

_OPERATOR = (
    "debox.kernel and debox.Operator are gone: a decorator over a Python function makes and registers an operator, "
    "for example @debox.strategy('half'); so do debox.mutation, crossover, donors and adaptation"
)
_GONE = {
    "kernel": _OPERATOR,
    "Operator": _OPERATOR,
    "claims": "debox.claims is now debox.paper.claims",
    "compare_claims": "debox.compare_claims is now debox.paper.compare",
}

__all__ = [
    "Box",
    "Choice",
    "Config",
    "Fixed",
    "Integer",
    "Measurement",
    "Optimizer",
    "Periodic",
    "Real",
    "StoreError",
    "Study",
    "StudyError",
    "adaptation",
    "compare",
    "contrast",
    "crossover",
    "donors",
    "factors",
    "measure",
    "measure_many",
    "minimize",
    "mutation",
    "open_store",
    "paper",
    "plot",
    "predict",
    "register",
    "run",
    "sample_pois",
    "strategy",
    "theory",
]


def __getattr__(name: str) -> Any:
    """A public name at its first use."""
    if name not in _HOMES:
        raise AttributeError(_GONE.get(name, f"module 'debox' has no attribute {name!r}"))
    home = _HOMES[name]
    is_module = name in ("paper", "plot", "theory")
    value = import_module(f"{home}.{name}") if is_module else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
