"""The catalogue as a whole: names, order, texts, and what it does without."""

from dataclasses import fields, is_dataclass

import pytest
from adaptations import with_adaptations
from grid_tables import grid_table
from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures.entry import PAGE
from debox.figures.old_catalogue import choose

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
    return [entry.name for entry in choose(runs, patterns)]


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


def test_patterns_choose_in_the_order_of_the_catalogue(table):
    runs = Runs.of(table(), planned(table(), **PAPER))
    assert names(runs, "life", "threshold", "atlas-exp-*") == [
        *("threshold", "life", "atlas-exp-N5", "atlas-exp-N20", "atlas-exp-N100")
    ]


def test_a_name_that_matches_nothing_is_an_error_that_lists_the_names(table):
    listed = r"choose from strategies, .*, ribbons/\*, .*, panels/\*$"
    with pytest.raises(ValueError, match=f"no figure is named 'atlantis'; {listed}"):
        choose(Runs.of(table(), planned(table(), **PAPER)), ["threshold", "atlantis"])


def test_no_two_figures_of_the_paper_have_the_same_name(table):
    found = names(Runs.of(table(), planned(table(), **PAPER)))
    assert len(found) == len(set(found)) == 4 + 4 + 1 + 16 + 4 + 2 + 2 + 1 + 6 + 120


def test_figures_fit_a_page_and_say_what_they_show(table):
    for entry in choose(Runs.of(table(), planned(table(), **PAPER))):
        assert min(entry.size) <= PAGE[0]
        assert max(entry.size) <= PAGE[1]
        assert entry.description.endswith(".")
        assert len(entry.description.split()) > 8


def test_all_but_four_figures_show_runs_and_have_a_footer():
    runs = Runs.of(grid_table(), planned(grid_table(), name="mine", runs=2))
    footers = {entry.name: entry.footer(runs) for entry in choose(runs)}
    assert [name for name, footer in footers.items() if not footer] == OF_NO_RUNS
    assert {footers[name] for name in footers if name not in OF_NO_RUNS} == {"mine: n = 3, budget 300, 2 runs"}


def test_missing_checkpoints_leave_out_a_run_s_life_and_nothing_else():
    table = grid_table(F=[0.5, 0.7], Cr=[0.5, 0.9])
    runs = Runs.of({name: column for name, column in table.items() if name != "pois_at_third"})
    obstacles = {entry.name: entry.obstacle(runs) for entry in choose(runs)}
    assert [name for name in obstacles if obstacles[name] not in ("", "no runs")] == ["life", "drift"]
    assert [name for name in obstacles if obstacles[name] == "no runs"] == ["population-sizes", "crossovers"]


def test_the_record_of_every_figure_is_frozen_and_has_a_type_of_its_own():
    runs = Runs.of(grid_table(F=[0.5, 0.7], Cr=[0.5, 0.9]))
    kinds = {}
    for entry in choose(runs):
        record = entry.record(runs)
        assert is_dataclass(record)
        with pytest.raises(AttributeError):
            setattr(record, fields(record)[0].name, None)
        kinds.setdefault(type(record).__name__, []).append(entry.name)
    assert kinds == {
        "Strategies": ["strategies"],
        "Thresholds": ["threshold"],
        "ReadingKey": ["reading-key"],
        "Sketch": ["sketch-3d"],
        "Comparison": COMPARISONS,
        "Overview": ["overview"],
        "Ribbons": ["ribbons/DE-rand-1-exp-against-F", "ribbons/DE-rand-1-exp-against-Cr"],
        "Contours": ["contours-rand-1"],
        "LifePanel": ["life"],
        "Drift": ["drift"],
        "FactorShares": ["factors-shares"],
        "Interaction": ["factors-interaction"],
        "LastStep": ["last-step"],
        "AtlasPage": ["atlas-exp-N5"],
        "EdpoisPanel": ["panels/DE-rand-1-exp-sat-N5"],
    }


def test_a_slash_in_the_name_of_an_adaptation_makes_no_folder():
    runs = Runs.of(with_adaptations(grid_table(), fixed=0, **{"own/2": 0.1}))
    own = [name for name in names(runs) if "own" in name]
    assert {"atlas-exp-own-2-N5", "contours-rand-1-own-2", "ribbons/DE-rand-1-exp-own-2-against-F"} <= set(own)
    assert all(name.removeprefix("ribbons/").removeprefix("panels/").count("/") == 0 for name in own)
