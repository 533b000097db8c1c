"""The fingerprint of a kernel: 8 hex digits that change whenever what it does changes, wherever its source is."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from debox.jit.marking import callees, names_in, pieces


def fingerprint(function: Callable[..., Any]) -> str:
    """What a kernel does, in 8 hex digits: machine code is kept under it, since its source may be anyone's file."""
    does = [part for piece in pieces(function.__code__) for part in _instructions(piece)]
    named = {name: function.__globals__.get(name) for name in names_in(function)}
    does += [f"{name}={value!r}" for name, value in named.items() if isinstance(value, bool | int | float | np.generic)]
    does += [fingerprint(callee) for callee in callees(function).values()]
    return hashlib.sha256("\n".join(does).encode()).hexdigest()[:8]


def _instructions(piece: types.CodeType) -> list[str]:
    """What a piece of code does, without the pieces inside it, whose repr has an address."""
    constants = [part for part in piece.co_consts if not isinstance(part, types.CodeType)]
    return [piece.co_code.hex(), repr(constants), repr(piece.co_names)]
