"""My simulator takes 30 ms (here: less), returns NaN, raises, and I stop it for the night and go on the next day."""

import math
import signal
from time import sleep

import pytest

import debox

BOUNDS = [(0, 5)] * 3


class Simulator:
    """Its minimum is 0 at (2, 2, 2); interrupted by Ctrl-C at one of its calls."""

    def __init__(self, interrupted_at=None):
        self.calls, self.interrupted_at = 0, interrupted_at

    def __call__(self, x):
        self.calls += 1
        sleep(1e-5)
        if self.calls == self.interrupted_at:
            signal.raise_signal(signal.SIGINT)
        if x[0] > 4:
            return math.nan
        if x[1] > 4.5:
            raise RuntimeError("the mesh is too coarse")
        return ((x - 2) ** 2).sum()


def run(simulator, checkpoint=None, **more):
    return debox.minimize(simulator, BOUNDS, budget=1500, rng=1, on_error="nan", checkpoint=checkpoint, **more)


@pytest.mark.filterwarnings("ignore:the objective raised RuntimeError", "ignore:the objective returned NaN")
def test_a_night_in_between_changes_nothing(tmp_path):
    file = tmp_path / "run.npz"
    evening = run(Simulator(interrupted_at=700), file)
    assert (evening.status, evening.success) == (5, False)
    assert 0 < evening.nfev < 700

    continued = Simulator()
    morning = run(continued, file)
    assert continued.calls < 1500 - evening.nfev + 3  # it did not begin again

    undisturbed = run(Simulator(), tmp_path / "undisturbed.npz")
    assert morning.x.tolist() == undisturbed.x.tolist()
    assert morning.fun < 1e-4
    assert morning.n_nan > morning.n_errors > 0
    assert "the mesh is too coarse" in morning.first_error


def test_an_error_brings_the_result_so_far():
    values = []

    def simulate(x):
        if len(values) == 300:
            raise ConnectionError("the licence server is gone")
        values.append(((x - 2) ** 2).sum())
        return values[-1]

    with pytest.raises(ConnectionError, match="the licence server is gone") as error:
        debox.minimize(simulate, BOUNDS, budget=1500, rng=1)
    result = error.value.result
    assert result.fun == min(values[: result.nfev]) < 0.1
    assert (result.status, result.success) == (3, False)
    assert "the objective was called with x = [" in error.value.__notes__[0]


def test_a_run_ends_when_the_time_is_over():
    result = debox.minimize(lambda x: sleep(1e-3) or x[0], [(0, 1)], "DE/rand/1/bin", budget=10**6, time_limit=0.1)
    assert (result.status, result.success) == (6, False)
    assert 0 < result.nfev < 1000
