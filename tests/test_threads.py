"""Threads: calls are made, errors come back, and nobody waits long for a call that is left behind."""

import threading
from time import monotonic

import pytest

from debox import threads
from debox.threads import call_all, pool

SOON = 30  # seconds that a test waits at most for what is a matter of milliseconds


def test_calls_give_what_the_function_gives_and_leave_no_thread():
    for tasks, most in ((range(50), 3), (range(2), 3), ((), 3)):
        stop = threading.Event()
        assert call_all(lambda number: divmod(number, 7), tasks, most, stop) == [divmod(number, 7) for number in tasks]
        assert not stop.is_set()
    assert not threads.unfinished_threads()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_stops_cancels_and_waits_no_longer_than_a_moment(error):
    stop, release, begun = threading.Event(), threading.Event(), threading.Event()

    def endless():
        begun.set()
        release.wait(SOON)

    pools = pool(1, stop)
    executor = pools.__enter__()
    running, waiting = executor.submit(endless), executor.submit(int)
    assert begun.wait(SOON)
    assert not stop.is_set()
    began = monotonic()
    assert not pools.__exit__(error, error(), None)  # the error goes on
    assert monotonic() - began < threads.PATIENCE_SECONDS + 5
    assert (stop.is_set(), waiting.cancelled(), running.done()) == (True, True, False)
    assert len(threads.unfinished_threads()) == 1
    release.set()
    for thread in threads.unfinished_threads():
        thread.join(SOON)
    assert not threads.unfinished_threads()


def test_an_error_ends_all_calls():
    stop, called = threading.Event(), []

    def call(number):
        called.append(number)
        assert number == 0 or stop.wait(SOON)
        return 1 // number

    with pytest.raises(ZeroDivisionError):
        call_all(call, range(50), 2, stop)
    for thread in threads.unfinished_threads():
        thread.join(SOON)
    assert stop.is_set()
    assert set(called) <= {0, 1, 2}  # the second thread waits; the first may begin another call before it is told


def test_the_number_of_threads_is_limited():
    assert threads.check_count(3) == 3
    assert threads.check_count(-1) >= 1
    with pytest.raises(ValueError, match="workers must be an integer ≤ 1024, got 1000000"):
        threads.check_count(10**6)
    with pytest.raises(ValueError, match="workers must be an integer ≥ 1 or -1 for all cores, got 0"):
        threads.check_count(0)


def test_ctrl_c_finds_the_main_thread_in_few_calls_of_the_executor(monkeypatch):
    """Interrupted while it holds a lock of an executor or a future, it would leave threads that never end."""
    calls, submit = [], threads.ThreadPoolExecutor.submit
    monkeypatch.setattr(threads.ThreadPoolExecutor, "submit", lambda *args: calls.append(args) or submit(*args))
    assert call_all(str, range(1000), 2, threading.Event()) == [str(number) for number in range(1000)]
    assert len(calls) == 2


def test_a_thread_whose_start_was_interrupted_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(threading, "enumerate", lambda: [threading.Thread(name="debox_0")])
    assert threads.unfinished_threads() == []
