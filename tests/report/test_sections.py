"""Sections of a report on a small study."""

import re

import numpy as np
import pytest

from debox.figures.data.runs import Runs
from debox.report import sections
from debox.report.sections import SECTIONS, Story, figures, headline, tables, what_was_run

SAT = ("rand/1", "bin", "saturation", 5)
CELLS = {(*SAT, 0.5, 0.1): [0.2, 0.3], (*SAT, 0.5, 0.9): [0.6, 0.7], (*SAT, 1.5, 0.1): [1.0, 1.0]}


@pytest.fixture
def story(made):
    study = {"name": "small", "runs": 4, "seed": 7, "F": [0.5, 1.5], "Cr": [0.1, 0.9]}
    return Story(Runs.of(made(CELLS), study), study, {"numpy": "2.0"})


def test_what_was_run_tells_factors_settings_and_what_is_missing(story):
    text = what_was_run(story)
    assert "3 of 4 configurations have runs, 6 of 16 runs are there." in text
    for name, value in (("F", "0.5, 1.5"), ("n", "3"), ("budget", "30"), ("seed", "7"), ("made by: numpy", "2.0")):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in text


def test_reevaluate_is_told_of_the_runs_that_dismiss(made):
    table = made({(*SAT, 0.5, 0.1): [0.2], ("rand/1", "bin", "dismiss", 5, 0.5, 0.1): [0.3]})
    table["reevaluate"] = np.array([True, False])
    assert "<dt>reevaluate</dt><dd>False</dd>" in what_was_run(Story(Runs.of(table)))


def test_headline_numbers_are_computed(story):
    found = re.findall(r"<dt>(.*?)</dt>", headline(story))
    # medians 0.25, 0.65, 1; with F ≤ 1: 0.25, 0.65; no camps of five
    assert found == ["0.650", "66.7 %", "50.0 %", "33.3 %", "33.3 %", "0.0 %", "0.0 %", "0"]


def test_tables_have_a_row_per_value_and_say_where_half_leaves(story):
    text = tables(story)
    assert '<th scope="row">saturation</th><td>3</td><td>0.650</td><td>66.7 %</td>' in text
    assert text.count("<caption>") == 7
    row = re.search(r'<th scope="row">DE/rand/1/bin sat, N=5</th>(.*?)</tr>', text)[1]
    first, second = re.findall(r"<td>(.*?)</td>", row)
    assert 0.5 < float(first) < 1.5
    assert second == "0.50"


def test_figures_are_inline_each_with_ids_of_its_own_and_alt_text(story):
    text = figures(story)
    drawn = re.findall(r'<svg id="([^"]+)" role="img"', text)
    assert drawn[0] == "figure-overview"
    assert "<image" not in text
    assert "figure-ribbons-de-rand-1-bin-against-f" in drawn
    assert len(drawn) == len(set(drawn)) == text.count("<figure>") == text.count("<desc>")
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_every_figure_named_exists(story):
    for names in sections.FIGURES.values():
        assert sections.make.sheets(story.runs, names)


def test_nothing_run_yet_is_told_too(made):
    study = {
        "runs": 4,
        **{name: [value] for name, value in zip(("mutation", "crossover", "strategy"), SAT, strict=False)},
    }
    study |= {"N": [5], "F": [0.5, 1.5], "Cr": [0.1, 0.9]}
    story = Story(Runs.of(made({}), study), study)
    text = "".join(tell(story) for _, tell in SECTIONS)
    assert "0 of 4 configurations have runs, 0 of 16 runs are there." in text
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL).lower()


def test_values_are_said_shortly():
    assert sections.said([0.05, 2.0, "bin", 5]) == "0.05, 2, bin, 5"
    assert sections.number(np.nan) == "–"
