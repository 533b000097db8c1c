"""Maps of the median, and where they pass a level, by hand."""

import numpy as np
import pytest
from adaptations import with_adaptations

from debox.analysis.old_runs import Runs
from debox.figures.data.contours import contours, entries, entry, obstacle


def test_a_map_holds_medians_at_their_place_and_nothing_where_no_run_is(made):
    runs = Runs.of(made({(0.5, 0.2): [0.1, 0.2, 0.9], (0.5, 0.9): [0.4], (1.5, 0.2): [0.6, 0.8]}))
    (map_,) = contours(runs, "rand/1").rows[0]
    assert (map_.F, map_.Cr) == ((0.5, 1.5), (0.2, 0.9))
    assert map_.median[0] == (0.2, 0.4)
    assert map_.median[1][0] == pytest.approx(0.7)
    assert np.isnan(map_.median[1][1])


def test_missing_runs_are_noted(made):
    assert contours(Runs.of(made({(0.5, 0.2): [0.1, 0.2], (0.5, 0.9): [0.4]})), "rand/1").note == "1 to 2 of 2 runs"
    assert contours(Runs.of(made({(0.5, 0.2): [0.1, 0.2], (0.5, 0.9): [0.4, 0.3]})), "rand/1").note == ""


def test_rows_are_strategies_and_columns_crossovers_and_sizes(made):
    cells = {("rand/1", c, s, N, 0.5, 0.2): [0.1] for c in ("exp", "bin") for s in ("mirror", "COTN") for N in (9, 5)}
    record = contours(Runs.of(made(cells)), "rand/1")
    assert [[(m.panel.crossover, m.panel.N, m.panel.strategy) for m in row] for row in record.rows] == [
        [(crossover, N, strategy) for crossover in ("bin", "exp") for N in (5, 9)] for strategy in ("COTN", "mirror")
    ]
    assert {m.panel.mutation for row in record.rows for m in row} == {"rand/1"}


def test_a_mutation_may_have_its_short_name_and_must_be_known(made):
    runs = Runs.of(made({(0.5, 0.2): [0.1]}))
    assert contours(runs, "curr-to-best/1").mutation == "current-to-best/1"
    with pytest.raises(ValueError, match="unknown mutation 'rand/3'"):
        contours(runs, "rand/3")


def test_lines_need_two_values_of_F_and_Cr(made):
    one = Runs.of(made({(0.5, 0.2): [0.1], (0.7, 0.2): [0.4]}))
    assert entry(one, "rand/1").obstacle(one) == "lines over Cr and F need two values of each, this study has one Cr"
    assert obstacle(Runs.of(made({(0.5, 0.2): [0.1]}))).endswith("one F and one Cr")
    assert obstacle(Runs.of(made({(F, Cr): [0.1] for F in (0.5, 0.7) for Cr in (0.2, 0.3)}))) == ""


def test_every_adaptation_has_a_page_of_its_own(made):
    cells = {(F, Cr): [F * Cr] for F in (0.5, 1.0) for Cr in (0.1, 0.5)}
    runs = Runs.of(with_adaptations(made(cells), jDE=0, SHADE=0.1))
    every = list(entries(runs))
    assert [one.name for one in every] == ["contours-rand-1-jDE", "contours-rand-1-SHADE"]
    assert every[1].record(runs).rows[0][0].median[0] == pytest.approx((0.15, 0.35))
