"""Tables of runs for figures."""

from itertools import product

import numpy as np

from debox.study.fields import AXES


def grid_table(**factors):
    """Two runs of each configuration, POIS 0.25 and 0.75 at every time; n = 3, budget 300."""
    grid = {"mutation": ["rand/1"], "crossover": ["exp"], "strategy": ["saturation"], "N": [5], "F": [0.7], "Cr": [0.5]}
    cells = list(product(*(grid | factors).values()))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells]), 2) for k, name in enumerate(AXES)}
    pois = np.tile([0.25, 0.75], len(cells))
    shared = {"dimension": np.full(len(pois), 3), "budget": np.full(len(pois), 300)}
    return columns | shared | {"pois": pois, "pois_at_third": pois, "pois_at_two_thirds": pois}
