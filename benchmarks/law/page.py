"""The law of the explorer's JavaScript engine: its runs in a browser against those of the paper's study, stored.

Operators that the paper does not have are compared with runs of debox's own engine. A stored configuration has 50 runs.
The page's runs are compared with them by Kolmogorov-Smirnov tests of the infeasible trials after a third, two thirds
and all of the budget. One test of 50 runs sees only coarse mistakes, so Fisher's method joins the p-values of all
configurations, checkpoint by checkpoint.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import combine_pvalues, ks_2samp

import debox
from benchmarks.browser import chromium, open_modules
from benchmarks.law.page_cases import MISTAKES, OTHERS, PAPERS
from benchmarks.measure import progress
from debox.analysis.old_runs import Runs
from debox.config import marks
from debox.explore.bundle import in_order, source
from debox.study.fields import AXES

ROOT = Path(__file__).parents[2]
PAPER, PAGE = ROOT / "data" / "paper.parquet", ROOT / "docs" / "page-law.md"
FALSE_ALARM = 0.01  # the chance that an engine of the right law is rejected: half for single tests, half for joint ones
CHECKPOINTS = ("pois_at_third", "pois_at_two_thirds", "pois")
RUNS = {5: 300, 20: 120, 100: 60}  # by N: what a browser does in seconds
SEED = 11

BUDGET, SHARES, STORED_RUNS = 300_000, (1 / 3, 2 / 3), 50

INTRO = f"""The explorer runs Differential Evolution in the reader's browser, by an engine of its own in JavaScript.
Here its runs, {", ".join(f"{runs} at N = {N}" for N, runs in RUNS.items())}, are compared with those of the paper's
study, {STORED_RUNS} for each of {len(PAPERS)} configurations with n = 30 and 300 000 evaluations, and, for operators
that the paper does not have, with {STORED_RUNS} runs of `debox.measure` for each of {len(OTHERS)}. `make law`
repeats it.

Each p-value is of a Kolmogorov–Smirnov test; Fisher's method joins them. An engine of the right law is rejected with a
chance of at most {FALSE_ALARM:.0%} in either comparison. Engines with a mistake must be rejected.
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


def compare(
    page: Any, stored: Stored | Measured, cases: Sequence[str], mistake: str = "", runs: int | None = None
) -> Verdict:
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
    ends = marks(BUDGET, SHARES).tolist()
    return np.array(page.evaluate(call, [asked, runs, SEED, ends, mistake]))


class Stored:
    """The paper's study, from which the runs of single configurations are taken."""

    def __init__(self) -> None:
        table = debox.open_store(PAPER).table([*AXES, *CHECKPOINTS])
        self._counts = counted(np.column_stack([table[name] for name in CHECKPOINTS]))
        self._rows = Runs.of(table).rows

    def counts(self, case: str) -> NDArray[np.int64]:
        """Infeasible trials of a configuration's runs, a column for each checkpoint."""
        config = debox.Config(case)
        return self._counts[self._rows[tuple(getattr(config, name) for name in AXES)]]


class Measured:
    """Runs of debox's own engine, made when they are asked for; each configuration's are kept."""

    def __init__(self) -> None:
        self._kept: dict[str, NDArray[np.int64]] = {}

    def counts(self, case: str) -> NDArray[np.int64]:
        """As those of `Stored`."""
        if case not in self._kept:
            found = debox.measure(case, n=30, budget=BUDGET, runs=STORED_RUNS, rng=SEED)
            self._kept[case] = counted(np.column_stack([found.pois_at, found.pois]))
        return self._kept[case]


def counted(pois: NDArray[np.float64]) -> NDArray[np.int64]:
    """Infeasible trials at the checkpoints and at the end, from their shares of the evaluations so far."""
    return np.round(pois * [*marks(BUDGET, SHARES).tolist(), BUDGET]).astype(np.int64)


def engine_digest() -> str:
    """What the engine's files hold, in 16 digits: the page of the docs is current if it has the same."""
    texts = "".join(source(f"{name}.js") for name in in_order("worker") if name != "worker")
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def main() -> None:
    """Compare all cases and all wrong engines, write docs/page-law.md."""
    stored, measured = Stored(), Measured()
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as context:
        page = open_modules(context)
        page.set_default_timeout(0)
        progress(f"the page's engine: {len(PAPERS)} configurations")
        right = {PAPERS: compare(page, stored, PAPERS)}
        progress(f"the page's engine: {len(OTHERS)} configurations of other operators")
        right[OTHERS] = compare(page, measured, OTHERS)
        wrong = {}
        for mistake, cases in MISTAKES.items():
            progress(f"the page's engine with {mistake}")
            wrong[mistake] = compare(page, stored if set(cases) <= set(PAPERS) else measured, cases, mistake)
    PAGE.write_text("\n".join(lines(right, wrong)), encoding="utf-8")
    if any(one.rejected for one in right.values()) or not all(one.rejected for one in wrong.values()):
        sys.exit(f"FAILED: see {PAGE.name}")


def lines(right: dict[tuple[str, ...], Verdict], wrong: dict[str, Verdict]) -> list[str]:
    """The lines of docs/page-law.md."""
    names = ("at ⅓", "at ⅔", "at the end")
    rows = [["joint p-values", *names, "least single p-value", "rejected"]]
    ours = {"the page's engine, the paper's operators": right[PAPERS], "the page's engine, others": right[OTHERS]}
    for name, one in {**ours, **wrong}.items():
        p = [f"{value:.2g}" for value in (*one.joint, one.single.min())]
        rows.append([f"{name} ({len(one.single)} configurations)", *p, "yes" if one.rejected else "no"])
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    cases = [
        [case, *(f"{p:.2g}" for p in row)]
        for tested, one in right.items()
        for case, row in zip(tested, one.single, strict=True)
    ]
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
