"""Operators of somebody else: right ones, to be changed into wrong ones."""

import pytest

from debox.operators.kinds import KINDS


def middle(u, x, c, a, b, rng):
    """(a + b)/2"""
    return a + (b - a) / 2


def half_difference(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_r2 − x_r3)/2"""
    return x_r1 + F * (x_r2 - x_r3) / 2


def one_component(x, v, Cr, rng, u):
    """u_I = v_I, else u_i = x_i"""
    u[:] = x
    i = int(rng.random() * u.size)
    u[i] = v[i]


def first_ones(N, target, best, rng, r):
    """r = 0, 1, …"""
    for k in range(r.size):
        r[k] = k


def from_memory(i, memory, rng, F_Cr):
    """F and Cr of the first cell"""
    F_Cr[0, i], F_Cr[1, i] = memory[0, 0], memory[1, 0]


def learn_nothing(F_Cr, gain, memory, cell):
    """The memory stays"""
    return cell


def half_weights(F):
    return 0, 0, 1, F / 2, -F / 2


RIGHT = {
    "strategy": {"name": "middle", "short": "mid", "function": middle},
    "mutation": {"name": "half/1", "function": half_difference, "donors": 3, "weights": half_weights},
    "crossover": {"name": "one", "function": one_component},
    "donors": {"name": "first", "function": first_ones},
    "adaptation": {"name": "lasting", "function": from_memory, "learn": learn_nothing},
}


@pytest.fixture
def operator():
    """operator("strategy", name="other"): a right operator of this slot, some fields changed; it is not registered"""
    kinds = {kind.slot: kind for kind in KINDS}
    return lambda slot, **changed: kinds[slot](**{**RIGHT[slot], **changed})
