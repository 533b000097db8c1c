"""What is simulated of the collapse: falling cells of the paper's study, cells that no study has, sweeps."""

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from debox.analysis.runs import Runs
from debox.optimize.compare import holm
from reproduction.collapse.engine import Case
from reproduction.numbers import DATA

SMALL, LARGE = 0.755, 0.99  # the two largest Cr of the paper
FALL = 0.05
RUNS = {5: 24, 20: 10, 100: 4}  # of a case of a falling cell, by N
RUNS_OF_THIRD_ROUND = 40
CRS = (0.755, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.997, 0.999, 0.9995, 1.0)
TOGETHER = (0.755, 0.85, 0.9, 0.95, 0.97, 0.99, 0.999, 1.0)
STRATEGIES = ("saturation", "mirror", "toroidal", "COTN", "dismiss")
MUTATIONS = ("best/1", "current-to-best/1", "rand/1", "rand/2")
DIMENSIONS, BUDGETS = (10, 30, 100), (3000, 300_000, 30_000_000)
# mutation, crossover, strategy, N, F
SWEPT = (("rand/1", "bin", "saturation", 5, 1.35), ("rand/1", "bin", "mirror", 5, 0.7))
LOW = [(m, x, s, 5, 0.2) for m in MUTATIONS for x in ("bin", "exp") for s in ("mirror", "COTN")]
MIDDLE = [(m, "bin", s, 5, 0.8) for m in MUTATIONS[:3] for s in ("mirror", "COTN", "toroidal")]
HIGH, NONE = ([(m, "bin", s, 5, 1.5) for m in MUTATIONS] for s in ("saturation", "mirror"))
THIRD_BIN, THIRD_EXP = (
    [(m, x, s, 6, 0.35) for m in MUTATIONS[1:] for s in ("mirror", "toroidal")] for x in ("bin", "exp")
)
AS_EXP = (0.111, 0.864)  # Cr at which bin exchanges the shares that exp does at 0.755 and 0.99, in 30 dimensions


class Step(NamedTuple):
    """The last step of Cr in a row of the paper's study: mean shares of infeasible trials and their errors."""

    mutation: str
    crossover: str
    strategy: str
    N: int
    F: float
    before: float
    after: float
    before_error: float
    after_error: float
    falls: bool


@cache
def paper() -> Runs:
    """The paper's study."""
    return Runs.of(DATA / "paper.parquet").complete()


@cache
def steps(runs: int = 50) -> list[Step]:
    """The last step of Cr in every row of the study, from so many runs.

    It falls if the mean does by more than FALL, and by more than 0 beyond chance: Welch's t, corrected by Holm's method
    for all steps of Cr. The predictions are about these cells.
    """
    from scipy.stats import ttest_ind

    share = paper().share[..., :runs]
    mean, error = share.mean(-1), share.std(-1, ddof=1) / runs**0.5
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):  # cells whose runs are all the same
        found = ttest_ind(share[..., :-1, :], share[..., 1:, :], axis=-1, equal_var=False, alternative="greater")
    p = np.nan_to_num(np.asarray(found.pvalue), nan=1.0)
    falls = (np.reshape(holm(p.ravel()), p.shape)[..., -1] < 0.05) & (mean[..., -2] - mean[..., -1] > FALL)
    arrays = (mean[..., -2], mean[..., -1], error[..., -2], error[..., -1], falls)
    cells = product(*list(paper().axes.values())[:-1])
    return [Step(*cell, *row) for cell, *row in zip(cells, *(array.ravel().tolist() for array in arrays), strict=True)]


def falling(runs: int = 50) -> list[Step]:
    """Those that fall."""
    return [step for step in steps(runs) if step.falls]


def cases_of_falls() -> Iterator[Case]:
    """All interventions in all falling cells, those in which they can do something."""
    for fall in falling():
        cell = fall[:5]
        yield Case(*cell, SMALL, LARGE)
        names = ["", "off bounds", "redraw"]
        names += ["independent"] * (fall.strategy != "dismiss") + ["jitter"] * (fall.strategy == "saturation")
        if fall.mutation in ("rand/1", "rand/2"):
            names += ["chance"] + ["even"] * (fall.N == 5)
        for name in names:
            yield Case(*cell, LARGE, LARGE, name)
        if fall.strategy != "dismiss":
            yield Case(*cell, SMALL, LARGE, "whole")


def both(cell: tuple[Any, ...], *names: str) -> Iterator[Case]:
    """A, B and B with these interventions."""
    yield Case(*cell, SMALL, LARGE)
    for name in ("", *names):
        yield Case(*cell, LARGE, LARGE, name)


def cases() -> Iterator[tuple[str, Case, int]]:
    """Experiment, case and number of runs of all that the engine with interventions does."""
    for cell, evolve in product(SWEPT, (SMALL, LARGE)):
        for budget in BUDGETS:
            yield "budget", Case(*cell, evolve, LARGE, budget=budget), 60
    for cell in (*LOW, *MIDDLE, *HIGH, *NONE):
        for case in both(cell, "independent", *(["off bounds"] if cell in HIGH else [])):
            yield "second", case, RUNS[case.N]
    for cell in (*THIRD_BIN, *THIRD_EXP):
        for case in both(cell, "independent"):
            yield "third", case, RUNS_OF_THIRD_ROUND
    for cell in THIRD_BIN:
        for evolve, name in ((AS_EXP[0], ""), (AS_EXP[1], ""), (AS_EXP[1], "independent")):
            yield "third", Case(*cell, evolve, LARGE, name), RUNS_OF_THIRD_ROUND
    for step in steps():  # where exp hides a fall: more components are counted at the larger Cr; not predicted
        if step.crossover == "exp" and step.mutation == "rand/1" and step.N == 5:
            for case in both(step[:5]):
                yield "exp", case, RUNS[5]
    for case in sorted(cases_of_falls(), key=lambda case: case.N):
        yield "fall", case, RUNS[case.N]


def measured_cases() -> Iterator[tuple[str, Case]]:
    """Experiment and case of what `debox.measure` does: two cells over Cr, with other strategies and dimensions."""
    for cell in SWEPT:
        for Cr in CRS:
            for other in STRATEGIES:
                yield "Cr", Case(*cell[:2], other, *cell[3:], Cr, Cr)
            for n in DIMENSIONS:
                yield "n", Case(*cell, Cr, Cr, n=n)
