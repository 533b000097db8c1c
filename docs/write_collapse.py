"""Write docs/collapse.md and its pictures from data/collapse.parquet and data/paper.parquet: python docs/write_collapse.py"""

from collections import Counter
from pathlib import Path

import numpy as np
from benchmarks.collapse import judge, linear, sweeps, table
from benchmarks.collapse.experiments import LARGE, RUNS, SMALL
from benchmarks.collapse.interventions import TINY
from benchmarks.collapse.predictions import PREDICTIONS, SWEPT
from benchmarks.collapse.rounding import TOLERANCE
from write_factors import table as markdown

from debox.config import Config
from debox.f0.theory import expected_acceptances

DOCS = Path(__file__).parent
PAGE = DOCS / "collapse.md"
ALT = {
    "where": "Change of mean POIS from Cr = 0.755 to 0.99 for every strategy, N, mutation, crossover and F",
    "sweep": "Mean POIS against Cr from 0.755 to 1 for five strategies",
    "traces": "Infeasible trials, standard deviation, lost dimensions, coordinates on bounds and distinct individuals",
    "interventions": "The share of the fall that each intervention undoes, in three groups of cells",
    "dimensions": "Mean POIS against Cr in 10, 30 and 100 dimensions, and against the components that a target keeps",
    "sizes": "The fall against N and against the budget",
}
GROUPS = {
    "all falling cells": {},
    "mirror, toroidal, COTN": {"saturation": False, "dismiss": False},
    "saturation, F < 1": {"saturation": True, "F": "<1"},
    "saturation, F > 1": {"saturation": True, "F": ">1"},
}


def picture(name: str) -> str:
    """A picture in Markdown."""
    return f"![{ALT[name]}](figures/collapse-{name}.png)"


def count(factor: str) -> str:
    """Falling cells by the values of a factor: ``N=5 86, N=20 38``"""
    found = Counter(getattr(fall, factor) for fall in table.falling())
    return ", ".join(f"{value} {number}" for value, number in sorted(found.items(), key=lambda pair: -pair[1]))


def verdicts() -> str:
    """Every prediction, what refutes it, what came out."""
    rows, before = [], ""
    for one in PREDICTIONS:
        found = judge.JUDGES[one.id]()
        mechanism = f"**{one.mechanism}**" if one.mechanism != before else ""
        verdict = "**refuted**" if found.refuted else "stands"
        rows.append([mechanism, f"{one.statement}.", f"{one.refuted_if}.", f"{found.evidence}.", verdict])
        before = one.mechanism
    return markdown(["mechanism", "prediction", "refuted if", "what came out", "verdict"], rows)


def shares() -> str:
    """Restored shares by group of cells."""
    names, rows = ("off bounds", "jitter", "redraw", "independent"), []
    for label, choice in GROUPS.items():
        cells = judge.chosen(**{"dismiss": False, **choice})
        has_clones = all(fall.strategy == "saturation" for fall in cells)
        found = [str(table.restored(name, cells)) if name != "jitter" or has_clones else "" for name in names]
        fall = np.mean([table.A(one)["share"] - table.case(one)["share"] for one in cells])
        label = label if choice else "all but dismiss"
        rows.append([label, str(len(cells)), f"{fall:.2f}", *found, str(judge.appears(cells))])
    return markdown(["cells", "number", "mean fall A − B", *names, "`whole`: fall that appears"], rows)


def states() -> str:
    """The last population of runs at the two Cr, by group of cells."""
    rows = []
    groups = {**GROUPS, "dismiss": None}
    for label, choice in groups.items():
        cells = (
            judge.chosen(**choice) if choice is not None else [f for f in table.falling() if f.strategy == "dismiss"]
        )
        for Cr in (SMALL, LARGE):
            ends = [table.case(fall, evolve=Cr) for fall in cells]
            sd = np.median([end["median_sd"] for end in ends])
            means = [np.mean([end[name] for end in ends]) for name in ("zero_variance", "on_bound")]
            clones = np.mean([end["distinct"] / end["N"] for end in ends])
            dead = sum(end["dead"] for end in ends) / sum(end["runs"] for end in ends)
            head = [label, str(len(cells))] if Cr == SMALL else ["", ""]
            rows.append(
                [*head, f"{Cr:g}", f"{sd:.2g}", *(f"{mean:.2f}" for mean in means), f"{clones:.2f}", f"{dead:.2f}"]
            )
    head = ["cells", "number", "Cr", "sd", "lost dimensions", "on bounds", "distinct ÷ N", "dead runs"]
    return markdown(head, rows)


def thresholds() -> str:
    """F_c by mutation and N."""
    mutations = ("best/1", "current-to-best/1", "rand/1", "rand/2")
    rows = [[mutation, *(f"{sweeps.threshold(mutation, N):.2f}" for N in (5, 20, 100))] for mutation in mutations]
    return markdown(["mutation", "N = 5", "N = 20", "N = 100"], rows)


def kept() -> str:
    """Where the half fall lies, in components that a target keeps."""
    rows = [
        [strategy, *(f"{1 - x:.4f} ({(n - 1) * x:.2f})" for n, x in found.items())]
        for strategy, found in sweeps.half_falls().items()
    ]
    return markdown(["cell", "n = 10", "n = 30", "n = 100"], rows)


def check() -> tuple[float, float, int]:
    """The engine without an intervention against the paper's runs: mean difference, largest |z|, cells."""
    pairs = [(table.case(f), {"share": f.after, "error": f.after_error}) for f in table.falling()]
    z = [table.z(*pair) for pair in pairs]
    return float(np.mean([a["share"] - b["share"] for a, b in pairs])), max(map(abs, z)), len(z)


def rounding() -> str:
    """What the last bit does."""
    words = []
    for row in table.of("rounding"):
        name = f"DE/{row['mutation']}/{row['crossover']} sat, N={row['N']}, F={row['F']:g}, Cr={row['evolve']:g}"
        words.append(
            f"{name}: {row['last']:.4f} as written, {row['share']:.4f} with the tolerance ({row['runs']} runs)"
        )
    return "; ".join(words)
