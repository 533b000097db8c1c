"""The ink of ribbons."""

import numpy as np
import pytest
from drawings import ink
from matplotlib.collections import LineCollection
from plans import planned

from debox.analysis.runs import Runs
from debox.figures import ribbons
from debox.figures.tiles import Tiles, range_around

FS = (0.5, 1.0, 2.0)
RUNS = [0.1, 0.2, 0.3, 0.4, 0.5]  # of five runs the 5 % quantile lies 0.02 above the first
CELLS = {(F, 0.2): [pois + 0.1 * k for pois in RUNS] for k, F in enumerate(FS)}
MORE_STRATEGIES_AND_CR = {
    ("rand/1", "exp", strategy, 5, 0.5, Cr): RUNS for strategy in ("mirror", "saturation") for Cr in (0.2, 0.9)
}


def of_sizes(*Ns):
    return {("rand/1", "exp", "saturation", N, *key): pois for N in Ns for key, pois in CELLS.items()}


@pytest.fixture
def drawn(made):
    def draw(cells, **study):
        table = made(cells, n=4, budget=1000)
        return ink(ribbons.draw, Runs.of(table, planned(table, **study) if study else None))

    return draw


def at(x, y):
    return np.column_stack(Tiles(1, 1, range_around(FS), (-0.08, 1.08)).at(0, 0, x, y))


def points(ax):
    return [line.get_xydata() for line in ax.lines]


def test_median_and_curve_pass_their_points(drawn, made):
    median, missing, curve = points(drawn(CELLS))
    assert median == pytest.approx(at(FS, [0.3, 0.4, 0.5]))
    assert missing.size == 0
    runs = Runs.of(made(CELLS, n=4, budget=1000))
    xs = np.linspace(0.5, 2, 25)  # a step of 1/16
    assert curve == pytest.approx(at(xs, ribbons.curves(runs, "F", xs)[0, 0]))


def test_a_band_has_a_part_for_each_stretch_of_runs():
    nan = np.nan
    assert [part.tolist() for part in ribbons.stretches(np.array([0.1, 0.2, nan, 0.3, 0.4, nan]))] == [[0, 1], [3, 4]]
    assert ribbons.stretches(np.array([0.1, nan, 0.2])) == []


def test_a_plot_without_any_run_is_crossed_out_and_others_are_not(drawn):
    def crosses(ax):
        return sum(isinstance(collection, LineCollection) for collection in ax.collections)

    assert (crosses(drawn(CELLS)), crosses(drawn(CELLS, Cr=[0.2, 0.9], runs=5))) == (0, 1)


def test_the_curve_is_black_if_it_is_that_of_all_sizes_and_else_of_their_colours(drawn):
    colours = [colour for colour, _ in ribbons.LOOKS]
    for sizes, expected in (((50, 60), ["black"] * 2), ((50, 900), colours[:2])):  # 900 of 1000 are no trials
        assert [line.get_color() for line in drawn(of_sizes(*sizes)).lines[2::3]] == expected


def test_strategies_name_the_rows_and_what_is_fixed_the_columns(drawn):
    ax = drawn(MORE_STRATEGIES_AND_CR, F=[0.5, 1.5], runs=5)
    assert [text.get_text() for text in ax.texts] == ["Cr=0.2", "Cr=0.9", "mirr", "sat"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("F", "POIS", "DE/rand/1/exp (0 to 5 of 5 runs)")
