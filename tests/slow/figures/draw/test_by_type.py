"""The one place that chooses a drawing."""

from pathlib import Path

import pytest
from adaptations import with_adaptations

import debox.figures
from debox.analysis.old_runs import Runs
from debox.figures.data import atlas, contours, ribbons
from debox.figures.data.reading_key import reading_key
from debox.figures.data.strategies import Strategies
from debox.figures.data.strategy import Graph
from debox.figures.data.threshold import thresholds
from debox.figures.draw import by_type
from debox.figures.draw.style import empty_figure, in_style
from debox.figures.entry import Entry

FIGURES = Path(debox.figures.__file__).parent
SHARED = {"__init__", "grid", "mosaic"}  # modules of data that make no record of their own


def test_every_record_has_a_drawing_of_its_module_s_name():
    for path in (FIGURES / "data").glob("*.py"):
        if path.stem not in SHARED:
            text = (FIGURES / "draw" / path.name).read_text()
            assert "def draw_in(" in text or "def draw_page(" in text, path.stem


def test_the_type_chooses_not_what_it_inherits():
    assert by_type.drawing_of(reading_key()).__name__ == "debox.figures.draw.reading_key"
    assert by_type.drawing_of(Strategies(())).__name__ == "debox.figures.draw.strategies"
    assert by_type.drawing_of(Graph("", 0, 1, (0, 1), ())).__name__ == "debox.figures.draw.strategy"


@pytest.mark.parametrize("record", [thresholds(), reading_key()], ids=["thresholds", "reading key"])
def test_a_page_without_a_drawing_of_its_own_is_one_axes(record):
    with in_style("paper"):
        page, alone = empty_figure((3, 3)), empty_figure((3, 3))
        by_type.draw_page(page, record)
        ax = by_type.draw_in(alone.add_subplot(), record)
    (other,) = page.axes
    assert [text.get_text() for text in other.texts] == [text.get_text() for text in ax.texts]


def test_the_figure_of_an_entry_has_its_size_its_record_and_its_footer(table):
    runs = Runs.of(table(("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5", [0.5])))
    entry = Entry("name", "Words.", (3, 2), lambda runs: thresholds([7]), tuple(runs.panels()))
    with in_style("paper"):
        figure = by_type.figure_of(entry, runs)
    assert tuple(figure.get_size_inches()) == (3, 2)
    assert [text.get_text() for text in figure.axes[0].texts] == ["n = 7"]
    assert [text.get_text() for text in figure.texts] == ["n = 30, budget 300 000, 1 run"]


def test_axes_of_adaptive_runs_are_called_those_of_the_start(table):
    for more, name in (("", "F"), (", adaptation=JADE", "starting F")):
        cells = [(f"DE/rand/1/exp sat, N=5, F={F}, Cr=0.5{more}", [0.5]) for F in (0.5, 0.7)]
        runs = Runs.of(table(*cells))
        entry = next(ribbons.entries(runs))
        with in_style("paper"):
            (ax, *_) = by_type.figure_of(entry, runs).axes
        assert ax.get_xlabel() == name
        assert ax.get_ylabel() == "POIS"


def test_a_page_of_one_of_several_adaptations_names_it_and_calls_F_and_Cr_what_they_are(made):
    table = made({(F, Cr): [F * Cr] for F in (0.5, 1.0) for Cr in (0.1, 0.5)})
    runs = Runs.of(with_adaptations(table, fixed=0, SHADE=0.1))
    for module, label in ((contours, "get_ylabel"), (ribbons, "get_xlabel"), (atlas, "get_ylabel")):
        for adaptation, called in (("fixed", "F"), ("SHADE", "starting F")):
            entry = next(one for one in module.entries(runs) if adaptation in one.name)
            with in_style("paper"):
                figure = by_type.figure_of(entry, runs)
            titles = [figure.get_suptitle(), *(ax.get_title() for ax in figure.axes)]
            assert any(adaptation in title for title in titles), entry.name
            assert called in {getattr(ax, label)() for ax in figure.axes}, entry.name
