"""The sections of a report. To add one, write a function and list it in SECTIONS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from debox.analysis import headline as counting
from debox.analysis import names
from debox.analysis.headline import Counts, Found
from debox.analysis.runs import Panel, Runs
from debox.design.fields import AXES, FIELDS, SHARED
from debox.design.study import Study
from debox.figures import catalogue
from debox.figures.draw.by_type import figure_of
from debox.figures.draw.save import render
from debox.figures.draw.style import in_style
from debox.figures.entry import NO_RUNS
from debox.report import html
from debox.report.svg import inline

# What is drawn, in this order, below these titles; names in the catalogue, or patterns of them.
FIGURES = {
    "All configurations": ("overview",),
    "Where does DE leave the box?": ("contours-*",),
    "POIS against F, and what generation 1 alone would give": ("ribbons/*-against-F",),
    "A run's life": ("drift", "life"),
    "The paper's figures": ("reading-key", "population-sizes", "mutations", "crossovers", "strategies-compared"),
}
MEANING = (
    "Shares are of configurations: whose median POIS is at least 0.5, at least 0.99; all of whose runs have a POIS of "
    "at least 0.999, of at most 0.001; whose runs span more than 0.1 (5 to 95 %). Runs fall into two camps if an empty "
    "gap, at least 0.1 and a third of their range wide, has at least a fifth of the runs, and five, on either side: "
    f"that needs {counting.TWO_CAMPS} runs."
)

NEEDS = f": needs {counting.TWO_CAMPS} runs"


@dataclass(frozen=True, eq=False)
class Story:
    """All that a section may tell of."""

    runs: Runs
    study: Study | None = None  # as planned
    made: Mapping[str, str] = field(default_factory=dict)  # by which versions, …

    @cached_property
    def found(self) -> list[Found]:
        """Every configuration with runs."""
        return counting.found(self.runs)


def what_was_run(story: Story) -> str:
    """The study as planned, what there is of it, and what made it."""
    runs = story.runs
    factors = [(name, in_words(runs.axes[name])) for name in AXES]
    shared = [(name, str(value)) for name in SHARED if (value := runs.setting(name)) is not None]
    keys = [name for name in FIELDS if name not in (*AXES, *SHARED)] if story.study else []
    rest = [(name, in_words(getattr(story.study, name))) for name in keys]
    planned = counting.planned(runs)
    there = f"{len(runs.rows):,} of {planned:,} configurations have runs, {len(runs.table['pois']):,} of "
    there += f"{planned * runs.planned:,} runs are there."
    if runs.left_out:
        there += f" {runs.further}."
    rows = [*factors, *shared, *rest, *((f"made by: {name}", value) for name, value in story.made.items())]
    return html.paragraph(there) + html.facts(rows)


def headline(story: Story) -> str:
    """The numbers that come first."""
    total = counting.counts(story.found)
    small = counting.counts(one for one in story.found if one.factors["F"] <= 1)
    entries = [
        (f"{number(total.median)}", "median POIS of the middle configuration"),
        (percent(total, "half"), "of configurations: at least half of all trials leave the box (median run)"),
        (percent(small, "half"), "the same with F ≤ 1 only"),
        (percent(total, "nearly_all"), "of configurations: at least 99 % of all trials do"),
        (percent(total, "always_outside"), "of configurations: POIS is 0.999 or more in every single run"),
        (percent(total, "never_outside"), "of configurations: POIS is 0.001 or less in every single run"),
        (percent(total, "wide"), "of configurations: runs differ by more than 0.1 in POIS (5 to 95 %)"),
        (camps(total), "configurations whose runs fall into two camps" + ("" if total.bimodal is not None else NEEDS)),
    ]
    return html.numbers(entries)


def figures(story: Story) -> str:
    """The figures, as part of the page."""
    parts = {title: "\n".join(figures_named(story.runs, names)) for title, names in FIGURES.items()}
    return "\n".join(f"<h3>{title}</h3>\n{part}" for title, part in parts.items() if part)


def figures_named(runs: Runs, names: tuple[str, ...]) -> Iterator[str]:
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


def tables(story: Story) -> str:
    """The counts by factor, and where the median POIS reaches 0.5."""
    head = ["", "configurations", "median POIS", "≥ 0.5", "≥ 0.99", "all ≥ 0.999", "all ≤ 0.001", "wide", "two camps"]
    every = counting.by_factor(story.runs, story.found)
    blocks = [html.table(head, [row(value, c) for value, c in of.items()], f"By {name}") for name, of in every.items()]
    reaching = [
        html.folded(f"F at which the median POIS of {name} reaches 0.5", table) for name, table in half_reached(story)
    ]
    return "\n".join([html.paragraph(MEANING), *blocks, *reaching])


def row(value: Any, c: Counts) -> list[str]:
    """A line of the tables by factor."""
    shares = [percent(c, name) for name in ("half", "nearly_all", "always_outside", "never_outside", "wide")]
    return [str(value), f"{c.configurations:,}", number(c.median), *shares, camps(c)]


def half_reached(story: Story) -> Iterator[tuple[str, str]]:
    """Per mutation, its name and a table of the F at which the median POIS reaches 0.5."""
    axes = story.runs.axes
    for mutation in axes["mutation"]:
        panels = [Panel(mutation, *rest) for rest in product(axes["crossover"], axes["strategy"], axes["N"])]
        leaving = [(panel, counting.leaving(story.runs, panel).values()) for panel in panels]
        rows = [[panel.title, *(F_or_beyond(F, axes["F"]) for F in found)] for panel, found in leaving]
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


Section = Callable[[Story], str]
SECTIONS: list[tuple[str, Section]] = [
    ("What was run", what_was_run),
    ("Headline numbers", headline),
    ("Figures", figures),
    ("Tables", tables),
]
