"""A small study, by hand."""

import numpy as np
import pytest

from debox.study.fields import AXES


@pytest.fixture(scope="session")
def made():
    """made({(mutation, crossover, strategy, N, F, Cr): POIS of each run, …}): a table with n = 3 and budget 30."""

    def make(cells):
        rows = [(*key, value) for key, pois in cells.items() for value in pois]
        kinds = (object, object, object, int, float, float, float)
        names = (*AXES, "pois")
        table = {name: np.array([row[k] for row in rows], kinds[k]) for k, name in enumerate(names)}
        at = dict.fromkeys(("pois_at_third", "pois_at_two_thirds"), table["pois"])
        return table | {"dimension": np.full(len(rows), 3), "budget": np.full(len(rows), 30)} | at

    return make
