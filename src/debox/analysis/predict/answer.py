"""predict(store, config): from stored runs to a Prediction."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from debox import check, files, operators
from debox.analysis.names import VARIANT
from debox.analysis.old_runs import Panel, Runs, Source, Table, open_source
from debox.analysis.predict.band import Calibration, Guess
from debox.analysis.predict.grid import Grid
from debox.analysis.predict.result import Prediction
from debox.config import Config, parse, resolve_operator
from debox.store.store import Store
from debox.study.fields import AXES, SHARED, in_words, with_long_names

FittedGrid = tuple[Grid, Calibration]

_FITTED: WeakKeyDictionary[Store, dict[Any, FittedGrid]] = WeakKeyDictionary()  # of stores that are open


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
    refuse_swapped(source, config)
    asked = _parts(config, {"N": N, "F": F, "Cr": Cr})
    where = _settings(asked.pop("where"), where)
    if unknown := [name for name in where if name not in SHARED]:
        raise ValueError(f"where: unknown setting {unknown[0]!r}; choose from {', '.join(SHARED)}")
    grid, calibration = _fit(open_source(source), asked["text"], asked["N"], where)
    F, Cr = _inside("F", asked["F"], grid.F), _inside("Cr", asked["Cr"], grid.Cr)
    return prediction_at(grid, calibration, F, Cr)


def refuse_swapped(source: Source, config: Any) -> None:
    """Raise a ValueError if the configuration stands first, where the store is expected."""
    is_path = isinstance(source, str) and os.path.exists(source)
    if not is_path and _reads_as_config(source) and not _reads_as_config(config):
        raise ValueError(f"the store comes first, then the configuration: got {str(source)!r} as source")


def _reads_as_config(given: Any) -> bool:
    """Whether it is a configuration or the text of one: a mutation that is known, or a recipe."""
    try:
        written = parse(str(given)) if isinstance(given, Config | str) else {}
    except ValueError:
        return False
    return "recipe" in written or operators.find_or_none("mutation", written.get("mutation")) is not None


def prediction_at(grid: Grid, calibration: Calibration, F: float, Cr: float) -> Prediction:
    """What is stored of this configuration, or what is interpolated."""
    guess, cell = Guess.of(grid, np.array([F]), np.array([Cr])), grid.cell(F, Cr)
    counts = guess.counts[0, 0] if cell is None else cell
    return Prediction(
        grid.panel,
        F=F,
        Cr=Cr,
        dimension=grid.dimension,
        budget=grid.budget,
        stored=cell is not None,
        pois=counts / grid.budget,
        guess=replace(guess, counts=counts[None, None]),
        calibration=calibration,
        options=grid.options,
    )


def _settings(written: Mapping[str, Any], where: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the configuration or `where` names; an error if they contradict each other."""
    written, where = with_long_names(written), with_long_names(where)
    for name in written.keys() & where.keys():
        if str(written[name]).lower() != str(where[name]).lower():
            raise ValueError(
                f"where: {name} is given twice: {written[name]!r} by the configuration, {where[name]!r} besides"
            )
    return written | where


def _parts(config: Config | str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The text of the operators, N, F, Cr, and other settings that the configuration names, as `where`."""
    text = str(config) if isinstance(config, Config) else config
    written, head = parse(text.partition(",")[2] if isinstance(text, str) else text), str(text).partition(",")[0]
    if recipe := operators.find_recipe(head.partition(" ")[0]):
        own = {slot: getattr(recipe, slot) for slot in operators.RECIPE_SLOTS} | parse(head) | written
        F, Cr = resolve_operator("adaptation", own["adaptation"]).start
        start = {name: value for name, value in (("F", F), ("Cr", Cr)) if given[name] is None}
        head = f"DE/{own.pop('mutation')}/{own.pop('crossover')} {own.pop('strategy')}"
        written = start | {name: value for name, value in own.items() if name != "recipe"}
    for name, value in given.items():
        if name in written and value is not None:
            raise ValueError(f"{name} is given twice: in {text!r} and as {name}={value!r}")
    found = {name: written.pop(name, value) if given[name] is None else value for name, value in given.items()}
    if missing := [name for name, value in found.items() if value is None]:
        example = "'DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9'"
        raise ValueError(f"missing: {', '.join(missing)}; a configuration reads as {example}")
    return {"text": head, **found, "where": written}


def _inside(name: str, value: Any, levels: Any) -> float:
    """A number between the smallest and the largest level."""
    low, high = levels[0], levels[-1]
    allowed = f"{low:g} ≤ {name} ≤ {high:g}, the levels of the study (debox.measure takes any)"
    return check.real(name, value, allowed, lambda number: low <= number <= high)


def _fit(source: Store | Runs | Table, text: str, N: Any, where: Mapping[str, Any]) -> FittedGrid:
    """The grid and its calibration; of an open store, those from before if its files are the same."""
    if not isinstance(source, Store):
        grid = Grid.of(*panel_runs(Runs.from_source(source, None, where), text, N))
        return grid, Calibration(grid)
    known = _FITTED.setdefault(source, {})
    panel = Panel.of(text, N, {slot: source.study.values(slot) for slot in VARIANT})
    key = (panel, *sorted(where.items()), *map(files.state, source.parts()))
    if key not in known:
        rows = source.table(**dict(zip(panel._fields, panel.levels, strict=False)))
        grid = Grid.of(*panel_runs(Runs.of(rows, source.study, where), text, N))
        known[key] = grid, Calibration(grid)
    return known[key]


def panel_runs(runs: Runs, text: str, N: Any) -> tuple[Runs, Panel]:
    """The runs of one panel, which the study must have."""
    runs = runs.require_one_adaptation()
    panel = Panel.of(text, N, {slot: runs.axes[slot] for slot in VARIANT})
    if absent := [name for name, value in zip(AXES, panel.levels, strict=False) if value not in runs.axes[name]]:
        there = in_words({name: runs.axes[name] for name in absent})
        raise ValueError(f"the study has no {absent[0]} {getattr(panel, absent[0])!r}; there are runs with {there}")
    rows = {key: value for key, value in runs.rows.items() if key[: len(panel.levels)] == panel.levels}
    axes = {name: (getattr(panel, name),) if name in panel._fields else runs.axes[name] for name in AXES}
    return replace(runs, rows=rows, axes=axes), panel
