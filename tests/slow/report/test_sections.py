"""Sections of a report on a small study."""

import re

import numpy as np
import pytest
from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures import old_catalogue as catalogue
from debox.paper.statements import CLAIMS
from debox.report import sections
from debox.report.material import Material
from debox.report.sections import answer, claims, factors, figures, headline, tables, what_was_run

SAT = ("rand/1", "bin", "saturation", 5)
FULL = {
    (*SAT, 0.5, 0.1): [0.2, 0.3],
    (*SAT, 0.5, 0.9): [0.6, 0.7],
    (*SAT, 1.5, 0.1): [0.7, 0.8],
    (*SAT, 1.5, 0.9): [0.4, 0.5],
}
CELLS = {(*SAT, 0.5, 0.1): [0.2, 0.3], (*SAT, 0.5, 0.9): [0.6, 0.7], (*SAT, 1.5, 0.1): [1.0, 1.0]}


@pytest.fixture(scope="module")
def material(made):
    study = planned(made(CELLS), name="small", runs=4, seed=7)
    return Material(Runs.of(made(CELLS), study), study, {"numpy": "2.0"})


@pytest.fixture(scope="module")
def drawn(material):
    """The figures of the report."""
    return figures(material)


def test_what_was_run_tells_factors_settings_and_what_is_missing(material):
    text = what_was_run(material)
    assert "3 of 4 configurations have runs, 6 of 16 runs are there." in text
    for name, value in (
        ("F", "0.5, 1.5"),
        ("dimension", "3"),
        ("budget", "30"),
        ("seed", "7"),
        ("made by: numpy", "2.0"),
    ):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in text


def test_reevaluate_is_told_of_the_runs_that_dismiss(made):
    table = made({(*SAT, 0.5, 0.1): [0.2], ("rand/1", "bin", "dismiss", 5, 0.5, 0.1): [0.3]})
    table["reevaluate"] = np.array([True, False])
    assert "<dt>reevaluate</dt><dd>False</dd>" in what_was_run(Material(Runs.of(table)))


def test_the_answer_is_three_sentences_with_pictures_or_reasons(made, material):
    text = answer(Material(Runs.of(made(FULL))))
    assert re.findall(r"<h3>(.*?)</h3>", text) == [
        "How often does DE leave the box?",
        "What drives it?",
        "What surprises?",
    ]
    assert text.count("What to set: ") == 3
    assert re.findall(r'<svg id="([^"]+)"', text) == ["figure-overview", "figure-factors-shares", "figure-last-step"]
    assert text.index("What surprises?") < text.index("<svg")
    lacking = answer(material)  # three of four configurations
    assert re.findall(r'<svg id="([^"]+)"', lacking) == ["figure-overview"]
    assert lacking.count("These runs do not say") == 2


def test_claims_have_a_row_each_and_the_untested_are_folded(made, material):
    text = claims(Material(Runs.of(made(FULL))))
    rows = re.findall(r'<tr><th scope="row">.*?</th><td>[^<]*</td><td>(. [a-z ]+)</td>', text)
    assert rows
    assert set(rows) <= {"✓ holds", "◐ holds in part", "✗ does not hold", "? open"}
    assert f"{len(CLAIMS) - len(rows)} readings that these runs do not test" in text
    assert "What each verdict rests on" in text
    assert "cannot be tested: every configuration needs" in claims(material)


def test_factors_are_a_table_or_a_reason(made, material):
    text = factors(Material(Runs.of(made(FULL))))
    assert re.search(r'<th scope="row">F</th><td>-?[\d.]+ % \[', text)
    assert "figure-factors-interaction" in text
    assert "Factors cannot be told apart: every configuration needs" in factors(material)


def test_what_was_run_is_folded(material):
    assert what_was_run(material).startswith("<details><summary>")


def test_headline_numbers_are_computed(material):
    found = re.findall(r"<dt>(.*?)</dt>", headline(material))
    # medians 0.25, 0.65, 1; with F ≤ 1: 0.25, 0.65; two runs are no camps
    assert found == ["0.650", "66.7 %", "50.0 %", "33.3 %", "33.3 %", "0.0 %", "0.0 %", "–"]
    assert "fall into two camps: needs 10 runs" in headline(material)


def test_tables_have_a_row_per_value_and_say_where_half_leaves(material):
    text = tables(material)
    assert '<th scope="row">saturation</th><td>3</td><td>0.650</td><td>66.7 %</td>' in text
    assert text.count("<caption>") == 7
    row = re.search(r'<th scope="row">DE/rand/1/bin sat, N=5</th>(.*?)</tr>', text)[1]
    first, second = re.findall(r"<td>(.*?)</td>", row)
    assert 0.5 < float(first) < 1.5
    assert second == "0.50"


def test_what_was_not_reached_is_beyond_the_largest_F(made):
    text = tables(Material(Runs.of(made({(*SAT, 0.5, 0.1): [0.2], (*SAT, 1.2, 0.1): [0.4]}))))
    assert '<th scope="row">DE/rand/1/bin sat, N=5</th><td>&gt; 1.2</td>' in text


def test_figures_are_inline_each_with_ids_of_its_own_and_alt_text(drawn):
    names = re.findall(r'<svg id="([^"]+)" role="img"', drawn)
    assert "figure-overview" not in names  # the answer shows it
    assert "<image" not in drawn
    assert "figure-ribbons-de-rand-1-bin-against-f" in names
    assert len(names) == len(set(names)) == drawn.count("<figure>") == drawn.count("<desc>")
    ids = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(ids) == len(set(ids))


def test_figures_without_a_run_and_their_title_are_left_out(material, drawn):
    assert "<h3>The paper" in drawn
    assert 'id="figure-reading-key"' in drawn
    assert 'id="figure-mutations"' not in drawn
    assert "Where does DE" in drawn
    none = Runs.of(material.runs.table, planned(material.runs.table, mutation=["rand/1", "rand/2"]))
    assert "figure-contours-rand-2" not in "".join(sections.figures_matching(none, ("contours-*",)))


def test_a_run_s_life_without_its_checkpoints_is_a_note(material):
    table = {name: column for name, column in material.runs.table.items() if name != "pois_at_third"}
    (note,) = sections.figures_matching(Runs.of(table), ("drift", "life"))
    assert note.startswith("<p>POIS over a run&#x27;s life needs the checkpoints 1/3 and 2/3")


def test_runs_of_an_earlier_version_of_the_study_are_not_counted(made):
    study = planned(made(CELLS), runs=2, F=[0.5])
    text = what_was_run(Material(Runs.of(made(CELLS), study), study))
    assert "2 of 2 configurations have runs, 4 of 4 runs are there. 2 runs are not of this study." in text


def test_every_figure_named_exists(material):
    for names in sections.FIGURES.values():
        assert catalogue.choose(material.runs, names)


def test_values_are_said_shortly():
    assert sections.in_words([0.05, 2.0, "bin", 5]) == "0.05, 2, bin, 5"
    assert sections.number(np.nan) == "–"
