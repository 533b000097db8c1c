"""The runs of one configuration in few numbers: median, spread, and whether they fall into two camps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

LOW, HIGH = 0.05, 0.95  # the quantiles that bound the spread
CAMP_SHARE, CAMP_RUNS = 1 / 5, 5  # each camp holds at least this share of the runs, and this number
GAP, GAP_OF_RANGE = 0.1, 1 / 3  # the gap between camps is at least this wide, and this share of the range of the runs


@dataclass(frozen=True)
class Summary:
    """Median, 5 % and 95 % quantile of POIS (NaN without runs), and the medians of the two camps if it is bimodal."""

    runs: int = 0
    low: float = np.nan
    median: float = np.nan
    high: float = np.nan
    camps: tuple[float, ...] = ()


def summary(pois: NDArray[np.float64]) -> Summary:
    """The summary of the runs of one configuration."""
    if len(pois) == 0:
        return Summary()
    low, median, high = quantiles(pois, (LOW, 0.5, HIGH))
    return Summary(len(pois), low, median, high, camps(pois))


def quantiles(pois: NDArray[np.float64], levels: Sequence[float]) -> tuple[float, ...]:
    """The quantiles of POIS at these levels; NaN without runs."""
    return tuple(np.quantile(pois, levels).tolist()) if len(pois) else (np.nan,) * len(levels)


def missing_runs(runs: Iterable[int], planned: int) -> str:
    """How many of the planned runs there are, ``30 of 50 runs``; empty if none is missing."""
    counts = sorted(set(runs))
    if counts in ([], [planned]):
        return "" if counts else "nothing planned"
    if counts == [0]:
        return "no runs"
    number = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{number} of {planned} runs"


def camps(pois: NDArray[np.float64]) -> tuple[float, ...]:
    """The medians of the two camps of a bimodal sample; empty if it is not bimodal.

    Bimodal: an empty gap, at least 0.1 and a third of the range of the runs wide, lies between two camps, each of at
    least a fifth of the runs and five runs. Of 50 runs from one uniform distribution, the flattest with one mode, this
    calls fewer than 1 in 1000 bimodal (of 20 runs, 1 in 100). Hardest is a spike at 0 with a flat tail: some 1 in 50
    (of 20 runs, 1 in 5).
    """
    ordered = np.sort(pois)
    least = max(CAMP_RUNS, ceil(len(ordered) * CAMP_SHARE))
    gaps = np.diff(ordered)[least - 1 : len(ordered) - least]  # those with enough runs on both sides
    if len(gaps) == 0 or gaps.max() < max(GAP, GAP_OF_RANGE * (ordered[-1] - ordered[0])):
        return ()
    split = least + int(gaps.argmax())
    return float(np.median(ordered[:split])), float(np.median(ordered[split:]))
