"""The numbers of EDPOIS panels (docs/spec.md §4), and which panels stand side by side, of tables made by hand."""

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned

from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.figures import edpois, reading_key, sketch

PANEL = Panel.of("DE/rand/1/exp sat", 5)
ABOVE = np.nextafter
PAPER = {
    "mutation": ["best/1", "curr-to-best/1", "rand/1", "rand/2"],
    "crossover": ["bin", "exp"],
    "strategy": ["COTN", "dism", "mirr", "sat", "tor"],
    "N": [5, 20, 100],
}


@pytest.mark.parametrize(
    ("pois", "bins"),
    [
        ([0.1, ABOVE(0.1, 1)], {0: 1, 1: 1}),  # [0, 0.1] is closed
        ([0.9, ABOVE(0.9, 1)], {8: 1, 9: 1}),  # (0.8, 0.9], then (0.9, 1]
        ([0.0, 0.001, 0.999, 1.0], {0: 2, 9: 2}),
        ([0.3, 0.30001, 0.35], {2: 1, 3: 2}),
    ],
)
def test_runs_are_counted_by_tenths_of_pois(made, pois, bins):
    found = edpois.numbers(Runs.of(made({(0.7, 0.5): pois})), PANEL)
    assert found["runs"].ravel().tolist() == [bins.get(k, 0) for k in range(10)]
    assert found["up_to"] == pytest.approx(np.linspace(0.1, 1, 10))


@pytest.mark.parametrize(
    ("pois", "colour"),
    [
        ([0.0, 0.001], "teal"),
        ([0.999, 1.0], "teal"),
        ([0.001, 0.0011], "orange"),
        ([0.001, 0.01], "orange"),
        ([0.99, 0.999], "orange"),
        ([0.0, 0.0011], "violet"),  # neither all within [0, 0.001] nor all within [0.001, 0.01]
        ([0.001, ABOVE(0.01, 1)], "violet"),
        ([0.99, ABOVE(0.999, 1)], "violet"),
        ([ABOVE(0.99, 0)], "violet"),
        ([0.0, 1.0], "violet"),
    ],
)
def test_the_colour_tells_how_extreme_all_runs_are(made, pois, colour):
    assert edpois.numbers(Runs.of(made({(0.7, 0.5): pois})), PANEL)["colour"].ravel().tolist() == [colour]


def test_cells_have_an_axis_for_rising_F_and_one_for_rising_Cr_and_missing_ones_have_no_colour(made):
    found = edpois.numbers(Runs.of(made({(2.0, 0.1): [0.5] * 3, (0.3, 0.9): [0.25], (0.3, 0.1): [0.0]})), PANEL)
    assert [found[name].tolist() for name in ("panel", "F", "Cr")] == [["DE/rand/1/exp sat, N=5"], [0.3, 2], [0.1, 0.9]]
    assert found["runs"].sum(-1).tolist() == [[[1, 1], [3, 0]]]
    assert found["runs"][0].argmax(-1).tolist() == [[0, 2], [4, 0]]
    assert found["colour"].tolist() == [[["teal", "violet"], ["violet", ""]]]


def names_and_titles(pages):
    """Name → titles of its panels."""
    return {page.name: [panel.title for panel in page.arguments[1:]] for page in pages}


def test_every_panel_has_a_file_of_its_own(table):
    found = names_and_titles(edpois.pages(Runs.of(table(), planned(table(), **PAPER))))
    assert len(found) == 120
    assert found["panels/DE-curr-to-best-1-bin-sat-N100"] == ["DE/curr-to-best/1/bin sat, N=100"]


def test_the_comparisons_are_those_of_spec_4_also_without_runs(made):
    runs = Runs.of(made({(0.7, 0.5): [0.5, 0.6]}))
    pages = {page.name: page for page in edpois.comparisons(runs)}
    assert names_and_titles(pages.values()) == {
        "population-sizes": [f"DE/curr-to-best/1/bin sat, N={N}" for N in (5, 20, 100)],
        "mutations": [f"DE/{mutation}/exp sat, N=5" for mutation in ("best/1", "rand/1", "rand/2")],
        "crossovers": [f"DE/{name}, N=5" for name in ("best/1/bin sat", "best/1/exp sat", "rand/1/bin tor")]
        + ["DE/rand/1/exp tor, N=5"],
        "strategies-compared": [f"DE/rand/1/exp {strategy}, N=5" for strategy in ("COTN", "mirr", "sat")],
    }
    mutations = pages["mutations"]
    assert mutations.numbers(*mutations.arguments)["runs"].sum((1, 2, 3)).tolist() == [0, 2, 0]
    assert (mutations.obstacle, pages["crossovers"].obstacle) == ("", "no runs")


def test_the_atlas_shows_all_panels_once_a_row_per_mutation_and_a_column_per_strategy(table):
    runs = Runs.of(table(), planned(table(), **PAPER))
    found = names_and_titles(edpois.atlas(runs))
    assert list(found) == [f"atlas-{crossover}-N{N}" for crossover in ("bin", "exp") for N in (5, 20, 100)]
    assert found["atlas-exp-N20"][:2] == ["DE/best/1/exp COTN, N=20", "DE/best/1/exp dism, N=20"]
    assert found["atlas-exp-N20"][5] == "DE/curr-to-best/1/exp COTN, N=20"
    every = [title for titles in found.values() for title in titles]
    assert sorted(every) == sorted(title for (title,) in names_and_titles(edpois.pages(runs)).values())


def test_every_adaptation_has_panels_of_its_own_and_the_paper_s_have_fixed_F_and_Cr(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.6))
    assert list(names_and_titles(edpois.pages(runs))) == [
        f"panels/DE-rand-1-exp-sat-{adaptation}-N5" for adaptation in ("fixed", "SHADE")
    ]
    fixed, shade = edpois.atlas(runs)
    assert (fixed.name, shade.name) == ("atlas-exp-fixed-N5", "atlas-exp-SHADE-N5")
    assert shade.numbers(*shade.arguments)["runs"].ravel().tolist() == [0] * 8 + [1, 0]
    *_, strategies = edpois.comparisons(runs)
    assert strategies.numbers(*strategies.arguments)["panel"][-1] == "DE/rand/1/exp sat, fixed, N=5"
    assert strategies.numbers(*strategies.arguments)["runs"][-1].argmax() == 2


def test_the_key_shows_one_spread_cell_and_the_top_bin_in_three_colours():
    found = reading_key.numbers()
    assert found["runs"][0, 0, 0].tolist() == [0, 0, 0, 0, 7, 24, 16, 3, 0, 0]
    assert found["colour"].tolist() == [[["violet", "orange"], ["violet", "teal"]]]
    assert found["runs"].reshape(4, 10)[1:].tolist() == [[0] * 9 + [50]] * 3


@pytest.mark.parametrize("runs", [1, 2, 3, 7, 10, 1000])
def test_a_key_for_other_numbers_of_runs_has_nearly_the_same_shares(runs):
    counts = reading_key.numbers(runs)["runs"].reshape(4, 10)
    assert counts.sum(1).tolist() == [runs] * 4
    if runs == 10:  # 1.4, 6.2, 9.4, 10 runs up to the ends of the bins, rounded
        assert counts[0, 4:8].tolist() == [1, 5, 3, 1]


def test_the_key_counts_as_many_runs_as_the_study(made):
    given = made({(0.7, 0.5): [0.5]})
    (page,) = reading_key.pages(Runs.of(given, planned(given, runs=10)))
    assert page.arguments == (10,)


def test_the_sketch_has_nine_histograms_of_50_runs():
    assert sketch.numbers()["runs"].shape == (3, 3, 10)
    assert set(sketch.numbers()["runs"].sum(-1).ravel()) == {50}
