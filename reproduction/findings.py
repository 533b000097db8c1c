"""What the paper's study says in short: how often DE leaves the box, where, and what to set."""

from __future__ import annotations

from typing import Any

import numpy as np

from debox.analysis import leaving
from debox.analysis.estimate import Estimate, jackknife
from debox.analysis.last_step import FALL, LastStep
from debox.analysis.runs import Runs
from debox.f0 import theory

OF_EQUAL_EXCHANGES = "rand/1"  # whose first generation theory knows best: one base, two donors
HIGH_CR = {"bin": 0.9, "exp": 0.99}


def numbers() -> dict[str, Any]:
    """The numbers of docs/findings.md that no other page has."""
    runs = Runs.of("paper").complete()
    n = int(runs.common("dimension"))
    means = runs["pois"].mean(-1)
    return {
        "every": leaving.count(runs)._asdict(),
        "F_up_to_1": leaving.count(runs.take(F="<=1"))._asdict(),
        "median_by_F": {F: counts.median for F, counts in leaving.count_by(runs, "F").items()},
        "wide_by_N": {N: counts.wide for N, counts in leaving.count_by(runs, "N").items()},
        "mean_by_crossover": dict(zip(runs.axes["crossover"], by_level(runs, means, "crossover"), strict=True)),
        "share_by_exchanges": share_by_exchanges(runs, n),
        "falls": falls(runs),
    }


def by_level(runs: Runs, cells: Any, factor: str) -> list[float]:
    """The mean over all cells of each level of a factor."""
    others = tuple(axis for axis in range(cells.ndim) if axis != runs.axis(factor))
    return [float(mean) for mean in cells.mean(others)]


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


def falls(runs: Runs) -> dict[str, Any]:
    """Falls of mean POIS at the largest Cr: how many by estimate, which does not grow with the runs, and where."""
    step = LastStep.of(runs)
    number = jackknife(lambda share: (np.diff(share.mean(-1), axis=-1)[..., -1] < -FALL).sum(), runs.share)
    deep = step.change.value < -FALL
    deepest = int(step.change.value.argmin())
    return {
        "Cr": step.Cr,
        "steps": deep.size,
        "number": with_error(number),
        "shown": int(step.falls.sum()),
        "by_strategy": dict(zip(step.axes["strategy"], shares(step, deep, "strategy"), strict=True)),
        "by_N": dict(zip(step.axes["N"], shares(step, deep, "N"), strict=True)),
        "deepest": {name: levels[k] for (name, levels), k in zip(step.axes.items(), place(deep, deepest), strict=True)},
        "deepest_from": float(step.before.ravel()[deepest]),
        "deepest_to": float(step.after.ravel()[deepest]),
    }


def with_error(estimate: Estimate) -> list[float]:
    """A number and its standard error."""
    return [float(estimate.value), float(estimate.error)]


def shares(step: LastStep, deep: Any, factor: str) -> list[float]:
    """For each level of a factor the share of configurations that fall."""
    return [float(some.mean()) for some in np.moveaxis(deep, list(step.axes).index(factor), 0)]


def place(cells: Any, flat: int) -> tuple[int, ...]:
    """The place along each axis of a place of the flattened array."""
    return tuple(int(k) for k in np.unravel_index(flat, cells.shape))
