"""Dots of the last step of Cr."""

import numpy as np
import pytest

from debox.figures.data.last_step import LastStep, Step
from debox.figures.draw.last_step import COLOURS, MARKERS, draw_page, look
from debox.figures.draw.style import empty_figure, in_style

COLUMN = Step(
    5, np.array([0.6, 0.3, 0.4]), np.array([0.2, 0.5, 0.4]), np.array([True, False, False]), np.array([0, 1, 1])
)
RECORD = LastStep((0.7, 0.9), ("saturation", "toroidal"), (COLUMN, COLUMN))


@pytest.fixture
def figure():
    with in_style("paper"):
        page = empty_figure((6, 3))
        draw_page(page, RECORD)
        page.draw_without_rendering()
    return page


def test_every_configuration_is_a_dot_and_those_that_fall_are_filled(figure):
    dots = [line for line in figure.axes[0].lines if line.get_ls() == "None" and len(line.get_xdata())]
    points = {(*line.get_xydata()[0].tolist(), line.get_markerfacecolor() == "none") for line in dots}
    assert points == {(0.6, 0.2, False), (0.3, 0.5, True)}
    assert sum(len(line.get_xdata()) for line in dots) == 3


def test_the_diagonal_and_the_titles_tell_what_falls(figure):
    diagonal = figure.axes[0].lines[0]
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert [ax.get_title() for ax in figure.axes] == ["N = 5: 1 of 3 fall (filled)"] * 2
    assert figure.axes[0].get_xlabel() == "mean POIS at Cr = 0.7"
    assert figure.axes[0].get_ylabel() == "mean POIS at Cr = 0.9"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["sat", "tor"]


def test_fifteen_strategies_look_different():
    looks = [tuple(look(k).values()) for k in range(15)]
    assert len(set(looks)) == 15
    assert len(COLOURS) * len(MARKERS) > 60
