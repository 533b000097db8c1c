"""C functions for the core from users' Python functions.

Numba compiles the function; without Numba, or where it cannot compile it, C calls Python through ctypes. Both give the
same numbers. core/loop.h has the C types of the roles: donors, mutation, crossover, strategy, whole (a strategy for the
whole trial), sample and learn (the two functions of an adaptation).
"""

from __future__ import annotations

import ctypes
import importlib.util
import inspect
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from io import BytesIO
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple

import cloudpickle
import numpy as np

from debox.operators.kinds import Function, Operator

Rng = Callable[[], np.random.Generator]

OPTIONS: Any = {"nogil": True, "error_model": "numpy"}  # no fastmath: the numbers are those of Python
LIBRARIES = {"numba", "numpy", "scipy", *sys.stdlib_module_names} - {"__main__"}


class Role(NamedTuple):
    """The C type of a role, and with it how the Python function f is called."""

    names: str
    types: str  # a letter each: d a double, i an integer, s a size, p an array of doubles, r of indices, g a generator
    result: str = ""  # d, i or nothing
    body: str = ""  # by default a call of f with all arguments but the sizes


PARENTS = ("x", "best", "r1", "r2", "r3", "r4", "r5")
ROLES = {
    "donors": Role("N target best rng size r", "iiigsr"),
    "mutation": Role(
        f"{' '.join(PARENTS)} F K v n",
        "pppppppddps",
        body=f"""{", ".join(f"{parent}_" for parent in PARENTS)} = {", ".join(f"array({p}, n)" for p in PARENTS)}
        v_, F_, K_ = array(v, n), number(F), number(K)
        for k in range(n):
            v_[k] = f({", ".join(f"{parent}_[k]" for parent in PARENTS)}, F_, K_)""",
    ),
    "crossover": Role("x v Cr rng u n", "ppdgps"),
    "strategy": Role("u x c a b rng", "dddddg", "d"),
    "whole": Role("u x c a b rng n", "pppppgs"),
    "sample": Role("i memory cells rng F_Cr N", "ipsgps"),
    "learn": Role("F_Cr N gain trials memory cells cell", "pspspsi", "i"),
}
SHAPES = {"r": "size", "memory": "(2, cells)", "F_Cr": "(2, N)", "gain": "trials"}  # of others: n
PASSED = {"d": "number({})", "i": "{}", "p": "array({}, {})", "r": "indices({}, {})", "g": "generator({})"}
BODIES = {"": "{}", "d": "return float(1.0 * {})", "i": "return int({})"}  # by results; 1.0 * None is an error
C_TYPES: dict[str, Any] = {"d": ctypes.c_double, "i": ctypes.c_int64, "s": ctypes.c_int64, "": None}  # else addresses


def bridge(function: Function, role: str, rng: Rng, errors: list[BaseException], compiled: bool = True) -> Any:
    """The C function of this role that does what a Python function does; keep it while its `address` is called.

    rng       returns the generator that the core draws from, with which Python is called
    errors    collects an exception of the Python function, which sets `*failed` and is not called again
    compiled  with Numba, if possible: then an exception sets `*failed` alone; the same call of a bridge that is not
              compiled collects it
    """
    if compiled and importlib.util.find_spec("numba") and (code := compile_once(function, role)):
        return code
    return in_python(function, ROLES[role], rng, errors)


def c_type(role: Role) -> Any:
    """The type of the C functions of a role."""
    types = [C_TYPES.get(kind, ctypes.c_void_p) for kind in role.types]
    return ctypes.CFUNCTYPE(C_TYPES[role.result], *types, ctypes.POINTER(ctypes.c_int64))


def wrapper(function: Function, role: Role, template: str, names: dict[str, Any]) -> Any:
    """A function that calls f with the arguments of its role; without K if f has none."""
    arguments = role.names.split()
    typed = [(name, kind) for name, kind in zip(arguments, role.types, strict=True) if kind != "s"]
    passed = ", ".join(PASSED[kind].format(name, SHAPES.get(name, "n")) for name, kind in typed)
    body = role.body or BODIES[role.result].format(f"f({passed})")
    body = body if "K" in inspect.signature(function).parameters else body.replace(", K_)", ")")
    text = template.format(arguments=", ".join([*arguments, "failed"]), body=body)
    exec(compile(text, f"<call of {function.__name__}>", "exec"), names)
    return names["call"]


# Without Numba.


def in_python(function: Function, role: Role, rng: Rng, errors: list[BaseException]) -> Any:
    """A C function that calls Python; numbers are NumPy's, which divide by zero as compiled code does."""
    tools: dict[str, Any] = {"f": function, "array": array_at, "number": np.float64, "generator": lambda _: rng()}
    tools["indices"] = lambda address, size: array_at(address, size, np.uint64)
    python = wrapper(function, role, "def call({arguments}):\n        {body}\n", tools)

    def call(*args: Any) -> Any:
        if not errors:
            try:
                with np.errstate(all="ignore"):
                    return python(*args)
            except BaseException as error:  # Ctrl-C, too
                errors.append(error)
        args[-1][0] = 1  # failed
        return 0

    call.errors = errors  # type: ignore[attr-defined]  # for an interrupt before the first line of call
    called = c_type(role)(call)
    called.address = ctypes.cast(called, ctypes.c_void_p).value  # as Numba's C functions have it
    return called


def array_at(address: int, shape: int | tuple[int, int], kind: Any = np.float64) -> Any:
    """The array of 8-byte numbers at an address."""
    room: Any = (ctypes.c_uint64 * int(np.prod(shape))).from_address(address)
    return np.frombuffer(room, kind).reshape(shape)


# With Numba.


_compiled: dict[tuple[str, Any], Any] = {}  # by roles and pickled functions; None is what Numba cannot compile


class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Takes C functions, as those of SciPy that Numba calls, for what they are: they have no pickle."""

    def persistent_id(self, value: Any) -> int | None:
        return id(value) if isinstance(value, ctypes._CFuncPtr) else None  # type: ignore[attr-defined]


def compile_once(function: Function, role: str) -> Any:
    """The function compiled by Numba with its variables as they are now; None, with a warning, if it cannot be."""
    key: tuple[str, Any] = role, function
    try:
        with BytesIO() as file:
            Pickler(file).dump(copy_of(function, wrap=lambda copy: copy))
            key = role, file.getvalue()
        if key not in _compiled:
            _compiled[key] = compile_with_numba(function, ROLES[role])
    except Exception as error:
        _compiled[key] = None
        about = f"Numba cannot compile {function.__name__!r}, which is called in Python instead, some µs a call"
        warnings.warn(f"{about}: {in_a_line(error)}", RuntimeWarning, stacklevel=2)
    return _compiled[key]


def in_a_line(error: Exception) -> str:
    """What Numba says why it cannot compile something; without the steps in which it tried."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    return " ".join(lines[: 2 if lines[0].endswith(":") else 1]) if lines else type(error).__name__


def compile_with_numba(function: Function, role: Role) -> Any:
    """A C function that sets `*failed` when f raises an exception."""
    import numba
    from numba import types

    let_forks_wait()
    array = numba.carray  # type: ignore[attr-defined]
    tools = {"array": array, "indices": array, "number": numba.float64, "generator": generator_at()}
    tools["f"] = copy_of(function, wrap=numba.njit(**OPTIONS))
    template = "def call({arguments}):\n    try:\n        {body}\n    except Exception:\n        failed[0] = 1\n"
    python = wrapper(function, role, template + ("        return 0\n" if role.result else ""), tools)
    numba_types = {"d": types.float64, "i": types.int64, "s": types.int64, "g": types.uintp, "": types.void}
    numba_types |= {"p": types.CPointer(types.float64), "r": types.CPointer(types.uint64)}
    signature = numba_types[role.result](*(numba_types[kind] for kind in role.types), types.CPointer(types.int64))
    return numba.cfunc(signature, **OPTIONS)(python)


def copy_of(function: Function, wrap: Callable[[FunctionType], Any]) -> Any:
    """A copy of the function that calls copies of the functions and operators that it names, each of them wrapped.

    A pickle of plain copies has the values of all their variables, which Numba compiles into the code: functions of
    importable modules themselves would be pickled by their names.
    """
    codes = [function.__code__]
    for code in codes:  # and those of the functions inside it
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    used: dict[str, Any] = {name: function.__globals__.get(name) for code in codes for name in code.co_names}
    used |= {name: cell.cell_contents for name, cell in cells.items()}
    called = {name: one.function if isinstance(one, Operator) else one for name, one in used.items()}
    copies = {name: copy_of(one, wrap) for name, one in called.items() if is_users(one) and one is not function}
    closure = tuple(CellType(copies[name]) if name in copies else cell for name, cell in cells.items())
    names = {**function.__globals__, **copies}
    return wrap(FunctionType(function.__code__, names, function.__name__, function.__defaults__, closure))


def is_users(value: Any) -> bool:
    """Whether it is a Python function, but not of a library: those Numba knows, or cannot compile."""
    return isinstance(value, FunctionType) and str(value.__module__).partition(".")[0] not in LIBRARIES


@cache
def let_forks_wait() -> None:
    """From now on a fork waits for a thread that compiles: the child would wait for Numba's lock for ever."""
    from numba.core.compiler_lock import global_compiler_lock as lock

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


@cache
def generator_at() -> Any:
    """For compiled code: a function that makes a NumPy Generator from the address of its bitgen_t, without Python."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def generator(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.get_value_type(types.uintp)
            words = builder.inttoptr(args[0], word.as_pointer())  # state, next_uint64, next_uint32, next_double
            state, *functions = (builder.load(builder.gep(words, [ir.Constant(ir.IntType(32), k)])) for k in range(4))
            rng = cgutils.create_struct_proxy(signature.return_type)(context, builder)
            bits = cgutils.create_struct_proxy(types.NumPyRandomBitGeneratorType("bits"))(context, builder)
            bits.bit_generator, bits.state_address, bits.state = args[0], state, state
            bits.fnptr_next_uint64, bits.fnptr_next_uint32, bits.fnptr_next_double = functions
            rng.bit_generator = bits._getvalue()  # other fields are null: Python keeps the generator alive
            return rng._getvalue()

        return types.NumPyRandomGeneratorType("rng")(types.uintp), generate

    return generator
