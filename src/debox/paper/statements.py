"""What the paper concludes: a row per claim. Rows with the same sentence are readings of it.

A row has the sentence in our words, how we read it, its section, the figure of `debox figures` that shows it, the test
with its options, the share of cells that the words promise, and the part of the study that it is about. The promises
are fixed by the words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import fsum
from typing import Any

from debox import operators
from debox.analysis.first_generation import component_chances
from debox.analysis.last_step import FALL
from debox.analysis.runs import Runs
from debox.f0 import theory
from debox.paper import tests
from debox.paper.tests import ALIKE, Finding, NotTestableError

# What the words promise: the share of cells that must agree.
ALWAYS = 1.0  # "a bound", taken literally: no exception
EVERY = 0.95  # "all", "consistently", "nearly every", "barely any": one in twenty is what chance does to a literal all
GENERALLY = 0.8  # "generally", "typically", "mostly"
MAJORITY = 0.5  # "the majority", "many", "a large portion", "prevail"
SOMETIMES = 0.25  # "a fair chance"
SOME = 0.05  # "a number of", "at times": more than one in twenty

MINOR = 0.1  # "minor differences": less than one of the paper's ten bins
NARROW = 0.05  # "quite narrow": a standard deviation of less than half a bin
HIGH, LOWEST_BIN = 0.9, 0.1  # the uppermost bin begins here, the lowest one ends here
# How much of the variance between configurations a factor makes.
NOTICEABLE = 0.01  # it "controls" POIS from here on, with interactions, and below it "can be excluded": never both
DOMINATES = 0.5  # "dominating", "a single factor describes": at least, alone
THE_ONLY_ONE = 0.95  # at least, alone
INTERACTIONS = 0.1  # "higher order analysis is required": all interactions together at least


@dataclass(frozen=True)
class Claim:
    """One reading of one conclusion."""

    id: str
    sentence: str
    reading: str
    section: str
    figure: str
    test: Callable[..., Finding]
    options: Mapping[str, Any]
    promised: float = EVERY
    where: Mapping[str, Any] = field(default_factory=dict)

    @property
    def compares(self) -> set[str]:
        """Settings of which it needs runs of several, which other claims must not have: dimension, reevaluate."""
        return {"dimension", "reevaluate"} & {*self.options.get("factors", ()), self.options.get("factor")}


# ---- Exact numbers ---------------------------------------------------------------------------------------------------

Values = Iterator[tuple[str, float]]  # of each point of the grid: its name and the number


def share_exchanged(runs: Runs, crossover: str, Cr: float) -> float:
    """The expected share of components that a crossover exchanges."""
    if crossover not in runs.axes["crossover"]:
        raise NotTestableError(f"needs the crossover {crossover}")
    n = int(runs.common("dimension"))
    return theory.expected_exchanges(crossover, n, Cr) / n


def off_Cr(crossover: str) -> Callable[[Runs], Values]:
    """|expected share of components that are exchanged − Cr|"""
    return lambda runs: ((f"Cr={Cr:g}", abs(share_exchanged(runs, crossover, Cr) - Cr)) for Cr in runs.axes["Cr"])


def bin_minus_exp(runs: Runs) -> Values:
    """Expected share of components that bin exchanges − that of exp"""
    for Cr in runs.axes["Cr"]:
        yield f"Cr={Cr:g}", share_exchanged(runs, "bin", Cr) - share_exchanged(runs, "exp", Cr)


def exactly_m(runs: Runs) -> Values:
    """|P(exp exchanges exactly m) ÷ Crᵐ − 1| for m < n; the chance is Crᵐ⁻¹ (1 − Cr)"""
    for Cr, m in product(filter(None, runs.axes["Cr"]), range(1, int(runs.common("dimension")))):
        yield f"Cr={Cr:g}, m={m}", abs(Cr ** (m - 1) * (1 - Cr) / Cr**m - 1)


def more_than_m(runs: Runs) -> Values:
    """|P(exp exchanges more than m) ÷ Crᵐ − 1| for m < n; the chance is the sum of those of m + 1, …, n"""
    n = int(runs.common("dimension"))
    for Cr, m in product(filter(None, runs.axes["Cr"]), range(1, n)):
        exactly = [Cr ** (k - 1) * (1 - Cr) for k in range(m + 1, n)]
        yield f"Cr={Cr:g}, m={m}", abs(fsum([*exactly, Cr ** (n - 1)]) / Cr**m - 1)


def trial_minus_mutant(runs: Runs) -> Values:
    """P(trial infeasible) − P(mutant infeasible) in generation 1; with Cr = 1 the trial is the mutant"""
    n, donors = int(runs.common("dimension")), str(runs.common("donors", "distinct"))
    for mutation, crossover, N, F in product(*(runs.axes[name] for name in ("mutation", "crossover", "N", "F"))):
        crossed = theory.formula_for(theory.TRIAL_CHANCES, operators.find("crossover", crossover))
        ways = component_chances(mutation, donors, N, F)
        mutant = fsum(chance * crossed(p, 1.0, n) for p, chance in ways)
        for Cr in runs.axes["Cr"]:
            trial = fsum(chance * crossed(p, Cr, n) for p, chance in ways)
            yield f"{mutation}/{crossover}, N={N}, F={F:g}, Cr={Cr:g}", trial - mutant


# ---- The table -------------------------------------------------------------------------------------------------------

LARGER_N = {"N": (20, 100)}
ALIKE_STRATEGIES = ("mirror", "toroidal", "dismiss")
LARGEST_CR = f">={tests.LARGEST_CR}"
EXP, BIN = {"crossover": "exp"}, {"crossover": "bin"}
EXAMPLE = {"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5}
EXCEPTION = {"mutation": "current-to-best/1", "crossover": "exp", "strategy": "dismiss"}
AT_ALL_N = {"factor": "N", "among": (5, 20, 100)}
FROM_5 = {"factor": "N", "low": 5, "high": 20}
FROM_20 = {"factor": "N", "low": 20, "high": 100}
OTHER_RUNS = (
    "needs runs on other functions, which no study of f0 has: take data/bound.parquet from debox's repository and give "
    "--bound PATH, in Python others=debox.paper.bound.tests_of(PATH)"
)

RISES = "POIS rises from N=5 to N=20 in all configurations"
STEADIER = "The variance is smaller with N=20 than with N=5"
SHAPES = "Shapes of distributions vary most with N=5"
LARGE_PORTION = "With N=20 a large portion of configurations has 100 % in all runs already at slightly larger F and Cr"
EVEN_MORE = "From N=20 to N=100 even more configurations have 100 %"
FEW_UNCHANGED = "A small number of configurations, such as DE/current-to-best/1/exp dismiss, hardly change with N"
MINOR_DIFFERENCES = (
    "Another mutation makes minor differences, most at the largest Cr, all else being equal, with either crossover"
)
NARROWS = "With exponential crossover the range of POIS narrows as F and Cr grow"
RISES_WITH_BOTH = "With exponential crossover POIS rises with F and with Cr"
SLOWER = "The shift towards [0.9, 1] is slightly less pronounced with COTN and saturation"
INDISTINGUISHABLE = "Mirror, toroidal and dismiss are indistinguishable"
GROWS = (
    "POIS grows with the control parameters in all configurations, independently and simultaneously, though not "
    "monotonously in some"
)
BARELY_ANY = "With N=100 barely any configuration has not generated POIS different from 0 % or 100 %"
NOT_SWAPS = "With exponential crossover Cr is not the expected share of exchanges"
MINIMAL = "Minimal F and Cr give a very low POIS in all configurations"
CR_FASTER = "POIS grows faster with Cr than with F"
PREVAIL = "For many configurations with a larger N 0 % or 100 % prevail"
F_ABOVE_1 = "F above 1 leads to 100 % in the majority of configurations"
UNLESS = "F above 1 is rarely justified but with a small N, exp or the largest Cr, which give a lower POIS"
EXCHANGES_CR = "Binomial crossover exchanges a share Cr of the components on average"
CHANCE_OF_M = "Exponential crossover exchanges m < n consecutive components with probability Cr^m"
DROPS = "In a number of configurations, such as DE/rand/1/exp sat N=5, POIS drops at the largest Cr"
CONSISTENTLY = "It drops consistently for different N, mutations and strategies"
FROM_100 = "At times POIS saturates in 100 % before it drops"
NONE_ALONE = "No single factor describes the variability"
NEARLY_EVERY = "Nearly every configuration has 100 % in every run"
NEARLY_EVERY_F_TO_1 = "With F up to 1, too, nearly every configuration has 100 % in every run"
UPPER_BOUND = "POIS on f0 is an upper bound for POIS on other objective functions"
STRATEGY_CONTROLS = "Strategy is among the parameters that control POIS"
OTHERS_CONTROL = "N, F and Cr control POIS, too, to a varying degree"
CELLS, PANELS = "configuration = one F and Cr", "configuration = all F and Cr"
MEAN_CELLS, MEAN_PANELS = f"mean, {CELLS}", f"mean over F and Cr, {PANELS}"

CLAIMS = (
    # 3 strategies and dimension
    Claim("strategy-dismiss-penalty", "Dismiss gives the same results as a penalty",
          "means less than half a bin apart, whether the target is evaluated again or not", "3.1", "overview",
          tests.alike, {"factor": "reevaluate"}, EVERY, {"strategy": "dismiss"}),
    Claim("amount-dimension", "The number of infeasible solutions grows with the dimension",
          "mean, from each n to the next", "3.2, 4.2.6", "overview", tests.steps, {"factors": ("dimension",)},
          GENERALLY),
    # 4.1.1 population sizes
    Claim("size-5-to-20", RISES, MEAN_CELLS, "4.1.1", "population-sizes", tests.rises, FROM_5),
    Claim("size-5-to-20-panels", RISES, MEAN_PANELS, "4.1.1", "population-sizes", tests.rises,
          {**FROM_5, "panel": True}),
    Claim("size-spread-5-to-20", STEADIER, f"standard deviation, {CELLS}", "4.1.1", "population-sizes", tests.rises,
          {"factor": "N", "low": 20, "high": 5, "of": "spread"}, GENERALLY),
    Claim("size-spread-5-to-20-panels", STEADIER, f"standard deviation, averaged over F and Cr, {PANELS}", "4.1.1",
          "population-sizes", tests.rises, {"factor": "N", "low": 20, "high": 5, "of": "spread", "panel": True},
          GENERALLY),
    Claim("size-shapes", SHAPES, f"distance from the average shape, {CELLS}", "4.1.1", "atlas-exp-N5",
          tests.more_varied, {"factor": "N", "most": 5, "others": (20, 100)}, GENERALLY),
    Claim("size-shapes-overall", SHAPES, "distance from the average shape, on average over all", "4.1.1",
          "atlas-exp-N5", tests.more_varied, {"factor": "N", "most": 5, "others": (20, 100), "overall": True}),
    Claim("size-full-at-20", LARGE_PORTION, CELLS, "4.1.1", "atlas-bin-N20", tests.has, {"trait": "full"}, MAJORITY,
          {"N": 20}),
    Claim("size-full-at-20-panels", LARGE_PORTION, "at some F and Cr", "4.1.1", "atlas-bin-N20", tests.has,
          {"trait": "full", "panel": True}, MAJORITY, {"N": 20}),
    Claim("size-full-at-20-panels-top-bin", LARGE_PORTION, "at some F and Cr all runs in [0.9, 1]", "4.1.1",
          "atlas-bin-N20", tests.has, {"trait": "top bin", "panel": True}, MAJORITY, {"N": 20}),
    Claim("size-more-full-at-100", EVEN_MORE, "configurations that have it at one of the two N only", "4.1.1",
          "overview", tests.gained, {"factor": "N", "less": 20, "more": 100, "trait": "full"}, GENERALLY),
    Claim("size-20-to-100", EVEN_MORE, f"our question: {MEAN_CELLS}", "4.1.1", "population-sizes",
          tests.rises, FROM_20, GENERALLY),
    Claim("size-20-to-100-panels", EVEN_MORE, f"our question: {MEAN_PANELS}", "4.1.1", "population-sizes", tests.rises,
          {**FROM_20, "panel": True}, GENERALLY),
    Claim("size-extremes-at-100", BARELY_ANY, "probably meant, with one negation less: all runs have 0 %, or all 100 %",
          "4.1.1", "atlas-exp-N100", tests.has, {"trait": "extreme"}, EVERY, {"N": 100}),
    Claim("size-extremes-at-100-literally", BARELY_ANY,
          "literally, probably a slip: some run has neither 0 % nor 100 %", "4.1.1", "atlas-exp-N100",
          tests.has, {"trait": "between"}, EVERY, {"N": 100}),
    Claim("size-few-unchanged", FEW_UNCHANGED, f"mean changes by more than half a bin, {CELLS}", "4.1.1",
          "population-sizes", tests.unlike, AT_ALL_N, GENERALLY),
    Claim("size-few-unchanged-panels", FEW_UNCHANGED, f"mean over F and Cr changes by more than half a bin, {PANELS}",
          "4.1.1", "population-sizes", tests.unlike, {**AT_ALL_N, "panel": True}, GENERALLY),
    Claim("size-exception", FEW_UNCHANGED, "the example changes by less than half a bin at each F and Cr", "4.1.1",
          "atlas-exp-N5", tests.alike, AT_ALL_N, EVERY, EXCEPTION),
    Claim("size-narrow", "For larger populations the distributions are narrow", "standard deviation below half a bin",
          "4.1.4", "atlas-exp-N100", tests.spread_at_most, {"limit": NARROW}, GENERALLY, LARGER_N),
    # 4.1.2 mutations
    Claim("mutation-minor", MINOR_DIFFERENCES, "means less than a bin apart", "4.1.2", "mutations", tests.alike,
          {"factor": "mutation", "margin": MINOR}),
    Claim("mutation-minor-bin", MINOR_DIFFERENCES, "means less than a bin apart, binomial crossover", "4.1.2",
          "mutations", tests.alike, {"factor": "mutation", "margin": MINOR}, EVERY, BIN),
    Claim("mutation-minor-exp", MINOR_DIFFERENCES, "means less than a bin apart, exponential crossover", "4.1.2",
          "mutations", tests.alike, {"factor": "mutation", "margin": MINOR}, EVERY, EXP),
    Claim("mutation-trend", "Mutation does not change the general trend of POIS",
          "Spearman's correlation of means over F and Cr at least 0.9, for each two mutations", "4.1.2", "mutations",
          tests.same_trend, {"factor": "mutation"}, GENERALLY),
    Claim("mutation-spread", "Mutation changes the standard deviation rather than the general trend",
          "as sizes: standard deviations vary more than means", "4.1.2", "mutations", tests.more_in_spread,
          {"factor": "mutation"}, MAJORITY),
    Claim("mutation-largest-Cr", "Mutations differ most at the largest Cr", "means vary more than at each other Cr",
          "4.1.2", "mutations", tests.most_at_largest_Cr, {"factor": "mutation"}, MAJORITY),
    Claim("mutation-excluded", "Mutation can be excluded from the factors that describe the variability",
          "less than 1 % of the variance of means, with interactions", "4.1.2", "overview", tests.explains,
          {"factor": "mutation", "kind": "total", "below": NOTICEABLE}),
    # 4.1.3 and 4.2.3 crossovers
    Claim("crossover-two-groups", "Binomial and exponential crossover make two groups of algorithms",
          "the laws of the runs differ", "4.1.3, 4.2.3, 5", "crossovers", tests.told_apart,
          {"factor": "crossover", "first": "bin", "second": "exp"}, GENERALLY),
    Claim("crossover-exp-below-bin", "Exponential crossover generally gives a smaller POIS", MEAN_CELLS,
          "4.1.3, 4.2.3", "crossovers", tests.rises, {"factor": "crossover", "low": "exp", "high": "bin"}, GENERALLY),
    Claim("crossover-bin-exchanges", EXCHANGES_CR, "exactly", "4.2.3", "overview", tests.formula,
          {"compute": off_Cr("bin"), "at_most": 1e-9}),
    Claim("crossover-bin-exchanges-roughly", EXCHANGES_CR, "within half a bin", "4.2.3", "overview", tests.formula,
          {"compute": off_Cr("bin"), "at_most": ALIKE}),
    Claim("crossover-exp-chance", CHANCE_OF_M, "exactly m", "4.2.3", "overview", tests.formula,
          {"compute": exactly_m, "at_most": 1e-9}),
    Claim("crossover-exp-chance-of-more", CHANCE_OF_M, "more than m", "4.2.3", "overview", tests.formula,
          {"compute": more_than_m, "at_most": 1e-9}),
    Claim("crossover-exp-exchanges", NOT_SWAPS, "more than half a bin off", "4.2.3", "overview", tests.formula,
          {"compute": off_Cr("exp"), "above": ALIKE}),
    Claim("crossover-exp-exchanges-exactly", NOT_SWAPS, "not exactly", "4.2.3", "overview", tests.formula,
          {"compute": off_Cr("exp"), "above": 1e-9}),
    Claim("crossover-exp-exchanges-less", "Exponential crossover exchanges fewer components at the same Cr (implied)",
          "exactly", "4.2.3", "overview", tests.formula, {"compute": bin_minus_exp, "above": 0}),
    # 4.1.4 strategies
    Claim("strategy-same-pattern", "The general pattern is the same for all strategies",
          "Spearman's correlation of means over F and Cr at least 0.9, for each two strategies", "4.1.4",
          "strategies-compared", tests.same_trend, {"factor": "strategy"}, GENERALLY),
    Claim("crossover-exp-narrows-with-F", NARROWS, "standard deviation, from each F to the next", "4.1.4",
          "ribbons/DE-rand-1-exp-against-F", tests.steps, {"factors": ("F",), "of": "spread", "sign": -1}, GENERALLY,
          EXP),
    Claim("crossover-exp-narrows-with-F-from-0.483", NARROWS,
          "standard deviation, from each F to the next, from 0.483 on", "4.1.4", "ribbons/DE-rand-1-exp-against-F",
          tests.steps, {"factors": ("F",), "of": "spread", "sign": -1}, GENERALLY, {**EXP, "F": ">=0.483"}),
    Claim("crossover-exp-narrows-with-Cr", NARROWS, "standard deviation, from each Cr to the next", "4.1.4",
          "ribbons/DE-rand-1-exp-against-Cr", tests.steps, {"factors": ("Cr",), "of": "spread", "sign": -1}, GENERALLY,
          EXP),
    Claim("crossover-exp-rises-with-F", RISES_WITH_BOTH, "mean, from each F to the next", "4.1.4",
          "ribbons/DE-rand-1-exp-against-F", tests.steps, {"factors": ("F",)}, GENERALLY, EXP),
    Claim("crossover-exp-rises-with-Cr", RISES_WITH_BOTH, "mean, from each Cr to the next", "4.1.4",
          "ribbons/DE-rand-1-exp-against-Cr", tests.steps, {"factors": ("Cr",)}, GENERALLY, EXP),
    Claim("crossover-bin-mainly-F", "With binomial crossover POIS depends mainly on F",
          "mean rises more with F than with Cr", "4.1.4", "ribbons/DE-rand-1-bin-against-F", tests.stronger,
          {"strong": "F", "weak": "Cr"}, EVERY, BIN),
    Claim("strategy-push-bin", "With bin, N=20 or 100 and F from 0.7 on, POIS shifts towards [0.9, 1] whatever Cr is",
          "strictly: the median is there already", "4.1.4", "contours-rand-1", tests.median_in, {"at_least": HIGH},
          EVERY, {**BIN, **LARGER_N, "F": ">=0.7"}),
    Claim("strategy-push-exp",
          "With exp, N=20 or 100 and F from 0.7 on, POIS shifts towards [0.9, 1] at the largest Cr",
          "strictly: the median is there already", "4.1.4", "contours-rand-1", tests.median_in, {"at_least": HIGH},
          EVERY, {**EXP, **LARGER_N, "F": ">=0.7", "Cr": LARGEST_CR}),
    Claim("strategy-push-alike", "This shift is independent of the strategy",
          "medians with all strategies on one side of 0.9", "4.1.4", "contours-rand-1", tests.same_side,
          {"factor": "strategy", "edge": HIGH}, EVERY, {**LARGER_N, "F": ">=0.7"}),
    Claim("strategy-slower-COTN", SLOWER, "mean, COTN", "4.1.4", "strategies-compared", tests.rises,
          {"factor": "strategy", "low": "COTN", "high": ALIKE_STRATEGIES}, GENERALLY, LARGER_N),
    Claim("strategy-slower-COTN-F-from-0.7", SLOWER, "mean, COTN, F from 0.7 on", "4.1.4", "strategies-compared",
          tests.rises, {"factor": "strategy", "low": "COTN", "high": ALIKE_STRATEGIES}, GENERALLY,
          {**LARGER_N, "F": ">=0.7"}),
    Claim("strategy-slower-saturation", SLOWER, "mean, saturation", "4.1.4", "strategies-compared", tests.rises,
          {"factor": "strategy", "low": "saturation", "high": ALIKE_STRATEGIES}, GENERALLY, LARGER_N),
    Claim("strategy-slower-saturation-F-from-0.7", SLOWER, "mean, saturation, F from 0.7 on", "4.1.4",
          "strategies-compared", tests.rises, {"factor": "strategy", "low": "saturation", "high": ALIKE_STRATEGIES},
          GENERALLY, {**LARGER_N, "F": ">=0.7"}),
    Claim("strategy-wide-saturation", "With N=5 and a high Cr saturation has the wider spread",
          "standard deviation, Cr from 0.7 on", "4.1.4", "strategies-compared", tests.rises,
          {"factor": "strategy", "low": ("COTN", *ALIKE_STRATEGIES), "high": "saturation", "of": "spread"}, GENERALLY,
          {"N": 5, "Cr": ">=0.7"}),
    Claim("strategy-widest-saturation", "Especially so at the largest Cr",
          "extra standard deviation of saturation, than at smaller Cr", "4.1.4", "strategies-compared", tests.rises,
          {"factor": "Cr", "low": "<0.95", "high": LARGEST_CR, "of": "extra spread of saturation"}, GENERALLY,
          {"N": 5}),
    Claim("strategy-alike", INDISTINGUISHABLE, "means less than half a bin apart", "4.1.4", "overview", tests.alike,
          {"factor": "strategy", "among": ALIKE_STRATEGIES}, GENERALLY),
    Claim("strategy-alike-shape", INDISTINGUISHABLE, "laws less than half a bin apart (Wasserstein-1)", "4.1.4",
          "overview", tests.alike, {"factor": "strategy", "among": ALIKE_STRATEGIES, "law": True}, GENERALLY),
    Claim("strategy-two-groups", "COTN and saturation are one group, mirror, toroidal and dismiss another",
          "means differ more between the groups than within", "4.1.4", "strategies-compared", tests.two_groups, {},
          GENERALLY),
    Claim("strategy-small-N-mainly-F",
          "With N=5 and exp POIS depends mostly on F, but for saturation at the largest Cr",
          "mean rises more with F than with Cr, all without saturation", "4.1.4", "strategies-compared", tests.stronger,
          {"strong": "F", "weak": "Cr"}, GENERALLY, {**EXP, "strategy": ("COTN", *ALIKE_STRATEGIES), "N": 5}),
    Claim("strategy-not-dominating", "Strategy is not the dominating factor",
          "less than half of the variance of means, alone", "4.1.4", "overview", tests.explains,
          {"factor": "strategy", "below": DOMINATES}),
    # 4.2.1 and 4.2.2 parameters
    Claim("parameters-F", GROWS, "mean, from each F to the next (N: § 4.1.1)", "4.2.1",
          "ribbons/DE-rand-1-bin-against-F", tests.steps, {"factors": ("F",)}),
    Claim("parameters-Cr", GROWS, "mean, from each Cr to the next (N: § 4.1.1)", "4.2.1",
          "ribbons/DE-rand-1-bin-against-Cr", tests.steps, {"factors": ("Cr",)}),
    Claim("parameters-F-and-Cr", GROWS, "mean, when F and Cr grow at once (N: § 4.1.1)", "4.2.1", "overview",
          tests.steps, {"factors": ("F", "Cr")}),
    Claim("parameters-minimal", MINIMAL, "median at most 0.05 (N: § 4.1.1)", "4.2.1", "overview", tests.median_in,
          {"at_most": ALIKE}, EVERY, {"F": "<=0.1", "Cr": "<=0.1"}),
    Claim("parameters-minimal-bin", MINIMAL, "median in the lowest bin, at most 0.1 (N: § 4.1.1)", "4.2.1", "overview",
          tests.median_in, {"at_most": LOWEST_BIN}, EVERY, {"F": "<=0.1", "Cr": "<=0.1"}),
    *(Claim(f"parameters-Cr-faster{unit}-{crossover}", CR_FASTER, f"mean, {words}, {crossover}", "4.2.1",
          "contours-rand-1", tests.stronger, {"strong": "Cr", "weak": "F", "per_unit": bool(unit)}, GENERALLY,
          {"crossover": crossover})
      for unit, words in (("", "over the range of each"), ("-per-unit", "per unit of each"))
      for crossover in ("bin", "exp")),
    Claim("parameters-slower-small-N", "POIS grows more slowly with a small N",
          "slope of the mean with F, N=5 and 20 (F up to 1: above it POIS is near its ceiling)", "4.2.1",
          "population-sizes", tests.rises, {**FROM_5, "of": "slope with F"}, GENERALLY),
    Claim("parameters-extremes", PREVAIL, "in all runs, N=20 and 100", "4.2.1", "overview", tests.has,
          {"trait": "extreme"}, MAJORITY, LARGER_N),
    Claim("parameters-extremes-bins", PREVAIL, "all runs in [0, 0.1], or all in [0.9, 1], N=20 and 100", "4.2.1",
          "overview", tests.has, {"trait": "extreme bins"}, MAJORITY, LARGER_N),
    Claim("parameters-F-above-1", F_ABOVE_1, "in all runs", "4.2.2", "overview", tests.has, {"trait": "full"},
          MAJORITY, {"F": ">1"}),
    Claim("parameters-F-above-1-top-bin", F_ABOVE_1, "all runs in the uppermost bin, [0.9, 1]", "4.2.2", "overview",
          tests.has, {"trait": "top bin"}, MAJORITY, {"F": ">1"}),
    Claim("parameters-F-above-1-small-N", UNLESS, "mean, N=5 below N=20", "4.2.2, 5", "population-sizes", tests.rises,
          FROM_5, GENERALLY, {"F": ">1"}),
    Claim("parameters-F-above-1-exp", UNLESS, "mean, exp below bin", "4.2.2, 5", "crossovers", tests.rises,
          {"factor": "crossover", "low": "exp", "high": "bin"}, GENERALLY, {"F": ">1"}),
    Claim("parameters-F-above-1-largest-Cr", UNLESS,
          "mean, a fall by more than half a bin at the largest Cr, sometimes", "4.2.2, 5", "strategies-compared",
          tests.falls, {}, SOME, {"F": ">1"}),
    Claim("amount-performance", "100 % infeasible solutions may waste diversity and worsen performance", "", "4.2.2",
          "overview", tests.not_in_a_study,
          {"reason": "on f0 no point is better than another, so performance cannot be measured"}),
    # 4.2.4 the collapse
    Claim("collapse-exists", DROPS, f"mean falls by more than {FALL:g}", "4.2.4", "last-step", tests.falls, {}, SOME),
    Claim("collapse-example", DROPS, "our question: the example's mean falls at all, at most values of F", "4.2.4",
          "strategies-compared", tests.rises, {"factor": "Cr", "low": 0.99, "high": 0.755}, MAJORITY, EXAMPLE),
    Claim("collapse-example-spread", DROPS, "our question: the example's standard deviation grows, at most values of F",
          "4.2.4", "strategies-compared", tests.rises, {"factor": "Cr", "low": 0.755, "high": 0.99, "of": "spread"},
          MAJORITY, EXAMPLE),
    Claim("collapse-from-full", FROM_100, "all runs have 100 % at a smaller Cr of a row that drops", "4.2.4",
          "ribbons/DE-rand-1-exp-against-Cr", tests.falls_from, {"trait": "full"}, SOME),
    Claim("collapse-from-top-bin", FROM_100, "all runs are in [0.9, 1] at a smaller Cr of a row that drops", "4.2.4",
          "ribbons/DE-rand-1-exp-against-Cr", tests.falls_from, {"trait": "top bin"}, SOME),
    Claim("collapse-only-there", "It drops at the largest Cr only",
          f"of rows that fall by more than {FALL:g} at some step: at no other", "4.2.4",
          "ribbons/DE-rand-1-exp-against-Cr", tests.falls_only_at_last, {}),
    *(Claim(f"collapse-every-{factor}", CONSISTENTLY,
          f"at each {factor} in more than {SOME:.0%} of the cells, estimated", "4.2.4", "last-step",
          tests.falls_at_each, {"factor": factor, "share_of_cells": SOME})
      for factor in ("N", "mutation", "strategy")),
    Claim("collapse-explanation", "A naive explanation: mutants are less often infeasible than trials",
          "in generation 1, exactly", "4.2.4", "overview", tests.formula,
          {"compute": trial_minus_mutant, "above": 1e-12}),
    # 4.1.1, 4.1.3, 4.2.5, 5 factors
    Claim("factors-N-not-alone", "Population size is not the only factor",
          "less than 95 % of the variance of means, alone", "4.1.1", "overview", tests.explains,
          {"factor": "N", "below": THE_ONLY_ONE}),
    Claim("factors-crossover-not-alone", "Crossover is not the only factor",
          "less than 95 % of the variance of means, alone", "4.1.3", "overview", tests.explains,
          {"factor": "crossover", "below": THE_ONLY_ONE}),
    Claim("factors-none-alone", NONE_ALONE, "the strongest, less than half of the variance of means", "4.2.5",
          "overview", tests.explains, {"factor": "any", "below": DOMINATES}),
    Claim("factors-none-alone-F-up-to-1", NONE_ALONE,
          "the strongest, less than half of the variance of means, F up to 1", "4.2.5", "overview", tests.explains,
          {"factor": "any", "below": DOMINATES}, EVERY, {"F": "<=1"}),
    Claim("factors-none-alone-95", NONE_ALONE, "the strongest, less than 95 % of the variance of means", "4.2.5",
          "overview", tests.explains, {"factor": "any", "below": THE_ONLY_ONE}),
    *(Claim(f"factors-none-alone-{of}", NONE_ALONE, f"the strongest, less than half of the variance of {words}",
          "4.2.5", "overview", tests.explains, {"factor": "any", "below": DOMINATES, "of": of})
      for of, words in (("logit", "mean logits"), ("spread", "standard deviations"))),
    Claim("factors-interactions", "Analysis of higher order is required",
          "interactions make at least 10 % of the variance of means", "4.2.5", "overview", tests.explains,
          {"factor": "interactions", "least": INTERACTIONS}),
    Claim("strategy-controls", STRATEGY_CONTROLS, "at least 1 % of the variance of means, with interactions", "5",
          "overview", tests.explains, {"factor": "strategy", "kind": "total", "least": NOTICEABLE}),
    Claim("strategy-controls-spread", STRATEGY_CONTROLS,
          "at least 1 % of the variance of standard deviations, with interactions", "5", "overview", tests.explains,
          {"factor": "strategy", "kind": "total", "least": NOTICEABLE, "of": "spread"}),
    *(Claim(f"factors-{factor}-controls", OTHERS_CONTROL,
          f"{factor}, at least 1 % of the variance of means, with interactions", "5", "overview", tests.explains,
          {"factor": factor, "kind": "total", "least": NOTICEABLE})
      for factor in ("N", "F", "Cr")),
    # 4.2.6 and 5 amount
    Claim("amount-full-cells", NEARLY_EVERY, CELLS, "4.2.6", "overview", tests.has, {"trait": "full"}),
    Claim("amount-full-panels", NEARLY_EVERY, "at some F and Cr", "4.2.6", "overview", tests.has,
          {"trait": "full", "panel": True}),
    Claim("amount-full-panels-top-bin", NEARLY_EVERY, "at some F and Cr all runs in [0.9, 1]", "4.2.6", "overview",
          tests.has, {"trait": "top bin", "panel": True}),
    Claim("amount-full-cells-F-up-to-1", NEARLY_EVERY_F_TO_1, CELLS, "4.2.6", "overview", tests.has, {"trait": "full"},
          EVERY, {"F": "<=1"}),
    Claim("amount-full-panels-F-up-to-1", NEARLY_EVERY_F_TO_1, "at some F and Cr", "4.2.6", "overview", tests.has,
          {"trait": "full", "panel": True}, EVERY, {"F": "<=1"}),
    Claim("amount-full-panels-F-up-to-1-top-bin", NEARLY_EVERY_F_TO_1, "at some F and Cr all runs in [0.9, 1]",
          "4.2.6", "overview", tests.has, {"trait": "top bin", "panel": True}, EVERY, {"F": "<=1"}),
    Claim("amount-upper-bound", UPPER_BOUND, "mean, pairs of a function and a configuration", "4.2.6, 5", "overview",
          tests.not_in_a_study, {"reason": OTHER_RUNS}),
    Claim("amount-upper-bound-without-exception", UPPER_BOUND, "mean, no pair above it", "4.2.6, 5", "overview",
          tests.not_in_a_study, {"reason": OTHER_RUNS}, ALWAYS),
    Claim("amount-vast-majority", "There is a fair chance that the vast majority of solutions is infeasible",
          "median in [0.9, 1]", "5", "overview", tests.median_in, {"at_least": HIGH}, SOMETIMES),
)  # fmt: skip
