"""Operators of somebody else: right ones, to be changed into wrong ones."""

from textwrap import indent

import numpy as np
import pytest

from debox.operators.kinds import KINDS
from debox.reference import TERMINAL

ARGUMENTS = {kind.slot: kind.arguments for kind in KINDS} | {"learn": ("F_Cr", "gain", "memory", "cell")}
BODIES = {
    "strategy": "return a + (b - a) / 2",
    "mutation": "return x_r1 + F * (x_r2 - x_r3) / 2",
    "crossover": "u[:] = x; i = int(rng.random() * u.size); u[i] = v[i]",
    "donors": "for k in range(r.size): r[k] = k",
    "adaptation": "F_Cr[:, i] = memory[:, 0]",
    "learn": "return cell",
}


def made_function(slot, body, *more):
    """A function with the arguments of its slot and this body, as a user writes it"""
    space = {"np": np, "TERMINAL": TERMINAL, "CALLS": [], "__name__": "somebody"}
    exec(f"def own({', '.join((*ARGUMENTS[slot], *more))}):\n    'a formula'\n{indent(body, '    ')}", space)
    return space["own"]


RIGHT = {
    "strategy": {"name": "middle", "short": "mid"},
    "mutation": {"name": "half/1", "donors": 3, "weights": lambda F: (0, 0, 1, F / 2, -F / 2)},
    "crossover": {"name": "one"},
    "donors": {"name": "first"},
    "adaptation": {"name": "lasting", "learn": made_function("learn", BODIES["learn"])},
}
for slot, parts in RIGHT.items():
    parts["function"] = made_function(slot, BODIES[slot])


@pytest.fixture
def function():
    """function("strategy", "return u"): a function of this slot"""
    return made_function


@pytest.fixture
def operator():
    """operator("strategy", name="other"): a right operator of this slot, some fields changed; it is not registered"""
    kinds = {kind.slot: kind for kind in KINDS}
    return lambda slot, **changed: kinds[slot](**{**RIGHT[slot], **changed})
