"""Cores by their arithmetic, for processes of their own: debox's, as written, and builds with another one.

tolerance   a component beyond a bound by at most 4·2⁻⁵²·(b − a) is put on that bound before the trial is checked
fused       the compiler may fuse a product with the sum it goes into and round once
"""

from pathlib import Path

from benchmarks import variants
from debox import _core

ARITHMETICS = {"as written": (), "tolerance": variants.TOLERANCE, "fused": variants.FUSED}


def core(arithmetic: str) -> Path:
    """A core that computes so."""
    if arithmetic not in ARITHMETICS:
        raise ValueError(f"arithmetic must be as written, tolerance or fused, got {arithmetic!r}")
    return variants.build_core(*ARITHMETICS[arithmetic]) if ARITHMETICS[arithmetic] else Path(_core.__file__)
