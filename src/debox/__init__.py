"""debox: Differential Evolution in a box, with a choice of what happens at its walls and a count of how often."""

from debox import plot
from debox.box import Box
from debox.config import Config
from debox.design.study import Study
from debox.f0 import theory
from debox.f0.measure import measure, measure_many, sample_pois
from debox.f0.measurement import Measurement
from debox.optimize.minimize import minimize
from debox.optimize.optimizer import Optimizer
from debox.store.store import open_store
from debox.study.execute import run
from debox.version import __version__ as __version__

__all__ = [
    "Box",
    "Config",
    "Measurement",
    "Optimizer",
    "Study",
    "measure",
    "measure_many",
    "minimize",
    "open_store",
    "plot",
    "run",
    "sample_pois",
    "theory",
]
