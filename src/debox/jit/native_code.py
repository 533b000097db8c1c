"""Native kernels: their machine instructions are written by hand, not compiled from their Python.

They are for the few things for which no Python code makes the compiler choose the right instructions. The Python of a
native kernel says what it does, and is what runs when kernels are interpreted; both must give the same result.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from debox.jit.marking import Function, kernel


def native(emit: Callable[..., Any]) -> Callable[[Function], Function]:
    """Mark a function as a kernel that returns a uint32 and whose instructions emit(ir, builder, *args) writes.

    `ir` is llvmlite's module of that name, `builder` its IRBuilder. An array comes as a pointer to its first number, a
    tuple as a list, a number as it is.
    """

    def emit_plain(numba: Any, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        def plain(kind: Any, value: Any) -> Any:
            if isinstance(kind, numba.types.BaseTuple):
                return [builder.extract_value(value, k) for k in range(len(kind))]
            return context.make_array(kind)(context, builder, value).data if is_array(numba, kind) else value

        return emit(numba.core.cgutils.ir, builder, *map(plain, kinds, values))

    return _mark_as_native(emit_plain, lambda numba, kinds: numba.types.uint32)


def _mark_as_native(emit: Callable[..., Any], result_type: Callable[..., Any]) -> Callable[[Function], Function]:
    def mark(function: Function) -> Function:
        function.__emit__, function.__result_type__ = emit, result_type  # type: ignore[attr-defined]
        return kernel(function)

    return mark


def is_native(function: object) -> bool:
    return hasattr(function, "__emit__")


def emitter_of(function: Any) -> Callable[..., Any]:
    """The function that writes the instructions of a native kernel."""
    return function.__emit__  # type: ignore[no-any-return]


def is_array(numba: Any, kind: Any) -> bool:
    return isinstance(kind, numba.types.Array)


def emit_without_owners(numba: Any, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """Write the instructions of `borrow`: each array loses the address at which the references to it are counted."""

    def without_owner(kind: Any, value: Any) -> Any:
        if isinstance(kind, numba.types.BaseTuple):
            for k, part in enumerate(kind.types):
                if isinstance(part, numba.types.BaseTuple) or is_array(numba, part):
                    value = builder.insert_value(value, without_owner(part, builder.extract_value(value, k)), k)
        elif is_array(numba, kind):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo = array.meminfo.type(None)
            value = array._getvalue()
        return value

    return without_owner(kinds[0], values[0])


@_mark_as_native(emit_without_owners, lambda numba, kinds: kinds[0])
def borrow(value):  # type: ignore[no-untyped-def]
    """The same array, or tuple of arrays, for a kernel that does not count the references to them

    Numba counts with atomic instructions wherever a kernel is called in a branch, which takes a fifth of a run. What is
    borrowed is not kept alive by the borrower: the caller must hold the arrays until the kernel returns, and the kernel
    must neither return them nor store them anywhere. Else memory is used after it was freed.

    Borrow each argument by a call of its own, and write at most three calls into one assignment. For four or more
    Python makes a tuple first, and at each step of that Numba counts the references to all arrays in it again: the
    machine code of `propose_classic` becomes half as long again.
    """
    return value


def intrinsic(numba: Any, function: Any) -> Any:
    """What Numba puts in the place of a call of a native kernel."""

    def typed(typing: Any, *kinds: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return function.__emit__(numba, context, builder, signature.args, values)

        return function.__result_type__(numba, kinds)(*kinds), generate

    first = inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [first, *inspect.signature(function).parameters.values()]
    typed.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # Numba counts them
    return numba.extending.intrinsic(typed)
