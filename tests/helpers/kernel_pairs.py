"""A kernel twice: as Numba compiles it, and as Python runs it."""

from debox import jit


def compiled_and_interpreted(function, *args):
    """Bind a kernel to the types of these arguments, compiled and as plain Python: both must say the same."""
    with jit.interpreted():
        interpreted = jit.bind(function, *args)
    return jit.bind(function, *args), interpreted
