"""A fingerprint changes with what a kernel does, and with nothing else."""

import math
import os
import re
import subprocess
import sys
from enum import Enum
from types import ModuleType
from typing import NamedTuple

import numba
import numpy as np
import pytest
from counters import Sample, above, below

from debox import registry
from debox.de import algorithm
from debox.f0.fast import clock, scan
from debox.jit import kernel, native
from debox.jit.fingerprint import fingerprint


def fingerprint_of(body, **names):
    """Of a kernel with a piece of code in it, compiled from its source"""
    exec(f"def mine(x):\n    return {body}", names)
    return fingerprint(kernel(names["mine"])).digits


PIECES = ["(lambda y: y + 1.0)(x)", "sum(y * 2.0 for y in (x, x))", "(lambda y: (lambda z: z - 1.0)(y))(x)"]


# Programs in processes of their own: each has other addresses and, by its seed, another order of sets.
ELSEWHERE = f"""
from numba import njit
from debox.jit.fingerprint import fingerprint

for body in {PIECES}:
    names = {{}}
    exec("def mine(x):\\n    return " + body, names)
    print(fingerprint(names["mine"]).digits)
fast = njit(lambda x: x, fastmath={{'nnan', 'nsz', 'arcp', 'contract'}})
print(fingerprint(lambda x: x in {{'a', 'b', 'c', 'd'}}), fingerprint(lambda x: fast(x)))
print(*{{'a', 'b', 'c', 'd'}}, *{{'nnan', 'nsz', 'arcp', 'contract'}})"""


@pytest.fixture(scope="module")
def elsewhere():
    """What two processes print"""
    environments = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    command = [sys.executable, "-c", ELSEWHERE]
    return [subprocess.check_output(command, env=env, text=True).splitlines() for env in environments]


def test_a_fingerprint_is_the_same_for_the_same_code_in_a_kernel_and_in_any_process(elsewhere):
    for body, *found in zip(PIECES, *elsewhere, strict=False):
        assert {fingerprint_of(body), fingerprint_of(body)} == set(found)
        assert re.fullmatch("[0-9a-f]{8}", found[0])


@pytest.mark.parametrize("body", PIECES)
@pytest.mark.parametrize(
    ("what", "other"), [("1.0", "3.0"), ("2.0", "3.0"), (" + ", " - "), (" - ", " + "), ("*", "/")]
)
def test_a_fingerprint_tells_what_the_code_in_a_kernel_does(body, what, other):
    assert (fingerprint_of(body) == fingerprint_of(body.replace(what, other))) == (what not in body)


def test_a_fingerprint_tells_what_the_code_in_a_kernel_names():
    def shifted(shift):
        return fingerprint_of("(lambda y: y + SHIFT)(x)", SHIFT=shift)

    assert shifted(0.0) == shifted(0.0)
    assert shifted(0.0) != shifted(1.0)
    called = [fingerprint_of("(lambda y: other(y, y))(x)", other=other) for other in (above, below, above)]
    assert called[0] == called[2] != called[1]


@pytest.mark.parametrize(("one", "other"), [("x.sum()", "x.max()"), ("x.T.real", "x.real.T"), ("x.size", "x.ndim")])
def test_a_fingerprint_tells_which_method_or_attribute_of_an_argument_is_used(one, other):
    """Their bytecode is the same: only the names in it differ."""
    assert fingerprint_of(one) == fingerprint_of(one) != fingerprint_of(other)


# Values that are compiled in.


class Pair(NamedTuple):
    first: float
    second: float


class Swapped(NamedTuple):
    second: float
    first: float


Small = Enum("Small", {"A": 1, "B": 2})
OfA, OfB = (Enum("Alias", {"A": 1, "B": 2, "C": value}) for value in (1, 2))  # C is another name of A, or of B
Large = Enum("Small", {"A": 1, "B": 20})


def module(name="consts", **values):
    made = ModuleType(name)
    vars(made).update(values)
    return made


VALUES = [
    (0.0, -0.0),
    (1, 1.0),
    (1, True),
    (1, None),
    ("1", 1),
    (1j, 2j),
    (np.float64(1), np.float32(1)),
    (np.float64(1), 1.0),
    ((1, (2, 3)), (1, (2, 4))),
    ((1, 2), (1, 2, 3)),
    (Pair(1.0, 2.0), Pair(1.0, 3.0)),
    (Pair(1.0, 2.0), (1.0, 2.0)),
    (Small.A, Small.B),
    (Small, Large),
    (Pair(1.0, 2.0), Swapped(1.0, 2.0)),
    (OfA, OfB),
    (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
    (np.array([1.0, 2.0]), np.array([[1.0, 2.0]])),
    (np.array([1, 2]), np.array([1, 2], np.uint64)),
    (np.ones((2, 2)), np.asfortranarray(np.ones((2, 2)))),
    (np.dtype("f4"), np.dtype("f8")),
    (numba.float32, numba.float64),
    (math.sin, math.cos),
    (np.sin, np.cos),
    (ValueError, IndexError),
    (Pair, Sample),
]


def using(place, value):
    """A function that takes a value from this place"""
    if place == "around":
        return lambda x: (x, value)
    if place == "default":
        return eval("lambda x, y=value: (x, y)", {"value": value})
    if place == "module":
        return eval("lambda x: (x, consts.A)", {"consts": module(A=value)})
    if place == "package":
        package = module("package", consts=module(A=value))
        return eval("lambda x: (x, (lambda: package.consts.A)())", {"package": package})
    if place == "callee":
        return eval("lambda x: callee(x)", {"callee": kernel(using("module", value))})
    if place == "compiled":
        return eval("lambda x: callee(x)", {"callee": numba.njit(using("around", value))})
    return eval("lambda x: (x, A)", {"A": value})


PLACES = ["global", "around", "default", "module", "package", "callee", "compiled"]


@pytest.mark.parametrize(("old", "new"), VALUES, ids=repr)
@pytest.mark.parametrize("place", PLACES)
def test_another_value_wherever_a_kernel_takes_it_from_is_another_fingerprint(place, old, new):
    first, again, other = (fingerprint(kernel(using(place, value))) for value in (old, old, new))
    assert first == again
    assert first.digits != other.digits
    assert (first.unknown, other.unknown) == ([], [])


UNKNOWN = {
    "list": [1.0],
    "dict": {1: 2},
    "object": object(),
    "objects": np.array([None]),
    "function": lambda x: x,
    "module": module(),
    "class": type("Own", (), {}),
}


@pytest.mark.parametrize("value", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("place", PLACES)
def test_a_value_of_another_kind_is_unknown(place, value):
    (unknown,) = fingerprint(kernel(using(place, value))).unknown
    assert unknown.startswith("unknown:")


def test_a_set_of_constants_is_the_same_in_every_process(elsewhere):
    (*_, fingerprints, order), (*_, others, other_order) = elsewhere
    assert order != other_order
    assert fingerprints == others


def emits(constant):
    def helper(ir):
        return ir.Constant(ir.IntType(32), constant)

    @native(lambda ir, builder, x: helper(ir))
    def constant_of(x):
        return np.uint32(0)

    return kernel(lambda x: constant_of(x))


def test_what_writes_the_instructions_of_a_native_kernel_counts_with_the_functions_it_calls():
    assert fingerprint(emits(1)) == fingerprint(emits(1))
    assert fingerprint(emits(1)).digits != fingerprint(emits(2)).digits
    assert fingerprint(emits(1)).unknown == []


def test_options_of_a_users_compiled_function_count():
    def add_one(x):
        return x + 1

    fast, exact = (numba.njit(add_one, fastmath=fastmath) for fastmath in (True, False))
    first, second = (fingerprint(kernel(using("global", value))) for value in (fast, exact))
    assert first.digits != second.digits


def test_kernels_that_call_each_other_have_a_fingerprint():
    names = {"kernel": kernel}
    exec("@kernel\ndef even(n): return n == 0 or odd(n - 1)\n@kernel\ndef odd(n): return n != 0 and even(n - 1)", names)
    assert fingerprint(names["even"]).digits != fingerprint(names["odd"]).digits


def test_everything_that_kernels_of_debox_use_is_known():
    """Else their machine code would not be kept, and every process would compile for a minute."""
    loops = (algorithm.run, algorithm.propose_classic, algorithm.next_generation, clock.advance)
    scans = (scan.scan, scan.chances, scan.outside_bits)
    for function in (*loops, *scans, *(operator.function for operator in registry.OPERATORS)):
        assert fingerprint(function).unknown == []
