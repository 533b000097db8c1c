"""What the page's data hold, taken apart in Python."""

import base64
import gzip
import json

import numpy as np
import pytest
from adaptations import with_adaptations
from explorer_table import packed, table

from debox.analysis.old_runs import Runs
from debox.explore.data import cells_of, pack
from debox.store.counts import byte_planes, infeasible, zigzag_second_differences


def unpacked(packed):
    """Counts by mark, as page/data.js reads them."""
    raw = np.frombuffer(gzip.decompress(base64.b64decode(packed.counts)), np.uint8)
    width = packed.header["bytes"]
    numbers = sum(plane.astype(np.int64) << (8 * k) for k, plane in enumerate(raw.reshape(width, -1)))
    seconds = np.where(numbers % 2, -(numbers + 1) // 2, numbers // 2).reshape(len(packed.header["marks"]), -1)
    return seconds.cumsum(axis=0).cumsum(axis=0)


def test_every_count_is_there_exactly_in_the_order_of_the_axes():
    found = packed(table(), runs=2)
    assert found.header["marks"] == [20, 40, 60]
    assert found.header["axes"]["F"] == [0.5, 1.5]
    assert found.header["runs"] == 2
    assert unpacked(found).tolist() == [[0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3, 4, 5, 6, 7]]


def test_cells_may_have_different_numbers_of_runs_or_none():
    found = packed(table(runs=(3, 0, 1, 2)), runs=3)
    assert found.header["runs"] == [3, 0, 1, 2]
    assert unpacked(found)[-1].tolist() == [0, 1, 2, 3, 4, 5]


def test_counts_of_three_bytes_and_of_four():
    """Second differences are written twice as large: 2²³ − 1 fits into three bytes, 2²³ needs a fourth."""
    for budget, width in ((2**23 - 1, 3), (2**23, 4)):
        rows = table(counts=[0, 1, 255, 256, 65_535, 65_536, budget - 1, budget], budget=budget)
        del rows["pois_at_third"], rows["pois_at_two_thirds"]
        found = packed(rows, runs=2, budget=budget)
        assert found.header["bytes"] == width
        assert unpacked(found).tolist() == [[0, 1, 255, 256, 65_535, 65_536, budget - 1, budget]]


def test_bends_are_second_differences_by_hand():
    """Counts 5, 11, 15: steps 5, 6, 4; bends 5, 1, −2, written 10, 2, 3. Falling ones are no run's, but kept."""
    assert zigzag_second_differences(np.array([[5], [11], [15]])).tolist() == [10, 2, 3]
    assert zigzag_second_differences(np.array([[0, 5], [0, 2]])).tolist() == [0, 10, 0, 15]


@pytest.mark.parametrize(
    ("columns", "settings"),
    [
        ({"donors": "distinct", "reevaluate": True, "repair": "mutant"}, {"repair": "mutant"}),
        ({"donors": "not-target", "frozen": True, "repair": "trial"}, {"donors": "not-target", "frozen": True}),
        ({"adaptation": "jDE", "donors": "distinct"}, {"adaptation": "jDE", "donors": "distinct"}),
        ({"adaptation": "jDE"}, {"adaptation": "jDE"}),
        ({"taste": "some", "colour": "red"}, {}),  # columns that debox does not know
    ],
)
def test_the_header_names_settings_that_are_not_the_usual_ones(columns, settings):
    rows = table()
    rows |= {name: np.full(len(rows["pois"]), value) for name, value in columns.items()}
    header = pack(Runs.of(rows)).header
    assert header["settings"] == settings
    assert json.loads(json.dumps(header)) == header


def test_the_header_has_every_operator_of_debox_with_its_short_name():
    operators = pack(Runs.of(table())).header["operators"]
    assert operators["crossover"] == {"bin": "bin", "exp": "exp"}
    assert operators["strategy"]["mirror"] == "mirr"
    assert {"none", "resample"} <= operators["strategy"].keys()


def test_a_short_name_that_an_operator_of_the_study_has_is_not_given_to_another():
    """A study with `sat`, which is somebody else's, and with `saturation`: both are called by their whole names."""
    rows = table()
    rows["strategy"] = np.array(["sat", "saturation"] * 4)
    operators = pack(Runs.of(rows)).header["operators"]
    assert (operators["strategy"]["saturation"], operators["strategy"]["mirror"]) == ("saturation", "mirr")


def test_the_header_has_formulas_and_what_chose_the_runs():
    rows = table()
    rows["dimension"] = np.array([3] * 4 + [5] * 4)
    header = pack(Runs.of(rows, where={"n": 5})).header
    assert (header["where"], header["dimension"]) == ({"dimension": 5}, 5)
    assert header["formulas"]["mutation"]["rand/1"] == "v = x_r1 + F (x_r2 − x_r3)"
    assert all(line for lines in header["formulas"].values() for line in lines.values())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("F", np.nan, "F must be finite, got nan"),
        ("Cr", np.inf, "Cr must be finite, got inf"),
        ("N", np.nan, "N must be finite, got nan"),
        ("dimension", 2.5, "dimension must be an integer ≥ 1, got 2.5"),
        ("dimension", 0, "dimension must be an integer ≥ 1, got 0"),
        ("budget", 60.5, "budget must be an integer ≥ 1, got 60.5"),
        ("budget", -60, "budget must be an integer ≥ 1, got -60"),
    ],
)
def test_numbers_that_no_page_can_show_are_named(name, value, message):
    """JSON has no NaN: the page would not begin."""
    rows = table()
    rows[name] = np.full(8, value)
    with pytest.raises(ValueError, match=message):
        pack(Runs.of(rows))


def test_runs_are_numbered_if_their_places_are_their_numbers():
    """A page tells a run's number only if it knows it: not of a table without numbers, nor of an unfinished study."""
    rows = table()
    assert pack(Runs.of(rows)).header["numbered"] is False
    for numbers, numbered in (([0, 1] * 4, True), ([0, 1] * 3 + [0, 2], False)):
        assert pack(Runs.of(rows | {"run": np.array(numbers)})).header["numbered"] is numbered


def test_whole_numbers_may_be_written_as_others():
    rows = table()
    rows |= {"dimension": np.full(8, 3.0), "budget": np.full(8, 60.0)}
    assert json.dumps(pack(Runs.of(rows)).header["dimension"]) == "3"


def test_runs_that_are_no_grid_are_refused_before_they_fill_the_memory():
    """600 runs with an F and a Cr of their own: 360 000 cells, of which 600 have a run. 400 make 160 000, which fit."""
    for runs, fits in ((400, True), (600, False)):
        rows = {name: np.resize(column, runs) for name, column in table().items()}
        rows |= {"F": np.linspace(0.1, 2, runs), "Cr": np.linspace(0, 1, runs)}
        if fits:
            assert len(cells_of(Runs.of(rows))) == 160_000
        else:
            with pytest.raises(ValueError, match=r"at most 200000 cells.*got 360000.* for 600 configurations.*`where`"):
                pack(Runs.of(rows))


def test_a_checkpoint_that_some_runs_lack_is_left_out():
    rows = table()
    rows["pois_at_third"][3] = np.nan
    assert pack(Runs.of(rows)).header["marks"] == [40, 60]


def test_planes_are_lowest_bytes_first():
    assert byte_planes(np.array([1, 0x0A0B0C]), 3).tolist() == [[1, 0x0C], [0, 0x0B], [0, 0x0A]]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, 0.123456, np.nan])
def test_a_pois_that_is_no_number_of_trials_is_named(wrong):
    with pytest.raises(ValueError, match=r"pois must be a whole number of trials ÷ 60 evaluations, in \[0, 1\], got"):
        infeasible(np.array([0.5, wrong]), 60)


def test_of_several_adaptations_donors_are_always_told_and_no_adaptation_is_a_setting():
    header = pack(Runs.of(with_adaptations(table(), fixed=0, SHADE=0))).header
    assert list(header["axes"]) == ["mutation", "crossover", "strategy", "N", "adaptation", "F", "Cr"]
    assert header["axes"]["adaptation"] == ["fixed", "SHADE"]
    assert header["settings"] == {"donors": "not-target"}
    assert header["operators"]["adaptation"]["SHADE"] == "SHADE"
