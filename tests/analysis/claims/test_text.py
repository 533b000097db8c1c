"""What people and programs read: no line beyond 100 columns, no p without its effect, JSON with everything."""

import json
from dataclasses import fields, replace

import claim_results
import pytest

from debox.analysis.claims import text
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.verdict import Result

HELD = replace(
    claim_results.HELD, evidence="mean share higher by a number on average, " * 5 + "with an exception", runs=30
)
LACKS = replace(
    *(HELD,), id="other", verdict=Verdict.NOT_TESTABLE, effect=None, p=None, p_part=None, agree=None, cells=0,
    evidence="not testable here: needs N = 20; the study has 5",
)  # fmt: skip


def test_a_claim_as_text():
    told = text.as_text([HELD, LACKS])
    assert max(map(len, told.splitlines())) <= 100
    assert told.startswith("POPULATION SIZE\n\nHOLDS          size-5-to-20\n    POIS rises from N=5")
    assert "difference of mean share 0.06674; p 2e-05; 94.3% of 1399 agree." in told
    assert "NOT TESTABLE   other" in told
    assert "Not testable here: needs N = 20; the study has 5." in told
    counts = "2 claims: 1 holds, 0 holds in part, 0 does not hold, 1 not testable"
    assert told.splitlines()[-3] == "share of a run = infeasible ÷ trials (POIS without the initial population)"
    assert told.splitlines()[-2:] == [counts, "on 30 of 50 planned runs of every configuration"]


def test_one_claim_is_one():
    assert text.tally([HELD]).startswith("1 claim: 1 holds")


def test_a_study_that_has_all_its_runs_is_told_as_such():
    assert text.basis([replace(one, planned=30) for one in (HELD, LACKS)]) == "30 runs of every configuration"


def test_in_part_the_p_of_half_the_share_is_told():
    assert "p 1e-06 (in part)" in text.as_text([replace(HELD, verdict=Verdict.IN_PART)])


@pytest.mark.parametrize(
    ("p", "words"), [(None, "none (exact)"), (1e-14, "< 1e-12"), (0.0004, "4e-04"), (0.0344, "0.034"), (1.0, "1.000")]
)
def test_p_in_words(p, words):
    assert text.format_p(p) == words


def test_json_has_every_field():
    told = json.loads(text.as_json([HELD, LACKS]))
    assert [set(one) for one in told] == [{field.name for field in fields(Result)}] * 2
    assert (told[0]["verdict"], told[0]["p"], told[1]["effect"]) == ("holds", 2e-5, None)


def test_markdown_has_a_row_and_the_evidence():
    page = text.as_markdown([HELD, LACKS])
    assert page.startswith("### Population size\n\n| claim | § | verdict | effect | p | agree |\n")
    assert "| **holds** | 0.06674 (difference of mean share) | 2e-05 | 94.3% of 1399 |" in page
    assert "| **not testable** |  |  |  |" in page
    assert "- `other`: not testable here: needs N = 20; the study has 5. Figure: population-sizes." in page
