"""Fewer runs of the paper's study leave verdicts open; they turn none around."""

from dataclasses import replace

import pytest

from debox.analysis.runs import Runs
from debox.paper.verdict import Verdict, judge_all


@pytest.fixture(scope="module")
def study():
    return Runs.of("paper").complete()


@pytest.fixture(scope="module")
def verdicts(study):
    return {one.id: one.verdict for one in judge_all(study)}


@pytest.mark.parametrize("count", [10, 20, 30])
def test_no_verdict_is_refuted_by_fewer_runs(study, verdicts, count):
    fewer = {one.id: one.verdict for one in judge_all(replace(study, index=study.index[..., :count]))}
    refuted = {id for id, one in verdicts.items() if one is Verdict.NOT}
    assert {id for id, one in fewer.items() if one is Verdict.NOT} <= refuted
    assert [id for id in refuted if fewer[id] is Verdict.HOLDS] == []


def test_verdicts_do_change_where_they_should(study, verdicts):
    """The control: of five runs little is known, of four hardly anything, and F reversed refutes what F does."""
    five, four = (judge_all(replace(study, index=study.index[..., :count])) for count in (5, 4))
    assert sum(one.verdict is Verdict.OPEN for one in five) > 10
    assert sum(one.verdict is Verdict.NOT_TESTABLE for one in four) > 40
    reversed_ = replace(study, index=study.index[:, :, :, :, ::-1])
    (one,) = [one for one in judge_all(reversed_) if one.id == "parameters-F"]
    assert verdicts["parameters-F"] is Verdict.HOLDS
    assert one.verdict is Verdict.NOT
