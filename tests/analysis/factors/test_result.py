"""What a result says, from one that is made by hand."""

import json
from math import inf, nan

import numpy as np
import pytest

from debox.analysis.factors.result import Factors, Share

AXES = {"F": (0.5, 1.0), "Cr": (0.1, 0.5, 0.9)}


def result(**changes):
    shares = {("F",): Share(0.7, 0.6, 0.8), ("Cr",): Share(0.32, 0.2, 0.4), ("F", "Cr"): Share(-0.02, -0.1, 0.05)}
    facts = {
        "of": "mean",
        "axes": AXES,
        "runs": 50,
        "planned": 50,
        "where": {"crossover": "bin", "N": (5, 20)},
        "confidence": 0.95,
        "variance": Share(0.04, 0.03, 0.05),
        "noise": 0.001,
        "variances": {u: 0.04 * share.value for u, share in shares.items()},
        "components": shares,
        "first": {"F": shares["F",], "Cr": shares["Cr",]},
        "total": {"F": Share(0.68, 0.6, 0.75), "Cr": Share(0.3, 0.2, 0.4)},
        "shapley": {"F": Share(0.69, 0.6, 0.78), "Cr": Share(0.31, 0.2, 0.4)},
        "effects": {(): np.array(0.5), ("F", "Cr"): np.zeros((2, 3))},
    }
    return Factors(**facts | changes)


def test_the_text_tells_what_is_decomposed_and_every_share():
    assert str(result()).splitlines() == [
        "mean POIS: 6 configurations of 50 runs, crossover = bin, N = 5, 20",
        "variance between configurations 0.04 [0.03, 0.05], sd 0.2; noise of 0.001 is removed",
        "shares of it with 95 % intervals (cells fixed, runs random)",
        "",
        "    levels  alone                    with interactions        Shapley",
        "F   2       70.0 % [60.0, 80.0]      68.0 % [60.0, 75.0]      69.0 % [60.0, 78.0]",
        "Cr  3       32.0 % [20.0, 40.0]      30.0 % [20.0, 40.0]      31.0 % [20.0, 40.0]",
        "",
        "The strongest interactions",
        "F × Cr                                  -2.0 % [-10.0, 5.0]",
    ]


def test_a_study_short_of_its_planned_runs_is_told_as_such():
    assert str(result(planned=80)).startswith("mean POIS: 6 configurations of 50 of 80 planned runs, crossover = bin")


def test_columns_have_a_row_for_every_component_and_every_share():
    columns = result().columns()
    assert list(columns) == ["kind", "factors", "variance", "share", "low", "high"]
    assert columns["kind"] == ["component"] * 3 + ["first"] * 2 + ["total"] * 2 + ["shapley"] * 2
    assert columns["factors"][:3] == ["F", "Cr", "F × Cr"]
    assert columns["variance"] == pytest.approx([0.04 * share for share in columns["share"]])
    assert {len(column) for column in columns.values()} == {9}


def test_the_dictionary_is_json_and_what_is_not_finite_is_none():
    unknown = {"F": Share(nan, -inf, inf), "Cr": Share(0.3, 0.2, 0.4)}
    read = json.loads(json.dumps(result(total=unknown).as_dict(), allow_nan=False))
    assert read["variance"] == {"value": 0.04, "low": 0.03, "high": 0.05}
    row = next(one for one in read["shares"] if (one["kind"], one["factors"]) == ("total", "F"))
    assert row == {"kind": "total", "factors": "F", "variance": None, "share": None, "low": None, "high": None}
    assert read["where"] == {"crossover": "bin", "N": [5, 20]}
    assert (read["configurations"], read["runs"], read["of"]) == (6, 50, "mean")


def test_what_is_not_known_is_said():
    assert Share(nan, -inf, inf).percent() == "unknown"
    assert Share(0.5, -inf, inf).percent() == "50.0 % [anything]"


LEVELS = {"N": (5, 20), "crossover": ("bin",), "F": (0.5, 1.0), "Cr": (0.1, 0.9)}


def with_shares(values, axes=LEVELS):
    shares = {u: Share(value, value, value) for u, value in values.items()}
    return result(axes=axes, components=shares, variances=values)


def test_interactions_begin_with_the_largest_and_leave_out_factors_of_one_level():
    found = with_shares({("F",): 0.9, ("F", "Cr"): 0.1, ("N", "F"): 0.3, ("crossover", "F"): 0.0})
    assert [u for u, _ in found.interactions()] == [("N", "F"), ("F", "Cr")]


def test_the_strongest_pair_has_the_largest_variance_of_all_pairs():
    assert with_shares({("F",): 9, ("N", "F"): 1, ("N", "Cr"): 2, ("N", "F", "Cr"): 5}).strongest_pair == ("N", "Cr")
    with pytest.raises(ValueError, match="two factors with several levels"):
        with_shares({("F",): 1, ("F", "Cr"): 0}, {"F": (0.5, 1.0), "Cr": (0.1,)}).strongest_pair  # noqa: B018


def test_a_study_of_one_factor_has_no_list_of_interactions():
    one = Share(1.0, 1.0, 1.0)
    shares = {"components": {("F",): one}, "variances": {("F",): 1.0}, "axes": {"F": (0.5, 1.0)}}
    assert "interactions\n" not in str(result(**shares))
    assert "The strongest" not in str(result(**shares))
