"""Verdicts of the pages are those of the data, beside those of before."""

import pytest
from reproduction import claims, numbers

from debox.paper.statements import CLAIMS


@pytest.fixture(scope="module")
def stored():
    return numbers.load()["claims"]


def test_the_verdicts_of_the_page_are_those_of_the_data(stored):
    found = {one.id: str(one.verdict) for one in claims.results()}
    told = {one["id"]: one["now"] for row in stored["sentences"].values() for one in row["readings"]}
    assert told == found, "run `python -m reproduction claims`"


def test_each_entry_of_before_has_one_verdict():
    """Of 21 that held, 23 that held in part, 25 that did not hold and one that could not be tested."""
    entries = [id for ids in claims.BEFORE.values() for id in ids.split()]
    assert len(entries) == len(set(entries)) == 70
    now = {claims.SPLIT.get(claim.id, claim.id) for claim in CLAIMS}
    assert set(entries) <= now
    assert claims.before("parameters-Cr-faster-exp") == "does not hold"
    assert claims.before("size-shapes-overall") == ""


def test_dismiss_is_compared_with_as_many_runs_without_reevaluation():
    runs = claims.with_and_without_reevaluation()
    assert runs.axes["reevaluate"] == (False, True)
    assert runs.index.shape[-1] == 50
