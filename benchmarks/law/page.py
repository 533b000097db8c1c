"""The law of the explorer's JavaScript engine: its runs in a browser against those of the paper's study, stored.

A stored configuration has 50 runs. The engine's runs are compared with them by Kolmogorov-Smirnov tests of the
infeasible trials after a third, two thirds and all of the budget. One test of 50 runs sees only coarse mistakes, so
Fisher's method joins the p-values of all configurations, checkpoint by checkpoint.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import combine_pvalues, ks_2samp

import debox
from benchmarks.browser import FOLDERS, chromium, open_modules
from benchmarks.measure import progress
from debox.analysis.runs import Runs
from debox.config import marks
from debox.design.fields import AXES

ROOT = Path(__file__).parents[2]
PAPER, PAGE = ROOT / "data" / "paper.parquet", ROOT / "docs" / "page-law.md"
FALSE_ALARM = 0.01  # the chance that an engine of the right law is rejected: half for single tests, half for joint ones
CHECKPOINTS = ("pois_at_third", "pois_at_two_thirds", "pois")
ENGINE_FILES = ("rng.js", "operators.js", "enumeration.js", "engine.js")
RUNS = {5: 300, 20: 120, 100: 60}  # by N: what a browser does in seconds
SEED = 11

F, CR = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0), (0.05, 0.285, 0.52, 0.755, 0.99)
NAMES = ("rand/1", "rand/2", "best/1", "curr-to-best/1"), ("bin", "exp"), ("sat", "tor", "mirr", "COTN", "dism")
COMBINATIONS = tuple(  # every combination of operators once; N, F and Cr change from one to the next
    f"DE/{mutation}/{crossover} {strategy}, N={(5, 20, 100)[k % 3]}, F={F[3 * k % 10]}, Cr={CR[k // 2 % 5]}"
    for k, (mutation, crossover, strategy) in enumerate(product(*NAMES))
)
NEAR_ALL = (  # nearly all trials are infeasible: a binomial number is small, and not normal
    *(f"DE/best/1/bin {strategy}, N=20, F=2.0, Cr=0.52" for strategy in ("tor", "mirr", "COTN", "dism")),
    *(f"DE/best/1/bin {strategy}, N=20, F=1.35, Cr=0.755" for strategy in ("tor", "dism")),
    *(f"DE/best/1/bin {strategy}, N=100, F=2.0, Cr=0.52" for strategy in ("COTN", "tor")),
)
TARGET_MATTERS = (  # the target is among the donors of every second or third trial
    *(f"DE/curr-to-best/1/{c} {s}, N=5, F={f}, Cr={cr}" for c, s, f, cr in (
        ("bin", "tor", 1.35, 0.05), ("exp", "mirr", 2.0, 0.05), ("bin", "mirr", 0.7, 0.285),
        ("exp", "tor", 1.783, 0.05), ("bin", "COTN", 1.566, 0.05), ("exp", "COTN", 1.35, 0.05),
        ("bin", "sat", 1.133, 0.05), ("exp", "dism", 1.566, 0.285),
    )),
    "DE/rand/1/bin mirr, N=5, F=0.7, Cr=0.285",
    "DE/best/1/bin mirr, N=5, F=0.7, Cr=0.285",
)  # fmt: skip
SHORT_SEGMENTS = ("DE/rand/1/exp mirr, N=5, F=0.7, Cr=0.05", "DE/best/1/exp tor, N=20, F=0.7, Cr=0.285")
CASES = COMBINATIONS + NEAR_ALL + TARGET_MATTERS + SHORT_SEGMENTS
MISTAKES = {  # the names are those in page_wrong.js
    "a normal instead of a binomial number": NEAR_ALL,
    "segments one component too long": SHORT_SEGMENTS,
    "donors that avoid the target": TARGET_MATTERS,
}


INTRO = f"""The explorer runs Differential Evolution in the reader's browser, by an engine of its own in JavaScript.
Here its runs are compared with those of the paper's study: {len(CASES)} configurations, n = 30, 300 000 evaluations, 50
stored runs each and {", ".join(f"{runs} at N = {N}" for N, runs in RUNS.items())} of the page's. `make law` repeats it.

Each p-value is of a Kolmogorov–Smirnov test; Fisher's method joins them. An engine of the right law is rejected with a
chance of at most {FALSE_ALARM:.0%}. Engines with a mistake must be rejected.
"""


@dataclass(frozen=True)
class Verdict:
    """p-values of single tests, a row for each case, and of the joint ones, and whether they reject the engine."""

    single: NDArray[np.float64]
    joint: NDArray[np.float64]

    @property
    def rejected(self) -> bool:
        """Is a p-value below its level? An engine of the right law is rejected with a chance of at most FALSE_ALARM."""
        levels = [FALSE_ALARM / 2 / p.size for p in (self.single, self.joint)]
        return bool(self.single.min() < levels[0] or self.joint.min() < levels[1])


def compare(page: Any, stored: Stored, cases: Sequence[str], mistake: str = "", runs: int | None = None) -> Verdict:
    """The page's engine, or one with a mistake, against the stored runs of these cases."""
    single = np.ones((len(cases), len(CHECKPOINTS)))
    for k, case in enumerate(cases):
        ours = sample(page, case, runs or RUNS[debox.Config(case).N], mistake)
        theirs = stored.counts(case)
        single[k] = [ks_2samp(a, b).pvalue for a, b in zip(ours.T, theirs.T, strict=True)]
    least = np.maximum(single, 1e-300)  # Fisher's method takes logarithms
    return Verdict(single, np.array([combine_pvalues(p, "fisher").pvalue for p in least.T]))


def sample(page: Any, case: str, runs: int, mistake: str = "") -> NDArray[np.int64]:
    """Infeasible trials of runs in the browser, a column for each checkpoint."""
    config = debox.Config(case)
    asked = {name: getattr(config, name) for name in AXES}
    call = "async (a) => (await import('/page_wrong.js')).sample(...a)"
    ends = marks(300_000, (1 / 3, 2 / 3)).tolist()
    return np.array(page.evaluate(call, [asked, runs, SEED, ends, mistake]))


class Stored:
    """The paper's study, from which the runs of single configurations are taken."""

    def __init__(self) -> None:
        table = debox.open_store(PAPER).table([*AXES, *CHECKPOINTS])
        ends = [*marks(300_000, (1 / 3, 2 / 3)).tolist(), 300_000]
        counts = np.column_stack([table[name] * end for name, end in zip(CHECKPOINTS, ends, strict=True)])
        self._counts = np.round(counts).astype(np.int64)
        self._rows = Runs.of(table).rows

    def counts(self, case: str) -> NDArray[np.int64]:
        """Infeasible trials of a configuration's runs, a column for each checkpoint."""
        config = debox.Config(case)
        return self._counts[self._rows[tuple(getattr(config, name) for name in AXES)]]


def engine_digest() -> str:
    """What the engine's files hold, in 16 digits: the page of the docs is current if it has the same."""
    return hashlib.sha256(b"".join((FOLDERS[0] / name).read_bytes() for name in ENGINE_FILES)).hexdigest()[:16]


def main() -> None:
    """Compare all cases and all wrong engines, write docs/page-law.md."""
    stored = Stored()
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as context:
        page = open_modules(context)
        page.set_default_timeout(0)
        progress(f"the page's engine: {len(CASES)} configurations")
        verdict = compare(page, stored, CASES)
        wrong = {}
        for mistake, cases in MISTAKES.items():
            progress(f"the page's engine with {mistake}")
            wrong[mistake] = compare(page, stored, cases, mistake)
    PAGE.write_text("\n".join(lines(verdict, wrong)), encoding="utf-8")
    if verdict.rejected or not all(one.rejected for one in wrong.values()):
        sys.exit(f"FAILED: see {PAGE.name}")


def lines(verdict: Verdict, wrong: dict[str, Verdict]) -> list[str]:
    """The lines of docs/page-law.md."""
    names = ("at ⅓", "at ⅔", "at the end")
    rows = [["joint p-values", *names, "least single p-value", "rejected"]]
    for name, one in {"the page's engine": verdict, **wrong}.items():
        p = [f"{value:.2g}" for value in (*one.joint, one.single.min())]
        rows.append([f"{name} ({len(one.single)} configurations)", *p, "yes" if one.rejected else "no"])
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    cases = [[case, *(f"{p:.2g}" for p in row)] for case, row in zip(CASES, verdict.single, strict=True)]
    return [
        "# The law of the page's engine\n",
        INTRO,
        f"Engine files: `{engine_digest()}`.\n",
        head,
        "|---" * len(rows[0]) + "|",
        *body,
        "\n## The configurations\n",
        f"| configuration | {' | '.join(names)} |",
        "|---" * 4 + "|",
        *(f"| {' | '.join(row)} |" for row in cases),
        "",
    ]
