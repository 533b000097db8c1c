"""Threads: calls are made, errors come back, and nobody waits long for a call that is left behind."""

import threading
from time import monotonic

import pytest

from debox import threads
from debox.threads import pool, wait_for

SOON = 30  # seconds that a test waits at most for what is a matter of milliseconds


def test_calls_give_what_the_function_gives_and_leave_no_thread():
    with pool(3) as executor:
        futures = [executor.submit(divmod, number, 7) for number in range(50)]
        wait_for(futures)
    assert [future.result() for future in futures] == [divmod(number, 7) for number in range(50)]
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


def test_waiting_ends_when_one_fails():
    release = threading.Event()
    with pool(2) as executor:
        endless, wrong = executor.submit(release.wait, SOON), executor.submit(divmod, 1, 0)
        wait_for([endless, wrong])
        assert wrong.done()
        assert not endless.done()
        release.set()


def test_the_number_of_threads_is_limited():
    assert threads.check_count(3) == 3
    assert threads.check_count(-1) >= 1
    with pytest.raises(ValueError, match="workers must be an integer ≤ 1024, got 1000000"):
        threads.check_count(10**6)
    with pytest.raises(ValueError, match="workers must be an integer ≥ 1 or -1 for all cores, got 0"):
        threads.check_count(0)
