"""Write docs/findings.md and its pictures from the paper's study: python docs/write_findings.py"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from draw_figures import draw
from paper_study import claims, runs

from debox.analysis import headline
from debox.analysis.answers import Answer, answers, percent
from debox.analysis.claims.bound import COLUMNS, cells_of
from debox.analysis.claims.rules import ALPHA, Verdict
from debox.analysis.claims.statistics import holm
from debox.analysis.claims.text import tally
from debox.analysis.collapse import LastStep
from debox.analysis.cube import Cube
from debox.analysis.factors import factors
from debox.figures import old_catalogue as catalogue
from debox.store.parquet import read_other

DOCS = Path(__file__).parent
PAGE, BOUND = DOCS / "findings.md", DOCS.parent / "data" / "bound.parquet"
NUMBERS = json.loads((DOCS.parent / "data" / "numbers.json").read_text("utf-8"))


def crossovers() -> Answer:
    """How much binomial and exponential crossover differ at the same Cr."""
    found = factors(DOCS.parent / "data" / "paper.parquet")
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
    mean, scatter = (
        factors(DOCS.parent / "data" / "paper.parquet"),
        factors(DOCS.parent / "data" / "paper.parquet", "spread"),
    )
    step = LastStep.of(Cube.of(runs()))
    falling = step.share_falling("strategy")
    listed = ", ".join(f"{name} {percent(falling[name])}" for name in sorted(falling, key=lambda one: -falling[one]))
    return Answer(
        "Which strategy?",
        f"For how often DE leaves the box it hardly matters: with all interactions it makes "
        f"{percent(mean.total['strategy'].value)} of the differences in mean POIS; for how much runs differ it does, "
        f"{percent(scatter.total['strategy'].value)} of the differences in spread. Configurations that fall at the "
        f"largest Cr: {listed}.",
        "",
        "Choose the strategy by what it does to the search, not by POIS; be careful with "
        f"{max(falling, key=falling.get)} and a large Cr.",
    )


def failing() -> str:
    """The conclusions that do not hold, each with its evidence."""
    rows = [f"- {one.statement} (§ {one.place}): {one.evidence}." for one in claims() if one.verdict is Verdict.NOT]
    return "\n".join(rows)


def collapse() -> Answer:
    """Why POIS falls at the largest Cr; experiments on another page decide it."""
    found = NUMBERS["collapse"]
    return Answer(
        "Why does POIS fall at the largest Cr?",
        "Because populations lose their variety: with exp each dimension contracts, with bin whole mutants give all "
        "dimensions the same fate, with saturation and F > 1 coordinates stick to the bounds. Of "
        f"{len(found['outcomes'])} predictions written down beforehand {found['refuted']} were refuted, those of the "
        "paper's naive explanation among them ([all of it](collapse.md)).",
        "",
        "With a Cr near 1 and bin or an F below 0.7, and with saturation and F > 1, a low POIS may be the sign of a "
        "population that has lost its variety.",
    )


def upper_bound() -> Answer:
    """Is f0 the worst case? From the runs on other functions."""
    cells = cells_of(read_other(BOUND, COLUMNS))
    counted = cells.take(~cells.is_control & cells.sampled)
    above = np.array(holm(counted.p_above.tolist())) < ALPHA
    worst = int(np.where(above, counted.excess, -np.inf).argmax())
    return Answer(
        "Is f0 the worst case?",
        f"Not always: of {len(above)} pairs of another function and a configuration, {above.sum()} leave "
        f"the box more often than on f0, beyond chance, most by {counted.excess[worst]:.2f} ({counted.names[worst]}).",
        "",
        "Take a POIS measured on f0 as a guide, not as a bound: where your function falls towards a wall, count.",
    )


def prediction() -> Answer:
    """How good predictions between the levels are, as their page says."""
    found = re.search(r"^- (The median W1 .*?nearest cell)\.", (DOCS / "prediction.md").read_text(), re.MULTILINE)
    return Answer(
        "What about an F and a Cr that were not measured?",
        f"They can be predicted ([how well](prediction.md)). {found[1]}.",
        "",
        "Use `debox.predict` for a look, and `debox.measure`, which simulates, for a decision.",
    )


def readings() -> Answer:
    """How many verdicts change under other readings of the paper's text, as their page says."""
    lines = [line.split("|")[1:-1] for line in (DOCS / "readings.md").read_text().splitlines() if line.startswith("| ")]
    head = next(line for line in lines if line[0].strip() == "claim")
    rows = [line for line in lines if len(line) == len(head) and line is not head]
    counts = {
        name.strip(): sum(row[k].strip().endswith("\\*") for row in rows)
        for k, name in enumerate(head)
        if k and not name.strip().startswith("as written")
    }
    told = ", ".join(f"{name} {count}" for name, count in counts.items())
    return Answer(
        "Do other readings of the paper change its conclusions?",
        f"Of {len(rows)} verdicts, so many change under each: {told}; some of that is chance "
        "([how much, and all of them](readings.md)).",
        "",
        "Say in your text which donors may be drawn, what becomes of a dismissed trial, and whether repaired trials "
        "can be accepted.",
    )


FINDINGS: tuple[Callable[[], Answer], ...] = (
    *(collapse, crossovers, spread, strategies),
    *(upper_bound, prediction, readings),
)


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
{runs().planned} runs each, n = 30, 300 000 evaluations. `debox report DIR` begins with the same three
answers for your study. What runs on other functions, between the levels and of other readings add is said where it is
used.

{(chr(10) * 2).join(section(one) for one in every)}

## Conclusions of the paper that do not hold here

{tally(claims())} ([all of them, with numbers](claims.md)). Those that do not:

{failing()}
"""


if __name__ == "__main__":
    PAGE.write_text(page())
    draw(runs(), [one.figure for one in answers(runs(), claims()) if one.figure], DOCS / "figures")
