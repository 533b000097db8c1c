"""Verdicts: what the ends of the share of cells that agree decide, on which part of a study, in which words."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_runs import runs_of, table_of

import debox
from debox import paper
from debox.paper import text
from debox.paper.statements import CLAIMS, Claim
from debox.paper.tests import Finding, NotTestableError, rises
from debox.paper.verdict import Result, by_sentence, judge, judge_all, part_of, select, tally, without_absent

BOTH = {"crossover": ["bin", "exp"], "F": [0.3, 0.6, 0.9, 1.2]}
ONE_CELL = Finding(0.5, 0.0, "mean", 1, 0, 1)
BELOW = "crossover-exp-below-bin"  # in at least 80 % of the cells


def below(share):
    """exp is below bin in this share of the F, and above it in the others."""
    return lambda crossover, F, **_: 0.5 + 0.2 * (crossover == ("bin" if 0.3 + 1.2 * share > F else "exp"))


def result(claim=CLAIMS[0], found=ONE_CELL, evidence=""):
    return Result(claim, found, evidence, 20, 20)


@pytest.mark.parametrize(
    ("promised", "low", "high", "verdict"),
    [
        (0.8, 0.8, 1.0, "holds"),
        (0.8, 1 - 0.2, 1.0, "holds"),  # 1 − 0.2 is less than 0.8 by roundoff
        (0.8, 0.799, 1.0, "holds in part"),
        (0.8, 0.4, 0.4, "holds in part"),
        (0.8, 0.399, 1.0, "open"),
        (0.8, 0.0, 0.4, "open"),
        (0.8, 0.0, 0.399, "does not hold"),
        (0.05, 0.0, 0.024, "does not hold"),
        (1.0, 0.999, 1.0, "holds in part"),
    ],
)
def test_a_verdict_compares_the_promise_with_both_ends(promised, low, high, verdict):
    assert str(judge(promised, low, high)) == verdict


def test_the_ends_are_the_cells_that_agree_and_those_that_do_not_disagree():
    one = result(found=Finding(0.5, 0.0, "mean", 3, 2, 10))
    assert one.interval == pytest.approx((0.3, 0.8))
    assert np.isnan(result(found=None).interval).all()
    assert str(result(found=None).verdict) == "not testable"


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "holds"), (0.75, "holds in part"), (0.25, "does not hold")])
def test_the_paper_is_judged_by_the_cells_of_a_study(share, verdict):
    (one,) = paper.claims(table_of(below(share), **BOTH), only=BELOW)
    assert (str(one.verdict), one.interval) == (verdict, pytest.approx((share, share)))


def test_few_runs_leave_a_claim_open():
    wide = {"bin": np.tile([0.1, 0.9], 3), "exp": np.tile([0.9, 0.1], 3)}
    (one,) = paper.claims(table_of(lambda crossover, **_: wide[crossover], **BOTH), only=BELOW)
    assert (str(one.verdict), one.interval) == ("open", (0, 1))


def test_a_claim_is_about_its_part_of_the_study():
    claim = replace(
        CLAIMS[0], test=rises, options={"factor": "crossover", "low": "exp", "high": "bin"}, where={"F": "<=0.6"}
    )
    (one,) = judge_all(runs_of(below(0.5), **BOTH), [claim])
    assert (one.interval, one.finding.cells, one.evidence) == ((1, 1), 2, "F ≤ 0.6")
    (none,) = judge_all(runs_of(below(0.5), **BOTH), [replace(claim, where={"N": 5})])
    assert (none.finding, none.evidence) == (None, "where: N must be one of 20, got 5")
    with pytest.raises(NotTestableError, match="N must be one of 20, got 5"):
        part_of(runs_of(below(0.5), **BOTH), {"N": 5})


def test_levels_whose_configurations_are_not_there_are_left_out():
    """exp has no runs with F=.3: one F of four is left out rather than one crossover of two."""
    runs = runs_of(below(1.0), **BOTH)
    absent = (slice(None),) * 1 + (1,) + (0, 0, 0, 0)
    index = runs.index.copy()
    index[absent] = -1
    left, words = without_absent(replace(runs, index=index))
    assert (left.axes["F"], left.axes["crossover"]) == ((0.6, 0.9, 1.2), ("bin", "exp"))
    assert words == "without F 0.3, which some of the cells cannot have"
    assert without_absent(runs) == (runs, "")
    with pytest.raises(NotTestableError, match="none of its configurations exists"):
        without_absent(replace(runs, index=np.full_like(index, -1)))


def test_others_decide_what_no_study_of_f0_can():
    table, found = table_of(below(1.0), **BOTH), Finding(0.5, 0.0, "mean", 9, 0, 9)
    (one,) = paper.claims(table, only="amount-upper-bound", others={"amount-upper-bound": lambda runs: found})
    assert (one.finding, str(one.verdict)) == (found, "holds")
    assert str(paper.claims(table, only="amount-upper-bound")[0].verdict) == "not testable"
    with pytest.raises(ValueError, match=r"others must be a mapping, as from .* got 'data/bound\.parquet'"):
        paper.claims(table, others="data/bound.parquet")


def test_of_several_dimensions_one_is_chosen_but_for_the_claim_about_them():
    """In 10 dimensions exp is below bin, in 30 above it; POIS is larger in 30."""
    small, large = (table_of(below(share), dimension=n, **BOTH) for share, n in ((1.0, 10), (0.0, 30)))
    large["pois"] = large["pois"] + 0.1
    table = {name: np.concatenate([small[name], large[name]]) for name in small}
    assert [str(paper.claims(table, only=BELOW, n=n)[0].verdict) for n in (10, 30)] == ["holds", "does not hold"]
    with pytest.raises(ValueError, match="dimension = 10, 30; choose one"):
        paper.claims(table, only=BELOW)
    (one,) = paper.claims(table, only="amount-dimension")
    assert one.finding.cells == 8
    assert one.finding.effect == pytest.approx(0.1, abs=1e-4)


def test_dismiss_is_compared_with_itself_without_evaluating_the_target_again():
    """±.1 with, ±.1 + .06 without: more than half a bin apart."""
    levels = {"strategy": ["dismiss"], "F": [0.3, 0.6]}
    with_, without = (table_of(lambda F, more=more, **_: 0.5 + more * (F > 0.5), **levels) for more in (0.0, 0.06))
    table = {name: np.concatenate([with_[name], without[name]]) for name in with_}
    table["reevaluate"] = np.repeat([True, False], len(with_["run"]))
    (one,) = paper.claims(table, only="strategy-dismiss-penalty")
    assert (one.finding.agree, one.finding.against, one.finding.cells) == (1, 1, 2)


@pytest.mark.parametrize(
    ("only", "message"),
    [
        ("colapse", "no claim matches 'colapse'; there are strategy-dismiss"),
        (3, "such texts, got 3"),
        ([3], "got \\[3\\]"),
    ],
)
def test_only_is_ids_or_patterns(only, message):
    with pytest.raises(ValueError, match=message):
        select(only)


def test_patterns_choose_in_the_order_of_the_paper():
    assert [one.id for one in select("size-n*, size-5-to-20")] == ["size-5-to-20", "size-narrow"]
    assert select() == list(CLAIMS)


def test_runs_that_are_not_complete_are_refused():
    table = {name: column[:-1] for name, column in table_of(below(1.0), **BOTH).items()}
    with pytest.raises(ValueError, match="every configuration needs the same 20 runs, these have fewer: rand/1/exp"):
        paper.claims(table, only=BELOW)


def test_old_names_say_the_new_ones():
    with pytest.raises(AttributeError, match=r"debox\.compare_claims is now debox\.paper\.compare"):
        debox.compare_claims  # noqa: B018


# ---- Words -----------------------------------------------------------------------------------------------------------


def readings(*verdicts):
    """A sentence with a reading for each verdict: (agree, against) of 10 cells that promise 80 %."""
    cells = {"holds": (9, 0), "does not hold": (0, 9), "open": (0, 0), "not testable": None}
    for k, one in enumerate(verdicts):
        claim = Claim(f"claim-{k}", "Sentence", f"reading {k}", "4.1", "overview", rises, {}, 0.8)
        found = cells[one] and Finding(0.125, 0.01, "mean", *cells[one], 10)
        yield result(claim, found, "why")


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "does not hold"], "depends on the reading"),
        (["open", "holds"], "depends on the reading"),
        (["not testable"], "not testable"),
    ],
)
def test_a_sentence_has_the_verdict_of_all_its_readings_or_depends_on_them(verdicts, expected):
    assert by_sentence(list(readings(*verdicts))) == {"Sentence": expected}


def test_a_tally_counts_sentences():
    assert tally(list(readings("holds", "holds"))) == "1 sentence of the paper, 2 readings: 1 holds"
    two = [*readings("open"), *(replace(one, claim=replace(one.claim, sentence="B")) for one in readings("open"))]
    assert tally(two) == "2 sentences of the paper, 2 readings: 2 open"


def test_the_text_says_verdict_interval_and_what_was_measured():
    lines = text.as_text(list(readings("holds", "open", "not testable"))).splitlines()
    assert lines[0] == "Sentence (4.1)"
    assert lines[2] == "  HOLDS          claim-0"
    assert lines[3] == "    reading 0; [90.0, 100.0] % of 10 cells, 80% promised; mean 0.125 ± 0.02; why"
    assert "    reading 2; why" in lines
    assert lines[-1] == "on 20 runs of every configuration"


@pytest.mark.parametrize(("runs", "half"), [(50, "0.05"), (20, "0.05"), (3, "0.09")])
def test_what_was_measured_has_the_interval_of_students_t(runs, half):
    """An error of .02 from ten groups of runs: 2.262 of them; from three runs: 4.303."""
    found = Finding(0.125, 0.02, "mean", 9, 0, 10)
    assert text.measured(Result(CLAIMS[0], found, "", runs, 50)) == f"mean 0.125 ± {half}"
    assert text.measured(Result(CLAIMS[0], replace(found, error=0.0), "", runs, 50)) == "mean 0.125"


def test_json_has_an_object_for_each_reading():
    first, second = json.loads(text.as_json(list(readings("holds", "not testable"))))
    assert (first["id"], first["low"], first["high"], first["cells"]) == ("claim-0", 0.9, 1.0, 10)
    assert (second["verdict"], second["low"], second["cells"]) == ("not testable", None, None)
