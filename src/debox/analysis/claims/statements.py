"""What the paper concludes, in our words: an entry per conclusion. `rules` says what the promised shares mean.

Sections are those of the paper; POIS in an entry is measured as infeasible trials ÷ trials, which can be 1 for every N.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from debox.analysis.claims import counts, exact, rules
from debox.analysis.claims.contrasts import SHAPE, Alike, Below, Steps, StrongerEffect
from debox.analysis.claims.counts import MoreCells, ShareAtEachLevel, ShareOfCells
from debox.analysis.claims.exact import ROUGHLY, Formula, NotInAStudy
from debox.analysis.claims.finding import Test
from debox.analysis.claims.levels import above, at_least, at_most, below, describe_part
from debox.analysis.claims.rules import ALIKE, ALWAYS, EVERY, GENERALLY, MAJORITY, MINOR, SHARE_OF_SOME, SOMETIMES
from debox.analysis.claims.shapes import Differ, MoreVaried, SameShape
from debox.analysis.claims.shares import Explains


@dataclass(frozen=True)
class Claim:
    """One conclusion and how it is tested."""

    id: str
    family: str  # p-values are corrected within it
    statement: str
    place: str  # in the paper
    figure: str  # of `debox figures`, that shows it
    test: Test
    promised: float = EVERY  # the share of cells that must agree
    where: Mapping[str, Any] = field(default_factory=dict)  # the cells it speaks of; all, if empty

    @property
    def criterion(self) -> str:
        """When it holds."""
        scope = describe_part(self.where)
        return f"{self.test.criterion}; promised share {self.promised:.0%}" + (f"; where {scope}" if scope else "")


LARGE_N = {"N": (20, 100)}
ALIKE_STRATEGIES = ("mirror", "toroidal", "dismiss")
LARGEST_CR = at_least(rules.LARGEST_CR)
SMALLER_CR = below(rules.LARGEST_CR)
MINIMAL = {"F": at_most(rules.SMALLEST), "Cr": at_most(rules.SMALLEST)}
F_UP_TO_1, F_ABOVE_1 = {"F": at_most(1)}, {"F": above(1)}
NAMED_EXCEPTION = {"mutation": "current-to-best/1", "crossover": "exp", "strategy": "dismiss"}

SIZES, MUTATIONS, CROSSOVERS = "population size", "mutation", "crossover"
STRATEGIES, PARAMETERS, COLLAPSE, FACTORS, AMOUNT = "strategy", "parameters", "collapse", "factors", "amount"
UPPER_BOUND = "upper bound"
OTHER_FUNCTIONS = (
    "needs runs on other functions, which no study of f0 has: `--bound`, with data/bound.parquet of debox's repository"
)

CLAIMS = (
    # 4.1.1 population sizes
    Claim(
        "size-5-to-20", SIZES, "POIS rises from N=5 to N=20 in all configurations",
        "4.1.1", "population-sizes", Below("N", 5, 20),
    ),
    Claim(
        "size-20-to-100", SIZES, "POIS rises further from N=20 to N=100",
        "4.1.1", "population-sizes", Below("N", 20, 100), GENERALLY,
    ),
    Claim(
        "size-full-at-20", SIZES, "With N=20 a large portion of configurations has 100 % in all runs",
        "4.1.1", "atlas-bin-N20", ShareOfCells(counts.FULL), MAJORITY, {"N": 20},
    ),
    Claim(
        "size-more-full-at-100", SIZES, "With N=100 more configurations have 100 % in all runs than with N=20",
        "4.1.1", "overview", MoreCells("N", 20, 100, counts.FULL), GENERALLY,
    ),
    Claim(
        "size-extremes-at-100", SIZES, "With N=100 barely any configuration shows anything but 0 % or 100 %",
        "4.1.1", "atlas-exp-N100", ShareOfCells(counts.EXTREME), EVERY, {"N": 100},
    ),
    Claim(
        "size-spread-5-to-20", SIZES, "The spread over runs is smaller with N=20 than with N=5",
        "4.1.1", "population-sizes", Below("N", 20, 5, "standard deviation"), GENERALLY,
    ),
    Claim(
        "size-narrow", SIZES, "For larger populations the distributions are narrow",
        "4.1.4", "atlas-exp-N100", ShareOfCells(counts.IS_NARROW), GENERALLY, LARGE_N,
    ),
    Claim(
        "size-shapes", SIZES, "Shapes of distributions vary most with N=5",
        "4.1.1", "atlas-exp-N5", MoreVaried("N", 5, (20, 100)), GENERALLY,
    ),
    Claim(
        "size-exception", SIZES, "DE/current-to-best/1/exp dismiss does not change noticeably from N=5 to 100",
        "4.1.1", "atlas-exp-N5", Alike("N", ALIKE, (5, 20, 100)), EVERY, NAMED_EXCEPTION,
    ),
    # 4.1.2 mutations
    Claim(
        "mutation-minor", MUTATIONS, "Another mutation makes minor differences in POIS, all else being equal",
        "4.1.2", "mutations", Alike("mutation", MINOR),
    ),
    Claim(
        "mutation-minor-bin", MUTATIONS, "Another mutation makes minor differences with binomial crossover",
        "4.1.2", "mutations", Alike("mutation", MINOR), EVERY, {"crossover": "bin"},
    ),
    Claim(
        "mutation-minor-exp", MUTATIONS, "Another mutation makes minor differences with exponential crossover",
        "4.1.2", "mutations", Alike("mutation", MINOR), EVERY, {"crossover": "exp"},
    ),
    Claim(
        "mutation-trend", MUTATIONS, "Mutation does not change the general trend of POIS over F and Cr",
        "4.1.2", "mutations", ShareOfCells(counts.SAME_TREND), GENERALLY,
    ),
    Claim(
        "mutation-spread", MUTATIONS, "Mutation changes the spread of POIS rather than its level",
        "4.1.2", "mutations", ShareOfCells(counts.SPREAD_FIRST), MAJORITY,
    ),
    Claim(
        "mutation-largest-Cr", MUTATIONS, "Mutations differ most at the largest Cr",
        "4.1.2", "mutations", ShareOfCells(counts.AT_LAST_CR), MAJORITY,
    ),
    Claim(
        "mutation-excluded", MUTATIONS, "Mutation can be left out of the factors that describe the variability",
        "4.1.2", "overview", Explains("mutation", below=rules.NEGLIGIBLE, interactions=True),
    ),
    # 4.1.3 and 4.2.3 crossovers
    Claim(
        "crossover-exp-below-bin", CROSSOVERS, "Exponential crossover generally gives a smaller POIS than binomial",
        "4.1.3, 4.2.3", "crossovers", Below("crossover", "exp", "bin"), GENERALLY,
    ),
    Claim(
        "crossover-two-groups", CROSSOVERS, "Binomial and exponential crossover make two groups of algorithms",
        "4.1.3, 4.2.3", "crossovers", Differ("crossover", "bin", "exp"), GENERALLY,
    ),
    Claim(
        "crossover-exp-rises-with-F", CROSSOVERS, "With exponential crossover POIS rises with F",
        "4.1.4", "ribbons/DE-rand-1-exp-against-F", Steps(("F",)), GENERALLY, {"crossover": "exp"},
    ),
    Claim(
        "crossover-exp-rises-with-Cr", CROSSOVERS, "With exponential crossover POIS rises with Cr",
        "4.1.4", "ribbons/DE-rand-1-exp-against-Cr", Steps(("Cr",)), GENERALLY, {"crossover": "exp"},
    ),
    Claim(
        "crossover-exp-narrows-with-F", CROSSOVERS, "With exponential crossover the spread narrows as F grows",
        "4.1.4", "ribbons/DE-rand-1-exp-against-F", Steps(("F",), "standard deviation", falls=True), GENERALLY,
        {"crossover": "exp"},
    ),
    Claim(
        "crossover-exp-narrows-with-Cr", CROSSOVERS, "With exponential crossover the spread narrows as Cr grows",
        "4.1.4", "ribbons/DE-rand-1-exp-against-Cr", Steps(("Cr",), "standard deviation", falls=True), GENERALLY,
        {"crossover": "exp"},
    ),
    Claim(
        "crossover-bin-mainly-F", CROSSOVERS, "With binomial crossover POIS depends mainly on F, less on Cr",
        "4.1.4", "ribbons/DE-rand-1-bin-against-F", StrongerEffect("F", "Cr"), EVERY, {"crossover": "bin"},
    ),
    Claim(
        "crossover-bin-exchanges", CROSSOVERS, "Binomial crossover exchanges a share Cr of the components on average",
        "4.2.3", "overview", Formula(exact.bin_minus_Cr, at_most=ROUGHLY), EVERY,
    ),
    Claim(
        "crossover-exp-exchanges", CROSSOVERS, "With exponential crossover Cr is not the expected share of exchanges",
        "4.2.3", "overview", Formula(exact.exp_minus_Cr, above=ROUGHLY), EVERY,
    ),
    Claim(
        "crossover-exp-exchanges-less", CROSSOVERS, "Exponential crossover exchanges fewer components at the same Cr",
        "4.2.3", "overview", Formula(exact.bin_minus_exp, above=0), EVERY,
    ),
    # 4.1.4 strategies
    Claim(
        "strategy-push-bin", STRATEGIES, "With bin, N=20 or 100 and F from 0.7 on, POIS is in [0.9, 1] whatever Cr is",
        "4.1.4", "contours-rand-1", ShareOfCells(counts.HIGH_MEDIAN), EVERY,
        {"crossover": "bin", **LARGE_N, "F": at_least(0.7)},
    ),
    Claim(
        "strategy-push-exp", STRATEGIES, "With exp, N=20 or 100, F from 0.7 on, POIS is in [0.9, 1] at the largest Cr",
        "4.1.4", "contours-rand-1", ShareOfCells(counts.HIGH_MEDIAN), EVERY,
        {"crossover": "exp", **LARGE_N, "F": at_least(0.7), "Cr": LARGEST_CR},
    ),
    Claim(
        "strategy-slower-COTN", STRATEGIES, "POIS rises more slowly with COTN than with mirror, toroidal and dismiss",
        "4.1.4", "strategies-compared", Below("strategy", "COTN", ALIKE_STRATEGIES), GENERALLY, LARGE_N,
    ),
    Claim(
        "strategy-slower-saturation", STRATEGIES,
        "POIS rises more slowly with saturation than with mirror, toroidal and dismiss",
        "4.1.4", "strategies-compared", Below("strategy", "saturation", ALIKE_STRATEGIES), GENERALLY, LARGE_N,
    ),
    Claim(  # this and the next: a narrower reading, added after the first verdicts
        "strategy-slower-COTN-F-from-0.7", STRATEGIES, "POIS rises more slowly with COTN where F is 0.7 or more",
        "4.1.4", "strategies-compared", Below("strategy", "COTN", ALIKE_STRATEGIES), GENERALLY,
        {**LARGE_N, "F": at_least(0.7)},
    ),
    Claim(
        "strategy-slower-saturation-F-from-0.7", STRATEGIES,
        "POIS rises more slowly with saturation where F is 0.7 or more",
        "4.1.4", "strategies-compared", Below("strategy", "saturation", ALIKE_STRATEGIES), GENERALLY,
        {**LARGE_N, "F": at_least(0.7)},
    ),
    Claim(
        "strategy-alike", STRATEGIES, "Mirror, toroidal and dismiss are indistinguishable in mean and quartiles",
        "4.1.4", "overview", Alike("strategy", ALIKE, ALIKE_STRATEGIES, SHAPE), GENERALLY,
    ),
    Claim(
        "strategy-alike-shape", STRATEGIES, "Mirror, toroidal and dismiss are indistinguishable as distributions",
        "4.1.4", "overview", SameShape("strategy", ALIKE_STRATEGIES, ALIKE), GENERALLY,
    ),
    Claim(
        "strategy-two-groups", STRATEGIES, "COTN and saturation are one group, mirror, toroidal and dismiss another",
        "4.1.4", "strategies-compared", ShareOfCells(counts.GROUPS), GENERALLY,
    ),
    Claim(
        "strategy-wide-saturation", STRATEGIES, "With N=5 and a high Cr saturation has the wider spread",
        "4.1.4", "strategies-compared",
        Below("strategy", ("COTN", *ALIKE_STRATEGIES), "saturation", "standard deviation"),
        GENERALLY, {"N": 5, "Cr": at_least(0.7)},
    ),
    Claim(
        "strategy-widest-saturation", STRATEGIES, "Saturation's extra spread with N=5 is largest at the largest Cr",
        "4.1.4", "strategies-compared",
        Below("Cr", SMALLER_CR, LARGEST_CR, "extra standard deviation of saturation"), GENERALLY, {"N": 5},
    ),
    Claim(
        "strategy-small-N-mainly-F", STRATEGIES, "With N=5 and exp POIS depends mostly on F, but for saturation",
        "4.1.4", "strategies-compared", StrongerEffect("F", "Cr"), GENERALLY,
        {"crossover": "exp", "strategy": ("COTN", *ALIKE_STRATEGIES), "N": 5},
    ),
    Claim(
        "strategy-not-dominating", STRATEGIES, "Strategy is not the dominating factor",
        "4.1.4", "overview", Explains("strategy", below=rules.DOMINATES),
    ),
    Claim(
        "strategy-controls", STRATEGIES, "Strategy is among the parameters that control POIS",
        "5", "overview", Explains("strategy", least=rules.CONTROLS, interactions=True),
    ),
    # 4.2.1 and 4.2.2 parameters
    Claim(
        "parameters-minimal", PARAMETERS, "Minimal F and Cr give a very low POIS in all configurations",
        "4.2.1", "overview", ShareOfCells(counts.LOW_MEDIAN), EVERY, MINIMAL,
    ),
    Claim(
        "parameters-F", PARAMETERS, "POIS grows with F in all configurations",
        "4.2.1", "ribbons/DE-rand-1-bin-against-F", Steps(("F",)),
    ),
    Claim(
        "parameters-Cr", PARAMETERS, "POIS grows with Cr in all configurations",
        "4.2.1", "ribbons/DE-rand-1-bin-against-Cr", Steps(("Cr",)),
    ),
    Claim(
        "parameters-F-and-Cr", PARAMETERS, "POIS grows when F and Cr grow at once",
        "4.2.1", "overview", Steps(("F", "Cr")),
    ),
    Claim(
        "parameters-Cr-faster", PARAMETERS, "POIS grows faster with Cr than with F, over the range of each",
        "4.2.1", "contours-rand-1", StrongerEffect("Cr", "F"), GENERALLY,
    ),
    Claim(
        "parameters-Cr-faster-per-unit", PARAMETERS, "POIS grows faster with Cr than with F, per unit of each",
        "4.2.1", "contours-rand-1", StrongerEffect("Cr", "F", per_unit=True), GENERALLY,
    ),
    Claim(
        "parameters-slower-small-N", PARAMETERS, "POIS grows more slowly with F for N=5 than for N=20",
        "4.2.1", "population-sizes", Below("N", 5, 20, "slope with F"), GENERALLY,
    ),
    Claim(
        "parameters-extremes", PARAMETERS, "With N=20 and 100, 0 % or 100 % prevail",
        "4.2.1", "overview", ShareOfCells(counts.EXTREME), MAJORITY, LARGE_N,
    ),
    Claim(
        "parameters-F-above-1", PARAMETERS, "F above 1 leads to 100 % in the majority of configurations",
        "4.2.2, 5", "overview", ShareOfCells(counts.FULL), MAJORITY, F_ABOVE_1,
    ),
    Claim(
        "parameters-F-above-1-small-N", PARAMETERS, "With F above 1, N=5 gives a lower POIS than N=20",
        "4.2.2", "population-sizes", Below("N", 5, 20), GENERALLY, F_ABOVE_1,
    ),
    Claim(
        "parameters-F-above-1-exp", PARAMETERS, "With F above 1, exp gives a lower POIS than bin",
        "4.2.2", "crossovers", Below("crossover", "exp", "bin"), GENERALLY, F_ABOVE_1,
    ),
    Claim(
        "parameters-F-above-1-largest-Cr", PARAMETERS, "With F above 1, the largest Cr sometimes gives a lower POIS",
        "4.2.2", "strategies-compared", ShareOfCells(counts.FALLS_AT_LAST_CR), SHARE_OF_SOME, F_ABOVE_1,
    ),
    # 4.2.4 the collapse
    Claim(
        "collapse-exists", COLLAPSE, "In a number of configurations POIS drops at the largest Cr",
        "4.2.4", "strategies-compared", ShareOfCells(counts.FALLS_AT_LAST_CR), SHARE_OF_SOME,
    ),
    Claim(
        "collapse-only-there", COLLAPSE, "POIS drops at the largest Cr only",
        "4.2.4", "ribbons/DE-rand-1-exp-against-Cr", ShareOfCells(counts.FALLS_ONLY_AT_LAST_CR),
    ),
    Claim(
        "collapse-every-N", COLLAPSE, "POIS drops at the largest Cr for every population size",
        "4.2.4", "overview", ShareAtEachLevel("N", counts.FALLS_AT_LAST_CR, SHARE_OF_SOME),
    ),
    Claim(
        "collapse-every-mutation", COLLAPSE, "POIS drops at the largest Cr for every mutation",
        "4.2.4", "overview", ShareAtEachLevel("mutation", counts.FALLS_AT_LAST_CR, SHARE_OF_SOME),
    ),
    Claim(
        "collapse-every-strategy", COLLAPSE, "POIS drops at the largest Cr for every strategy",
        "4.2.4", "overview", ShareAtEachLevel("strategy", counts.FALLS_AT_LAST_CR, SHARE_OF_SOME),
    ),
    Claim(
        "collapse-explanation", COLLAPSE, "Mutants are less often infeasible than trials, which explains the drops",
        "4.2.4", "overview", Formula(exact.trial_minus_mutant, above=1e-12, reason=exact.ONLY_IF_MUTANT),
    ),
    # 4.1.1, 4.1.3, 4.2.5 factors
    Claim(
        "factors-N-not-alone", FACTORS, "Population size is not the only factor",
        "4.1.1", "overview", Explains("N", below=rules.SHARE_OF_THE_ONLY_FACTOR),
    ),
    Claim(
        "factors-crossover-not-alone", FACTORS, "Crossover is not the only factor",
        "4.1.3", "overview", Explains("crossover", below=rules.SHARE_OF_THE_ONLY_FACTOR),
    ),
    Claim(
        "factors-none-alone", FACTORS, "No single factor describes the variability",
        "4.2.5", "overview", Explains("any", below=rules.DOMINATES),
    ),
    Claim(
        "factors-interactions", FACTORS, "Analysis of higher order is required: factors interact",
        "4.2.5", "overview", Explains("interactions", least=rules.INTERACTIONS),
    ),
    # 4.2.6 and 5 amount
    Claim(
        "amount-full-cells", AMOUNT, "Nearly every configuration (with its F and Cr) has 100 % in every run",
        "4.2.6", "overview", ShareOfCells(counts.FULL),
    ),
    Claim(
        "amount-full-cells-F-up-to-1", AMOUNT, "With F up to 1 nearly every configuration has 100 % in every run",
        "4.2.6", "overview", ShareOfCells(counts.FULL), EVERY, F_UP_TO_1,
    ),
    Claim(
        "amount-full-panels", AMOUNT, "Nearly every configuration (for some F and Cr) has 100 % in every run",
        "4.2.6", "overview", ShareOfCells(counts.FULL_SOMEWHERE),
    ),
    Claim(
        "amount-full-panels-F-up-to-1", AMOUNT,
        "With F up to 1 nearly every one (for some F and Cr) has 100 % in every run",
        "4.2.6", "overview", ShareOfCells(counts.FULL_SOMEWHERE), EVERY, F_UP_TO_1,
    ),
    Claim(
        "amount-vast-majority", AMOUNT, "There is a fair chance that the vast majority of solutions is infeasible",
        "5", "overview", ShareOfCells(counts.HIGH_MEDIAN), SOMETIMES,
    ),
    Claim(
        "amount-upper-bound", AMOUNT, "POIS on f0 is an upper bound for POIS on other objective functions",
        "4.2.6, 5", "overview",
        NotInAStudy(OTHER_FUNCTIONS),
    ),
    Claim(
        "amount-performance", AMOUNT, "F above 1 wastes diversity and worsens performance",
        "4.2.2", "overview", NotInAStudy("on f0 no point is better than another, so performance cannot be measured"),
    ),
    Claim(  # the literal reading of amount-upper-bound; a family of its own, so that no other p is corrected for it
        "amount-upper-bound-without-exception", UPPER_BOUND,
        "POIS on f0 is an upper bound for POIS on other objective functions, without exception",
        "4.2.6, 5", "overview", NotInAStudy(OTHER_FUNCTIONS), ALWAYS,
    ),
)  # fmt: skip
