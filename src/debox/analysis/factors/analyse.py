"""factors(store): from stored runs to the shares of all factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, nan
from numbers import Real
from typing import Any

import numpy as np

from debox import check
from debox.analysis import cube
from debox.analysis.cube import Cube
from debox.analysis.factors import where as choice
from debox.analysis.factors.cells import STATISTICS, Cells
from debox.analysis.factors.decompose import Floats, Subset, degrees, effects, subsets, variances
from debox.analysis.factors.intervals import Form, forms, interval
from debox.analysis.factors.result import Factors, Share
from debox.analysis.old_runs import Runs, Source


def factors(source: Source, of: str = "mean", *, confidence: float = 0.95, **where: Any) -> Factors:
    """Divide the differences between the configurations of a study among its factors and their interactions.

    The design is full factorial, so the functional ANOVA is exact: V_u for every set u of the factors mutation,
    crossover, strategy, N, F and Cr, and adaptation if runs differ in it, all levels with equal weight. What random
    runs add is removed without bias, so that a share may fall below 0; it is shown as it is.

    Parameters
    ----------
    source : store, path, DataFrame, mapping or Runs
        A store (`debox.open_store`), its directory or packed file, a table of runs (a pandas or polars DataFrame, or a
        mapping from column names to arrays), or runs by configuration.
    of : {"mean", "logit", "spread", "quantiles"}, default "mean"
        What is decomposed: the mean POIS of a configuration, the mean logit of its runs' POIS, their standard
        deviation, or their whole quantile function in the Wasserstein-2 metric. The latter two are those of half as
        many runs: only products of independent halves remove their noise without bias.
    confidence : float, default 0.95
        How often intervals hold the true share, in repetitions of all runs of the same configurations.
    **where : object
        The part to analyse: values of a factor, `crossover="bin"`, `N=(5, 20)`, a comparison, `F="<=1"`; or which of
        several settings, `budget=3000`.

    Returns
    -------
    Factors
        Shares with intervals; `print` shows them, `as_dict()` and `columns()` give them.

    Raises
    ------
    ValueError
        If `source` is none of these or lacks a column, if configurations are missing or have unequal runs (they are
        listed), if `of` or `confidence` is not allowed, or if `where` asks for what is not there.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> import debox
    >>> cell = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5, "dimension": 2, "budget": 100}
    >>> table = {name: [value] * 8 for name, value in cell.items()}
    >>> table |= {"F": [0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1], "Cr": [0.1, 0.1, 0.9, 0.9] * 2, "run": [0, 1] * 4}
    >>> found = debox.factors(table | {"pois": [0.1, 0.1, 0.2, 0.2, 0.5, 0.5, 0.6, 0.6]})
    >>> round(found.first["F"].value, 4), round(found.first["Cr"].value, 4)  # 0.4² and 0.1² of their sum
    (0.9412, 0.0588)
    """
    check.choice("of", of, list(STATISTICS))
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise ValueError(f"confidence must be above 0 and below 1, got {confidence!r}")
    runs = Runs.from_source(source, None, choice.settings(where))
    part = choice.part(runs, where)
    return decompose(STATISTICS[of](part), part, of=of, confidence=confidence, where=choice.normalise(where, runs))


def obstacle(runs: Runs) -> str:
    """What a comparison of factors needs and these runs lack: a full design, noise, two factors; empty if nothing."""
    if reason := cube.obstacle(runs):
        return reason
    fewest = min(map(len, runs.rows.values()), default=0)
    if fewest < 2:
        return f"a comparison of factors needs at least 2 runs of every configuration, these have {fewest}"
    several = [name for name, levels in runs.axes.items() if len(levels) > 1]
    if len(several) < 2:
        return f"a comparison of factors needs two with several levels, this study has {', '.join(several) or 'none'}"
    return ""


def remove_noise(cells: Cells) -> Floats:
    """V_u = mean f_u² − d_u/M · noise, unbiased, for every subset u

    t_c = θ_c + ε_c with independent ε_c of variance σ_c², so E mean (P_u t)² = V_u + Σ_c P_u[c, c] σ_c² / M. In a full
    table of M cells all diagonal entries of P_u are d_u/M: every subset has the share of the mean noise that its
    degrees of freedom d_u are of M, also where cells differ in noise.
    """
    d = degrees(cells.levels)
    return np.asarray(variances(effects(cells.estimate)) - d / d.sum() * cells.mean_noise)


def weights_of(kind: str, factor: int, every: Sequence[Subset]) -> Floats:
    """w_u of a factor: V of it alone, of all subsets with it, or its Shapley share of them."""
    if kind == "first":
        return np.array([float(u == (factor,)) for u in every])
    return np.array([(factor in u) / (len(u) if u and kind == "shapley" else 1) for u in every])


def decompose(cells: Cells, study: Cube, *, of: str, confidence: float, where: Mapping[str, Any]) -> Factors:
    """All shares of these cells."""
    names, every, V = tuple(study.axes), subsets(len(study.axes)), remove_noise(cells)
    kinds = {kind: [weights_of(kind, k, every) for k in range(len(names))] for kind in ("first", "total", "shapley")}
    single = list(np.eye(len(every))[1:])
    wanted = [*single, *(w for of_kind in kinds.values() for w in of_kind)]
    shares = [_share(form, confidence) for form in forms(cells, wanted, V)]
    (whole,) = forms(cells, [np.array([float(bool(u)) for u in every])], V, relative=False)
    named = [tuple(names[k] for k in u) for u in every]
    by_factor = {
        kind: dict(zip(names, shares[len(single) + k * len(names) :], strict=False)) for k, kind in enumerate(kinds)
    }
    tables = [part.mean(axis=-1) for part in effects(cells.estimate)]
    return Factors(
        of=of,
        axes=dict(study.axes),
        runs=study.runs,
        planned=study.planned,
        where=dict(where),
        confidence=confidence,
        variance=Share(whole.a, *interval(whole, confidence)),
        noise=(1 - 1 / tables[-1].size) * cells.mean_noise,
        variances=dict(zip(named[1:], V[1:].tolist(), strict=True)),
        components=dict(zip(named[1:], shares, strict=False)),
        first=by_factor["first"],
        total=by_factor["total"],
        shapley=by_factor["shapley"],
        effects={
            name: table.reshape([cells.levels[k] for k in u])
            for name, u, table in zip(named, every, tables, strict=True)
        },
    )


def _share(form: Form, confidence: float) -> Share:
    """A share; without any variance to share, nothing is known."""
    if form.b <= 0:
        return Share(nan, -inf, inf)
    return Share(form.a / form.b, *interval(form, confidence))
