"""The answers that a report begins with: how often DE leaves the box, what drives it, what surprises.

Each is a sentence of computed numbers, a sentence on what to set, and the name of a figure that shows it; or why the
runs do not say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from debox.analysis import factors, last_step, leaving
from debox.analysis.last_step import FALL, LastStep
from debox.analysis.runs import Runs, format_key

NEGLIGIBLE = 0.05  # a factor that makes less of the variance with its interactions hardly matters
FALLS = "last-step"  # the figure


class Answer(NamedTuple):
    """What the runs answer to a question; the figure is a name in the catalogue."""

    question: str
    sentence: str
    advice: str = ""
    figure: str = ""


def answers(runs: Runs, verdicts: Collection[str]) -> list[Answer]:
    """The three answers of these runs; verdicts: those on each sentence of the paper."""
    drives, surprises = "What drives it?", "What surprises?"
    found = [how_often(runs)]
    reason = factors.obstacle(runs)
    found.append(Answer(drives, no_answer(reason)) if reason else Answer(drives, *what_drives(runs)))
    reason = last_step.obstacle(runs)
    found.append(Answer(surprises, no_answer(reason)) if reason else Answer(surprises, *what_surprises(runs, verdicts)))
    say = runs.say_starting_values
    return [one._replace(sentence=say(one.sentence), advice=say(one.advice)) for one in found]


def no_answer(reason: str) -> str:
    """Why the runs do not say."""
    return f"These runs do not say: {reason}."


def how_often(runs: Runs) -> Answer:
    """How many configurations lose how much, and the largest F that keeps half of the trials inside."""
    every, small = leaving.count(runs), leaving.count_up_to(runs, 1)
    sentence = (
        f"In {percent(every.half)} of {every.configurations:,} configurations at least half of all trials leave the "
        f"box, in {percent(every.nearly_all)} at least 99 % of them; half of the configurations have a median POIS "
        f"above {every.median:.2f}"
    )
    if 0 < small.configurations < every.configurations:
        sentence += f" ({small.median:.2f} with F ≤ 1, where {percent(small.half)} lose half)"
    by_F = leaving.count_by(runs, "F")
    medians = np.maximum.accumulate([counts.median for counts in by_F.values()])  # NaN once one is not known
    if kept := [F for F, median in zip(by_F, medians, strict=True) if median < leaving.HALF]:
        advice = (
            f"Up to F = {kept[-1]:g} half of the configurations keep most of their trials in the box (the median over "
            f"them is {by_F[kept[-1]].median:.2f} there); with a larger F look at POIS, and choose the strategy "
            "knowingly."
        )
    else:
        advice = (
            f"At every F of this study, from {min(by_F):g} on, half of the configurations lose at least half of their "
            "trials: what your strategy does with them is most of the search, so choose it knowingly and look at POIS."
        )
    return Answer("How often does DE leave the box?", f"{sentence}.", advice, "overview")


def what_drives(runs: Runs) -> tuple[str, str, str]:
    """The factors by their Shapley shares of mean POIS."""
    found = factors.factors(runs)
    shares = {name: found.shapley[name].value for name, levels in found.axes.items() if len(levels) > 1}
    ordered = sorted(shares, key=lambda name: -shares[name])
    pair = found.strongest_pair
    sentence = (
        f"Shares of the differences in mean POIS between configurations: "
        f"{', '.join(f'{name} {100 * shares[name]:.1f} %' for name in ordered)} (interactions divided evenly); the "
        f"strongest interaction, {' × '.join(pair)}, makes {percent(found.components[pair].value)} of them."
    )
    advice = f"Choose {ordered[0]} first"
    if hardly := [name for name in ordered if found.total[name].value < NEGLIGIBLE]:
        named = " and ".join(filter(None, (", ".join(hardly[:-1]), hardly[-1])))
        advice += f"; {named} hardly change{'s' * (len(hardly) == 1)} how often DE leaves the box on average"
    return sentence, f"{advice}.", "factors-shares"


def what_surprises(runs: Runs, verdicts: Collection[str]) -> tuple[str, str, str]:
    """How many of the paper's conclusions hold, and where POIS falls at the largest Cr."""
    step, counts = LastStep.of(runs), Counter(verdicts)
    deep, shown = int((step.change.value < -FALL).sum()), int(step.falls.sum())
    conclusions = (
        f"Of the {len(verdicts) - counts['not testable']} conclusions of the paper that these runs can test, "
        f"{counts['holds']} hold, {counts['holds in part']} hold in part; and from"
    )
    sentence = (
        f"{conclusions if verdicts else 'From'} Cr = {step.Cr[0]:g} to {step.Cr[1]:g}, where more crossover should "
        f"send more trials outside, mean POIS falls by more than {FALL:g} in {deep} of {step.falls.size:,} "
        f"rows (configurations but for Cr), and is shown to fall by more than that, not by chance, in {shown}"
    )
    if not shown:
        return (
            f"{sentence}.",
            "In this study a low POIS at the largest Cr does not point to a collapsed population.",
            FALLS,
        )
    by_strategy, by_N = step.share_falling("strategy"), step.share_falling("N")
    (worst, worst_share), (worst_N, N_share) = max_of(by_strategy), max_of(by_N)
    facts = [f"{percent(worst_share)} of those with {worst}"] * (len(by_strategy) > 1)
    facts += [f"{percent(N_share)} of those with N = {worst_N}"] * (len(by_N) > 1)
    at = int(np.where(step.falls, step.change.value, np.inf).argmin())
    key = format_key(runs.key(at, (*step.falls.shape, 1)))
    facts.append(f"most in DE/{key}: from {step.before.flat[at]:.2f} to {step.after.flat[at]:.2f}")
    least = min(by_strategy, key=by_strategy.__getitem__)
    instead = f"; {least} falls least often" if by_strategy[worst] > by_strategy[least] else ""
    larger = len(by_N) > 1 and all(after < before for before, after in pairwise(by_N.values()))
    advice = (
        f"Do not read a low POIS at Cr = {step.Cr[1]:g} as good behaviour: the population may have collapsed, most "
        f"often with {worst}{instead}. Stay below Cr = {step.Cr[1]:g}{' or take a larger N' * larger}."
    )
    return f"{sentence} ({', '.join(facts)}).", advice, FALLS


def max_of(shares: Mapping[Any, float]) -> tuple[Any, float]:
    """The level with the largest share, and the share."""
    return max(shares.items(), key=lambda one: one[1])


def percent(share: float) -> str:
    """``65 %``; below one percent with one decimal."""
    return f"{100 * share:.1f} %" if abs(share) < 0.0095 else f"{100 * share:.0f} %"
