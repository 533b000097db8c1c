"""The sections of a report. To add one, write a function and list it in SECTIONS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from debox.analysis import headline as counting
from debox.analysis import names
from debox.analysis.answers import Answer, answers
from debox.analysis.factors import HEADS
from debox.analysis.factors import factors as analyse_factors
from debox.analysis.factors import obstacle as factors_obstacle
from debox.analysis.headline import Counts
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as DenseRuns
from debox.figures import old_catalogue as catalogue
from debox.figures.draw.by_type import figure_of
from debox.figures.draw.save import render
from debox.figures.draw.style import in_style
from debox.figures.entry import NO_RUNS
from debox.paper import text as claim_text
from debox.paper.verdict import Result, Verdict, tally
from debox.report import html
from debox.report.material import Material
from debox.report.svg import inline
from debox.study.fields import AXES, FIELDS, SHARED

# What is drawn after the answer's own figures, below these titles; names in the catalogue, or patterns of them.
FIGURES = {
    "Where does DE leave the box?": ("contours-*",),
    "POIS against F, and what generation 1 alone would give": ("ribbons/*-against-F",),
    "A run's life": ("drift", "life"),
    "The paper's figures": ("reading-key", "population-sizes", "mutations", "crossovers", "strategies-compared"),
}
MEANING = (
    "Shares are of configurations: whose median POIS is at least 0.5, at least 0.99; all of whose runs have a POIS of "
    "at least 0.999, of at most 0.001; whose runs span more than 0.1 (5 to 95 %). Runs fall into two camps if an empty "
    "gap, at least 0.1 and a third of their range wide, has at least a fifth of the runs, and five, on either side: "
    f"that needs {counting.RUNS_FOR_CAMPS} runs."
)

MARKS = dict(zip(map(str, Verdict), "✓◐✗?–", strict=True))
CLAIMS = (
    "Cells are fixed, runs are random. Agree: the share of cells that agree lies between these numbers; cells that the "
    "runs do not decide are open. A verdict compares it with the share that the words promise."
)
FACTORS = (
    "Alone: what would vanish of the variance between configurations, on average, if the factor were fixed. With "
    "interactions: what would be left if all others were fixed. Shapley: interactions divided evenly, so that shares "
    "sum to 100 %. The noise of random runs is removed."
)
NEEDS = f": needs {counting.RUNS_FOR_CAMPS} runs"


def what_was_run(material: Material) -> str:
    """The study as planned, how much of it has runs, and what made them; folded."""
    runs = material.runs
    factors = [(name, in_words(runs.axes[name])) for name in runs.axes]
    settings = {name: runs.setting(name) for name in SHARED if name not in runs.axes}
    shared = [(name, str(value)) for name, value in settings.items() if value is not None]
    keys = [name for name in FIELDS if name not in (*AXES, *SHARED)] if material.study else []
    rest = [(name, in_words(getattr(material.study, name))) for name in keys]
    planned = counting.count_configurations(runs)
    extent = f"{len(runs.rows):,} of {planned:,} configurations have runs, {len(runs.table['pois']):,} of "
    extent += f"{planned * runs.planned:,} runs are there."
    if runs.left_out:
        extent += f" {runs.omission}."
    rows = [*factors, *shared, *rest, *((f"made by: {name}", value) for name, value in material.provenance.items())]
    return html.collapsible("The study, its settings and what made the runs", html.paragraph(extent) + html.facts(rows))


def answer(material: Material) -> str:
    """Three sentences, below each what to set, and their three pictures."""
    every = answers(material.runs, material.verdicts)
    pictures = figures_matching(material.runs, tuple(one.figure for one in every if one.figure))
    return "\n".join([*map(answer_as_html, every), *pictures])


def answer_as_html(one: Answer) -> str:
    """The question as a title, the sentence, what to set."""
    advice = html.paragraph(f"What to set: {one.advice}") if one.advice else ""
    return f"<h3>{one.question}</h3>\n{html.paragraph(one.sentence)}{advice}"


def claims(material: Material) -> str:
    """The verdict on each conclusion of the paper, and, folded, what it rests on."""
    if not material.claims:
        return html.paragraph(f"The paper's conclusions cannot be tested: {material.claims_obstacle}.")
    tested = [result for result in material.claims if result.finding]
    head = ["conclusion", "reading", "verdict", "§", "agree", "promised"]
    rows = [claim_row(result) for result in tested]
    evidence = [
        (result.id, "; ".join(filter(None, (claim_text.numbers(result), result.evidence)))) for result in tested
    ]
    others = [
        (f"{one.claim.sentence}: {one.claim.reading}", one.evidence) for one in material.claims if not one.finding
    ]
    return "\n".join(
        [
            html.paragraph(f"{tally(material.claims)}. {CLAIMS}"),
            html.table(head, rows, "Conclusions that these runs test", wrap=True) if rows else "",
            html.collapsible("What each verdict rests on", html.facts(evidence)) if evidence else "",
            html.collapsible(f"{len(others)} readings that these runs do not test", html.facts(others))
            if others
            else "",
        ]
    )


def claim_row(result: Result) -> list[str]:
    """A conclusion as it is read, its verdict and its numbers."""
    claim, cells = result.claim, result.finding.cells if result.finding else 0
    agree = f"{claim_text.interval(result)} of {cells:,}"
    verdict = f"{MARKS[result.verdict]} {result.verdict}"
    return [claim.sentence, claim.reading, verdict, claim.section, agree, f"{claim.promised:.0%}"]


def factors(material: Material) -> str:
    """How much each factor makes of the differences between configurations."""
    runs = DenseRuns.of(material.runs.table)
    if reason := factors_obstacle(runs):
        return html.paragraph(f"Factors cannot be told apart: {reason}.")
    found = analyse_factors(runs)
    kinds = found.shares()
    rows = [[name, *(kinds[kind][name].percent() for kind in HEADS)] for name in found.axes]
    together = [[" × ".join(u), share.percent()] for u, share in found.interactions()[:5]]
    pictures = figures_matching(material.runs, ("factors-interaction",))
    return "\n".join(
        [
            html.paragraph(FACTORS),
            html.table(["", *HEADS.values()], rows, "Shares of the variance of mean POIS, with 95 % intervals"),
            html.table(["", "share"], together, "The strongest interactions"),
            *pictures,
        ]
    )


def headline(material: Material) -> str:
    """Large numbers: how many configurations lose how much."""
    total = counting.counts(material.summaries)
    small = counting.counts(one for one in material.summaries if one.factors["F"] <= 1)
    entries = [
        (f"{number(total.median)}", "median POIS of the middle configuration"),
        (percent(total, "half"), "of configurations: at least half of all trials leave the box (median run)"),
        (percent(small, "half"), "the same with F ≤ 1 only"),
        (percent(total, "nearly_all"), "of configurations: at least 99 % of all trials do"),
        (percent(total, "always_outside"), "of configurations: POIS is 0.999 or more in every single run"),
        (percent(total, "never_outside"), "of configurations: POIS is 0.001 or less in every single run"),
        (percent(total, "wide"), "of configurations: runs differ by more than 0.1 in POIS (5 to 95 %)"),
        (
            camps(total),
            "configurations whose runs fall into two camps" + ("" if total.bimodal is not None else NEEDS),
        ),
    ]
    return html.numbers(entries)


def figures(material: Material) -> str:
    """The figures, as part of the page."""
    parts = {title: "\n".join(figures_matching(material.runs, names)) for title, names in FIGURES.items()}
    return "\n".join(f"<h3>{title}</h3>\n{part}" for title, part in parts.items() if part)


def figures_matching(runs: Runs, names: tuple[str, ...]) -> Iterator[str]:
    """The figures of these names as HTML; those without a single run are left out, other obstacles are stated."""
    obstacles = {entry: entry.obstacle(runs) for entry in catalogue.choose(runs, names)}
    for obstacle in dict.fromkeys(obstacles.values()):
        if obstacle not in ("", NO_RUNS):
            yield html.paragraph(f"{obstacle}.")
    with in_style("screen"):
        for entry in (entry for entry, obstacle in obstacles.items() if not obstacle):
            name = f"figure-{html.anchor(entry.name)}"
            svg = render(figure_of(entry, runs, "screen"), "svg", entry.name, entry.alt_text(runs)).decode()
            yield html.figure(name, inline(svg, name), entry.description)


def numbers(material: Material) -> str:
    """Headline numbers, the counts by factor, and where the median POIS reaches 0.5."""
    return headline(material) + tables(material)


def tables(material: Material) -> str:
    """The counts by factor, and where the median POIS reaches 0.5."""
    head = ["", "configurations", "median POIS", "≥ 0.5", "≥ 0.99", "all ≥ 0.999", "all ≤ 0.001", "wide", "two camps"]
    every = counting.by_factor(material.runs, material.summaries)
    blocks = [html.table(head, [row(value, c) for value, c in of.items()], f"By {name}") for name, of in every.items()]
    reaching = [
        html.collapsible(f"F at which the median POIS of {name} reaches 0.5", table)
        for name, table in tables_of_F(material)
    ]
    return "\n".join([html.paragraph(MEANING), *blocks, *reaching])


def row(value: Any, c: Counts) -> list[str]:
    """A line of the tables by factor."""
    shares = [percent(c, name) for name in ("half", "nearly_all", "always_outside", "never_outside", "wide")]
    return [str(value), f"{c.configurations:,}", number(c.median), *shares, camps(c)]


def tables_of_F(material: Material) -> Iterator[tuple[str, str]]:
    """Per mutation, its name and a table of the F at which the median POIS reaches 0.5."""
    axes = material.runs.axes
    for mutation in axes["mutation"]:
        panels = [panel for panel in material.runs.panels() if panel.mutation == mutation]
        reaching = [(panel, counting.smallest_F_reaching(material.runs, panel).values()) for panel in panels]
        rows = [[panel.title, *(F_or_beyond(F, axes["F"]) for F in reached)] for panel, reached in reaching]
        name = f"DE/{names.short('mutation', mutation)}"
        yield name, html.table(["", *(f"Cr={Cr:g}" for Cr in axes["Cr"])], rows, name)


def F_or_beyond(F: float | None, measured: Sequence[float]) -> str:
    """An F in words; None lies beyond all that were measured."""
    return f"> {max(measured):g}" if F is None else number(F, 2)


def in_words(value: Any) -> str:
    """A value, or several, in words."""
    several = value if isinstance(value, list | tuple) else [value]
    return ", ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in several)


def percent(c: Counts, name: str) -> str:
    """A share of the configurations; a dash where there are none."""
    return f"{100 * c.share(name):.1f} %" if c.configurations else "–"


def camps(c: Counts) -> str:
    """How many configurations fall into two camps; a dash where runs are too few to tell."""
    return "–" if c.bimodal is None else f"{c.bimodal:,}"


def number(value: float, decimals: int = 3) -> str:
    """A number; a dash for NaN."""
    return f"{value:.{decimals}f}" if value == value else "–"


Section = Callable[[Material], str]
SECTIONS: list[tuple[str, Section]] = [
    ("The answer", answer),
    ("The paper's claims", claims),
    ("Factors", factors),
    ("Figures", figures),
    ("Numbers", numbers),
    ("What was run", what_was_run),
]
