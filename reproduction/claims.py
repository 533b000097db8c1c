"""The paper's conclusions put to the test: a verdict on each sentence, beside the verdict under the rules of before."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import numpy as np

from debox import paper
from debox.analysis.runs import Runs
from debox.f0 import theory
from debox.paper.bound import tests_of
from debox.paper.readings import tables_of
from debox.paper.statements import CLAIMS
from debox.paper.text import interval, measured
from debox.paper.verdict import DEPENDS, Result, Verdict, by_sentence
from reproduction import bound, dimension
from reproduction.numbers import DATA

# Ids by their verdicts in docs/claims.md of revision 7b07a16, under the rules of then.
BEFORE = json.loads((DATA / "verdicts-before.json").read_text("utf-8"))
SPLIT = {  # entries of one crossover each, which were one entry
    f"{name}-{crossover}": name
    for name in ("parameters-Cr-faster", "parameters-Cr-faster-per-unit")
    for crossover in ("bin", "exp")
}
DIMENSION, PENALTY = "amount-dimension", "strategy-dismiss-penalty"  # decided by other runs than the study's


def before(id: str) -> str:
    """The verdict on a claim under the rules of before; empty if there was no such entry."""
    return next((verdict for verdict, ids in BEFORE.items() if SPLIT.get(id, id) in ids), "")


def with_and_without_reevaluation() -> Runs:
    """The study's runs of dismiss, and as many in which a dismissed trial is not evaluated again."""
    other = tables_of(None)["no-reevaluation"]
    study = Runs.of("paper", where={"strategy": "dismiss"}).complete()
    rows = study.index.ravel()
    names = ("mutation", "crossover", "strategy", "N", "F", "Cr", "dimension", "budget", "pois")
    table = {name: np.concatenate([study.table[name][rows], other[name]]) for name in names}
    return Runs.of({**table, "reevaluate": np.repeat([True, False], [len(rows), len(other["pois"])])})


def results() -> list[Result]:
    """The verdict on every claim: from the paper's study, or from the runs made for it."""
    found = {one.id: one for one in paper.claims("paper", others=tests_of(bound.DATA))}
    found |= {one.id: one for one in paper.claims(dimension.runs(), only=DIMENSION)}
    found |= {one.id: one for one in paper.claims(with_and_without_reevaluation(), only=PENALTY)}
    return [found[claim.id] for claim in CLAIMS]


def numbers() -> dict[str, Any]:
    """What docs/claims.md says."""
    every = results()
    verdicts = by_sentence(every)
    rows: dict[str, Any] = {
        sentence: {"verdict": verdict, "section": "", "readings": []} for sentence, verdict in verdicts.items()
    }
    for one in every:
        row, found = rows[one.claim.sentence], one.finding
        row["section"] = one.claim.section
        row["readings"].append(
            {
                "id": one.id,
                "reading": one.claim.reading,
                "before": before(one.id),
                "now": str(one.verdict),
                "share": interval(one),
                "cells": found.cells if found else 0,
                "promised": one.claim.promised,
                "measured": measured(one),
                "evidence": one.evidence,
            }
        )
    one_of = {one.id: one for one in every}
    old = [(before(one.id), str(one.verdict)) for one in every if before(one.id)]
    dismissed = with_and_without_reevaluation()
    falls, full = (one_of[id].finding for id in ("collapse-exists", "amount-full-cells"))
    return {
        "counts": {kind: list(verdicts.values()).count(kind) for kind in (*map(str, Verdict), DEPENDS)},
        "same": sum(was == now for was, now in old),
        "changed": {f"{was} → {now}": count for (was, now), count in Counter(old).items() if was != now},
        "new": len(every) - len(old),
        "full": [full.effect],
        "most_of_exp": most_of_exp(),
        "detected": falls.agree,
        "rows_of_Cr": falls.cells,
        "penalty": np.abs(np.diff(dismissed.share.mean(-1), axis=dismissed.axis("reevaluate"))).max(),
        "bound": about_bound(),
        "dimension": about_dimension(),
        "sentences": rows,
    }


def most_of_exp() -> float:
    """The largest chance of an infeasible trial in generation 1 with exp, on the paper's grid."""
    runs = Runs.of("paper", where={"crossover": "exp"})
    names = ("mutation", "N", "F", "Cr")
    variants = product(*(runs.axes[name] for name in names))
    return max(theory.trial_infeasible(f"DE/{m}/exp sat, N={N}, F={F}, Cr={Cr}", 30) for m, N, F, Cr in variants)


def about_bound() -> dict[str, Any]:
    """What runs there are on other functions, and the function on which most pairs are above f0."""
    above = tests_of(bound.DATA)["amount-upper-bound"](Runs.of("paper")).by.rpartition("above f0: ")[2]
    counts = {words.split()[0]: int(words.split()[1]) for words in above.split(", ")}
    return {
        "functions": len(bound.BOXES) - 1,
        "configurations": len(bound.configurations()),
        "runs": bound.RUNS,
        "budget": bound.BUDGET,
        "runs_on_f0": bound.RUNS_ON_F0,
        "most": max(counts, key=lambda name: counts[name]),
    }


def about_dimension() -> dict[str, Any]:
    """What runs there are in several dimensions."""
    runs = dimension.runs()
    levels = runs.axes["dimension"]
    return {"levels": levels, "configurations": runs.counts.size // len(levels), "runs": runs.planned}
