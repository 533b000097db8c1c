from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures.data.reading_key import entries, reading_key


def test_the_key_shows_one_spread_cell_and_the_top_bin_in_three_colours():
    spread, orange, violet, teal = reading_key().cells
    assert spread.counts == (0, 0, 0, 0, 7, 24, 16, 3, 0, 0)
    assert [cell.colour for cell in (spread, orange, violet, teal)] == ["violet", "orange", "violet", "teal"]
    for cell in (orange, violet, teal):
        assert cell.counts == (0, 0, 0, 0, 0, 0, 0, 0, 0, 50)


def test_every_made_up_histogram_has_50_runs():
    assert {cell.runs for cell in reading_key().cells} == {50}
    assert reading_key().planned == 50


def test_the_figure_counts_as_many_runs_as_the_study(table):
    given = table(("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5", [0.5]))
    runs = Runs.of(given, planned(given, runs=10))
    (entry,) = entries(runs)
    assert entry.record(runs).planned == 10


def test_a_key_for_other_numbers_of_runs_has_nearly_the_same_shares():
    spread, orange, *_ = reading_key(10).cells  # 1.4, 6.2, 9.4, 10 runs up to the ends of the bins, rounded
    assert (reading_key(10).planned, spread.counts[4:8], spread.runs) == (10, (1, 5, 3, 1), 10)
    assert orange.counts[-1] == 10
    assert [reading_key(runs).cells[0].runs for runs in (1, 2, 3, 7, 1000)] == [1, 2, 3, 7, 1000]
