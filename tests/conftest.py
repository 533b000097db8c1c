"""Tables of runs made by hand, the order of tests, Hypothesis without clocks and with the same examples everywhere."""

import gc
import signal
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from debox import registry
from debox.config import Config

settings.register_profile("debox", derandomize=True, deadline=None, database=None)
settings.load_profile("debox")
# Hypothesis would also draw the numbers that stand in the modules imported so far: others in each worker, after a
# second of reading them all.
providers._get_local_constants = lambda: providers._local_constants

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs tests in the background ignores it

gc.set_threshold(20_000, 20, 100)  # to look for garbage as often as Python does takes 7 % of the time of all tests

PANEL = ("rand/1", "exp", "saturation", 5)


@pytest.fixture(autouse=True)
def no_operators_from_outside(monkeypatch):
    """What a test registers is gone after it, and nothing is registered before."""
    monkeypatch.setattr(registry, "REGISTRATIONS", ())


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
            rows.append({**vars(config), "dimension": 30, "budget": 300_000, "run": run, "pois": value})
    names = (
        rows[0] if rows else [*vars(Config("DE/rand/1/exp sat, N=5, F=1, Cr=1")), "dimension", "budget", "run", "pois"]
    )
    columns = {name: [row[name] for row in rows] for name in names}
    text = ("mutation", "crossover", "strategy", "donors")
    return {name: np.array(values, dtype=object if name in text else None) for name, values in columns.items()}


@pytest.fixture
def table():
    return build


SLOW_FOLDERS = {"law", "browser", "torture"}  # elsewhere a slow test is marked where it stands


# Two processes share the tests. One begins with the rooms that compile; the other in the middle of all tests, with the
# browsers, which only one of them should start, and later finds compiled what it needs.
COMPILING = ("f0", "law", "optimize", "jit", "de", "registry")
PLACES = {room: place for place, room in enumerate((*COMPILING, "store", "explore", "report", "browser", "figures"))}


def parts_of(path):
    return path.relative_to(Path(__file__).parent).parts


@cache
def is_in_slow_folder(path):
    return not SLOW_FOLDERS.isdisjoint(parts_of(path))


def pytest_ignore_collect(collection_path, config):
    """Do not even import what `make quick` leaves out as a whole."""
    return True if config.option.markexpr == "not slow" and is_in_slow_folder(collection_path) else None


def leave_to_make_law(items):
    """Those of a long test's cases that `make test` leaves out: all but every k-th, or all."""
    seen, later = Counter(), set()
    for item in items:
        if mark := item.get_closest_marker("long"):
            every, test = mark.args[0], (item.path, item.originalname)
            if not every or seen[test] % every:
                later.add(item)
            seen[test] += 1
    return later


def pytest_collection_finish():
    """What is there now stays until the end: the search for garbage need not look at it."""
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    """Rooms that compile come first; long tests are left to `make law`, slow ones are left out by `make quick`."""
    items.sort(key=lambda item: PLACES.get(parts_of(item.path)[0], len(PLACES)))
    if "long" not in config.option.markexpr:
        later = leave_to_make_law(items)
        config.hook.pytest_deselected(items=list(later))
        items[:] = [item for item in items if item not in later]
    for item in items:
        if is_in_slow_folder(item.path):
            item.add_marker(pytest.mark.slow)
