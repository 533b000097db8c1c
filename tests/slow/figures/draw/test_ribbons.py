import numpy as np
import pytest
from drawings import draw_alone

from debox.figures.data.ribbons import Plot, Ribbon, Ribbons
from debox.figures.draw.ribbons import LOOKS, MISSING, draw_page, medians_and_bands, stretches
from debox.figures.draw.style import empty_figure, in_style
from debox.figures.draw.tiles import Tiles, range_around

X = (0.5, 1.0, 2.0)
STEPS = tuple((q, q + 0.1, q + 0.2) for q in (0.1, 0.2, 0.3, 0.4, 0.5))
GAPPED = tuple((q, np.nan, q + 0.2) for q in (0.1, 0.2, 0.3, 0.4, 0.5))
EMPTY = ((np.nan,) * 3,) * 5


def ribbon(N, quantiles=STEPS, runs=(9, 9, 9)):
    return Ribbon(N, X, runs, quantiles, (0.5, 2.0), (0.3, 0.6))


def record(*plots):
    rows = tuple(tuple(Plot("mirror", 0.1 * k, ribbons) for k, ribbons in enumerate(row)) for row in plots)
    return Ribbons("DE/rand/1/exp", "F", "Cr", 9, rows)


def lines(ax):
    return [line.get_xydata() for line in ax.lines]


def at(x, y):
    return np.column_stack(Tiles(1, 1, range_around(X), (-0.08, 1.08)).at(0, 0, x, y))


def test_median_and_curve_pass_their_points():
    median, missing, curve = lines(draw_alone(record([(ribbon(5),)])))
    assert median == pytest.approx(at(X, STEPS[2]))
    assert curve == pytest.approx(at((0.5, 2.0), (0.3, 0.6)))
    assert missing.size == 0


def test_the_bands_reach_from_quantile_to_quantile():
    wide, narrow = (band.get_paths()[0].get_extents() for band in draw_alone(record([(ribbon(5),)])).collections[:2])
    assert (wide.y0, wide.y1) == pytest.approx((at(0, 0.1)[0, 1], at(0, 0.7)[0, 1]))
    assert (narrow.y0, narrow.y1) == pytest.approx((at(0, 0.2)[0, 1], at(0, 0.6)[0, 1]))


def test_the_median_is_drawn_over_the_narrow_band_and_that_over_the_wide_one(layered):
    ax = draw_alone(record([(ribbon(5),)]))
    wide, narrow, frames = ax.collections
    median, _, curve = ax.lines
    assert layered(ax, wide, narrow, median, frames)
    assert layered(ax, narrow, curve)


def test_the_bands_are_told_apart_and_look_as_the_key_says():
    wide, narrow = (band.get_alpha() for band in draw_alone(record([(ribbon(5),)])).collections[:2])
    ink = {"5–95 %": wide, "25–75 %": 1 - (1 - wide) * (1 - narrow)}  # the narrow band lies over the wide one
    assert 0.1 < ink["5–95 %"] < ink["25–75 %"] - 0.1
    with in_style("paper"):
        said = {
            patch.get_label().removesuffix(" of runs"): patch.get_alpha()
            for patch in medians_and_bands([])
            if patch.get_alpha()
        }
    assert said == pytest.approx(ink, abs=0.1)


def test_a_band_has_a_part_for_each_stretch_of_runs():
    x, nan = np.arange(6.0), np.nan
    low = np.array([0.1, 0.2, nan, 0.3, 0.4, nan])
    one, other = stretches(x, low, low + 0.5)
    assert one == pytest.approx(np.array([[0, 0.1], [1, 0.2], [1, 0.7], [0, 0.6]]))
    assert other == pytest.approx(np.array([[3, 0.3], [4, 0.4], [4, 0.9], [3, 0.8]]))
    assert stretches(x[:1], low[:1], low[:1]) == []


def test_missing_runs_are_a_gap_and_a_cross_below():
    median, missing, _ = lines(draw_alone(record([(ribbon(5, GAPPED, (9, 0, 9)),)])))
    assert np.isnan(median[1]).any()
    assert missing == pytest.approx(at([1.0], [MISSING]))


def test_a_plot_without_any_run_is_crossed_out_and_others_are_not():
    empty = (ribbon(5, EMPTY, (0, 0, 0)),)
    crossed = draw_alone(record([empty])).collections
    assert sum(len(collection.get_paths()) == 2 for collection in crossed) == 1
    assert not any(len(collection.get_paths()) == 2 for collection in draw_alone(record([(ribbon(5),)])).collections)


def test_sizes_differ_in_colour_and_in_marker():
    medians = draw_alone(record([tuple(ribbon(N) for N in (5, 20, 100, 200))])).lines[::3]
    assert len({line.get_color() for line in medians}) == 4
    assert len({line.get_marker() for line in medians}) == 4


def test_the_curve_is_black_if_it_is_that_of_all_sizes_and_else_of_their_colours():
    other = Ribbon(20, X, (9, 9, 9), STEPS, (0.5, 2.0), (0.3, 0.62))
    for pair, colours in (((ribbon(5), ribbon(20)), {"black"}), ((ribbon(5), other), {LOOKS[0][0], LOOKS[1][0]})):
        assert {line.get_color() for line in draw_alone(record([pair])).lines[2::3]} == colours


def test_strategies_name_the_rows_and_what_is_fixed_the_columns():
    ax = draw_alone(record([(ribbon(5),), (ribbon(5),)], [(ribbon(5),), (ribbon(5),)]))
    assert [text.get_text() for text in ax.texts] == ["Cr=0", "Cr=0.1", "mirr", "mirr"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("F", "POIS", "DE/rand/1/exp")


ONE = Ribbon(5, (0.7,), (1,), ((0.4,),) * 5, (0.7,), (0.5,))


@pytest.mark.parametrize("made", [record([(ONE,)]), record()], ids=["one run", "nothing"])
def test_little_or_nothing_is_drawn_without_a_warning(made):
    with in_style("screen"):
        figure = empty_figure((7, 7), "screen")
        draw_page(figure, made)
        figure.draw_without_rendering()
    assert len(figure.axes) == 1


def test_the_key_names_every_size():
    with in_style("paper"):
        figure = empty_figure((7, 7))
        draw_page(figure, record([(ribbon(5), ribbon(20))]))
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[:2] == ["median, N=5", "median, N=20"]
    assert any("generation 1" in text for text in texts)
