"""A comparison as people and programs read it: 100 columns, a star and a sentence for each change, all in JSON."""

import json
from dataclasses import replace

import pytest
from claim_results import HELD

from debox.analysis.claims import compare_text
from debox.analysis.claims.compare import Comparison
from debox.analysis.claims.readings import READINGS
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.statements import CLAIMS

FAILS = replace(HELD, verdict=Verdict.NOT, effect=-0.2, agree=0.1)
OTHER = replace(HELD, id="size-20-to-100", verdict=Verdict.IN_PART)


@pytest.fixture
def comparisons():
    own = [HELD, OTHER]
    return [
        Comparison("as written", "the words", own, own, 0, 0),
        Comparison("frozen", "no trial is accepted", own, [FAILS, OTHER], 2400, 0),
    ]


def test_a_star_marks_the_change_alone(comparisons):
    rows = [line.split() for line in compare_text.as_text(comparisons).splitlines() if line.startswith("size-")]
    assert rows == [["size-5-to-20", "holds", "no*"], ["size-20-to-100", "part", "part"]]


def test_a_change_is_told_with_both_numbers(comparisons):
    told = " ".join(compare_text.as_text(comparisons).split())
    assert "frozen, size-5-to-20: holds becomes does not hold." in told
    assert "as written difference of mean share 0.06674; p 2e-05; 94.3% of 1399 agree" in told
    assert "frozen: difference of mean share -0.2; p 2e-05; 10.0% of 1399 agree." in told
    assert "2400 configurations have other runs" in told
    assert "1 of 2 verdicts change" in told
    assert told.endswith("Holds as written, but not under frozen: size-5-to-20.")


def test_no_change_is_told_too(comparisons):
    assert compare_text.as_text(comparisons[:1]).endswith(compare_text.NONE)


def test_all_claims_and_readings_fit_in_100_columns():
    results = [replace(HELD, id=claim.id, verdict=Verdict.IN_PART) for claim in CLAIMS]
    changed = [replace(result, verdict=Verdict.HOLDS) for result in results]
    fewer = [*changed]
    many = [Comparison(name, words, changed, results, 6000, 500) for name, words in READINGS.items()]
    many[-1] = replace(many[-1], before=fewer)
    assert [one.name for one in compare_text.columns(many)].count("as written, 50 runs, fewer cells") == 2
    assert max(map(len, compare_text.as_text(many).splitlines())) <= 100


def test_json_has_everything(comparisons):
    _, frozen = json.loads(compare_text.as_json(comparisons))
    assert (frozen["reading"], frozen["cells"], frozen["absent"]) == ("frozen", 2400, 0)
    assert [frozen[when][0]["verdict"] for when in ("before", "after")] == ["holds", "does not hold"]
