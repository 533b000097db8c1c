"""What tests of `measure` share: a small measurement, its arrays, and both engines."""

import pytest

TEXT = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9"
SMALL = {"n": 3, "budget": 500}
FIELDS = ("pois", "pois_at", "accepted", "best_f", "best_x")
ENGINES = ["fast", "plain"]
every_engine = pytest.mark.parametrize("engine", ENGINES)


def arrays(measurement, runs=None):
    return {field: getattr(measurement, field)[:runs].tolist() for field in FIELDS}
