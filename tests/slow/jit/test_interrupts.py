"""A Ctrl-C or SIGTERM while kernels are compiled is not lost: its handler is called between two steps."""

import signal
import sys
import threading

import numba
import numpy as np
import pytest
from numba.core import event

from debox import jit
from debox.jit import compiling, kernel
from debox.jit.interrupts import DELAYED, delay_signals, deliver_signals


@pytest.fixture(autouse=True)
def handlers():
    """Those of a command, in place before and after: Ctrl-C is KeyboardInterrupt, SIGTERM ends with 143."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    there = [signal.getsignal(number) for number in DELAYED]
    yield
    assert [signal.getsignal(number) for number in DELAYED] == there
    assert there[0] is signal.default_int_handler
    signal.signal(signal.SIGTERM, before)


RAISED = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: SystemExit}


def send_in_a_block(number, then):
    with delay_signals():
        signal.raise_signal(number)
        then()


@pytest.mark.parametrize("number", RAISED, ids=lambda number: number.name)
def test_a_signal_waits_for_the_end_of_the_block(number):
    reached = []
    with pytest.raises(RAISED[number]):
        send_in_a_block(number, then=lambda: reached.append("the end"))
    assert reached


def test_or_for_the_next_step():
    reached = []
    for number, raised in RAISED.items():
        with pytest.raises(raised):
            send_in_a_block(number, then=lambda: reached.append(deliver_signals()))
    assert not reached


def test_a_signal_comes_before_an_error_of_the_block():
    with pytest.raises(KeyboardInterrupt) as raised:
        send_in_a_block(signal.SIGINT, then=lambda: 1 / 0)
    assert isinstance(raised.value.__context__, ZeroDivisionError)


def test_without_a_signal_a_block_does_nothing():
    deliver_signals()
    with delay_signals():
        deliver_signals()
    with pytest.raises(ZeroDivisionError), delay_signals():
        raise ZeroDivisionError


def test_a_block_within_another_leaves_signals_to_it():
    reached = []

    def both():
        with delay_signals():
            send_in_a_block(signal.SIGINT, then=lambda: None)
            reached.append("the end of the outer block")

    with pytest.raises(KeyboardInterrupt):
        both()
    assert reached


def test_steps_after_an_inner_block_call_handlers_too():
    reached = []

    def step():
        with delay_signals():
            pass
        deliver_signals()
        reached.append("what follows")

    with pytest.raises(KeyboardInterrupt):
        send_in_a_block(signal.SIGINT, then=step)
    assert not reached


def test_a_handler_that_raises_nothing_is_called_once_for_each_signal():
    came = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame.f_code.co_name)))
    try:
        with delay_signals():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            assert not came
            deliver_signals()
            assert len(came) == 1
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert came == [(signal.SIGINT, test_a_handler_that_raises_nothing_is_called_once_for_each_signal.__name__)] * 2


def test_a_signal_that_nobody_handles_is_left_as_it_is():
    mine = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with delay_signals():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    signal.signal(signal.SIGTERM, mine)


def test_blocks_of_other_threads_set_no_handler():
    found = []

    def compile_there():
        with delay_signals():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=compile_there)
    thread.start()
    thread.join(10)
    assert found == [signal.default_int_handler]


def test_a_step_in_another_thread_leaves_signals_to_the_main_one():
    called_in = []
    signal.signal(signal.SIGINT, lambda *_: called_in.append(threading.current_thread()))
    try:
        with delay_signals():
            signal.raise_signal(signal.SIGINT)
            other = threading.Thread(target=deliver_signals)
            other.start()
            other.join(10)
            assert called_in == []
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert called_in == [threading.main_thread()]


class InterruptsAtItsFirstStep(event.Listener):
    """Counts steps, too, and notes whether the signal waits: raised at once, it might be lost inside LLVM."""

    steps, waits = 0, False

    def on_start(self, event):
        self.steps += 1
        if self.steps == 1:
            signal.raise_signal(signal.SIGINT)
            self.waits = True

    def on_end(self, event): ...


def third():
    return kernel(lambda x, rng: x[0] / 3)


def bound(function):
    call = np.ones(1), np.random.default_rng(1)
    return lambda: jit.bind(function, *call)


def pointed(function):
    return lambda: jit.pointer(function, "objective")


def objective(function, *args):
    fun = numba.njit(function)
    return lambda: jit.objective(fun, args)


COMPILES = {
    "bind": lambda: bound(third()),
    "pointer": lambda: pointed(third()),
    "objective": lambda: objective(lambda x: x[0]),
    "objective with args": lambda: objective(lambda x, shift: x[0] + shift, 2.0),
    "objective with a function": lambda: objective(lambda x, g: g(x[0]), numba.njit(lambda value: value)),
}


@pytest.mark.filterwarnings("ignore:First-class function type")  # Numba, of a function without machine code
@pytest.mark.parametrize("make", COMPILES.values(), ids=COMPILES.keys())
def test_compiling_ends_at_the_step_after_a_signal_and_is_done_when_asked_again(make, monkeypatch, tmp_path):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)  # nothing was kept by an earlier test
    ask, listener = make(), InterruptsAtItsFirstStep()
    event.register("numba:run_pass", listener)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        event.unregister("numba:run_pass", listener)
    assert listener.waits
    assert listener.steps <= 2
    assert ask()
