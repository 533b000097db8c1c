from debox.figures.draw.shapes import diagonals, rectangle


def test_corners_go_round_and_diagonals_join_opposite_ones():
    corners = rectangle(1, 4, 2, 8)
    assert corners == [(1, 2), (4, 2), (4, 8), (1, 8)]
    assert diagonals(corners) == [[(1, 2), (4, 8)], [(1, 8), (4, 2)]]
