"""Write docs/factors.md and its two pictures from the paper's study: python docs/write_factors.py"""

import re
from functools import cache
from pathlib import Path

from draw_figures import draw
from paper_study import runs

from debox.analysis.factors import Factors, factors
from debox.study.fields import AXES

DOCS = Path(__file__).parent
PAGE = DOCS / "factors.md"
PICTURES = {
    "factors-shares": "Bars for each factor: its share of the variance alone, with interactions, and by Shapley",
    "factors-interaction": "Mean POIS against the levels of the two factors that interact most, and what that adds",
}
PARTS = {
    "crossover bin": {"crossover": "bin"},
    "crossover exp": {"crossover": "exp"},
    "N = 5": {"N": 5},
    "N = 20": {"N": 20},
    "N = 100": {"N": 100},
    "F ≤ 1": {"F": "<=1"},
}
TITLES = {
    "mean": "Mean POIS",
    "logit": "The logit of POIS, which tells 0.99 from 0.999",
    "spread": "The spread of runs: their standard deviation",
    "quantiles": "Whole distributions: quantile functions in the Wasserstein-2 metric",
}
MARKS = r"<!-- coverage.*?-->\n(.*?)<!-- end of coverage -->"


@cache
def found(of: str, part: str = "") -> Factors:
    """What a statistic says of the whole study or of a part of it."""
    return factors(runs(), of, **PARTS.get(part, {}))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    return "\n".join(map(table_row, [head, ["---"] * len(head), *rows]))


def table_row(cells: list[str]) -> str:
    """A row of such a table."""
    return f"| {' | '.join(cells)} |"


def shares(of: str) -> str:
    """Three shares of every factor."""
    rows = [[name, *(kind[name].percent() for kind in found(of).shares().values())] for name in AXES]
    return table(["factor", "alone", "with interactions", "Shapley"], rows)


def interactions(of: str, count: int = 5) -> str:
    """The strongest interactions in one sentence."""
    first = [f"{' × '.join(u)} {share.percent()}" for u, share in found(of).interactions()[:count]]
    return f"The strongest interactions: {'; '.join(first)}."


def by_part(of: str) -> str:
    """Shapley shares of every part of the study."""
    return table(["part", *AXES, "sum of all alone"], [shares_of_part(of, part) for part in ("", *PARTS)])


def shares_of_part(of: str, part: str) -> list[str]:
    """A row: the Shapley share of every factor that has several levels there, and what all explain alone."""
    one = found(of, part)
    names = [f"{100 * one.shapley[name].value:.1f}" if len(one.axes[name]) > 1 else "" for name in AXES]
    return [part or "all", *names, f"{100 * alone(one):.1f}"]


def alone(one: Factors) -> float:
    """What all factors explain without interactions."""
    return sum(share.value for share in one.first.values())


def widest(of: str) -> float:
    """The largest half width of an interval of a Shapley share in any part of the study."""
    every = [share for part in ("", *PARTS) for share in found(of, part).shapley.values()]
    return max((share.high - share.low) / 2 for share in every)


def percent(share: float) -> str:
    """0.123 → 12.3 %"""
    return f"{100 * share:.1f} %"


def ranked(of: str) -> str:
    """All factors by Shapley share, the largest first."""
    order = sorted(AXES, key=lambda name: -found(of).shapley[name].value)
    return ", ".join(f"{name} {percent(found(of).shapley[name].value)}" for name in order)


def in_short() -> str:
    """What the tables say."""
    mean, logit, spread, curves = (found(of) for of in TITLES)
    a, b = mean.strongest_pair
    bin_, exp = mean.effects["crossover",] + mean.effects[()]
    bin_Cr, exp_Cr = mean.effects["crossover", "Cr"] + mean.effects["Cr",] + mean.effects["crossover",][:, None]
    few, F = found("mean", "F ≤ 1"), mean.axes["F"]
    points = [
        f"Mean POIS, interactions divided evenly (Shapley): {ranked('mean')}. Choose F first; the "
        "strategy hardly matters for the mean.",
        f"No factor explains all: {percent(mean.first['F'].value)} would vanish, on average, were F fixed, and "
        f"{percent(mean.total['F'].value)} would be left were all others fixed. All factors alone, without "
        f"interactions, explain {percent(alone(mean))}.",
        f"The strongest pair is {a} × {b} with {percent(mean.components[a, b].value)}: from Cr = 0.05 to 0.99 mean "
        f"POIS changes by {bin_Cr[-1] - bin_Cr[0]:+.2f} with bin and by {exp_Cr[-1] - exp_Cr[0]:+.2f} with exp; over "
        f"all Cr it is {bin_:.2f} with bin and {exp:.2f} with exp.",
        f"All levels count alike, and {sum(f > 1 for f in F)} of {len(F)} F are above 1. With F ≤ 1 alone, F has "
        f"{percent(few.shapley['F'].value)}, and the mutation {percent(few.shapley['mutation'].value)} instead of "
        f"{percent(mean.shapley['mutation'].value)}.",
        f"On the scale of logits, where the way from 0.99 to 0.999 is as long as that from 0.5 to 0.91, crossover has "
        f"{percent(logit.shapley['crossover'].value)} and F {percent(logit.shapley['F'].value)}.",
        f"How much runs differ is a matter of interactions: all factors alone explain {percent(alone(spread))} of it, "
        f"F with all its interactions {percent(spread.total['F'].value)}, "
        f"N {percent(spread.total['N'].value)}, mutation {percent(spread.total['mutation'].value)}, "
        f"strategy {percent(spread.total['strategy'].value)}.",
        f"Of the differences between whole distributions, {percent(mean.variance.value / curves.variance.value)} are "
        "differences of their means: shares of both are nearly the same.",
    ]
    return "\n".join(f"- {point}" for point in points)


def page(coverage: str) -> str:
    """The page; `coverage` is what `python -m benchmarks factors` found of intervals."""
    one = found("mean")
    sections = [f"## {TITLES[of]}\n\n{shares(of)}\n\n{interactions(of)}" for of in TITLES]
    pictures = "\n\n".join(f"![{alt}](figures/{name}.png)" for name, alt in PICTURES.items())
    return f"""# What drives POIS: a factor analysis

Written by `python docs/write_factors.py` from `data/paper.parquet`: {one.configurations} configurations of {one.runs}
runs. The same for your study: `debox factors DIR`, with `--of` mean, logit, spread or quantiles, `--where "F<=1"`,
`--json`.

The study is full factorial, so the variance between its configurations divides exactly among the 63 sets of its six
factors. *Alone* is what would vanish, on average, if a factor were fixed; *with interactions* is what would be left, on
average, if all others were fixed; *Shapley* divides every interaction evenly among its factors, so that these shares
sum to 100 %. In brackets: 95 % intervals. Shares are those of the levels of this grid.

{in_short()}

{pictures}

{(chr(10) * 2).join(sections)}

## Parts of the study

Shapley shares of mean POIS in %; the widest 95 % interval is ± {100 * widest("mean"):.1f}.

{by_part("mean")}

Shapley shares of the spread in %; the widest 95 % interval is ± {100 * widest("spread"):.1f}.

{by_part("spread")}

## How it is computed

- f_u = ∏_{{k ∈ u}} (I − J_k) ∏_{{k ∉ u}} J_k f, where J_k is the mean over the levels of factor k; V_u = mean f_u².
- Runs are random, so cells are known up to noise, and noise looks like interactions. For means, V_u − d_u/M · mean s²/R
  is unbiased: d_u = ∏_{{k ∈ u}} (L_k − 1) of the M cells. Standard deviations and quantile functions have no such
  correction; there, the square of a cell is replaced by the product of two halves of its runs, averaged over 20 splits:
  what is decomposed is the statistic of {one.runs // 2} runs.
- A share whose truth is nearly 0 may come out below 0, and is shown so.
- An interval holds all shares that a test does not reject: cells fixed, runs random. The variance of the test's
  statistic is that of a quadratic form, taken at the share that is tested. Percentiles of bootstrapped shares do not
  work: runs drawn again have noise twice, of which once is removed.

How often 95 % intervals hold the true share (first-order, total and Shapley, of a factor a that does nothing and
two that do and interact), in synthetic studies whose cells are known; written by `python -m benchmarks factors`:

<!-- coverage: written by `python -m benchmarks factors` -->
{coverage}<!-- end of coverage -->
"""


def coverage_of(text: str) -> str:
    """What a page says of intervals."""
    return re.search(MARKS, text, re.DOTALL)[1]


if __name__ == "__main__":
    before = coverage_of(PAGE.read_text()) if PAGE.exists() else ""
    PAGE.write_text(page(before))
    draw(runs(), PICTURES, DOCS / "figures")
