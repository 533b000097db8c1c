"""The compact pictures, from a table made by hand to files."""

from itertools import product

import numpy as np
import pytest

from debox.analysis.runs import FACTORS, Runs
from debox.figures import compact
from debox.figures.draw.style import in_style
from debox.figures.make import make, sheets


def table(**factors):
    """Two runs of each configuration, POIS 0.25 and 0.75 at every time; n = 3, budget 30."""
    grid = {"mutation": ["rand/1"], "crossover": ["exp"], "strategy": ["saturation"], "N": [5], "F": [0.7], "Cr": [0.5]}
    cells = list(product(*(grid | factors).values()))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells]), 2) for k, name in enumerate(FACTORS)}
    pois = np.tile([0.25, 0.75], len(cells))
    shared = {"n": np.full(len(pois), 3), "budget": np.full(len(pois), 30)}
    return columns | shared | {"pois": pois, "pois_at_third": pois, "pois_at_two_thirds": pois}


def names(made, kind):
    return [sheet.name for sheet in kind(Runs.of(made))]


def test_there_are_two_pages_of_ribbons_per_variant_and_one_of_maps_per_mutation():
    made = table(mutation=["best/1", "current-to-best/1"], crossover=["bin", "exp"])
    assert names(made, compact.overview) == ["overview"]
    assert names(made, compact.ribbons) == [
        f"ribbons/DE-{variant}-against-{against}"
        for variant in ("best-1-bin", "best-1-exp", "curr-to-best-1-bin", "curr-to-best-1-exp")
        for against in ("F", "Cr")
    ]
    assert names(made, compact.contours) == ["contours-best-1", "contours-curr-to-best-1"]
    assert names(made, compact.life) == ["life", "drift"]


def test_all_of_them_are_on_the_list_of_figures_and_have_alt_text():
    runs = Runs.of(table())
    listed = {sheet.name: sheet for sheet in sheets(runs)}
    mine = [sheet.name for kind in compact.COMPACT for sheet in kind(runs)]
    assert len(mine) == len(set(mine)) == 6
    for name in mine:
        assert listed[name].shows.endswith(".")
        assert "POIS" in listed[name].shows


GRIDS = {
    "one configuration": table(),
    "another grid": table(F=[0.1, 0.2, 1.9], Cr=[0.0, 1.0], N=[7, 8, 9, 10, 11]),
    "one F": table(Cr=[0.2, 0.4, 0.9]),
}


@pytest.mark.slow
@pytest.mark.parametrize("made", GRIDS.values(), ids=GRIDS.keys())
def test_any_grid_is_drawn_without_a_warning(made, tmp_path):
    only = ["overview", "ribbons/*", "contours-*", "life", "drift"]
    paths = list(make(made, tmp_path, formats=["svg"], only=only))
    assert len(paths) == 6
    assert all("<desc>" in path.read_text() for path in paths)


PAPER = table(
    mutation=["rand/1", "current-to-best/1"],
    crossover=["bin", "exp"],
    strategy=["COTN", "dismiss", "mirror", "saturation", "toroidal"],
    N=[5, 20, 100],
    F=[0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0],
    Cr=[0.05, 0.285, 0.52, 0.755, 0.99],
)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["paper", "screen"])
def test_nothing_is_cut_off_on_the_paper_s_grid(style):
    runs = Runs.of(PAPER, {"runs": 50, "name": "long-name"})  # titles say what is missing: the longest case
    only = ["overview", "ribbons/DE-curr*", "contours-curr*", "life", "drift"]
    with in_style(style):
        for sheet in sheets(runs, only):
            figure = sheet.drawn(runs, style)
            figure.draw_without_rendering()  # lays it out
            box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
            assert min(box.x0, box.y0) >= 0, sheet.name
            assert box.x1 <= width, sheet.name
            assert box.y1 <= height, sheet.name
            assert "long-name: n = 3, budget 30, 50 runs" in [text.get_text() for text in figure.texts]


def test_life_shows_the_paper_s_panel_or_else_one_that_has_runs():
    for made, title in ((PAPER, "DE/rand/1/exp sat, N=5"), (table(N=[7, 8]), "DE/rand/1/exp sat, N=7")):
        runs = Runs.of(made)
        life, _ = compact.life(runs)
        assert f"POIS of {title} within" in life.shows
        assert life.data(runs).title == title


def test_checkpoints_that_are_missing_or_not_noted_leave_out_a_run_s_life_and_nothing_else():
    noted = table()
    without = {name: column for name, column in noted.items() if name != "pois_at_third"}
    for made in (without, noted | {"pois_at_third": np.array([0.25, np.nan])}):
        lacks = {sheet.name: sheet.lacks for kind in compact.COMPACT for sheet in kind(Runs.of(made))}
        assert [name for name in lacks if lacks[name]] == ["life", "drift"]
        assert lacks["life"].endswith("has no column pois_at_third")


@pytest.mark.slow
def test_what_was_planned_but_never_run_is_drawn_too(tmp_path):
    study = {"runs": 4, "strategy": ["mirror", "saturation"], "F": [0.5, 0.7], "Cr": [0.5, 0.9], "N": [5, 20]}
    only = ["overview", "ribbons/*", "contours-*", "life", "drift"]
    assert len(list(make(table(), tmp_path, study=study, formats=["svg"], only=only))) == 6
