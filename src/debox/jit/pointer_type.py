"""Pointers as arguments of compiled code: an address, which Python hands over as the number that it is.

Numba has a type for functions as arguments, too, but asks Python twice for the address of each, whenever a kernel is
called: that took most of the time of a call.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from debox.jit.library import load_numba


class Pointer(int):
    """The address of compiled code with the Numba type of its function; keeps the code alive."""

    type: Any

    def __new__(cls, address: int, kind: Any, owner: object) -> Pointer:
        pointer = super().__new__(cls, address)
        pointer.type, pointer._owner = kind, owner  # type: ignore[attr-defined]
        return pointer


def pointer_type(signature: Any) -> Any:
    """The Numba type of pointers to functions of this signature."""
    return _pointer_class()(signature)


@cache
def _pointer_class() -> Any:
    """Numba's class of types of functions, but for how an argument is read."""
    numba = load_numba()

    class PointerType(numba.types.FunctionType):  # type: ignore[misc, name-defined]
        def __reduce__(self) -> tuple[Any, ...]:  # kept machine code has its signature with it
            return pointer_type, (self.signature,)

    def read(kind: Any, address: Any, c: Any) -> Any:
        function = numba.core.cgutils.create_struct_proxy(kind)(c.context, c.builder)
        function.c_addr = c.pyapi.long_as_voidptr(address)
        function.py_addr = function.jit_addr = function.c_addr.type(None)  # no Python object and no other entry
        return numba.extending.NativeValue(function._getvalue(), is_error=c.pyapi.c_api_error())

    numba.extending.register_model(PointerType)(numba.experimental.function_type.FunctionModel)
    numba.extending.unbox(PointerType)(read)
    return PointerType
