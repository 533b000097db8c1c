import pytest
from folders import file_names
from grid_tables import grid_table
from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures.draw.by_type import figure_of
from debox.figures.draw.style import in_style
from debox.figures.make import make
from debox.figures.old_catalogue import choose

SAT = "DE/rand/1/exp sat, N=5"


@pytest.fixture
def small(table):
    cells = [(f"{SAT}, F={F}, Cr={Cr}", [F / 2.5, Cr, 0.5]) for F in (0.5, 2.0) for Cr in (0.1, 0.9)]
    return table(*cells, ("DE/rand/1/bin sat, N=20, F=0.5, Cr=0.1", [0.995] * 3))


SLOW_TO_DRAW = ["strategies", "threshold"]
OTHERS = ["reading-key", "sketch-3d", "mutations", "atlas-exp-N5", "panels/DE-rand-1-exp-sat-N5"]


@pytest.mark.parametrize(
    ("style", "only"), [("paper", SLOW_TO_DRAW + OTHERS), ("screen", SLOW_TO_DRAW), ("screen", OTHERS)]
)
def test_every_kind_of_figure_becomes_a_file_without_a_warning(small, tmp_path, style, only):
    """Warnings are errors in these tests."""
    made = list(make(small, tmp_path, formats=["svg"], only=only, style=style))
    expected = [f"{name}.svg" for name in only]
    assert file_names(tmp_path) == sorted(expected)
    assert sorted(str(path.relative_to(tmp_path)) for path in made) == sorted(expected)


def test_a_file_is_the_same_whatever_other_formats_are_drawn(small, tmp_path):
    """Saving lays a figure out. Were it saved twice, the second layout would start from the first, and differ."""
    for formats in (["svg"], ["pdf", "svg"]):
        list(make(small, tmp_path / "+".join(formats), formats=formats, only=["overview"]))
    alone, after_pdf = ((tmp_path / folder / "overview.svg").read_bytes() for folder in ("svg", "pdf+svg"))
    assert alone == after_pdf


GRIDS = {
    "another grid": grid_table(F=[0.1, 0.2, 1.9], Cr=[0.0, 1.0], N=[7, 8, 9, 10, 11]),
    "one F": grid_table(Cr=[0.2, 0.4, 0.9]),
}


@pytest.mark.parametrize("made", GRIDS.values(), ids=GRIDS.keys())
def test_any_grid_is_drawn_without_a_warning(made, tmp_path):
    only = ["overview", "ribbons/*", "contours-*", "life", "drift"]
    paths = list(make(made, tmp_path, formats=["svg"], only=only))
    has_lines = min(len(set(made[name].tolist())) for name in ("F", "Cr")) > 1
    assert len(paths) == 5 + has_lines
    assert all("<desc>" in path.read_text() for path in paths)


PAPER = grid_table(
    mutation=["rand/1", "current-to-best/1"],
    crossover=["bin", "exp"],
    strategy=["COTN", "dismiss", "mirror", "saturation", "toroidal"],
    N=[5, 20, 100],
    F=[0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0],
    Cr=[0.05, 0.285, 0.52, 0.755, 0.99],
)


@pytest.mark.parametrize(
    ("style", "only"),
    [("paper", ["overview", "ribbons/DE-curr*exp*F"]), ("screen", ["contours-curr*", "life", "drift"])],
)
def test_nothing_is_cut_off_on_the_paper_s_grid(style, only):
    runs = Runs.of(PAPER, planned(PAPER, name="long-name"))  # titles say what is missing: the longest case
    with in_style(style):
        for entry in choose(runs, only):
            figure = figure_of(entry, runs, style)
            figure.draw_without_rendering()  # lays it out
            box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
            assert min(box.x0, box.y0) >= 0, entry.name
            assert box.x1 <= width, entry.name
            assert box.y1 <= height, entry.name
            assert "long-name: n = 3, budget 300, 50 runs" in [text.get_text() for text in figure.texts]


def test_what_was_planned_but_never_run_is_drawn_too(tmp_path):
    changes = {"strategy": ["mirror", "saturation"], "F": [0.5, 0.7], "Cr": [0.5, 0.9], "N": [5, 20]}
    study = planned(grid_table(), runs=4, **changes)
    only = ["overview", "ribbons/*", "contours-*", "life", "drift"]
    assert len(list(make(grid_table(), tmp_path, study=study, formats=["svg"], only=only))) == 6


def test_each_format_is_a_file(small, tmp_path):
    list(make(small, tmp_path / "new", formats=["svg", "pdf", "png"], only=["panels/*-exp-sat-N5"]))
    content = {path.suffix: path.read_bytes() for path in (tmp_path / "new" / "panels").iterdir()}
    assert content[".pdf"].startswith(b"%PDF")
    assert content[".png"].startswith(b"\x89PNG")
    assert content[".svg"].startswith(b"<?xml")


def test_figures_without_a_single_run_are_left_out_and_named(small, tmp_path):
    told = []
    only = ["mutations", "crossovers", "panels/*", "life"]
    made = list(make(small, tmp_path, formats=["png"], only=only, tell=told.append))
    assert [path.stem for path in made] == ["mutations", "DE-rand-1-bin-sat-N20", "DE-rand-1-exp-sat-N5"]
    checkpoints = "POIS over a run's life needs the checkpoints 1/3 and 2/3"
    checkpoints += ": the table has no column pois_at_third, pois_at_two_thirds"
    missing = "crossovers, panels/DE-rand-1-bin-sat-N5, panels/DE-rand-1-exp-sat-N20"
    assert told == [f"left out: {missing} (no runs)", f"left out: life ({checkpoints})"]


def test_runs_of_operators_that_are_not_installed_are_drawn_without_exact_curves_which_is_said(small, tmp_path):
    small["mutation"][:] = "my-own/2"
    told = []
    only = ["ribbons/*-exp-against-F", "contours-*", "overview", "panels/*-exp-sat-N5", "atlas-exp-N5"]
    made = list(make(small, tmp_path, formats=["svg"], only=only, tell=told.append))
    assert "ribbons/DE-my-own-2-exp-against-F.svg" in [str(path.relative_to(tmp_path)) for path in made]
    assert (tmp_path / "panels" / "DE-my-own-2-exp-sat-N5.svg").is_file()
    why = "no exact curve: my-own/2 is not installed here"
    assert f"ribbons/DE-my-own-2-exp-against-F: {why}" in told
    assert f"a row per strategy ({why})." in (tmp_path / "ribbons" / "DE-my-own-2-exp-against-F.svg").read_text()
