from debox.figures.data.sketch import sketch


def test_nine_histograms_of_50_runs_in_ten_bins_stand_in_rows_of_F():
    rows = sketch().rows
    assert [[(cell.F, cell.Cr) for cell in row] for row in rows] == [[(F, Cr) for Cr in range(3)] for F in range(3)]
    assert {(cell.runs, len(cell.counts)) for row in rows for cell in row} == {(50, 10)}
    assert sketch().planned == 50
