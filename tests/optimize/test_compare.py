import json
import re
from itertools import product

import numpy as np
import pytest
from compared import BOX, comparison, corner
from scipy.stats import wilcoxon

import debox
from debox import Choice, Fixed, Integer
from debox.optimize.compare import (
    DEFAULT,
    LEVEL,
    coverage,
    holm,
    order_statistic,
    runs_needed,
    signed_rank,
)


def test_run_k_of_every_strategy_is_minimize_with_the_seed_k():
    names = ["mirror", "toroidal"]
    found = debox.compare(corner, BOX, names, budget=60, runs=3, rng=5, F=0.4)
    assert len(set(found.seeds)) == 3
    for row, name in enumerate(names):
        for k, seed in enumerate(found.seeds):
            result = debox.minimize(corner, BOX, strategy=name, budget=60, rng=seed, F=0.4)
            assert (found.values[row, k], found.pois[row, k]) == (result.fun, result.pois)
            assert found.x[row, k].tolist() == result.x.tolist()
            assert found.evaluations[row, k] == 60


def test_paired_runs_begin_with_the_same_population():
    seen = []

    def record(x):
        seen.append(x.tolist())
        return corner(x)

    debox.compare(record, BOX, ["mirror", "uniform"], N=8, budget=40, runs=2)
    runs = [seen[start : start + 8] for start in range(0, 160, 40)]  # run 0 of both, run 1 of both
    assert runs[0] == runs[1]
    assert runs[2] == runs[3]
    assert runs[0] != runs[2]


def test_more_runs_begin_with_the_same_seeds_and_another_rng_has_others():
    few, more = (debox.compare(corner, BOX, ["mirror"], budget=20, runs=runs).seeds for runs in (2, 5))
    assert more[:2] == few
    other = debox.compare(corner, BOX, ["mirror"], budget=20, runs=2, rng=1).seeds
    assert not set(other) & set(few)


def test_by_default_it_compares_the_documented_strategies():
    found = debox.compare(corner, BOX, budget=20, runs=2)
    assert found.strategies == DEFAULT
    assert f"By default one of each idea: {', '.join(DEFAULT)}." in re.sub(r"\s+", " ", debox.compare.__doc__)


def test_all_are_those_of_the_table_that_evaluate_points_in_the_box():
    found = debox.compare(corner, BOX, "all", budget=20, runs=2)
    table = {one.name for one in debox.operators.in_slot("strategy")}
    assert table - set(found.strategies) == {"none", "penalty"}
    asked = debox.compare(corner, BOX, ["none", "penalty"], budget=20, runs=2)
    assert asked.strategies == ("none", "penalty")


def test_a_strategy_that_is_worse_is_found_worse():
    """At a minimum in a corner saturation lands on it, and toroidal is thrown to the other end of the range."""
    found = debox.compare(corner, BOX, ["toroidal", "saturation"], budget=300, runs=15)
    assert found.best == "saturation"
    assert found.worse == ("toroidal",)
    assert found.p_values["toroidal"] <= LEVEL
    assert "worse, p" in str(found)


def test_runs_are_polished_only_when_asked_for():
    for polish in ({}, {"polish": "auto"}):
        found = debox.compare(corner, BOX, ["mirror"], budget=300, runs=2, **polish)
        run = debox.minimize(
            corner, BOX, strategy="mirror", budget=300, rng=found.seeds[0], polish=polish.get("polish", False)
        )
        assert (run.nfev_polish > 0) == bool(polish)
        assert found.x[0, 0].tolist() == run.x.tolist()


def test_strategies_that_never_differ_are_called_identical_and_neither_is_worse():
    """The base of the default mutation is the target."""
    names = ["midpoint-target", "saturation", "midpoint-base"]
    found = debox.compare(corner, BOX, names, budget=200, runs=7)
    assert found.identical == {"midpoint-base": "midpoint-target"}
    assert "The runs of midpoint-base are identical to those of midpoint-target." in str(found)
    assert found.p_values["midpoint-base"] == found.p_values["midpoint-target"]
    classic = debox.compare(corner, BOX, names, variant="DE/rand/1/bin", budget=200, runs=2)
    assert classic.identical == {}


def test_runs_with_equal_values_at_other_points_are_not_identical():
    points = np.array([[[0.0], [0.0]], [[1.0], [0.0]]])
    assert comparison([[3, 3], [3, 3]], x=points).identical == {}
    assert comparison([[3, 3], [3, 3]]).identical == {"b": "a"}


def test_where_the_best_has_a_twin_both_are_best():
    found = comparison([[2] * 9, [1] * 9, [1] * 9])
    assert (found.best, found.worse) == ("b", ("a",))
    assert [line.split()[-1] for line in str(found).splitlines()[3:5]] == ["best", "best"]


@pytest.mark.parametrize("runs", [2, 5, 9, 15])
def test_the_signed_rank_test_is_scipys_exact_one_without_ties(runs):
    rng = np.random.default_rng(runs)
    for shift in (0, 0.5, 2):
        a, b = rng.normal(shift, size=runs), rng.normal(size=runs)
        assert signed_rank(a, b) == pytest.approx(wilcoxon(a, b, method="exact").pvalue, abs=1e-12)


def by_enumeration(d):
    """The two-sided p-value from all signs of the differences, which have average ranks."""
    size = np.abs(d)
    ranks = np.array([(size < one).sum() + ((size == one).sum() + 1) / 2 for one in size])
    sums = np.array([ranks[np.array(signs)].sum() for signs in product([False, True], repeat=len(d))])
    T = ranks[d > 0].sum()
    return min(1.0, 2 * min((sums <= T).mean(), (sums >= T).mean()))


@pytest.mark.parametrize("d", [[1, 1, 1, -1, 2], [3, 3, -3, 5, 5, 7, 7], [1, 2, 2, 2, -4, np.inf, np.inf]])
def test_the_signed_rank_test_is_exact_with_ties_and_infinite_values(d):
    d = np.array(d, dtype=float)
    assert signed_rank(d, np.zeros(len(d))) == pytest.approx(by_enumeration(d))
    equal_too = np.append(d, [0.0, 0.0])
    assert signed_rank(equal_too, np.zeros(len(d) + 2)) == pytest.approx(by_enumeration(d))


def test_no_difference_at_all_has_the_p_value_1():
    same = np.array([1.0, np.inf, 3.0])
    assert signed_rank(same, same) == 1


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_interval_is_made_of_order_statistics():
    """Of 15 the 4th and the 12th: 1 − 2 (1 + 15 + 105 + 455) / 2¹⁵; of 5, all: 1 − 2/2⁵."""
    found = comparison([np.arange(15)[::-1]])
    assert found.intervals.tolist() == [[3, 11]]
    assert found.medians.tolist() == [7]
    assert found.confidence == pytest.approx(1 - 2 * 576 / 2**15)
    assert comparison([[5, 1, 4, 2, 3]]).intervals.tolist() == [[1, 5]]
    assert coverage(1, 5) == 1 - 2 / 32
    assert [order_statistic(runs) for runs in (2, 5, 6, 8, 9)] == [1, 1, 1, 1, 2]


def test_the_interval_holds_the_median_as_often_as_stated():
    """2000 samples of 15. With a chance of 96.5 %, fewer than 1895 or more than 1960 happen in 0.02 % of cases."""
    low, high = comparison(
        np.random.default_rng(3).exponential(size=(2000, 15)).tolist(), map(str, range(2000))
    ).intervals.T
    assert 1895 <= ((low <= np.log(2)) & (np.log(2) <= high)).sum() <= 1960


def test_medians_of_an_even_number_and_of_infinite_values():
    assert comparison([[1, 2, 4, 9]]).medians.tolist() == [3]
    assert comparison([[1, np.inf, np.inf, np.inf]]).medians.tolist() == [np.inf]


def test_equal_medians_are_ordered_by_the_upper_end_of_the_interval():
    assert comparison([[0, 0, 9], [0, 0, 1]]).order == ("b", "a")


def test_too_few_runs_to_find_anything_are_told():
    """The smallest p of 5 runs is 2/2⁵ > 0.05; with 3 strategies there are 3 pairs, and 2/2⁷ × 3 < 0.05."""
    few = comparison([[1] * 5, [2] * 5, [3] * 5])
    assert few.worse == ()
    assert "5 runs are too few to find any of 3 strategies worse: 7 are needed." in str(few)
    enough = comparison([[1] * 7, [2] * 7, [3] * 7])
    assert enough.worse == ("b", "c")
    assert "too few" not in str(enough)
    assert (runs_needed(2), runs_needed(3)) == (6, 7)


def test_one_strategy_or_twins_alone_are_not_called_better_or_worse():
    assert "Worse" not in str(comparison([[1, 2]]))
    twins = str(comparison([[1, 2], [1, 2]]))
    assert "Worse" not in twins
    assert "The runs of b are identical to those of a." in twins


def test_an_objective_without_numbers_is_worse_than_one_with():
    with pytest.warns(RuntimeWarning, match="NaN"):
        found = debox.compare(lambda x: np.nan, BOX, ["mirror", "toroidal"], budget=20, runs=2)
    assert np.isinf(found.values).all()
    assert found.worse == ()
    assert found.as_dict()["strategies"][0]["median"] is None
    assert "inf" in str(found)


def test_the_table_reads_well_at_80_columns():
    found = debox.compare(corner, BOX, "all", budget=30, runs=3)
    lines = str(found).splitlines()
    assert lines[0] == f"debox: {len(found.strategies)} strategies × 3 runs of 30 evaluations"
    assert max(map(len, lines)) <= 80
    rows = lines[3 : 3 + len(found.strategies)]
    assert tuple(row.split()[0] for row in rows) == found.order
    assert rows[0].split()[1] == f"{found.medians.min():.4g}"


def test_different_medians_are_shown_with_different_digits():
    lines = str(comparison([[1000.01] * 3, [1000.02] * 3])).splitlines()[3:5]
    assert [line.split()[1] for line in lines] == ["1000.01", "1000.02"]


def test_where_a_median_looks_like_the_least_the_table_shows_differences():
    """Where one is worse beyond chance and both read 1, a reader asks by how much; 2⁻³⁰ is 9.31e-10."""
    _, _, head, *lines = str(comparison([[1] * 9, [1 + 2**-30] * 9, [3] * 9])).splitlines()
    assert "median f − 1 " in head
    assert [line.split()[1:5] for line in lines[:2]] == [
        ["0", "0", "…", "0"],
        ["9.31e-10", "9.31e-10", "…", "9.31e-10"],
    ]
    assert lines[2].split()[1] == "2"
    assert "Medians and intervals are differences from the least median, 1.0." in lines
    for others in ([[1, 1], [1.001, 1.001]], [[1, 3], [2, 2]], [[np.inf, np.inf], [np.inf, np.inf]]):
        assert "difference" not in str(comparison(others))


def test_early_ends_show_in_the_title():
    found = comparison([[1, 2]])
    object.__setattr__(found, "evaluations", np.array([[1000, 2500]]))
    assert str(found).startswith("debox: 1 strategy × 2 runs of 1,000 to 2,500 evaluations")


def test_notebooks_show_the_same_table_and_names_are_escaped():
    found = comparison([[1, 2], [3, 4]], names=["<b>", "mine"])
    html = found._repr_html_()
    assert html == f"<pre>{found}</pre>".replace("<b>", "&lt;b&gt;")
    assert "<b>" not in html


def test_json_has_all_of_it():
    found = debox.compare(corner, BOX, ["mirror", "saturation"], budget=40, runs=2)
    facts = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert facts["seeds"] == list(found.seeds)
    assert facts["best"] == found.best
    assert [one["strategy"] for one in facts["strategies"]] == ["mirror", "saturation"]
    assert [one["values"] for one in facts["strategies"]] == found.values.tolist()
    assert [one["pois"] for one in facts["strategies"]] == found.pois.tolist()
    assert [one["x"] for one in facts["strategies"]] == found.x.tolist()


def test_what_it_holds_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        comparison([[1, 2]]).values[0, 0] = 3


def test_a_strategy_per_variable_and_names_of_ones_own():
    assert debox.compare(corner, BOX, [["mirror", "tor"], "mirr"], budget=20, runs=2).strategies == (
        "mirror+toroidal",
        "mirror",
    )
    found = debox.compare(corner, BOX, {"wrap y": ["mirror", "tor"], "no wrap": "mirr"}, budget=20, runs=2)
    assert found.strategies == ("wrap y", "no wrap")


WRONG = {
    "strategies must be a sequence of strategies, a mapping or 'all', got 'mirror'": {"strategies": "mirror"},
    "strategies must hold one strategy or more, or be 'all', got []": {"strategies": []},
    "strategies must hold one strategy or more, or be 'all', got 3": {"strategies": 3},
    "strategies has 'mirror' twice; name them yourself": {"strategies": ["mirror", "mirr"]},
    "unknown strategy 'torodial'; did you mean 'toroidal'?": {"strategies": ["mirror", "torodial"]},
    "unknown strategy 'clip'; did you mean 'saturation'?": {"strategies": {"a": "clip"}},
    "runs must be an integer ≥ 2, got 1": {"runs": 1},
    "rng must be an integer ≥ 0, got -1": {"rng": -1},
    "disp must be True or False, got 1": {"disp": 1},
    "budget must be": {"budget": 0},
    "fun must be callable, got 3": {"fun": 3},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_arguments_are_named_before_anything_is_evaluated(message):
    def never(x):
        raise AssertionError("evaluated")

    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        debox.compare(**({"fun": never, "bounds": BOX} | WRONG[message]))


KEYWORDS = {
    "strategy": "use strategies, the ones to compare",
    "popsize": "use N, the size of the whole population",
    "target": "runs are compared by their final values, so that all spend their budget",
    "nonsense": "choose from fun, bounds",
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_unknown_keywords_are_answered(name):
    with pytest.raises(TypeError, match=f"unknown option '{name}'; {re.escape(KEYWORDS[name])}"):
        debox.compare(corner, BOX, **{name: 1})


def test_ctrl_c_is_raised_at_once():
    calls = []

    def interrupted(x):
        calls.append(1)
        if len(calls) == 50:
            raise KeyboardInterrupt
        return corner(x)

    with pytest.raises(KeyboardInterrupt):
        debox.compare(interrupted, BOX, ["mirror", "toroidal"], budget=40, runs=3)
    assert len(calls) == 50


def test_vectorized_workers_and_args_give_the_same_comparison():
    one = debox.compare(scaled, BOX, ["mirror", "uniform"], budget=60, runs=2, args=(3,))
    for options in ({"vectorized": True}, {"workers": 2}, {"workers": map}):
        other = debox.compare(scaled, BOX, ["mirror", "uniform"], budget=60, runs=2, args=(3,), **options)
        assert (other.values == one.values).all()
    plain = debox.compare(corner, BOX, ["mirror", "uniform"], budget=60, runs=2)
    assert one.values == pytest.approx(3 * plain.values)


def scaled(x, factor):
    return factor * (x[0] + x[1])


def test_progress_is_a_line_per_run(capsys):
    debox.compare(corner, BOX, ["mirror", "toroidal"], budget=20, runs=2, disp=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": best f = ")[0] for line in lines] == ["run 1 of 2", "run 2 of 2"]


def test_the_best_points_of_variables_with_names_and_kinds_are_in_json_as_a_program_would_write_them():
    bounds = {"teeth": Integer(1, 9), "grade": Choice(["soft", 2 + 1j, None]), "load": Fixed(3)}
    found = debox.compare(lambda x: (x[0] - 3) ** 2 + (x[1] - 1) ** 2, bounds, ["mirror"], budget=200, runs=2)
    assert found.params == (({"teeth": 3, "grade": 2 + 1j, "load": 3},) * 2,)
    facts = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert facts["strategies"][0]["params"] == [{"teeth": 3, "grade": "(2+1j)", "load": 3}] * 2
    assert facts["strategies"][0]["x"] == [[3, 1, 3]] * 2
    unnamed = debox.compare(lambda x: x[0], list(bounds.values()), ["mirror"], budget=60, runs=2)
    assert unnamed.as_dict()["strategies"][0]["params"][0][0] == 1
    assert (
        "params"
        not in debox.compare(lambda x: x[0], [(0, 1)], ["mirror"], budget=60, runs=2).as_dict()["strategies"][0]
    )
