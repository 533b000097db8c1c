"""The ink of a run's life and of drifts; that of the mosaic on which drifts lie is in test_maps.py."""

import numpy as np
import pytest
from drawings import ink, whole
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgba
from plans import planned

from debox.analysis.runs import Runs
from debox.figures import drift, life
from debox.figures.style import in_style
from debox.figures.tiles import Tiles

TILES = Tiles(1, 2, (0, 1), (-0.06, 1.06))
TITLE = "DE/rand/1/exp sat, N=5"
ENDS = [1 / 3, 2 / 3, 1]


@pytest.fixture
def runs(made):
    """One configuration with runs, and one without: after 3, 6 and 9 evaluations 2, 3, 3 were infeasible; no drift."""
    table = made({(0.5, 0.2): [3 / 9] * 2}, budget=9, at_third=[2 / 3] * 2, at_two_thirds=[3 / 6] * 2)
    return Runs.of(table, planned(table, F=[0.5, 1.5], runs=3))


def vertices(collection):
    return [path.vertices for path in collection.get_paths()]


def test_stairs_bands_and_pois_so_far_stand_at_the_cell_s_place(runs):
    bands, stairs, so_far, crosses = map(vertices, ink(life.draw, runs, TITLE).collections[:4])
    expected = [TILES.at(0, 1, [k / 3, (k + 1) / 3], [y, y]) for k, y in enumerate((2 / 3, 1 / 3, 0))]
    assert stairs == [pytest.approx(np.column_stack(one)) for one in expected]  # F = 0.5 is the lower row
    assert so_far == [pytest.approx(np.column_stack(TILES.at(0, 1, ENDS, [2 / 3, 3 / 6, 3 / 9])))]
    assert len(bands) == 3
    assert crosses[0] == pytest.approx(np.column_stack(TILES.at(0, 0, [0, 1], [-0.06, 1.06])))
    assert len(crosses) == 2


def test_the_band_of_a_third_reaches_from_low_to_high(made):
    table = made({(0.5, 0.2): [0, 6 / 9]}, budget=9, at_third=[0, 1], at_two_thirds=[0, 5 / 6])
    (band, *_) = vertices(ink(life.draw, Runs.of(table)).collections[0])
    assert band[:, 1].min() == pytest.approx(Tiles(1, 1, (0, 1), (-0.06, 1.06)).at(0, 0, 0, 0.05)[1])
    assert band[:, 1].max() == pytest.approx(Tiles(1, 1, (0, 1), (-0.06, 1.06)).at(0, 0, 0, 0.95)[1])


def test_stairs_are_drawn_over_the_bands_and_pois_so_far_over_the_stairs_as_the_key_says(runs, layered):
    ax = ink(life.draw, runs, TITLE)
    bands, stairs, so_far, _, frames = ax.collections
    assert layered(ax, bands, stairs, so_far, frames)
    assert ax.get_title() == f"{TITLE} (0 to 2 of 3 runs)"
    with in_style("paper"):
        median, spread, until_then = life.legend()
    labels = [one.get_label() for one in (median, spread, until_then)]
    assert labels == ["median in a third", "5–95 % of runs", "median so far"]
    assert to_rgba(spread.get_facecolor()) == tuple(bands.get_facecolors()[0])
    assert spread.get_alpha() > 0.3
    assert to_rgba(median.get_color()) == tuple(stairs.get_colors()[0])
    assert to_rgba(until_then.get_color()) == tuple(so_far.get_colors()[0])


@pytest.mark.parametrize("figure", [life, drift])
def test_pages_are_drawn_with_key_or_scale_and_footer(runs, figure):
    (page,) = figure.pages(runs)
    drawn = whole(page)
    assert [len(legend.get_texts()) for legend in drawn.legends] == ([3] if figure is life else [])
    assert drawn.texts[0].get_text().endswith("3 runs")


@pytest.fixture
def drifts(made):
    """Up by half, down by 0.1, none, and without runs, at F = 0.5 and 1.5 of Cr = 0.2 and 0.9."""
    thirds = {(0.5, 0.2): (0.1, 0.6), (0.5, 0.9): (0.2, 0.1), (1.5, 0.2): (0.4, 0.4)}
    first, _ = np.transpose(list(thirds.values()))
    cells = {key: [(a + b) / 3] for key, (a, b) in thirds.items()}
    table = made(cells, budget=300, at_third=first, at_two_thirds=first / 2)
    return Runs.of(table)


def test_a_drift_that_can_be_seen_has_its_sign_over_its_colour(drifts, layered):
    ax = ink(drift.draw, drifts)
    plus, minus = ax.lines
    assert layered(ax, ax.collections[0], plus)
    assert layered(ax, ax.collections[0], minus)
    assert (plus.get_marker(), plus.get_xydata().tolist()) == ("+", [[0.5, -1.5]])
    assert (minus.get_marker(), minus.get_xydata().tolist()) == ("_", [[1.5, -1.5]])


def test_up_and_down_have_colours_of_two_sides_as_the_scale_says(drifts):
    ax = ink(drift.draw, drifts)
    up, down, none = (np.array(colour[:3]) for colour in ax.collections[0].get_facecolors())
    assert up[2] > up[1]  # purple
    assert down[0] > down[2]  # orange
    assert none.min() > 0.9
    scale = ax.figure.axes[1]
    assert "last third" in scale.get_xlabel()
    (solids,) = (artist for artist in scale.collections if isinstance(artist, QuadMesh))
    assert solids.to_rgba([0.5, -0.1, 0])[:, :3] == pytest.approx(np.array([up, down, none]))
