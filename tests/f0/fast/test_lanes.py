"""Lanes of SFC64 against NumPy's SFC64."""

import numpy as np
import pytest

from debox import jit
from debox.f0.fast import lanes


def numpy_twin(state):
    """NumPy's generator in the state (a, b, c, counter)"""
    bits = np.random.SFC64()
    bits.state = {**bits.state, "state": {"state": state.copy()}}
    return np.random.Generator(bits)


@pytest.mark.parametrize("compiled", [False, True])
def test_every_lane_draws_what_numpys_sfc64_of_its_state_draws(compiled):
    states = np.random.default_rng(1).integers(0, 2**64, (4, 5), np.uint64)
    states[3, 0] = 2**64 - 2  # a counter that comes around
    twins, u = [numpy_twin(states[:, t]) for t in range(5)], np.empty(5)
    with np.errstate(over="ignore"):  # as compiled integers do
        for _ in range(50):
            (jit.compiled(lanes.uniforms) if compiled else lanes.uniforms)(states, 5, u)
            assert u.tolist() == [twin.random() for twin in twins]


def test_only_as_many_lanes_are_stepped_as_there_are_trials():
    states, u = np.random.default_rng(1).integers(0, 2**64, (4, 5), np.uint64), np.full(5, 7.0)
    before, call = states.copy(), (states, 3, u)
    jit.bind(lanes.uniforms, *call)(*call)
    assert np.all(states[:, :3] != before[:, :3])
    assert np.all(states[:, 3:] == before[:, 3:])
    assert np.all(u[:3] < 1)
    assert np.all(u[3:] == 7)
