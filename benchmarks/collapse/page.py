"""docs/collapse.md: what data/collapse.parquet and data/paper.parquet say, in sentences."""

from pathlib import Path

import numpy as np

from benchmarks.collapse import judge, numbers, predictions, sweeps, table
from benchmarks.collapse.draw import draw
from benchmarks.collapse.experiments import LARGE, RUNS, SMALL
from benchmarks.collapse.interventions import TINY
from benchmarks.collapse.numbers import group, picture, verdicts
from benchmarks.collapse.summary import OTHERS_BIN, OTHERS_EXP, in_short, share, theory

BEST_BIN = ("best/1", "bin")
PAGE = Path(__file__).parents[2] / "docs" / "collapse.md"


def page() -> str:
    """The page."""
    difference, error, cells = numbers.engine_check()
    lost = numbers.lost_dimensions()
    runs = ", ".join(f"{count} for N = {N}" for N, count in RUNS.items())
    below = [fall.F for fall in judge.chosen(True, judge.ABOVE_1) if table.case(fall)["on_bound"] < 0.9]
    low_bin = table.restored("independent", [cell for cell in predictions.LOW if cell[1] == "bin"])
    factors = ", ".join(f"{name} {value:.1f}" for name, value in sweeps.factors_with_smaller_Cr().items())
    best_bin = table.restored(
        "independent",
        [fall for fall in judge.chosen(F=(0, 0.5), dismiss=False) if (fall.mutation, fall.crossover) == BEST_BIN],
    )
    narrower = {
        label: np.median([table.A(fall)["median_sd"] / table.case(fall)["median_sd"] for fall in group(label)])
        for label in (OTHERS_EXP, OTHERS_BIN)
    }
    return f"""# The collapse explained

The paper (§4.2.4) sees POIS grow with Cr and then, at the largest Cr, drop, calls it a collapse, and supposes
that mutants are less prone to be infeasible than trials. This page says what happens instead.
`python -m benchmarks.collapse` simulates what it needs besides `data/paper.parquet`, in some ten minutes, into
`data/collapse.parquet`, and writes it; with the word `page` it only writes it anew. The claims `collapse-*` of
[claims.md](claims.md) say how often it happens. POIS here is infeasible trials ÷ trials.

## In short

{in_short()}

## Where POIS falls

{picture("where")}

*Every row of the paper's study: orange, POIS is higher at Cr = {LARGE:g} than at {SMALL:g}; violet, it is lower;
a dot, it falls by the rule of the claims (more than 0.05, p < 0.05 after Holm's correction over all steps of
Cr).*

{picture("sweep")}

*Cr between the two, 100 runs a point, bands of two standard errors; squares: Cr = 1.*

## What theory says

{theory()}

## Method

An engine made of the trials of debox's core draws the replacements of f0 one by one, and between them estimates
the share of infeasible trials from a sample: `benchmarks/collapse/engine.py`. Without an intervention it agrees
with the paper's runs: over all {cells} falling cells its mean differs by {difference:+.4f} ± {error:.4f}. Two Cr
are kept apart: that with which trials *evolve* the population and that with which they are *counted*. **A**
evolves with {SMALL:g} and counts with {LARGE:g}, **B** does both with {LARGE:g}; A − B is the fall that evolution
makes. An intervention I changes what happens when a trial replaces its target, evolves and counts with {LARGE:g},
and **restores** the share Σ(I − B) / Σ(A − B), sums over cells: 0, nothing; 1, all. ± is one standard error;
cells are fixed, runs ({runs}, per case) are random.

- `independent`: each component of the new individual comes from a trial of its own. Every dimension by itself
  evolves exactly as in B; only what dimensions share is gone. (Not for dismiss, which decides on whole trials.)
- `whole`: evolve with {SMALL:g}, but the new individual is a whole mutant or the target, so that each component
  comes from the mutant as often as before. Every dimension by itself evolves exactly as in A.
- `off bounds`: coordinates on a bound move inside by U · {TINY:g} of the width.
- `jitter`: an individual that equals another moves inside by U · {TINY:g} in every coordinate.
- `redraw`: where all individuals agree in a dimension, the new one gets a uniform number.
- `chance`, `even`: replacements without f0, with probability 1/(t + 1), or evenly spread over the run.

That dimensions by themselves do not notice the first two is seen where dimensions get lost: in saturation's
falling cells the mean share of lost dimensions is {lost["B"]:.3f} in B and {lost["independent"]:.3f} with
`independent`, {lost["A"]:.3f} in A and {lost["whole"]:.3f} with `whole`.

All predictions and the numbers that refute them stand in `benchmarks/collapse/predictions.py`, committed before
any simulation was looked at; known were the paper's study and formulas. They name four mechanisms. Two more rounds
followed when results were known; each was committed before it was simulated. What was found only afterwards is
marked so.

## The paper's explanation

{verdicts(predictions.PAPER)}

The mechanism is refuted if its predictions are. It is, as theory says it must.

## M1: contraction

{verdicts(predictions.CONTRACTION)}

The first prediction here and the first two of M4 all stand, though they speak against each other: pooling is why.
There are two kinds of cells (found afterwards). With exp `independent` restores
{share("independent", OTHERS_EXP)}, and populations at {LARGE:g} end {narrower[OTHERS_EXP]:.3g} times narrower
than at {SMALL:g} in the median cell: contraction. With bin it restores {share("independent", OTHERS_BIN)}, and
populations end {narrower[OTHERS_BIN]:.2g} times narrower: lockstep. Falls reach above F_c since that is no
threshold for lockstep, and since repair brings back what went far out. With bin, too, best/1 contracts at small F:
below 0.5 `independent` restores {best_bin} there.

{picture("interventions")}

*Restored shares by F, with two standard errors, where two cells or more fall. Teal at 0: dimensions contract by
themselves. Teal at 1: lockstep. Orange at 1: corners.*

## M2: coordinates stuck on bounds

{verdicts(predictions.CORNERS)}

{picture("traces")}

*Means over 50 runs at log-spaced evaluations (standard deviation: the median run). Left, the population is as
wide at {LARGE:g} as at {SMALL:g}, no dimension is lost, and yet fewer trials leave the box: lockstep. Right,
coordinates end on bounds, dimensions are lost, more so at {LARGE:g}, and at last individuals become equal. That
individuals are equal early, with mirror, too, is another matter: two targets of one generation that draw the same
donors get the same mutant.*

The cells in which less than 0.9 of the coordinates lie on bounds have F from {min(below):g} to {max(below):g}: there,
some are left inside.

## M3: take-over by clones

{verdicts(predictions.CLONES)}

Clones are how saturation's runs end, not why they fall: to move coordinates off the bounds, which clones do not
prevent, restores more than to move clones alone. The one cell with clones elsewhere has the clones of targets that
draw the same donors, which best/1 with its two donors does most often.

## M4: lockstep of dimensions

{verdicts(predictions.LOCKSTEP)}

Lockstep is not the cause of every fall: see M1 and the table of groups below. How alike are the dimensions of a
run? The intraclass correlation of their standard deviations at its end (0: dimensions of one run differ as much
as those of different runs; 1: all are alike; computed after the predictions):

{numbers.together()}

{picture("dimensions")}

*Left: POIS against Cr in three dimensions n (smaller Cr than {SMALL:g} were added afterwards). Right: the same against
the number of components that a target keeps.*

That the fall sets in at 1 − Cr of the order of 1/n is wrong for mirror, and remains so with smaller Cr included: the
factors are then {factors}. A mutant need not be taken as a whole; it is enough that most components come from
it. What n changes is the level: of more dimensions more rarely all are narrow.

## Selection, budget, N

{verdicts(predictions.SELECTION)}

With mirror the fall is there after few replacements and then grows slowly: to make dimensions alike, it is enough to
replace most individuals once by whole mutants, while to lose dimensions on bounds takes many replacements.

{picture("sizes")}

*The fall A − B with two standard errors. It shrinks with N, since the individuals of a large population share
less, and grows with the budget.*

## Which mechanism acts where

{numbers.shares()}

The last column: (A − whole)/(A − B), the share of the fall that whole mutants at {SMALL:g} bring about.

The populations at the end of the runs, medians and means over cells; a run is dead if none of 1000 last trials is
infeasible:

{numbers.states()}

For dismiss no intervention separates contraction from lockstep, since a trial is kept or dismissed as a whole;
its populations contract: only mutants that are feasible in all 30 dimensions replace a target, and those are the
short steps.

## Two more rounds

When the results of best/1 were known and most others were not, F seemed to divide contraction from lockstep. The second
round was written down then, and simulated afterwards, about values of F that no study has:

{verdicts(predictions.SECOND)}

Its first prediction stands for a wrong reason: pooled, exp outweighs bin, since its falls are larger. With bin
alone the restored share is {low_bin}. With all results known, crossover divides: the third round.

{verdicts(predictions.THIRD)}

So bin falls by lockstep there, and exp mostly, but not only, by contraction; and so does bin if it exchanges the same
shares of components: what counts is how much more a larger Cr exchanges.

## The last bit

With saturation many mutants lie on a bound in exact arithmetic, and rounding decides whether they count:
[law.md](law.md) says when, and how POIS of the first of these changes in a program whose compiler fuses sums and
products. Infeasible trials as written, with violations of up to 4 · 2⁻⁵² tolerated, and
fused:

{numbers.rounding()}

These are small beside the falls: rounding is no cause of the collapse.

## Limits

The median stands for the mean logarithm in F_c because differences that round to 0 have none; this was decided
before it was measured. Two cells are swept over Cr, n, N and budget; interventions are done in all falling cells,
but with few runs where N is large. `independent` removes all that dimensions share, also the times at which
components are exchanged together. On other functions than f0 replacements depend on position, and selection
contracts populations as well.

## What to set

Keep Cr at 0.9 or less with bin, F at 0.7 or more with exp and a Cr near 1, and do not saturate if F > 1: a
low POIS at Cr near 1 is the sign of a population that has lost its variety, not of one that stays in the box.
"""


def write() -> None:
    """Draw the pictures and write the page."""
    draw(PAGE.parent / "figures")
    PAGE.write_text(page())
