"""The tables and numbers of docs/collapse.md; page.py puts them into sentences."""

from collections import Counter

import numpy as np

from benchmarks.collapse import judge, sweeps, table
from benchmarks.collapse.draw import ALT
from benchmarks.collapse.experiments import LARGE, RUNS, SMALL
from benchmarks.collapse.judge import ABOVE_1, ANY, BELOW_1
from benchmarks.collapse.predictions import PREDICTIONS, SWEPT
from debox.analysis.collapse import Fall
from debox.f0.theory import expected_exchanges

GROUPS = {
    "mirror, toroidal, COTN; exp": (False, ANY, "exp"),
    "mirror, toroidal, COTN; bin": (False, ANY, "bin"),
    "saturation; exp; F < 1": (True, BELOW_1, "exp"),
    "saturation; bin; F < 1": (True, BELOW_1, "bin"),
    "saturation; exp; F > 1": (True, ABOVE_1, "exp"),
    "saturation; bin; F > 1": (True, ABOVE_1, "bin"),
}
MUTATIONS = ("best/1", "current-to-best/1", "rand/1", "rand/2")


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def group(label: str) -> list[Fall]:
    """The falling cells of a group."""
    saturation, F, crossover = GROUPS[label]
    return [fall for fall in judge.chosen(saturation, F, dismiss=False) if crossover in ("", fall.crossover)]


def picture(name: str) -> str:
    """A picture in Markdown."""
    return f"![{ALT[name]}](figures/collapse-{name}.png)"


def count(factor: str) -> str:
    """Falling cells by the values of a factor: ``5: 86, 20: 38``"""
    found = Counter(getattr(fall, factor) for fall in table.falling())
    return ", ".join(f"{value} {number}" for value, number in found.most_common())


def verdicts(mechanism: str) -> str:
    """The predictions of a mechanism, what refutes them, what came out."""
    rows = []
    for one in PREDICTIONS:
        if one.mechanism == mechanism:
            found = judge.JUDGES[one.id]()
            verdict = "**refuted**" if found.refuted else "stands"
            cells = [f"{one.statement}.", f"{one.refuted_if}.", f"{found.evidence}."]
            rows.append([*(cell.replace("|", "\\|") for cell in cells), verdict])
    return markdown(["prediction", "refuted if", "what came out", "verdict"], rows)


def shares() -> str:
    """Restored shares by group of cells."""
    names, rows = ("independent", "off bounds", "jitter", "redraw"), []
    for label, (saturation, *_) in GROUPS.items():
        cells = group(label)
        found = [str(table.restored(name, cells)) if saturation or name != "jitter" else "" for name in names]
        fall = np.mean([table.A(one)["share"] - table.case(one)["share"] for one in cells])
        rows.append([label, str(len(cells)), f"{fall:.2f}", *found, str(judge.appears(cells))])
    return markdown(["cells", "number", "fall A − B", *names, "fall that `whole` brings about"], rows)


def states() -> str:
    """The last population of runs at the two Cr, by group of cells."""
    rows = []
    groups = {label: group(label) for label in GROUPS}
    groups["dismiss"] = [fall for fall in table.falling() if fall.strategy == "dismiss"]
    for label, cells in groups.items():
        for Cr in (SMALL, LARGE):
            ends = [table.case(fall, evolve=Cr) for fall in cells]
            sd = np.median([end["median_sd"] for end in ends])
            means = [np.mean([end[name] for end in ends]) for name in ("zero_variance", "on_bound")]
            means.append(np.mean([end["distinct"] / end["N"] for end in ends]))
            means.append(sum(end["dead"] for end in ends) / sum(end["runs"] for end in ends))
            rows.append([label if Cr == SMALL else "", f"{Cr:g}", f"{sd:.2g}", *(f"{mean:.2f}" for mean in means)])
    head = ["cells", "evolve", "standard deviation", "lost dimensions", "on bounds", "distinct ÷ N", "dead runs"]
    return markdown(head, rows)


def thresholds() -> str:
    """F_c by mutation and N."""
    rows = [[mutation, *(f"{sweeps.threshold(mutation, N):.2f}" for N in RUNS)] for mutation in MUTATIONS]
    return markdown(["mutation", *(f"N = {N}" for N in RUNS)], rows)


def together() -> str:
    """How alike the dimensions of a run are, by Cr."""
    rows = []
    for cell in SWEPT:
        found = sorted((row["evolve"], row["share"]) for row in table.of("together", strategy=cell[2]))
        rows.append([f"DE/{cell[0]}/{cell[1]} {cell[2]}, F = {cell[4]:g}", *(f"{value:.2f}" for _, value in found)])
    return markdown(["cell, N = 5", *(f"Cr = {Cr:g}" for Cr, _ in found)], rows)


def rate(fall: Fall) -> float:
    """What contraction without a box predicts for ln(standard deviation at 0.755 ÷ that at 0.99)."""
    (row,) = table.of("linear", mutation=fall.mutation, N=fall.N, F=fall.F)
    exchanged = [expected_exchanges(fall.crossover, 30, Cr) / 30 for Cr in (SMALL, LARGE)]
    replaced = table.case(fall)["replaced"] / fall.N
    return float(-row["share"] * replaced * (exchanged[1] - exchanged[0]))


def contraction() -> tuple[float, int]:
    """Rank correlation of predicted and measured contraction in falling cells with F < 1 but saturation's; cells."""
    from scipy.stats import spearmanr

    cells = [fall for fall in judge.chosen(False, BELOW_1) if np.isfinite(rate(fall))]
    seen = [np.log(table.A(fall)["median_sd"] / table.case(fall)["median_sd"]) for fall in cells]
    return float(spearmanr([rate(fall) for fall in cells], seen).statistic), len(cells)


def hidden() -> tuple[int, int, int]:
    """Of DE/rand/1/exp, N=5: cells in which A − B exceeds 0.05 by 2 standard errors, those that fall visibly, all."""
    found = {(row["strategy"], row["F"], row["evolve"]): row for row in table.of("exp")}
    pairs = [(found[strategy, F, SMALL], found[strategy, F, LARGE]) for strategy, F, Cr in found if Cr == LARGE]
    falls = [a["share"] - b["share"] - 0.05 > 2 * np.hypot(a["error"], b["error"]) for a, b in pairs]
    visible = [fall for fall in table.falling() if (fall.crossover, fall.mutation, fall.N) == ("exp", "rand/1", 5)]
    return int(sum(falls)), len(visible), len(pairs)


def lost_dimensions() -> dict[str, float]:
    """The mean share of lost dimensions in saturation's falling cells, for cases that each dimension cannot tell."""
    cases = {"B": ("", LARGE), "independent": ("independent", LARGE), "A": ("", SMALL), "whole": ("whole", SMALL)}
    cells = judge.chosen(True)
    found = {name: [table.case(fall, *of)["zero_variance"] for fall in cells] for name, of in cases.items()}
    return {name: float(np.mean(values)) for name, values in found.items()}


def engine_check() -> tuple[float, float, int]:
    """The engine without an intervention against the paper's runs: mean difference, its error, cells."""
    pairs = [(table.case(fall), fall) for fall in table.falling()]
    difference = np.mean([row["share"] - fall.after for row, fall in pairs])
    error = np.sqrt(sum(row["error"] ** 2 + fall.after_error**2 for row, fall in pairs)) / len(pairs)
    return float(difference), float(error), len(pairs)


def rounding() -> str:
    """What the last bit does."""
    cells: dict[str, dict[str, float]] = {}
    for row in table.of("rounding"):
        name = f"DE/{row['mutation']}/{row['crossover']} saturation, N={row['N']}, F={row['F']:g}, Cr={row['evolve']:g}"
        cells.setdefault(name, {})[row["intervention"]] = row["share"]
    head = ["last population, mean of 10 runs", *next(iter(cells.values()))]
    return markdown(head, [[name, *(f"{share:.4f}" for share in shares.values())] for name, shares in cells.items()])
