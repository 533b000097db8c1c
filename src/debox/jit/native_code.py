"""Kernels that are not compiled from their Python but written, instruction by instruction, for the compiler.

For the few things that no Python makes it do. The Python of such a kernel says what it does, and is what runs when
kernels are interpreted.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def native(emit: Callable[..., Any]) -> Callable[[Function], Function]:
    """A kernel with a uint32 as its result, written by emit(ir, builder, *args), `ir` being llvmlite's.

    An array comes as a pointer to its first number, a tuple as a list.
    """

    def write(numba: Any, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        def plain(kind: Any, value: Any) -> Any:
            if isinstance(kind, numba.types.BaseTuple):
                return [builder.extract_value(value, k) for k in range(len(kind))]
            return context.make_array(kind)(context, builder, value).data if is_array(numba, kind) else value

        return emit(numba.core.cgutils.ir, builder, *map(plain, kinds, values))

    return _mark(write, lambda numba, kinds: numba.types.uint32)


def _mark(write: Callable[..., Any], result: Callable[..., Any]) -> Callable[[Function], Function]:
    def mark(function: Function) -> Function:
        function.__kernel__, function.__write__, function.__result__ = True, write, result  # type: ignore[attr-defined]
        return function

    return mark


def is_native(function: object) -> bool:
    return hasattr(function, "__write__")


def emitter_of(function: Any) -> Callable[..., Any]:
    """The function that writes the instructions of a native kernel."""
    return function.__write__  # type: ignore[no-any-return]


def is_array(numba: Any, kind: Any) -> bool:
    return isinstance(kind, numba.types.Array)


def forget_owners(numba: Any, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """The value without the addresses under which its arrays' references are counted"""

    def bare(kind: Any, value: Any) -> Any:
        if isinstance(kind, numba.types.BaseTuple):
            for k, part in enumerate(kind.types):
                value = builder.insert_value(value, bare(part, builder.extract_value(value, k)), k)
        elif is_array(numba, kind):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo = array.meminfo.type(None)
            value = array._getvalue()
        return value

    return bare(kinds[0], values[0])


@_mark(forget_owners, lambda numba, kinds: kinds[0])
def borrowed(value):  # type: ignore[no-untyped-def]
    """The same arrays, or tuple of them, without the counting of who refers to them

    Numba counts with atomic instructions wherever a kernel is called in a branch, hundreds of times a stretch. What is
    borrowed is not kept alive by the borrower: the caller must hold the arrays until the kernel returns, and the kernel
    must neither return them nor store them anywhere. Else memory is used after it was freed.
    """
    return value


def intrinsic(numba: Any, function: Any) -> Any:
    """What Numba puts in the place of a call of such a kernel."""

    def typed(typing: Any, *kinds: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return function.__write__(numba, context, builder, signature.args, values)

        return function.__result__(numba, kinds)(*kinds), write

    first = inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [first, *inspect.signature(function).parameters.values()]
    typed.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # Numba counts them
    return numba.extending.intrinsic(typed)
