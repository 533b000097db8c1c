from tests.plans import planned

from debox.analysis.runs import Panel, Runs
from debox.figures.paper import atlas, file_name, panels, paper
from debox.figures.sheet import PAGE

OPERATORS = {
    "mutation": ["best/1", "curr-to-best/1", "rand/1", "rand/2"],
    "crossover": ["bin", "exp"],
    "strategy": ["COTN", "dism", "mirr", "sat", "tor"],
    "N": [5, 20, 100],
}


def test_the_papers_figures_come_in_its_order(table):
    names = [sheet.name for sheet in paper(Runs.of(table()))]
    assert names[:4] == ["strategies", "threshold", "reading-key", "sketch-3d"]
    assert names[4:] == ["population-sizes", "mutations", "crossovers", "strategies-compared"]


def test_the_reading_key_counts_as_many_runs_as_the_study(table):
    given = table(("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5", [0.5]))
    runs = Runs.of(given, planned(given, runs=10))
    (sheet,) = (sheet for sheet in paper(runs) if sheet.name == "reading-key")
    assert sheet.data(runs).planned == 10


def test_figures_of_runs_tell_what_the_runs_have_in_common(table):
    given = table(("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5", [0.5]))
    runs = Runs.of(given, planned(given, name="mine", runs=10))
    every = [*paper(runs), *atlas(runs), *panels(runs)]
    assert [sheet.told for sheet in every] == [""] * 4 + ["mine: n = 30, budget 300 000, 10 runs"] * 6
    assert every[-1].alt == f"{every[-1].shows} mine: n = 30, budget 300 000, 10 runs."
    assert every[0].alt == every[0].shows


def test_the_atlas_of_the_paper_shows_120_panels_each_once(table):
    runs = Runs.of(table(), planned(table(), **OPERATORS))
    pages = [sheet.data(runs) for sheet in atlas(runs)]
    titles = [record.title for page in pages for row in page.rows for record in row]
    assert len(pages) == 6
    assert len(titles) == len(set(titles)) == 120
    assert set(titles) == {panel.title for panel in runs.panels()}


def test_every_panel_has_a_file_of_its_own(table):
    runs = Runs.of(table(), planned(table(), **OPERATORS))
    names = [sheet.name for sheet in panels(runs)]
    assert len(set(names)) == 120
    assert "panels/DE-curr-to-best-1-bin-sat-N100" in names
    assert file_name(Panel.of("DE/rand/1/exp COTN", 5)) == "DE-rand-1-exp-COTN-N5"


def test_figures_fit_a_column_or_a_page_and_say_what_they_show(table):
    runs = Runs.of(table(), planned(table(), **OPERATORS))
    for sheet in [*paper(runs), *atlas(runs), *panels(runs)]:
        assert sheet.size[0] <= PAGE[0]
        assert sheet.size[1] <= PAGE[1]
        assert sheet.shows.endswith(".")
        assert len(sheet.shows.split()) > 8
