"""The studies behind the readings: the paper's with one setting changed, on the configurations that this changes.

Those of an arithmetic run on a core of their own (arithmetic.py), with the seeds of the paper's study: where a reading
changes nothing, its runs are those of the paper to the last infeasible trial.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

import debox
from benchmarks import variants
from benchmarks.readings import arithmetic
from debox.analysis.claims.readings import READINGS

ROOT = Path(__file__).parents[2]
STORES = ROOT / "out" / "readings"


class Part(NamedTuple):
    """Runs of a reading that are one full factorial study."""

    reading: str
    changes: dict[str, Any]  # of the keys of the paper's study
    arithmetic: str = "as written"


# rand/2 needs six individuals if the target is no donor. Mutations that do not use the best have the same law under
# not-parents as under not-target, so runs of those are taken from there (`pack`).
PARTS = {
    "no-reevaluation": Part("no-reevaluation", {"strategy": "dismiss", "reevaluate": False}),
    "frozen": Part("frozen", {"strategy": ["dismiss", "mirror"], "frozen": True}),
    "tolerance": Part("tolerance", {"strategy": "saturation"}, "tolerance"),
    "fused": Part("fused", {"strategy": "saturation"}, "fused"),
    "not-parents": Part("not-parents", {"donors": "not-parents", "mutation": ["best/1", "current-to-best/1"]}),
    "not-target-N5": Part(
        "not-target", {"donors": "not-target", "N": 5, "mutation": ["best/1", "current-to-best/1", "rand/1"]}
    ),
    "not-target": Part("not-target", {"donors": "not-target", "N": [20, 100]}),
}
assert {part.reading for part in PARTS.values()} <= READINGS.keys()


def study_of(name: str, runs: int) -> debox.Study:
    """The study of a part with so many runs of every configuration."""
    paper = debox.Study.load("paper").as_dict()
    return debox.Study.of({**paper, "name": f"readings-{PARTS[name].reading}", "runs": runs, **PARTS[name].changes})


def run_part(name: str, runs: int) -> None:
    """Run, or go on with, a part in this process, whose core has the arithmetic of its reading."""
    debox.run(study_of(name, runs), STORES / name, workers=int(os.environ.get("WORKERS", "2")))


def run_all(runs: int, names: list[str]) -> None:
    """Run the parts one after another, each in a process of its own."""
    for name in names or PARTS:
        code = f"from benchmarks.readings.studies import run_part as run; run({name!r}, {runs})"
        variants.python(arithmetic.core(PARTS[name].arithmetic), code)
