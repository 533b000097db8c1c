from debox.figures.data.edpois import Cell, EdpoisPanel


def test_a_grid_says_what_its_cells_lack():
    full, some, none = Cell(0.5, 0.1, (5,) * 10, "violet"), Cell(0.5, 0.9, (3,) * 10, "violet"), Cell(1.0, 0.1)
    assert EdpoisPanel("title", 50, (0.5,), (0.1,), (full,)).note == ""
    assert EdpoisPanel("title", 50, (0.5,), (0.1, 0.9), (full, some)).note == "30 to 50 of 50 runs"
    assert EdpoisPanel("title", 50, (1.0,), (0.1,), (none,)).note == "no runs"
