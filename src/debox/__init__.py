"""debox: Differential Evolution in a box, with a choice of what happens at its walls and a count of how often."""

from debox.box import Box
from debox.config import Config
from debox.minimize import minimize
from debox.optimizer import Optimizer

__version__ = "0.1.0"

__all__ = ["Box", "Config", "Optimizer", "minimize"]
