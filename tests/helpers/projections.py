"""Projections onto the effects of factors, as whole matrices."""

import numpy as np


def written_out(u, levels):
    """P_u as a matrix over all cells."""
    whole = np.ones((1, 1))
    for k, L in enumerate(levels):
        J = np.full((L, L), 1 / L)
        whole = np.kron(whole, np.eye(L) - J if k in u else J)
    return whole
