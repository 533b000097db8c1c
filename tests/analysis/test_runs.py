from itertools import product

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned

from debox import Config
from debox.analysis.runs import Runs

SAT = "DE/rand/1/exp sat, N=5"
COTN = "DE/curr-to-best/1/bin COTN, N=20"
DISMISS = "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.5"


def test_every_run_has_its_place_whatever_the_order_of_the_rows(table):
    cells = list(product((0.2, 0.4, 2.0), (0.1, 0.9)))
    given = table(*((f"{SAT}, F={F}, Cr={Cr}", [F / 4, Cr / 4, F * Cr / 4]) for F, Cr in cells))
    order = np.random.default_rng(3).permutation(18)
    runs = Runs.of({name: column[order] for name, column in given.items()})
    assert list(runs.axes) == ["mutation", "crossover", "strategy", "N", "F", "Cr"]
    assert (runs.axes["F"], runs.axes["Cr"], runs.shape) == ((0.2, 0.4, 2.0), (0.1, 0.9), (1, 1, 1, 1, 3, 2))
    expected = [[[F / 4, Cr / 4, F * Cr / 4] for Cr in (0.1, 0.9)] for F in (0.2, 0.4, 2.0)]
    assert runs["pois"][0, 0, 0, 0].tolist() == expected


def test_without_run_numbers_runs_are_in_the_order_of_the_table(table):
    given = table((f"{SAT}, F=0.7, Cr=0.9", [0.3, 0.1]), (f"{SAT}, F=0.7, Cr=0.5", [0.2]))
    del given["run"]
    runs = Runs.of(given)
    np.testing.assert_array_equal(runs["pois"].ravel(), [0.2, np.nan, 0.3, 0.1])
    assert (runs.counts.ravel().tolist(), runs.missing) == ([1, 2], "1 to 2 of 2 runs")


def test_axes_are_arranged_as_asked_and_those_of_one_level_left_out(table):
    cells = list(product((0.2, 0.4, 2.0), (0.1, 0.9)))
    runs = Runs.of(table(*((f"{SAT}, F={F}, Cr={Cr}", [F / 4, Cr / 4]) for F, Cr in cells)))
    assert runs.arrange(runs["pois"], "Cr", "N", "F")[1, 0].tolist() == [[F / 4, 0.9 / 4] for F in (0.2, 0.4, 2.0)]
    assert runs.arrange(runs.counts, "Cr", "F").tolist() == [[2] * 3] * 2
    with pytest.raises(ValueError, match="size not equal to one"):
        runs.arrange(runs.counts, "F")


def test_what_is_missing_is_nan_in_its_place(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.4, 0.5]), (f"{COTN}, F=0.7, Cr=0.5", [0.9]))
    given = {name: column[[0, 2, 3]] for name, column in given.items()}  # run 1 is missing
    runs = Runs.of(given, planned(given, runs=4))
    np.testing.assert_array_equal(
        runs.take(N=5, mutation="rand/1")["pois"][0, 1, 1, 0, 0, 0], [0.3, np.nan, 0.5, np.nan]
    )
    assert runs.planned == 4
    with pytest.raises(
        ValueError, match=r"every configuration needs the same 2 runs, these have fewer: .*; and 1[0-9] more"
    ):
        runs.complete()


def test_runs_that_are_alike_are_complete_without_those_that_are_planned(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.4]), (f"{SAT}, F=0.7, Cr=0.9", [0.5, 0.6]))
    runs = Runs.of(given, planned(given, runs=5)).complete()
    assert runs["pois"].ravel().tolist() == [0.3, 0.4, 0.5, 0.6]
    assert (runs.planned, runs.missing) == (5, "2 of 5 runs")


def test_a_run_that_is_there_twice_is_refused(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.4]))
    given["run"][:] = 3
    with pytest.raises(ValueError, match=r"run . of rand/1/exp saturation, N=5, F=0.7, Cr=0.5 is there more than once"):
        Runs.of(given)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("wrong", [-0.1, 0.99999, np.nan])
def test_an_impossible_pois_is_named(table, wrong, first):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [wrong, 0.3] if first else [0.3, wrong]))
    with pytest.raises(ValueError, match=f"from 0 to 1 − N/budget.*; rand/1/exp saturation.* has {wrong:g}"):
        Runs.of(given).complete()


def test_share_is_of_trials_and_logit_is_finite(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.0, 1 - 5 / 300_000]))
    runs = Runs.of(given)
    assert runs.share.ravel().tolist() == [0.0, 1.0]
    none, every = runs.logit.ravel()
    assert none == pytest.approx(np.log(0.5 / 299_995.5)) == pytest.approx(-every)


def test_dimensions_are_an_axis_and_the_budget_follows_them(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.4]))
    given["dimension"], given["budget"] = np.array([10, 30]), np.array([100, 300])
    given["run"][:] = 0
    runs = Runs.of(given)
    assert list(runs.axes) == ["mutation", "crossover", "strategy", "N", "dimension", "F", "Cr"]
    assert runs.trials.ravel().tolist() == [95, 295]
    with pytest.raises(ValueError, match=r"dimension = 10, 30; choose one: --where dimension=10 \(in Python: dim"):
        runs.require_one()
    for where in ({"n": 30}, {"dimension": "30"}, ["n=30"]):
        one = Runs.of(given, where=where)
        assert list(one.require_one().axes) == ["mutation", "crossover", "strategy", "N", "F", "Cr"]
        assert one["pois"].item() == 0.4
        assert one.caption == "n = 30, budget 300, 1 run"
    with pytest.raises(ValueError, match="where: dimension must be one of 10, 30, got 7"):
        Runs.of(given, where={"n": 7})


def test_only_runs_that_dismiss_differ_by_reevaluate(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]), (DISMISS, [0.4]), (f"{DISMISS}, reevaluate=False", [0.5]))
    assert Runs.of(given).axes["reevaluate"] == (False, True)
    for value, pois in ((True, [0.4, 0.3]), ("false", [0.5, 0.3])):
        assert Runs.of(given, where={"reevaluate": value})["pois"].ravel().tolist() == pois


def test_adaptations_are_an_axis_where_they_vary_or_are_planned(made):
    given = with_adaptations(made({(0.5, 0.1): [0.3], (0.5, 0.9): [0.5]}), fixed=0, SHADE=0.1)
    runs = Runs.of(given)
    assert runs.axes["adaptation"] == ("fixed", "SHADE")
    assert runs["pois"].ravel() == pytest.approx([0.3, 0.5, 0.4, 0.6])
    alone = Runs.of(given, where={"adaptation": "shade"})
    assert "adaptation" not in alone.axes
    assert (alone.adaptations, alone.adapts) == (("SHADE",), True)
    shade = {name: column[2:] for name, column in given.items()}
    both = Runs.of(shade, planned(shade, adaptation=["JADE", "SHADE"], runs=1))
    assert both.axes["adaptation"] == ("JADE", "SHADE")
    assert both.require_one()["pois"].ravel() == pytest.approx([0.4, 0.6])  # JADE has no runs


def test_a_part_is_taken_by_levels_and_comparisons(table):
    cells = product((5, 20, 100), (0.2, 0.7, 2.0))
    runs = Runs.of(table(*((f"DE/rand/1/exp sat, N={N}, F={F}, Cr=0.5", [F / N]) for N, F in cells)))
    part = runs.take(N=(20, 5), F="<=1", strategy="sat")
    assert (part.axes["N"], part.axes["F"]) == ((5, 20), (0.2, 0.7))
    assert part["pois"].ravel().tolist() == [0.2 / 5, 0.7 / 5, 0.2 / 20, 0.7 / 20]
    assert Runs.of(runs, where=["N=5,20", "F<=1"])["pois"].ravel().tolist() == part["pois"].ravel().tolist()
    with pytest.raises(ValueError, match="the runs do not vary in dimension"):
        runs.take(dimension=30)


def test_too_large_an_array_is_refused_with_a_choice(made, monkeypatch):
    monkeypatch.setattr("debox.analysis.runs.MOST_ENTRIES", 11)
    given = made({(F, Cr): [0.1, 0.2] for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.9)})
    with pytest.raises(
        ValueError, match=r"12 runs \(3 F × 2 Cr × 2 runs\), more than 11; choose some levels, such as F=0.5"
    ):
        Runs.of(given)
    assert Runs.of(given, where={"F": 0.5}).shape[-2:] == (1, 2)


def test_a_table_without_runs_has_axes_of_what_is_planned(table):
    empty = Runs.of(table())
    assert (empty.shape, empty.planned) == ((0, 0, 0, 0, 0, 0), 0)
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]))
    none = {name: column[:0] for name, column in given.items()}
    runs = Runs.of(none, planned(given, runs=3))
    assert (np.isnan(runs["pois"]).all(), runs["pois"].shape[-1], runs.missing) == (True, 3, "no runs")


def test_a_part_with_one_adaptation_says_which_in_its_caption(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.2): [0.1]}), fixed=0, JADE=0.1))
    shared = "n = 30, budget 1 000, 1 run, "
    assert runs.caption == f"{shared}donors = not-target, F and Cr at the start where they adapt"
    fixed, jade = (runs.take(adaptation=name).require_one() for name in ("fixed", "JADE"))
    assert fixed.caption == f"{shared}donors = not-target"
    assert jade.caption == f"{shared}adaptation = JADE, F and Cr at the start"
    assert (fixed.adaptations, jade.adaptations) == (("fixed",), ("JADE",))


def test_a_study_says_what_was_planned(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3] * 30))
    runs = Runs.of(given, planned(given, runs=50, F=[0.7, 2.0], strategy=["tor", "sat"]))
    assert (runs.planned, runs.missing) == (50, "0 to 30 of 50 runs")
    assert [runs.axes[name] for name in ("F", "Cr", "strategy")] == [(0.7, 2.0), (0.5,), ("toroidal", "saturation")]
    exact = Runs.of(given, planned(given, F=[0.05, 0.266, 0.483, 0.7], grid="exact"))
    assert (exact.axes["F"], exact.left_out) == (pytest.approx((0.05, 0.05 + 0.65 / 3, 0.05 + 1.3 / 3, 0.7)), 0)


def test_what_all_runs_share_is_told_shortly(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]))
    assert Runs.of(given, planned(given, name="mine", runs=1)).caption == "mine: n = 30, budget 300 000, 1 run"
    assert Runs.of(given, where={"frozen": "false"}).caption == "n = 30, budget 300 000, 1 run, frozen = False"
    other = given | {"donors": np.array(["not-target"], object)}
    assert Runs.of(other, planned(other)).caption == "made: n = 30, budget 300 000, 50 runs, donors = not-target"
    adaptive = other | {"adaptation": np.array(["JADE"], object)}
    assert Runs.of(adaptive).caption == "n = 30, budget 300 000, 1 run, adaptation = JADE, F and Cr at the start"
    target = adaptive | {"donors": np.array(["distinct"], object)}
    assert "1 run, donors = distinct, adaptation = JADE, F" in Runs.of(target).caption
    few = {name: given[name] for name in ("mutation", "crossover", "strategy", "N", "F", "Cr", "pois")}
    assert Runs.of(few).caption == "1 run"


def test_where_F_and_Cr_adapt_they_are_called_those_of_the_start(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]))
    adaptive = given | {"adaptation": np.array(["JADE"], object)}
    text = "F 90 %, F × Cr: (F ≤ 1, DE/F/Cr, Crow, F0)"
    assert Runs.of(given).say_starting_values(text) == text
    assert Runs.of(adaptive).say_starting_values(text) == (
        "starting F 90 %, starting F × starting Cr: (starting F ≤ 1, DE/F/Cr, Crow, F0)"
    )


def test_settings_other_than_the_usual_are_written_as_configurations_write_them(table):
    for text in ("", ", donors=not-parents, frozen=True", ", adaptation=JADE", ", donors=distinct, adaptation=jDE"):
        config = Config(f"{SAT}, F=0.7, Cr=0.5{text}")
        assert str(config).endswith(f"Cr=0.5{text}")
        assert Runs.of(table((str(config), [0.3]))).options == text


def test_what_levels_that_are_not_chosen_lack_does_not_matter(made):
    cells = {("rand/1", "bin", "saturation", N, F, 0.1): [F / N] * 2 for N in (5, 20) for F in (0.5, 1.0)}
    del cells["rand/1", "bin", "saturation", 20, 0.5, 0.1]
    runs = Runs.of(made(cells))
    with pytest.raises(ValueError, match=r"N=20, F=0.5, Cr=0.1: 0$"):
        runs.complete()
    assert runs.take(N=5).complete()["pois"].ravel().tolist() == [0.1, 0.1, 0.2, 0.2]
    with pytest.raises(ValueError, match="this needs at least 3 runs of every configuration, these have 2"):
        runs.take(N=5).complete(3)


def test_a_budget_or_column_that_is_lacking_is_named(made):
    table = made({("rand/1", "bin", "saturation", N, 0.5, 0.9): [0.0, 0.0] for N in (5, 20)}, budget=20)
    said = "budget must be larger than N, else a run has no trials; it is 20"
    assert Runs.of(table).obstacle() == said
    for column in ("budget", "dimension"):
        fewer = {name: values for name, values in table.items() if name != column}
        assert Runs.of(fewer).obstacle() == f"the table has no column {column}, which this needs"


def test_a_full_design_that_no_array_holds_is_refused_before_it_is_made(made):
    """15 001 values of F, each with its own Cr: a design of 225 030 001 configurations."""
    diagonal = {(1 + k / 15_000, k / 15_000): [0.1] for k in range(15_001)}
    with pytest.raises(ValueError, match=r"an array of 225,030,001 runs .* choose some levels, such as F=1.0"):
        Runs.of(made(diagonal))
