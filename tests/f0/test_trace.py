"""Traces: where they look, and what they see in populations made by hand."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from measurements import arrays

import debox
from debox import Box
from debox.f0 import engines

# The larger of two values in each of two dimensions: (0, 2) and (10, 10)
SOME = np.array([[0.0, 10.0], [2.0, 10.0], [2.0, 10.0], [0.0, 10.0]])
BOX = Box.of([(0, 8), (5, 10)])


def test_diagnose_by_hand():
    mean_sd, zero_variance, on_bound, distinct = engines.diagnose(SOME, BOX)
    assert mean_sd == pytest.approx((1 / 8 + 0) / 2)  # 0, 2, 2, 0 is 1 away from its mean 1; the box is 8 wide
    assert zero_variance == 1 / 2
    assert on_bound == (2 + 4) / 8  # two zeros in the first dimension, all of the second
    assert distinct == 2
    # 0.1 three times: its mean in floating point is not 0.1, and the standard deviation not exactly 0
    mean_sd, *others = engines.diagnose(np.full((3, 2), 0.1), Box.unit(2))
    assert (mean_sd, *others) == (pytest.approx(0, abs=1e-16), 1, 0, 1)
    # individuals that share some coordinates are distinct
    assert engines.diagnose(np.array([[0.1, 0.2], [0.1, 0.3], [0.4, 0.2]]), Box.unit(2))[1:] == (0, 0, 3)


@pytest.mark.parametrize(("N", "budget"), [(5, 300_000), (100, 300_000), (7, 1000), (4, 4), (5, 6), (5, 23), (20, 60)])
def test_points_are_ends_of_generations_from_the_first_population_to_the_end(N, budget):
    points = engines.log_spaced(N, budget)
    assert (points[0], points[-1]) == (N, budget)
    assert np.all(np.diff(points) > 0)
    assert np.all(points[:-1] % N == 0)
    assert len(points) <= engines.POINTS
    if budget <= 20 * N:  # so few generations are all looked at
        assert points.tolist() == [*range(N, budget, N), budget]


def test_points_are_log_spaced():
    points = engines.log_spaced(5, 300_000)
    assert len(points) > 40
    # steps of a factor 60000^(1/49) = 1.25, up to rounding up to a whole generation
    late = points[points > 500]
    assert np.all(np.diff(np.log(late)) == pytest.approx(np.log(60_000) / 49, abs=5 / 500))


FIELDS = ("infeasible", "mean_sd", "zero_variance", "on_bound", "distinct")


@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_a_trace_follows_every_run(engine):
    options = {"budget": 603, "runs": 12, "engine": engine, "trace": True}
    m = debox.measure("DE/rand/1/bin sat, N=6, F=0.9, Cr=0.9", box=[(0, 1), (-2, 3), (10, 10.5)], **options)
    seen, unit = m.trace, debox.measure(m.config, n=3, **options).trace
    assert all(np.array_equal(getattr(seen, field), getattr(unit, field)) for field in FIELDS)  # in box widths
    assert seen.evaluations.tolist() == engines.log_spaced(6, 603).tolist()
    assert all(getattr(seen, field).shape == (12, len(seen.evaluations)) for field in FIELDS)
    assert np.all(seen.infeasible[:, 0] == 0)  # the initial population
    assert np.all(seen.distinct[:, 0] == 6)
    assert np.all(seen.zero_variance[:, 0] == 0)
    assert np.all(np.diff(seen.infeasible, axis=1) >= 0)
    assert np.all(np.diff(seen.infeasible, axis=1) <= np.diff(seen.evaluations))
    assert (seen.infeasible[:, -1] / 603).tolist() == m.pois.tolist()
    assert np.all(seen.on_bound[:, -1] > 0)  # saturation puts points there
    assert np.all((seen.distinct >= 1) & (seen.distinct <= 6))
    with pytest.raises(FrozenInstanceError):
        seen.mean_sd = None


def test_a_frozen_population_is_the_same_at_every_point():
    m = debox.measure("DE/rand/1/bin sat, N=6, F=0.9, Cr=0.9, frozen=True", n=3, budget=600, runs=3, trace=True)
    for field in FIELDS[1:]:
        values = getattr(m.trace, field)
        assert np.all(values == values[:, :1])
    assert np.all(m.trace.infeasible[:, -1] > 0)


def test_looking_changes_nothing_in_a_plain_run():
    options = {"n": 3, "budget": 601, "runs": 5, "engine": "plain"}
    text = "DE/best/1/exp COTN, N=6, F=0.9, Cr=0.9"
    traced, untraced = (debox.measure(text, trace=trace, **options) for trace in (True, False))
    assert untraced.trace is None
    assert arrays(traced) == arrays(untraced)
