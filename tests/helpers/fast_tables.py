"""Tables of the fast engine, with kernels that Python runs."""

from debox import Config, jit
from debox.f0.fast.clock import prepare


def prepared(text, n=3):
    with jit.interpreted():
        return prepare(Config(text), n)
