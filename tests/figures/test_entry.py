"""What an entry says of the runs that its figure needs."""

import numpy as np
import pytest
from plans import planned

from debox.analysis import thirds
from debox.analysis.old_runs import Panel, Runs
from debox.figures.entry import Entry

SAT, TOR = Panel.of("DE/rand/1/exp sat", 5), Panel.of("DE/rand/1/exp tor", 5)


@pytest.fixture
def runs(made):
    table = made({(0.5, 0.2): [0.1, 0.2]})
    return Runs.of(table, planned(table, name="mine", runs=2))


def entry(*panels, **needs):
    return Entry("name", "Words.", (1, 1), len, panels, **needs)


def test_a_figure_of_runs_says_what_all_its_runs_share(runs):
    shared = "mine: n = 30, budget 1 000, 2 runs"
    assert (entry(SAT).footer(runs), entry(SAT).alt_text(runs)) == (shared, f"Words. {shared}.")


def test_a_figure_of_no_runs_says_nothing_of_them(runs):
    assert (entry().footer(runs), entry().alt_text(runs), entry().obstacle(runs)) == ("", "Words.", "")


def test_a_run_of_one_of_its_panels_is_enough(runs):
    assert entry(SAT, TOR).obstacle(runs) == ""
    assert entry(TOR).obstacle(runs) == "no runs"


@pytest.mark.parametrize("change", [{}, {"pois_at_third": np.array([0.25, np.nan])}], ids=["missing", "not noted"])
def test_checkpoints_that_are_missing_stop_the_figures_that_need_them_and_no_others(made, change):
    noted = made({(0.5, 0.2): [0.1, 0.2]})
    changed = Runs.of({name: column for name, column in noted.items() if name != "pois_at_third"} | change)
    assert entry(SAT, further_obstacle=thirds.obstacle).obstacle(Runs.of(noted)) == ""
    assert entry(SAT, further_obstacle=thirds.obstacle).obstacle(changed).endswith("has no column pois_at_third")
    assert entry(SAT).obstacle(changed) == ""
