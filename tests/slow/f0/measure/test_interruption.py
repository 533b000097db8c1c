"""A measurement that is interrupted ends soon and leaves no thread behind."""

import signal
import threading
import time
from importlib import import_module

import numpy as np
import pytest
from measurements import SMALL, TEXT

import debox
from debox import threads
from debox.f0.engines import Plain, Run

module = import_module("debox.f0.measure")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupted_measurement_ends_and_leaves_no_thread_behind(monkeypatch, error, workers):
    begun, threads = [], threading.active_count()

    def do_runs(config, setting, numbers):
        begun.append(numbers)
        if 0 in numbers:
            raise error
        time.sleep(0.002)
        return []

    monkeypatch.setattr(module, "do_runs", do_runs)
    with pytest.raises(error):
        debox.measure(TEXT, **SMALL, runs=50_000, workers=workers)
    assert threading.active_count() == threads
    assert len(begun) < 50_000 / module.RUNS_PER_TASK  # what had not begun never did


def test_an_interruption_waits_for_no_more_than_the_runs_under_way(monkeypatch):
    begun = []

    class Slow:
        def __init__(self, *_):
            pass

        def begin(self, rng):
            begun.append(rng)
            if len(begun) == 3:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # Ctrl-C

        def advance(self, until):
            time.sleep(0.05)

        def outcome(self):
            return Run(0, np.zeros(2, np.int64), 0, 0.5, np.zeros(3))

    monkeypatch.setitem(module.ENGINES, "plain", Slow)
    with pytest.raises(KeyboardInterrupt):
        debox.measure(TEXT, **SMALL, runs=4 * module.RUNS_PER_TASK, engine="plain", workers=2)
    assert len(begun) < module.RUNS_PER_TASK


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_does_not_wait_for_a_run_that_takes_long_and_measuring_again_works(monkeypatch, workers):
    released, advance = threading.Event(), Plain.advance

    def long(engine, until):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # Ctrl-C
        released.wait(60)

    monkeypatch.setattr(Plain, "advance", long)
    with pytest.raises(KeyboardInterrupt):
        debox.measure(TEXT, **SMALL, runs=1, engine="plain", workers=workers)
    assert len(threads.unfinished_threads()) == 1  # the run is still under way
    monkeypatch.setattr(Plain, "advance", advance)
    assert debox.measure(TEXT, **SMALL, runs=3, engine="plain", workers=workers).pois.shape == (3,)
    released.set()
    for thread in threads.unfinished_threads():
        thread.join(60)
    assert not threads.unfinished_threads()
