"""Kernels: plain Python functions that Numba compiles when, and only when, they are first used."""

from debox.jit.binding import bind
from debox.jit.compiling import compiled
from debox.jit.library import OPTIONS, is_compiled
from debox.jit.marking import kernel
from debox.jit.native_code import borrowed, native
from debox.jit.objectives import objective, raise_as_objective_error, why_not_compiled
from debox.jit.pointers import counter, pointer
from debox.jit.specialising import specialise
from debox.jit.switch import interpreted, is_interpreted

__all__ = [
    "OPTIONS",
    "bind",
    "borrowed",
    "compiled",
    "counter",
    "interpreted",
    "is_compiled",
    "is_interpreted",
    "kernel",
    "native",
    "objective",
    "pointer",
    "raise_as_objective_error",
    "specialise",
    "why_not_compiled",
]
