"""Kernels of debox with another arithmetic, for a process of its own: `adopt` changes them before they are compiled.

tolerance   a component beyond a bound by at most 4·2⁻⁵²·(b − a) is put on that bound before the trial is checked
fused       the compiler may fuse a product with the sum it goes into and round once
"""

import numpy as np

from debox import jit
from debox.de import algorithm
from debox.de.variation import formula
from debox.f0.fast import scan
from debox.f0.fast.fixed_point import BEST, R1, R2, R3, R4, R5, TARGET, WORD
from debox.f0.fast.scan import row
from debox.jit import kernel

TOLERANCE = 4 * 2.0**-52  # in widths of the box
is_inside_as_written, repair_as_written = algorithm.is_inside, algorithm.repair_components


@kernel
def snap(u, a, b):
    """Put the components of u that lie beyond a bound by at most TOLERANCE·(b − a) on it"""
    for i in range(u.size):
        slack = TOLERANCE * (b[i] - a[i])
        if a[i] - slack <= u[i] < a[i]:
            u[i] = a[i]
        elif b[i] < u[i] <= b[i] + slack:
            u[i] = b[i]


@kernel
def is_inside(u, a, b):
    """The check of the plain engine"""
    snap(u, a, b)
    return is_inside_as_written(u, a, b)


@kernel
def repair_components(u, x, c, a, b, strategies, strategy_of, rng, violations):
    """The check of an accepted trial in the fast engine"""
    snap(u, a, b)
    return repair_as_written(u, x, c, a, b, strategies, strategy_of, rng, violations)


@kernel
def outside_bits(points, parents, t, F, word):
    """The check of all other trials there: which of 32 components of mutant t lie outside [0, 1] by more"""
    rows, x, x_best = points.rows, row(points, parents, TARGET, t, word), row(points, parents, BEST, t, word)
    r1, r2 = row(points, parents, R1, t, word), row(points, parents, R2, t, word)
    r3, r4 = row(points, parents, R3, t, word), row(points, parents, R4, t, word)
    r5 = row(points, parents, R5, t, word)
    flags = np.uint32(0)
    for j in range(WORD):
        v = formula(
            rows[x + j], rows[x_best + j], rows[r1 + j], rows[r2 + j], rows[r3 + j], rows[r4 + j], rows[r5 + j], F
        )
        flags |= np.uint32((v < -TOLERANCE) | (v > 1.0 + TOLERANCE)) << np.uint32(j)
    return flags


def adopt(arithmetic: str) -> None:
    """Change the kernels of this process; "as written" leaves them."""
    if arithmetic == "fused":
        jit.OPTIONS["fastmath"] = {"contract"}
    elif arithmetic == "tolerance":
        algorithm.is_inside, algorithm.repair_components = is_inside, repair_components
        scan.outside_bits = outside_bits
    elif arithmetic != "as written":
        raise ValueError(f"arithmetic must be as written, tolerance or fused, got {arithmetic!r}")
