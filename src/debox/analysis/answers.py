"""The answers that a report begins with: how often DE leaves the box, what drives it, what surprises.

Each answer is one sentence of computed numbers, the name of the figure that shows it, and one sentence on what a
practitioner should set. What the runs do not say has an answer too: why not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from debox.analysis import headline, names
from debox.analysis.factors import Factors, factors
from debox.analysis.factors import obstacle as factors_obstacle
from debox.analysis.headline import ConfigurationSummary
from debox.analysis.last_step import FALL, LastStep
from debox.analysis.last_step import obstacle as step_obstacle
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as Arrays


@dataclass(frozen=True)
class Answer:
    """A question, what the runs answer, the figure that shows it, and what to set."""

    question: str
    sentence: str
    figure: str = ""  # a name in the catalogue of figures; empty if these runs do not say
    advice: str = ""


NEGLIGIBLE = 0.05  # a factor that makes less of the variance with its interactions hardly matters
HOW_OFTEN, WHAT_DRIVES, WHAT_SURPRISES = "How often does DE leave the box?", "What drives it?", "What surprises?"


def answers(runs: Runs, verdicts: Collection[str]) -> list[Answer]:
    """The three answers of these runs; verdicts: those on each sentence of the paper."""
    first = how_often(headline.summarise(runs))
    arrays = Arrays.of(runs.table)
    reason = factors_obstacle(arrays)
    second = no_answer(WHAT_DRIVES, reason) if reason else what_drives(factors(arrays))
    reason = step_obstacle(arrays)
    third = no_answer(WHAT_SURPRISES, reason) if reason else what_surprises(verdicts, LastStep.of(arrays))
    return [
        replace(one, sentence=runs.say_starting_values(one.sentence), advice=runs.say_starting_values(one.advice))
        for one in (first, second, third)
    ]


def no_answer(question: str, reason: str) -> Answer:
    """Why the runs do not say."""
    return Answer(question, f"These runs do not say: {reason}.")


def how_often(configurations: Sequence[ConfigurationSummary]) -> Answer:
    """How many configurations lose how much, and the largest F that keeps half of the trials inside."""
    every = headline.counts(configurations)
    sentence = (
        f"In {percent(every.share('half'))} of {every.configurations:,} configurations at least half of all trials "
        f"leave the box, in {percent(every.share('nearly_all'))} at least 99 % of them; the middle configuration has a "
        f"median POIS of {every.median:.2f}"
    )
    small = [one for one in configurations if one.factors["F"] <= 1]
    if 0 < len(small) < len(configurations):
        of_small = headline.counts(small)
        sentence += f" ({of_small.median:.2f} with F ≤ 1, where {percent(of_small.share('half'))} lose half)"
    return Answer(HOW_OFTEN, f"{sentence}.", "overview", advice_on_F(configurations))


def advice_on_F(configurations: Sequence[ConfigurationSummary]) -> str:
    """The largest F up to which the middle configuration keeps most of its trials in the box."""
    levels = sorted({one.factors["F"] for one in configurations})
    medians = [headline.counts(one for one in configurations if one.factors["F"] == F).median for F in levels]
    kept = [F for k, F in enumerate(levels) if max(medians[: k + 1]) < headline.HALF]
    if not kept:
        return (
            f"At every F of this study, from {levels[0]:g} on, the middle configuration loses at least half of its "
            "trials: what your strategy does with them is most of the search, so choose it knowingly and look at POIS."
        )
    return (
        f"Up to F = {kept[-1]:g} the middle configuration keeps most of its trials in the box (its median POIS is "
        f"{medians[len(kept) - 1]:.2f} there); with a larger F look at POIS, and choose the strategy knowingly."
    )


def what_drives(found: Factors) -> Answer:
    """The factors by their Shapley shares of mean POIS."""
    several = {name: found.shapley[name].value for name, levels in found.axes.items() if len(levels) > 1}
    ordered = sorted(several, key=lambda name: -several[name])
    shares = ", ".join(f"{name} {percent(several[name])}" for name in ordered)
    pair = found.strongest_pair
    interaction = percent(found.components[pair].value)
    sentence = (
        f"Shares of the differences in mean POIS between configurations: {shares} (interactions divided evenly); the "
        f"strongest interaction, {' × '.join(pair)}, makes {interaction} of them."
    )
    hardly = [name for name in ordered if found.total[name].value < NEGLIGIBLE]
    advice = f"Choose {ordered[0]} first"
    if hardly:
        advice += f"; {in_a_row(hardly)} hardly change{'s' * (len(hardly) == 1)} how often DE leaves the box on average"
    return Answer(WHAT_DRIVES, sentence, "factors-shares", f"{advice}.")


def what_surprises(verdicts: Collection[str], step: LastStep) -> Answer:
    """How many of the paper's conclusions hold, and where POIS falls at the largest Cr."""
    counts = Counter(verdicts)
    tested = len(verdicts) - counts["not testable"]
    conclusions = (
        f"Of the {tested} conclusions of the paper that these runs can test, {counts['holds']} hold, "
        f"{counts['holds in part']} hold in part; and from"
    )
    deep, shown = int((step.change.value < -FALL).sum()), int(step.falls.sum())
    sentence = (
        f"{conclusions if verdicts else 'From'} Cr = {step.Cr[0]:g} to {step.Cr[1]:g}, where more "
        f"crossover should send more trials outside, mean POIS falls by more than {FALL:g} "
        f"in {deep} of {step.falls.size:,} configurations, beyond chance in {shown}"
    )
    if shown:
        parts = [leading(step, name) for name in ("strategy", "N") if len(step.axes[name]) > 1]
        at = np.unravel_index(np.where(step.falls, step.change.value, np.inf).argmin(), step.falls.shape)
        key = {name: levels[k] for (name, levels), k in zip(step.axes.items(), at, strict=True)}
        most = f"most in {format_configuration(key)}: from {step.before[at]:.2f} to {step.after[at]:.2f}"
        sentence += f" ({''.join(f'{part}, ' for part in parts)}{most})"
    return Answer(WHAT_SURPRISES, f"{sentence}.", "last-step", advice_on_Cr(step))


def leading(step: LastStep, factor: str) -> str:
    """``26 % of those with saturation``"""
    shares = step.share_falling(factor)
    level = max(shares, key=lambda one: shares[one])
    return f"{percent(shares[level])} of those with {level if factor == 'strategy' else f'{factor} = {level}'}"


def advice_on_Cr(step: LastStep) -> str:
    """Whether a low POIS at the largest Cr may mean a population that has collapsed."""
    if not step.falls.any():
        return "A low POIS at the largest Cr of this study is no sign of a collapsed population: there is none."
    shares = step.share_falling("strategy")
    worst, least = (chosen(shares, key=shares.__getitem__) for chosen in (max, min))
    instead = f"; {least} falls least often" if shares[worst] > shares[least] else ""
    return (
        f"Do not read a low POIS at Cr = {step.Cr[1]:g} as good behaviour: the population may have collapsed, most "
        f"often with {worst}{instead}. Stay below Cr = {step.Cr[1]:g}{larger_N(step)}."
    )


def larger_N(step: LastStep) -> str:
    """`` or take a larger N``, if falls are rarer the larger N is"""
    shares = list(step.share_falling("N").values())
    falling = len(shares) > 1 and all(after < before for before, after in pairwise(shares))
    return " or take a larger N" if falling else ""


def format_configuration(key: dict[str, Any]) -> str:
    """A configuration but its Cr as the paper writes it."""
    mutation, crossover, strategy = (names.short(slot, key[slot]) for slot in ("mutation", "crossover", "strategy"))
    adaptation = [key["adaptation"]] if "adaptation" in key else []
    return ", ".join([f"DE/{mutation}/{crossover} {strategy}, N={key['N']}", *adaptation, f"F={key['F']:g}"])


def percent(share: float) -> str:
    """``65 %``; below one percent with one decimal."""
    return f"{100 * share:.1f} %" if abs(share) < 0.0095 else f"{100 * share:.0f} %"


def in_a_row(words: Sequence[str]) -> str:
    """``N and strategy``"""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
