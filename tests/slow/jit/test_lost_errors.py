"""An exception of a kernel that is called through a pointer is raised at the end of the block, not lost."""

import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import debox
from debox import jit
from debox.jit import kernel
from debox.jit.lost_errors import raise_lost_errors


@kernel
def refuses_negative_numbers(x, rng):
    if x[0] < 0.0:
        raise ValueError("a negative number")
    return x[0]


@kernel
def total(fun, X, rng):
    found = 0.0
    for i in range(X.shape[0]):
        found += fun(X[i], rng)
    return found


def compiled_total(numbers):
    call = jit.pointer(refuses_negative_numbers, "objective"), np.array(numbers)[:, None], np.random.default_rng(1)
    return jit.bind(total, *call)(*call)


def test_the_first_error_of_a_block_is_raised_at_its_end():
    reached = []

    def run():
        with raise_lost_errors():
            compiled_total([1.0, -1.0, -2.0])
            reached.append("the end")

    with pytest.raises(ValueError, match="a negative number"):
        run()
    assert reached
    with raise_lost_errors():
        assert compiled_total([1.0, 2.0]) == 3.0  # nothing is left of the error before


def test_without_a_block_it_is_lost():
    """The control: else Numba hands errors on, and no block is needed."""
    told, before = [], sys.unraisablehook
    sys.unraisablehook = told.append
    try:
        compiled_total([-1.0])
    finally:
        sys.unraisablehook = before
    assert len(told) == 1


def tell_hook(what, error):
    sys.unraisablehook(SimpleNamespace(object=what, exc_value=error))


KERNEL = "<numba.core.cpu.CPUContext>"


def test_other_errors_are_left_to_the_hook_that_was_there(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with raise_lost_errors():
        tell_hook(len, ValueError("of a destructor"))
        assert len(told) == 1
    tell_hook(KERNEL, ValueError("after the block"))
    assert [str(one.exc_value) for one in told] == ["of a destructor", "after the block"]


def test_a_hook_that_calls_the_one_before_it_is_called_once(monkeypatch):
    first, second = [], []
    monkeypatch.setattr(sys, "unraisablehook", first.append)
    with raise_lost_errors():
        pass
    before = sys.unraisablehook

    def hook(unraisable):
        second.append(unraisable)
        before(unraisable)

    monkeypatch.setattr(sys, "unraisablehook", hook)
    with raise_lost_errors():
        tell_hook(len, ValueError("of a destructor"))
    assert (len(first), len(second)) == (1, 1)


def test_a_hook_that_is_taken_away_is_told_nothing_more(monkeypatch):
    first, second = [], []
    monkeypatch.setattr(sys, "unraisablehook", first.append)
    with raise_lost_errors():
        pass
    before = sys.unraisablehook
    monkeypatch.setattr(sys, "unraisablehook", second.append)
    with raise_lost_errors():
        pass
    monkeypatch.setattr(sys, "unraisablehook", before)
    tell_hook(len, ValueError("of a destructor"))
    assert (len(first), len(second)) == (1, 0)


def test_values_that_were_told_are_taken_though_learning_raised(monkeypatch):
    opt = debox.Optimizer([(0.0, 1.0)] * 2, "DE/rand/1/bin", N=10, budget=100, rng=1)
    opt.tell(X := opt.ask(), X[:, 0])
    select = opt._select

    def raise_when_done(*arguments):
        best = select(*arguments)
        tell_hook(KERNEL, ValueError("of learn"))
        return best

    monkeypatch.setitem(vars(opt), "_select", raise_when_done)
    X = opt.ask()
    with pytest.raises(ValueError, match="of learn"):
        opt.tell(X, X[:, 0])
    assert opt.nfev == 20
    monkeypatch.setitem(vars(opt), "_select", select)
    opt.tell(X := opt.ask(), X[:, 0])
    assert opt.nfev == 30


def test_an_error_of_the_block_itself_comes_first():
    def run():
        with raise_lost_errors():
            tell_hook(KERNEL, ValueError("lost"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run()


def test_blocks_of_other_threads_and_outer_blocks_keep_their_own():
    found = []

    def other():
        try:
            with raise_lost_errors():
                tell_hook(KERNEL, ValueError("of the other thread"))
        except ValueError as error:
            found.append(str(error))

    def run():
        with raise_lost_errors():
            tell_hook(KERNEL, ValueError("of the outer block"))
            thread = threading.Thread(target=other)
            thread.start()
            thread.join(10)
            with raise_lost_errors():
                pass

    with pytest.raises(ValueError, match="of the outer block"):
        run()
    assert found == ["of the other thread"]


@debox.kernel
def raises_in_a_small_part(u, x, c, a, b, rng):
    """b, with an error where no check looks"""
    if a == 0.0 and b == 1.0 and 0.4 < x < 0.43 and u > 1.0:
        raise ValueError("a rare case")
    return b


def test_no_run_with_an_operator_that_raises_gives_a_result():
    debox.register(debox.Operator(slot="strategy", name="rarely-raises", function=raises_in_a_small_part))
    config, box = "DE/rand/1/bin rarely-raises, N=50, F=0.9, Cr=0.9", [(0.0, 1.0)] * 5
    options = {"strategy": "rarely-raises", "N": 50, "F": 0.9, "Cr": 0.9, "budget": 5000, "rng": 1}
    calls = (
        lambda: debox.measure(config, n=5, budget=5000, runs=2, engine="plain"),
        lambda: debox.measure(config, n=5, budget=5000, runs=20, engine="fast"),
        lambda: debox.minimize(lambda x: x[0], box, "DE/rand/1/bin", **options),
        lambda: debox.minimize(numba_objective(), box, "DE/rand/1/bin", **options),
    )
    for call in calls:
        with pytest.raises(ValueError, match="a rare case") as raised:
            call()
        assert not [note for note in getattr(raised.value, "__notes__", []) if "callback or disp" in note]


def numba_objective():
    import numba

    return numba.njit(lambda x: x[0])
