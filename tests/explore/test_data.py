"""What the page's data hold, taken apart in Python."""

import base64
import gzip
import json

import numpy as np
import pytest
from adaptations import with_adaptations
from explorer_table import packed, table

from debox import Config, operators
from debox.analysis.runs import Runs
from debox.config import Operators
from debox.explore.data import check_cells, operators_of, pack
from debox.f0.tables import why_not_fast


def header(rows):
    found = pack(Runs.of(rows)).header
    assert json.dumps(found, allow_nan=False)
    return found


def unpacked(packed):
    """Counts by mark, as page/study.js reads them."""
    raw = np.frombuffer(gzip.decompress(base64.b64decode(packed.counts)), np.uint8).reshape(packed.header["bytes"], -1)
    counts = sum(plane.astype(np.int64) << (8 * k) for k, plane in enumerate(raw))
    return counts.reshape(len(packed.header["marks"]), -1).tolist()


def test_every_count_is_there_exactly_in_the_order_of_the_axes():
    """Cells may have different numbers of runs, or none; a checkpoint that some runs lack is left out."""
    found = packed(table(), runs=2)
    assert (found.header["marks"], found.header["axes"]["F"], found.header["runs"]) == ([20, 40, 60], [0.5, 1.5], 2)
    assert unpacked(found) == [[0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3, 4, 5, 6, 7]]
    found = packed(table(runs=(3, 0, 1, 2)), runs=3)
    assert found.header["runs"] == [3, 0, 1, 2]
    assert unpacked(found)[-1] == [0, 1, 2, 3, 4, 5]
    rows = table()
    rows["pois_at_third"][3] = np.nan
    assert header(rows)["marks"] == [40, 60]


@pytest.mark.parametrize(("budget", "width"), [(2**24 - 1, 3), (2**24, 4)])
def test_counts_of_three_bytes_and_of_four(budget, width):
    rows = table(counts=[0, 1, 255, 256, 65_535, 65_536, budget - 1, budget], budget=budget)
    del rows["pois_at_third"], rows["pois_at_two_thirds"]
    found = packed(rows, runs=2, budget=budget)
    assert found.header["bytes"] == width
    assert unpacked(found) == [[0, 1, 255, 256, 65_535, 65_536, budget - 1, budget]]


@pytest.mark.parametrize(
    ("columns", "settings"),
    [
        ({"donors": "distinct", "reevaluate": True, "repair": "mutant"}, {"repair": "mutant"}),
        ({"donors": "not-target", "frozen": True, "repair": "trial"}, {"donors": "not-target", "frozen": True}),
        ({"adaptation": "jDE", "donors": "distinct"}, {"adaptation": "jDE", "donors": "distinct"}),
        ({"taste": "some", "colour": "red"}, {}),  # columns that debox does not know
    ],
)
def test_the_header_names_settings_that_are_not_the_usual_ones(columns, settings):
    rows = table() | {"strategy": np.full(8, "resample", object)}  # to which repair makes a difference
    assert header(rows | {name: np.full(8, value) for name, value in columns.items()})["settings"] == settings


def test_of_several_adaptations_donors_are_always_told_and_no_adaptation_is_a_setting():
    found = header(with_adaptations(table(), fixed=0, SHADE=0))
    assert list(found["axes"]) == ["mutation", "crossover", "strategy", "N", "adaptation", "F", "Cr"]
    assert found["axes"]["adaptation"] == ["fixed", "SHADE"]
    assert found["settings"] == {"donors": "not-target"}


def test_the_header_has_what_the_page_must_know_of_every_operator_of_debox():
    found = operators_of({})
    assert {slot: list(names) for slot, names in found.items()} == {
        slot: [operator.name for operator in operators.OPERATORS if operator.slot == slot] for slot in operators.SLOTS
    }
    usual = Config("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5").operators._asdict()
    slow = {o.name for o in operators.OPERATORS if why_not_fast(Operators(**{**usual, o.slot: o}))}
    assert {name for slot in found.values() for name, one in slot.items() if not one["here"]} == slow
    assert slow == {"current-to-rand/1", "current-to-pbest/1", "none", "jDE", "JADE", "SHADE", "L-SHADE"}
    assert found["strategy"]["mirror"]["short"] == "mirr"
    assert [found["strategy"][name]["minds"] for name in ("dismiss", "resample")] == [["reevaluate"], ["repair"]]
    assert found["mutation"]["rand/1"]["formula"] == "v = x_r1 + F (x_r2 − x_r3)"
    for name, one in found["mutation"].items():  # weights are linear in F
        if one["here"]:
            first, second = map(np.array, one["weights"])
            exact = operators.find("mutation", name).weights(0.3)
            np.testing.assert_allclose((first + 0.3 * (second - first))[: len(exact)], exact, atol=1e-15)


def test_a_short_name_that_an_operator_of_the_study_has_is_not_given_to_another():
    """A study with `sat`, which is somebody else's, and with `saturation`: both are called by their whole names."""
    found = header(table() | {"strategy": np.array(["sat", "saturation"] * 4, object)})["operators"]["strategy"]
    assert (found["saturation"]["short"], found["mirror"]["short"]) == ("saturation", "mirr")


def test_runs_are_numbered_if_their_places_are_their_numbers():
    """A page tells a run's number only if it knows it: not of a table without numbers, nor of an unfinished study."""
    assert header(table())["numbered"] is False
    for numbers, numbered in (([0, 1] * 4, True), ([0, 1] * 3 + [0, 2], False)):
        assert header(table() | {"run": np.array(numbers)})["numbered"] is numbered


def test_runs_that_are_no_grid_are_refused_before_they_fill_the_memory():
    """600 runs with an F and a Cr of their own: 360 000 cells, of which 600 have a run. 400 make 160 000, which fit."""
    rows = {name: np.resize(column, 600) for name, column in table().items()}
    rows |= {"F": np.linspace(0.1, 2, 600), "Cr": np.linspace(0, 1, 600)}
    check_cells(Runs.of({name: column[:400] for name, column in rows.items()}))
    with pytest.raises(ValueError, match=r"at most 200000 cells.*got 360000.* for 600 configurations.*`where`"):
        check_cells(Runs.of(rows))
