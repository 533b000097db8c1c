"""Tables, stores and a study that many tests share; Hypothesis without clocks and with the same examples everywhere."""

import signal
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import settings
from stored_rows import MANIFEST

from debox import Study, operators
from debox.config import CONFIG_FIELDS, Config
from debox.store.store import Writer

settings.register_profile("debox", derandomize=True, deadline=None, database=None)
settings.load_profile("debox")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs tests in the background ignores it

PANEL = ("rand/1", "exp", "saturation", 5)


@pytest.fixture(autouse=True)
def no_operators_from_outside(monkeypatch):
    """What a test registers is gone after it, and nothing is registered before."""
    monkeypatch.setattr(operators, "REGISTRATIONS", ())


@pytest.fixture
def made():
    """made({(F, Cr): POIS of each run, …}) or made({(mutation, crossover, strategy, N, F, Cr): …}): a table of runs."""

    def make(cells, n=30, budget=1000, donors="distinct", at_third=None, at_two_thirds=None):
        whole = {key if len(key) == 6 else (*PANEL, *key): pois for key, pois in cells.items()}
        rows = [(*key, run, value) for key, pois in whole.items() for run, value in enumerate(pois)]
        names = ("mutation", "crossover", "strategy", "N", "F", "Cr", "run", "pois")
        kinds = (object, object, object, np.int64, np.float64, np.float64, np.int64, np.float64)
        table = {name: np.array([row[k] for row in rows], kinds[k]) for k, name in enumerate(names)}
        shared = {"dimension": n, "budget": budget, "donors": donors}
        table |= {
            name: np.full(len(rows), value, object if name == "donors" else int) for name, value in shared.items()
        }
        for name, values in (("pois_at_third", at_third), ("pois_at_two_thirds", at_two_thirds)):
            table[name] = table["pois"] if values is None else np.array(values, np.float64)
        return table

    return make


def build(*configurations):
    """A table from ("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", [POIS of run 0, of run 1, …]) pairs."""
    rows = []
    for text, pois in configurations:
        config = Config(text)
        for run, value in enumerate(pois):
            rows.append({**asdict(config), "dimension": 30, "budget": 300_000, "run": run, "pois": value})
    names = rows[0] if rows else [*CONFIG_FIELDS, "dimension", "budget", "run", "pois"]
    columns = {name: [row[name] for row in rows] for name in names}
    text = ("mutation", "crossover", "strategy", "donors")
    return {name: np.array(values, dtype=object if name in text else None) for name, values in columns.items()}


@pytest.fixture
def table():
    return build


@pytest.fixture
def store(tmp_path):
    """A store without runs."""
    return Writer.create(tmp_path / "store", MANIFEST)


@pytest.fixture(scope="session")
def tiny():
    """16 configurations in two dimensions, 4 runs each."""
    return Study(
        name="tiny",
        seed=7,
        runs=4,
        n=[2, 3],
        budget="100 n",
        mutation=["rand/1", "best/1"],
        crossover="bin",
        strategy=["sat", "dism"],
        N=5,
        F=[0.5, 1.5],
        Cr=0.9,
    )
