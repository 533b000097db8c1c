"""debox: Differential Evolution in a box, with a choice of what happens at its walls and a count of how often."""

from debox import plot
from debox.box import Box
from debox.config import Config
from debox.f0 import theory
from debox.f0.measure import measure, measure_many, sample_pois
from debox.f0.measurement import Measurement
from debox.minimize import minimize
from debox.optimizer import Optimizer

__version__ = "0.1.0"

__all__ = [
    "Box",
    "Config",
    "Measurement",
    "Optimizer",
    "measure",
    "measure_many",
    "minimize",
    "plot",
    "sample_pois",
    "theory",
]
