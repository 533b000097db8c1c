"""What each mechanism of the collapse predicts, and what refutes it: written down before any result was looked at.

Known beforehand: data/paper.parquet (which cells fall, and by how much) and the formulas of docs/spec.md.

Words
-----
falling cell     a row (mutation, crossover, strategy, N, F) of the paper's study whose mean share of infeasible trials
                 falls by more than 0.05, beyond chance, from Cr = 0.755 to 0.99: the rule of docs/claims.md
evolve, count    two Cr: that of the trials that replace targets, and that of the trials that are counted
B                evolve 0.99, count 0.99: the paper's run at the largest Cr
A                evolve 0.755, count 0.99: the population of the smaller Cr, looked at with the larger one
fall             A − B, what the evolution of the population takes away
restored share   (I − B) / (A − B) of an intervention I, which evolves and counts with 0.99; sums over cells above and
                 below the line. 0: as the paper's run; 1: the fall is undone
dead run         no trial is infeasible in the last stretch of the run in which the population does not change

Interventions (all happen when trials replace targets; nothing else changes)
----------------------------------------------------------------------------
independent      each component of the new individual comes from a trial of its own, with donors and crossover of its
                 own: every dimension by itself evolves as before, but dimensions no longer share donors. Not for
                 dismiss, which decides for whole trials
whole            evolve with 0.755, but the new individual is either a whole mutant or the target: each component comes
                 from the mutant as often as before, but all of them at once
off bounds       a coordinate that would come to lie on a bound is moved inside by U · 1e-9 of the width
jitter           an individual that would equal another one is moved by U · 1e-9 of the width in every coordinate,
                 inwards
redraw           where all individuals agree in a dimension, the new one gets a uniform number there
chance           f0 is not asked: in generation t each target is replaced with probability 1/(t + 1), and best is any
even             f0 is not asked: as many replacements, evenly over the run
"""

from typing import NamedTuple


class Prediction(NamedTuple):
    """A sentence that may turn out wrong, and the number that decides."""

    id: str
    mechanism: str
    statement: str
    refuted_if: str


PAPER, CONTRACTION, CORNERS, CLONES, LOCKSTEP, SELECTION, SECOND, THIRD = (
    "mutants are less often infeasible than trials (the paper)",
    "M1 contraction",
    "M2 coordinates stuck on bounds",
    "M3 take-over by clones",
    "M4 lockstep of dimensions",
    "selection",
    "second round",
    "third round",
)

PREDICTIONS = (
    Prediction(
        "frozen",
        PAPER,
        "If crossover itself made the fall, it would be there in a population that never changes",
        "the exact POIS of a frozen population rises from Cr = 0.755 to 0.99 in every cell of the study",
    ),
    Prediction(
        "evolve-count",
        PAPER,
        "If it did, populations of Cr = 0.755 that are counted with 0.99 would fall, too",
        "of all falling cells with N = 5 or 20, at most 5 % have A below POIS at 0.755 by more than 3 "
        "standard errors",
    ),
    Prediction(
        "contraction-alone",
        CONTRACTION,
        "If each dimension contracted by itself, enough to make the fall, it would do so without the others: "
        "`independent` restores little",
        "the restored share of `independent` is 0.5 or more in falling cells with F < 1 other than saturation's",
    ),
    Prediction(
        "contraction-seen",
        CONTRACTION,
        "With F < 1 the population is smaller at Cr = 0.99: the median over runs of the mean standard "
        "deviation at the end",
        "it is less than 3 times smaller than at 0.755 in more than 10 % of falling cells with F < 1 other "
        "than saturation's",
    ),
    Prediction(
        "contraction-threshold",
        CONTRACTION,
        "Outside of saturation POIS falls only where a population without a box, replaced by whole mutants, "
        "typically shrinks: F below F_c(mutation, N), the zero of its Lyapunov exponent",
        "F is above F_c in more than 10 % of falling cells other than saturation's",
    ),
    Prediction(
        "contraction-no-clones",
        CONTRACTION,
        "Contraction has no scale, so neither uniform numbers in dimensions that are exactly lost nor a push "
        "off the bounds undoes it",
        "the restored share of `redraw` or `off bounds` is 0.25 or more in falling cells with F < 1 other "
        "than saturation's",
    ),
    Prediction(
        "corners-on-bounds",
        CORNERS,
        "With saturation and F > 1 the coordinates lie on bounds at the end of a run at Cr = 0.99",
        "their mean share is below 0.9 in more than 10 % of saturation's falling cells with F > 1",
    ),
    Prediction(
        "corners-off-bounds",
        CORNERS,
        "A billionth of the width off the bounds is enough to undo the fall there, for on a bound a mutant is "
        "feasible",
        "the restored share of `off bounds` is below 0.75 in saturation's falling cells with F > 1",
    ),
    Prediction(
        "corners-elsewhere",
        CORNERS,
        "The same does nothing where no coordinate lies on a bound",
        "the restored share of `off bounds` is beyond 0.1 in size, by more than 3 standard errors, in falling "
        "cells other than saturation's",
    ),
    Prediction(
        "clones-dead",
        CLONES,
        "Where saturation's runs with F > 1 die, they die by clones: one individual is left",
        "less than 0.9 of the dead runs of saturation's falling cells with F > 1 and N = 5 have one distinct "
        "individual",
    ),
    Prediction(
        "clones-jitter",
        CLONES,
        "To tell clones apart by a billionth undoes the fall of saturation with F > 1",
        "the restored share of `jitter` is below 0.5 in saturation's falling cells with F > 1",
    ),
    Prediction(
        "clones-elsewhere",
        CLONES,
        "Elsewhere there are no clones before differences round to 0: x_r1 + F (x_r2 − x_r3) equals no individual",
        "some falling cell other than saturation's has, in the median run at Cr = 0.99, fewer than N distinct "
        "individuals at the end and a mean standard deviation above 1e-12",
    ),
    Prediction(
        "lockstep-necessary",
        LOCKSTEP,
        "Whole mutants give all dimensions the same fate, so that all are lost at once, while of 30 that are "
        "lost one by one some live: `independent` undoes the fall",
        "the restored share of `independent` is below 0.5 in all falling cells but dismiss's, or in those of "
        "saturation with F > 1",
    ),
    Prediction(
        "lockstep-sufficient",
        LOCKSTEP,
        "Whole mutants at Cr = 0.755 make POIS fall there as well: with `whole`, which each dimension by "
        "itself does not notice, most of the fall appears",
        "(A − whole) / (A − B), counted with 0.99, is below 0.5 in falling cells but dismiss's",
    ),
    Prediction(
        "lockstep-dimension",
        LOCKSTEP,
        "A whole mutant has probability Cr^(n−1) with bin, so the fall happens at 1 − Cr of the order of 1/n; "
        "what happens in each dimension by itself does not know n",
        "from n = 10 to n = 100, 1 − Cr of the half fall shrinks by a factor outside of 4 to 30, in one of "
        "the two cells of the sweep",
    ),
    Prediction(
        "selection-none",
        SELECTION,
        "On f0 nothing but the number of replacements matters: for rand/1 and rand/2 `chance` has the same law",
        "the mean of POIS differs in one falling cell with |z| above the 1 % quantile corrected for their number",
    ),
    Prediction(
        "selection-count",
        SELECTION,
        "The state of a population depends on how many replacements it has seen, not when: `even` ends as it "
        "does on f0",
        "the share of infeasible trials in the last stretch differs by more than 0.05 on average over the "
        "falling cells of rand/1 and rand/2 with N = 5",
    ),
    Prediction(
        "selection-budget",
        SELECTION,
        "An individual is replaced ln(budget/N) times, so the fall grows with the logarithm of the budget and "
        "has no threshold",
        "the fall of the two cells of the sweep at budget 3 000 is more than 0.75 times that at 300 000, or "
        "that at 30 000 000 is not larger",
    ),
    # The second round: written when most results of the first were known, about cells that no study has.
    Prediction(
        "second-low",
        SECOND,
        "F = 0.2: dimensions contract by themselves",
        "the restored share of `independent` is 0.25 or more in the 16 cells of all mutations, bin and exp, mirror and "
        "COTN, N = 5",
    ),
    Prediction(
        "second-middle",
        SECOND,
        "F = 0.8: lockstep makes the fall",
        "the restored share of `independent` is below 0.75 in the 9 cells of all mutations but rand/2, bin, mirror, "
        "COTN and toroidal, N = 5",
    ),
    Prediction(
        "second-high",
        SECOND,
        "F = 1.5: corners and lockstep make the fall of saturation",
        "the restored share of `off bounds` is below 0.75, or that of `independent` below 0.5, in the 4 cells of all "
        "mutations, bin, saturation, N = 5",
    ),
    Prediction(
        "second-none",
        SECOND,
        "F = 1.5: without corners nothing falls",
        "A − B is above 0.02 on average over the same 4 cells with mirror",
    ),
    # The third round: written when all results of the first two were known, about cells that no study has.
    Prediction(
        "third-bin",
        THIRD,
        "Not F but the crossover divides contraction from lockstep: with bin, lockstep makes the fall also at F = 0.35",
        "the restored share of `independent` is below 0.75 in the 6 cells of rand/1, rand/2 and current-to-best/1, "
        "bin, mirror and toroidal, N = 6",
    ),
    Prediction(
        "third-exp",
        THIRD,
        "With exp, contraction makes the fall there",
        "the restored share of `independent` is 0.25 or more in the same cells with exp",
    ),
    Prediction(
        "third-share",
        THIRD,
        "It is the share of exchanged components, not exp as such: bin contracts, too, if its Cr goes from 0.111 to "
        "0.864, so that it exchanges as many components as exp does",
        "evolving bin with these two Cr, the restored share of `independent` at 0.864 is 0.5 or more in the same "
        "6 cells",
    ),
)  # fmt: skip
MUTATIONS = ("best/1", "current-to-best/1", "rand/1", "rand/2")
LOW = [(m, x, s, 5, 0.2) for m in MUTATIONS for x in ("bin", "exp") for s in ("mirror", "COTN")]
MIDDLE = [(m, "bin", s, 5, 0.8) for m in MUTATIONS[:3] for s in ("mirror", "COTN", "toroidal")]
HIGH, NONE = ([(m, "bin", s, 5, 1.5) for m in MUTATIONS] for s in ("saturation", "mirror"))
THIRD_BIN, THIRD_EXP = (
    [(m, x, s, 6, 0.35) for m in MUTATIONS[1:] for s in ("mirror", "toroidal")] for x in ("bin", "exp")
)
AS_EXP = (0.111, 0.864)  # Cr at which bin exchanges the shares that exp does at 0.755 and 0.99, in 30 dimensions
SWEPT = (("rand/1", "bin", "saturation", 5, 1.35), ("rand/1", "bin", "mirror", 5, 0.7))
