"""The ink of the last step of Cr."""

import pytest
from drawings import whole

from debox.analysis.runs import Runs
from debox.figures import last_step

KEYS = [("rand/1", "exp", strategy, N) for strategy in ("saturation", "toroidal") for N in (5, 20)]
# from Cr = 0.7 to 0.9, and the spread of the runs; the fall of the last one is not shown
STEPS = [(0.6, 0.2, 0.001), (0.6, 0.7, 0.001), (0.3, 0.5, 0.001), (0.9, 0.6, 0.3)]


@pytest.fixture
def page(made):
    cells = {}
    for key, (before, after, spread) in zip(KEYS, STEPS, strict=True):
        cells |= {(*key, 0.5, 0.7): [before, before], (*key, 0.5, 0.9): [after - spread, after + spread]}
    (found,) = last_step.pages(Runs.of(made(cells, budget=1_000_000)))
    return found


def test_every_configuration_is_a_dot_and_those_that_are_shown_to_fall_are_filled(page):
    figure = whole(page)
    dots = [[line for line in ax.lines[1:] if len(line.get_xdata())] for ax in figure.axes]
    found = [{(*line.get_xydata()[0].round(3), line.get_markerfacecolor() != "none") for line in one} for one in dots]
    assert found == [{(0.6, 0.2, True), (0.3, 0.5, False)}, {(0.6, 0.7, False), (0.9, 0.6, False)}]
    filled, open_ = sorted(dots[0], key=lambda line: line.get_markerfacecolor() == "none")
    assert filled.get_zorder() > open_.get_zorder()
    assert [ax.lines[0].get_xydata().tolist() for ax in figure.axes] == [[[0, 0], [1, 1]]] * 2


def test_titles_say_how_many_fall_and_of_how_many_that_is_shown(page):
    figure = whole(page)
    titles = [
        f"N = {N}: 1 of 2 fall by more than 0.05,\n{shown} are shown to (filled)" for N, shown in ((5, 1), (20, 0))
    ]
    assert [ax.get_title() for ax in figure.axes] == titles
    assert figure.axes[0].get_xlabel() == "mean POIS at Cr = 0.7"
    assert [ax.get_ylabel() for ax in figure.axes] == ["mean POIS at Cr = 0.9", ""]


def test_strategies_have_the_marks_of_the_key_and_fifteen_of_them_look_different(page):
    figure = whole(page)
    marks = {
        text.get_text(): handle
        for text, handle in zip(figure.legends[0].get_texts(), figure.legends[0].legend_handles, strict=True)
    }
    assert list(marks) == ["sat", "tor"]
    for handle, line in zip(marks.values(), figure.axes[0].lines[2::2], strict=True):  # the filled dots
        assert (handle.get_color(), handle.get_marker()) == (line.get_color(), line.get_marker())
    assert len({tuple(last_step.look(k).values()) for k in range(15)}) == 15
