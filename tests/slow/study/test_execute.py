"""run: the same table whoever does the runs and whatever happens to them, each run once."""

import ast
import importlib
import os
import re
import signal
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from stored_rows import rows_of

import debox
from debox import Study, open_store
from debox.operators.outside import load_file as load
from debox.study import execute, plan
from debox.study.work import StudyError


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(plan, "SHORTEST", 0.01)
    monkeypatch.setattr(execute, "SHORTEST_PART", 0)


def events(log, name):
    return [event for event in log if event["event"] == name]


def events_in(source):
    """The events that a source file makes, each with its keys; a name given by a condition counts for both."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict) and (keys := [ast.literal_eval(key) for key in node.keys])[:1] == ["event"]:
            for name in ast.walk(node.values[0]):
                if isinstance(name, ast.Constant):
                    yield name.value, keys[1:]


def test_help_lists_every_event_that_a_study_reports_and_its_keys():
    assert list(events_in("f({'event': 'a' if b else 'c', 'd': e}); {'g': 1}")) == [("a", ["d"]), ("c", ["d"])]
    made = dict(events_in(Path(execute.__file__).read_text("utf-8")))
    listed = re.findall(r'^ +- "([a-z ]+)" \(([a-z, ]+)\): ', debox.run.__doc__, re.MULTILINE)
    assert {name: keys.split(", ") for name, keys in listed} == made
    assert len(listed) == len(made) == 9


def test_every_run_of_the_study_is_stored_and_is_the_run_that_measure_does(tiny, tmp_path):
    store = debox.run(tiny, tmp_path / "store")
    table = store.table()
    assert len(table["id"]) == len(set(table["id"])) == 2 * 2 * 2 * 2 * 4
    for config in tiny.configs():
        for n in tiny.dimension:
            m = debox.measure(config, n=n, budget=100 * n, runs=4, rng=7)
            rows = (table["dimension"] == n) & (table["F"] == config.F)
            rows &= (table["mutation"] == config.mutation) & (table["strategy"] == config.strategy)
            assert table["run"][rows].tolist() == [0, 1, 2, 3]
            assert table["pois"][rows].tolist() == m.pois.tolist()
            assert table["pois_at_third"][rows].tolist() == m.pois_at[:, 0].tolist()
            assert table["pois_at_two_thirds"][rows].tolist() == m.pois_at[:, 1].tolist()
            assert table["accepted"][rows].tolist() == m.accepted.tolist()
            assert table["best_f"][rows].tolist() == m.best_f.tolist()
            assert [x.tolist() for x in table["best_x"][rows]] == m.best_x.tolist()
            assert set(table["engine"][rows]) == {m.engine}
            assert store.edpois(config, n=n).tolist() == m.pois.tolist()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shard": 5}, "^shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got 5$"),
        ({"only": 5}, "^only must be text such as .* or a mapping of factors, got 5$"),
        ({"report": 5}, "^report must be callable, or None, got 5$"),
        ({"report": 0}, "^report must be callable, or None, got 0$"),
        ({"study": 3}, "^study must be a Study, the name of a built-in one or the path of a TOML file, got 3$"),
        ({"study": None}, "^study must be a Study, .*, got None$"),
        ({"executor": ThreadPoolExecutor}, "^executor must be a concurrent.futures.Executor that was made .*, got <cl"),
        ({"executor": 4}, "^executor must be a concurrent.futures.Executor that was made .*, got 4$"),
        ({"executor": "processes"}, "^the address of a Dask scheduler reads 'tcp://host:8786', got 'processes'$"),
        ({"executor": "tcp://host"}, "^the address of a Dask scheduler reads 'tcp://host:8786', got 'tcp://host'$"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named_before_anything_is_created(tiny, tmp_path, wrong, message):
    with pytest.raises(ValueError, match=message):
        debox.run(**{"study": tiny, "store": tmp_path / "store", **wrong})
    assert list(tmp_path.iterdir()) == []


class AtOnce(Executor):
    """Anything with submit will do."""

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        future.set_result(function(*args, **kwargs))
        return future


def test_the_number_of_workers_and_the_executor_change_nothing(tiny, tmp_path):
    debox.run(tiny, tmp_path / "one", workers=1)
    debox.run(tiny, tmp_path / "two", workers=2)
    debox.run(tiny, tmp_path / "all", workers=-1)
    debox.run(tiny, tmp_path / "at once", executor=AtOnce())
    with ThreadPoolExecutor(3) as threads:
        debox.run(tiny, tmp_path / "threads", executor=threads)
        assert threads.submit(int).result() == 0  # it is its owner's: not shut down
    with ProcessPoolExecutor(2, get_context("fork")) as processes:
        debox.run(tiny, tmp_path / "processes", executor=processes)
    one = rows_of(tmp_path / "one")
    for other in ("two", "all", "at once", "threads", "processes"):
        assert rows_of(tmp_path / other) == one


# Configurations that fail.

IMPOSSIBLE = 10**12  # individuals: no machine has the memory


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_failed_allocation_costs_only_its_own_runs_and_is_named(tiny, tmp_path, executor, monkeypatch):
    monkeypatch.setattr(plan, "SHORTEST", 1e6)  # all in one chunk, the possible with the impossible
    study = Study(
        **{**tiny.as_dict(), "dimension": 2, "N": [5, IMPOSSIBLE], "F": 0.5, "budget": IMPOSSIBLE, "engine": "fast"}
    )
    monkeypatch.setattr(Study, "budget_for", lambda self, n: 100)  # so that the possible ones end
    monkeypatch.setattr(Study, "_contradictions", lambda self: ())  # of N and this budget
    pool = ProcessPoolExecutor(1, get_context("fork")) if executor == "processes" else None
    with pytest.raises(StudyError) as error:
        debox.run(study, tmp_path / "store", executor=pool, workers=1)
    lines = str(error.value).splitlines()
    assert lines[0].startswith("16 of 32 runs failed, the others are stored")
    assert lines[1].startswith(f"MemoryError: no memory for a run with N = {IMPOSSIBLE} in n = 2 dimensions: Unable")
    assert sorted(line.partition(":")[0] for line in lines[2:]) == [
        f"  in DE/{mutation}/bin {strategy}, N={IMPOSSIBLE}, F=0.5, Cr=0.9, n = 2"
        for mutation in ("best/1", "rand/1")
        for strategy in ("dism", "sat")
    ]
    table = open_store(tmp_path / "store").table()
    assert (table["N"].tolist(), len(table["id"])) == ([5] * 16, 16)
    if pool:
        pool.shutdown()


# Operators from outside.

OWN = '''
import debox

SHARE = 0.25

def place(a, b):
    return a + SHARE * (b - a)

@debox.strategy("quarter")
def quarter(u, x, c, a, b, rng):
    """a + (b − a)/4"""
    return place(a, b)
'''


@pytest.fixture
def own(tiny, tmp_path):
    """The study with a strategy of a file"""
    (tmp_path / "own.py").write_text(OWN)
    load(tmp_path / "own.py")
    (tmp_path / "own.py").unlink()  # workers need not find it
    return Study(**{**tiny.as_dict(), "mutation": "rand/1", "strategy": ["quarter", "sat"], "dimension": 2})


def test_processes_have_the_operators_of_a_file(own, tmp_path):
    debox.run(own, tmp_path / "threads")
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        debox.run(own, tmp_path / "processes", executor=pool)
    assert rows_of(tmp_path / "processes") == rows_of(tmp_path / "threads")
    assert set(open_store(tmp_path / "processes").table()["strategy"]) == {"quarter", "saturation"}


def test_dask_workers_have_the_operators_of_a_file(own, tmp_path, cluster):
    client = cluster.client()
    debox.run(own, tmp_path / "threads")
    debox.run(own, tmp_path / "dask", executor=client.get_executor(pure=False))
    assert rows_of(tmp_path / "dask") == rows_of(tmp_path / "threads")
    client.close()


MODULE = '''
import debox

def lower(a):
    return a

@debox.strategy("nameless")
def nameless(u, x, c, a, b, rng):
    """a"""
    return lower(a)
'''


def test_processes_that_cannot_have_an_operator_say_what_to_do(tiny, tmp_path, monkeypatch):
    (tmp_path / "module_that_is_only_here.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("module_that_is_only_here")
    sys.path.remove(str(tmp_path))
    study = Study(**{**tiny.as_dict(), "strategy": "nameless", "dimension": 2, "F": 0.5})
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(StudyError) as error:
        debox.run(study, tmp_path / "store", executor=pool)
    assert str(error.value).startswith("this worker needs the strategy 'nameless'")
    assert len(str(error.value).splitlines()) == 1
    assert "; 0 of 8 runs are stored: run the same again" in str(error.value)
    assert "install the modules that it uses on the workers" in str(error.value)


# An executor that breaks.


def test_a_killed_process_of_a_pool_is_a_clear_error_and_running_again_completes(slow, slow_rows, tmp_path):
    killed = []

    def kill_one(event):
        if event["event"] == "progress" and not killed:
            killed.append(next(iter(pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    with ProcessPoolExecutor(2, get_context("fork")) as pool, pytest.raises(StudyError) as error:
        debox.run(slow, tmp_path / "store", executor=pool, report=kill_one)
    stored = len(open_store(tmp_path / "store").finished())
    assert f"{stored} of 32 runs are stored" in str(error.value)
    assert "run the same again" in str(error.value)
    assert 0 < stored < 32
    assert not open_store(tmp_path / "store").bad_parts()
    log = []
    debox.run(slow, tmp_path / "store", report=log.append)
    assert events(log, "planned")[0]["runs"] == stored
    assert rows_of(tmp_path / "store") == slow_rows


# Dask.


def test_a_dask_worker_killed_mid_chunk_loses_nothing_and_repeats_nothing(slow, slow_rows, tmp_path, cluster):
    client, log, killed = cluster.client(), [], []
    pids = client.run(os.getpid)
    address = client.scheduler.address

    def kill_a_busy_worker(event):
        log.append(event)
        if event["event"] == "progress" and not killed:
            killed.append(next(worker for worker, chunks in client.processing().items() if chunks))
            os.kill(pids[killed[0]], signal.SIGKILL)

    store = debox.run(slow, tmp_path / "store", executor=address, report=kill_a_busy_worker)
    left = client.run(os.getpid)
    client.close()
    assert killed
    assert killed[0] not in left
    assert len(store.sql("SELECT id FROM runs").fetchall()) == 32
    assert events(log, "progress")[-1]["runs"] == 32
    assert not events(log, "split") + events(log, "failed")
    assert rows_of(tmp_path / "store") == slow_rows


def test_a_dask_scheduler_gone_is_a_clear_error_and_running_again_completes(slow, slow_rows, tmp_path, cluster):
    client = cluster.client(workers=1)

    def kill_the_scheduler(event):
        if event["event"] == "progress":
            cluster.scheduler.kill()
            cluster.scheduler.wait()

    with pytest.raises(StudyError, match=r"the executor broke .* runs are stored: .*run the same again"):
        debox.run(slow, tmp_path / "store", executor=client.get_executor(pure=False), report=kill_the_scheduler)
    client.close(timeout=1)
    assert not open_store(tmp_path / "store").bad_parts()
    assert 0 < len(open_store(tmp_path / "store").finished()) < 32
    debox.run(slow, tmp_path / "store")
    assert rows_of(tmp_path / "store") == slow_rows


def test_a_scheduler_that_is_not_there_is_a_clear_error(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("debox.study.execute.CONNECT_SECONDS", 0.5)
    with pytest.raises(StudyError, match="no Dask scheduler answers at 'tcp://127"):
        debox.run(tiny, tmp_path / "store", executor="tcp://127.0.0.1:9")


def test_an_address_that_dask_does_not_know_leaves_no_client_behind(tiny, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("distributed.Client", lambda *args, **options: made.append(args))
    with pytest.raises(StudyError, match=r"no Dask scheduler answers at 'pigeon://.*unknown address scheme"):
        debox.run(tiny, tmp_path / "store", executor="pigeon://127.0.0.1:9")
    assert not made


def test_without_dask_the_error_says_how_to_install_it(tiny, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StudyError, match=r"pip install 'debox\[dask\]'"):
        debox.run(tiny, tmp_path / "store", executor="tcp://127.0.0.1:8786")
