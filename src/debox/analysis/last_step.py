"""The last step of Cr: the mean share of infeasible trials at the two largest Cr, and where it falls: the collapse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.estimate import Estimate, discoveries, jackknife
from debox.analysis.runs import Runs

FALL = 0.05  # a collapse is a fall of the mean by more than half of one of the paper's bins


@dataclass(frozen=True, eq=False)
class LastStep:
    """Arrays have an axis for each factor but Cr.

    change: after − before
    falls: where the mean is shown to fall by more than FALL, corrected over all steps of Cr of the study. It grows with
    the runs; how many changes are below −FALL is the estimate that does not.
    """

    axes: Mapping[str, tuple[Any, ...]]
    Cr: tuple[float, float]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    change: Estimate
    falls: NDArray[np.bool_]

    @classmethod
    def of(cls, runs: Runs) -> LastStep:
        """The last step of runs with at least two Cr; they must be complete."""
        share = runs.complete().share
        steps = jackknife(lambda share: np.diff(share.mean(-1), axis=-1), share)
        falls = discoveries(steps.p_below(-FALL))[..., -1]
        means = share.mean(-1)
        last = Estimate(steps.value[..., -1], steps.error[..., -1], steps.freedom)
        axes = {name: levels for name, levels in runs.axes.items() if name != "Cr"}
        return cls(axes, runs.axes["Cr"][-2:], means[..., -2], means[..., -1], last, falls)

    def share_falling(self, factor: str) -> dict[Any, float]:
        """For each level of a factor the share of configurations that fall by more than FALL, as estimated."""
        by_level = np.moveaxis(self.change.value < -FALL, list(self.axes).index(factor), 0)
        return {level: float(some.mean()) for level, some in zip(self.axes[factor], by_level, strict=True)}


def obstacle(runs: Runs) -> str:
    """What the last step of Cr needs and these runs lack: a full design, two runs, two Cr; empty if nothing."""
    if reason := runs.obstacle(2, "the last step of Cr"):
        return reason
    return "" if len(runs.axes["Cr"]) > 1 else "the last step of Cr needs two values of Cr, this study has one"
