"""Numbers that decide verdicts. They are reasons written down beforehand, not results: change none to please one.

Cells are fixed, runs are random: a p-value says how often chance in the runs alone would bring such numbers about.

holds          the share of cells that agree is at least what its words promise, and p, corrected, is below ALPHA
holds in part  at least half of the promised share agrees, and p for that, corrected, is below ALPHA
does not hold  otherwise
not testable   the study lacks the cells, the statement is not about POIS, or the runs do not decide: so few cells
               speak against the claim that it may hold, but neither p is below ALPHA

They are asked in the order holds, holds in part, not testable, does not hold, so that a cell more that agrees never
makes a verdict weaker. (At first "not testable" came before "holds in part". That was mended when verdicts were
known: nine claims of the paper's study that had been not testable hold in part.)
"""

from __future__ import annotations

from enum import StrEnum

ALPHA = 0.05  # for each family of claims; corrected within it by Holm's method

# What the words of a claim promise: the share of cells that must agree.
ALWAYS = 1.0  # "a bound", literally: no exception
EVERY = 0.95  # "all", "consistently", "nearly every", "barely any": one in twenty is what chance does to a literal all
GENERALLY = 0.8  # "generally", "typically", "mostly"
MAJORITY = 0.5  # "the majority", "many", "a large portion", "prevail"
SOMETIMES = 0.25  # "a fair chance"
SHARE_OF_SOME = 0.05  # "a number of": more than one in twenty, so that chance alone is no reason

# What differences matter. The paper looks at ten-bin histograms of POIS, so a bin (0.1) is its unit of sight.
MINOR = 0.1  # "minor": the distribution moves by less than one bin
ALIKE = 0.05  # "indistinguishable", "no noticeable change": less than half a bin; "very low": at most half a bin
TIE = 0.001  # "0 %" in the colours of the paper's bars: a difference up to here says nothing in either direction
CLEAR = 2.0  # and so does one of up to so many of its standard errors

# "100 %": in all runs at least 0.999 of the trials are infeasible, and "0 %": in all runs at most 0.001. These are the
# paper's own thresholds for teal bars. Shares of trials, not POIS, which cannot reach 1: it is at most 1 − N/budget.
ALL, NONE = 0.999, 0.001
OTHER_ALL = (0.99, 1.0)  # other readings of "100 %", whose counts the evidence tells; no verdict depends on them
HIGH = 0.9  # the range [0.9, 1]: the uppermost bin; a cell is in it if the median of its runs is
NARROW = 0.05  # "quite narrow": a standard deviation of at most half a bin
TREND = 0.9  # "the general trend is the same": Spearman's correlation over the cells of a panel

# How much of the variance of cell means over the whole study a factor explains.
NEGLIGIBLE = 0.05  # "can be excluded": less in total, interactions included
DOMINATES = 0.5  # "the dominating factor", "a single factor describes": at least, alone
SHARE_OF_THE_ONLY_FACTOR = 0.95  # "the only factor": at least, alone
CONTROLS = 0.01  # "among the parameters that control": at least, in total
INTERACTIONS = 0.1  # "higher order analysis is required": all interactions together at least

LARGEST_CR = 0.95  # a study can say something about "the maximum value of Cr" if it has a Cr of at least this
SMALLEST = 0.1  # and about "minimal values" if it has an F and a Cr of at most this
FALL = 0.05  # a "collapse" is a fall of the mean by more than half a bin, beyond chance in any of the study's steps


class Verdict(StrEnum):
    """What may be said of a claim."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    NOT = "does not hold"
    NOT_TESTABLE = "not testable"


def judge(
    promised: float, agree: float, against: float, p: float, p_half: float, alpha: float = ALPHA
) -> tuple[Verdict, bool]:
    """The verdict, and whether it is for lack of runs that it is no better.

    agree, against: shares of cells; the rest are cells that do not decide
    p: of the promised share or effect; p_half: of half of that share; both corrected
    """
    if agree >= promised and p < alpha:
        return Verdict.HOLDS, False
    undecided = against <= 1 - promised + 1e-9  # 1 − 0.8 is a little less than 0.2
    if agree >= promised / 2 and p_half < alpha:
        return Verdict.IN_PART, undecided
    if undecided:
        return Verdict.NOT_TESTABLE, True
    return Verdict.NOT, False
