"""Stores that figures and reports are made of."""

import pytest
from stored_rows import STUDY, filled, rows

import debox
from debox.store.manifest import Manifest
from debox.store.store import Writer


@pytest.fixture(scope="session")
def stored(tmp_path_factory):
    """A study that is really run: two dimensions, two crossovers, four cells, three runs."""
    path = tmp_path_factory.mktemp("stored") / "store"
    operators = {"mutation": "rand/1", "crossover": ["bin", "exp"], "strategy": "sat", "N": 5}
    study = debox.Study(name="small", **operators, F=[0.5, 1.5], Cr=[0.1, 0.9], n=[2, 3], budget=60, runs=3)
    debox.run(study, path, workers=1)
    return path


@pytest.fixture
def crafted(tmp_path):
    """crafted(study, column=value, …): a packed store whose rows say something else than debox writes."""

    def make(study=STUDY, **changes):
        path, columns = tmp_path / "crafted.parquet", rows(range(3), n=2)
        columns |= {name: [value] * 3 for name, value in changes.items()}
        filled(Writer.create(path.with_suffix(""), Manifest(study)), columns).pack(path)
        return path

    return make
