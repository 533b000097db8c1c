"""The random function f0."""

from debox.jit import kernel


@kernel
def f0(x, rng):
    """f0(x) = U(0,1), a fresh one for every evaluation"""
    return rng.random()
