"""debox.plot: what it takes, where it draws, what pyplot and notebooks show, and that its figures are the command's."""

import base64
import re
import warnings

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas
import polars
import pytest
from adaptations import with_adaptations
from commands import run_python
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from nbclient import NotebookClient
from plans import planned
from results import HISTORY, RESULT

import debox
from debox.analysis.runs import Runs
from debox.figures import measurement, overview
from debox.figures.catalogue import choose
from debox.figures.save import as_csv, make, render
from debox.figures.style import in_style

SAT = "DE/rand/1/exp sat"
KEYS = ("mutation", "crossover", "strategy")
TABLE = {
    **{name: np.array([value] * 8, object) for name, value in zip(KEYS, ("rand/1", "exp", "saturation"), strict=True)},
    "N": np.full(8, 5),
    "F": np.repeat([0.7, 1.5], 4),
    "Cr": np.tile([0.5, 0.5, 0.9, 0.9], 2),
    "pois": np.array([0.2, 0.25, 0.4, 0.5, 0.6, 0.7, 0.9, 0.95]),
}
THIRDS = {"pois_at_third": TABLE["pois"], "pois_at_two_thirds": TABLE["pois"]}
WHOLE = {**TABLE, "dimension": np.full(8, 30), "budget": np.full(8, 300), **THIRDS}
SEVERAL = {**TABLE, "dimension": np.repeat([10, 30], 4)}

FOUND = debox.compare(lambda x: x[0] + x[1], [(0, 1)] * 2, ["mirror", "saturation"], budget=60, runs=6)
MEASURED = debox.measure(f"{SAT}, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)

DRAWINGS = {
    "compare": lambda ax=None: debox.plot.compare(FOUND, ax=ax),
    "measurement": lambda ax=None: debox.plot.measurement(MEASURED, ax=ax),
    "convergence": lambda ax=None: debox.plot.convergence(RESULT, ax=ax),
    "walls": lambda ax=None: debox.plot.walls(RESULT, ax=ax),
    "edpois": lambda ax=None: debox.plot.edpois(TABLE, SAT, N=5, ax=ax),
    "strategy": lambda ax=None: debox.plot.strategy("mirr", ax=ax),
    "COTN": lambda ax=None: debox.plot.strategy("cotn", ax=ax),
    "thresholds": lambda ax=None: debox.plot.thresholds(ax=ax),
    "reading_key": lambda ax=None: debox.plot.reading_key(ax=ax),
    "sketch_3d": lambda ax=None: debox.plot.sketch_3d(ax=ax),
    "overview": lambda ax=None: debox.plot.overview(TABLE, ax=ax),
    "ribbons": lambda ax=None: debox.plot.ribbons(WHOLE, "DE/rand/1/exp", ax=ax),
    "contours": lambda ax=None: debox.plot.contours(TABLE, "rand/1", ax=ax),
    "life": lambda ax=None: debox.plot.life(WHOLE, SAT, N=5, ax=ax),
    "drift": lambda ax=None: debox.plot.drift(WHOLE, ax=ax),
}


@pytest.fixture(autouse=True)
def close_all(monkeypatch):
    """Figures of pyplot, other tests' too, stay until they are closed, and it warns of many."""
    monkeypatch.setitem(plt.rcParams, "figure.max_open_warning", 0)
    plt.close("all")
    yield
    plt.close("all")


@pytest.mark.parametrize("name", DRAWINGS)
def test_it_draws_into_given_axes_and_pyplot_shows_what_is_drawn_without(name):
    ax = Figure().add_subplot()
    assert DRAWINGS[name](ax) is ax
    assert len(ax.lines) + len(ax.collections) > 0
    assert (plt.get_fignums(), ax.figure.legends) == ([], [])
    drawn = DRAWINGS[name]()
    assert isinstance(drawn, Axes)
    assert drawn.figure is plt.gcf()
    assert len(plt.get_fignums()) == 1
    assert len(drawn.figure.legends) == (name in ("overview", "ribbons", "contours", "life", "compare", "walls"))
    for wrong in ("left", Figure(), Figure().subplots(2), 0, Axes):
        with pytest.raises(ValueError, match=r"^ax must be Axes of Matplotlib, as figure\.") as caught:
            DRAWINGS[name](wrong)
        assert str(caught.value).endswith(f"got {wrong!r}")


CELLS = {  # and the pictures that each of them shows
    "import debox; m = debox.measure('DE/rand/1/exp sat, N=5, F=1, Cr=1', runs=3)": 0,
    "debox.plot.strategy('mirror')": 1,
    "debox.plot.measurement(m)": 1,
    "import matplotlib.pyplot as plt; debox.plot.measurement(m); plt.show()": 1,
    "debox.plot.measurement(m).figure": 1,
    "debox.plot.figure('overview', 'paper')": 1,
    "page = debox.plot.figure('overview', 'paper')\nplt.show()": 1,
    "page": 1,  # again
    "plt.show()": 0,
}


def test_a_notebook_shows_a_figure_once():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS])
    with warnings.catch_warnings():  # of what runs notebooks
        warnings.simplefilter("ignore")
        NotebookClient(notebook, kernel_name="python3", timeout=60).execute()
    shown = [sum("image/png" in output.get("data", {}) for output in cell.outputs) for cell in notebook.cells]
    assert dict(zip(CELLS, shown, strict=True)) == CELLS
    (drawn,) = notebook.cells[2].outputs[-1:]  # the measurement, at 150 dots per inch and with a margin
    width = int.from_bytes(base64.b64decode(drawn.data["image/png"])[16:20])
    assert 0 < width - 150 * measurement.SIZE[0] < 30


def text_of(ax):
    return [text.get_text() for text in ax.figure.findobj(Text)]


FRAMES = {
    "pandas": lambda table: pandas.DataFrame(table),
    "polars": lambda table: polars.DataFrame({name: column.tolist() for name, column in table.items()}),
    "Runs": Runs.of,
}


@pytest.mark.parametrize("framed", FRAMES.values(), ids=FRAMES.keys())
def test_frames_are_drawn_as_their_columns_are(framed):
    for draw, text in ((debox.plot.life, f"{SAT}, N=5"), (debox.plot.ribbons, "DE/rand/1/exp")):
        assert text_of(draw(framed(WHOLE), text)) == text_of(draw(WHOLE, text))


def test_a_store_and_its_path_are_drawn_with_what_their_study_plans(tmp_path):
    operators = {"mutation": "rand/1", "crossover": "exp", "strategy": ["sat", "tor"], "N": 6}
    store = debox.run(debox.Study(name="small", **operators, F=0.5, Cr=0.9, n=2, budget=12, runs=2), tmp_path / "s")
    for source in (store, tmp_path / "s", str(tmp_path / "s")):
        ax = debox.plot.life(source, "DE/rand/1/exp sat, N=6")
        assert [text.get_text() for text in ax.figure.texts] == ["small: n = 2, budget 12, 2 runs"]


def test_a_study_or_what_its_file_says_tells_what_is_planned_and_lacking():
    design = planned(WHOLE, strategy=["sat", "tor"])
    for study in (design, design.as_dict()):
        assert debox.plot.edpois(WHOLE, SAT, N=5, study=study).get_title() == f"{SAT}, N=5\n2 of 50 runs"
        for variant, rows in (("DE/rand/1/exp", ["sat", "tor"]), ("de/RAND/1/exp sat", ["sat"])):
            ax = debox.plot.ribbons(WHOLE, variant, "Cr", study=study)
            assert [text.get_text() for text in ax.texts] == ["F=0.7", "F=1.5", *rows]
            assert ax.figure.get_figheight() == pytest.approx(0.7 + 1.8 * len(rows))


def test_of_several_dimensions_the_one_asked_for_is_drawn():
    for n, F in ((10, "0.7"), (30, "1.5")):
        ax = debox.plot.edpois(SEVERAL, SAT, N=5, n=n)
        assert [tick.get_text() for tick in ax.get_yticklabels()] == [F]


@pytest.mark.parametrize("mutation", ["rand/1", "DE/rand/1", "de/RAND/1"])
def test_contours_takes_a_mutation_with_and_without_DE(mutation):
    assert debox.plot.contours(TABLE, mutation).get_title() == "DE/rand/1"


def test_operators_that_are_not_installed_are_found_in_the_runs():
    own = WHOLE | {"mutation": np.array(["mid/1"] * 8, dtype=object)}
    for text in ("DE/mid/1/exp sat", "DE/mid/1/EXP saturation"):
        assert debox.plot.edpois(own, text, N=5).get_title() == "DE/mid/1/exp sat, N=5"
    assert debox.plot.ribbons(own, "DE/mid/1/exp").get_title().startswith("DE/mid/1/exp (no exact curve")


def test_thresholds_takes_other_dimensions_and_convergence_alone_has_three_axes():
    assert [text.get_text() for text in debox.plot.thresholds([1000, 2]).texts] == ["n = 2", "n = 1000"]
    assert [ax.get_ylabel() for ax in DRAWINGS["convergence"]().figure.axes] == ["best value", "spread", "POIS\nso far"]
    assert DRAWINGS["convergence"](Figure().add_subplot()).figure.axes[1:] == []


def test_a_figure_by_its_name_is_to_the_last_byte_the_file_of_the_command(tmp_path):
    only = ["mutations", "panels/DE-rand-1-exp-sat-N5", "threshold", "overview", "life", "last-step"]
    pages = choose(Runs.of(WHOLE), only)
    assert len(pages) == len(only)
    for page, path in zip(pages, make(WHOLE, tmp_path, formats=["svg"], only=only), strict=True):
        with in_style("paper"):
            drawn = render(debox.plot.figure(page.name, WHOLE), "svg", page.name, page.alt_text)
        assert drawn == path.read_bytes(), page.name


def test_a_figure_by_its_name_shows_what_the_study_plans_in_the_style_and_dimension_asked_for():
    name = "panels/DE-rand-1-exp-sat-N5"
    figure = debox.plot.figure(name, SEVERAL, study=planned(SEVERAL), style="screen", n=30)
    assert figure is plt.gcf()
    assert figure.get_size_inches() == pytest.approx([1.4 * 3.5, 1.4 * 4.2])
    assert figure.axes[0].get_title() == f"{SAT}, N=5\n0 to 2 of 50 runs"


def test_data_are_the_numbers_that_are_drawn_and_that_the_command_writes(tmp_path):
    found = debox.plot.data("overview", WHOLE)
    assert found["median"].ravel() == pytest.approx([0.225, 0.45, 0.65, 0.925])
    assert found.keys() == overview.numbers(Runs.of(WHOLE)).keys()
    for page, path in zip(choose(Runs.of(WHOLE), ["[!p]*"]), make(WHOLE, tmp_path, formats=["csv"]), strict=False):
        if not page.obstacle and (tmp_path / f"{page.name}.csv").is_file():
            assert as_csv(debox.plot.data(page.name, WHOLE)) == (tmp_path / f"{page.name}.csv").read_text(), path


@pytest.mark.parametrize(
    ("name", "result", "array", "expected"),
    [
        ("compare", FOUND, "strategy", FOUND.order),
        ("measurement", MEASURED, "runs", MEASURED.histogram()),
        ("convergence", RESULT, "fun", HISTORY["fun"]),
        ("walls", RESULT, "verdict", ["on the bound", "free", "drifting", "free"]),
    ],
)
def test_results_have_figures_and_data_by_name_too(name, result, array, expected):
    assert list(debox.plot.data(name, result)[array]) == list(expected)
    assert text_of(debox.plot.figure(name, result).axes[0]) == text_of(DRAWINGS[name]())


def is_whole(figure, slack=0.0):
    """Whether all that is drawn lies within the figure."""
    (left, low), (right, high) = figure.get_tightbbox().get_points()
    width, height = figure.get_size_inches() + slack
    return min(left, low) >= -slack and right <= width and high <= height


def is_in_view(tick, axis):
    """Whether matplotlib draws it: it keeps ticks beyond the ends of an axis, too."""
    low, high = sorted(axis.get_view_interval())
    return low <= tick.get_loc() <= high


@pytest.mark.parametrize("name", ["compare", "measurement", "convergence", "walls"])
def test_nothing_of_a_whole_figure_is_cut_off_and_no_texts_collide(name):
    figure = DRAWINGS[name]().figure
    figure.draw_without_rendering()
    assert is_whole(figure, 0.01)
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    unseen = [tick.label1 for axis in axes for tick in axis.get_major_ticks() if not is_in_view(tick, axis)]
    visible = [text for text in figure.findobj(Text) if text.get_visible() and text not in unseen]
    boxes = [(text.get_text(), text.get_window_extent()) for text in visible if text.get_text().strip()]
    assert [(a, b) for k, (a, one) in enumerate(boxes) for b, other in boxes[:k] if one.overlaps(other)] == []


def test_nothing_of_life_is_cut_off_in_axes_of_a_plain_figure():
    figure = Figure()
    debox.plot.life(WHOLE, SAT, 5, figure.add_subplot())
    assert is_whole(figure)


THERE = "there are runs with mutation rand/1; crossover exp; strategy saturation; N 5"
plot = debox.plot
WRONG = [  # function, arguments, options, the message
    (plot.figure, (3, TABLE), {}, "as text, and comes before the table; got a value of type int"),
    (plot.data, (TABLE, "life"), {}, "as text, and comes before the table; got a value of type dict"),
    (plot.data, ("crossovers", TABLE), {}, "the figure crossovers cannot be drawn: no runs"),
    (plot.figure, ("threshold", TABLE), {"style": "neon"}, "style must be one of paper, screen, got 'neon'"),
    (plot.overview, ({name: column[:0] for name, column in TABLE.items()},), {}, "there are no runs yet"),
    (plot.overview, (3,), {}, "table must be a store, its path, a DataFrame or a mapping of columns, got 3"),
    (plot.edpois, (SEVERAL, SAT, 5), {}, "the runs have dimension = 10, 30; choose one"),
    (plot.edpois, (WHOLE, SAT, 6), {}, f"there are no runs of DE/rand/1/exp sat, N=6; {THERE}"),
    (plot.life, (TABLE, SAT, 5), {}, "the figure life cannot be drawn: POIS over a run's life needs the checkpoints"),
    (plot.edpois, (WHOLE, "DE/mid/1/bin half", 5), {}, "unknown mutation 'mid/1'; there are runs with mutation rand/1"),
    (plot.edpois, (WHOLE, "DE/rand/1 sat", 5), {}, "did you mean 'DE/rand/1/bin'"),
    (plot.edpois, (WHOLE, 3), {}, "panel must be a text such as 'DE/rand/1/exp sat, N=5', got 3"),
    (plot.contours, (WHOLE, "mid/1"), {}, "unknown mutation 'mid/1'; there are runs with mutation rand/1"),
    (plot.contours, (WHOLE, ["rand/1"]), {}, "mutation must be a text such as 'rand/1', got ['rand/1']"),
    (plot.contours, (WHOLE, "best/1"), {}, "the figure contours-best-1 cannot be drawn: no runs"),
    (plot.ribbons, (WHOLE, "  "), {}, "variant must be such as 'DE/rand/1/exp' or 'DE/rand/1/exp sat', got '  '"),
    (plot.ribbons, (WHOLE, "JADE"), {}, "variant 'JADE' does not read as DE/mutation/crossover"),
    (plot.ribbons, (WHOLE, "DE/rand/1/exp", "N"), {}, "against must be one of F, Cr, got 'N'"),
    (plot.strategy, ("dism",), {}, ", got 'dismiss'"),
    (plot.thresholds, ([],), {}, "dimensions must be a sequence of one or more integers ≥ 1, got []"),
    (plot.thresholds, (30,), {}, "dimensions must be a sequence of one or more integers ≥ 1, got 30"),
    (plot.thresholds, ([10, 2.5],), {}, "dimensions must be an integer ≥ 1, got 2.5"),
    (plot.reading_key, (None, 0), {}, "runs must be an integer ≥ 1, got 0"),
    (plot.compare, (3,), {}, "comparison must be a Comparison, as debox.compare returns it, got 3"),
    (plot.measurement, ("sat",), {}, "m must be a Measurement, got 'sat'"),
    (plot.convergence, ({},), {}, "result must be a result of debox.minimize, got {}"),
    (plot.data, ("walls", []), {}, "result must be a result of debox.minimize, got []"),
]


@pytest.mark.parametrize(("function", "given", "options", "message"), WRONG, ids=[row[3][:40] for row in WRONG])
def test_what_is_wrong_is_named(function, given, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        function(*given, **options)
    assert plt.get_fignums() == []


def test_without_matplotlib_a_message_says_how_to_get_it():
    code = "import sys; sys.modules['matplotlib'] = None; import debox; debox.plot.reading_key()"
    result = run_python(code)
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr.splitlines()[-1]


@pytest.fixture
def four(made):
    return made({(F, Cr): [0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)})


def test_of_several_adaptations_a_panel_names_one_and_pages_need_a_choice(four):
    table = with_adaptations(four, fixed=0, SHADE=0.1)
    for text in (f"{SAT}, SHADE", f"{SAT}, adaptation=SHADE"):
        assert debox.plot.edpois(table, text, N=5).get_title() == f"{SAT}, SHADE, N=5"
    with pytest.raises(ValueError, match=r"there are no runs of .*sat, jDE, N=5; .* adaptation SHADE, fixed"):
        debox.plot.edpois(table, f"{SAT}, adaptation=jDE", N=5)
    for draw, text in ((plot.ribbons, "DE/rand/1/exp"), (plot.contours, "rand/1"), (plot.edpois, f"{SAT}, N=5")):
        with pytest.raises(ValueError, match=r"choose one: .*\(in Python: adaptation='fixed'\)"):
            draw(table, text)
    assert debox.plot.contours(table, "rand/1", adaptation="SHADE").get_title() == "DE/rand/1"


def test_where_all_runs_have_one_adaptation_a_panel_may_name_it_or_not(four):
    table = with_adaptations(four, SHADE=0.1)
    for text in (SAT, f"{SAT}, adaptation=SHADE"):
        assert debox.plot.edpois(table, text, N=5).get_title() == f"{SAT}, N=5"
    with pytest.raises(ValueError, match=r"there are no runs of .*sat, fixed, N=5; .* adaptation SHADE$"):
        debox.plot.edpois(table, f"{SAT}, adaptation=fixed", N=5)


def test_of_the_adaptations_that_a_study_plans_the_one_with_runs_is_drawn(four):
    table = with_adaptations(four, SHADE=0.1)
    study = planned(table, adaptation=["fixed", "SHADE"], runs=1)
    assert debox.plot.edpois(table, SAT, N=5, study=study).get_title() == f"{SAT}, SHADE, N=5"
    assert debox.plot.contours(table, "rand/1", study=study).get_title() == "DE/rand/1"  # and not: no runs
    assert debox.plot.ribbons(table, "DE/rand/1/exp", study=study).get_title().startswith("DE/rand/1/exp (no exact")
