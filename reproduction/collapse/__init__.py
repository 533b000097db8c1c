"""Why does POIS fall at the largest Cr? How often it does, interventions in how a population evolves, sweeps."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from debox.analysis.estimate import Floats, jackknife
from debox.config import Config
from debox.f0.theory import expected_acceptances, expected_exchanges
from reproduction.collapse.design import (
    FALL,
    LARGE,
    LOW,
    MUTATIONS,
    RUNS,
    SMALL,
    SWEPT,
    THIRD_EXP,
    Step,
    falling,
    paper,
    steps,
)
from reproduction.collapse.draw import draw
from reproduction.collapse.experiments import run
from reproduction.collapse.judge import outcomes
from reproduction.collapse.rows import ABOVE_1, ANY, BELOW_1, A, appears, case, chosen, of, restored, threshold

__all__ = ["draw", "numbers", "run"]

GROUPS: dict[str, dict[str, Any]] = {
    "mirror, toroidal, COTN; exp": {"saturation": False, "F": ANY, "crossover": "exp"},
    "mirror, toroidal, COTN; bin": {"saturation": False, "F": ANY, "crossover": "bin"},
    "saturation; exp; F < 1": {"saturation": True, "F": BELOW_1, "crossover": "exp"},
    "saturation; bin; F < 1": {"saturation": True, "F": BELOW_1, "crossover": "bin"},
    "saturation; exp; F > 1": {"saturation": True, "F": ABOVE_1, "crossover": "exp"},
    "saturation; bin; F > 1": {"saturation": True, "F": ABOVE_1, "crossover": "bin"},
    "dismiss": {"strategy": "dismiss", "dismiss": True},
}


def numbers() -> dict[str, Any]:
    """All numbers of the page."""
    judged = outcomes()
    best_bin = {"F": (0, 0.5), "mutation": "best/1", "crossover": "bin"}
    low_bin = [cell for cell in LOW if cell[1] == "bin"]
    return {
        "how_often": how_often(),
        "example": example(),
        "outcomes": {name: {"evidence": words, "refuted": is_so} for name, (words, is_so) in judged.items()},
        "refuted": sum(is_so for _, is_so in judged.values()),
        "groups": [group(name, **wanted) for name, wanted in GROUPS.items()],
        "above_1": sum(fall.F > 1 for fall in falling()),
        "third_exp": restored("independent", THIRD_EXP)[:2],
        "low_bin": restored("independent", low_bin)[:2],
        "best_bin": restored("independent", chosen(**best_bin))[:2],
        "best_exp": still_falling(),
        "hidden": hidden(),
        "check": engine_check(),
        "F_c": [{"mutation": mutation, "N": {N: threshold(mutation, N) for N in RUNS}} for mutation in MUTATIONS],
        "together": [together(cell) for cell in SWEPT],
        "early": fallen_at(0.9),
        "replaced": {N: replacements(N) for N in RUNS},
        "exchanged": {x: [expected_exchanges(x, 30, Cr) / 30 for Cr in (SMALL, LARGE)] for x in ("bin", "exp")},
    }


def how_often() -> dict[str, Any]:
    """Rows of the study whose mean falls by more than FALL at the last step of Cr: an estimate, which more runs make
    sharper and not larger, and how many are detected, which grows with the runs."""
    share, axes = paper().share[..., -2:, :], list(paper().axes.items())[:-1]

    def falls(part: Floats) -> Floats:
        mean = part.mean(-1)
        return np.asarray(mean[..., 0] - mean[..., 1] > FALL)

    found = {"all": interval(jackknife(lambda part: falls(part).mean(), share)), "rows": share[..., 0, 0].size}
    for k, (name, levels) in enumerate(axes):
        others = tuple(axis for axis in range(len(axes)) if axis != k)
        by_level = jackknife(lambda part, others=others: falls(part).mean(others), share)
        found[name] = [{"level": level, "share": one} for level, one in zip(levels, interval(by_level), strict=True)]
    exp, from_07 = axes[1][1].index("exp"), np.asarray(axes[-1][1]) >= 0.7
    found["exp"] = interval(
        jackknife(lambda part: [falls(part)[:, exp][..., which].mean() for which in (~from_07, from_07)], share)
    )
    found["runs"] = [
        {"runs": runs, "estimate": int(falls(share[..., :runs]).sum()), "detected": len(falling(runs))}
        for runs in (10, 20, 30, 50)
    ]
    return found


def interval(one: Any) -> Any:
    """An estimate and the ends of its 95 % interval; a list of them for several."""
    return np.stack([one.value, *one.interval()], -1).tolist()


def example() -> list[dict[str, Any]]:
    """The paper's own example, DE/rand/1/exp saturation, N = 5: means and spreads at the two largest Cr, for each F."""
    part, rows = paper().take(mutation="rand/1", crossover="exp", strategy="saturation", N=5), []
    for F, share in zip(part.axes["F"], part.share[0, 0, 0, 0, :, -2:], strict=True):
        change = jackknife(lambda runs: runs[1].mean() - runs[0].mean(), share)
        mean, sd = share.mean(-1), share.std(-1, ddof=1)
        rows.append({"F": F, "mean": mean, "sd": sd, "change": [float(change.value), float(change.error)]})
    return rows


def group(name: str, **wanted: Any) -> dict[str, Any]:
    """Restored shares of a group of falling cells, and their populations at the end of runs at the two Cr."""
    cells, found = chosen(**wanted), {}
    if name != "dismiss":
        names = ["independent", "off bounds", "redraw"] + ["jitter"] * ("saturation" in name)
        found = {one: restored(one, cells)[:2] for one in names} | {"whole": appears(cells)[:2]}
    falls = np.mean([A(cell)["share"] - case(cell)["share"] for cell in cells])
    narrower = np.median([A(cell)["median_sd"] / max(case(cell)["median_sd"], 1e-300) for cell in cells])
    return {
        "name": name,
        "cells": len(cells),
        "fall": falls,
        "restored": found,
        "narrower": narrower,
        "ends": [{"Cr": Cr, **ends([case(cell, evolve=Cr) for cell in cells])} for Cr in (SMALL, LARGE)],
    }


def ends(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The last population of runs, over cells: the median standard deviation, means of all else."""
    return {
        "sd": float(np.median([row["median_sd"] for row in rows])),
        "lost": float(np.mean([row["zero_variance"] for row in rows])),
        "on_bound": float(np.mean([row["on_bound"] for row in rows])),
        "distinct": float(np.mean([row["distinct"] / row["N"] for row in rows])),
        "dead": sum(row["dead"] for row in rows) / sum(row["runs"] for row in rows),
    }


def still_falling() -> dict[str, Any]:
    """best/1 with exp at F = 0.7: the cell in which POIS falls most."""
    cells = [one for one in steps() if (one.mutation, one.crossover, one.F) == ("best/1", "exp", 0.7)]
    most = max(cells, key=lambda one: one.before - one.after)
    error = float(np.hypot(most.before_error, most.after_error))
    return {"strategy": most.strategy, "N": most.N, "fall": [most.before - most.after, error]}


def hidden() -> dict[str, int]:
    """DE/rand/1/exp, N = 5: cells in which A − B exceeds FALL by 2 standard errors, those that fall visibly, all."""
    found = {(row["strategy"], row["F"], row["evolve"]): row for row in of("exp")}
    pairs = [(found[strategy, F, SMALL], found[strategy, F, LARGE]) for strategy, F, Cr in found if Cr == LARGE]
    falls = [a["share"] - b["share"] - FALL > 2 * np.hypot(a["error"], b["error"]) for a, b in pairs]
    visible = [one for one in falling() if (one.crossover, one.mutation, one.N) == ("exp", "rand/1", 5)]
    return {"falls": int(sum(falls)), "visible": len(visible), "cells": len(pairs)}


def engine_check() -> list[float]:
    """The engine without an intervention against the paper's runs in falling cells: mean difference and its error."""
    pairs: Iterable[tuple[Any, Step]] = [(case(fall), fall) for fall in falling()]
    difference = np.mean([row["share"] - fall.after for row, fall in pairs])
    error = np.sqrt(sum(row["error"] ** 2 + fall.after_error**2 for row, fall in pairs)) / len(falling())
    return [float(difference), float(error)]


def together(cell: tuple[Any, ...]) -> dict[str, Any]:
    """How alike the dimensions of a run are, by Cr."""
    found = sorted((row["evolve"], row["share"]) for row in of("together", strategy=cell[2]))
    return {"strategy": cell[2], "F": cell[4], "alike": [{"Cr": Cr, "correlation": value} for Cr, value in found]}


def fallen_at(Cr: float) -> dict[str, Any]:
    """Which part of its fall each swept cell that falls has behind it at a Cr between, with the standard error."""
    swept: dict[tuple[str, float], dict[float, tuple[float, float]]] = {}
    for row in of("Cr"):
        swept.setdefault((row["strategy"], row["F"]), {})[row["evolve"]] = row["share"], row["error"]
    parts = []
    for (strategy, F), points in swept.items():
        (first, first_error), (middle, middle_error), (last, last_error) = (points[at] for at in (SMALL, Cr, LARGE))
        if (fall := first - last) > FALL:
            part = (first - middle) / fall
            error = np.hypot(np.hypot((1 - part) * first_error, middle_error), part * last_error) / fall
            parts.append({"strategy": strategy, "F": F, "fallen": part, "error": error})
    return {"swept": len(swept), "falling": sorted(parts, key=lambda one: one["fallen"])}


def replacements(N: int) -> float:
    """How often an individual is replaced in a run of the paper, on average."""
    return expected_acceptances(Config.of(f"DE/rand/1/bin sat, N={N}, F=1, Cr=1"), 300_000) / N
