"""The fast f0 engine has the law of the plain one: in short. `python -m benchmarks.law` (make law) asks at length.

Each case is tested at a level such that, were the laws equal, any of them would fail with a chance of at most 1 %.
"""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from benchmarks.law.cases import CASES, SHORT, unwritten
from benchmarks.law.compare import FALSE_ALARM, LEAST, QUANTITIES, Comparison, compare, joint, sample
from benchmarks.law.wrong import MISTAKES
from law_in_short import RUNS, assert_law_of_plain
from operator_lists import FAST_MUTATIONS, FAST_STRATEGIES, PAPER_MUTATIONS, PAPER_STRATEGIES
from scipy.stats import norm

from debox import operators
from debox.f0.engines import Fast

RUNS_OF_A_WRONG_ENGINE = RUNS, 2 * RUNS, 1000  # most are seen with the first number; `make law` has 2500 and more


def names(slot):
    return [operator.name for operator in operators.in_slot(slot)]


@pytest.mark.parametrize("case", SHORT[::2], ids=lambda case: case.text)
def test_fast_has_the_law_of_plain(case):
    """Of every second case; tests/law has all."""
    assert_law_of_plain(case)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_wrong_engine_is_rejected(mistake):
    """With fewer runs than `make law` has, and at the same level: what is seen here is seen there.

    Were it no mistake, one of three comparisons would reject it with a chance of at most 3 · 7 · LEVEL, 0.00025.
    """
    assert mistake.case in CASES
    assert max(RUNS_OF_A_WRONG_ENGINE) < LEAST
    assert any(compare(mistake.case, mistake.engine, runs).rejected for runs in RUNS_OF_A_WRONG_ENGINE)


def test_the_cases_cover_every_combination_of_operators():
    configs = [case.config for case in CASES]
    assert len(set(CASES)) == len(CASES) >= 60
    papers = [[operator.name for operator in operators] for operators in (PAPER_MUTATIONS, PAPER_STRATEGIES)]
    triples = set(product(papers[0], names("crossover"), papers[1]))
    assert {(c.mutation, c.crossover, c.strategy) for c in configs} >= triples
    fast = [mutation.name for mutation in FAST_MUTATIONS]
    assert {(c.mutation, c.donors) for c in configs} == set(product(fast, names("donors")))
    assert {(c.mutation, c.crossover) for c in configs} == set(product(fast, names("crossover")))
    assert {c.strategy for c in configs} == {strategy.name for strategy in FAST_STRATEGIES}
    assert {c.strategy for c in configs if c.repair == "mutant"} == {s.name for s in FAST_STRATEGIES if s.minds_repair}
    every_size = set(product(papers[0], names("crossover"), (5, 20, 100)))
    assert every_size <= {(c.mutation, c.crossover, c.N) for c in configs}


def test_the_short_cases_have_every_two_of_the_papers_operators_together():
    configs = [case.config for case in SHORT]
    by_slot = {
        "mutation": [operator.name for operator in PAPER_MUTATIONS],
        "crossover": names("crossover"),
        "strategy": [operator.name for operator in PAPER_STRATEGIES],
    }
    for one, other in combinations(by_slot, 2):
        together = {(getattr(config, one), getattr(config, other)) for config in configs}
        assert together >= set(product(by_slot[one], by_slot[other])), (one, other)
    assert set(SHORT) < set(CASES)


def test_a_strategy_of_ones_own_has_its_cases_by_itself(monkeypatch):
    mine = replace(operators.find("strategy", "saturation"), name="mine", short="mine")
    monkeypatch.setattr(operators, "OPERATORS", (*operators.OPERATORS, mine))
    configs = [case.config for case in unwritten()]
    assert sorted(c.crossover for c in configs if c.strategy == "mine") == sorted(names("crossover"))


def test_the_cases_cover_what_is_odd():
    configs = [case.config for case in CASES]
    assert {1, 2, 65} <= {case.n for case in CASES}
    assert {4, 7} <= {c.N for c in configs}
    assert {0.0, 1.0} <= {c.Cr for c in configs}
    assert {c.mutation for c in configs if c.F == 2} == {mutation.name for mutation in FAST_MUTATIONS}
    assert any(c.frozen for c in configs)
    assert any(not c.reevaluate and c.strategy == "dismiss" for c in configs)
    assert any(case.box for case in CASES)
    assert any(case.budget % case.config.N for case in CASES)
    assert any(case.budget // 3 % case.config.N for case in CASES)


@pytest.mark.parametrize("mutation", [mutation.name for mutation in PAPER_MUTATIONS])
@pytest.mark.parametrize("crossover", names("crossover"))
def test_quiet_stretches_are_simulated_in_some_cases_and_enumerated_in_others(mutation, crossover):
    simulated, enumerated = [], []

    class Watched(Fast):
        def begin(self, rng):
            super().begin(rng)
            self.lanes = self.tables.values["lanes"].copy()

        def outcome(self):
            simulated.append((self.tables.values["lanes"] != self.lanes).any())  # trials were drawn
            enumerated.append(self.tables.values["total"].any())  # chances were computed
            return super().outcome()

    for case in CASES:
        if (case.config.mutation, case.config.crossover) == (mutation, crossover):
            sample(case, Watched, runs=1, seed=0, workers=1)
    assert any(simulated)
    assert any(enumerated)


def comparison(z, p):
    return Comparison(CASES[0], RUNS, (0.5, 0.5), 0.03, z, dict.fromkeys(QUANTITIES, p))


def test_differences_too_small_for_one_case_are_seen_in_all_together():
    """60 evenly spread p-values with alternating signs are as uniform as can be; with one sign, or all small, not."""
    p = (np.arange(60) + 0.5) / 60
    z = norm.isf(p / 2)
    level = FALSE_ALARM / 3
    even = joint([comparison(s * x, q) for x, q, s in zip(z, p, [1, -1] * 30, strict=True)])
    assert min(even.values()) > 0.5
    one_sided = joint([comparison(x, q) for x, q in zip(z, p, strict=True)])
    assert one_sided["all differences of the mean have sum 0"] < level
    small = joint([comparison(0.0, q / 2) for q in p])
    assert small["p-values of the mean are uniform"] < level
    assert small["p-values of best f are uniform"] < level
