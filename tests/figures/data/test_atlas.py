from adaptations import with_adaptations
from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures.data.atlas import atlas_page, entries

PAPER = {
    "mutation": ["best/1", "curr-to-best/1", "rand/1", "rand/2"],
    "crossover": ["bin", "exp"],
    "strategy": ["COTN", "dism", "mirr", "sat", "tor"],
    "N": [5, 20, 100],
}


def test_an_atlas_page_has_a_row_per_mutation_and_a_column_per_strategy(table):
    runs = Runs.of(
        table(
            ("DE/best/1/bin sat, N=5, F=0.7, Cr=0.5", [0.95]),
            ("DE/rand/1/bin tor, N=5, F=0.7, Cr=0.5", [0.05]),
            ("DE/rand/1/exp tor, N=20, F=0.7, Cr=0.5", [0.05]),
        )
    )
    page = atlas_page(runs, "bin", 5)
    titles = [[record.title for record in row] for row in page.rows]
    assert titles == [
        ["DE/best/1/bin sat, N=5", "DE/best/1/bin tor, N=5"],
        ["DE/rand/1/bin sat, N=5", "DE/rand/1/bin tor, N=5"],
    ]
    assert [[record.cells[0].runs for record in row] for row in page.rows] == [[1, 0], [0, 1]]


def test_the_atlas_of_the_paper_shows_120_panels_each_once(table):
    runs = Runs.of(table(), planned(table(), **PAPER))
    pages = [entry.record(runs) for entry in entries(runs)]
    titles = [record.title for page in pages for row in page.rows for record in row]
    assert len(pages) == 6
    assert len(titles) == len(set(titles)) == 120
    assert set(titles) == {panel.title for panel in runs.panels()}


def test_every_adaptation_has_pages_of_its_own(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), jDE=0, SHADE=0.6))
    first, second = entries(runs)
    assert (first.name, second.name) == ("atlas-exp-jDE-N5", "atlas-exp-SHADE-N5")
    page = second.record(runs)
    assert page.title == "EDPOIS, exp crossover, SHADE, N=5"
    assert page.rows[0][0].cells[0].counts[8] == 1
