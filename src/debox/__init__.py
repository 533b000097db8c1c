"""Differential Evolution in a box, with a choice of what happens at its walls and a count of how often it does.

Optimise
    minimize        the minimum of a function over a box, with the manners of scipy.optimize
    Optimizer       the same as a conversation: ask for points, tell their values; save and load
    Box             the bounds of a problem
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
    claims          the paper's conclusions, each put to the test on a stored study
    compare_claims  the same under other readings of the paper's text
    factors         how much each factor of a stored study matters, alone and with others
    predict         the POIS that a stored study lets expect between its levels of F and Cr
Operators of your own
    strategy, mutation, crossover, donors, adaptation
                    decorators: make an operator of a function, check it, and add it to the table
    register        adds an operator to the table, such as a changed copy of another one
Errors besides those of Python
    StoreError      a store is not there, in use, damaged, or of another study
    StudyError      some runs of a study could not be done; the others are stored

The command `debox` does the same from a shell; `debox operators` lists the operators.
"""

from debox import plot
from debox.analysis.claims.compare import compare_claims
from debox.analysis.claims.verdict import claims
from debox.analysis.factors import factors
from debox.analysis.predict import predict
from debox.box import Box
from debox.config import Config
from debox.design.study import Study
from debox.f0 import theory
from debox.f0.measure import measure, measure_many, sample_pois
from debox.f0.measurement import Measurement
from debox.operators.outside import adaptation, crossover, donors, mutation, register, strategy
from debox.optimize.minimize import minimize
from debox.optimize.optimizer import Optimizer
from debox.store.errors import StoreError
from debox.store.store import open_store
from debox.study.execute import run
from debox.study.work import StudyError
from debox.version import __version__ as __version__

__all__ = [
    "Box",
    "Config",
    "Measurement",
    "Optimizer",
    "StoreError",
    "Study",
    "StudyError",
    "adaptation",
    "claims",
    "compare_claims",
    "crossover",
    "donors",
    "factors",
    "measure",
    "measure_many",
    "minimize",
    "mutation",
    "open_store",
    "plot",
    "predict",
    "register",
    "run",
    "sample_pois",
    "strategy",
    "theory",
]


def __getattr__(name: str) -> object:
    from debox.operators import GONE

    raise AttributeError(GONE.get(name, f"module 'debox' has no attribute {name!r}"))
