"""Kernels with a tolerance leave alone what lies further out; nothing is changed unless it is asked for."""

import numpy as np
import pytest
from benchmarks.readings import arithmetic
from benchmarks.readings.arithmetic import TOLERANCE, is_inside, outside_bits, repair_components, snap

from debox import jit
from debox.de import algorithm
from debox.de.strategies import saturation
from debox.de.variation import rand_1
from debox.f0.fast import scan
from debox.f0.fast.fixed_point import R1, R2, R3, empty_points

A, B = np.array([0.0, -10.0]), np.array([1.0, 10.0])


def test_the_tolerance_is_four_units_of_the_last_place_of_1():
    assert 4 * np.spacing(1.0) == TOLERANCE


@pytest.mark.parametrize(
    ("u", "expected"),
    [
        ([-TOLERANCE, -10.0], [0.0, -10.0]),
        ([-1.01 * TOLERANCE, 0.0], [-1.01 * TOLERANCE, 0.0]),
        ([1.0 + TOLERANCE, 10.0 + 19 * TOLERANCE], [1.0, 10.0]),
        ([1.0 + 1.25 * TOLERANCE, 10.0 + 24 * TOLERANCE], [1.0 + 1.25 * TOLERANCE, 10.0 + 24 * TOLERANCE]),
        ([0.5, np.nan], [0.5, np.nan]),
    ],
)
def test_what_is_nearly_on_a_bound_is_put_on_it(u, expected):
    """The second side of the box is 20 wide, and so is its tolerance."""
    point = np.array(u)
    snap(point, A, B)
    assert np.array_equal(point, expected, equal_nan=True)
    assert is_inside(point, A, B) == bool(np.all((expected >= A) & (expected <= B)))


def test_an_accepted_trial_counts_as_outside_only_beyond_the_tolerance():
    for u, infeasible in ((-TOLERANCE, False), (-2 * TOLERANCE, True)):
        trial, violations, none = np.array([u, 0.0]), np.zeros(2, np.int64), np.zeros(2)
        found = repair_components(trial, none, none, A, B, (saturation,), np.zeros(2, np.int64), None, violations)
        assert (found, violations[0], trial[0]) == (infeasible, infeasible, 0.0)


def test_of_other_trials_the_same_components_count():
    """rand/1 with F = 1 and x_r1 = 0: v = x_r2 − x_r3, here −tolerance, twice that, and 1 + twice that"""
    points = empty_points(3, 3, ())
    width = int(points.width)
    points.rows[width : width + 3] = [0.0, 0.0, 1.0]
    points.rows[2 * width : 2 * width + 3] = [TOLERANCE, 2 * TOLERANCE, -2 * TOLERANCE]
    parents = np.zeros((7, 1), np.int32)
    parents[R1], parents[R2], parents[R3] = 0, 1, 2
    count = {
        name: jit.specialise(kernel, formula=rand_1)(points, parents, 0, 1.0, 0)
        for name, kernel in (("tolerance", outside_bits), ("as written", scan.outside_bits))
    }
    assert count == {"tolerance": 0b110, "as written": 0b111}


def test_kernels_change_only_where_it_is_asked_for(monkeypatch):
    for module, name in ((algorithm, "is_inside"), (algorithm, "repair_components"), (scan, "outside_bits")):
        assert getattr(module, name) is not getattr(arithmetic, name)
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(jit, "OPTIONS", dict(jit.OPTIONS))
    arithmetic.adopt("as written")
    assert scan.outside_bits is not outside_bits
    arithmetic.adopt("tolerance")
    assert (algorithm.is_inside, algorithm.repair_components) == (is_inside, repair_components)
    assert scan.outside_bits is outside_bits
    assert "fastmath" not in jit.OPTIONS
    arithmetic.adopt("fused")
    assert jit.OPTIONS["fastmath"] == {"contract"}
    with pytest.raises(ValueError, match="arithmetic must be as written, tolerance or fused, got 'other'"):
        arithmetic.adopt("other")
