"""What the paper's study says in short: how often DE leaves the box, where, and what to set."""

from __future__ import annotations

from typing import Any

import numpy as np

from debox.analysis import leaving
from debox.analysis.runs import Runs
from debox.f0 import theory

OF_EQUAL_EXCHANGES = "rand/1"  # whose first generation theory knows best: one base, two donors


def numbers() -> dict[str, Any]:
    """The numbers of docs/findings.md that no other page has."""
    runs = Runs.of("paper").complete()
    n = int(runs.common("dimension"))
    return {
        "every": leaving.count(runs)._asdict(),
        "F_up_to_1": leaving.count(runs.take(F="<=1"))._asdict(),
        "median_by_F": {F: counts.median for F, counts in leaving.count_by(runs, "F").items()},
        "wide_by_N": {N: counts.wide for N, counts in leaving.count_by(runs, "N").items()},
        "share_by_exchanges": share_by_exchanges(runs, n),
    }


def share_by_exchanges(runs: Runs, n: int) -> float:
    """The share of the difference between bin and exp that exchanging as many components on average removes.

    In generation 1, where the chance of an infeasible trial is known exactly, over the study's N, F and Cr.
    """
    differences, removed = [], []
    for N in runs.axes["N"]:
        for F in runs.axes["F"]:
            for Cr in runs.axes["Cr"]:
                as_many = (theory.expected_exchanges("exp", n, Cr) - 1) / (n - 1)
                of_bin, of_bin_with_as_many, of_exp = (
                    theory.trial_infeasible(f"DE/{OF_EQUAL_EXCHANGES}/{crossover} sat, N={N}, F={F}, Cr={value}", n)
                    for crossover, value in (("bin", Cr), ("bin", as_many), ("exp", Cr))
                )
                differences.append(of_bin - of_exp)
                removed.append(of_bin - of_bin_with_as_many)
    return float(np.sum(removed) / np.sum(differences))
