"""Tests of claims: what is measured in each cell, and which cells are shown to agree with a claim or to disagree.

A test takes the runs that a claim speaks of and returns a Finding. Cells are fixed, runs are random. A number is tested
with the jackknife of `analysis.estimate`, a median with exact sign tests, laws with the test of Kolmogorov and Smirnov;
all p-values of a test are corrected for its cells, so that at most one in twenty of the cells that are said to agree
does not, and of those that are said to disagree. A cell that is shown neither to agree nor to disagree is open: with
more runs it might be decided. A cell whose difference is shown to be at most TIE is ignored. What is no estimate,
such as whether all runs of a cell have 100 %, leaves no cell open.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis import where as conditions
from debox.analysis.contrast import FEWEST, NUMBERS, WORDS, Number, average, difference
from debox.analysis.estimate import GROUPS, discoveries, jackknife, sign_tests
from debox.analysis.factors import STATISTICS, Factors, factors
from debox.analysis.last_step import FALL, LastStep
from debox.analysis.runs import Runs, format_key

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = Callable[[Floats], Sequence[Floats]]

TIE = 0.001  # "0 %" in the colours of the paper's bars: a difference up to here says nothing in either direction
ALIKE = 0.05  # "indistinguishable", "no noticeable change": less than half of one of the paper's ten bins
ALL, NONE = 0.999, 0.001  # "100 %", "0 %": the paper's own limits for teal bars, here of infeasible ÷ trials
OTHER_LIMITS = (0.99, 1.0)  # other readings of "100 %", whose counts stand beside; no verdict depends on them
TREND = 0.9  # "the general trend is the same": Spearman's correlation over the F and Cr of a panel
OTHER_LEVELS = {"dimension": "[10, 30]", "reevaluate": "[true, false]"}  # of settings of which a study has mostly one
LARGEST_CR = 0.95  # a study can say something about the maximum of Cr if it has a Cr of at least this
STRATEGY_GROUPS = (("COTN", "saturation"), ("mirror", "toroidal", "dismiss"))


class NotTestableError(Exception):
    """Why a claim cannot be tested with these runs."""


@dataclass(frozen=True)
class Finding:
    """What a test found.

    effect, error, unit: the average of what was measured, its standard error, what it is
    agree, against, cells: how many cells are counted, and how many of them are shown to agree and to disagree
    worst: the cell that disagrees most
    by: the share of cells that agree along the factor that tells most; other counts
    """

    effect: float
    error: float
    unit: str
    agree: int
    against: int
    cells: int
    worst: str = ""
    by: str = ""


# ---- What all tests share --------------------------------------------------------------------------------------------


def count(
    runs: Runs, agree: Flags, against: Flags, size: Floats, unit: str, speaks: Flags | None = None, error: float = 0.0
) -> Finding:
    """The finding of cells that agree and disagree; size: what was measured in each, of which effect is the average."""
    speaks = np.ones(agree.shape, np.bool_) if speaks is None else speaks
    agree, against, cells = agree & speaks, against & speaks, int(speaks.sum())
    if not cells:
        raise NotTestableError("no cell can show it: everywhere it is a tie, or nothing varies")
    worst = ""
    if against.any() and size.shape == against.shape:
        at = int(np.where(against, np.abs(size - np.median(size[agree]) if agree.any() else size), -1).argmax())
        worst = f"{name_of_cell(runs, size.shape, at)} ({size.ravel()[at]:.3g})"
    counts = int(agree.sum()), int(against.sum()), cells
    return Finding(float(size.mean()), error, unit, *counts, worst, by_factor(runs, agree, speaks))


def name_of_cell(runs: Runs, shape: tuple[int, ...], flat: int) -> str:
    """``rand/1/exp mirror, N=5, F=0.7→0.916``; axes that were averaged over are left out."""
    key: dict[str, Any] = {}
    for (name, levels), k, length in zip(runs.axes.items(), np.unravel_index(flat, shape), shape, strict=True):
        if length == len(levels):
            key[name] = levels[int(k)]
        elif 1 < length == len(levels) - 1:
            key[name] = f"{conditions.join(levels[k : k + 1])}→{conditions.join(levels[k + 1 : k + 2])}"
    return format_key(key)


def by_factor(runs: Runs, agree: Flags, speaks: Flags) -> str:
    """The share of cells that agree at each level of the factor along which it varies most; empty if it hardly does."""
    found: dict[str, list[tuple[Any, float]]] = {}
    for axis, (name, levels) in enumerate(runs.axes.items()):
        if agree.shape[axis] == len(levels) > 1:
            others = tuple(k for k in range(agree.ndim) if k != axis)
            of = zip(levels, agree.sum(others).tolist(), speaks.sum(others).tolist(), strict=True)
            found[name] = [(level, some / cells) for level, some, cells in of if cells]
    widths = {name: max(s for _, s in shares) - min(s for _, s in shares) for name, shares in found.items() if shares}
    widest = max(widths, key=lambda name: widths[name], default="")
    if not widest or widths[widest] < 0.1:
        return ""
    return f"by {widest}: " + ", ".join(f"{conditions.join([level])} {s:.0%}" for level, s in found[widest])


def all_above(
    runs: Runs,
    numbers: Numbers,
    unit: str,
    size: Number,
    tie: float = 0.0,
    speaks: Flags | None = None,
    may_refute: Flags | bool = True,
) -> Finding:
    """A cell agrees if each of its numbers is shown to be above `tie`, and disagrees if one is shown to be below −tie.

    Cells all of whose numbers are shown to lie between ±tie are ignored; none disagrees that may not refute.
    """
    need(runs)
    found = jackknife(lambda share: np.stack(numbers(share)), runs.share)
    k = len(found.value)
    agree = discoveries(found.p_above(tie).max(0))
    against = discoveries(np.minimum(1, k * found.p_below(-tie).min(0))) & may_refute
    if tie:
        is_tie = discoveries(np.maximum(found.p_below(tie), found.p_above(-tie)).max(0))
        speaks = ~is_tie if speaks is None else speaks & ~is_tie
    error = float(jackknife(average(size), runs.share).error)
    return count(runs, agree, against, size(runs.share), unit, speaks, error)


def need(runs: Runs, least: int = FEWEST) -> None:
    """Refuse runs that are too few."""
    if (there := runs.index.shape[-1]) < least:
        raise NotTestableError(f"needs at least {least} runs of every configuration; the study has {there}")


def several(runs: Runs, *factors: str) -> None:
    """Refuse runs with one level of a factor that a claim compares."""
    for name in factors:
        if len(there := runs.axes.get(name) or (runs.common(name, "one"),)) < 2:
            how = f"; run a study with {name} = {OTHER_LEVELS[name]}" if name in OTHER_LEVELS else ""
            raise NotTestableError(f"needs several {name}; the study has {conditions.join(there)}{how}")


def levels(runs: Runs, factor: str, wanted: Any) -> tuple[Any, ...]:
    """The levels that are meant; all of them must be there."""
    try:
        return conditions.levels(factor, runs.axes[factor], wanted)
    except ValueError as error:
        raise NotTestableError(str(error)) from None


def number(runs: Runs, of: str, panel: bool = False) -> Number:
    """What is measured in each cell, from the shares of its runs; panel: averaged over F and Cr."""
    axes = (runs.axis("F"), runs.axis("Cr"))
    if of == "extra spread of saturation":
        others = tuple(name for name in runs.axes["strategy"] if name != "saturation")
        levels(runs, "strategy", "saturation")
        several(runs, "strategy")
        return difference(runs, NUMBERS["spread"], "strategy", others, "saturation")
    if of == "slope with F":
        F = np.array(levels(runs, "F", "<=1"))
        if len(F) < 2:
            raise NotTestableError("needs several F of at most 1")
        weights = np.zeros(len(runs.axes["F"]))
        weights[: len(F)] = (F - F.mean()) / ((F - F.mean()) ** 2).sum()
        return lambda share: np.asarray((share.mean(-1) * runs.along("F", weights)[..., 0]).sum(axes[0], keepdims=True))
    if panel:
        return lambda share: np.asarray(NUMBERS[of](share).mean(axes, keepdims=True))
    return NUMBERS[of]


# ---- Numbers that differ or do not -----------------------------------------------------------------------------------


def rises(runs: Runs, factor: str, low: Any, high: Any, of: str = "mean", panel: bool = False) -> Finding:
    """A number is larger at some levels of a factor than at others, everything else being equal."""
    low, high = levels(runs, factor, low), levels(runs, factor, high)
    change = difference(runs, number(runs, of, panel), factor, low, high)
    return all_above(runs, lambda share: [change(share)], f"difference of the {WORDS.get(of, of)}", change, TIE)


def steps(runs: Runs, factors: tuple[str, ...], of: str = "mean", sign: int = 1) -> Finding:
    """A number grows (sign 1) or falls (−1) from each level to the next; of several factors: when all grow at once."""
    several(runs, *factors)
    measure = number(runs, of)

    def change(share: Floats) -> Floats:
        later = earlier = measure(share)
        for name in factors:
            later, earlier = (np.delete(one, k, runs.axis(name)) for one, k in ((later, 0), (earlier, -1)))
        return np.asarray(sign * (later - earlier))

    what = "change" if sign > 0 else "fall"
    return all_above(runs, lambda share: [change(share)], f"{what} of the {WORDS.get(of, of)}", change, TIE)


def stronger(runs: Runs, strong: str, weak: str, per_unit: bool = False) -> Finding:
    """In a panel the mean rises more from the first to the last level of one of F and Cr than of the other."""
    several(runs, strong, weak)

    def rise(mean: Floats, along: str, other: str) -> Floats:
        ends = mean.take([0, -1], runs.axis(along)).mean(runs.axis(other), keepdims=True)
        total = np.diff(ends, axis=runs.axis(along))
        return np.asarray(total / (runs.axes[along][-1] - runs.axes[along][0] if per_unit else 1))

    def more(share: Floats) -> Floats:
        return rise(share.mean(-1), strong, weak) - rise(share.mean(-1), weak, strong)

    unit = f"rise with {strong} − rise with {weak}{' per unit' if per_unit else ''}"
    return all_above(runs, lambda share: [more(share)], unit, more, TIE)


def alike(
    runs: Runs, factor: str, margin: float = ALIKE, among: Any = None, panel: bool = False, law: bool = False
) -> Finding:
    """Each two levels of a factor are less than a margin apart: in the mean, or in Wasserstein-1 of their laws."""
    several(runs, factor)
    among = runs.axes[factor] if among is None else levels(runs, factor, among)
    measure, pairs = number(runs, "mean", panel), list(combinations(among, 2))
    apart = [difference(runs, measure, factor, *pair) for pair in pairs]
    if law:
        apart = [distance_of_laws(runs, factor, *pair) for pair in pairs]

    def largest(share: Floats) -> Floats:
        return np.asarray(np.max([np.abs(one(share)) for one in apart], axis=0))

    def within(share: Floats) -> list[Floats]:
        return [margin - sign * one(share) for one in apart for sign in ((1,) if law else (1, -1))]

    unit = "largest Wasserstein-1" if law else "largest difference of means"
    return all_above(runs, within, unit, largest)


def distance_of_laws(runs: Runs, factor: str, low: Any, high: Any) -> Number:
    """Wasserstein-1 of the runs at two levels of a factor: the mean distance of the sorted runs."""
    sorted_runs = difference(runs, lambda share: np.sort(share, axis=-1), factor, low, high)
    return lambda share: np.asarray(np.abs(sorted_runs(share)).mean(-1))


def unlike(runs: Runs, **options: Any) -> Finding:
    """Two levels of a factor are more than a margin apart: cells for and against `alike` change places."""
    found = alike(runs, **options)
    return replace(found, agree=found.against, against=found.agree, worst="", by="")


def spread_at_most(runs: Runs, limit: float) -> Finding:
    """The standard deviation over the runs is below a limit."""
    measure = number(runs, "spread")
    return all_above(runs, lambda share: [limit - measure(share)], WORDS["spread"], measure)


# ---- Medians and laws ------------------------------------------------------------------------------------------------


def median_in(runs: Runs, at_least: float | None = None, at_most: float | None = None) -> Finding:
    """The median of the runs is on one side of a limit: exact sign tests."""
    edge = at_most if at_least is None else at_least
    above, below = sign_tests(runs.share, edge or 0.0)
    agree, against = (discoveries(p) for p in ((above, below) if at_least is not None else (below, above)))
    return count(runs, agree, against & ~agree, np.median(runs.share, axis=-1), "median")  # both: it is on the limit


def same_side(runs: Runs, factor: str, edge: float) -> Finding:
    """The medians at all levels of a factor are on the same side of a limit: exact sign tests."""
    several(runs, factor)
    axis, k = runs.axis(factor), len(runs.axes[factor])
    above, below = sign_tests(runs.share, edge)
    together = np.minimum(above.max(axis, keepdims=True), below.max(axis, keepdims=True))
    apart = k * np.maximum(above.min(axis, keepdims=True), below.min(axis, keepdims=True))
    agree, medians = discoveries(2 * together), np.median(runs.share, axis=-1)
    width = np.ptp(medians, axis, keepdims=True)
    return count(runs, agree, discoveries(apart) & ~agree, width, "range of medians")


def told_apart(runs: Runs, factor: str, first: Any, second: Any) -> Finding:
    """The laws at two levels differ (Kolmogorov and Smirnov). Cells with 0 % or 100 % at both are ignored.

    No cell disagrees: that two laws are equal cannot be shown.
    """
    from scipy.stats import ks_2samp

    need(runs)
    parts = [runs.take(**{factor: levels(runs, factor, one)}).share for one in (first, second)]
    apart = distance_of_laws(runs, factor, first, second)(runs.share)
    speaks = ~(extreme(parts[0]) & extreme(parts[1]))
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # where p is above 1 by rounding
        differ = discoveries(np.asarray(ks_2samp(*parts, axis=-1).pvalue))
    return count(runs, differ, np.zeros(speaks.shape, np.bool_), apart, "Wasserstein-1", speaks)


def more_varied(runs: Runs, factor: str, most: Any, others: Any, overall: bool = False) -> Finding:
    """Shapes, sorted runs minus their mean, are further from the average shape than in matched cells of other levels.

    overall: on average over all cells, as one number
    """
    several(runs, factor)
    axis = runs.axis(factor)
    cells = tuple(k for k in range(runs.index.ndim - 1) if k != axis)

    def away(share: Floats) -> Floats:
        shape = np.sort(share, axis=-1) - share.mean(-1, keepdims=True)
        distance = np.sqrt(((shape - shape.mean(cells, keepdims=True)) ** 2).mean(-1))
        return np.asarray(distance.mean(cells, keepdims=True) if overall else distance)

    more = [difference(runs, away, factor, one, most) for one in levels(runs, factor, others)]
    unit = "extra distance from the average shape"
    return all_above(runs, lambda share: [one(share) for one in more], unit, more[0], TIE)


# ---- Variances, estimated from two halves of the runs: their noise is independent and adds nothing -------------------


def covary(first: Floats, second: Floats, axis: int) -> Floats:
    """The variance of numbers along an axis, estimated twice: noise adds nothing on average."""
    a, b = (one - one.mean(axis, keepdims=True) for one in (first, second))
    return np.asarray((a * b).sum(axis, keepdims=True) / (a.shape[axis] - 1))


def varies(measure: Number, axis: int) -> Number:
    """The variance of a number along an axis, without that of the noise."""
    return lambda share: covary(measure(share[..., ::2]), measure(share[..., 1::2]), axis)


def more_in_spread(runs: Runs, factor: str) -> Finding:
    """Standard deviations vary more along a factor than means do."""
    several(runs, factor)
    need(runs, 6)
    mean, spread = (varies(NUMBERS[of], runs.axis(factor)) for of in ("mean", "spread"))

    def more(share: Floats) -> Floats:
        return spread(share) - mean(share)

    return all_above(runs, lambda share: [more(share)], "variance of spreads − variance of means", more, TIE**2)


def most_at_largest_Cr(runs: Runs, factor: str) -> Finding:
    """Means vary more along a factor at the largest Cr than at each other."""
    several(runs, factor, "Cr")
    need_largest_Cr(runs)
    along, Cr = varies(NUMBERS["mean"], runs.axis(factor)), runs.axis("Cr")

    def more(share: Floats) -> list[Floats]:
        *smaller, last = np.split(along(share), len(runs.axes["Cr"]), axis=Cr)
        return [last - one for one in smaller]

    return all_above(runs, more, "variance at the largest Cr − at the next", lambda share: more(share)[-1], TIE**2)


def two_groups(runs: Runs) -> Finding:
    """Squared differences of means are larger between COTN, saturation and mirror, toroidal, dismiss than within."""
    names = [name for group in STRATEGY_GROUPS for name in group]
    levels(runs, "strategy", names)
    means = {pair: difference(runs, NUMBERS["mean"], "strategy", *pair) for pair in combinations(names, 2)}
    within = [pair for pair in means if any(set(pair) <= set(group) for group in STRATEGY_GROUPS)]

    def more(share: Floats) -> Floats:
        squares = {pair: one(share[..., ::2]) * one(share[..., 1::2]) for pair, one in means.items()}
        inside = np.mean([squares[pair] for pair in within], axis=0)
        return np.asarray(np.mean([squares[pair] for pair in means if pair not in within], axis=0) - inside)

    return all_above(runs, lambda share: [more(share)], "squared difference between groups − within", more, TIE**2)


def same_trend(runs: Runs, factor: str) -> Finding:
    """Means over F and Cr of each two levels have a Spearman correlation above TREND; panels must vary by ALIKE.

    Noise makes correlations smaller: a cell disagrees only if at each level the two halves of its runs correlate so.
    """
    from scipy.stats import rankdata

    several(runs, factor)
    if len(runs.axes["F"]) * len(runs.axes["Cr"]) < 4:
        raise NotTestableError("needs at least 4 cells of F and Cr")
    axis = runs.axis(factor)

    def panels(share: Floats) -> Floats:  # the last axis: F × Cr
        mean = np.moveaxis(share.mean(-1), [runs.axis("F"), runs.axis("Cr")], [-2, -1])
        return np.asarray(mean.reshape(*mean.shape[:-2], -1))

    def unit(share: Floats) -> Floats:
        ranks = rankdata(panels(share), axis=-1)
        centred = ranks - ranks.mean(-1, keepdims=True)
        return np.asarray(centred / np.maximum(np.sqrt((centred**2).sum(-1, keepdims=True)), 1e-300))

    def correlations(share: Floats) -> list[Floats]:
        each = np.split(unit(share), len(runs.axes[factor]), axis=axis)
        return [np.asarray((a * b).sum(-1)) for a, b in combinations(each, 2)]

    keep = tuple(runs.axis(name) for name in ("F", "Cr"))

    def above(share: Floats) -> list[Floats]:
        return [np.expand_dims(one - TREND, keep) for one in correlations(share)]

    def least(share: Floats) -> Floats:
        return np.asarray(np.expand_dims(np.min(correlations(share), axis=0), keep))

    vary = np.ptp(panels(runs.share), axis=-1) > ALIKE
    known = (unit(runs.share[..., ::2]) * unit(runs.share[..., 1::2])).sum(-1) >= TREND
    speaks, may_refute = (np.expand_dims(one.all(axis, keepdims=True), keep) for one in (vary, known))
    return all_above(runs, above, "smallest correlation", least, speaks=speaks, may_refute=may_refute)


# ---- What is counted, not estimated ----------------------------------------------------------------------------------


def full(share: Floats, level: float = ALL) -> Flags:
    """All runs have 100 %."""
    return np.asarray((share >= level).all(-1))


def extreme(share: Floats, level: float = ALL) -> Flags:
    """All runs have 0 %, or all have 100 %."""
    return full(share, level) | np.asarray((share <= 1 - level + 1e-12).all(-1))


def between(share: Floats, level: float = ALL) -> Flags:
    """Some run has neither 0 % nor 100 %."""
    return np.asarray(((share < level) & (share > 1 - level + 1e-12)).any(-1))


def top_bin(share: Floats, level: float = ALL) -> Flags:
    """All runs are in the uppermost bin, [0.9, 1]."""
    return np.asarray((share >= 0.9).all(-1))


def extreme_bins(share: Floats, level: float = ALL) -> Flags:
    """All runs are in the uppermost bin, or all in the lowest, [0, 0.1]."""
    return top_bin(share) | np.asarray((share <= 0.1).all(-1))


TRAITS: dict[str, Callable[..., Flags]] = {
    "full": full,
    "extreme": extreme,
    "between": between,
    "top bin": top_bin,
    "extreme bins": extreme_bins,
}


def has(runs: Runs, trait: str, panel: bool = False) -> Finding:
    """All runs of a cell have 100 % (full), all 0 % or all 100 % (extreme), are in the top bin, …; or one is between.

    panel: at some F and Cr
    """

    def found(level: float = ALL) -> Flags:
        flags = TRAITS[trait](runs.share, level)
        return np.asarray(flags.any((runs.axis("F"), runs.axis("Cr")), keepdims=True)) if panel else flags

    flags = found()
    one = count(runs, flags, ~flags, flags.astype(float), "share of cells")
    others = "; ".join(f"{int(found(level).sum())} with {level:g} in place of {ALL:g}" for level in OTHER_LIMITS)
    by = "; ".join(text for text in (one.by, "" if "bin" in trait else others) if text)
    return replace(one, by=by, worst="")


def gained(runs: Runs, factor: str, less: Any, more: Any, trait: str) -> Finding:
    """Of the matched cells in which a property changes between two levels: it appears."""
    before, after = (TRAITS[trait](runs.take(**{factor: levels(runs, factor, one)}).share) for one in (less, more))
    size = after.astype(float) - before
    found = count(runs, after & ~before, before & ~after, size, "rise of the share of cells", before != after)
    return replace(found, worst="", by=f"{int(before.sum())} cells before, {int(after.sum())} after")


# ---- The collapse ----------------------------------------------------------------------------------------------------


def need_largest_Cr(runs: Runs) -> None:
    """Refuse runs that cannot say anything about the largest Cr."""
    several(runs, "Cr")
    need(runs)
    if runs.axes["Cr"][-1] < LARGEST_CR:
        raise NotTestableError(f"needs a Cr of at least {LARGEST_CR:g}; the largest is {runs.axes['Cr'][-1]:g}")


def fall(share: Floats) -> Floats:
    """By how much the mean falls at the last step of Cr, the last axis of the cells."""
    mean = share.mean(-1)
    return np.asarray(mean[..., -2:-1] - mean[..., -1:])


def falls(runs: Runs) -> Finding:
    """The mean falls by more than FALL at the last step of Cr; estimated are the share of such cells and where."""
    need_largest_Cr(runs)
    step = LastStep.of(runs)
    estimate = jackknife(lambda share: (fall(share) > FALL).mean(), runs.share)
    against = discoveries(step.change.p_above(-FALL))[..., None]
    found = count(runs, step.falls[..., None], against, fall(runs.share), "share of cells", error=float(estimate.error))
    there = np.asarray(fall(runs.share) > FALL)
    where = by_factor(runs, there, np.ones_like(there))
    return replace(found, effect=float(estimate.value), worst="", by=f"estimated, {where}" if where else "")


def falls_at_each(runs: Runs, factor: str, share_of_cells: float) -> Finding:
    """At each level of a factor the mean falls at the last step of Cr in enough cells, by their estimated share.

    Noise makes cells fall: a level is open unless most cells that fall in one half of the runs do so in both.
    """
    need_largest_Cr(runs)
    several(runs, factor)
    others = tuple(k for k in range(runs.index.ndim - 1) if k != runs.axis(factor))
    cells = fall(runs.share).size // len(runs.axes[factor])
    if cells * share_of_cells < 1:
        raise NotTestableError(f"needs {1 / share_of_cells:.0f} cells at each {factor}; the study has {cells}")

    def shares(share: Floats) -> Floats:
        return np.asarray((fall(share) > FALL).mean(others, keepdims=True))

    first, second = (fall(runs.share[..., k::2]) > FALL for k in (0, 1))
    steady = 2 * (first & second).sum(others, keepdims=True) >= (first | second).sum(others, keepdims=True)
    found = jackknife(shares, runs.share)
    agree, against = (discoveries(p(share_of_cells)) & steady for p in (found.p_above, found.p_below))
    error = float(jackknife(average(shares), runs.share).error)
    each = zip(runs.axes[factor], found.value.ravel().tolist(), strict=True)
    by = ", ".join(f"{level} {share:.1%}" for level, share in each)
    whole = count(runs, agree, against, found.value, "share of cells that fall", error=error)
    return replace(whole, by=by, worst="")


def falls_only_at_last(runs: Runs) -> Finding:
    """Of the rows of Cr in which the mean is shown to fall by more than FALL, it does so at the last step only."""
    need_largest_Cr(runs)
    if len(runs.axes["Cr"]) < 3:
        raise NotTestableError(f"needs at least three Cr; the study has {conditions.join(runs.axes['Cr'])}")
    found = jackknife(lambda share: np.diff(share.mean(-1), axis=-1), runs.share)
    shown = np.asarray(discoveries(found.p_below(-FALL)).any(-1, keepdims=True))
    k = max(found.value.shape[-1] - 1, 1)
    p_none = np.where(shown, found.p_above(-FALL)[..., :-1].max(-1, keepdims=True, initial=0), np.nan)
    p_some = np.where(
        shown, np.minimum(1, k * found.p_below(-FALL)[..., :-1].min(-1, keepdims=True, initial=1)), np.nan
    )
    earlier = found.value[..., :-1].min(-1, keepdims=True, initial=0)
    return count(runs, discoveries(p_none), discoveries(p_some), earlier, "deepest earlier step", shown)


def falls_from(runs: Runs, trait: str) -> Finding:
    """Of the rows that are shown to fall at the last step of Cr: all runs of some cell before it have a property."""
    need_largest_Cr(runs)
    shown = LastStep.of(runs).falls[..., None]
    flags = np.asarray(TRAITS[trait](runs.share)[..., :-1].any(-1, keepdims=True))
    found = count(runs, flags, ~flags, flags.astype(float), "share of rows", shown)
    return replace(found, worst="", effect=found.agree / found.cells)


# ---- Factors, formulas, and what no study says -----------------------------------------------------------------------


@lru_cache(maxsize=4)
def decompose(runs: Runs, of: str) -> Factors:
    """How much each factor explains: a dozen claims ask it of the same runs."""
    return factors(runs, of=of)


def explains(
    runs: Runs,
    factor: str,
    kind: str = "first",
    of: str = "mean",
    below: float | None = None,
    least: float | None = None,
) -> Finding:
    """The share of the variance between configurations that a factor makes is below a limit, or at least it.

    kind: "first", alone, or "total", with its interactions. factor "any": the one that makes most alone;
    "interactions": what no factor makes alone.
    The study is one cell, which agrees if the whole interval does.
    """
    from scipy.special import stdtrit

    if factor in ("any", "interactions"):
        if len(there := [name for name, levels in runs.axes.items() if len(levels) > 1]) < 2:
            raise NotTestableError(f"needs two factors with several levels; the study has {', '.join(there) or 'none'}")
    else:
        several(runs, factor)
    try:
        found = decompose(runs, of)
    except ValueError as error:
        raise NotTestableError(str(error)) from None
    shares = getattr(found, kind)
    if factor == "interactions":
        value, half = 1 - found.alone.value, found.alone.high - found.alone.value
        what = "all interactions"
    else:
        name = max(shares, key=lambda name: shares[name].value) if factor == "any" else factor
        value, half = shares[name].value, shares[name].high - shares[name].value
        what = f"{name} {'alone' if kind == 'first' else 'with interactions'}"
    if not np.isfinite(half):
        raise NotTestableError("the means of the configurations hardly differ: there is no variance to explain")
    beyond = limit - value if (limit := below) is not None else value - (limit := least or 0.0)
    left_out = STATISTICS[of].arrange(np.empty(found.runs)).shape[-1]  # runs, or pairs of them
    half_width = stdtrit(min(GROUPS, left_out) - 1, 0.975)
    by = f"{what}; the limit is {limit:.0%}"
    return Finding(value, half / half_width, "share of variance", int(beyond > half), int(beyond < -half), 1, by=by)


def formula(
    runs: Runs,
    compute: Callable[[Runs], Iterator[tuple[str, float]]],
    above: float | None = None,
    at_most: float | None = None,
) -> Finding:
    """A number known exactly is on one side of a limit, at each point of the grid."""
    if runs.adapts:
        raise NotTestableError(f"no exact formula is known where F and Cr adapt: {', '.join(runs.adaptations)}")
    try:
        values = dict(compute(runs))
    except ValueError as error:  # an operator that theory does not know
        raise NotTestableError(str(error)) from None
    side = [value > above if above is not None else value <= (at_most or 0) for value in values.values()]
    least, most = (pick(values, key=lambda name: values[name]) for pick in (min, max))
    by = f"from {values[least]:.3g} ({least}) to {values[most]:.3g} ({most})"
    effect = fsum(values.values()) / len(values)
    return Finding(effect, 0.0, "average, exact", sum(side), len(side) - sum(side), len(side), by=by)


def not_in_a_study(runs: Runs, reason: str) -> Finding:
    """No study decides it."""
    raise NotTestableError(reason)
