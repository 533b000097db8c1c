"""Shares of a made-up study of all six factors, derived by hand; noise, missing cells, one level, stores and tables."""

from itertools import product

import numpy as np
import pytest
from stored_rows import edited, filled, rows

from debox.analysis.factors import factors
from debox.store.manifest import Manifest
from debox.store.store import Store
from debox.study.fields import AXES

VALUES = {  # of each factor's level, what its part of a product is
    "mutation": {"best/1": 1.0, "rand/1": 1.5},
    "crossover": {"bin": 1.0, "exp": 0.5},
    "strategy": {"mirror": 1.0, "saturation": 1.1, "toroidal": 1.2},
    "N": {5: 0.9, 20: 1.0},
    "F": {0.05: 0.1, 0.5: 0.2, 1.0: 0.4, 2.0: 0.5},
    "Cr": {0.1: 0.5, 0.99: 0.7},
}
PRODUCT = {
    key: float(np.prod([VALUES[n][v] for n, v in zip(AXES, key, strict=True)])) for key in product(*VALUES.values())
}
JITTER = (-0.001, 0.001, -0.002, 0.002)  # runs about a mean that they keep


@pytest.fixture
def study(made):
    """pois of the runs of each configuration: its mean plus the jitter."""

    def make(means, jitter=JITTER):
        return made({key: [mean + one for one in jitter] for key, mean in means.items()})

    return make


def test_runs_of_one_law_are_no_differences(study):
    """Nothing but noise: an interval of the variance misses 0 with chance 0.05; with this seed none of four does."""
    rng = np.random.default_rng(9)
    table = study(PRODUCT, jitter=(0.0,) * 12)
    table["pois"] = 0.3 * rng.random(len(table["pois"]))
    for of in ("mean", "logit", "spread", "quantiles"):
        found = factors(table, of)
        assert found.variance.low <= 0 <= found.variance.high
        assert abs(found.variance.value) < found.noise / 2  # raw, it would be about the noise
    table["pois"] += 0.3 * (table["F"] > 0.7)
    assert factors(table).variance.low > 0  # the control


def test_a_store_its_path_its_packed_file_and_its_table_give_the_same(tmp_path):
    texts = [f"DE/rand/1/{c} sat, N=5, F={F}, Cr={Cr}" for c in ("bin", "exp") for F in (0.5, 1.5) for Cr in (0.1, 0.9)]
    parts = [rows(range(4), text, n=n) for text in texts for n in (2, 3)]
    study = edited(crossover=["bin", "exp"], F=[0.5, 1.5], Cr=[0.1, 0.9], dimension=[2, 3], runs=4)
    store = filled(Store.create(tmp_path / "store", Manifest(study, "x")), *parts)
    store.pack(tmp_path / "packed.parquet")
    sources = (store, tmp_path / "store", str(tmp_path / "packed.parquet"), store.table())
    found = [factors(source, dimension=3) for source in sources]
    assert found[0].configurations == 8
    assert all(one.components == found[0].components for one in found)
    with pytest.raises(ValueError, match="the runs have dimension = 2, 3"):
        factors(store)
