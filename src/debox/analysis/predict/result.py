"""Prediction: a predicted distribution of POIS, with a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from debox import check
from debox.analysis.old_runs import Panel
from debox.analysis.predict.band import Calibration, Guess
from debox.analysis.predict.grid import Floats

LEVEL = 0.9  # of a band, unless another is asked for
SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)


class Band(NamedTuple):
    """Low and high POIS of a fresh sample's runs, the smallest run first; `p` are their levels, (k − ½)/runs."""

    p: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """The distribution of POIS that a study lets expect of a configuration between its levels; `predict` makes it.

    Attributes
    ----------
    panel : Panel
        Mutation, crossover, strategy and N.
    F, Cr : float
        Where between the levels of the study.
    dimension, budget, runs : int
        Of the study; runs: of every configuration.
    stored : bool
        Whether the study has this configuration, so that nothing is interpolated.
    pois : ndarray of float, shape (runs,)
        What the runs of a sample like the study's would give, the smallest first. Not writeable.
    guess : Guess
        The counts before they are divided, and how rough and noisy the grid is there.
    calibration : Calibration
        What leaving out rows and columns of the study says about bands.
    options : str, default ""
        Settings of the runs other than the usual, as `config` writes them: ", adaptation=JADE".

    Examples
    --------
    >>> import debox
    >>> study = debox.Study(name="few", mutation="rand/1", crossover="bin", strategy="mirror", N=5, n=2, budget=20,
    ...                     F=[0.3, 0.5, 0.7, 0.9], Cr=[0.1, 0.5, 0.9], runs=10)
    >>> store = debox.run(study, "few", workers=1)
    >>> expected = debox.predict(store, "DE/rand/1/bin mirr, N=5, F=0.6, Cr=0.8")
    >>> expected.stored, expected.pois.shape, bool(0 < expected.mean() < 1)
    (False, (10,), True)
    >>> low, high = expected.mean_interval()
    >>> low <= expected.mean() <= high, expected.quantiles([0.25, 0.75]).shape, sorted(expected.as_dict()["band"])
    (True, (2,), ['high', 'low', 'p'])
    """

    panel: Panel
    F: float
    Cr: float
    dimension: int
    budget: int
    stored: bool
    pois: Floats
    guess: Guess
    calibration: Calibration
    options: str = ""

    def __post_init__(self) -> None:
        self.pois.flags.writeable = False

    @property
    def config(self) -> str:
        """Such as ``DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9``; donors, adaptation, … if they are not the usual ones."""
        return f"{self.panel.title}, F={self.F!r}, Cr={self.Cr!r}{self.options}"

    @property
    def runs(self) -> int:
        """Runs of every configuration of the study."""
        return len(self.pois)

    def mean(self) -> float:
        """Expected mean POIS.

        Returns
        -------
        float
            The mean of the predicted distribution.
        """
        return float(self.pois.mean())

    def quantiles(self, p: Sequence[float] = SHOWN) -> Floats:
        """Expected quantiles of POIS.

        Parameters
        ----------
        p : sequence of float, default (0.05, 0.25, 0.5, 0.75, 0.95)
            Which, in [0, 1]; the k-th smallest run has level (k − ½)/runs, lines lie between.

        Returns
        -------
        ndarray of float
            One per entry of `p`.

        Raises
        ------
        ValueError
            If an entry of `p` lies outside [0, 1].
        """
        levels = check.floats(p, "p")
        if levels.ndim != 1 or not ((levels >= 0) & (levels <= 1)).all():
            raise ValueError(f"p must be a sequence of numbers in [0, 1], got {p!r}")
        return at_levels(self.pois, levels)

    def band(self, level: float = LEVEL) -> Band:
        """Where the runs of a fresh sample, as large as the study's, would lie: an interval for the k-th smallest run.

        Each interval, also those of the smallest and the largest run, holds its run in about this share of
        configurations between the levels of a study; all of them together hold a whole sample less often.
        The page "POIS between the levels of a study: a prediction" has what was counted, run by run.

        Parameters
        ----------
        level : float, default 0.9
            The share, in (0, 1).

        Returns
        -------
        Band
            Arrays `p`, `low` and `high`.

        Raises
        ------
        ValueError
            If the level is not allowed, or the study has too few levels of F and Cr to calibrate such a band.
        """
        low, high = (side[0, 0] / self.budget for side in self.guess.band(level, self.calibration.widening(level)))
        return Band((np.arange(self.runs) + 0.5) / self.runs, np.minimum(low, self.pois), np.maximum(high, self.pois))

    def mean_interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Where the mean POIS of a fresh sample would lie: the means of both sides of the band.

        Parameters
        ----------
        level : float, default 0.9
            Of the band; as runs are rarely all off to one side, the interval holds the mean more often.

        Returns
        -------
        tuple of float
            Low and high.

        Raises
        ------
        ValueError
            As `band`.
        """
        band = self.band(level)
        return float(band.low.mean()), float(band.high.mean())

    def as_dict(self, level: float = LEVEL) -> dict[str, Any]:
        """Names, numbers and lists; the band is None if the study does not suffice to calibrate it.

        Parameters
        ----------
        level : float, default 0.9
            Of the band.

        Returns
        -------
        dict of str to object
            What `debox predict --json` prints.

        Raises
        ------
        ValueError
            If the level is not in (0, 1).
        """
        facts = {**self.panel._asdict(), "F": self.F, "Cr": self.Cr, "dimension": self.dimension, "budget": self.budget}
        facts |= {"config": self.config, "runs": self.runs, "stored": self.stored, "mean": self.mean()}
        facts |= {"pois": self.pois.tolist(), "level": level, "band": None, "mean_interval": None}
        if not self.calibration.obstacle(level):
            band = self.band(level)
            facts["band"] = {name: values.tolist() for name, values in band._asdict().items()}
            facts["mean_interval"] = list(self.mean_interval(level))
        return facts

    def __repr__(self) -> str:
        return f"<Prediction {self.config}: mean POIS {self.mean():.4f}>"

    def __str__(self) -> str:
        return describe(self)

    def _repr_html_(self) -> str:
        from debox import edpois, notebook

        head, note = heading(self)
        bars = notebook.histogram(edpois.histogram(self.pois).tolist(), edpois.COLOURS[edpois.colour(self.pois)])
        return notebook.table(head, [("", note), *lines(self)]) + bars


def describe(one: Prediction, level: float = LEVEL) -> str:
    """The distribution in few lines, what its intervals mean, and how to know it better."""
    table = [f"{name:<14}{value}" for name, value in lines(one, level)]
    better = f'to know it better: debox measure "{one.config}" --n {one.dimension} --budget {one.budget}'
    return "\n".join([*heading(one, level), *table, better])


def heading(one: Prediction, level: float = LEVEL) -> tuple[str, str]:
    """What is predicted, and what the intervals mean."""
    how = "as stored" if one.stored else "interpolated, no run was done"
    meaning = f"in brackets: where {one.runs} fresh runs have it in {100 * level:g} % of configurations"
    if obstacle := one.calibration.obstacle(level):
        meaning = f"no intervals: {obstacle}"
    return f"{one.config}: {how}", f"f0, n={one.dimension}, budget {one.budget}; {meaning}"


def lines(one: Prediction, level: float = LEVEL) -> list[tuple[str, str]]:
    """The mean and some quantiles with their intervals, if the study suffices for them."""
    named = {"POIS mean": one.mean()}
    named |= {f"{100 * p:g}% quantile": float(q) for p, q in zip(SHOWN, one.quantiles(), strict=True)}
    if one.calibration.obstacle(level):
        return [(name, f"{value:.4f}") for name, value in named.items()]
    band = one.band(level)
    sides = [at_levels(side, np.array(SHOWN)).tolist() for side in (band.low, band.high)]
    intervals = [one.mean_interval(level), *zip(*sides, strict=True)]
    return [
        (name, f"{value:.4f}  [{low:.4f}, {high:.4f}]")
        for (name, value), (low, high) in zip(named.items(), intervals, strict=True)
    ]


def at_levels(runs: Floats, p: Floats) -> Floats:
    """Quantiles of sorted runs: the k-th of R has level (k − ½)/R, lines lie between, nothing beyond"""
    return np.asarray(np.interp(p, (np.arange(len(runs)) + 0.5) / len(runs), runs))
