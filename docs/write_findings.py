"""Write docs/findings.md and its pictures from the paper's study: python docs/write_findings.py"""

from collections.abc import Callable
from pathlib import Path

from draw_figures import draw
from paper_study import claims, runs

from debox.analysis import headline
from debox.analysis.answers import Answer, answers, percent
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.text import tally
from debox.analysis.collapse import LastStep
from debox.analysis.cube import Cube
from debox.analysis.factors import factors
from debox.figures import catalogue

DOCS = Path(__file__).parent
PAGE = DOCS / "findings.md"


def crossovers() -> Answer:
    """How much binomial and exponential crossover differ at the same Cr."""
    found = factors(runs())
    levels = found.axes["crossover"]
    means = dict(zip(levels, found.effects["crossover",] + found.effects[()], strict=True))
    return Answer(
        "Which crossover?",
        f"At the same F and Cr, averaged over everything else, mean POIS is {means['bin']:.2f} with binomial and "
        f"{means['exp']:.2f} with exponential crossover, because exponential crossover exchanges fewer components.",
        "",
        "Compare crossovers by the share of components they exchange, not by Cr: exp needs a Cr near 1 to do what bin "
        "does at a small one.",
    )


def spread() -> Answer:
    """How much the runs of one configuration differ, by N."""
    counts = headline.by_factor(runs(), headline.summarise(runs()))["N"]
    wide = ", ".join(f"{percent(count.share('wide'))} with N = {N}" for N, count in counts.items())
    smallest = min(counts)
    return Answer(
        "Does one run tell?",
        "Not always. How many configurations have runs that differ by more than 0.1 in POIS (5 to 95 % of them)? "
        f"{wide}.",
        "",
        f"With N = {smallest} repeat the run before you believe its POIS, or its result.",
    )


def strategies() -> Answer:
    """What the strategy changes: hardly the mean, often the spread."""
    mean, scatter = factors(runs()), factors(runs(), "spread")
    step = LastStep.of(Cube.of(runs()))
    falling = step.share_falling("strategy")
    listed = ", ".join(f"{name} {percent(falling[name])}" for name in sorted(falling, key=lambda one: -falling[one]))
    return Answer(
        "Which strategy?",
        f"For how often DE leaves the box it hardly matters ({percent(mean.shapley['strategy'].value)} of the "
        f"differences in mean POIS), for how much runs differ it does ({percent(scatter.total['strategy'].value)} with "
        f"its interactions), and for the collapse at the largest Cr even more (configurations that fall: {listed}).",
        "",
        "Choose the strategy by what it does to the search, not by POIS; be careful with saturation and a large Cr.",
    )


def failing() -> str:
    """The conclusions that do not hold, each with its evidence."""
    rows = [f"- {one.statement} (§ {one.place}): {one.evidence}." for one in claims() if one.verdict is Verdict.NOT]
    return "\n".join(rows)


FINDINGS: tuple[Callable[[], Answer], ...] = (crossovers, spread, strategies)


def section(one: Answer) -> str:
    """A finding: title, sentence, picture, what to set."""
    picture = ""
    if one.figure:
        (entry,) = catalogue.choose(runs(), (one.figure,))
        picture = f"\n\n![{entry.description}](figures/{one.figure}.png)"
    return f"## {one.question}\n\n{one.sentence}{picture}\n\n**What to set:** {one.advice}"


def page() -> str:
    """The whole page."""
    every = [*answers(runs(), claims()), *(finding() for finding in FINDINGS)]
    return f"""# What we found

Written by `python docs/write_findings.py` from `data/paper.parquet`: POIS, the proportion of infeasible solutions, of
{len(runs().rows):,} configurations of Differential Evolution on a purely random objective,
{runs().planned} runs each, n = 30, 300 000 evaluations. `debox report DIR` says the same of your study.

{(chr(10) * 2).join(section(one) for one in every)}

## Conclusions of the paper that do not hold here

{tally(claims())} ([all of them, with numbers](claims.md)). Those that do not:

{failing()}
"""


if __name__ == "__main__":
    PAGE.write_text(page())
    draw(runs(), [one.figure for one in answers(runs(), claims()) if one.figure], DOCS / "figures")
