"""A run is addressed, not ordered: seed, configuration and number say all its random numbers."""

import os
from importlib import import_module

import pytest
from commands import run_python
from measurements import SMALL, TEXT, arrays, every_engine

import debox

module = import_module("debox.f0.measure")


@every_engine
@pytest.mark.parametrize("workers", [2, 5, -1])
def test_the_number_of_workers_changes_nothing(engine, workers, monkeypatch):
    monkeypatch.setattr(module, "RUNS_PER_TASK", 4)
    options = {**SMALL, "runs": 13, "engine": engine}
    assert arrays(debox.measure(TEXT, **options, workers=workers)) == arrays(debox.measure(TEXT, **options, workers=1))


def test_another_process_measures_the_same():
    """Interpreted, which is the same to the bit and does not wait for Numba"""
    script = f"import debox; print(debox.measure({TEXT!r}, n=3, budget=500, runs=3, rng=11).pois.tolist())"
    result = run_python(script, check=True, env=os.environ | {"DEBOX_JIT": "0"})
    assert result.stdout.strip() == str(debox.measure(TEXT, **SMALL, runs=3, rng=11).pois.tolist())
