"""Other readings of the paper's text: their runs, in data/readings.parquet, and what they change.

A reading is the paper's study with one thing changed, on the configurations that this changes. Readings of the
arithmetic, and immediate replacement, need a build of the core of their own; with the seeds of the paper's study a
configuration that such a reading leaves alone has the paper's runs to the last infeasible trial.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks import variants
from benchmarks.measure import progress
from numpy.typing import NDArray

import debox
from debox import _core
from debox.analysis.estimate import discoveries, jackknife
from debox.analysis.runs import Runs, format_key
from debox.paper.readings import READINGS, Replacement, replace_runs
from debox.paper.statements import CLAIMS, Claim
from debox.paper.tests import formula, not_in_a_study
from debox.paper.text import interval
from debox.paper.verdict import judge_all
from debox.store import readings
from reproduction.numbers import DATA, OUT

FILE, STORES = DATA / "readings.parquet", OUT / "readings"
RESAMPLES = 100
KEPT = (*readings.CELL, "run", "pois")
Table = dict[str, NDArray[Any]]


class Part(NamedTuple):
    """Runs of a reading that are one full factorial study."""

    reading: str
    changes: dict[str, Any]  # of the keys of the paper's study
    runs: int = 50
    core: str = "as written"


CORES: dict[str, tuple[str, ...]] = {
    "as written": (),
    "tolerance": variants.TOLERANCE,
    "fused": variants.FUSED,
    "immediate": variants.IMMEDIATE,
}
LITERALLY = "toroidal-literally"

# rand/2 needs six individuals if the target is no donor. Mutations that do not use the best have the same law under
# not-parents as under not-target: runs of those are taken from there.
PARTS = {
    "no-reevaluation": Part("no-reevaluation", {"strategy": "dismiss", "reevaluate": False}),
    "frozen": Part("frozen", {"strategy": ["dismiss", "mirror"], "frozen": True}),
    "toroidal-literally": Part("toroidal-literally", {"strategy": LITERALLY}),
    "immediate": Part("immediate", {}, 20, "immediate"),
    "not-parents": Part("not-parents", {"donors": "not-parents", "mutation": ["best/1", "current-to-best/1"]}, 20),
    "not-target-N5": Part(
        "not-target", {"donors": "not-target", "N": 5, "mutation": ["best/1", "current-to-best/1", "rand/1"]}, 20
    ),
    "not-target": Part("not-target", {"donors": "not-target", "N": [20, 100]}, 20),
    "tolerance": Part("tolerance", {"strategy": "saturation"}, 50, "tolerance"),
    "fused": Part("fused", {"strategy": "saturation"}, 50, "fused"),
}


def core(name: str) -> Path:
    """A core with this arithmetic, or with immediate replacement."""
    if name not in CORES:
        raise ValueError(f"core must be one of {', '.join(CORES)}, got {name!r}")
    return variants.build_core(*CORES[name]) if CORES[name] else Path(_core.__file__)


def define_toroidal_literally() -> None:
    """The paper's equation of the toroidal strategy as it is printed."""

    @debox.strategy(LITERALLY)
    def literally(u, x, c, a, b, rng):
        """a + (1 − |z − ⌊z⌋|)(b − a) below a, a + (z − ⌊z⌋)(b − a) above b, z = (u − a)/(b − a)"""
        z = (u - a) / (b - a)
        if not -1e15 < z < 1e15:  # there z − ⌊z⌋ is 0
            return a
        share = z - np.floor(z)
        return min(max(a + (1 - share if u < a else share) * (b - a), a), b)


def run_part(name: str) -> None:
    """Do the runs of a part, or what is left of them, in this process, whose core must be the part's."""
    part, paper = PARTS[name], debox.Study.load("paper").as_dict()
    if part.reading == LITERALLY:
        define_toroidal_literally()
    study = debox.Study.of({**paper, "name": f"readings-{part.reading}", "runs": part.runs, **part.changes})
    debox.run(study, STORES / name, workers=int(os.environ.get("WORKERS", "1")))


def run(*names: str) -> None:
    """Do the runs of these parts, or of all, each in a process of its own, and pack them; they take half an hour."""
    for name in names or PARTS:
        variants.python(core(PARTS[name].core), f"from reproduction.readings import run_part; run_part({name!r})")
    pack()


def pack() -> None:
    """Put the runs of all parts that were done into data/readings.parquet, in the place of those of their readings."""
    tables: dict[str, list[Table]] = {}
    for name, part in PARTS.items():
        if (STORES / name).is_dir():
            table = debox.open_store(STORES / name).table(list(KEPT))
            table["strategy"] = np.where(table["strategy"] == LITERALLY, "toroidal", table["strategy"]).astype(object)
            tables.setdefault(part.reading, []).append(table)
    if "not-parents" in tables and "not-target" in tables:
        tables["not-parents"] += [without_best(table) for table in tables["not-target"]]
    known = readings.read(FILE) if FILE.exists() else {}
    readings.write(FILE, {**known, **{reading: joined(parts) for reading, parts in tables.items()}})


def without_best(table: Table) -> Table:
    """The runs of mutations that do not use the best: for them not-parents is not-target."""
    keep = np.isin(table["mutation"], ["rand/1", "rand/2"])
    chosen = {name: column[keep] for name, column in table.items()}
    return chosen | {"donors": np.full(keep.sum(), "not-parents", object)}


def joined(parts: list[Table]) -> Table:
    """Tables one after another, sorted by configuration, then run."""
    whole = {name: np.concatenate([part[name] for part in parts]) for name in KEPT}
    order = sorted(range(len(whole["run"])), key=list(zip(*(whole[name] for name in KEPT), strict=True)).__getitem__)
    return {name: column[order] for name, column in whole.items()}


# ---- What they change ------------------------------------------------------------------------------------------------


def numbers() -> dict[str, Any]:
    """What docs/readings.md says; most of the time goes into what chance alone changes."""
    with ProcessPoolExecutor() as pool:
        found = dict(zip(names := list(readings.read(FILE)), pool.map(of_reading, names), strict=True))
    about = {"claims": len(CLAIMS), "resamples": RESAMPLES, "shown": shown(found)}
    return {**about, "of": found, "arithmetic": other_strategies()}


def shown(found: dict[str, dict[str, Any]]) -> list[str]:
    """The readings that change more verdicts than chance does, corrected for their number."""
    beyond = discoveries(np.array([one["p"] for one in found.values()]))
    return [name for name, one in zip(found, beyond.tolist(), strict=True) if one]


def of_reading(name: str) -> dict[str, Any]:
    """The verdicts that one reading changes, the configurations that it moves, what chance would change."""
    given = replace_runs(Runs.of("paper").complete(), name, readings.read(FILE)[name])
    return {"words": READINGS[name], **changes(given), **moves(given), **chance(name, given)}


def changes(given: Replacement) -> dict[str, Any]:
    """The verdicts that a reading changes, with the shares of cells that agree."""
    pairs = list(zip(judge_all(given.before), judge_all(given.after), strict=True))
    judged = [(old, new) for old, new in pairs if old.finding and new.finding]
    differ = [(old, new) for old, new in pairs if old.verdict is not new.verdict]
    rows = [
        {
            "id": new.id,
            "sentence": new.claim.sentence,
            "reading": new.claim.reading,
            "before": [str(old.verdict), interval(old)],
            "after": [str(new.verdict), interval(new)],
        }
        for old, new in differ
    ]
    counts = {"cells": int(given.replaced.sum()), "absent": int(given.absent.sum()), "judged": len(judged)}
    return {**counts, "runs": given.after.index.shape[-1], "changes": rows}


def moves(given: Replacement) -> dict[str, Any]:
    """In how many configurations the mean is shown to differ, corrected for all; where most."""
    there = np.where(given.replaced)
    apart = given.after.share[there] - given.before.share[there]
    mean = jackknife(lambda differences: differences.mean(-1), apart)
    shown = discoveries(2 * np.minimum(np.minimum(mean.p_above(), mean.p_below()), 0.5))
    at = int(np.where(shown, np.abs(mean.value), 0).argmax())
    key = given.after.key(int(np.ravel_multi_index([axis[at] for axis in there], given.replaced.shape)))
    return {
        "with_other_runs": int((apart != 0).any(-1).sum()),
        "moved": int(shown.sum()),
        "largest": float(mean.value[at]),
        "where": format_key(key),
    }


def chance(name: str, given: Replacement) -> dict[str, Any]:
    """How many verdicts change if nothing but chance does, and how often at least as many as under the reading.

    Each run of the reading changes places with the study's run of the same number, or does not, by a coin: under the
    hypothesis that the reading makes no difference all outcomes of the coins are alike.
    """
    wanted = [claim for claim in CLAIMS if not claim.compares and claim.test not in (formula, not_in_a_study)]
    observed = count_changes(given.before, given.after, wanted)
    if not observed:  # as many change by chance always
        return {"random": 0, "by_chance": [], "p": 1.0}
    rng, counts = np.random.default_rng(0), []
    for k in range(RESAMPLES):
        progress(f"{name}: {k + 1} of {RESAMPLES}")
        swap = rng.random(given.after.index.shape) < 0.5
        first = np.where(swap, given.after.index, given.before.index)
        second = np.where(swap, given.before.index, given.after.index)
        counts.append(count_changes(*(replace(given.after, index=one) for one in (first, second)), wanted))
    p = (1 + sum(count >= observed for count in counts)) / (1 + RESAMPLES)
    return {"random": observed, "by_chance": sorted(counts), "p": p}


def count_changes(before: Runs, after: Runs, wanted: Sequence[Claim]) -> int:
    """How many verdicts differ between two sets of runs."""
    pairs = zip(judge_all(before, wanted), judge_all(after, wanted), strict=True)
    return sum(old.verdict is not new.verdict for old, new in pairs)


# ---- Arithmetic and other strategies than saturation -----------------------------------------------------------------

SAMPLE = [
    f"DE/{mutation}/{crossover} {strategy}, N={N}, F=0.916, Cr=0.99"  # near one whose POIS fusing changes most
    for mutation in ("best/1", "current-to-best/1", "rand/1", "rand/2")
    for crossover in ("bin", "exp")
    for strategy in ("COTN", "dismiss", "mirror", "toroidal")
    for N in (5, 20)
]
COUNT = """
import json, sys, debox
for config in json.loads(sys.argv[1]):
    print(json.dumps([round(share * 300_000) for share in debox.measure(config, runs=5, rng=0).pois]))
"""


def other_strategies() -> dict[str, Any]:
    """How many runs of a sample come out otherwise with another arithmetic: only saturation was run on the grid."""
    counts = {}
    for name in ("as written", "tolerance", "fused"):
        process = variants.python(core(name), COUNT, json.dumps(SAMPLE), stdout=subprocess.PIPE)
        counts[name] = [count for line in process.stdout.splitlines() for count in json.loads(line)]
    own = counts.pop("as written")
    differ = {name: sum(a != b for a, b in zip(own, one, strict=True)) for name, one in counts.items()}
    return {"configurations": len(SAMPLE), "runs": len(own), **differ}
