"""A distribution of POIS over runs, as the paper shows it: ten bins, three colours.

The page "What debox computes and draws, exactly" defines them in §4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BINS = 10
COLOURS = {"teal": "#63acbe", "orange": "#ee442f", "violet": "#601a2f"}  # RGB (99,172,190), (238,68,47), (96,26,47)


def histogram(pois: NDArray[np.float64]) -> NDArray[np.int64]:
    """Runs per tenth of POIS: [0, 0.1], (0.1, 0.2], …, (0.9, 1].

    Parameters
    ----------
    pois : ndarray of float
        The POIS of each run, in [0, 1].

    Returns
    -------
    ndarray of int, shape (10,)
        How many runs each tenth holds.

    Examples
    --------
    >>> import numpy as np
    >>> from debox import edpois
    >>> edpois.histogram(np.array([0.0, 0.1, 0.15, 1.0])).tolist()
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    tenths = np.arange(1, BINS) / BINS
    return np.bincount(np.searchsorted(tenths, pois, side="left"), minlength=BINS)


def colour(pois: NDArray[np.float64]) -> str:
    """teal: all runs within 0.001 of 0, or all of 1; orange: all at 0.001 to 0.01 from it; else violet.

    Parameters
    ----------
    pois : ndarray of float
        The POIS of each run, in [0, 1]; at least one.

    Returns
    -------
    {"teal", "orange", "violet"}
        The colour in which the paper draws such a distribution.

    Raises
    ------
    ValueError
        If there is no run.

    Examples
    --------
    >>> import numpy as np
    >>> from debox import edpois
    >>> edpois.colour(np.array([0.9995, 1.0])), edpois.colour(np.array([0.0, 1.0]))
    ('teal', 'violet')
    """
    low, high = pois.min(), pois.max()
    for name, near, far in (("teal", 0.0, 0.001), ("orange", 0.001, 0.01)):
        if (near <= low and high <= far) or (1 - far <= low and high <= 1 - near):
            return name
    return "violet"
