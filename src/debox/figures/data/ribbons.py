"""Quantile ribbons: POIS against F for each Cr, or against Cr for each F, with the curve of generation 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from debox import check, operators
from debox.analysis import names
from debox.analysis.first_generation import curve_points, first_generation, why_no_curve
from debox.analysis.old_runs import Panel, Runs, with_adaptation
from debox.analysis.summary import missing_runs, quantiles
from debox.config import split_variant
from debox.figures.entry import PAGE, Entry, file_name

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
AGAINST = ("F", "Cr")
SIZES = {"F": PAGE, "Cr": (PAGE[1], PAGE[0])}  # against Cr there is a column per F, and those are many


@dataclass(frozen=True)
class Ribbon:
    """The quantiles of POIS of one N along F (or Cr), NaN where no run is; and POIS if generation 1 lasted forever."""

    N: int
    x: tuple[float, ...]
    runs: tuple[int, ...]
    quantiles: tuple[tuple[float, ...], ...]  # quantiles[q][k]: the q-th of QUANTILES at x[k]
    theory_x: tuple[float, ...]
    theory: tuple[float, ...]


@dataclass(frozen=True)
class Plot:
    """The ribbons of all N at one value of Cr (or F)."""

    strategy: str
    fixed: float
    ribbons: tuple[Ribbon, ...]


@dataclass(frozen=True)
class Ribbons:
    """A row of plots per strategy, a column per value of what is fixed."""

    variant: str  # DE/rand/1/exp
    against: str  # F or Cr
    fixed: str  # Cr or F
    planned: int
    rows: tuple[tuple[Plot, ...], ...]
    omission: str = ""  # why there is no curve of generation 1
    adaptation: str = ""  # where runs have several

    @property
    def note(self) -> str:
        """What is missing, ``30 of 50 runs``; empty if nothing is."""
        ribbons = (ribbon for row in self.rows for plot in row for ribbon in plot.ribbons)
        runs = missing_runs((count for ribbon in ribbons for count in ribbon.runs), self.planned)
        return ", ".join(filter(None, (runs, self.omission)))


def entries(runs: Runs) -> Iterator[Entry]:
    """Two pages per variant: against F for each Cr, against Cr for each F."""
    axes = runs.axes
    for mutation, crossover, adaptation in product(axes["mutation"], axes["crossover"], runs.panel_adaptations):
        variant = f"DE/{names.short('mutation', mutation)}/{crossover}"
        omission = why_no_curve(runs, mutation, crossover, adaptation)
        curve = f" ({omission})" if omission else ", and the exact curve if generation 1 lasted for ever"
        key = (mutation, crossover, adaptation)
        panels = tuple(one for one in runs.panels() if (one.mutation, one.crossover, one.adaptation) == key)
        for against in AGAINST:
            text = (
                f"POIS of {with_adaptation(variant, adaptation)} against {against}: median and "
                f"quantiles over the runs for each N, a column per {other_than(against)}, a row per strategy{curve}."
            )
            name = f"ribbons/{file_name(variant, adaptation, 'against', against)}"
            record = partial(ribbons, variant=variant, against=against, adaptation=adaptation)
            yield Entry(name, text, SIZES[against], record, panels, omission=omission)


def other_than(against: str) -> str:
    """Cr for F, F for Cr."""
    return AGAINST[1 - AGAINST.index(against)]


def ribbons(
    runs: Runs, variant: str, against: str = "F", strategies: tuple[str, ...] = (), adaptation: str = ""
) -> Ribbons:
    """The ribbons of one variant and adaptation, if there are several, for some strategies or all."""
    check.choice("against", against, AGAINST)
    fixed = other_than(against)
    mutation, crossover = parts_of(runs, variant)

    def plot(strategy: str, value: float) -> Plot:
        panels = [Panel(mutation, crossover, strategy, N, adaptation) for N in runs.axes["N"]]
        return Plot(strategy, value, tuple(ribbon(runs, panel, against, value) for panel in panels))

    rows = tuple(
        tuple(plot(strategy, value) for value in runs.axes[fixed]) for strategy in strategies or runs.axes["strategy"]
    )
    omission = why_no_curve(runs, mutation, crossover, adaptation)
    return Ribbons(variant, against, fixed, runs.planned, rows, omission, adaptation)


def parts_of(runs: Runs, variant: str) -> tuple[str, str]:
    """The mutation and crossover of DE/rand/1/exp; they are known, or there are runs of them."""
    for mutation, crossover in product(runs.axes["mutation"], runs.axes["crossover"]):
        if variant == f"DE/{names.short('mutation', mutation)}/{crossover}":
            return mutation, crossover
    written = split_variant(variant)
    return operators.find("mutation", written["mutation"]).name, operators.find("crossover", written["crossover"]).name


def ribbon(runs: Runs, panel: Panel, against: str, fixed: float) -> Ribbon:
    """One ribbon; what is not `against` is fixed."""

    def cell(x: float) -> tuple[float, float]:
        return (x, fixed) if against == "F" else (fixed, x)

    x = runs.axes[against]
    samples = [runs.values(panel, *cell(value)) for value in x]
    columns = [quantiles(pois, QUANTILES) for pois in samples]
    theory_x = () if why_no_curve(runs, *panel[:2], panel.adaptation) else curve_points(against, x)
    theory = tuple(first_generation(runs, *panel[:2], panel.N, *cell(value)) for value in theory_x)
    return Ribbon(panel.N, x, tuple(map(len, samples)), tuple(zip(*columns, strict=True)), theory_x, theory)
