"""A kernel stays the function it was; what it uses from outside itself is read from its code."""

import math
import re
from functools import partial

import pytest

from debox.jit import kernel
from debox.jit.marking import Missing, callees, copy_with, is_kernel, names_in, paths_in, value_of

SIZE = 3


@kernel
def size(x):
    return x.size + SIZE


@kernel
def uses_an_attribute_of_the_same_name(x):
    return x.size


@kernel
def uses_a_lambda(x):
    return (lambda y: size(y) + math.pi)(x)


class Counter:
    def method(self):
        return 1


@pytest.mark.parametrize("wrong", [3, None, len, Counter, Counter().method, partial(size, 3)])
def test_only_a_python_function_is_marked(wrong):
    with pytest.raises(ValueError, match=f"^{re.escape(f'function must be a Python function, got {wrong!r}')}$"):
        kernel(wrong)


def around(shift, callee, default=2):
    """A kernel that uses variables of the function around it"""

    @kernel
    def inside(x, factor=default):
        return callee(x) * factor + (lambda y: y + shift)(x)

    return inside


def test_a_kernel_is_the_function_itself():
    def function(x):
        return x

    assert not is_kernel(function)
    assert kernel(function) is function
    assert is_kernel(function)


@pytest.mark.parametrize(
    ("function", "paths"),
    [
        (size, {("SIZE",)}),
        (uses_an_attribute_of_the_same_name, set()),
        (uses_a_lambda, {("size",), ("math", "pi")}),
        (around(1, size), {("callee",), ("shift",)}),
    ],
)
def test_what_a_kernel_uses_are_names_from_outside_with_their_attributes(function, paths):
    assert set(paths_in(function)) == paths
    assert set(names_in(function)) == {path[0] for path in paths}


def test_a_name_means_a_variable_around_the_kernel_a_global_or_a_builtin_one():
    inside = around(1.5, size)
    assert [value_of(inside, name) for name in ("shift", "SIZE", "len", "nothing")] == [1.5, 3, len, Missing]


def test_a_variable_around_the_kernel_may_have_no_value_yet():
    @kernel
    def early(x):
        return x + late

    assert value_of(early, "late") is Missing
    late = 1
    assert value_of(early, "late") == late


def test_callees_are_kernels_alone():
    assert callees(uses_a_lambda) == {"size": size}
    assert callees(around(1, size)) == {"callee": size}
    assert callees(around(size, len)) == {"shift": size}
    assert callees(uses_an_attribute_of_the_same_name) == {}


def test_a_copy_has_other_values_for_names_and_all_else_of_the_kernel():
    inside = around(1, float)
    copy = copy_with(inside, {"callee": math.sqrt}, "[sqrt]")
    assert copy(9.0) == 3 * 2 + (9 + 1)
    assert inside(9.0) == 9 * 2 + (9 + 1)
    assert copy.__qualname__ == f"{inside.__qualname__}[sqrt]"
    assert is_kernel(copy)


def test_a_copy_has_other_values_for_global_names():
    class Point:
        size = 5

    assert copy_with(size, {"SIZE": 10})(Point) == 15
    assert size(Point) == 8
