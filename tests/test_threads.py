"""Threads: calls are made, results and errors come back, and nobody waits for what was left behind."""

import os
import signal
import threading
import time
from concurrent.futures import CancelledError, wait

import pytest

from debox import threads
from debox.threads import Shield, Threads, call_in_thread, wait_for

SOON = 30  # seconds that a test waits at most for what is a matter of milliseconds


@pytest.fixture
def pool():
    made = Threads(2)
    yield made
    made.close(SOON)


def test_calls_give_what_the_function_gives(pool):
    futures = [pool.submit(divmod, number, 7) for number in range(50)]
    wait_for(futures)
    assert [future.result() for future in futures] == [divmod(number, 7) for number in range(50)]
    assert pool.submit(int, "ff", base=16).result(SOON) == 255


def test_errors_come_back_and_the_thread_goes_on(pool):
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result(SOON)
    assert pool.submit(int).result(SOON) == 0


def test_no_more_threads_than_asked_for_and_no_more_than_calls():
    pool, release = Threads(3), threading.Event()
    before = threading.active_count()
    futures = [pool.submit(release.wait, SOON)]
    assert threading.active_count() == before + 1
    futures += [pool.submit(release.wait, SOON) for _ in range(9)]
    assert threading.active_count() == before + 3
    release.set()
    wait_for(futures)
    pool.close(SOON)
    assert threading.active_count() == before


def test_leaving_begins_nothing_more_and_does_not_wait_for_what_is_under_way():
    pool, release, begun = Threads(1), threading.Event(), threading.Event()

    def endless():
        begun.set()
        release.wait(SOON)
        return "done"

    first, second = pool.submit(endless), pool.submit(int)
    assert begun.wait(SOON)
    pool.close(0.01)
    assert not first.done()
    assert len(threads.unfinished_threads()) == 1
    with pytest.raises(CancelledError):
        second.result(SOON)
    with pytest.raises(RuntimeError, match="told to end"):
        pool.submit(int)
    release.set()
    assert first.result(SOON) == "done"
    pool.close(SOON)
    assert not threads.unfinished_threads()


def test_shutting_down_lets_everything_be_done():
    with Threads(1) as pool:
        futures = [pool.submit(int) for _ in range(5)]
    assert all(future.done() and not future.cancelled() for future in futures)


def test_waiting_ends_when_one_fails():
    release = threading.Event()
    pool = Threads(2)
    endless, wrong = pool.submit(release.wait, SOON), pool.submit(divmod, 1, 0)
    wait_for([endless, wrong])
    assert not endless.done()
    release.set()
    pool.close(SOON)
    assert wait([endless], SOON).done


def test_where_a_machine_has_no_more_threads_fewer_do_the_work(monkeypatch):
    start, started = threading.Thread.start, []

    def few(thread):
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", few)
    with Threads(5) as pool:
        futures = [pool.submit(int) for _ in range(20)]
    assert [future.result() for future in futures] == [0] * 20
    with pytest.raises(OSError, match="not a single thread can be started: can't start new thread"):
        Threads(5).submit(int)


def test_a_call_aside_gives_its_result_or_error_and_leaves_no_thread():
    assert call_in_thread(divmod, 9, 2) == (4, 1)
    with pytest.raises(ZeroDivisionError):
        call_in_thread(divmod, 9, 0)
    assert not threads.unfinished_threads()


def test_the_number_of_threads_is_limited():
    assert threads.check_count(3) == 3
    assert threads.check_count(-1) >= 1
    with pytest.raises(ValueError, match="workers must be an integer ≤ 1024, got 1000000"):
        threads.check_count(10**6)
    with pytest.raises(ValueError, match="workers must be an integer ≥ 1 or -1 for all cores, got 0"):
        threads.check_count(0)


def test_what_runs_in_a_shield_is_finished_before_it_is_left_also_at_a_second_control_c():
    begun, done = threading.Event(), []

    def write():
        begun.set()
        time.sleep(1)
        done.append("whole")

    def interrupt():
        begun.wait(30)
        for _ in range(3):
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt), Shield() as shielded:
            shielded(write)
    finally:
        sender.join(30)
    assert done == ["whole"]


def test_errors_pass_through_a_shield():
    with pytest.raises(ZeroDivisionError), Shield() as shielded:
        shielded(lambda: 1 // 0)
