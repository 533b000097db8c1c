from debox.figures.data.key import key, sketch


def test_the_key_shows_one_spread_cell_and_the_top_bin_in_three_colours():
    spread, orange, violet, teal = key().cells
    assert spread.counts == (0, 0, 0, 0, 7, 24, 16, 3, 0, 0)
    assert [cell.colour for cell in (spread, orange, violet, teal)] == ["violet", "orange", "violet", "teal"]
    for cell in (orange, violet, teal):
        assert cell.counts == (0, 0, 0, 0, 0, 0, 0, 0, 0, 50)


def test_every_made_up_histogram_has_50_runs():
    assert {cell.runs for cell in key().cells} == {50}
    assert key().planned == 50
    cells = [cell for row in sketch().rows for cell in row]
    assert len(cells) == 9
    assert {(cell.runs, len(cell.counts)) for cell in cells} == {(50, 10)}


def test_a_key_for_other_numbers_of_runs_has_nearly_the_same_shares():
    spread, orange, *_ = key(10).cells  # 1.4, 6.2, 9.4, 10 runs up to the ends of the bins, rounded
    assert (key(10).planned, spread.counts[4:8], spread.runs) == (10, (1, 5, 3, 1), 10)
    assert orange.counts[-1] == 10
    assert [key(runs).cells[0].runs for runs in (1, 2, 3, 7, 1000)] == [1, 2, 3, 7, 1000]
