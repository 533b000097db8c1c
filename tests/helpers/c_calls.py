"""Calls of C functions of operators' roles, as the core makes them."""

import ctypes

import numpy as np

from debox.operators.bridge import ROLES, bridge, c_type


def address_of(rng):
    """Of its bitgen_t"""
    return rng.bit_generator.ctypes.bit_generator.value


class Caller:
    """A C function of a role; arrays are passed as pointers, and `failed` and `errors` are what it leaves."""

    def __init__(self, function, role, compiled, seed=1):
        self.rng, self.errors, self.failed = np.random.default_rng(seed), [], ctypes.c_int64(0)
        self.bridge = bridge(function, role, lambda: self.rng, self.errors, compiled)
        self.is_compiled = hasattr(self.bridge, "native_name")  # by Numba
        self.function = c_type(ROLES[role])(self.bridge.address)

    def __call__(self, *args):
        given = [address_of(self.rng) if arg is Ellipsis else arg for arg in args]
        pointers = [arg.ctypes.data if isinstance(arg, np.ndarray) else arg for arg in given]
        return self.function(*pointers, ctypes.byref(self.failed))


def call(role, caller):
    """What calls with fixed arguments give: results, all arrays, the next random number, whether they failed"""
    made, n = np.random.default_rng(3), 4
    rows, memory, F_Cr = made.random((9, n)), made.uniform(0.1, 0.9, (2, 5)), made.uniform(0.1, 0.9, (2, 6))
    gain, r, u = made.uniform(-1, 1, 4), np.zeros(5, np.uint64), np.array([-0.3, 0.5, 1.7, 0.2])
    a, b, results = np.zeros(n), np.ones(n), []
    if role == "strategy":
        results = [caller(far, 0.4, 0.6, 0.0, 1.0, ...) for far in (-0.3, 1.7, -2.5)]
    elif role == "whole":
        caller(u, rows[1], rows[2], a, b, ..., n)
    elif role == "donors":
        caller(9, 1, 3, ..., 5, r)
    elif role == "mutation":
        caller(*rows[:7], 0.7, 0.3, u, n)
    elif role == "crossover":
        caller(rows[0], rows[1], 0.6, ..., u, n)
    elif role == "sample":
        caller(2, memory, 5, ..., F_Cr, 6)
    elif role == "learn":
        results = [caller(F_Cr, 6, gain, 4, memory, 5, 1)]
    arrays = [array.tolist() for array in (u, r, memory, F_Cr, gain, a, b, rows)]
    return [results, arrays, caller.rng.random(), caller.failed.value]


def functions_of(operator):
    """The functions of an operator with their roles"""
    if operator.slot == "adaptation":
        return [(operator.function, "sample"), (operator.learn, "learn")]
    return [(operator.function, "whole" if getattr(operator, "whole", False) else operator.slot)]
