from itertools import product

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned
from stored_rows import edited, filled, rows

import debox
from debox import Config
from debox.analysis.old_runs import Panel, Runs
from debox.store.manifest import Manifest
from debox.store.store import Writer

SAT = "DE/rand/1/exp sat, N=5"
COTN = "DE/curr-to-best/1/bin COTN, N=20"


def test_a_panel_is_read_and_written_as_the_paper_writes_it():
    panel = Panel.of("de/current-to-best/1/BIN saturation", N=5)
    assert panel.levels == ("current-to-best/1", "bin", "saturation", 5)
    assert panel.title == "DE/curr-to-best/1/bin sat, N=5"


@pytest.mark.parametrize("text", ["DE/rand/1/exp", "DE/rand/1/exp sat, F=0.7", "F=1"])
def test_a_panel_is_a_variant_and_a_strategy_nothing_else(text):
    with pytest.raises(ValueError, match=r"does not read as 'DE/mutation/crossover strategy'"):
        Panel.of(text, N=5)


def test_N_of_a_panel_stands_in_the_text_or_beside_it():
    assert (
        Panel.of("DE/rand/1/exp sat, N=5") == Panel.of("DE/rand/1/exp sat", 5) == Panel.of("DE/rand/1/exp sat, N=5", 5)
    )
    with pytest.raises(ValueError, match=r"N is missing: write 'DE/rand/1/exp sat, N=5'"):
        Panel.of("DE/rand/1/exp sat")
    with pytest.raises(ValueError, match=r"N is given twice: in 'DE/rand/1/exp sat, N=5' and as N=6"):
        Panel.of("DE/rand/1/exp sat, N=5", 6)


def test_runs_of_a_configuration_are_found_in_their_order(table):
    runs = Runs.of(table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.1, 0.2]), (f"{COTN}, F=0.7, Cr=0.5", [0.9])))
    assert runs.values(Panel.of("DE/rand/1/exp sat", 5), 0.7, 0.5).tolist() == [0.3, 0.1, 0.2]
    assert runs.values(Panel.of("DE/curr-to-best/1/bin COTN", 20), 0.7, 0.5).tolist() == [0.9]
    assert runs.values(Panel.of("DE/rand/1/exp sat", 5), 0.7, 0.5, "run").tolist() == [0, 1, 2]


def test_a_configuration_without_runs_has_none(table):
    runs = Runs.of(table((f"{SAT}, F=0.7, Cr=0.5", [0.3])))
    assert runs.values(Panel.of("DE/rand/1/exp sat", 20), 0.7, 0.5).size == 0
    assert runs.values(Panel.of("DE/rand/1/exp sat", 5), 0.8, 0.5).size == 0


def test_the_order_of_the_rows_does_not_matter(table):
    F_and_Cr = [(F, Cr) for F in (0.2, 0.4, 2.0) for Cr in (0.1, 0.9)]
    given = table(*((f"{SAT}, F={F}, Cr={Cr}", [F * Cr / 4, F / 4, Cr]) for F, Cr in F_and_Cr))
    order = np.random.default_rng(3).permutation(18)
    mixed = Runs.of({name: column[order] for name, column in given.items()})
    for F, Cr in F_and_Cr:
        values = mixed.values(Panel.of("DE/rand/1/exp sat", 5), F, Cr)
        assert sorted(values) == sorted([F * Cr / 4, F / 4, Cr])


def test_the_axes_are_what_is_there_in_rising_order(table):
    runs = Runs.of(table((f"{COTN}, F=1.5, Cr=0.5", [0.3]), (f"{SAT}, F=0.7, Cr=0.99", [0.3])))
    assert runs.axes["F"] == (0.7, 1.5)
    assert runs.axes["Cr"] == (0.5, 0.99)
    assert runs.axes["N"] == (5, 20)
    assert runs.axes["strategy"] == ("COTN", "saturation")
    assert len(runs.panels()) == 2 * 2 * 2 * 2  # also combinations without any run


def test_a_study_says_what_was_planned(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3] * 30))
    runs = Runs.of(given, planned(given, runs=50, F=[0.7, 2.0], strategy=["tor", "sat"]))
    assert runs.planned == 50
    assert runs.axes["F"] == (0.7, 2.0)
    assert runs.axes["strategy"] == ("toroidal", "saturation")
    assert runs.axes["Cr"] == (0.5,)


def test_the_values_of_an_exact_grid_are_equally_spaced(table):
    given = table((f"{SAT}, F={0.05 + 0.433 / 2}, Cr=0.5", [0.3]))
    runs = Runs.of(given, planned(given, F=[0.05, 0.266, 0.483], grid="exact"))
    assert runs.axes["F"] == pytest.approx((0.05, 0.2665, 0.483))
    assert (len(runs.axes["F"]), runs.left_out) == (3, 0)


def test_without_a_study_the_most_runs_were_planned(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3] * 4), (f"{SAT}, F=0.7, Cr=0.9", [0.3] * 7))
    assert Runs.of(given).planned == 7


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


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_a_caption_tells_reevaluate_of_the_runs_to_which_it_matters(table, order):
    """Config writes True for saturation, whatever the study says."""
    dismiss = "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.5, reevaluate=False"
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]), (dismiss, [0.3]))
    runs = Runs.of({name: column[order] for name, column in given.items()})
    assert runs.caption == "n = 30, budget 300 000, 1 run, reevaluate = False"


def test_an_empty_table_has_no_panels(table):
    runs = Runs.of(table())
    assert (runs.planned, runs.panels()) == (0, [])


def test_of_several_dimensions_one_must_be_chosen_which_may_be_called_n(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.4]))
    given["dimension"] = np.array([10, 30])
    with pytest.raises(ValueError, match=r"dimension = 10, 30; choose one: --where dimension=10"):
        Runs.of(given)
    assert Runs.of(given, where={"dimension": 30}).table["pois"].tolist() == [0.4]
    assert Runs.of(given, where={"n": "10"}).table["pois"].tolist() == [0.3]
    with pytest.raises(ValueError, match="no runs where dimension is 7; the runs have dimension = 10, 30"):
        Runs.of(given, where={"n": 7})


DISMISS = "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.5"


def test_only_runs_that_dismiss_differ_by_reevaluate(table):
    """With any other strategy a Config takes False as True, so a study of both strategies has both values."""
    given = table((f"{SAT}, F=0.7, Cr=0.5, reevaluate=False", [0.3]), (f"{DISMISS}, reevaluate=False", [0.4]))
    assert given["reevaluate"].tolist() == [True, False]
    for where in ({}, {"reevaluate": False}):
        assert Runs.of(given, where=where).table["pois"].tolist() == [0.3, 0.4]
    assert not Runs.of(given).setting("reevaluate")
    with pytest.raises(ValueError, match="no runs where reevaluate is True; the runs have reevaluate = False"):
        Runs.of(given, where={"reevaluate": True})


def test_of_runs_that_dismiss_with_and_without_reevaluation_one_must_be_chosen(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]), (DISMISS, [0.4]), (f"{DISMISS}, reevaluate=False", [0.5]))
    with pytest.raises(
        ValueError, match="the runs have reevaluate = False, True; choose one: --where reevaluate=False"
    ):
        Runs.of(given)
    assert Runs.of(given, where={"reevaluate": True}).table["pois"].tolist() == [0.3, 0.4]
    assert Runs.of(given, where={"reevaluate": "false"}).table["pois"].tolist() == [0.3, 0.5]


def test_a_setting_is_what_all_runs_have_in_common_if_they_know_it(table):
    runs = Runs.of(table((f"{SAT}, F=0.7, Cr=0.5", [0.3])))
    assert (runs.setting("dimension"), runs.setting("reevaluate"), runs.setting("unknown")) == (30, None, None)
    assert Runs.of(table()).setting("dimension") is None


def test_where_is_about_what_all_runs_of_a_figure_share(table):
    with pytest.raises(
        ValueError,
        match="where must be one of dimension, donors, reevaluate, frozen, repair, adaptation, budget, got 'F'",
    ):
        Runs.of(table((f"{SAT}, F=0.7, Cr=0.5", [0.3])), where={"F": 0.7})


def test_a_missing_column_is_named(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3]))
    del given["pois"]
    with pytest.raises(ValueError, match="the table has no column pois"):
        Runs.of(given)


@pytest.mark.parametrize("column", ["mutation", "crossover", "strategy", "donors"])
def test_a_name_that_could_not_be_part_of_a_file_name_is_refused(table, column):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.1]))
    given[column][1] = "/../../x"
    with pytest.raises(ValueError, match=f"the column {column} must be a name .* got '/../../x'"):
        Runs.of(given)


def test_what_is_chosen_is_a_name_also_where_it_makes_no_difference(table):
    """It names a folder; whether dismissed trials are evaluated is nothing to those who do not dismiss."""
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.1]))
    assert Runs.of(given, where={"reevaluate": False}).where == {"reevaluate": False}
    with pytest.raises(ValueError, match="where reevaluate must be a name"):
        Runs.of(given, where={"reevaluate": "/../../x"})


def test_operators_that_are_not_installed_are_called_by_their_names(table):
    given = table((f"{SAT}, F=0.7, Cr=0.5", [0.3, 0.1]))
    given["mutation"][:], given["strategy"][:] = "my-own/2", "bounce"
    runs = Runs.of(given, planned(given, mutation=["my-own/2", "curr-to-best/1"]))
    assert runs.axes["mutation"] == ("my-own/2", "current-to-best/1")
    assert [panel.title for panel in runs.panels_with_runs] == ["DE/my-own/2/exp bounce, N=5"]


def test_several_adaptations_are_a_factor_after_N(made):
    table = with_adaptations(made({(0.5, 0.1): [0.3, 0.4], (0.5, 0.9): [0.5, 0.6]}), fixed=0, SHADE=0.1)
    runs = Runs.of(table)
    assert list(runs.axes) == ["mutation", "crossover", "strategy", "N", "adaptation", "F", "Cr"]
    assert runs.axes["adaptation"] == ("fixed", "SHADE")
    fixed, shade = runs.panels()
    assert (fixed.title, shade.title) == ("DE/rand/1/exp sat, fixed, N=5", "DE/rand/1/exp sat, SHADE, N=5")
    assert runs.values(fixed, 0.5, 0.1) == pytest.approx([0.3, 0.4])
    assert runs.values(shade, 0.5, 0.1) == pytest.approx([0.4, 0.5])
    assert runs.values(Panel.of("DE/rand/1/exp sat, N=5"), 0.5, 0.1).size == 0  # which of them is not said
    assert (
        runs.panels_with_runs
        == {fixed, shade}
        == {Panel.of(f"DE/rand/1/exp sat, adaptation={a}", 5) for a in ["fixed", "SHADE"]}
    )
    assert runs.caption == ("n = 30, budget 1 000, 2 runs, donors = not-target, F and Cr at the start where they adapt")
    assert runs.say_starting_values("F") == "starting F"
    with pytest.raises(ValueError, match=r"adaptation = SHADE, fixed; choose one: --where adaptation=SHADE"):
        runs.require_one_adaptation()


def test_of_several_adaptations_one_may_be_chosen_and_is_no_factor(made):
    table = with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.1)
    runs = Runs.of(table, where={"adaptation": "shade"}).require_one_adaptation()
    assert "adaptation" not in runs.axes
    assert runs.values(Panel.of("DE/rand/1/exp sat, N=5"), 0.5, 0.1) == pytest.approx([0.4])


def test_an_adaptation_that_is_planned_has_its_place_without_a_run(made):
    table = with_adaptations(made({(0.5, 0.1): [0.3]}), SHADE=0.1)
    runs = Runs.of(table, planned(table, adaptation=["JADE", "SHADE"]))
    assert runs.axes["adaptation"] == ("JADE", "SHADE")
    assert [panel.adaptation for panel in runs.panels_with_runs] == ["SHADE"]
    (panel,) = (alone := runs.require_one_adaptation()).panels_with_runs  # all runs have the same: it is no factor
    assert (panel, alone.adaptations) == (Panel.of("DE/rand/1/exp sat, N=5"), ("SHADE",))
    assert alone.values(panel, 0.5, 0.1) == pytest.approx([0.4])
    assert alone.caption.endswith("adaptation = SHADE, F and Cr at the start")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three runs of each of two crossovers, F and Cr."""
    cells = product(("bin", "exp"), (0.5, 1.0), (0.1, 0.9))
    parts = [rows(range(3), f"DE/rand/1/{crossover} sat, N=5, F={F}, Cr={Cr}") for crossover, F, Cr in cells]
    study = edited(crossover=["bin", "exp"], F=[0.5, 1.0], Cr=[0.1, 0.9], runs=3)
    return filled(Writer.create(tmp_path_factory.mktemp("runs") / "store", Manifest(study)), *parts)


def test_a_frame_whose_columns_are_not_found_by_their_names_is_refused(store):
    with pytest.raises(ValueError, match="source must be a store, its path, a DataFrame or a mapping of columns, got"):
        debox.factors(store.to_arrow())


def test_a_study_is_a_study_or_its_keys_and_a_store_knows_its_own(store):
    more = edited(crossover=["bin", "exp"], F=[0.5, 1.0], Cr=[0.1, 0.9], runs=7)
    assert Runs.from_source(store).planned == 3
    for study in (more, more.as_dict()):
        for source in (store, store.table(), Runs.of(store.table())):
            assert Runs.from_source(source, study).planned == 7
    for wrong in (3, 0, "mine"):
        with pytest.raises(ValueError, match=f"^study must be a debox.Study or a mapping of its keys, got {wrong!r}$"):
            Runs.from_source(store, wrong)


def test_runs_that_are_grouped_already_are_grouped_again_only_for_a_choice(store):
    runs = Runs.from_source(store)
    assert Runs.from_source(runs) is runs
    assert Runs.from_source(runs, None, {"n": 3}).where == {"dimension": 3}
