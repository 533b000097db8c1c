"""Reports of small studies, by hand."""

import re
from html import escape

import numpy as np
import pytest
from adaptations import with_adaptations
from drawings import tell_instead_of_drawing
from plans import planned

import debox.report
from debox.analysis.runs import Runs
from debox.figures import catalogue
from debox.paper.statements import CLAIMS
from debox.report import report

SAT = ("rand/1", "bin", "saturation", 5)
FULL = {
    (*SAT, 0.5, 0.1): [0.2, 0.3],
    (*SAT, 0.5, 0.9): [0.6, 0.7],
    (*SAT, 1.5, 0.1): [0.7, 0.8],
    (*SAT, 1.5, 0.9): [0.4, 0.5],
}
PART = {(*SAT, 0.5, 0.1): [0.2, 0.3], (*SAT, 0.5, 0.9): [0.6, 0.7], (*SAT, 1.5, 0.1): [0.9, 0.9]}


def sections_of(page):
    """The HTML below each title."""
    return dict(re.findall(r"<h2>(.*?)</h2>\n(.*?)\n</section>", page, re.DOTALL))


def figures_in(text):
    return re.findall(r'<img id="figure-(.*?)"', text)


@pytest.fixture
def told(monkeypatch):
    """told(table, …): the sections of its report, in which figures hold their numbers."""
    tell_instead_of_drawing(monkeypatch)
    return lambda *arguments, **options: sections_of(report(*arguments, **options))


@pytest.fixture
def part(made, told):
    """Three of four configurations, two of four runs."""
    table = made(PART, n=3, budget=30)
    return told(table, study=planned(table, name="small", runs=4, seed=7))


def test_a_report_is_one_page_with_every_section(made):
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]})
    page = report(table, study=planned(table, name="small", runs=4))
    assert "<title>How often does DE leave the box? Study small</title>" in page
    titles = ["The answer", "The paper's claims", "Factors", "Figures", "Numbers", "What was run"]
    assert list(sections_of(page)) == [escape(title) for title in titles]
    assert "1 of 1 configurations have runs, 2 of 4 runs are stored.</p>" in page
    assert page.count("<figure>") == page.count('src="data:image/svg+xml;base64,') > 3


def test_what_was_run_has_factors_settings_and_is_folded(part):
    text = part["What was run"]
    assert text.startswith("<details><summary>")
    for name, value in (("F", "0.5, 1.5"), ("dimension", "3"), ("budget", "30"), ("seed", "7"), ("checkpoints", "")):
        assert f"<dt>{name}</dt><dd>{value}" in text


def test_reevaluate_is_that_of_the_runs_that_dismiss(made, told):
    table = made({(*SAT, 0.5, 0.1): [0.2], ("rand/1", "bin", "dismiss", 5, 0.5, 0.1): [0.3]})
    table["reevaluate"] = np.array([True, False])
    assert "<dt>reevaluate</dt><dd>False</dd>" in told(table)["What was run"]


def test_the_answer_is_numbers_and_three_sentences_with_figures_or_reasons(made, told, part):
    text = told(made(FULL))["The answer"]
    questions = ["How often does DE leave the box?", "What drives it?", "What surprises?"]
    assert re.findall(r"<h3>(.*?)</h3>", text) == questions
    assert text.count("What to set: ") == 3
    assert "conclusions of the paper that these runs can test" in text
    assert figures_in(text) == ["overview", "factors-shares", "last-step"]
    assert figures_in(part["The answer"]) == ["overview"]
    assert part["The answer"].count("These runs do not say: every configuration needs") == 2


def test_large_numbers_are_computed(part):
    found = re.findall(r"<dt>(.*?)</dt>", part["The answer"])
    # medians 0.25, 0.65, 0.9; with F ≤ 1: 0.25, 0.65
    assert found == ["0.650", "66.7 %", "50.0 %", "0.0 %", "0.0 %", "0.0 %", "0.0 %"]


def test_what_the_study_does_not_vary_is_left_out(made, told):
    """All F are at most 1; N, mutation and strategy have one level."""
    made_of = {key: pois for key, pois in FULL.items() if key[4] <= 1}
    assert {F for *_, F, _ in FULL} != {F for *_, F, _ in made_of}
    text = told(made(made_of))
    assert "the same with F ≤ 1 only" in told(made(FULL))["The answer"]
    assert "the same with F ≤ 1 only" not in text["The answer"]
    assert re.findall(r'<th scope="row">(\w+)</th><td>[-\d.]+ % \[', told(made(FULL))["Factors"]) == ["F", "Cr"]
    reasons = re.findall(r"<dt>(.*?)</dt>", text["The paper&#x27;s claims"].partition("do not test")[2])
    assert len(reasons) == len(set(reasons)) > 5  # each once, with all its sentences


def test_claims_have_a_row_each_and_the_untested_are_folded(made, told, part):
    text = told(made(FULL))["The paper&#x27;s claims"]
    rows = re.findall(r'<tr><th scope="row">.*?</th><td>[^<]*</td><td>(. [a-z ]+)</td>', text)
    assert rows
    assert set(rows) <= {"✓ holds", "◐ holds in part", "✗ does not hold", "? open"}
    assert f"{len(CLAIMS) - len(rows)} readings that these runs do not test" in text
    assert "What each verdict rests on" in text
    reason = "cannot be tested: every configuration needs the same 2 runs"
    assert reason in part["The paper&#x27;s claims"]


def test_the_paper_s_conclusions_are_about_one_adaptation(made, told):
    table = with_adaptations(made(FULL), fixed=0, SHADE=0.1)
    reason = "cannot be tested: the runs have adaptation = fixed, SHADE, and they are about one"
    assert reason in told(table)["The paper&#x27;s claims"]
    assert "cannot be tested" not in told(table, where=["adaptation=SHADE"])["The paper&#x27;s claims"]


def test_factors_are_a_table_or_a_reason(made, told, part):
    text = told(made(FULL))["Factors"]
    assert re.search(r'<th scope="row">F</th><td>-?[\d.]+ % \[', text)
    assert '<th scope="row">F × Cr</th>' in text
    assert figures_in(text) == ["factors-interaction"]
    assert "Factors cannot be told apart: every configuration needs" in part["Factors"]


def test_tables_have_a_row_per_level_and_say_where_half_leaves(part):
    text = part["Numbers"]
    assert '<th scope="row">saturation</th><td>3</td><td>0.650</td><td>66.7 %</td>' in text
    assert text.count("<caption>") == 7  # of each factor and of the mutation
    row = re.search(r'<th scope="row">DE/rand/1/bin sat, N=5</th>(.*?)</tr>', text)[1]
    first, second = re.findall(r"<td>(.*?)</td>", row)
    assert 0.5 < float(first) < 1.5
    assert second == "0.50"


def test_what_was_not_reached_is_beyond_the_largest_F(made, told):
    text = told(made({(*SAT, 0.5, 0.1): [0.2], (*SAT, 1.2, 0.1): [0.4]}))["Numbers"]
    assert '<th scope="row">DE/rand/1/bin sat, N=5</th><td>&gt; 1.2</td>' in text


def test_figures_have_their_titles_and_those_without_a_run_are_left_out(made, told):
    table = made(PART)
    text = told(table, study=planned(table, mutation=["rand/1", "rand/2"]))["Figures"]
    assert re.findall("<h3>(.*?)</h3>", text) == [escape(title, quote=False) for title in debox.report.FIGURES]
    drawn = figures_in(text)
    assert {"contours-rand-1", "ribbons-de-rand-1-bin-against-f", "life", "drift", "reading-key"} <= set(drawn)
    assert not {"contours-rand-2", "population-sizes"} & set(drawn)
    assert len(drawn) == len(set(drawn))


def test_a_run_s_life_without_its_checkpoints_is_a_note(made, told):
    table = made(PART)
    del table["pois_at_third"]
    text = told(table)["Figures"]
    assert text.count("<p>POIS over a run&#x27;s life needs the checkpoints 1/3 and 2/3") == 1
    assert not {"life", "drift"} & set(figures_in(text))


def test_runs_of_an_earlier_version_of_the_study_are_not_counted(made, monkeypatch):
    tell_instead_of_drawing(monkeypatch)
    table = made(PART)
    page = report(table, study=planned(table, runs=2, F=[0.5]))
    assert "2 of 2 configurations have runs, 4 of 4 runs are stored. 2 runs are not of this study." in page


def test_every_figure_named_exists(made):
    for names in debox.report.FIGURES.values():
        assert catalogue.choose(Runs.of(made(PART)), names)


def test_of_several_dimensions_one_is_reported(made, told):
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]}, n=3)
    table["dimension"] = table["dimension"] * [1, 2]
    with pytest.raises(ValueError, match="dimension = 3, 6"):
        report(table)
    assert "<dt>dimension</dt><dd>6</dd>" in told(table, where={"dimension": 6})["What was run"]


def test_nothing_run_yet_is_an_error(made):
    with pytest.raises(ValueError, match="there are no runs yet"):
        report(made({}), study=planned(made({})))
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]})
    with pytest.raises(ValueError, match="there are no runs; 2 runs are not of this study"):
        report(table, study=planned(table, F=[0.7]))


def test_values_are_written_shortly():
    assert debox.report.number(np.nan) == debox.report.percent(np.nan) == "–"
