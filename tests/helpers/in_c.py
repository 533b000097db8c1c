"""The operators of the C core as functions of numbers and arrays."""

import ctypes

import numpy as np

from debox import _core, operators, reference
from debox.operators.bridge import ROLES, c_type

P = ctypes.c_void_p
NUMBER = ctypes.CFUNCTYPE(ctypes.c_double, P)  # what draws a random number
NEXT_DOUBLE = 3  # its place in a bitgen_t


class Rng(ctypes.Structure):
    """The struct Rng of core/loop.h over a NumPy Generator, or over what has its methods random and standard_normal."""

    _fields_ = [("bits", P * 5), ("normal", P), ("binomial", P)]

    def __init__(self, rng):
        self.errors, self.rng = [], rng  # the generator lives as long as its struct
        if isinstance(rng, np.random.Generator):
            self.normal, self.binomial = _core.ADDRESSES["normal"], _core.ADDRESSES["binomial_distribution"]
            ctypes.memmove(self.bits, rng.bit_generator.ctypes.bit_generator.value, ctypes.sizeof(self.bits))
        elif rng is not None:
            spare = np.random.default_rng(0)
            self.kept = self._calls(rng.random, spare.random), self._calls(rng.standard_normal, spare.standard_normal)
            self.bits[NEXT_DOUBLE], self.normal = (ctypes.cast(function, P).value for function in self.kept)

    def _calls(self, method, spare):
        """A C function that calls a method; errors are kept, for C goes on."""

        def call(_):
            try:
                return method()
            except Exception as error:
                self.errors.append(error)
                return spare()

        return NUMBER(call)


def in_c(role, name):
    """The C function of this name as a function of numbers and arrays; it must not fail."""
    function = c_type(ROLES[role])(_core.ADDRESSES[name])

    def call(*given):
        failed = ctypes.c_int64(0)
        passed = [
            g.ctypes.data if isinstance(g, np.ndarray) else ctypes.addressof(g) if isinstance(g, Rng) else g
            for g in given
        ]
        value = function(*passed, ctypes.byref(failed))
        assert failed.value == 0
        for error in (error for g in given if isinstance(g, Rng) for error in g.errors):
            raise error
        return value

    return call


class OperatorsInC:
    """The operators of the core under the names and with the arguments of reference.py."""

    def __getattr__(self, name):
        if name in ("distinct", "not_target", "not_parents"):
            return lambda N, target, best, rng, r: in_c("donors", name)(N, target, best, Rng(rng), r.size, r)
        if name in ("binomial", "exponential"):
            return lambda x, v, Cr, rng, u: in_c("crossover", name)(x, v, Cr, Rng(rng), u, u.size)
        if name.startswith("sample_"):
            return lambda i, memory, rng, F_Cr: in_c("sample", name)(
                i, memory, memory.shape[1], Rng(rng), F_Cr, F_Cr.shape[1]
            )
        if name.startswith("learn_"):
            return lambda F_Cr, gain, memory, cell: in_c("learn", name)(
                F_Cr, F_Cr.shape[1], gain, gain.size, memory, memory.shape[1], cell
            )
        function = getattr(reference, name)
        if function in [mutation.function for mutation in operators.in_slot("mutation")]:
            return lambda *args: self._mutant(name, args[:7], *args[7:])
        if function in [strategy.function for strategy in operators.in_slot("strategy") if strategy.whole]:
            return lambda u, x, c, a, b, rng: in_c("whole", name)(u, x, c, a, b, Rng(rng), u.size)
        return lambda u, x, c, a, b, rng: in_c("strategy", name)(u, x, c, a, b, Rng(rng))

    @staticmethod
    def _mutant(name, rows, F, K=0.0):
        v = np.empty(len(rows[0]))
        in_c("mutation", name)(*map(np.ascontiguousarray, rows), F, K, v, v.size)
        return v
