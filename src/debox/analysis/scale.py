"""A scale for POIS that tells 0, 0.001, 0.01, 0.1 … 0.9, 0.99, 0.999 and 1 apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

ENDS = 3  # where 1 lies; 0 lies at −3
TICKS = (0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1)


def logit_like(pois: ArrayLike) -> NDArray[np.float64]:
    """½ log₁₀((p + ε)/(1 − p + ε)) + 2p − 1, ε ≈ 10⁻⁴: half a step per decade near 0 and 1, and a wide middle"""
    p = np.asarray(pois, dtype=np.float64)
    epsilon = 1 / (10.0**4 - 1)  # makes the logarithm −4 at 0 and 4 at 1
    return np.log10((p + epsilon) / (1 - p + epsilon)) / 2 + 2 * p - 1
