"""redo, verify and status: numbers decide whether a store can go on, and whatever is changed in it is found."""

import inspect
import json
import shutil
import textwrap

import numpy as np
import pytest

import debox
from debox import Study, open_store, operators, reference
from debox.operators.outside import load_file
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Writer
from debox.study.verify import choose, redo, same, status_of, verify

# Upgrades: what may change, and what may not, between two executions of a study.


@pytest.fixture
def in_python(monkeypatch):
    """Runs are done by reference.py, in which a test can change a line; gives the function that changes one."""
    monkeypatch.setattr("debox.loop.is_compiled", lambda: False)
    monkeypatch.setattr("debox.loop.warn_user", lambda *_: None)

    def change(function, *edits):
        source, space = textwrap.dedent(inspect.getsource(function)), {}
        for old, new in edits:
            assert old in source
            source = source.replace(old, new)
        exec(source, reference.__dict__ | space, space)
        monkeypatch.setattr(function, "__code__", space[function.__name__].__code__)

    return change


FACTORS = {"mutation": "rand/1", "crossover": "bin", "F": [1.5, 2], "Cr": 0.9, "n": 2, "engine": "plain"}


@pytest.fixture
def begun(tmp_path):
    """Half of a study of mirror and of a small and a large N; gives its store and the function that resumes it."""
    study = Study(name="begun", **FACTORS, strategy=["mirr", "sat"], N=[5, 50], budget="400 n", runs=4)

    def resume(report=None):
        return debox.run(study, tmp_path / "store", workers=1, report=report)

    def begin():
        debox.run(Study(**{**study.as_dict(), "runs": 2}), tmp_path / "store", workers=1)
        return tmp_path / "store", resume

    return begin


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (reference.mirror, "low + (d - width)", "low + (d - width) / 2"),  # beyond the opposite bound
        (reference.count, "+= de.infeasible[i]", "+= de.infeasible[i] and len(de.P) < 50"),
    ],
    ids=["a far branch of mirror", "a line that only N ≥ 50 reaches"],
)
def test_a_changed_line_that_few_runs_reach_refuses_to_go_on_and_names_run_and_values(
    begun, in_python, monkeypatch, function, old, new
):
    path, resume = begun()
    before, manifest = open_store(path).finished(), (path / "manifest.json").read_text()
    in_python(function, (old, new))
    with pytest.raises(StoreError, match=r"cannot go on here: .* stored runs that .* come out differently") as told:
        resume()
    version = debox.__version__
    assert f"Use the versions and operators that made it (debox {version}, " in str(told.value)
    run = str(told.value).split("run ")[1][:16]
    assert run in before
    assert " stored, " in str(told.value)
    assert open_store(path).finished() == before
    assert (path / "manifest.json").read_text() == manifest
    monkeypatch.setattr("debox.study.verify.GLANCE_SECONDS", 1000)
    assert any(f"run {run} comes out differently" in problem for problem in verify(open_store(path))["problems"])
    assert any(f"run {run} comes out differently" in problem for problem in status_of(open_store(path))["differing"])


def test_a_renamed_variable_and_another_python_go_on_and_the_manifest_lists_both(begun, in_python):
    path, resume = begun()
    in_python(reference.mirror, ("width", "span"))
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["source"], manifest["versions"]["python"] = "0123456789abcdef", "3.99.1"
    (path / "manifest.json").write_text(json.dumps(manifest))
    log = []
    for _ in range(2):  # the second time nothing is left
        assert len(resume(log.append).finished()) == 2 * 2 * 2 * 4
    (redone,) = (event for event in log if event["event"] == "redone")
    assert redone["runs"] >= 2 * 2
    wrote = [maker["versions"]["python"] for maker in open_store(path).manifest.makers()]
    assert wrote == ["3.99.1", json.loads(Manifest(open_store(path).study).to_json())["versions"]["python"]]


OWN = '''
import debox

def place(a, b):
    if not a < b:
        raise ValueError("a must be below b")
    return a + (b - a) / 4

@debox.strategy("quarter")
def quarter(u, x, c, a, b, rng):
    """a + (b − a)/4"""
    return place(a, b)
'''


@pytest.mark.parametrize(
    ("edit", "goes_on"),
    [
        (("/ 4", "/ 2"), False),
        (("place", "helper"), True),
        (("a must be below b", "the bounds are the wrong way round"), True),
    ],
    ids=["another result", "a renamed helper", "another error text"],
)
def test_an_edited_operator_of_a_user_goes_on_if_its_runs_are_the_same(tmp_path, monkeypatch, edit, goes_on):
    (tmp_path / "own.py").write_text(OWN)
    load_file(tmp_path / "own.py")
    study = Study(name="own", **FACTORS, strategy=["quarter", "sat"], N=5, budget=100, runs=4)
    debox.run(Study(**{**study.as_dict(), "runs": 2}), tmp_path / "store", workers=1)
    (tmp_path / "own.py").write_text(OWN.replace(*edit))
    load_file(tmp_path / "own.py")
    if goes_on:
        assert len(debox.run(study, tmp_path / "store").finished()) == 16
        assert verify(open_store(tmp_path / "store"))["problems"] == []
        return
    with pytest.raises(StoreError, match=r"run \w{16} comes out differently when .*: .*pois 0.* stored, 0.* now"):
        debox.run(study, tmp_path / "store")
    store = open_store(tmp_path / "store")
    redone, differing = redo(store, glance=True)
    assert (redone, len(differing)) == (2, 1)  # of two sets of operators and one N
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    assert status_of(store)["not_installed"] == ["strategy quarter"]
    assert verify(store)["redone"] == 1  # with saturation
    with pytest.raises(ValueError, match="strategy 'quarter' is not installed"):
        debox.run(store.study, store.path)


def test_a_run_of_each_set_of_operators_and_n_is_done_again_and_not_the_cheapest(tmp_path, monkeypatch):
    sets = {"strategy": ["sat", "dism"], "reevaluate": [True, False], "frozen": [True, False], "N": [5, 6]}
    study = Study(
        name="sets", mutation="rand/1", crossover="bin", **sets, F=[0.4, 0.5, 0.6], Cr=0.9, n=[2, 3], budget=60
    )
    store = debox.run(Study(**{**study.as_dict(), "runs": 2}), tmp_path / "store")
    first, then = choose(store)
    kinds = "strategy, reevaluate, frozen, N"
    chosen = f"SELECT DISTINCT {kinds}, dimension FROM runs WHERE id IN ({', '.join(map(repr, first + then))})"
    assert len(first) == 3 * 2 * 2
    assert len({(*row[:4],) for row in store.sql(chosen).fetchall()}) == len(first)
    assert len(store.sql(chosen).fetchall()) == len(first) + len(then) == 2 * len(first)
    dimensions = f"SELECT DISTINCT dimension FROM runs WHERE id IN ({', '.join(map(repr, first))}) ORDER BY ALL"
    assert store.sql(dimensions).fetchall() == [(2,), (3,)]
    assert redo(store) == (len(first + then), [])
    done = []
    monkeypatch.setattr("debox.study.verify.run_chunk", lambda chunk, *_: done.append(*chunk.ids()))
    redo(store)
    assert done == first + then


def test_time_decides_how_many_more_are_done_again(tmp_path, monkeypatch):
    study = Study(name="sizes", **FACTORS, strategy="sat", N=[5, 6], budget=60, runs=1)
    store = debox.run(Study(**{**study.as_dict(), "dimension": [2, 3, 4]}), tmp_path / "store")
    assert redo(store)[0] == 2 * 3
    times = iter(range(0, 100, 2))  # 2 s a run
    with monkeypatch.context() as patch:
        patch.setattr("debox.study.verify.perf_counter", lambda: next(times))
        assert redo(store)[0] == 2
    monkeypatch.setattr("debox.study.verify.REDO_SECONDS", 0)
    assert redo(store)[0] == 2  # of each set and N
    monkeypatch.setattr("debox.study.verify.GLANCE_SECONDS", 0)
    assert redo(store, glance=True)[0] == 0


# A whole store.


@pytest.fixture(scope="module")
def finished(tiny, tmp_path_factory):
    """The store of the study, whole."""
    return debox.run(tiny, tmp_path_factory.mktemp("finished") / "store").path


@pytest.fixture
def store(finished, tmp_path):
    """A copy of it, to be changed."""
    return debox.open_store(shutil.copytree(finished, tmp_path / "store"))


def changed(store, path, rows=64, **columns):
    """A store, valid as files are, of the first so many rows, with something else in these columns' first row."""
    table = {name: column[:rows].copy() for name, column in store.table().items()}
    for name, value in columns.items():
        table[name][0] = value
    other = Writer.create(path, store.manifest)
    with other.locked():
        other.append(table)
    return other


def test_a_good_store_is_good_and_so_is_its_packed_file(store, tmp_path):
    found = verify(store, sample=64)
    assert [found[key] for key in ("problems", "runs", "of", "other_runs", "redone")] == [[], 64, 64, 0, 64]
    store.pack(tmp_path / "packed.parquet", drop=["best_x", "seconds"])
    assert verify(open_store(tmp_path / "packed.parquet"), sample=1000) == found  # at most what there is
    assert verify(store, sample=0)["redone"] == 0


@pytest.mark.parametrize(
    "change",
    [{"run": 9}, {"F": 0.7}, {"strategy": "mirror"}, {"N": 6}, {"seed": 3}, {"budget": 999}, {"id": "0" * 16}],
    ids=str,
)
def test_a_row_that_is_not_what_its_id_says_is_named(store, tmp_path, change):
    found = verify(changed(store, tmp_path / "other", **change), sample=0)
    id = "0" * 16 if "id" in change else store.table()["id"][0]
    assert any(told.startswith("1 runs are not what their id says") and id in told for told in found["problems"])


@pytest.mark.parametrize("column", ["pois", "pois_at_third", "accepted", "best_f", "best_x"])
def test_the_last_bit_of_a_run_done_again_counts(store, tmp_path, column):
    before = store.table()[column][0]
    after = before + 1 if column == "accepted" else np.nextafter(before, 0.5)
    found = verify(changed(store, tmp_path / "other", rows=8, **{column: after}), sample=8)
    (problem,) = found["problems"]
    assert problem.startswith(f"run {store.table()['id'][0]} comes out differently when done again: {column}")
    assert problem.count(" stored, ") == (column != "best_x")


@pytest.mark.parametrize("column", ["pois", "pois_at_third", "best_f", "best_x"])
def test_a_stored_nan_differs_from_the_number_now(store, tmp_path, column):
    number = store.table()[column][0]
    nan = number * np.where(np.arange(np.size(number)) == 0, np.nan, 1)  # of a point: the first
    other = changed(store, tmp_path / "other", rows=8, **{column: nan if column == "best_x" else nan[0]})
    (problem,) = verify(other, sample=8)["problems"]
    assert problem.endswith(f"done again: {column}" + (column != "best_x") * f" nan stored, {number} now")


def test_values_are_the_same_to_the_bit_and_any_nan_is_one():
    assert not same(np.array([0.0]), np.array([-0.0]))
    assert same(np.array([-0.0, 1]), np.array([-0.0, 1]))
    assert same(np.array([np.nan, 1]), np.array([-np.nan, 1]))
    assert not same(np.array([np.nan, 1]), np.array([1, np.nan]))


def test_seconds_are_not_compared(store, tmp_path):
    assert verify(changed(store, tmp_path / "other", rows=8, seconds=1e9), sample=8)["problems"] == []


def test_runs_that_an_edited_study_no_longer_asks_for_are_good(store, tiny):
    edited = Study(**{**tiny.as_dict(), "F": [0.5, 0.6]})
    debox.run(edited, store.path)
    found = verify(open_store(store.path))
    assert [found[key] for key in ("problems", "runs", "of", "other_runs")] == [[], 64, 64, 32]


def test_an_unfinished_store_is_good_and_says_that_it_is_incomplete(tiny, tmp_path):
    found = verify(debox.run(tiny, tmp_path / "some", only="n=2"))
    assert [found[key] for key in ("problems", "runs", "of", "redone")] == [[], 32, 64, 4]


def test_an_empty_store_is_good_and_says_that_it_is_incomplete(tiny, tmp_path):
    found = verify(Writer.create(tmp_path / "empty", Manifest(tiny)))
    assert [found[key] for key in ("problems", "runs", "of", "redone")] == [[], 0, 64, 0]


def test_a_run_that_does_not_fit_into_memory_is_a_problem_not_a_crash(store, monkeypatch):
    def too_large(*_):
        raise MemoryError("N = 5 points do not fit")

    monkeypatch.setattr("debox.study.verify.run_chunk", too_large)
    found = verify(store, sample=2, rng=1)
    assert len(found["problems"]) == 2
    assert all("cannot be done again: MemoryError: N = 5" in problem for problem in found["problems"])


def test_status_counts_what_is_stored_what_is_left_and_what_comes_out_the_same(tiny, tmp_path):
    status = status_of(debox.run(tiny, tmp_path / "store", only="n=2"), glance=True)
    assert (status["study"], status["runs"], status["of"], status["other_runs"]) == ("tiny", 32, 64, 0)
    assert status["seconds_left"] > 0
    assert (status["bad_parts"], status["writers"]) == ([], [])
    assert (status["redone"], status["differing"]) == (4, [])
    status = status_of(debox.run(Study(**{**tiny.as_dict(), "F": [0.5, 0.6]}), tmp_path / "store"))
    assert (status["runs"], status["of"], status["other_runs"], status["seconds_left"]) == (64, 64, 16, 0)


def test_status_names_what_is_damaged(tiny, tmp_path):
    debox.run(tiny, tmp_path / "store", only="n=2")
    store = debox.run(tiny, tmp_path / "store")
    part, _ = store.parts()
    part.write_bytes(part.read_bytes()[:-1])
    status = status_of(store)
    assert part.name in status["bad_parts"][0]
    assert (status["runs"], status["redone"]) == (32, 0)
    found = verify(store)
    assert (found["problems"], found["redone"]) == ([f"part {part}" for part in status["bad_parts"]], 0)
