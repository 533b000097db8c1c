"""The first sections of docs/collapse.md: the answers, and what theory says."""

from benchmarks.collapse import judge, numbers, sweeps, table
from benchmarks.collapse.experiments import LARGE, RUNS, SMALL
from benchmarks.collapse.linear import END, WARM_UP, mean_variance_factor
from benchmarks.collapse.predictions import PREDICTIONS, SWEPT, THIRD_EXP
from debox.config import Config
from debox.f0.theory import expected_acceptances, expected_exchanges

OTHERS_EXP, OTHERS_BIN, _, SATURATION_BIN, _, CORNERS_BIN = numbers.GROUPS


def exchanged(crossover: str) -> str:
    """The shares of components that come from the mutant at the two Cr: ``0.14 to 0.87``"""
    return " to ".join(f"{expected_exchanges(crossover, 30, Cr) / 30:.2f}" for Cr in (SMALL, LARGE))


def share(intervention: str, label: str) -> str:
    """The restored share of a group, with its error."""
    return str(table.restored(intervention, numbers.group(label)))


def in_short() -> str:
    """The answers."""
    falling, steps = table.falling(), table.steps()
    hidden, visible, cells = numbers.hidden()
    refuted = [one.id for one in PREDICTIONS if judge.JUDGES[one.id]().refuted]
    above = [fall for fall in falling if fall.F > 1]
    saturation = sum(fall.strategy == "saturation" for fall in above)
    early = " and ".join(f"{sweeps.fallen_at(0.9, cell[2]):.0%}" for cell in SWEPT)
    alike = {row["evolve"]: row["share"] for row in table.of("together", strategy="mirror")}
    return f"""\
- From Cr = {SMALL:g} to {LARGE:g} mean POIS falls by more than 0.05, beyond chance, in {len(falling)} of
  {len(steps)} cells: by strategy {numbers.count("strategy")}; by N {numbers.count("N")}; by crossover
  {numbers.count("crossover")}; by mutation {numbers.count("mutation")}.
- Crossover itself cannot do it: with any given population POIS does not fall with Cr. All of the fall is made by
  what trials do to the population when they replace targets.
- **exp: contraction (M1).** The share of components that a replacement changes goes from {exchanged("exp")}, and
  where F is small each change shrinks the population. Each dimension does it by itself: donors of its own for each
  dimension undo {share("independent", OTHERS_EXP)} of the fall (mirror, toroidal, COTN; at another F and N
  {table.restored("independent", THIRD_EXP)}, more than predicted). Bin that exchanges the same shares does the same.
- **bin: lockstep (M4).** The share goes from {exchanged("bin")} only, and the population is nearly as wide as
  before. But whole mutants give the dimensions of a run the same fate. They become alike (their widths have an
  intraclass correlation of {alike[SMALL]:.2f} at Cr = {SMALL:g}, {alike[LARGE]:.2f} at {LARGE:g}, in one cell), and
  a trial no longer finds, among 30 that differ, a wide one in which to leave the box. Donors of its own for each
  dimension undo {share("independent", OTHERS_BIN)} of the fall (mirror, toroidal, COTN), and
  {share("independent", SATURATION_BIN)} with saturation and F < 1.
- **F > 1: corners (M2) in lockstep (M4), ending in clones (M3).** Of {len(above)} falling cells {saturation} are
  saturation's. Its coordinates lie on bounds, where mutants of individuals that agree are feasible. With bin a
  billionth of the width off the bounds undoes {share("off bounds", CORNERS_BIN)} of the fall, donors of its own for
  each dimension {share("independent", CORNERS_BIN)}.
- It is no event at the largest Cr: with bin, POIS falls gradually. In the two cells that were swept,
  {early} of the fall has happened at Cr = 0.9. The paper's grid has nothing between {SMALL:g} and {LARGE:g}.
- With exp the larger Cr also counts more components, which hides falls: in {hidden} of {cells} cells of
  DE/rand/1/exp, N=5 the evolution at {LARGE:g} takes away more than 0.05; {visible} fall in the paper
  (not predicted).
- Of {len(PREDICTIONS)} predictions in three rounds, each written down before it was simulated, {len(refuted)} are
  refuted, the first two of them the paper's: {", ".join(refuted)}."""


def theory() -> str:
    """What can be known without simulating runs."""
    replaced = {N: expected_acceptances(Config.of(f"DE/rand/1/bin sat, N={N}, F=1, Cr=1"), 300_000) / N for N in RUNS}
    words = ", ".join(f"{value:.1f} for N = {N}" for N, value in replaced.items())
    thresholds = ", ".join(f"{N**-0.5:.2f}" for N in RUNS)
    factor, critical = mean_variance_factor(5, 0.7, LARGE), sweeps.threshold("rand/1", 5)
    spearman, cells = numbers.contraction()
    return f"""\
1. *With a given population POIS does not fall with Cr.* Given a mutant with k infeasible components, a trial is
   infeasible with probability 1 − (1 − k/n)(1 − Cr)^k with bin, and with exp with 1 − (1/n) Σ (1 − Cr^j), summed over
   runs of feasible components: neither falls with Cr. A trial is its feasible target with components of the mutant,
   so it is infeasible only if the mutant is: "mutants are less often infeasible than trials" is impossible.
2. *How often an individual is replaced.* On f0 slot i is replaced in generation t with probability 1/(t + 1),
   whatever the positions: H_(G+1) − 1 times in G generations, {words}.
3. *Mean variance.* One replacement with rand/1, in which a component comes from the mutant with chance p, multiplies
   the variance of that component over the population by 1 + p (2F²/N − 2/N²) on average, if there is no box. The
   threshold F = 1/√N ({thresholds} for the three N) does not depend on Cr.
4. *The typical population.* Whole mutants multiply all dimensions by the same random matrix. F_c, in the table
   below and called the zero of the Lyapunov exponent in the predictions, is the F at which the median population
   without a box neither grows nor shrinks, measured over {END - WARM_UP} replacements of each individual. With
   rand/1, N = 5, F = 0.7 and Cr = {LARGE:g} the mean variance grows by a factor of {factor:.2f} a replacement, F
   is above F_c = {critical:.2f}, and yet POIS falls with mirror: the width of single dimensions does not explain
   it.
5. *Lockstep.* If each dimension has random factors of its own, the widest of 30 decide whether a trial leaves the
   box; if all share them, one draw decides for all. Single dimensions have the same law in both cases.
6. *How much faster a larger Cr contracts.* The chance that a component comes from the mutant goes from
   {exchanged("bin")} with bin, from {exchanged("exp")} with exp. The difference times the exponent of 4 times the
   number of replacements predicts how much narrower populations become: in the {cells} falling cells with F < 1
   but saturation's, it and what was measured have a rank correlation of {spearman:.2f} (computed after the
   results were seen).

{numbers.thresholds()}"""
