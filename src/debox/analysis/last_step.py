"""The last step of Cr: mean POIS of every configuration at the two largest Cr, and where it falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from debox.analysis import cube
from debox.analysis.claims.properties import falling_steps
from debox.analysis.cube import Cube, Floats
from debox.analysis.runs import Runs


@dataclass(frozen=True, eq=False)
class LastStep:
    """Mean shares of infeasible trials at the two largest Cr; arrays have an axis for each factor but Cr.

    falls: where the mean falls by more than `rules.FALL`, beyond chance among all steps of Cr: what the claims about
    the collapse count
    """

    axes: Mapping[str, tuple[Any, ...]]
    Cr: tuple[float, float]
    before: Floats
    after: Floats
    falls: np.ndarray[Any, np.dtype[np.bool_]]

    @classmethod
    def of(cls, study: Cube) -> LastStep:
        """The last step of a study with at least two Cr."""
        axes = {name: levels for name, levels in study.axes.items() if name != "Cr"}
        means = study.share.mean(axis=-1)
        low, high = study.axes["Cr"][-2:]
        return cls(axes, (low, high), means[..., -2], means[..., -1], falling_steps(study)[..., -1])

    def share_falling(self, factor: str) -> dict[Any, float]:
        """For each level of a factor the share of configurations that fall."""
        by_level = np.moveaxis(self.falls, list(self.axes).index(factor), 0)
        return {level: float(some.mean()) for level, some in zip(self.axes[factor], by_level, strict=True)}

    def deepest(self) -> tuple[dict[str, Any], float, float]:
        """The configuration that falls most: its factors, its means before and after."""
        at = np.unravel_index(np.argmax(self.before - self.after), self.before.shape)
        key = {name: levels[k] for (name, levels), k in zip(self.axes.items(), at, strict=True)}
        return key, float(self.before[at]), float(self.after[at])


def obstacle(runs: Runs) -> str:
    """What the last step of Cr needs and these runs lack: a full design, two runs, two Cr; empty if nothing."""
    if lacks := cube.obstacle(runs):
        return lacks
    if len(runs.axes["Cr"]) < 2:
        return "the last step of Cr needs two values of Cr, this study has one"
    if min(map(len, runs.rows.values()), default=0) < 2:
        return "the last step of Cr needs at least 2 runs of every configuration, these have fewer"
    return ""
