"""Counts of cells: many, few, and exactly as many as promised."""

import pytest

from debox.analysis.claims import counts
from debox.analysis.claims.counts import MoreCells, ShareAtEachLevel, ShareOfCells
from debox.analysis.claims.levels import NotTestableError


def full_up_to(share):
    """A study in which the first cells of each F have 100 %."""
    return lambda N, F, Cr, strategy, **_: [1.0, 1.0] if strategy in share else [0.5, 0.6]


def test_most_counts_and_tells_where(cube_of):
    cube = cube_of(full_up_to(("COTN", "mirror", "dismiss", "toroidal")))  # four fifths of 1440
    found = ShareOfCells(counts.FULL).find(cube, 0.75)
    assert (found.cells, found.agree, found.effect) == (1440, 0.8, 0.8)
    assert found.p < 1e-4
    assert ShareOfCells(counts.FULL).find(cube, 0.8).p == 1  # exactly as promised is no evidence for more
    assert ShareOfCells(counts.FULL).find(cube, 0.8).p_half < 1e-12
    assert ShareOfCells(counts.FULL).find(cube, 0.95).p == 1
    assert "1152 of 1440 (80.0%)" in found.evidence
    assert "by strategy: COTN 100%, dismiss 100%, mirror 100%, saturation 0%, toroidal 100%" in found.evidence
    assert "with other levels than 0.999: 1152 with 0.99, 1152 with 1" in found.evidence


def test_a_panel_counts_once(cube_of):
    cube = cube_of(lambda F, Cr, **_: [1.0, 1.0] if (F, Cr) == (0.5, 0.5) else [0.2, 0.3])
    found = ShareOfCells(counts.FULL_SOMEWHERE).find(cube, 0.95)
    assert (found.cells, found.agree) == (120, 1)
    assert found.p == pytest.approx(0.95**120)
    assert ShareOfCells(counts.FULL).find(cube, 0.95).agree == pytest.approx(1 / 12)


def test_no_cell_that_speaks_is_no_evidence(cube_of):
    with pytest.raises(NotTestableError, match="no fall at any Cr"):
        ShareOfCells(counts.FALLS_ONLY_AT_LAST_CR).find(cube_of(lambda **_: [0.5, 0.6, 0.7]), 0.95)


def test_each_value_needs_its_share(cube_of):
    falling = {5: (0.5, 0.9), 20: (0.5,), 100: ()}  # of 4 F
    cube = cube_of(lambda N, F, Cr, **_: [0.8 - 0.3 * (Cr == 0.99 and F in falling[N]) + k / 1000 for k in range(4)])
    found = ShareAtEachLevel("N", counts.FALLS_AT_LAST_CR, 0.05).find(cube, 0.95)
    assert (found.cells, found.effect) == (3, 0)
    assert found.agree == pytest.approx(2 / 3)
    assert found.p == 1
    assert found.p_half < 1e-6
    assert "5 50.0%, 20 25.0%, 100 0.0%; least at 100" in found.evidence
    assert ShareAtEachLevel("N", counts.FALLS_AT_LAST_CR, 0.05).find(cube.take(N=(5, 20)), 0.95).p < 1e-6


def test_a_switch_counts_cells_that_change(cube_of):
    cube = cube_of(lambda N, F, **_: [1.0, 1.0] if (N, F) in ((100, 0.9), (100, 1.5), (20, 1.5)) else [0.5, 0.5])
    found = MoreCells("N", 20, 100, counts.FULL).find(cube, 0.8)
    assert (found.cells, found.agree, found.effect) == (120, 1, 0.25)  # of 4 F one gains it
    assert found.p == pytest.approx(max(0.5**120, 1e-15))
    assert "120 cells at N 20, 240 at 100; 120 gain it, 0 lose it" in found.evidence
    with pytest.raises(NotTestableError, match="no cell has the property at one value"):
        MoreCells("N", 5, 20, counts.FULL).find(cube.take(F=0.5), 0.8)


def test_other_readings_of_0_and_100_percent_are_told(cube_of):
    shares = {0.05: [0.0, 0.0], 0.5: [0.009, 0.0], 0.9: [0.995, 1.0], 1.5: [0.5, 0.5]}  # 360 cells each
    cube = cube_of(lambda F, **_: shares[F])
    extreme, full, somewhere = (
        ShareOfCells(one).find(cube, 0.95).evidence for one in (counts.EXTREME, counts.FULL, counts.FULL_SOMEWHERE)
    )
    assert "other levels than 0.999: 1080 with 0.99, 360 with 1" in extreme
    assert "other levels than 0.999: 360 with 0.99, 0 with 1" in full
    assert "other levels than 0.999: 120 with 0.99, 0 with 1" in somewhere
