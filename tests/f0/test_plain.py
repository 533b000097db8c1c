"""The plain engine: Algorithm 1 on f0, generation by generation."""

import numpy as np
import pytest

from debox import Box, Config
from debox.f0.engines import Plain, stream
from debox.loop import EVALUATIONS


@pytest.mark.parametrize("text", ["DE/rand/1/bin sat, N=10, F=0.7, Cr=0.9", "JADE, N=10", "L-SHADE, N=10"])
def test_a_stop_on_the_way_does_not_cut_a_generation(text):
    config, budget = Config(text), 205
    whole, pieces = (Plain(config, Box.unit(2), budget, np.array([100])) for _ in range(2))
    for engine in (whole, pieces):
        engine.begin(stream(0, config, 0))
    pieces.advance(13)
    assert pieces.counts[EVALUATIONS] == 20
    for engine, ends in ((whole, [budget]), (pieces, [21, 50, 51, 177, budget])):
        for until in ends:
            engine.advance(until)
            assert until <= engine.counts[EVALUATIONS] < until + config.N
    for name in ("P", "f", "counts", "memory", "infeasible_at"):
        np.testing.assert_array_equal(getattr(whole.loop, name), getattr(pieces.loop, name), err_msg=name)
    assert whole.counts[EVALUATIONS] == budget
