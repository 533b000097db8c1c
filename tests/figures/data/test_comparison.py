from adaptations import with_adaptations

from debox.analysis.old_runs import Runs
from debox.figures.data.comparison import COMPARISONS, comparison


def test_the_comparisons_are_those_of_spec_4():
    titles = {name: [panel.title for panel in panels] for name, panels in COMPARISONS.items()}
    assert titles == {
        "population-sizes": [f"DE/curr-to-best/1/bin sat, N={N}" for N in (5, 20, 100)],
        "mutations": ["DE/best/1/exp sat, N=5", "DE/rand/1/exp sat, N=5", "DE/rand/2/exp sat, N=5"],
        "crossovers": [
            "DE/best/1/bin sat, N=5",
            "DE/best/1/exp sat, N=5",
            "DE/rand/1/bin tor, N=5",
            "DE/rand/1/exp tor, N=5",
        ],
        "strategies-compared": ["DE/rand/1/exp COTN, N=5", "DE/rand/1/exp mirr, N=5", "DE/rand/1/exp sat, N=5"],
    }


def test_a_comparison_shows_its_panels_in_one_row_also_those_without_runs(table):
    runs = Runs.of(table(("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5", [0.5, 0.6])))
    row = comparison(runs, "mutations").panels
    assert [record.title for record in row] == [panel.title for panel in COMPARISONS["mutations"]]
    assert [record.cells[0].runs for record in row] == [0, 2, 0]
    assert [record.note for record in row] == ["no runs", "", "no runs"]


def test_among_several_adaptations_the_paper_s_panels_are_those_with_fixed_F_and_Cr(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.6))
    titles = [panel.title for panel in comparison(runs, "strategies-compared").panels]
    assert titles[-1] == "DE/rand/1/exp sat, fixed, N=5"
    assert comparison(runs, "strategies-compared").panels[-1].cells[0].runs == 1
