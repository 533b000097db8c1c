"""POIS over a run's life, of counts made by hand: within thirds, so far, and how far it drifts."""

import numpy as np
import pytest
from adaptations import with_adaptations

from debox import measure
from debox.analysis.runs import Runs
from debox.figures import drift, life

# infeasible so far, of 3, 6 and 9 evaluations: 1, 1, 1; 2, 3, 3; 3, 5, 5; and 0, 0, 3
CELLS = {(0.5, 0.2): [1 / 9, 3 / 9, 5 / 9], (1.5, 0.9): [3 / 9]}
SO_FAR = {"at_third": [1 / 3, 2 / 3, 3 / 3, 0], "at_two_thirds": [1 / 6, 3 / 6, 5 / 6, 0]}


@pytest.fixture
def runs(made):
    return Runs.of(made(CELLS, budget=9, **SO_FAR))


def test_medians_and_quantiles_of_the_thirds(runs):
    found = life.numbers(runs)
    assert [found[name].tolist() for name in ("F", "Cr", "runs")] == [[0.5, 1.5], [0.2, 0.9], [[3, 0], [0, 1]]]
    assert found["end"] == pytest.approx([1 / 3, 2 / 3, 1])
    assert found["so_far"][0, 0] == pytest.approx([2 / 3, 3 / 6, 3 / 9])
    # within thirds: 1/3 0 0; 2/3 1/3 0; 1 2/3 0. Of three runs the 5 % quantile lies a tenth of a step above the first
    assert found["within"][0, 0] == pytest.approx([2 / 3, 1 / 3, 0])
    assert found["low"][0, 0] == pytest.approx([1 / 3 + 0.1 / 3, 0.1 / 3, 0])
    assert found["high"][0, 0] == pytest.approx([1 - 0.1 / 3, 2 / 3 - 0.1 / 3, 0])
    assert (found["within"][1, 1].tolist(), found["so_far"][1, 1]) == ([0, 0, 1], pytest.approx([0, 0, 1 / 3]))
    assert np.isnan(found["within"][0, 1]).all()


def test_drift_is_the_last_third_less_the_first(runs):
    found = drift.numbers(runs)
    assert found["drift"].shape == (1, 1, 1, 1, 2, 2)
    assert found["drift"].ravel() == pytest.approx([-2 / 3, np.nan, np.nan, 1], nan_ok=True)  # of −1/3, −2/3, −1
    assert found["runs"].ravel().tolist() == [3, 0, 0, 1]


def test_checkpoints_lie_at_whole_evaluations(made):
    """Budget 10: round(10/3) = 3 and round(20/3) = 7 evaluations; infeasible so far 2, 4, 7"""
    runs = Runs.of(made({(0.5, 0.2): [7 / 10]}, budget=10, at_third=[2 / 3], at_two_thirds=[4 / 7]))
    assert life.within_thirds(runs).ravel() == pytest.approx([2 / 3, 2 / 4, 3 / 3])


def test_thirds_of_measured_runs_are_shares_that_add_up_to_the_whole(made):
    m = measure("DE/rand/1/bin mirr, N=5, F=0.4, Cr=0.9", n=5, budget=1000, runs=20)
    third, two_thirds = m.pois_at.T
    runs = Runs.of(made({(0.4, 0.9): m.pois}, budget=1000, at_third=third, at_two_thirds=two_thirds))
    thirds = life.within_thirds(runs)[0, 0, 0, 0, 0, 0]
    assert ((thirds >= 0) & (thirds <= 1)).all()
    assert thirds @ [333, 334, 333] == pytest.approx(m.pois * 1000)


@pytest.mark.parametrize("name", ["pois_at_third", "pois_at_two_thirds"])
def test_a_table_without_checkpoints_is_named(made, name):
    table = made({(0.5, 0.2): [0.1, 0.2]})
    without = {key: column for key, column in table.items() if key != name}
    for given in ({**table, name: np.array([0.1, np.nan])}, without):
        for figure in (life, drift):
            with pytest.raises(ValueError, match=f"needs the checkpoints 1/3 and 2/3: the table has no column {name}"):
                figure.numbers(Runs.of(given))
            (page,) = figure.pages(Runs.of(given))
            assert page.obstacle.endswith(f"no column {name}")


def test_the_panel_shown_is_the_paper_s_or_else_the_first_that_has_runs(made):
    cells = {("rand/1", "exp", strategy, 5, 0.5, 0.2): [0.1] for strategy in ("mirror", "saturation")}
    without = {("rand/1", "exp", "saturation", N, 0.5, 0.2): [0.1] for N in (7, 8)}
    for given, title in ((cells, "DE/rand/1/exp sat, N=5"), (without, "DE/rand/1/exp sat, N=7")):
        (page,) = life.pages(Runs.of(made(given)))
        assert f"POIS of {title} within" in page.caption
        assert page.runs.counts.size == 1


def test_among_several_adaptations_the_paper_s_panel_is_that_of_fixed_F_and_Cr(made):
    cells = {("rand/1", crossover, "saturation", 5, 0.5, 0.2): [0.1] for crossover in ("bin", "exp")}
    (page,) = life.pages(Runs.of(with_adaptations(made(cells), SHADE=0, fixed=0.1)))
    assert "POIS of DE/rand/1/exp sat, fixed, N=5 within" in page.caption
    assert page.numbers(*page.arguments)["so_far"].ravel() == pytest.approx([0.2] * 3)
