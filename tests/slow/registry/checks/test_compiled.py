"""A compiled operator does what its Python does; one that Numba cannot compile is named with the reason in a line."""

from math import exp

import numpy as np
import pytest

import debox
from debox import registry
from debox.registry.adding import register
from debox.registry.checks.compiled import check

MANY = [*registry.in_slot("mutation"), *registry.in_slot("strategy")]


@pytest.mark.parametrize("operator", MANY[::2], ids=lambda operator: f"{operator.slot}-{operator.name}")
def test_the_mutations_and_strategies_of_debox_pass(operator):
    check(operator)


@pytest.mark.parametrize(
    "operator",
    [operator for operator in registry.OPERATORS if operator not in MANY],
    ids=lambda operator: f"{operator.slot}-{operator.name}",
)
def test_the_operators_of_debox_pass(operator):
    check(operator)


@debox.kernel
def spawns(u, x, c, a, b, rng):
    """a"""
    return min(a, rng.spawn(1)[0].random() + b)


def test_what_numba_cannot_compile_is_named_with_the_reason_in_a_line(operator):
    register(operator("strategy", function=spawns))
    with pytest.raises(ValueError, match=r"Numba cannot compile 'spawns', the strategy 'middle': .*spawn") as error:
        debox.measure("DE/rand/1/bin middle, N=5, F=0.5, Cr=0.5", n=2, budget=100, runs=1)
    assert "\n" not in str(error.value)


@debox.kernel
def reads_text(u, x, c, a, b, rng):
    """c, which Numba writes in another way than Python"""
    return float(f"{c}")


def test_an_error_that_only_the_compiled_operator_raises_is_named_with_the_call(operator):
    register(operator("strategy", function=reads_text))
    called = r"^strategy 'middle': reads_text\(u=.*\) raised ValueError when compiled: could not convert"
    with pytest.raises(ValueError, match=called):
        debox.measure("DE/rand/1/bin middle, N=5, F=0.5, Cr=0.5", n=2, budget=100, runs=1)


PLACE = 0.25


@debox.kernel
def at_place(u, x, c, a, b, rng):
    """a + PLACE (b − a)"""
    return a + PLACE * (b - a)


def test_a_value_that_changes_after_it_was_compiled_is_refused(operator, monkeypatch):
    """Compiled code has the old value, and a store would note the fingerprint of the new one."""
    register(operator("strategy", function=at_place))
    config, small = "DE/rand/1/bin middle, N=5, F=0.5, Cr=0.5", {"n": 2, "budget": 100, "runs": 1}
    debox.measure(config, **small)
    monkeypatch.setitem(globals(), "PLACE", 0.75)
    with pytest.raises(ValueError, match="strategy 'middle' uses a value that has changed since it was compiled"):
        debox.measure(config, **small)
    monkeypatch.setitem(globals(), "PLACE", 0.25)
    debox.measure(config, **small)


@debox.kernel
def wraps_around(u, x, c, a, b, rng):
    """a if 2⁶⁴ is large, else b"""
    return a if int(4 + (b - a) * 0) ** 32 > 5 else b  # 4³² = 2⁶⁴: of 64 bits none is left


def test_what_differs_when_compiled_is_refused(operator):
    register(operator("strategy", function=wraps_around))
    with pytest.raises(ValueError, match=r"wraps_around\(u=.*\) gives 1.0 when compiled, 0.0 in Python; both must be"):
        debox.measure("DE/rand/1/bin middle, N=5, F=0.5, Cr=0.5", n=2, budget=100, runs=1)


@debox.kernel
def exponential(u, x, c, a, b, rng):
    """a + (b − a) exp(−U)"""
    return a + (b - a) * exp(-rng.random()) * np.tanh(0.3)


def test_last_bits_of_a_compiled_exponential_are_forgiven(operator):
    check(register(operator("strategy", function=exponential)))


@debox.kernel
def learns_around(F_Cr, gain, memory, cell):
    """M_F = 1 if 2⁶⁴ is large, else 0.5"""
    memory[0, 0] = 1.0 if int(4 + gain.size * 0) ** 32 > 5 else 0.5
    return cell


def test_learning_that_differs_when_compiled_is_refused(operator):
    with pytest.raises(ValueError, match=r"learns_around\(F_Cr=.*\) gives .* when compiled, .* in Python; both must"):
        check(operator("adaptation", learn=learns_around))
