"""Restoring the random numbers of a saved run: only bit generators whose states can be checked are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from debox.optimize.archive import require

# The state of each bit generator that can be saved: for each number in it, what it is less than.
WORD, HALF_DRAW = 2**64, {"has_uint32": 2, "uinteger": 2**32}
PCG = {"state": {"state": 2**128, "inc": 2**128}, **HALF_DRAW}
BIT_GENERATORS: dict[str, dict[str, Any]] = {
    "PCG64": PCG,
    "PCG64DXSM": PCG,
    "MT19937": {"state": {"key": [2**32] * 624, "pos": 625}},
    "Philox": {
        "state": {"counter": [WORD] * 4, "key": [WORD] * 2},
        "buffer": [WORD] * 4,
        "buffer_pos": 5,
        **HALF_DRAW,
    },
    "SFC64": {"state": {"state": [WORD] * 4}, **HALF_DRAW},
}


def generator(state: Any) -> np.random.Generator:
    """The generator in the state that was saved, checked here because NumPy's C code does not check it."""
    name: Any = state.get("bit_generator") if isinstance(state, dict) else None
    require(
        isinstance(name, str) and name in BIT_GENERATORS, f"its bit generator is one of {', '.join(BIT_GENERATORS)}"
    )
    rest = {key: value for key, value in state.items() if key != "bit_generator"}
    require(_is_below(rest, BIT_GENERATORS[name]), f"the state of {name} has its numbers, in their range")
    require(not _is_stuck(name, state["state"]), f"the state of {name} is one it can reach")
    bit_generator = getattr(np.random, name)(0)
    bit_generator.state = state
    return np.random.Generator(bit_generator)


def _is_below(value: Any, limit: Any) -> bool:
    """Whether a value has the form of the limit, and every number in it is a whole one in [0, limit)."""
    if isinstance(limit, dict):
        same = isinstance(value, dict) and value.keys() == limit.keys()
        return same and all(_is_below(value[key], limit[key]) for key in limit)
    if isinstance(limit, list):
        return isinstance(value, list) and len(value) == len(limit) and all(map(_is_below, value, limit))
    return type(value) is int and 0 <= value < limit


def _is_stuck(name: str, state: dict[str, Any]) -> bool:
    """Whether it would draw almost only zeros for ever, so that drawing until two numbers differ would never end."""
    if name == "MT19937":
        first, *others = state["key"]
        return not (first & 2**31 or any(others))
    return name.startswith("PCG") and state["inc"] % 2 == 0
