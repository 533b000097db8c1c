"""The whole report of a small study."""

from html import escape

import pytest
from plans import planned

from debox.report import report
from debox.report.sections import SECTIONS

SAT = ("rand/1", "bin", "saturation", 5)


def test_a_report_is_one_page_with_every_section(made):
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]})
    page = report(table, study=planned(table, name="small"))
    assert "<title>How often does DE leave the box? Study small</title>" in page
    assert [title for title, _ in SECTIONS] == [
        *("The answer", "The paper's claims", "Factors", "Figures", "Numbers", "What was run")
    ]
    for title, _ in SECTIONS:
        assert f"<h2>{escape(title)}</h2>" in page


def test_a_later_section_is_one_more_entry_of_the_list(made, monkeypatch):
    monkeypatch.setattr(
        "debox.report.tell.SECTIONS", [("Claims", lambda material: f"<p>{len(material.summaries)} found</p>")]
    )
    page = report(made({(*SAT, 0.5, 0.1): [0.2, 0.3], (*SAT, 0.5, 0.9): [0.2]}))
    assert "<h2>Claims</h2>\n<p>2 found</p>" in page


def test_of_several_dimensions_one_is_told(made, monkeypatch):
    monkeypatch.setattr("debox.report.tell.SECTIONS", [("n", lambda story: str(len(story.runs.table["pois"])))])
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]})
    table["dimension"] = table["dimension"] * [1, 2]
    with pytest.raises(ValueError, match="dimension = 3, 6"):
        report(table)
    assert "<h2>n</h2>\n1\n" in report(table, where={"dimension": 6})


def test_nothing_run_yet_is_an_error(made):
    with pytest.raises(ValueError, match="there are no runs yet"):
        report(made({}), study=planned(made({})))
    table = made({(*SAT, 0.5, 0.1): [0.2, 0.3]})
    with pytest.raises(ValueError, match="there are no runs; 2 runs are not of this study"):
        report(table, study=planned(table, F=[0.7]))
