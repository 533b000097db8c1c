"""The catalogue as a whole: names, order, texts, and what figures lack."""

import numpy as np
import pytest
from adaptations import with_adaptations
from grid_tables import grid_table
from plans import planned

from debox.analysis.runs import Runs
from debox.figures.catalogue import choose, find
from debox.figures.page import PAGE

PAPER = {
    "mutation": ["best/1", "curr-to-best/1", "rand/1", "rand/2"],
    "crossover": ["bin", "exp"],
    "strategy": ["COTN", "dism", "mirr", "sat", "tor"],
    "N": [5, 20, 100],
}
OF_NO_RUNS = ["strategies", "threshold", "reading-key", "sketch-3d"]
FACTORS = ["factors-shares", "factors-interaction"]
COMPARISONS = ["population-sizes", "mutations", "crossovers", "strategies-compared"]


def names(runs, *patterns):
    return [page.name for page in choose(runs, patterns)]


@pytest.fixture
def paper(table):
    return Runs.of(table(), planned(table(), **PAPER))


def test_the_papers_figures_come_first_then_compact_ones_then_all_panels():
    made = grid_table(mutation=["best/1", "current-to-best/1"], crossover=["bin", "exp"], N=[5, 9])
    variants = ("best-1-bin", "best-1-exp", "curr-to-best-1-bin", "curr-to-best-1-exp")
    assert names(Runs.of(made)) == [
        *OF_NO_RUNS,
        *COMPARISONS,
        "overview",
        *(f"ribbons/DE-{variant}-against-{against}" for variant in variants for against in ("F", "Cr")),
        *("contours-best-1", "contours-curr-to-best-1", "life", "drift", *FACTORS, "last-step"),
        *(f"atlas-{crossover}-N{N}" for crossover in ("bin", "exp") for N in (5, 9)),
        *(f"panels/DE-{variant}-sat-N{N}" for variant in variants for N in (5, 9)),
    ]


def test_patterns_choose_in_the_order_of_the_catalogue(paper):
    chosen = names(paper, "life", "threshold", "atlas-exp-*")
    assert chosen == ["threshold", "life", "atlas-exp-N5", "atlas-exp-N20", "atlas-exp-N100"]


def test_no_two_figures_of_the_paper_have_the_same_name(paper):
    assert len(set(names(paper))) == len(names(paper)) == 4 + 4 + 1 + 16 + 4 + 2 + 2 + 1 + 6 + 120


def test_figures_fit_a_page_and_say_what_they_show(paper):
    for page in choose(paper):
        assert min(page.size) <= PAGE[0]
        assert max(page.size) <= PAGE[1]
        assert page.caption.endswith(".")
        assert len(page.caption.split()) > 8


def test_all_but_four_figures_show_runs_and_say_which():
    runs = Runs.of(grid_table(), planned(grid_table(), name="mine", runs=2))
    for page in choose(runs):
        shared = "" if page.name in OF_NO_RUNS else " mine: n = 3, budget 300, 2 runs."
        assert page.alt_text == page.caption + shared, page.name


def test_what_a_figure_lacks_is_said_and_no_other_is_left_out():
    table = grid_table(F=[0.5, 0.7], Cr=[0.5, 0.9])
    table["pois_at_third"] = np.full(len(table["pois"]), np.nan)
    obstacles = {page.name: page.obstacle for page in choose(Runs.of(table)) if page.obstacle}
    checkpoints = "POIS over a run's life needs the checkpoints 1/3 and 2/3: the table has no column pois_at_third"
    assert obstacles == {
        "population-sizes": "no runs", "crossovers": "no runs", "life": checkpoints, "drift": checkpoints
    }  # fmt: skip


def test_of_runs_none_of_which_is_there_nothing_is_drawn(paper):
    assert {page.obstacle for page in choose(paper) if page.name not in OF_NO_RUNS} == {"no runs"}


def test_numbers_have_axes_first_and_then_arrays_of_all_axes():
    """A table for all: `debox.plot.data` and csv files."""
    runs = Runs.of(grid_table(F=[0.5, 0.7], Cr=[0.5, 0.9]))
    for page in choose(runs):
        found = [array for array in page.numbers(*page.arguments).values() if array.ndim]
        axes = [array for array in found if array.ndim == 1]
        for array in found[len(axes) :]:
            assert array.shape == tuple(map(len, axes))[: array.ndim], page.name


def test_a_slash_in_the_name_of_an_adaptation_makes_no_folder():
    runs = Runs.of(with_adaptations(grid_table(), fixed=0, **{"own/2": 0.1}))
    own = [name for name in names(runs) if "own" in name]
    assert {"atlas-exp-own-2-N5", "contours-rand-1-own-2", "ribbons/DE-rand-1-exp-own-2-against-F"} <= set(own)
    assert all(name.removeprefix("ribbons/").removeprefix("panels/").count("/") == 0 for name in own)


WRONG = {
    "no figure is named 'atlantis'; choose from strategies, .*, ribbons/*, .*, panels/*": "atlantis",
    "no figure is named 3; choose from": 3,
    "'atlas-*' matches 6 figures, such as atlas-bin-N5: give the name of one": "atlas-*",
    "the figure overview cannot be drawn: no runs": "overview",
}


@pytest.mark.parametrize("message", WRONG)
def test_a_figure_that_cannot_be_is_an_error_that_says_why(paper, message):
    start, *others = message.split(".*")
    with pytest.raises(ValueError) as caught:
        find(paper, WRONG[message])
    assert str(caught.value).startswith(start)
    assert all(part in str(caught.value) for part in others)
