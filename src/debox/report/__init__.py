"""The report: one self-contained HTML file that says what was run and what came out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import Any

from debox.analysis import leaving
from debox.analysis import where as conditions
from debox.analysis.factors import HEADS
from debox.analysis.factors import factors as decompose
from debox.analysis.factors import obstacle as factors_obstacle
from debox.analysis.names import short
from debox.analysis.runs import Runs, Source, open_source
from debox.figures import catalogue
from debox.figures.page import NO_RUNS, panels_of, part_of
from debox.figures.save import contents
from debox.paper import text as claim_text
from debox.paper.verdict import Result, Verdict, by_sentence, judge_all, tally
from debox.report import html
from debox.report.answers import answers
from debox.store.store import Store
from debox.study.fields import ADAPTATION, AXES, FIELDS, SHARED
from debox.study.study import Study

__all__ = ["report"]

LEAD = (
    "POIS is the proportion of infeasible solutions: of all evaluations of a run, those whose trial had left the box "
    "before it was repaired. The objective is f0, a fresh random number each time, so that what is seen is the "
    "algorithm's own doing."
)
# What is drawn below these titles, besides the figures of the answer: names in the catalogue, or patterns of them.
FIGURES = {
    "Where does DE leave the box?": ("contours-*",),
    "POIS against F, and what generation 1 alone would give": ("ribbons/*-against-F",),
    "A run's life": ("drift", "life"),
    "The paper's figures": ("reading-key", "population-sizes", "mutations", "crossovers", "strategies-compared"),
}
MEANING = (
    "Shares are of configurations: whose median POIS is at least 0.5, at least 0.99; all of whose runs have a POIS of "
    "at least 0.999, of at most 0.001; whose runs span more than 0.1 (5 to 95 %)."
)
CLAIMS = (
    "Cells are fixed, runs are random. Agree: the share of cells that agree lies between these numbers; cells that the "
    "runs do not decide are open. A verdict compares it with the share that the words promise. Claims divide by "
    "trials, budget − N, POIS by the budget: so 100 % in all runs is more frequent here than a POIS of 0.999 or more "
    "in the answer."
)
MARKS = dict(zip(map(str, Verdict), "✓◐✗?–", strict=True))
FACTORS = (
    "Alone: what would vanish of the variance between configurations, on average, if the factor were fixed. With "
    "interactions: what would be left if all others were fixed. Shapley: interactions divided evenly, so that shares "
    "sum to 100 %. The noise of random runs is removed."
)


def report(source: Source, *, study: Study | None = None, where: Mapping[str, Any] | Iterable[str] = ()) -> str:
    """The report of a store or a table of runs as one self-contained HTML page.

    study: what was planned; a store knows its own
    where: a part of the study, and of several dimensions, budgets, donors, … the one to report: {"dimension": 30}
    """
    content = open_source(source)
    planned = study or (content.study if isinstance(content, Store) else None)
    runs = catalogue.of_one_setting(Runs.of(content, planned, where).require_runs())
    results, obstacle = judge(runs)
    written = {
        "The answer": answer(runs, results),
        "The paper's claims": claims(results, obstacle),
        "Factors": factors(runs),
        "Figures": figures(runs),
        "Numbers": numbers(runs),
        "What was run": what_was_run(runs, planned, content if isinstance(content, Store) else None),
    }
    title = f"How often does DE leave the box? Study {runs.name or 'without a name'}"
    return html.page(title, f"{LEAD} {extent(runs)}", written)


def extent(runs: Runs) -> str:
    """How much of the study has runs."""
    configurations, found = prod(runs.shape), int(runs.counts.sum())
    text = f"{(runs.counts > 0).sum():,} of {configurations:,} configurations have runs, "
    text += f"{found:,} of {configurations * runs.planned:,} runs are stored."
    return f"{text} {runs.omission}." if runs.left_out else text


def judge(runs: Runs) -> tuple[list[Result], str]:
    """The verdict on each conclusion of the paper, or why they cannot be tested."""
    if several := ", ".join(runs.axes.get(ADAPTATION, ())):
        return [], f"the runs have adaptation = {several}, and they are about one: choose it with --where"
    reason = runs.obstacle()
    return ([], reason) if reason else (judge_all(runs.complete()), "")


def answer(runs: Runs, results: list[Result]) -> str:
    """Large numbers, three sentences, below each what to set, and their figures."""
    found = answers(runs, list(by_sentence(results).values()))
    parts = []
    for one in found:
        parts += [f"<h3>{one.question}</h3>\n{html.paragraph(one.sentence)}"]
        parts += [html.paragraph(f"What to set: {one.advice}")] * bool(one.advice)
    return "\n".join([large_numbers(runs), *parts, *drawn(runs, *(one.figure for one in found if one.figure))])


def large_numbers(runs: Runs) -> str:
    """How many configurations lose how much."""
    every, small = leaving.count(runs), leaving.count_up_to(runs, 1)
    up_to_1 = [(percent(small.half), "the same with F ≤ 1 only")] * (0 < small.configurations < every.configurations)
    return html.numbers(
        [
            (number(every.median), "half of the configurations have a median POIS above this"),
            (percent(every.half), "of configurations: at least half of all trials leave the box (median run)"),
            *up_to_1,
            (percent(every.nearly_all), "of configurations: at least 99 % of all trials do"),
            (percent(every.always_outside), "of configurations: POIS is 0.999 or more in every single run"),
            (percent(every.never_outside), "of configurations: POIS is 0.001 or less in every single run"),
            (percent(every.wide), "of configurations: runs differ by more than 0.1 in POIS (5 to 95 %)"),
        ]
    )


def claims(results: list[Result], obstacle: str) -> str:
    """The verdict on each conclusion of the paper, and, folded, what it rests on."""
    if obstacle:
        return html.paragraph(f"The paper's conclusions cannot be tested: {obstacle}.")
    tested, others = ([one for one in results if bool(one.finding) is wanted] for wanted in (True, False))
    parts = [html.paragraph(f"{tally(results)}. {CLAIMS}")]
    if tested:
        head = ["conclusion", "reading", "verdict", "§", "agree", "promised"]
        parts.append(html.table(head, map(claim_row, tested), "Conclusions that these runs test", wrap=True))
        evidence = [(one.id, "; ".join(filter(None, (claim_text.numbers(one), one.evidence)))) for one in tested]
        parts.append(html.collapsible("What each verdict rests on", html.facts(evidence)))
    if others:
        reasons: dict[str, dict[str, None]] = {}
        for one in others:
            reasons.setdefault(one.evidence, {})[one.claim.sentence] = None
        facts = html.facts((reason, "; ".join(sentences)) for reason, sentences in reasons.items())
        parts.append(html.collapsible(f"{len(others)} readings that these runs do not test, and why", facts))
    return "\n".join(parts)


def claim_row(one: Result) -> list[str]:
    """A conclusion as it is read, its verdict and its numbers."""
    claim, cells = one.claim, one.finding.cells if one.finding else 0
    verdict, agree = f"{MARKS[one.verdict]} {one.verdict}", f"{claim_text.interval(one)} of {cells:,}"
    return [claim.sentence, claim.reading, verdict, claim.section, agree, f"{claim.promised:.0%}"]


def factors(runs: Runs) -> str:
    """How much each factor makes of the differences between configurations."""
    if reason := factors_obstacle(runs):
        return html.paragraph(f"Factors cannot be told apart: {reason}.")
    found = decompose(runs)
    kinds = found.shares()
    several = (name for name, levels in found.axes.items() if len(levels) > 1)
    rows = [[name, *(kinds[kind][name].percent() for kind in HEADS)] for name in several]
    together = [[" × ".join(u), share.percent()] for u, share in found.interactions()[:5]]
    return "\n".join(
        [
            html.paragraph(FACTORS),
            html.table(["", *HEADS.values()], rows, "Shares of the variance of mean POIS, with 95 % intervals"),
            html.table(["", "share"], together, "The strongest interactions"),
            *drawn(runs, "factors-interaction"),
        ]
    )


def figures(runs: Runs) -> str:
    """The figures, as part of the page."""
    parts = {title: "\n".join(drawn(runs, *names)) for title, names in FIGURES.items()}
    return "\n".join(f"<h3>{title}</h3>\n{part}" for title, part in parts.items() if part)


def drawn(runs: Runs, *names: str) -> Iterator[str]:
    """The figures of these names as HTML; those without a single run are left out, other obstacles are stated."""
    pages = catalogue.choose(runs, names) if names else []
    for reason in dict.fromkeys(page.obstacle for page in pages):
        if reason not in ("", NO_RUNS):
            yield html.paragraph(f"{reason}.")
    for page in (page for page in pages if not page.obstacle):
        svg, caption = contents(page, "svg", "screen"), f"{page.caption} {page.omission}".strip()
        yield html.figure(f"figure-{html.anchor(page.name)}", svg, page.alt_text, caption, 72 * page.size[0])


def numbers(runs: Runs) -> str:
    """The counts by factor, and where the median POIS reaches 0.5."""
    head = ["", "configurations", "median POIS", "≥ 0.5", "≥ 0.99", "all ≥ 0.999", "all ≤ 0.001", "wide"]
    tables = []
    for name in runs.axes:
        counts = leaving.count_by(runs, name).items()
        rows = [[str(level), f"{c[0]:,}", number(c[1]), *map(percent, c[2:])] for level, c in counts]
        tables.append(html.table(head, rows, f"By {name}"))
    return "\n".join([html.paragraph(MEANING), *tables, *tables_of_F(runs)])


def tables_of_F(runs: Runs) -> Iterator[str]:
    """For each mutation, folded, a table of the F at which the median POIS reaches 0.5."""
    F, head = runs.axes["F"], ["", *(f"Cr={Cr:g}" for Cr in runs.axes["Cr"])]
    for mutation in runs.axes["mutation"]:
        rows = []
        for panel in (panel for panel in panels_of(runs) if panel.mutation == mutation):
            part = part_of(runs, **panel._asdict())
            medians = part.arrange(leaving.quantiles(part["pois"], (0.5,))[0], "Cr", "F")
            reached = [leaving.F_reaching(F, column.tolist()) for column in medians]
            rows.append([panel.title, *(f"> {max(F):g}" if one is None else number(one, 2) for one in reached)])
        name = f"DE/{short('mutation', mutation)}"
        title = f"F at which the median POIS of {name} reaches 0.5"
        yield html.collapsible(title, html.table(head, rows, name))


def what_was_run(runs: Runs, study: Study | None, store: Store | None) -> str:
    """The study as planned and what made the runs, folded."""
    settings = {name: runs.common_if_it_matters(name) for name in SHARED if name not in runs.axes}
    rows = [(name, conditions.join(levels)) for name, levels in runs.axes.items()]
    rows += [(name, str(value)) for name, value in settings.items() if value is not None]
    if study:
        rows += [(name, conditions.in_words(getattr(study, name))) for name in FIELDS if name not in (*AXES, *SHARED)]
    for maker in store.manifest.makers() if store else ():
        made = {**maker["versions"], "platform": maker["platform"]}
        rows += [(f"made by: {name}", version) for name, version in made.items()]
    return html.collapsible("The study, its settings and what made the runs", html.facts(rows))


def percent(share: float) -> str:
    """A share of the configurations; a dash where there are none."""
    return f"{100 * share:.1f} %" if share == share else "–"


def number(value: float, decimals: int = 3) -> str:
    """A number; a dash for NaN."""
    return f"{value:.{decimals}f}" if value == value else "–"
