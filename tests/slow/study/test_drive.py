"""Drive: a few chunks at a time, failures tried again, an interruption that loses little and waits for little."""

import re
import signal
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest
from stored_rows import rows_of

import debox
from debox import open_store
from debox.store.parts import writers
from debox.study import execute as drive
from debox.study import plan, work


@pytest.fixture(autouse=True)
def a_chunk_for_every_run(monkeypatch):
    monkeypatch.setattr(plan, "SHORTEST", 1e-6)
    monkeypatch.setattr(plan, "WANTED_CHUNKS", 10**9)
    monkeypatch.setattr(drive, "SHORTEST_PART", 0)


@pytest.fixture
def tiny(tiny):
    """Two runs each: a part of the store for every one of 32 runs takes time enough"""
    return debox.Study(**{**tiny.as_dict(), "runs": 2})


def failing(monkeypatch, wrong, times, error=ZeroDivisionError):
    """Chunks with a run of which `wrong` is true fail so many times; the list of their attempts."""
    attempts = []

    def run_chunk(chunk, probes, stop=None):
        if any(wrong(task) for task in chunk.tasks):
            attempts.append(chunk)
            if attempts.count(chunk) <= times:
                raise error("oh")
        return work.run_chunk(chunk, probes, stop)

    monkeypatch.setattr(drive, "run_chunk", run_chunk)
    return attempts


def is_wrong(task):
    return task.n == 3 and task.config.mutation == "rand/1" and task.config.strategy == "dismiss"


def test_the_configurations_of_a_chunk_that_fails_are_tried_apart_and_once(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "SHORTEST", 100)  # one chunk for each n
    log, attempts = [], failing(monkeypatch, is_wrong, 10**9)
    with pytest.raises(drive.StudyError) as error:
        debox.run(tiny, tmp_path / "store", workers=1, report=log.append)
    assert [len(chunk.tasks) for chunk in attempts] == [8, 1, 1]  # two F
    failed = {id for chunk in attempts[1:] for id in chunk.ids()}
    assert len(failed) == 2 * 2  # two F, two runs
    assert {id for event in log if event["event"] == "failed" for id in event["ids"]} == failed
    assert [len(event["ids"]) for event in log if event["event"] == "split"] == [16]
    done = [event["evaluations"] for event in log if event["event"] == "progress"][-1]
    assert done == 16 * tiny.budget_for(2) + 12 * tiny.budget_for(3)
    assert str(error.value).splitlines()[:2] == [
        "4 of 32 runs failed, the others are stored; run the same again to try them once more",
        "ZeroDivisionError: oh",
    ]
    assert all(id in str(error.value) for id in failed)
    for F in (0.5, 1.5):
        assert f"  in DE/rand/1/bin dism, N=5, F={F}, Cr=0.9, n = 3: runs " in str(error.value)
    finished = open_store(tmp_path / "store").finished()
    assert (len(finished), finished & failed) == (28, set())
    monkeypatch.undo()
    debox.run(tiny, tmp_path / "store")
    debox.run(tiny, tmp_path / "undisturbed")
    assert rows_of(tmp_path / "store") == rows_of(tmp_path / "undisturbed")


def test_of_very_many_failures_some_are_named(tiny, tmp_path, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(drive, "run_chunk", fail)
    many = debox.Study(**{**tiny.as_dict(), "runs": 30})
    with pytest.raises(drive.StudyError, match="480 of 480 runs failed") as error:
        debox.run(many, tmp_path / "store", workers=1)
    lines = str(error.value).splitlines()
    assert len(lines) == 2 + 20 + 1
    assert lines[-1] == "and 460 more"


def test_no_more_than_a_window_of_chunks_is_handed_over(tiny, tmp_path):
    class Counting(Executor):
        futures, most = [], 0

        def submit(self, function, /, *args):
            self.futures.append((Future(), function, args))
            waiting = [future for future, *_ in self.futures if not future.done()]
            self.most = max(self.most, len(waiting))
            if len(waiting) == 8:  # all at once, or the study would wait for ever
                for future, work, given in self.futures:
                    if not future.done():
                        future.set_result(work(*given))
            return self.futures[-1][0]

    counting = Counting()
    debox.run(tiny, tmp_path / "store", executor=counting, workers=2)
    assert counting.most == 2 * drive.CHUNKS_PER_WORKER
    assert len(counting.futures) == 32


class Dask(Executor):
    """A Dask cluster as far as a Drive knows it: how many threads it has, look by look; chunks wait for one."""

    def __init__(self, *threads):
        self.threads, self.waiting, self.looked = list(threads), [], False
        self._client = self.scheduler = self
        self.status, self.address, self.ncores = "running", "tcp://host:8786", None

    def sync(self, function, callback_timeout):
        self.looked = True
        now = self.threads.pop(0) if len(self.threads) > 1 else self.threads[0]
        if now is None:
            raise TimeoutError
        while now and self.waiting:
            future, work, given = self.waiting.pop()
            future.set_result(work(*given))
        return {"worker": now}

    def submit(self, function, /, *args):
        assert self.looked  # or the chunk would wait for ever
        self.waiting.append((Future(), function, args))
        return self.waiting[-1][0]


@pytest.mark.parametrize(("looks", "said"), [([0, 0, 0, 2], 1), ([0, 2, 0, 0, 2], 2), ([2], 0), ([None, None, 2], 0)])
@pytest.mark.parametrize("workers", [None, 5])
def test_a_dask_cluster_without_workers_is_said_each_time_it_is_so(tiny, tmp_path, monkeypatch, looks, said, workers):
    monkeypatch.setattr(drive, "POLL_SECONDS", 0.01)
    log = []
    debox.run(tiny, tmp_path / "store", executor=Dask(*looks), workers=workers, only="n=2,F=0.5", report=log.append)
    waiting = [event for event in log if event["event"] == "waiting"]
    assert waiting == [{"event": "waiting", "address": "tcp://host:8786"}] * said
    assert log[-1]["runs"] == 8


def test_a_worker_with_other_code_is_one_clear_error(tiny, tmp_path, monkeypatch):
    digest = work.digest_of.__wrapped__
    monkeypatch.setattr(work, "digest_of", lambda *probe: digest(*probe)[::-1] if is_worker() else digest(*probe))

    def is_worker():
        return threading.current_thread() is not threading.main_thread()

    class Elsewhere(Executor):
        def __init__(self):
            self.pool = ThreadPoolExecutor(1)

        def submit(self, *call):
            return self.pool.submit(*call)

    with pytest.raises(drive.StudyError) as error:
        debox.run(tiny, tmp_path / "store", executor=Elsewhere())
    (line,) = str(error.value).splitlines()
    assert re.match("a run of DE/.* comes out differently on this worker than for the .* coordinator: install", line)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_keeps_the_finished_runs_of_chunks_under_way(tiny, tmp_path, monkeypatch, workers):
    study = debox.Study(**{**tiny.as_dict(), "dimension": 2})
    monkeypatch.setattr(plan, "SHORTEST", 100)  # one chunk: without this nothing would be stored
    do_runs, wait, begun, waits = work.do_runs, drive.wait, [], threading.Event()
    monkeypatch.setattr(drive, "wait", lambda *given: (waits.set(), wait(*given))[1])

    def interrupt_at_the_third(config, setting, numbers):
        begun.append(config)
        if len(begun) == 3:
            waits.wait(30)  # a chunk is known when it has been handed over
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            while not setting.stop.is_set():
                time.sleep(0.001)
        return do_runs(config, setting, numbers)

    monkeypatch.setattr(work, "do_runs", interrupt_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        debox.run(study, tmp_path / "store", workers=workers)
    assert len(open_store(tmp_path / "store").finished()) == 2 * 2
    monkeypatch.setattr(work, "do_runs", do_runs)
    debox.run(study, tmp_path / "store")
    debox.run(study, tmp_path / "undisturbed")
    assert rows_of(tmp_path / "store") == rows_of(tmp_path / "undisturbed")


def test_an_interruption_does_not_wait_for_long_runs(slow, tmp_path, monkeypatch):
    monkeypatch.setattr(drive, "PATIENCE_SECONDS", 0.1)
    released = threading.Event()

    def endless(*_):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        released.wait()
        return {}

    monkeypatch.setattr(drive, "run_chunk", endless)
    with pytest.raises(KeyboardInterrupt):
        debox.run(slow, tmp_path / "store", workers=1)
    assert writers(tmp_path / "store") == []
    released.set()


def test_an_interruption_while_a_part_is_written_lets_it_be_finished(tiny, tmp_path, monkeypatch):
    append, appended = drive.Writer.append, []

    def interrupted(store, columns):
        if not appended:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.05)
        appended.append(columns["id"].tolist())
        append(store, columns)

    monkeypatch.setattr(drive.Writer, "append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        debox.run(tiny, tmp_path / "store", workers=1)
    store = open_store(tmp_path / "store")
    assert appended
    assert sorted(store.table(["id"])["id"]) == sorted(id for ids in appended for id in ids)  # none twice, none lost
    assert len(store.parts()) == len(appended)
    assert not store.bad_parts()
