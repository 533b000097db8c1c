import base64
import doctest
import re
import warnings
from importlib import import_module
from itertools import pairwise

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas
import polars
import pytest
from adaptations import with_adaptations
from commands import run_python
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from nbclient import NotebookClient
from plans import planned
from results import RESULT

import debox
from debox.analysis.old_runs import Runs
from debox.figures.data import pois_histogram
from debox.figures.draw.save import render
from debox.figures.draw.style import in_style
from debox.figures.make import make
from debox.figures.old_catalogue import choose

SAT = "DE/rand/1/exp sat"

TABLE = {
    "mutation": np.array(["rand/1"] * 4, dtype=object),
    "crossover": np.array(["exp"] * 4, dtype=object),
    "strategy": np.array(["saturation"] * 4, dtype=object),
    "N": np.array([5] * 4),
    "F": np.array([0.7, 0.7, 1.5, 1.5]),
    "Cr": np.array([0.5, 0.5, 0.5, 0.5]),
    "pois": np.array([0.2, 0.25, 0.9, 1.0]),
}
WHOLE = {
    **TABLE,
    "dimension": np.full(4, 30),
    "budget": np.full(4, 300),
    "pois_at_third": TABLE["pois"],
    "pois_at_two_thirds": TABLE["pois"],
}

FOUND = debox.compare(lambda x: x[0] + x[1], [(0, 1)] * 2, ["mirror", "saturation"], budget=60, runs=6)
MEASURED = debox.measure(f"{SAT}, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)

DRAWINGS = {
    "compare": lambda ax=None: debox.plot.compare(FOUND, ax=ax),
    "measurement": lambda ax=None: debox.plot.measurement(MEASURED, ax=ax),
    "convergence": lambda ax=None: debox.plot.convergence(RESULT, ax=ax),
    "walls": lambda ax=None: debox.plot.walls(RESULT, ax=ax),
    "edpois": lambda ax=None: debox.plot.edpois(TABLE, "DE/rand/1/exp sat", N=5, ax=ax),
    "strategy": lambda ax=None: debox.plot.strategy("mirr", ax=ax),
    "toroidal": lambda ax=None: debox.plot.strategy("tor", ax=ax),
    "COTN": lambda ax=None: debox.plot.strategy("cotn", ax=ax),
    "thresholds": lambda ax=None: debox.plot.thresholds(ax=ax),
    "reading_key": lambda ax=None: debox.plot.reading_key(ax=ax),
    "sketch_3d": lambda ax=None: debox.plot.sketch_3d(ax=ax),
    "overview": lambda ax=None: debox.plot.overview(TABLE, ax=ax),
    "ribbons": lambda ax=None: debox.plot.ribbons(WHOLE, "DE/rand/1/exp", ax=ax),
    "contours": lambda ax=None: debox.plot.contours(TABLE, "rand/1", ax=ax),
    "life": lambda ax=None: debox.plot.life(WHOLE, "DE/rand/1/exp sat", N=5, ax=ax),
    "drift": lambda ax=None: debox.plot.drift(WHOLE, ax=ax),
}


@pytest.fixture(autouse=True)
def close_all(monkeypatch):
    """Figures of pyplot stay until they are closed, and it warns of many."""
    monkeypatch.setitem(plt.rcParams, "figure.max_open_warning", 0)
    yield
    plt.close("all")


@pytest.mark.parametrize("name", DRAWINGS)
def test_it_draws_into_the_given_axes_and_returns_them(name):
    ax = Figure().add_subplot()
    assert DRAWINGS[name](ax) is ax
    assert len(ax.lines) + len(ax.collections) > 0


def test_without_axes_it_makes_new_ones_in_a_figure_of_their_own():
    drawn = [draw() for draw in DRAWINGS.values()]
    assert {name for name, ax in zip(DRAWINGS, drawn, strict=True) if not isinstance(ax, Axes)} == set()
    assert len({id(ax.figure) for ax in drawn}) == len(drawn)


@pytest.mark.parametrize("name", DRAWINGS)
def test_pyplot_shows_what_is_drawn_without_axes_and_nothing_else(name):
    DRAWINGS[name](Figure().add_subplot())
    assert plt.get_fignums() == []
    assert DRAWINGS[name]().figure is plt.gcf()
    assert len(plt.get_fignums()) == 1


def test_pyplot_shows_a_figure_by_its_name():
    assert debox.plot.figure("threshold", TABLE) is plt.gcf()


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
    assert 0 < width - 150 * pois_histogram.SIZE[0] < 30


@pytest.mark.parametrize("name", ["strategy", "edpois", "drift", "compare", "measurement", "convergence", "walls"])
def test_what_is_drawn_without_axes_can_be_saved(name, tmp_path):
    """A drawing without runs, one with a footer, one of several Axes, those of results; others are made likewise."""
    DRAWINGS[name]().figure.savefig(tmp_path / "figure.png", dpi=50)
    assert (tmp_path / "figure.png").stat().st_size > 500


def test_edpois_is_titled_as_the_paper_does():
    assert debox.plot.edpois(TABLE, "de/RAND/1/exp saturation", N=5).get_title() == "DE/rand/1/exp sat, N=5"


def test_edpois_says_what_a_study_still_lacks():
    ax = debox.plot.edpois(TABLE, "DE/rand/1/exp sat", N=5, study=planned(TABLE))
    assert ax.get_title() == "DE/rand/1/exp sat, N=5\n2 of 50 runs"


def test_edpois_shows_the_dimension_asked_for():
    several = {**TABLE, "dimension": np.array([10, 10, 30, 30])}
    with pytest.raises(ValueError, match="the runs have dimension = 10, 30"):
        debox.plot.edpois(several, "DE/rand/1/exp sat", N=5)
    ax = debox.plot.edpois(several, "DE/rand/1/exp sat", N=5, n=30)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["1.5"]


FRAMES = {
    "pandas": lambda table: pandas.DataFrame(table),
    "polars": lambda table: polars.DataFrame({name: column.tolist() for name, column in table.items()}),
}


@pytest.mark.parametrize("framed", FRAMES.values(), ids=FRAMES.keys())
def test_a_frame_is_drawn_as_a_mapping_is(framed):
    several = {**TABLE, "dimension": np.array([10, 10, 30, 30])}
    for n, F in ((10, "0.7"), (30, "1.5")):
        ax = debox.plot.edpois(framed(several), "DE/rand/1/exp sat, N=5", n=n)
        assert [tick.get_text() for tick in ax.get_yticklabels()] == [F]


def test_a_study_may_be_a_study_or_what_its_file_says():
    design = debox.Study(
        name="planned",
        mutation="rand/1",
        crossover="exp",
        strategy=["sat", "tor"],
        N=5,
        F=[0.7, 1.5],
        Cr=[0.1, 0.5, 0.9, 0.99],
        budget=300,
    )
    texts = [
        [text.get_text() for text in debox.plot.ribbons(WHOLE, "DE/rand/1/exp", "Cr", study=study).texts]
        for study in (design, design.as_dict())
    ]
    assert texts[0] == texts[1]
    assert texts[0][-2:] == ["sat", "tor"]


def test_a_store_and_its_path_are_drawn_with_what_their_study_plans(tmp_path):
    operators = {"mutation": "rand/1", "crossover": "exp", "strategy": ["sat", "tor"], "N": 6}
    store = debox.run(debox.Study(name="small", **operators, F=0.5, Cr=0.9, n=2, budget=12, runs=2), tmp_path / "s")
    for source in (store, tmp_path / "s", str(tmp_path / "s")):
        ax = debox.plot.life(source, "DE/rand/1/exp sat, N=6")
        assert [text.get_text() for text in ax.figure.texts] == ["small: n = 2, budget 12, 2 runs"]


@pytest.mark.parametrize("draw", [debox.plot.edpois, debox.plot.life])
def test_a_panel_without_runs_is_an_error_that_says_what_there_is(draw):
    there = "mutation rand/1; crossover exp; strategy saturation; N 5"
    with pytest.raises(ValueError, match=f"there are no runs of DE/rand/1/exp sat, N=6; there are runs with {there}"):
        draw(WHOLE, "DE/rand/1/exp sat", N=6)


def test_operators_that_are_not_installed_are_found_in_the_runs_or_answered_with_those_of_the_runs():
    own = WHOLE | {"mutation": np.array(["mid/1"] * 4, dtype=object)}
    for text in ("DE/mid/1/exp sat", "DE/mid/1/EXP saturation"):
        assert debox.plot.edpois(own, text, N=5).get_title() == "DE/mid/1/exp sat, N=5"
    there = "there are runs with mutation rand/1; crossover exp; strategy saturation; N 5"
    with pytest.raises(ValueError, match=f"unknown mutation 'mid/1' and strategy 'half'; {there}"):
        debox.plot.edpois(WHOLE, "DE/mid/1/bin half", N=5)
    with pytest.raises(ValueError, match="unknown mutation 'mid/1'; there are runs with mutation rand/1"):
        debox.plot.contours(WHOLE, "mid/1")
    with pytest.raises(ValueError, match="did you mean 'DE/rand/1/bin'"):
        debox.plot.edpois(WHOLE, "DE/rand/1 sat", N=5)


def test_no_runs_at_all_are_an_error():
    with pytest.raises(ValueError, match="there are no runs yet"):
        debox.plot.overview({name: column[:0] for name, column in TABLE.items()})


@pytest.mark.parametrize("mutation", ["rand/1", "DE/rand/1", "de/RAND/1"])
def test_contours_takes_a_mutation_with_and_without_DE(mutation):
    assert debox.plot.contours(TABLE, mutation).get_title() == "DE/rand/1"


@pytest.mark.parametrize("name", ["overview", "ribbons", "contours", "life", "compare", "walls"])
def test_a_whole_figure_has_its_key(name):
    assert len(DRAWINGS[name]().figure.legends) == 1
    assert DRAWINGS[name](Figure().add_subplot()).figure.legends == []


def test_the_labels_of_the_overview_s_colours_do_not_collide():
    figure = debox.plot.overview(TABLE).figure
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[1].get_xticklabels()]
    assert all(right.x0 - left.x1 > left.height / 2 for left, right in pairwise(boxes))


def test_nothing_of_life_is_cut_off_in_axes_of_a_plain_figure():
    figure = Figure()
    debox.plot.life(WHOLE, "DE/rand/1/exp sat", 5, figure.add_subplot())
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_thresholds_takes_other_dimensions():
    ax = debox.plot.thresholds([1000, 2])
    assert [text.get_text() for text in ax.texts] == ["n = 2", "n = 1000"]


def test_ribbons_of_one_strategy_have_one_row_and_of_a_variant_a_row_each():
    study = planned(WHOLE, strategy=["sat", "tor"]).as_dict()
    for variant, rows in (("DE/rand/1/exp", ["sat", "tor"]), ("DE/rand/1/exp tor", ["tor"])):
        texts = [text.get_text() for text in debox.plot.ribbons(WHOLE, variant, "Cr", study=study).texts]
        assert texts == ["F=0.7", "F=1.5", *rows]


def test_dismiss_has_no_graph():
    with pytest.raises(ValueError, match=r"one of saturation, toroidal, .*, got 'dismiss'"):
        debox.plot.strategy("dism")


def entries_of(table):
    runs = Runs.of(table)
    return [entry for entry in choose(runs) if not entry.obstacle(runs)]


def content(figure):
    """All that is in a figure: of what kind it is, its place, size and colours."""
    return [(type(one).__name__, one.get_zorder(), repr(looks(one))) for one in figure.findobj()]


def looks(one):
    """Texts, places, sizes and colours of a part of a figure."""
    if isinstance(one, Text):
        return one.get_text(), one.get_position(), one.get_fontsize(), one.get_color()
    if isinstance(one, Line2D):
        style = one.get_color(), one.get_marker(), one.get_markersize(), one.get_linewidth()
        return one.get_xydata().tolist(), style
    if isinstance(one, Collection):
        shapes = [path.vertices.tolist() for path in one.get_paths()]
        return shapes, one.get_offsets().tolist(), one.get_facecolor().tolist(), one.get_edgecolor().tolist()
    if isinstance(one, Patch):
        return one.get_path().vertices.tolist(), one.get_facecolor(), one.get_edgecolor()
    if isinstance(one, Axes):
        return [round(length, 9) for length in (*one.get_position().bounds, *one.get_xlim(), *one.get_ylim())]
    return one.get_array().tolist() if isinstance(one, AxesImage) else ()


def test_any_figure_of_the_catalogue_is_drawn_by_its_name_as_the_command_does(tmp_path, monkeypatch):
    saved = {}
    monkeypatch.setattr("debox.figures.make.save", lambda figure, path, name, *others: saved.update({name: figure}))
    list(make(WHOLE, tmp_path, formats=["svg"]))
    assert list(saved) == [entry.name for entry in entries_of(WHOLE)]
    for entry in entries_of(WHOLE):
        figure = debox.plot.figure(entry.name, WHOLE)
        assert figure.get_size_inches() == pytest.approx(entry.size)
        assert content(figure) == content(saved[entry.name]), entry.name


@pytest.mark.parametrize("name", ["mutations", "panels/DE-rand-1-exp-sat-N5"])
def test_a_figure_by_its_name_is_to_the_last_byte_the_file_of_the_command(name, tmp_path):
    (entry,) = choose(Runs.of(WHOLE), [name])
    (path,) = make(WHOLE, tmp_path, formats=["svg"], only=[name])
    with in_style("paper"):
        drawn = render(debox.plot.figure(name, WHOLE), "svg", name, entry.alt_text(Runs.of(WHOLE)))
    assert drawn == path.read_bytes()


def test_a_figure_by_its_name_shows_what_the_study_plans_in_the_style_and_dimension_asked_for():
    several = {**TABLE, "dimension": np.array([10, 10, 30, 30])}
    name = "panels/DE-rand-1-exp-sat-N5"
    figure = debox.plot.figure(name, several, study=planned(several), style="screen", n=30)
    assert figure.get_size_inches() == pytest.approx([1.4 * 3.5, 1.4 * 4.2])
    assert figure.axes[0].get_title() == "DE/rand/1/exp sat, N=5\n0 to 2 of 50 runs"


WRONG = {
    "no figure is named 'atlantis'; choose from strategies, threshold": ("atlantis", {}),
    "name must be the name of a figure, as text, and comes before the table; got a value of type int": (3, {}),
    "comes before the table; got a value of type dict": (TABLE, {}),
    "'atlas-*' matches 2 figures, such as atlas-bin-N5: give the name of one": ("atlas-*", {}),
    "the figure crossovers cannot be drawn: no runs": ("crossovers", {}),
    "the figure drift cannot be drawn: POIS over a run's life needs the checkpoints": ("drift", {}),
    "style must be one of paper, screen, got {}": ("threshold", {"style": {}}),
    "study must be a debox.Study or a mapping of its keys, got 'mine'": ("threshold", {"study": "mine"}),
    "style must be one of paper, screen, got 'neon'": ("threshold", {"style": "neon"}),
    "donors, reevaluate, frozen, repair, adaptation, budget, got 'colour'": (
        "threshold",
        {"colour": 7},
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_figure_that_cannot_be_drawn_is_an_error_that_says_why(message):
    name, options = WRONG[message]
    study = planned(TABLE, crossover=["bin", "exp"])
    with pytest.raises(ValueError, match=re.escape(message)):
        debox.plot.figure(name, TABLE, **{"study": study, **options})


def test_a_figure_whose_name_two_share_is_refused():
    alike = {**TABLE, "mutation": np.array(["my/1", "my/1", "my-1", "my-1"], dtype=object)}
    with pytest.raises(ValueError, match="two figures would have the name contours-my-1"):
        debox.plot.figure("contours-my-1", alike)


@pytest.mark.parametrize("name", ["overview", "edpois", "contours", "life", "drift"])
def test_size_and_record_are_those_of_the_entry(name, monkeypatch):
    """An entry is changed where its figure's data are, and nowhere else."""
    module = import_module(f"debox.figures.data.{name}")
    monkeypatch.setattr(module, "SIZE", (6.0, 5.0))
    assert DRAWINGS[name]().figure.get_size_inches() == pytest.approx([6.0, 5.0])


def test_a_choice_by_a_column_that_the_table_lacks_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="where: the table has no column dimension, so runs cannot be chosen by it"):
        debox.plot.overview(TABLE, n=3)


def is_in_view(tick, axis):
    """Whether matplotlib draws it: it keeps ticks beyond the ends of an axis, too."""
    low, high = sorted(axis.get_view_interval())
    return low <= tick.get_loc() <= high


@pytest.mark.parametrize("name", ["compare", "measurement", "convergence", "walls"])
def test_nothing_of_a_whole_figure_is_cut_off_and_no_texts_collide(name):
    figure = DRAWINGS[name]().figure
    figure.draw_without_rendering()
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) > -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    unseen = [tick.label1 for axis in axes for tick in axis.get_major_ticks() if not is_in_view(tick, axis)]
    visible = [text for text in figure.findobj(Text) if text.get_visible() and text not in unseen]
    boxes = [(text.get_text(), text.get_window_extent()) for text in visible if text.get_text().strip()]
    colliding = [(a, b) for k, (a, one) in enumerate(boxes) for b, other in boxes[:k] if one.overlaps(other)]
    assert colliding == []


OTHERS = {
    "comparison must be a Comparison, as debox.compare returns it, got 3": lambda: debox.plot.compare(3),
    "m must be a Measurement, got 'sat'": lambda: debox.plot.measurement("sat"),
    "result must be a result of debox.minimize, got {}": lambda: debox.plot.convergence({}),
    "result must be a result of debox.minimize, got []": lambda: debox.plot.walls([]),
}


@pytest.mark.parametrize("message", OTHERS)
def test_what_is_no_result_is_named(message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        OTHERS[message]()


def test_convergence_alone_has_three_axes_and_in_given_ones_the_best_value():
    assert [ax.get_ylabel() for ax in DRAWINGS["convergence"]().figure.axes] == ["best value", "spread", "POIS\nso far"]
    assert DRAWINGS["convergence"](Figure().add_subplot()).figure.axes[1:] == []


NO_AXES = {"text": "left", "figure": Figure(), "array": Figure().subplots(2), "number": 0, "class": Axes}


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_is_no_axes_is_named(name):
    for wrong in NO_AXES.values():
        message = f"ax must be Axes of Matplotlib, as figure.add_subplot() makes them, got {wrong!r}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            DRAWINGS[name](wrong)


@pytest.mark.parametrize("draw", [debox.plot.edpois, debox.plot.life])
def test_what_is_no_name_of_a_panel_is_an_error_that_shows_one(draw):
    for wrong in (3, None, []):
        message = f"panel must be a text such as 'DE/rand/1/exp sat, N=5', got {wrong!r}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            draw(WHOLE, wrong)


@pytest.mark.parametrize("wrong", [3, None, ["rand/1"]])
def test_contours_of_what_is_no_name_are_an_error_that_shows_one(wrong):
    message = f"mutation must be a text such as 'rand/1', got {wrong!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        debox.plot.contours(WHOLE, wrong)


@pytest.mark.parametrize("variant", ["", "  ", None])
def test_ribbons_of_no_variant_are_an_error_that_says_how_one_is_written(variant):
    with pytest.raises(ValueError, match="variant must be such as 'DE/rand/1/exp' or 'DE/rand/1/exp sat', got"):
        debox.plot.ribbons(WHOLE, variant)


@pytest.mark.parametrize("dimensions", [[], (), np.array([], dtype=int), 30])
def test_thresholds_need_a_dimension(dimensions):
    with pytest.raises(ValueError, match="dimensions must be a sequence of one or more integers ≥ 1, got"):
        debox.plot.thresholds(dimensions)


@pytest.mark.parametrize("wrong", [0, 2.5, "ten"])
def test_thresholds_name_a_dimension_that_is_none(wrong):
    with pytest.raises(ValueError, match="dimensions must be an integer ≥ 1, got"):
        debox.plot.thresholds([10, wrong])


def test_the_examples_of_the_docstrings_hold():
    found = doctest.testmod(debox.plot)
    assert found.attempted >= 5
    assert found.failed == 0


def test_without_matplotlib_a_message_says_how_to_get_it():
    code = "import sys; sys.modules['matplotlib'] = None; import debox; debox.plot.reading_key()"
    result = run_python(code)
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr.splitlines()[-1]


def test_of_several_adaptations_a_panel_names_one_and_pages_need_a_choice(made):
    table = with_adaptations(made({(F, Cr): [0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), fixed=0, SHADE=0.1)
    for text in ("DE/rand/1/exp sat, SHADE", "DE/rand/1/exp sat, adaptation=SHADE"):
        assert debox.plot.edpois(table, text, N=5).get_title() == "DE/rand/1/exp sat, SHADE, N=5"
    with pytest.raises(ValueError, match=r"there are no runs of .*sat, jDE, N=5; .* adaptation SHADE, fixed"):
        debox.plot.edpois(table, "DE/rand/1/exp sat, adaptation=jDE", N=5)
    named = {debox.plot.ribbons: "DE/rand/1/exp", debox.plot.contours: "rand/1", debox.plot.edpois: f"{SAT}, N=5"}
    for draw, text in named.items():
        with pytest.raises(ValueError, match=r"choose one: .*\(in Python: adaptation='SHADE'\)"):
            draw(table, text)
    assert debox.plot.contours(table, "rand/1", adaptation="SHADE").get_title() == "DE/rand/1"


def test_where_all_runs_have_one_adaptation_a_panel_may_name_it_or_not(made):
    table = with_adaptations(made({(F, Cr): [0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), SHADE=0.1)
    for text in (SAT, f"{SAT}, adaptation=SHADE"):
        assert debox.plot.edpois(table, text, N=5).get_title() == f"{SAT}, N=5"
    with pytest.raises(ValueError, match=r"there are no runs of .*sat, fixed, N=5; .* adaptation SHADE$"):
        debox.plot.edpois(table, f"{SAT}, adaptation=fixed", N=5)


def test_of_the_adaptations_that_a_study_plans_the_one_with_runs_is_drawn(made):
    table = with_adaptations(made({(F, Cr): [0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), SHADE=0.1)
    study = planned(table, adaptation=["fixed", "SHADE"], runs=1)
    assert debox.plot.edpois(table, SAT, N=5, study=study).get_title() == f"{SAT}, SHADE, N=5"
    assert debox.plot.contours(table, "rand/1", study=study).get_title() == "DE/rand/1"  # and not: no runs
    assert debox.plot.ribbons(table, "DE/rand/1/exp", study=study).get_title().startswith("DE/rand/1/exp (no exact")
