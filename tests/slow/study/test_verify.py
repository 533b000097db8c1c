"""verify: a good store passes, and whatever is changed in it is found."""

import shutil

import numpy as np
import pytest

import debox
from debox import Config, Study, operators
from debox.analysis.runs import Runs
from debox.store.manifest import Manifest
from debox.store.store import Store
from debox.study import estimate
from debox.study.plan import plan
from debox.study.verify import verify
from debox.study.work import source_digest


@pytest.fixture(scope="module")
def finished(tiny, tmp_path_factory):
    """The store of the study, whole."""
    return debox.run(tiny, tmp_path_factory.mktemp("finished") / "store").path


@pytest.fixture
def store(finished, tmp_path):
    """A copy of it, to be changed."""
    return debox.open_store(shutil.copytree(finished, tmp_path / "store"))


def changed(store, path, rows=64, **columns):
    """A store, valid as a file, of the first so many rows, with something else in these columns' first row."""
    table = {name: column[:rows].copy() for name, column in store.table().items()}
    for name, value in columns.items():
        table[name][0] = value
    other = Store.create(path, store.manifest)
    with other.locked():
        other.append(table)
    return path


def test_a_good_store_is_good_and_so_is_its_packed_file(store, tmp_path):
    found = verify(store.path, sample=64)
    assert found.is_good
    assert str(found) == "64 of 64 runs, complete; no problems, 64 done again"
    assert (found.runs, found.of, found.others, found.repeated) == (64, 64, 0, 64)
    store.pack(tmp_path / "packed.parquet", drop=["best_x", "seconds"])
    assert verify(tmp_path / "packed.parquet", sample=64) == found


def test_the_sample_is_at_most_what_there_is_and_may_be_none(store):
    assert verify(store.path, sample=1000).repeated == 64
    assert verify(store.path, sample=0).repeated == 0


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-9], lambda data: data[:99] + b"\0" + data[100:]], ids=["cut", "bit"]
)
def test_a_damaged_part_is_named(store, spoil):
    part = store.parts()[-1]
    part.write_bytes(spoil(part.read_bytes()))
    found = verify(store.path)
    assert [problem for problem in found.problems if part.name in problem]


@pytest.mark.parametrize(
    "change",
    [{"run": 9}, {"F": 0.7}, {"strategy": "mirror"}, {"N": 6}, {"seed": 3}, {"budget": 999}, {"id": "0" * 16}],
    ids=str,
)
def test_a_row_that_is_not_what_its_id_says_is_named(store, tmp_path, change):
    found = verify(changed(store, tmp_path / "other", **change), sample=0)
    id = "0" * 16 if "id" in change else store.table()["id"][0]
    assert [
        problem
        for problem in found.problems
        if problem.startswith("1 runs are not what their id says") and id in problem
    ]


def test_an_engine_that_the_study_would_not_use_is_named(store, tmp_path):
    found = verify(changed(store, tmp_path / "other", engine="plain"), sample=0)
    assert found.problems == [f"1 runs were not done by the engine of the study: {store.table()['id'][0]}"]


@pytest.mark.parametrize("pois", [-0.1, 0.99, np.nan])
def test_an_impossible_pois_is_named(store, tmp_path, pois):
    found = verify(changed(store, tmp_path / "other", pois=pois), sample=0)  # budget 200, N = 5: at most 0.975
    assert len(found.problems) == 1
    assert "impossible pois" in found.problems[0]


@pytest.mark.parametrize("column", ["pois", "pois_at_third", "accepted", "best_f", "best_x"])
def test_the_last_bit_of_a_run_done_again_counts(store, tmp_path, column):
    before = store.table()[column][0]
    after = before + 1 if column == "accepted" else np.nextafter(before, 0.5)
    found = verify(changed(store, tmp_path / "other", rows=8, **{column: after}), sample=8)
    (problem,) = found.problems
    assert problem.startswith(f"run {store.table()['id'][0]} comes out differently when done again: {column}")
    assert "," not in problem


def test_seconds_are_not_compared(store, tmp_path):
    assert verify(changed(store, tmp_path / "other", rows=8, seconds=1e9), sample=8).is_good


def test_runs_that_an_edited_study_no_longer_asks_for_are_good(store, tiny):
    edited = Study(**{**tiny.as_dict(), "F": [0.5, 0.6]})
    debox.run(edited, store.path)
    found = verify(store.path)
    assert (found.is_good, found.is_complete, found.runs, found.of, found.others) == (True, True, 96, 64, 32)
    assert "64 of 64 runs, complete, 32 others of an earlier study; no problems" in str(found)


def test_an_unfinished_store_is_good_and_says_that_it_is_incomplete(tiny, tmp_path):
    debox.run(tiny, tmp_path / "some", only="n=2")
    found = verify(tmp_path / "some")
    assert (found.is_good, found.is_complete, found.runs, found.of) == (True, False, 32, 64)
    assert str(found) == "32 of 64 runs, incomplete; no problems, 20 done again"


def test_an_empty_store_is_good_and_says_that_it_is_incomplete(tiny, tmp_path):
    Store.create(tmp_path / "empty", Manifest(tiny, source_digest()))
    found = verify(tmp_path / "empty")
    assert (found.is_good, found.runs, found.repeated) == (True, 0, 0)
    assert str(found) == "0 of 64 runs, incomplete; no problems, 0 done again"


def test_that_other_code_wrote_the_store_is_said_once_and_only_if_a_run_comes_out_differently(tiny, tmp_path, store):
    for name, change in (("same", 0), ("changed", 1)):
        other, table = Store.create(tmp_path / name, Manifest(tiny, "0" * 16)), store.table()
        table["accepted"] = table["accepted"] + change
        with other.locked():
            other.append(table)
    assert verify(tmp_path / "same").is_good
    *runs, last = verify(tmp_path / "changed", sample=5).problems
    assert len(runs) == 5
    assert all("comes out differently" in problem and "other code" not in problem for problem in runs)
    assert last.startswith("other code of debox wrote the store: source 0000000000000000, now ")


def test_runs_of_another_seed_than_the_study_are_a_problem(tiny, tmp_path, store):
    """A store never takes a study of another seed: somebody edited its manifest."""
    path = shutil.copytree(store.path, tmp_path / "edited")
    manifest = path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"seed": {tiny.seed}', f'"seed": {tiny.seed + 5}'))
    problems = verify(path, sample=0).problems
    assert any(f"runs have another seed than the study, {tiny.seed + 5}: " in problem for problem in problems)


def test_a_run_that_does_not_fit_into_memory_is_a_problem_not_a_crash(store, monkeypatch):
    def too_large(chunk, source):
        raise MemoryError("N = 5 points do not fit")

    monkeypatch.setattr("debox.study.verify.run_chunk", too_large)
    found = verify(store.path, sample=2, rng=1)
    assert len(found.problems) == 2
    assert all("cannot be done again: N = 5" in problem for problem in found.problems)


@pytest.fixture
def both_repairs():
    """Six configurations: saturation, and conservatism with either repair, for two N."""
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": ["sat", "conservatism"], "N": [5, 6], "F": 0.9}
    return Study(name="repairs", runs=2, n=2, budget=60, Cr=0.5, repair=["trial", "mutant"], **factors)


def test_a_store_holds_runs_of_either_repair_and_gives_those_asked_for(both_repairs, tmp_path):
    store = debox.run(both_repairs, tmp_path / "store", workers=1)
    assert verify(store.path, sample=12).is_good
    table = store.table()
    pairs = set(zip(table["strategy"], table["repair"], strict=True))
    assert pairs == {("saturation", "trial"), ("conservatism", "trial"), ("conservatism", "mutant")}
    for more in ("", ", repair=mutant"):
        config = f"DE/rand/1/bin conservatism, N=5, F=0.9, Cr=0.5{more}"
        assert store.edpois(config).tolist() == debox.sample_pois(config, n=2, budget=60, runs=2).tolist()


def test_parts_of_an_earlier_version_without_repair_are_read_as_trial(tiny, tmp_path):
    """Some parts have the column, others do not: the same ids, checksums and runs."""
    new = debox.run(tiny, tmp_path / "new", workers=1)
    table = new.table()
    assert set(table["repair"]) == {"trial"}
    half = np.arange(len(table["id"])) < 32
    older = Store.create(tmp_path / "older", new.manifest)
    with older.locked():
        older.append({name: column[half] for name, column in table.items() if name != "repair"})
        older.append({name: column[~half] for name, column in table.items()})
    assert verify(older.path, sample=5).is_good
    assert older.table()["repair"].tolist() == ["trial"] * 64
    config = "DE/rand/1/bin sat, N=5, F=0.5, Cr=0.9"
    assert older.edpois(config, n=2).tolist() == new.edpois(config, n=2).tolist()
    oldest = Store.create(tmp_path / "oldest", new.manifest)
    with oldest.locked():
        oldest.append({name: column for name, column in table.items() if name != "repair"})
    assert verify(oldest.path, sample=5).is_good
    assert oldest.edpois(config, n=2).tolist() == new.edpois(config, n=2).tolist()


def test_a_study_of_adaptations_is_run_stored_verified_and_read(tmp_path):
    """A store without the column, as earlier versions wrote it, is one of fixed F and Cr."""
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": ["sat", "tor"], "N": 10, "F": 0.5, "Cr": 0.9}
    study = Study(name="adaptive", adaptation=["jDE", "SHADE"], **factors, n=2, budget=60, runs=2)
    assert study.donors == ("not-target",)
    store = debox.run(study, tmp_path / "adaptive")
    assert verify(store.path, sample=8).is_good
    table = store.table()
    assert sorted(set(table["adaptation"].tolist())) == ["SHADE", "jDE"]
    assert set(table["engine"].tolist()) == {"plain"}
    config = "DE/rand/1/bin tor, N=10, F=0.5, Cr=0.9, adaptation=SHADE"
    expected = debox.sample_pois(config, n=2, budget=60, runs=2)
    assert store.edpois(config).tolist() == expected.tolist()
    mine = (table["strategy"] == "toroidal") & (table["adaptation"] == "SHADE")
    assert table["pois"][mine].tolist() == expected.tolist()
    assert Runs.of(table, study).axes["adaptation"] == ("jDE", "SHADE")
    shown = Runs.of(table, study, {"adaptation": "jde"})
    assert shown.caption.endswith("2 runs, adaptation = jDE, F and Cr at the start")


def test_a_study_of_every_mutation_and_strategy_is_planned_and_estimated():
    """Nothing is run: what is asked of an operator on the way to a run is known of each."""
    names = {slot: [o.name for o in operators.in_slot(slot)] for slot in ("mutation", "strategy")}
    names |= {"adaptation": [o.name for o in operators.in_slot("adaptation")], "donors": "not-target"}
    study = Study(name="all", **names, crossover="bin", N=8, F=0.7, Cr=0.5, n=2, budget=60, repair=["trial", "mutant"])
    assert estimate.seconds(study) > 0
    for chunk in plan(study):
        for task in chunk.tasks:
            assert Config(str(task.config)).operators == task.config.operators
