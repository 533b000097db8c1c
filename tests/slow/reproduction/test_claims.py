"""Verdicts of the pages are those of the data, beside those of before."""

import pytest
from reproduction import claims, numbers, readings

from debox.analysis.runs import Runs
from debox.paper.readings import tables_of
from debox.paper.statements import CLAIMS
from debox.paper.text import interval, measured


@pytest.fixture(scope="module")
def stored():
    return numbers.load()["claims"]


def test_the_verdicts_of_the_page_are_those_of_the_data(stored):
    """With their intervals and what was measured: in another part of the study many verdicts would be the same."""
    found = {one.id: [str(one.verdict), interval(one), measured(one), one.evidence] for one in claims.results()}
    told = {
        one["id"]: [one[name] for name in ("now", "share", "measured", "evidence")]
        for row in stored["sentences"].values()
        for one in row["readings"]
    }
    assert told == found, "run `python -m reproduction claims`"


def test_each_entry_of_before_has_one_verdict():
    """Of 21 that held, 23 that held in part, 25 that did not hold and one that could not be tested."""
    entries = [id for ids in claims.BEFORE.values() for id in ids]
    assert len(entries) == len(set(entries)) == 70
    now = {claims.SPLIT.get(claim.id, claim.id) for claim in CLAIMS}
    assert set(entries) <= now
    assert claims.before("parameters-Cr-faster-exp") == "does not hold"
    assert claims.before("size-shapes-overall") == ""


def test_dismiss_is_compared_with_as_many_runs_without_reevaluation():
    runs = claims.with_and_without_reevaluation()
    assert runs.axes["reevaluate"] == (False, True)
    assert runs.index.shape[-1] == 50


def test_what_a_reading_changes_is_what_its_page_says():
    stored = numbers.load()["readings"]
    given = readings.replace_runs(Runs.of("paper").complete(), "frozen", tables_of(None)["frozen"])
    again = numbers.plain({**readings.changes(given), **readings.moves(given)})
    assert {name: stored["of"]["frozen"][name] for name in again} == again, "run `python -m reproduction readings`"


def test_p_is_the_share_of_trials_in_which_chance_changes_as_many_verdicts():
    """Of a reading that changes none p is 1."""
    stored = numbers.load()["readings"]["of"]
    assert (stored["tolerance"]["changes"], stored["tolerance"]["p"]) == ([], 1)
    for one in stored.values():
        counts = one["by_chance"]
        assert one["p"] == pytest.approx((1 + sum(k >= one["random"] for k in counts)) / (1 + len(counts)), rel=1e-6)
        assert len(counts) in (0, 100)
