"""predict on tables and stores: what is stored is returned, what is not there is refused by name."""

from itertools import product

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned
from stored_rows import edited, filled, rows

import debox
from debox import Config
from debox.analysis.old_runs import Runs
from debox.analysis.predict import answer
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Writer

F, CR = (0.2, 0.5, 1.0, 1.4), (0.1, 0.5, 0.9)
SAT = "DE/rand/1/exp sat"


@pytest.fixture
def table(made):
    """Two crossovers, two N; three runs of each cell."""
    return made(
        {
            ("rand/1", crossover, "saturation", N, f, c): np.array([0, 10, 20]) / 1000 + f * (1 + c) / 4
            for crossover, N, f, c in product(("bin", "exp"), (5, 20), F, CR)
        }
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The runs of two budgets, of which the second has all POIS 0."""
    cells = list(product((0.5, 1.0), (0.1, 0.9)))
    parts = [rows(range(3), f"DE/rand/1/exp sat, N=5, F={f}, Cr={c}", n=n) for n in (2, 3) for f, c in cells]
    study = edited(F=[0.5, 1.0], Cr=[0.1, 0.9], dimension=[2, 3], runs=3)
    path = tmp_path_factory.mktemp("predict") / "store"
    return filled(Writer.create(path, Manifest(study)), *parts)


def test_a_stored_configuration_is_returned_to_the_bit(table):
    one = debox.predict(table, SAT, N=5, F=0.5, Cr=0.9)
    assert one.stored
    assert one.pois.tolist() == [np.round(x * 1000) / 1000 for x in np.array([0, 0.01, 0.02]) + 0.5 * 1.9 / 4]


def test_text_config_and_keywords_say_the_same(table):
    whole = debox.predict(table, f"{SAT}, N=5, F=0.6, Cr=0.7")
    for other in (
        debox.predict(table, SAT, N=5, F=0.6, Cr=0.7),
        debox.predict(table, f"{SAT}, N=5", F=0.6, Cr=0.7),
        debox.predict(table, Config(f"{SAT}, N=5, F=0.6, Cr=0.7")),
        debox.predict(Runs.of(table), SAT, N=5, F=0.6, Cr=0.7),
    ):
        assert other.pois.tolist() == whole.pois.tolist()
    assert not whole.stored
    assert debox.predict(table, SAT, N=20, F=0.6, Cr=0.7).pois.tolist() != whole.pois.tolist()


def test_between_cells_lies_what_is_between_them(table):
    low, middle, high = (debox.predict(table, SAT, N=5, F=f, Cr=0.5).mean() for f in (0.5, 0.7, 1.0))
    assert low < middle < high


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"F": 0.1}, r"F must be a number with 0.2 ≤ F ≤ 1.4, the levels of the study .* got 0.1"),
        ({"F": 1.41}, "0.2 ≤ F ≤ 1.4"),
        ({"Cr": 0.95}, r"Cr must be a number with 0.1 ≤ Cr ≤ 0.9"),
        ({"Cr": np.nan}, "Cr must be a number"),
        ({"F": "much"}, "F must be a number"),
        ({"N": 7}, "the study has no N 7; there are runs with N 5, 20"),
        ({"F": None}, "missing: F; a configuration reads as"),
        (
            {"config": "DE/rand/1/exp tor"},
            "the study has no strategy 'toroidal'; there are runs with strategy saturation",
        ),
        ({"config": "DE/rand/1/exp wall"}, "unknown strategy 'wall'"),
        ({"config": f"{SAT}, F=0.3"}, "F is given twice"),
        ({"config": "DE/rand/1/exp"}, "does not read as"),
        ({"config": f"{SAT}, colour=red"}, "unknown setting 'colour'; choose from dimension"),
    ],
)
def test_what_the_study_does_not_have_is_refused(table, given, message):
    with pytest.raises(ValueError, match=message):
        debox.predict(table, **{"config": SAT, "N": 5, "F": 0.6, "Cr": 0.7} | given)


def test_no_text_is_refused(table):
    with pytest.raises(TypeError, match="a Config or its text"):
        debox.predict(table, 5, N=5, F=0.6, Cr=0.7)


def test_missing_and_short_cells_of_the_panel_are_listed_and_others_do_not_matter(table):
    def without(keep):
        return {name: column[keep] for name, column in table.items()}

    lost = (table["F"] == 0.5) & (table["Cr"] == 0.5) & (table["N"] == 5) & (table["crossover"] == "exp")
    with pytest.raises(
        ValueError, match=r"same 3 runs, these have fewer: rand/1/exp saturation, N=5, F=0.5, Cr=0.5: 0"
    ):
        debox.predict(without(~lost), SAT, N=5, F=0.6, Cr=0.7)
    short = lost & (table["run"] == 1)
    with pytest.raises(ValueError, match=r"N=5, F=0.5, Cr=0.5: 2"):
        debox.predict(without(~short), SAT, N=5, F=0.6, Cr=0.7)
    assert debox.predict(without(~lost), SAT, N=20, F=0.6, Cr=0.7).runs == 3


def test_a_store_needs_a_choice_between_its_dimensions(store):
    with pytest.raises(ValueError, match="dimension = 2, 3; choose one"):
        debox.predict(store, SAT, N=5, F=0.7, Cr=0.5)
    two, three = (debox.predict(store, SAT, N=5, F=0.7, Cr=0.5, n=n) for n in (2, 3))
    assert (two.dimension, three.dimension) == (2, 3)
    assert two.pois.tolist() != three.pois.tolist()
    assert debox.predict(str(store.path), SAT, N=5, F=0.7, Cr=0.5, n=3).pois.tolist() == three.pois.tolist()


def test_an_open_store_reads_a_panel_once_and_again_when_its_files_change(store, monkeypatch):
    opened, read = debox.open_store(store.path), []
    table_of = opened.table
    monkeypatch.setattr(opened, "table", lambda *a, **where: read.append(where) or table_of(*a, **where))
    for F in (0.6, 0.7):
        debox.predict(opened, SAT, N=5, F=F, Cr=0.5, n=3)
    assert read == [{"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5}]
    monkeypatch.setattr(answer.files, "state", lambda path: (path.name, 1, 2))
    debox.predict(opened, SAT, N=5, F=0.7, Cr=0.5, n=3)
    assert len(read) == 2


def test_operators_that_are_not_installed_are_predicted_without_theory(made):
    cells = {("my-own/2", "exp", "wall", 5, f, c): [f * (1 + c) / 4] for f, c in product(F, CR)}
    one = debox.predict(made(cells), "DE/my-own/2/exp wall", N=5, F=0.7, Cr=0.3)
    assert 0.5 * 1.1 / 4 < one.mean() < 1.0 * 1.5 / 4
    assert str(one).startswith("DE/my-own/2/exp wall, N=5, F=0.7, Cr=0.3")


def test_another_setting_of_the_study_is_part_of_the_configuration(made):
    cells = {("rand/1", "exp", "saturation", 5, f, c): [f * (1 + c) / 4] for f, c in product(F, CR)}
    table = made(cells, donors="not-target")
    assert debox.predict(table, f"{SAT}, N=5, F=0.7, Cr=0.3, donors=not-target").runs == 1
    with pytest.raises(ValueError, match="no runs where donors is distinct"):
        debox.predict(table, SAT, N=5, F=0.7, Cr=0.3, donors="distinct")


@pytest.fixture
def adaptive(made):
    """Runs of JADE's recipe, and of the same without adaptation and all POIS a tenth."""
    cells = {("current-to-pbest/1", "bin", "midpoint-target", 20, f, c): [f * (1 + c) / 5] for f, c in product(F, CR)}
    jade, fixed = made(cells, donors="not-target"), made(cells, donors="not-target")
    fixed["pois"] = np.full(len(fixed["pois"]), 0.1)
    table = {name: np.concatenate([jade[name], fixed[name]]) for name in jade}
    return table | {"adaptation": np.repeat(np.array(["JADE", "fixed"], object), len(jade["pois"]))}


def test_a_recipe_is_read_as_its_parts_with_its_start(adaptive):
    whole = "DE/curr-to-pbest/1/bin mid-tgt, N=20, F=0.5, Cr=0.5, adaptation=JADE"
    for asked in ("JADE, N=20", "jade mid-tgt, N=20, F=0.5", "SHADE, N=20, adaptation=JADE", whole, Config(whole)):
        found = debox.predict(adaptive, asked)
        assert found.stored
        assert found.mean() == pytest.approx(0.15)
        assert found.config == whole
        assert f'measure "{whole}" --n 30' in str(found)
    assert debox.predict(adaptive, "JADE, N=20", Cr=0.9).mean() == pytest.approx(0.19)
    fixed = debox.predict(adaptive, "JADE, N=20, adaptation=fixed", F=0.5, Cr=0.5)
    assert fixed.config == "DE/curr-to-pbest/1/bin mid-tgt, N=20, F=0.5, Cr=0.5, donors=not-target"
    assert fixed.mean() == pytest.approx(0.1)


def test_a_setting_that_contradicts_the_text_is_refused(adaptive):
    with pytest.raises(ValueError, match="adaptation is given twice: 'JADE' by the configuration, 'fixed' besides"):
        debox.predict(adaptive, "JADE, N=20", adaptation="fixed")
    assert debox.predict(adaptive, "JADE, N=20", adaptation="jade").stored


def test_of_several_adaptations_one_must_be_named(made):
    table = with_adaptations(made({(F, Cr): [0.3, 0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), fixed=0, SHADE=0.1)
    with pytest.raises(ValueError, match=r"choose one: --where adaptation=SHADE"):
        debox.predict(table, "DE/rand/1/exp sat, N=5, F=0.5, Cr=0.1")
    found = debox.predict(table, "DE/rand/1/exp sat, N=5, F=0.5, Cr=0.1, adaptation=SHADE")
    assert found.mean() == pytest.approx(0.4)


def test_of_several_adaptations_that_are_planned_one_that_alone_has_runs_need_not_be_named(made):
    table = with_adaptations(made({(F, Cr): [0.3, 0.3] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), SHADE=0.1)
    plan = planned(table, adaptation=["fixed", "SHADE"])
    found = debox.predict(Runs.of(table, plan), "DE/rand/1/exp sat, N=5, F=0.5, Cr=0.1")
    assert found.mean() == pytest.approx(0.4)
    assert found.config.endswith("adaptation=SHADE")


@pytest.mark.parametrize("config", [3, None, [SAT]])
def test_what_is_no_configuration_is_an_error_that_shows_one(store, config):
    with pytest.raises(
        TypeError, match=r"^a configuration is a Config or its text, such as 'DE/rand/1/bin sat, .* got"
    ):
        debox.predict(store, config)


@pytest.mark.parametrize(
    "config", [f"{SAT}, N=5, F=0.6, Cr=0.5", Config(f"{SAT}, N=5, F=0.6, Cr=0.5"), "SHADE, N=5", "rand/1/exp sat"]
)
def test_where_the_configuration_stands_first_the_error_says_that_the_store_does(store, config):
    for swapped in (store, store.path, str(store.path), store.table(), "out/nothing", 3):
        with pytest.raises(
            ValueError, match=f"^the store comes first, then the configuration: got '{config}' as source$"
        ):
            debox.predict(config, swapped)


def test_a_store_may_be_called_as_a_configuration_is(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="SHADE"):
        debox.predict("SHADE", f"{SAT}, N=5, F=0.6, Cr=0.5")
    store.path.rename(tmp_path / "SHADE")
    try:
        assert debox.predict("SHADE", f"{SAT}, N=5, F=0.6, Cr=0.5", n=2).F == 0.6
        with pytest.raises(ValueError, match="missing: N, F, Cr"):
            debox.predict("SHADE", "out/nothing")
    finally:
        (tmp_path / "SHADE").rename(store.path)
