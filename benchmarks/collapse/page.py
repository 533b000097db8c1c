"""docs/collapse.md: what data/collapse.parquet and data/paper.parquet say, in sentences."""

from pathlib import Path

import numpy as np

from benchmarks.collapse import judge, numbers, table
from benchmarks.collapse.draw import draw
from benchmarks.collapse.experiments import LARGE, RUNS, SMALL
from benchmarks.collapse.interventions import TINY
from benchmarks.collapse.linear import mean_variance_factor
from benchmarks.collapse.numbers import group, picture
from benchmarks.collapse.predictions import (
    CLONES,
    CONTRACTION,
    CORNERS,
    LOCKSTEP,
    PAPER,
    PREDICTIONS,
    SECOND,
    SELECTION,
)
from debox.config import Config
from debox.f0.theory import expected_acceptances, expected_exchanges

PAGE = Path(__file__).parents[2] / "docs" / "collapse.md"


def exchanged(crossover: str) -> str:
    """The shares of components that come from the mutant at the two Cr: ``0.14 and 0.87``"""
    return " and ".join(f"{expected_exchanges(crossover, 30, Cr) / 30:.2f}" for Cr in (SMALL, LARGE))


def share(intervention: str, label: str) -> str:
    """The restored share of a group, with its error."""
    return str(table.restored(intervention, group(label)))


def in_short() -> str:
    """The answers."""
    falling, steps = table.falling(), table.steps()
    exp, middle, corners = (list(numbers.GROUPS)[k] for k in (0, 2, 5))
    hidden, visible, cells = numbers.hidden()
    refuted = [one.id for one in PREDICTIONS if judge.JUDGES[one.id]().refuted]
    above = [fall for fall in falling if fall.F > 1]
    others = sum(fall.strategy != "saturation" for fall in above)
    return f"""\
- From Cr = {SMALL:g} to {LARGE:g} mean POIS falls by more than 0.05, beyond chance, in {len(falling)} of
  {len(steps)} cells: by strategy {numbers.count("strategy")}; by N {numbers.count("N")}; by crossover
  {numbers.count("crossover")}; by mutation {numbers.count("mutation")}.
- Crossover itself cannot do it: with any given population POIS grows with Cr. All of the fall is made by what
  trials do to the population when they replace targets.
- **F < 0.5: contraction (M1).** A larger Cr replaces more components, and each replacement shrinks the
  population. Dimensions do it by themselves: donors of their own for each dimension undo
  {share("independent", exp)} of the fall with exp and {share("independent", exp.replace("exp", "bin"))} with bin.
- **0.7 ≤ F < 1: lockstep (M4).** The population is about as wide as before, but whole mutants give all dimensions
  the same fate: in a run all are narrow or all are wide, and a trial no longer finds one of 30 dimensions in
  which to leave the box. Donors of their own for each dimension undo {share("independent", middle)} of the fall.
- **F > 1: corners (M2) and lockstep (M4), ending in clones (M3).** Of {len(above)} falling cells {others} are not
  saturation's. Its coordinates lie on bounds, where mutants of individuals that agree are feasible; a billionth
  of the width off the bounds undoes {share("off bounds", corners)} of the fall, donors of their own for each
  dimension {share("independent", corners)}.
- It is no event at the largest Cr: POIS falls gradually from where a target keeps only a few components,
  (n − 1)(1 − Cr) of them on average with bin. The paper's grid has nothing between {SMALL:g} and {LARGE:g}.
- With exp the larger Cr also counts more components, which hides falls: in {hidden} of {cells} cells of
  DE/rand/1/exp, N=5 the evolution at {LARGE:g} takes away more than 0.05; {visible} of them fall in the paper.
- Of {len(PREDICTIONS)} predictions written down beforehand {len(refuted)} are refuted: {", ".join(refuted)}."""


def theory() -> str:
    """What can be known without simulations."""
    replaced = {N: expected_acceptances(Config.of(f"DE/rand/1/bin sat, N={N}, F=1, Cr=1"), 300_000) / N for N in RUNS}
    words = ", ".join(f"{value:.1f} for N = {N}" for N, value in replaced.items())
    factor = mean_variance_factor(5, 0.7, LARGE)
    spearman, cells = numbers.contraction()
    return f"""\
1. *A given population has a POIS that does not fall with Cr.* Given a mutant with k infeasible components, a trial
   is infeasible with probability 1 − (1 − k/n)(1 − Cr)^k with bin, and with exp with 1 − (1/n) Σ (1 − Cr^j), summed
   over runs of feasible components: both rise with Cr. A trial is its feasible target with components of the
   mutant, so it is infeasible only if the mutant is; "mutants are less often infeasible than trials" is
   impossible.
2. *How often an individual is replaced.* On f0 slot i is replaced in generation t with probability 1/(t + 1),
   whatever the positions: H_(G+1) − 1 times in G generations, {words}. Replacements come late in a run ever more
   rarely, so the fall goes with the logarithm of the budget.
3. *Mean variance.* One replacement with rand/1, in which a component comes from the mutant with chance p,
   multiplies the variance of that component over the population by 1 + p (2F²/N − 2/N²) on average (no box). The
   threshold F = 1/√N, {5**-0.5:.2f}, {20**-0.5:.2f} and {100**-0.5:.2f} for the three N, does not depend on Cr.
   With N = 5, F = 0.7, Cr = {LARGE:g} the factor is {factor:.2f}, and yet POIS falls: the mean is made by few
   wide populations, the median one shrinks.
4. *The typical population.* Whole mutants multiply all dimensions by the same random matrix. Where the median
   population without a box neither grows nor shrinks over a run's {replaced[5]:.0f} replacements, F is F_c:

{numbers.thresholds()}

   If dimension j has its own random factor, the widest of 30 decides whether a trial leaves the box; if all share
   one, that one does. Both have the same law in each dimension.
5. *How much faster a larger Cr contracts.* Components come from the mutant with chance {exchanged("bin")} with
   bin, {exchanged("exp")} with exp at the two Cr. Times exponent and number of replacements this predicts how
   much narrower populations become; in the {cells} falling cells with F < 0.5 but saturation's, prediction and
   measurement have a rank correlation of {spearman:.2f}
   (computed after the results were seen)."""  # fmt: skip


def page() -> str:
    """The page."""
    difference, error, cells = numbers.engine_check()
    lost = numbers.lost_dimensions()
    runs = ", ".join(f"{count} for N = {N}" for N, count in RUNS.items())
    low = "mirror, toroidal, COTN; exp; F < 0.5"
    ratio = np.median([table.A(fall)["median_sd"] / table.case(fall)["median_sd"] for fall in group(low)])
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

An engine made of the operators of `debox.de` draws the replacements of f0 one by one, and between them estimates
the share of infeasible trials from a sample: `benchmarks/collapse/engine.py`. Without an intervention it agrees
with the paper's runs: over all {cells} falling cells its mean differs by {difference:+.4f} ± {error:.4f}. Two Cr
are kept apart: that with which trials *evolve* the population and that with which they are *counted*. **A**
evolves with {SMALL:g} and counts with {LARGE:g}, **B** does both with {LARGE:g}; A − B is the fall that evolution
makes. An intervention I changes what happens when a trial replaces its target, evolves and counts with {LARGE:g},
and **restores** the share Σ(I − B) / Σ(A − B), sums over cells: 0, nothing; 1, all. ± is one standard error;
cells are fixed, runs ({runs}, per case) are random.

- `independent`: each component of the new individual comes from a trial of its own. Every dimension by itself
  evolves exactly as before; only what dimensions share is gone. (Not for dismiss, which decides on whole trials.)
- `whole`: evolve with {SMALL:g}, but the new individual is a whole mutant or the target, so that each component
  comes from the mutant as often as before. Every dimension by itself evolves as at {SMALL:g} but for how it is
  chosen together with others.
- `off bounds`: coordinates on a bound move inside by U · {TINY:g} of the width.
- `jitter`: an individual that equals another moves inside by U · {TINY:g} in every coordinate.
- `redraw`: where all individuals agree in a dimension, the new one gets a uniform number.
- `chance`, `even`: replacements without f0, with probability 1/(t + 1), or evenly spread over the run.

That dimensions by themselves do not notice the first two is seen where dimensions get lost: in saturation's
falling cells the mean share of lost dimensions is {lost["B"]:.3f} in B and {lost["independent"]:.3f} with
`independent`, {lost["A"]:.3f} in A and {lost["whole"]:.3f} with `whole`.

All predictions and the numbers that refute them stand in `benchmarks/collapse/predictions.py`, committed before
any simulation was looked at; known were the paper's study and formulas. They name four mechanisms. A second round
followed when most results of the first were known, and was committed before it was simulated. What was found only
afterwards is marked so.

## The paper's explanation

{numbers.verdicts(PAPER)}

The mechanism is refuted if its predictions are. It is, as theory says it must.

## M1: contraction

{numbers.verdicts(CONTRACTION)}

"Contraction" was too broad. Seen by F (found afterwards), there are two things. Below F = 0.5 dimensions contract
by themselves: with exp, populations at {LARGE:g} end {ratio:.3g} times narrower in the median cell, and
`independent` restores {share("independent", low)}. From F = 0.7 on they do not: widths are nearly the same at
both Cr, and `independent` restores {share("independent", "mirror, toroidal, COTN; 0.7 ≤ F < 1")}. And falls reach
above F_c, since repair brings back what went far out: the box contracts, too.

{picture("interventions")}

*Restored shares by F, with two standard errors. Contraction: the teal line is at 0. Lockstep: it is at 1.
Corners: so is the orange one.*

## M2: coordinates stuck on bounds

{numbers.verdicts(CORNERS)}

{picture("traces")}

*Means over 50 runs at log-spaced evaluations (standard deviation: the median run). Left, the population is as
wide at {LARGE:g} as at {SMALL:g}, no dimension is lost, and yet fewer trials leave the box: lockstep. Right,
coordinates end on bounds, dimensions are lost, more so at {LARGE:g}, and at last individuals become equal. That
individuals are equal early, with mirror, too, is another matter: two targets of one generation that draw the same
donors get the same mutant.*

Where the share on bounds is below 0.9, F is the smallest above 1: fewer components leave the box there.

## M3: take-over by clones

{numbers.verdicts(CLONES)}

Clones are how saturation's runs end, not why they fall: to move coordinates off the bounds, which clones do not
prevent, restores more than to move clones alone. The one cell with clones elsewhere has the clones of targets that
draw the same donors, which best/1 with its two donors does most often.

## M4: lockstep of dimensions

{numbers.verdicts(LOCKSTEP)}

As the cause of every fall lockstep is refuted, and as that of falls with F ≥ 0.7 it is not: see the table of groups
below. How alike are the dimensions of a run? The intraclass correlation of their standard deviations at its end (0:
dimensions of one run differ as much as those of different runs; 1: all are alike; computed after the
predictions):

{numbers.together()}

{picture("dimensions")}

*Left: POIS against Cr in three dimensions n. Right: the same against the number of components that a target
keeps. In 10 dimensions POIS falls from smaller Cr on. The criterion of the prediction, half way from the maximum
within {SMALL:g} to 1, misses that: it begins where the fall in 10 dimensions is under way.*

## Selection, budget, N

{numbers.verdicts(SELECTION)}

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

The groups by F were made when the results were known. So a second round of predictions was written down before
it was simulated, about values of F that no study has:

{numbers.verdicts(SECOND)}

## The last bit

With saturation many mutants lie on a bound in exact arithmetic, and rounding decides whether they count:
[law.md](law.md) says when, and that mean POIS of the first of these is higher by some 0.003 in a program whose
compiler fuses sums and products. Infeasible trials as written, with violations of up to 4 · 2⁻⁵² tolerated, and
fused:

{numbers.rounding()}

These are small beside the falls: rounding is no cause of the collapse.

## Limits

Two cells are swept over Cr, n, N and budget; interventions are done in all falling cells, but with few runs where
N is large. `independent` removes all that dimensions share, also the times at which components are exchanged
together. On other functions than f0 replacements depend on position, and selection contracts populations as well.

## What to set

Keep (n − 1)(1 − Cr) at 3 or more, or N at 20 or more, and repair by anything but saturation if F > 1: a low POIS at Cr
near 1 is the sign of a population that has lost its dimensions, not of one that stays in the box.
"""


def write() -> None:
    """Draw the pictures and write the page."""
    draw(PAGE.parent / "figures")
    PAGE.write_text(page())
