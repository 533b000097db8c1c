"""`python -m benchmarks.law`: compare the engines on all cases, about 10 minutes on 2 cores, and write docs/law.md.

With the word `rounding` it writes the section on points on a bound only, in a minute.
"""

import sys
import time

from benchmarks.law import rounding
from benchmarks.law.cases import CASES
from benchmarks.law.compare import FALSE_ALARM, LEVEL, POWER, QUANTITIES, SHIFT, Comparison, compare, joint
from benchmarks.law.rounding import PAGE
from benchmarks.law.wrong import MISTAKES
from benchmarks.measure import progress

INTRO = f"""# The law of the fast engine

On f0 the fast engine (`engine="fast"`) does not do what Algorithm 1 does, but what it leaves must have the same
distribution. Here both engines run the same {len(CASES)} configurations with different seeds, and two-sample tests look
for a difference. `make law` does it again and writes this page.

- *mean*: z-test of the mean POIS. *POIS*, *at ⅓*, *at ⅔*: Kolmogorov–Smirnov test of POIS at the end and after a third
  and two thirds of the budget. *accepted*, *best f*: the same for the number of accepted trials and the best value.
  *best x*: the same for each coordinate of the best point; n × the smallest p-value.
- A p-value below {FALSE_ALARM:g} ÷ ({len(CASES)} configurations · {len(QUANTITIES)} tests) = {LEVEL:.2g} rejects:
  were the laws equal, the chance of any rejection would be at most {FALSE_ALARM:.0%}.
- *visible*: the smallest shift of the mean POIS, relative to it, that the z-test sees at this level with a chance of
  {POWER:.0%}. There are enough runs (of each engine) to keep it below {SHIFT:.0%}.
"""
HEAD = ["configuration", "n", "budget", "runs", "plain", "fast", "visible", *QUANTITIES]


def main() -> None:
    started, comparisons, seen = time.perf_counter(), [], []
    for k, case in enumerate(CASES):
        progress(f"{k + 1} of {len(CASES)}: {case.text}")
        comparisons.append(compare(case, workers=-1))
    for mistake in MISTAKES:
        progress(f"a wrong engine: {mistake.name}")
        seen.append(compare(mistake.case, mistake.engine, workers=-1))
    together = joint(comparisons)
    claims = {
        "no configuration is rejected": not any(c.rejected for c in comparisons),
        f"a shift of {SHIFT:.0%} is visible in every configuration": all(c.visible <= SHIFT for c in comparisons),
        "the configurations together are not rejected": min(together.values()) >= FALSE_ALARM / len(together),
        "every wrong engine is rejected": all(c.rejected for c in seen),
    }
    progress("points on a bound")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(page(comparisons, together, seen, claims)), encoding="utf-8")
    print(f"wrote {PAGE.name} after {time.perf_counter() - started:.0f} s")
    sys.exit("\n".join(f"FAILED: {claim}" for claim, holds in claims.items() if not holds) or 0)


def page(comparisons: list[Comparison], together: dict[str, float], seen: list[Comparison], claims: dict[str, bool]):
    """The lines of docs/law.md."""
    yield INTRO
    yield "## Verdict\n"
    yield from (f"- {claim}: {'yes' if holds else '**NO**'}" for claim, holds in claims.items())
    least = min((p, quantity, c.case.text) for c in comparisons for quantity, p in c.p.items())
    yield f"- smallest p-value of all: {number(least[0])} ({least[1]}, {least[2]})"
    yield f"\n## All configurations together\n\nEach p-value is held against {FALSE_ALARM:g} ÷ {len(together)}.\n"
    yield from table([["", "p"], *([claim, number(p)] for claim, p in together.items())])
    yield "\n## Wrong engines\n\nThe same tests, with as many runs, of the plain engine against one with a mistake.\n"
    rows = [[mistake.name, *row(c)] for mistake, c in zip(MISTAKES, seen, strict=True)]
    yield from table([["mistake", *HEAD[:5], "wrong", *HEAD[6:]], *rows])
    yield ""
    yield from rounding.section()
    yield "\n## The configurations\n"
    yield from table([HEAD, *map(row, comparisons)])
    yield ""


def row(c: Comparison) -> list[str]:
    means = [f"{mean:.4f}" for mean in c.means]
    text = c.case.text + (f", box={[*c.case.box]}" if c.case.box else "")
    p = [number(p) for p in c.p.values()]
    return [text, str(c.case.n), str(c.case.budget), str(c.runs), *means, f"{c.visible:.1%}", *p]


def number(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}" if p >= 1e-300 else "< 1e-300"


def table(rows: list[list[str]]) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


if "rounding" in sys.argv[1:]:
    rounding.update()
else:
    main()
