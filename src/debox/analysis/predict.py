"""predict(store, config): what POIS would be between the levels of F and Cr that a study has, with a band."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from debox import check, files, operators
from debox.analysis import where as conditions
from debox.analysis.between import Calibration, Cells, Floats, Guess, to_logit
from debox.analysis.first_generation import trial_chance, why_no_curve
from debox.analysis.names import VARIANT, Panel
from debox.analysis.runs import Runs, Source, open_source
from debox.config import Config, parse
from debox.store.store import Store
from debox.study.fields import AXES, full_name
from debox.study.study import Study

Fit = tuple[Runs, Cells, Calibration]

LEVEL = 0.9  # of a band, unless another is asked for
SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)
_FITTED: WeakKeyDictionary[Store, dict[Any, Fit]] = WeakKeyDictionary()  # of stores that are open


def predict(
    source: Source,
    config: Config | str,
    *,
    N: int | None = None,
    F: float | None = None,
    Cr: float | None = None,
    **where: Any,
) -> Prediction:
    """Predict the distribution of POIS of a configuration between the levels of F and Cr that a study has.

    Quantile functions are interpolated by monotone splines, on the scale of logits and as deviations from what is
    known exactly of generation 1. No run is done. A configuration that the study has is returned as it is stored.

    Parameters
    ----------
    source : store, path, DataFrame, mapping or Runs
        A store (`debox.open_store`), its directory or packed file, a table of runs (a pandas or polars DataFrame, or a
        mapping from column names to arrays), or runs by configuration. An open store reads a panel once; opening a path
        again reads it again.
    config : Config or str
        The configuration, "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9", or a part of it.
    N : int, optional
        Population size, one of the study's, if the text does not say it.
    F : float, optional
        Scale factor within the study's levels, if the text does not say it.
    Cr : float, optional
        Crossover rate within the study's levels, if the text does not say it.
    **where : object
        Which of several dimensions, budgets, donors, … of the study: `budget=3000`.

    Returns
    -------
    Prediction
        `quantiles`, `mean`, `band`; `print` shows them.

    Raises
    ------
    ValueError
        If `source` is none of these or lacks a column, F or Cr lies outside the study's levels (a prediction never
        does), the study does not have the operators or N or has fewer than two levels of F or Cr, or cells of the panel
        have no or fewer runs than others (they are listed).
    TypeError
        If `config` is neither a Config nor a text.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    Between 0.1 and 0.5 lies 0.3, or nearly so: logits are interpolated, not POIS.

    >>> import debox
    >>> cell = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5, "dimension": 2, "budget": 100}
    >>> table = {name: [value] * 4 for name, value in cell.items()}
    >>> table |= {"F": [0.5, 0.5, 1, 1], "Cr": [0.1, 0.9] * 2, "pois": [0.1, 0.1, 0.5, 0.5]}
    >>> expected = debox.predict(table, "DE/rand/1/bin mirr", N=5, F=0.73, Cr=0.5)
    >>> bool(0.2 < expected.mean() < 0.4)
    True
    """
    refuse_swapped(source)
    chosen = _choose(config, {"N": N, "F": F, "Cr": Cr}, where)
    place = {name: chosen.pop(name) for name in ("F", "Cr")}
    content = open_source(source)
    if not isinstance(content, Store):
        return _predict_at(*_fit(_runs(content, chosen)), **place)
    fitted = _FITTED.setdefault(content, {})
    key = (*sorted(chosen.items()), *map(files.state, content.parts()))
    if key not in fitted:
        panel = {slot: full_name(slot, *chosen[slot]) for slot in VARIANT}
        fitted[key] = _fit(_runs(content.table(**panel, N=chosen["N"][0]), chosen, content.study))
    return _predict_at(*fitted[key], **place)


def refuse_swapped(source: object) -> None:
    """Raise a ValueError if a configuration stands first, where the store is expected."""
    if str(source)[:3].upper() == "DE/" and isinstance(source, Config | str) and not os.path.exists(str(source)):
        raise ValueError(f"the store comes first, then the configuration: got {str(source)!r} as source")


def _choose(config: Config | str, given: dict[str, Any], where: dict[str, Any]) -> dict[str, Any]:
    """F and Cr, and of everything else that is named, operators, N, settings, what it is to be; as `where` has it."""
    text = str(config) if isinstance(config, Config) else config
    parts, given = parse(text), {name: value for name, value in given.items() if value is not None}
    for name in given.keys() & parts.keys():
        raise ValueError(f"{name} is given twice: in {text!r} and as {name}={given[name]!r}")
    if recipe := operators.find_recipe(parts.pop("recipe", None)):
        parts = {slot: getattr(recipe, slot) for slot in operators.RECIPE_SLOTS} | parts
        parts = dict(zip(("F", "Cr"), operators.find("adaptation", parts["adaptation"]).start, strict=True)) | parts
    parts |= given
    if missing := [name for name in AXES if name not in parts]:
        example = "'DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9'"
        raise ValueError(f"missing: {', '.join(missing)}; a configuration reads as {example}")
    place = {name: parts.pop(name) for name in ("F", "Cr")}
    parts["N"] = check.integer("N", parts["N"], 1)
    chosen, asked = conditions.read(parts), conditions.read(where)
    for name in chosen.keys() & asked.keys():
        if (one := conditions.in_words(chosen[name])).lower() != (other := conditions.in_words(asked[name])).lower():
            raise ValueError(f"where: {name} is given twice: {one!r} by the configuration, {other!r} besides")
    return asked | chosen | place


def _runs(source: Any, chosen: dict[str, Any], study: Study | None = None) -> Runs:
    """The runs of the configurations; errors name the level that is missing, which is not asked for as `where`."""
    try:
        return Runs.of(source, study, chosen)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("where: ")) from None


def _fit(runs: Runs) -> Fit:
    """The cells of one panel and what they say about bands."""
    runs = runs.require_one().complete()
    for name in ("F", "Cr"):
        if len(levels := runs.axes[name]) < 2:
            raise ValueError(f"a prediction needs at least 2 levels of {name}, the study has {levels[0]:g} alone")
    F, Cr = (np.array(runs.axes[name], np.float64) for name in ("F", "Cr"))
    counts = np.sort(runs.arrange(runs.infeasible, "F", "Cr"), axis=-1)
    cells = Cells(F, Cr, counts, _theory(runs, F, Cr), int(runs.trials.item()), int(runs.common("dimension")))
    return runs, cells, Calibration(cells)


def _theory(runs: Runs, F: Floats, Cr: Floats) -> Floats:
    """What generation 1 alone would give, as logits: a row for every F; zero throughout where no formula is known."""
    mutation, crossover, N = (runs.axes[name][0] for name in ("mutation", "crossover", "N"))
    trials = int(runs.trials.item())
    if why_no_curve(runs, mutation, crossover):
        return np.zeros((len(F), len(Cr)))
    chances = [[trial_chance(runs, mutation, crossover, N, f, c) for c in Cr.tolist()] for f in F.tolist()]
    return to_logit(np.array(chances) * trials, trials)


def _predict_at(runs: Runs, cells: Cells, calibration: Calibration, F: Any, Cr: Any) -> Prediction:
    """What is stored of this configuration, or what is interpolated."""
    F, Cr = _inside("F", F, cells.F), _inside("Cr", Cr, cells.Cr)
    at = np.array([F]), np.array([Cr])
    guess, stored = cells.interpolate(*at, _theory(runs, *at)), cells.keep(cells.F == F, cells.Cr == Cr).counts
    if stored.size:
        guess = replace(guess, counts=stored)
    panel, budget = Panel(*(runs.axes[name][0] for name in Panel._fields[:4])), int(runs.common("budget"))
    pois = guess.counts[0, 0] / budget
    return Prediction(panel, F, Cr, cells.n, budget, stored.size > 0, pois, guess, calibration, runs.options)


def _inside(name: str, value: Any, levels: Floats) -> float:
    """A number between the smallest and the largest level."""
    low, high = levels[0], levels[-1]
    allowed = f"{low:g} ≤ {name} ≤ {high:g}, the levels of the study (debox.measure takes any)"
    return check.real(name, value, allowed, lambda number: bool(low <= number <= high))


class Band(NamedTuple):
    """Low and high POIS of a fresh sample's runs, the smallest run first; `p` are their levels, (k − ½)/runs."""

    p: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """The distribution of POIS that a study predicts for a configuration between its levels; `predict` makes it.

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
        return _at_levels(self.pois, levels)

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
            facts["band"] = {name: values.tolist() for name, values in self.band(level)._asdict().items()}
            facts["mean_interval"] = list(self.mean_interval(level))
        return facts

    def __repr__(self) -> str:
        return f"<Prediction {self.config}: mean POIS {self.mean():.4f}>"

    def __str__(self) -> str:
        return describe(self)

    def _repr_html_(self) -> str:
        from debox import edpois, notebook

        head, note, lines = _in_words(self, LEVEL)
        bars = notebook.histogram(edpois.histogram(self.pois).tolist(), edpois.COLOURS[edpois.colour(self.pois)])
        return notebook.table(head, [("", note), *lines]) + bars


def describe(one: Prediction, level: float = LEVEL) -> str:
    """The distribution in few lines, what its intervals mean, and how to know it better."""
    head, note, lines = _in_words(one, level)
    better = f'to know it better: debox measure "{one.config}" --n {one.dimension} --budget {one.budget}'
    return "\n".join([head, note, *(f"{name:<14}{value}" for name, value in lines), better])


def _in_words(one: Prediction, level: float) -> tuple[str, str, list[tuple[str, str]]]:
    """What is predicted, what intervals mean, then the mean and some quantiles, with intervals if there is a band."""
    head = f"{one.config}: {'as stored' if one.stored else 'interpolated, no run was done'}"
    names = ["POIS mean", *(f"{100 * p:g}% quantile" for p in SHOWN)]
    values = [f"{value:.4f}" for value in (one.mean(), *one.quantiles())]
    if obstacle := one.calibration.obstacle(level):
        note = f"no intervals: {obstacle}"
    else:
        note = f"in brackets: {100 * level:g} % prediction intervals for {one.runs} fresh runs"
        band = one.band(level)
        sides = (_at_levels(side, SHOWN) for side in (band.low, band.high))
        ends = [one.mean_interval(level), *zip(*sides, strict=True)]
        values = [f"{value}  [{low:.4f}, {high:.4f}]" for value, (low, high) in zip(values, ends, strict=True)]
    return head, f"f0, n={one.dimension}, budget {one.budget}; {note}", list(zip(names, values, strict=True))


def _at_levels(runs: Floats, p: Sequence[float] | Floats) -> Floats:
    """Quantiles of sorted runs: the k-th of R has level (k − ½)/R, lines lie between, nothing beyond"""
    return np.asarray(np.interp(np.asarray(p), (np.arange(len(runs)) + 0.5) / len(runs), runs))
