"""Kernels: plain Python functions that Numba compiles when, and only when, they are first used.

A function marked ``@kernel`` stays an ordinary Python function: tests call it, readers step through it, importing it
costs nothing. `bind` gives its compiled twin for the arguments at hand, `pointer` an operator as a typed function
pointer. With the environment variable DEBOX_JIT=0 (or Numba's NUMBA_DISABLE_JIT=1), or inside `interpreted()`, both
give the Python function itself; the results are the same to the bit.

This is the only place that imports Numba and the only place that knows its options.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from debox.de import native
from debox.de.cache import KernelCache, cache_folder, say

Function = TypeVar("Function", bound=Callable[..., Any])

# No fastmath: it may change a comparison with a bound. No parallel: runs are parallel, and a run releases the GIL.
OPTIONS = {"nogil": True, "error_model": "numpy"}

_lock = threading.RLock()  # around everything that may compile
_interpreted = os.environ.get("DEBOX_JIT") == "0"
_while_forking = ExitStack()  # the locks held during a fork


def kernel(function: Function) -> Function:
    """Mark a function as compilable; it is returned unchanged."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def _locks_of_compilers() -> Iterator[AbstractContextManager[Any]]:
    """Debox's lock and, if they are loaded, Numba's and LLVM's: in the order in which who compiles takes them."""
    yield _lock
    yield getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", nullcontext())
    yield getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", nullcontext())


def _wait_for_compilers() -> None:
    """Before a fork: the child would wait for ever for a lock that another thread held, for it has no such thread."""
    for lock in _locks_of_compilers():
        _while_forking.enter_context(lock)


def _let_compilers_go_on() -> None:
    """After a fork, in both processes."""
    _while_forking.pop_all().close()  # pop_all: once the first lock is free, another thread may begin to fork


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_wait_for_compilers, after_in_parent=_let_compilers_go_on, after_in_child=_let_compilers_go_on
    )


@contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels as plain Python inside this block."""
    global _interpreted
    before, _interpreted = _interpreted, True
    try:
        yield
    finally:
        _interpreted = before


def is_interpreted() -> bool:
    """Whether kernels run as plain Python, also because Numba was told, in whatever way, to compile nothing."""
    with _lock:
        return _interpreted or bool(_numba().config.DISABLE_JIT)


def bind(function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The compiled twin of a kernel for arguments of these types; skips Numba's dispatch (0.1 ms) on every call."""
    if is_interpreted():
        return np.errstate(over="ignore")(function)  # integers come around, as compiled ones do
    with _lock:
        signature = tuple(_type_of(arg) for arg in args)
        dispatcher = compiled(function)
        if signature not in dispatcher.overloads:
            dispatcher.compile(signature)
        return dispatcher.overloads[signature].entry_point  # type: ignore[no-any-return]


def pointer(function: Callable[..., Any], slot: str) -> Any:
    """An operator as a typed function pointer, so that one compiled loop serves them all."""
    if is_interpreted():
        return function
    with _lock:
        return _pointer(function, _signatures()[slot])


def counter(function: Callable[..., Any], *args: Any) -> Any:
    """The same for a kernel that takes arguments of these types and returns a whole number."""
    if is_interpreted():
        return function
    with _lock:
        return _pointer(function, _numba().types.int64(*map(_type_of, args)))


def is_compiled(fun: object) -> bool:
    """Whether `fun` is a function its owner compiled with Numba, and Numba may compile what calls it."""
    if "numba" not in sys.modules:
        return False
    with _lock:
        numba = _numba()
    return not numba.config.DISABLE_JIT and isinstance(fun, numba.core.dispatcher.Dispatcher)


def objective(fun: Callable[..., Any], args: tuple[Any, ...] = ()) -> Any:
    """A Numba-compiled f(x, *args) in the form the compiled loop takes. Its exceptions pass through.

    With args it is the pair of args and a function (x, args), compiled once for args of these types, whatever their
    values. Else it is a function (x, rng). Compiled functions among args have no values at run time: all of args are
    then constants of that function, which is compiled anew every time.
    """
    if _interpreted:
        return (args, lambda x, args: fun(x, *args)) if args else lambda x, rng: fun(x)
    with _lock:
        try:
            if any(map(is_compiled, args)):
                return _with_constants(fun, args)
            return (args, _with_args(fun, _type_of(args))) if args else _alone(fun)
        except ValueError as error:  # what Numba says of a value that has none of its types
            refuse(_numba().core.errors.NumbaValueError(str(error)), fun)
            raise
        except Exception as error:
            refuse(error, fun)
            raise


def refuse(error: Exception, fun: Callable[..., Any]) -> None:
    """If the error is Numba's, who could not compile the objective: raise one that says why in a line."""
    if "numba" not in sys.modules or not isinstance(error, _numba().core.errors.NumbaError):
        return
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    reason = " ".join(lines[: 2 if lines[0].endswith(":") else 1])
    name = getattr(fun, "__name__", fun)
    raise ValueError(f"Numba cannot compile the objective {name!r} with its args: {reason}") from error


def _with_constants(fun: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    dispatcher = _numba().njit(lambda x, rng: fun(x, *args), **OPTIONS)
    dispatcher.compile(_signatures()["objective"])
    return dispatcher


@lru_cache(maxsize=32)
def _alone(fun: Callable[..., Any]) -> Any:
    """Kept: compiling takes as long as 300 000 evaluations."""
    return _with_constants(fun, ())


@lru_cache(maxsize=32)
def _with_args(fun: Callable[..., Any], args_type: Any) -> Any:
    t = _numba().types
    dispatcher = _numba().njit(lambda x, args: fun(x, *args), **OPTIONS)
    dispatcher.compile(t.float64(t.float64[::1], args_type))
    return dispatcher


def specialise(function: Callable[..., Any], **names: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel with these names, where it or a kernel it calls uses them, meaning these kernels."""
    return _specialise(function, tuple(names.items()))


@cache
def _specialise(function: Callable[..., Any], names: tuple[tuple[str, Callable[..., Any]], ...]) -> Callable[..., Any]:
    meant = {name: kernel for name, kernel in names if name in _names(function)}
    for name, callee in _callees(function).items():
        if name not in meant and (special := _specialise(callee, names)) is not callee:
            meant[name] = special
    if not meant:
        return function
    return _copy(function, meant, "".join(f"[{kernel.__name__} {_fingerprint(kernel)}]" for _, kernel in names))


def _fingerprint(function: Callable[..., Any]) -> str:
    """What a kernel does, in 8 hex digits: machine code is kept under it, since its source may be anyone's file."""
    does = [part for piece in _pieces(function.__code__) for part in _instructions(piece)]
    named = {name: function.__globals__.get(name) for name in _names(function)}
    does += [f"{name}={value!r}" for name, value in named.items() if isinstance(value, bool | int | float | np.generic)]
    does += [_fingerprint(callee) for callee in _callees(function).values()]
    return hashlib.sha256("\n".join(does).encode()).hexdigest()[:8]


def _pieces(code: types.CodeType) -> list[types.CodeType]:
    """A piece of code and those in it: lambdas, generator expressions."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return [code, *(piece for part in inner for piece in _pieces(part))]


def _instructions(piece: types.CodeType) -> list[str]:
    """What a piece of code does, but for those in it (whose repr has an address)."""
    constants = [part for part in piece.co_consts if not isinstance(part, types.CodeType)]
    return [piece.co_code.hex(), repr(constants), repr(piece.co_names)]


def _names(function: Callable[..., Any]) -> list[str]:
    """What a kernel names, in any of its pieces."""
    return [name for piece in _pieces(function.__code__) for name in piece.co_names]


def _callees(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The kernels a kernel names."""
    known = ((name, function.__globals__.get(name)) for name in _names(function))
    return {name: callee for name, callee in known if callee is not None and hasattr(callee, "__kernel__")}


def _copy(function: Callable[..., Any], names: dict[str, Any], suffix: str = "") -> Callable[..., Any]:
    """The same code where some global names mean something else."""
    twin = types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    twin.__module__, twin.__doc__ = function.__module__, function.__doc__
    twin.__qualname__ = function.__qualname__ + suffix  # its files in the cache are named after it
    return kernel(twin)


@cache
def compiled(function: Callable[..., Any]) -> Any:
    """The Numba dispatcher of a kernel: a copy of it that calls the dispatchers of the kernels it names."""
    if hasattr(function, "__write__"):
        return native.intrinsic(_numba(), function)
    twin = _copy(function, {name: compiled(callee) for name, callee in _callees(function).items()})
    return _with_cache(_numba().njit(twin, **OPTIONS), function)


def _with_cache(dispatcher: Any, function: Callable[..., Any]) -> Any:
    """The dispatcher, its machine code kept on disk if there is a source by which to tell when it is out of date."""
    folder, source = cache_folder(), Path(function.__code__.co_filename)
    if folder is not None and source.is_file():
        state = f"{_fingerprint(function)} {hashlib.sha256(source.read_bytes()).hexdigest()}"
        dispatcher._cache = KernelCache(_numba(), function, folder, state)
    return dispatcher


@cache
def _numba() -> Any:
    import numba
    import numba.core.cgutils
    import numba.core.event
    import numba.extending

    numba.core.event.register("numba:compile", _progress_listener(numba.core.event.Listener))
    return numba


def _progress_listener(listener: type) -> Any:
    """Tells the person waiting, on stderr, that kernels are being compiled and how long it took."""

    class Progress(listener):  # type: ignore[misc]
        outermost, started = None, 0.0

        def on_start(self, event: Any) -> None:
            dispatcher = event.data["dispatcher"]
            if self.outermost is None and hasattr(dispatcher.py_func, "__kernel__"):
                self.outermost, self.started = dispatcher, time.perf_counter()
                kept = " (once, then cached)" if dispatcher._cache.cache_path else ""
                say(f"compiling {dispatcher.py_func.__name__}{kept} …", end=" ")

        def on_end(self, event: Any) -> None:
            if event.data["dispatcher"] is self.outermost:
                self.outermost = None
                print(f"{time.perf_counter() - self.started:.1f} s", file=sys.stderr, flush=True)

    return Progress()


@cache
def _signatures() -> dict[str, Any]:
    """The type of each slot's function; operators write into an argument or return a number."""
    t = _numba().types
    matrix, vector, number = t.float64[:, ::1], t.float64[::1], t.float64
    indices, integer = t.uint64[::1], t.int64
    rng = _type_of(np.random.default_rng(0))
    return {
        "donors": t.void(integer, integer, integer, rng, indices),
        "mutation": t.void(matrix, integer, integer, indices, number, vector),
        "crossover": t.void(vector, vector, number, rng, vector),
        "strategy": number(number, number, number, number, number, rng),
        "whole strategy": t.void(vector, vector, vector, vector, vector, rng),
        "objective": number(vector, rng),
    }


@cache
def _pointer(function: Callable[..., Any], signature: Any) -> Any:
    result = compiled(function).get_compile_result(signature)
    address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
    return _pointer_class()(signature, address, result)


@cache
def _pointer_class() -> type:
    class Pointer(_numba().types.WrapperAddressProtocol):  # type: ignore[misc]
        def __init__(self, signature: Any, address: int, owner: object) -> None:
            self._signature, self._address, self._owner = signature, address, owner

        def signature(self) -> Any:
            return self._signature

        def __wrapper_address__(self) -> int:
            return self._address

    return Pointer


def _type_of(value: Any) -> Any:
    numba = _numba()
    if is_compiled(value):
        return numba.types.FunctionType(value.nopython_signatures[0])
    if isinstance(value, tuple):
        # Built here because typeof warns that a tuple of function pointers is experimental; they are used on purpose.
        parts = [_type_of(part) for part in value]
        if hasattr(value, "_fields"):
            return numba.types.NamedTuple(parts, type(value))
        return numba.types.UniTuple(parts[0], len(parts)) if len(set(parts)) == 1 else numba.types.Tuple(parts)
    if isinstance(value, np.ndarray) and value.flags.carray:
        return _array_type(value.dtype, value.ndim)
    return numba.typeof(value)


@cache
def _array_type(dtype: np.dtype[Any], dimensions: int) -> Any:
    """That of ordinary arrays; kept, since to work it out takes as long as a short run."""
    return _numba().typeof(np.zeros((1,) * dimensions, dtype))
