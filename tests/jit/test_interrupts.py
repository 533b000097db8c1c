"""A Ctrl-C while kernels are compiled is never lost."""

import signal
import threading
from contextlib import suppress

import pytest

from debox import jit
from debox.jit import compiling, kernel
from debox.jit.interrupts import keep_interrupts


@kernel
def third(x):
    return x / 3


@kernel
def first_third(x, rng):
    return x[0] / 3


def lose(error=None):
    """As a function does that LLVM calls: the interruption is gone; compiling goes on, or ends in an error."""
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    if error:
        raise error


@pytest.fixture(autouse=True)
def usual_handler():
    """Of a Ctrl-C, before and after."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("error", [None, RuntimeError("LLVM ERROR: symbol not found")], ids=["goes on", "error"])
def test_an_interruption_that_was_lost_is_raised_at_the_end(error):
    with pytest.raises(KeyboardInterrupt) as raised, keep_interrupts():
        lose(error)
    assert raised.value.__cause__ is error


def test_one_that_was_not_lost_and_other_errors_pass():
    with pytest.raises(KeyboardInterrupt), keep_interrupts():
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError), keep_interrupts():
        raise ZeroDivisionError
    with keep_interrupts():
        pass


def test_a_handler_of_the_users_own_decides_itself():
    came = []
    signal.signal(signal.SIGINT, lambda *_: came.append(1))
    try:
        with keep_interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert came == [1]


def test_other_threads_are_not_interrupted_and_set_no_handler():
    ended = []

    def compile_there():
        with keep_interrupts():
            ended.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    thread = threading.Thread(target=compile_there)
    thread.start()
    thread.join(10)
    assert ended == [True]


class Interrupted:
    """A dispatcher whose compiling is interrupted, and goes on."""

    overloads = ()

    def compile(self, signature):
        lose()

    def get_compile_result(self, signature):
        lose()


@pytest.mark.parametrize(
    "ask", [lambda: jit.bind(third, 1.0), lambda: jit.pointer(first_third, "objective")], ids=["bind", "pointer"]
)
def test_compiling_that_is_interrupted_ends_so_and_begins_anew_when_asked_again(ask, monkeypatch):
    monkeypatch.setattr(compiling, "dispatcher_of", lambda function, caller="Python": Interrupted())
    with pytest.raises(KeyboardInterrupt):
        ask()
    monkeypatch.undo()
    assert ask()
    assert jit.bind(third, 1.0)(1.0) == 1 / 3
