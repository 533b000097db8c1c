"""Cells of a made-up table stand where their factors say; shares and logits by hand; what is incomplete is named."""

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned

from debox.analysis.cube import Cube, obstacle
from debox.analysis.old_runs import Runs

CELLS = {
    ("rand/1", "bin", "saturation", N, F, Cr): [F / 4 + Cr / 8 + N / 1000, 0.5]
    for N in (20, 5)
    for F in (1.0, 0.5)
    for Cr in (0.1, 0.9, 0.5)
}


@pytest.fixture
def cube(made):
    return Cube.of(Runs.of(made(CELLS, n=7, budget=1000)))


def test_every_run_stands_at_its_factors(cube):
    assert cube.pois.shape == (1, 1, 1, 2, 2, 3, 2)
    assert cube.axes["N"] == (5, 20)
    assert cube.axes["F"] == (0.5, 1.0)
    assert cube.axes["Cr"] == (0.1, 0.5, 0.9)
    for (*_, N, F, Cr), pois in CELLS.items():
        at = (0, 0, 0, (5, 20).index(N), (0.5, 1.0).index(F), (0.1, 0.5, 0.9).index(Cr))
        assert cube.pois[at].tolist() == pois
    assert (cube.runs, cube.budget, cube.dimension) == (2, 1000, 7)


def test_the_share_of_trials_reaches_one_for_every_N(made):
    always = {("rand/1", "bin", "saturation", N, 1.0, 0.9): [1 - N / 1000] for N in (5, 20)}
    cube = Cube.of(Runs.of(made(always, budget=1000)))
    assert cube.share.ravel().tolist() == [1.0, 1.0]
    by_hand = [np.log((1000 - N + 0.5) / 0.5) for N in (5, 20)]
    assert cube.logit.ravel() == pytest.approx(by_hand, rel=1e-12)


def test_take_gives_the_part_with_these_values(cube):
    part = cube.take(N=20, Cr=(0.9, 0.1))
    assert part.pois.shape == (1, 1, 1, 1, 2, 2, 2)
    assert part.axes["Cr"] == (0.9, 0.1)
    assert part.pois[0, 0, 0, 0, 1, 1].tolist() == CELLS["rand/1", "bin", "saturation", 20, 1.0, 0.1]
    with pytest.raises(ValueError, match="N must be one of 5, 20, got 7"):
        cube.take(N=7)
    with pytest.raises(ValueError, match="unknown factor 'n'"):
        cube.take(n=30)


def test_what_is_incomplete_is_refused_by_name(made):
    cells = {**CELLS, ("rand/1", "bin", "saturation", 5, 0.5, 0.1): [0.3]}
    with pytest.raises(ValueError, match=r"same 2 runs.*rand/1/bin saturation, N=5, F=0.5, Cr=0.1: 1$"):
        Cube.of(Runs.of(made(cells)))
    del cells["rand/1", "bin", "saturation", 5, 0.5, 0.1]
    with pytest.raises(ValueError, match=r"N=5, F=0.5, Cr=0.1: 0$"):
        Cube.of(Runs.of(made(cells)))


def test_what_levels_that_are_not_looked_at_lack_does_not_matter(made, cube):
    cells = {key: pois for key, pois in CELLS.items() if key[3:5] != (20, 0.5)}
    runs = Runs.of(made(cells, n=7))
    with pytest.raises(ValueError, match=r"N=20, F=0.5, Cr=0.1: 0"):
        Cube.of(runs)
    with pytest.raises(ValueError, match=r"N=20, F=0.5, Cr=0.1: 0"):
        Cube.of(runs, {"F": (0.5,)})
    part = Cube.of(runs, {"N": (5,)})
    assert part.axes == {**cube.axes, "N": (5,)}
    assert (part.pois == cube.take(N=5).pois).all()
    with pytest.raises(
        ValueError, match=r"no configuration of these levels has runs: rand/1/bin saturation, N=20, F=0.5"
    ):
        Cube.of(runs, {"N": (20,), "F": (0.5,)})


def test_a_study_short_of_its_planned_runs_alike_is_taken_and_says_so(made):
    table = made(CELLS)
    short, whole = (Cube.of(Runs.of(table, planned(table, runs=runs))) for runs in (3, 2))
    assert (short.runs, short.planned, short.runs_in_words) == (2, 3, "2 of 3 planned runs")
    assert short.take(N=5).runs_in_words == "2 of 3 planned runs"
    assert whole.runs_in_words == "2 runs"


@pytest.mark.parametrize("wrong", [0.981, -0.001, np.nan])
def test_more_infeasible_trials_than_trials_are_refused(made, wrong):
    """N = 20 of 1000 evaluations are feasible: POIS is at most 0.98."""
    key = ("rand/1", "bin", "saturation", 20, 1.0, 0.9)
    assert np.isfinite(Cube.of(Runs.of(made({**CELLS, key: [0.98, 0.0]}))).logit).all()
    with pytest.raises(ValueError, match=rf"= 0\.98, .*rand/1/bin saturation, N=20, F=1, Cr=0\.9 has {wrong:g}$"):
        Cube.of(Runs.of(made({**CELLS, key: [0.98, wrong]})))


def test_a_full_design_that_no_array_holds_is_refused_before_it_is_made(made):
    """1001 values of F, each with its own Cr: 1001 runs, but a design of 1 002 001 configurations."""
    diagonal = {(1.0 + k / 1000, k / 1000): [0.1] for k in range(1001)}
    with pytest.raises(ValueError, match="has 1,002,001 configurations, more than 1,000,000"):
        Cube.of(Runs.of(made(diagonal)))


@pytest.mark.parametrize("column", ["budget", "dimension"])
def test_a_column_that_is_not_there_is_named(made, column):
    table = {name: values for name, values in made(CELLS).items() if name != column}
    assert obstacle(Runs.of(table)) == f"the table has no column {column}, which this needs"
    assert obstacle(Runs.of(made(CELLS))) == ""


def test_a_budget_without_trials_is_refused(made):
    table = made({("rand/1", "bin", "saturation", N, 0.5, 0.9): [0.0, 0.0] for N in (5, 20)}, budget=20)
    said = "budget must be larger than N, else a run has no trials; it is 20, N is 20"
    assert obstacle(Runs.of(table)) == said
    with pytest.raises(ValueError, match=said):
        Cube.of(Runs.of(table))


def test_a_cube_knows_the_donors_of_its_runs(made):
    table = made(CELLS)
    rows = len(table["pois"])
    cube = Cube.of(Runs.of({**table, "donors": np.array(["not-target"] * rows, object)}))
    assert (cube.donors, cube.take(N=5).donors) == ("not-target", "not-target")
    assert Cube.of(Runs.of({name: table[name] for name in table if name != "donors"})).donors == "distinct"


def test_a_run_that_is_there_twice_is_refused(made):
    table = made(CELLS)
    table["run"][1] = 0
    assert obstacle(Runs.of(table)) == "run 0 of rand/1/bin saturation, N=20, F=1, Cr=0.1 is there more than once"
    del table["run"]
    assert obstacle(Runs.of(table)) == ""


def test_several_adaptations_have_an_axis_of_their_own(made):
    table = with_adaptations(made({(0.5, Cr): [Cr, Cr / 2] for Cr in (0.1, 0.2)}), fixed=0, SHADE=0.1, JADE=0.2)
    cube = Cube.of(Runs.of(table))
    assert cube.pois.shape == (1, 1, 1, 1, 3, 1, 2, 2)
    assert cube.take(adaptation="SHADE").pois.ravel() == pytest.approx([0.2, 0.15, 0.3, 0.2])
    assert cube.share.ravel() == pytest.approx(cube.pois.ravel() * 1000 / 995)  # of 995 trials
    less = {name: column[:-1] for name, column in table.items()}
    with pytest.raises(ValueError, match=r"rand/1/exp saturation, N=5, JADE, F=0.5, Cr=0.2: 1"):
        Cube.of(Runs.of(less))
