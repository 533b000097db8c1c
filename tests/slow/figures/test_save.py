"""Whole figures and their files: every kind, in every format and style, on small and odd studies."""

import re
import xml.etree.ElementTree as ET

import pytest
from commands import run_python
from drawings import whole
from folders import file_names
from grid_tables import grid_table
from PIL import Image
from plans import planned

from debox.analysis.runs import Runs
from debox.figures import ribbons
from debox.figures.catalogue import choose
from debox.figures.save import PICTURES, make, render, write
from debox.figures.style import empty_figure, in_style

SAT = "DE/rand/1/exp sat, N=5"
SHOWS = "Two words & a line where p < 1."


@pytest.fixture
def small(table):
    cells = [(f"{SAT}, F={F}, Cr={Cr}", [F / 2.5, Cr, 0.5]) for F in (0.5, 2.0) for Cr in (0.1, 0.9)]
    return table(*cells, ("DE/rand/1/bin sat, N=20, F=0.5, Cr=0.1", [0.995] * 3))


WITHOUT_MATPLOTLIB = """
import sys
sys.modules['matplotlib'] = None
from debox.analysis.runs import Runs
from debox.figures import strategies
from debox.figures.save import make
strategies.DRAWS = 100  # of densities, to be quick
same = {'mutation': 'rand/1', 'crossover': 'exp', 'strategy': 'saturation', 'N': 5, 'dimension': 3, 'budget': 30}
same |= {'pois': 0.5, 'pois_at_third': 0.5, 'pois_at_two_thirds': 0.5}
table = {name: [value] * 8 for name, value in same.items()} | {'F': [0.5, 0.7] * 4, 'Cr': [0.5, 0.5, 0.9, 0.9] * 2}
print(*(path.relative_to(sys.argv[1]).with_suffix('') for path in make(table, sys.argv[1], formats=['csv'])))
"""


def test_numbers_of_all_figures_need_no_matplotlib(tmp_path):
    result = run_python(WITHOUT_MATPLOTLIB, tmp_path)
    assert result.returncode == 0, result.stderr
    there = [page.name for page in choose(Runs.of(grid_table(F=[0.5, 0.7], Cr=[0.5, 0.9]))) if not page.obstacle]
    assert result.stdout.split() == there
    assert all(len((tmp_path / f"{name}.csv").read_text().splitlines()) > 1 for name in there)


SLOW_TO_DRAW = ["strategies", "threshold"]
OTHERS = ["reading-key", "sketch-3d", "mutations", "atlas-exp-N5", "panels/DE-rand-1-exp-sat-N5"]


@pytest.mark.parametrize(
    ("style", "only"), [("paper", SLOW_TO_DRAW + OTHERS), ("screen", SLOW_TO_DRAW), ("screen", OTHERS)]
)
def test_every_kind_of_figure_becomes_a_file_without_a_warning(small, tmp_path, style, only):
    """Warnings are errors in these tests."""
    paths = list(make(small, tmp_path, formats=["svg"], only=only, style=style))
    assert file_names(tmp_path) == sorted(f"{name}.svg" for name in only)
    assert sorted(str(path.relative_to(tmp_path)) for path in paths) == file_names(tmp_path)


GRIDS = {
    "another grid": grid_table(F=[0.1, 0.2, 1.9], Cr=[0.0, 1.0], N=[7, 8, 9, 10, 11]),
    "one F": grid_table(Cr=[0.2, 0.4, 0.9]),
    "one run": grid_table(),
}
COMPACT = ["overview", "ribbons/*", "contours-*", "life", "drift"]


PLANNED = {"strategy": ["mirror", "saturation"], "F": [0.5, 0.7], "Cr": [0.5, 0.9], "N": [5, 20], "runs": 4}


@pytest.mark.parametrize("name", [*GRIDS, "planned but never run"])
def test_any_grid_is_drawn_without_a_warning(name, tmp_path):
    given = GRIDS.get(name, grid_table())
    study = None if name in GRIDS else planned(given, **PLANNED)
    paths = list(make(given, tmp_path, study=study, formats=["svg"], only=COMPACT))
    has_lines = bool(study) or min(len(set(given[name].tolist())) for name in ("F", "Cr")) > 1
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
def test_nothing_is_cut_off_on_the_paper_s_grid_and_what_is_drawn_is_told(style, only):
    for page in choose(Runs.of(PAPER, planned(PAPER, name="long-name")), only):  # titles say what is missing
        figure = whole(page, style)
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert min(box.x0, box.y0) >= 0, page.name
        assert box.x1 <= width, page.name
        assert box.y1 <= height, page.name
        assert "long-name: n = 3, budget 300, 50 runs" in [text.get_text() for text in figure.texts]


@pytest.mark.parametrize(("adaptation", "name"), [("", "F"), (", adaptation=JADE", "starting F")])
def test_axes_of_adaptive_runs_are_called_those_of_the_start(table, adaptation, name):
    runs = Runs.of(table(*((f"{SAT}, F={F}, Cr=0.5{adaptation}", [0.5]) for F in (0.5, 0.7))))
    assert whole(next(ribbons.pages(runs))).axes[0].get_xlabel() == name


def test_operators_that_are_not_installed_are_drawn_without_exact_curves_which_is_said(small, tmp_path):
    small["mutation"][:] = "my-own/2"
    told = []
    only = ["ribbons/*-exp-against-F", "contours-*", "overview", "panels/*-exp-sat-N5", "atlas-exp-N5"]
    list(make(small, tmp_path, formats=["svg"], only=only, tell=told.append))
    why = "no exact curve: my-own/2 is not installed here"
    assert f"ribbons/DE-my-own-2-exp-against-F: {why}" in told
    assert f"a row per strategy ({why})." in (tmp_path / "ribbons" / "DE-my-own-2-exp-against-F.svg").read_text()
    assert (tmp_path / "panels" / "DE-my-own-2-exp-sat-N5.svg").is_file()


def saved(folder, form):
    with in_style("paper"):
        figure = empty_figure((2, 1))
        figure.add_subplot().set_title("Some letters")
        return write(folder / f"name.{form}", render(figure, form, "name", SHOWS))


def test_a_file_is_the_same_every_time_and_whatever_other_formats_are_drawn(small, tmp_path):
    for folder, formats in (("a", ["svg"]), ("b", PICTURES)):
        list(make(small, tmp_path / folder, formats=formats, only=["overview"]))
    assert (tmp_path / "a" / "overview.svg").read_bytes() == (tmp_path / "b" / "overview.svg").read_bytes()
    for form in PICTURES:
        assert saved(tmp_path / "a", form).read_bytes() == saved(tmp_path / "b", form).read_bytes()
    assert file_names(tmp_path / "b") == [f"{name}.{form}" for name in ("name", "overview") for form in PICTURES]


def test_pdf_carries_the_alt_text_and_its_fonts_as_truetype(tmp_path):
    content = saved(tmp_path, "pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/Subject (Two words & a line where p < 1.)" in content
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


def test_svg_has_alt_text_and_needs_no_font_and_no_other_file(tmp_path):
    text, svg = saved(tmp_path, "svg").read_text(), "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(text.encode())
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{svg}title", f"{svg}desc"]
    assert (root[0].text, root[1].text) == ("name", SHOWS)
    assert f"{svg}text" not in {element.tag for element in root.iter()}
    assert not re.search(r'(href|src)="(?!#)', text)


def test_png_carries_the_alt_text(tmp_path):
    with Image.open(saved(tmp_path, "png")) as image:
        assert (image.info["Title"], image.info["Description"]) == ("name", SHOWS)
        assert image.size == (600, 300)  # 2 in × 1 in at 300 dpi


def test_where_the_file_cannot_be_nothing_unfinished_is_left(tmp_path):
    (tmp_path / "name.svg").mkdir()
    (tmp_path / "name.svg.tmp").write_text("of someone else")
    with pytest.raises(ValueError, match="it is not a file"):
        saved(tmp_path, "svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["name.svg", "name.svg.tmp"]
    assert (tmp_path / "name.svg.tmp").read_text() == "of someone else"
