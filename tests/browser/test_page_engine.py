"""The page's engine on f0: its tables and chances by hand, its law against stored runs, in short.

`make law` asks at length.

The tests of the law reject an engine of the right law with a chance of at most 1 %; the seeds are fixed.
"""

from itertools import permutations

import numpy as np
import pytest
from benchmarks.law.page import PAGE, Stored, compare, engine_digest
from benchmarks.law.page_cases import MISTAKES, NEAR_ALL, OTHERS, PAPERS, SHORT_SEGMENTS, TARGET_MATTERS
from operator_lists import page_operators

import debox

SHORT = tuple(case for case in PAPERS if "N=5," in case)[::4]  # every mutation and nearly every strategy


@pytest.fixture(scope="module")
def stored():
    return Stored()


def run(modules, body, argument=None):
    return modules.evaluate(f"async (a) => {{ const m = await import('/engine.js'); {body} }}", argument)


def test_the_page_has_the_law_of_the_stored_runs(modules, stored):
    assert not compare(modules, stored, SHORT, runs=100).rejected


@pytest.mark.parametrize(
    ("mistake", "cases", "runs"),
    [
        ("a normal instead of a binomial number", NEAR_ALL[:4], 120),
        ("segments one component too long", SHORT_SEGMENTS[:1], 40),
        ("donors that avoid the target", TARGET_MATTERS[:6], 60),
    ],
)
def test_a_wrong_engine_is_rejected(modules, stored, mistake, cases, runs):
    assert compare(modules, stored, cases, mistake, runs).rejected


def test_the_long_comparison_covers_every_combination_operator_and_mistake():
    configs, others = [debox.Config(case) for case in PAPERS], [debox.Config(case) for case in OTHERS]
    assert len(set(PAPERS)) == len(PAPERS) >= 60
    assert len({(c.mutation, c.crossover, c.strategy) for c in configs}) == 4 * 2 * 5
    assert {c.N for c in configs} == {5, 20, 100}
    assert {c.mutation for c in (*configs, *others)} == set(page_operators("mutation"))
    assert {c.strategy for c in (*configs, *others)} == set(page_operators("strategy"))
    assert all(set(cases) <= set(PAPERS) or set(cases) <= set(OTHERS) for cases in MISTAKES.values())


def test_the_page_of_the_docs_is_of_this_engine():
    assert f"`{engine_digest()}`" in PAGE.read_text()


def test_the_tables_are_the_chances_of_the_spec(modules):
    """n = 4, Cr = 1/2: (1 − k/4)/2ᵏ for bin; exp takes more than d components with chance 1/2ᵈ."""
    keep, survival = run(modules, "return [[...m.keepTable(4, 0.5)], [...m.survivalTable(4, 0.5)]]")
    assert keep == [1, 3 / 8, 1 / 8, 1 / 32, 0]
    assert survival == [1, 1 / 2, 1 / 4, 1 / 8, 0]


@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize("donors", ["distinct", "not-target", "not-parents"])
def test_the_enumerated_chance_is_that_of_the_definition(modules, crossover, donors):
    """best/1 with N = 5, n = 3: the mean over pairs of donors of P(infeasible), each pair by hand in Python."""
    rng, N, n, F, Cr, best = np.random.default_rng(6), 5, 3, 0.9, 0.4, 2
    P = rng.random((N, n))
    body = """
        const engine = new m.Engine({ mutation: "best/1", strategy: "mirror", N: 5, n: 3, budget: 100, ...a.config })
        engine.P.set(a.P)
        engine.enumeration.update(a.best, true)
        return [...engine.enumeration.q]"""
    config = {"crossover": crossover, "donors": donors, "F": F, "Cr": Cr}
    found = run(modules, body, {"config": config, "P": P.ravel().tolist(), "best": best})
    expected = []
    for target in range(N if donors != "distinct" else 1):
        avoided = {"distinct": set(), "not-target": {target}, "not-parents": {target, best}}[donors]
        pairs = [pair for pair in permutations(range(N), 2) if not avoided & set(pair)]
        outside = [[not 0 <= v <= 1 for v in P[best] + F * (P[r1] - P[r2])] for r1, r2 in pairs]
        expected.append(np.mean([chance(flags, crossover, Cr) for flags in outside]))
    assert found == pytest.approx(expected, rel=1e-12)
    assert min(expected) > 0


def chance(outside, crossover, Cr):
    """P(infeasible) of a trial whose mutant has these components outside, over all that crossover takes."""
    n, total = len(outside), 0.0
    if crossover == "bin":
        k = sum(outside)
        return 1 - (1 - k / n) * (1 - Cr) ** k
    for start in range(n):
        for length in range(1, n + 1):
            p = Cr ** (length - 1) * (1 - Cr if length < n else 1)
            total += p / n * any(outside[(start + step) % n] for step in range(length))
    return total


def test_chances_kept_up_to_date_are_those_computed_anew(modules):
    body = """
        const { Random } = await import('/rng.js')
        const differences = []
        for (const mutation of ["rand/1", "rand/2", "best/1", "current-to-best/1", "rand-to-best/1"]) {
            const config = { mutation, crossover: "exp", strategy: "mirror", N: 5, n: 4, F: 0.8, Cr: 0.5, budget: 100 }
            const engine = new m.Engine(config), random = new Random(8), kept = engine.enumeration
            for (let i = 0; i < 20; i++) engine.P[i] = random.random()
            kept.update(2, true)
            for (const changed of [[1], [2], [0, 3], [4]]) {
                for (const i of changed) { engine.P[4 * i] = random.random(); kept.change(i) }
                kept.prepare(1e9, 2)
                const q = [...kept.q]
                kept.update(2, true)
                differences.push(...q.map((value, t) => Math.abs(value - kept.q[t])))
            }
        }
        return differences"""
    assert max(run(modules, body)) == 0


def test_a_run_counts_at_its_marks_and_repeats_itself(modules):
    body = """
        const { Random } = await import('/rng.js')
        const config = { mutation: "rand/1", crossover: "bin", strategy: "COTN", N: 7, n: 3, F: 0.9, Cr: 0.5 }
        const once = () => new m.Engine({ ...config, budget: 1000 }).run(new Random(1, 2), [5, 7, 8, 500, 1000])
        return [once(), once()]"""
    first, again = run(modules, body)
    assert first == again
    before, at_start, after_one, half, end = first["infeasibleAt"]
    assert before == at_start == 0
    assert after_one in (0, 1)
    assert 0 < half < end == first["infeasible"]
    assert 0 < first["best"] < 1


def test_acceptances_are_records(modules):
    """Without crossover or strategy having a say: a slot accepts H_{G+1} − 1 trials on average (docs/spec.md §5).

    400 runs; accepted at most 5 standard errors from its mean: false alarm below 10⁻⁶.
    """
    body = """
        const { Random } = await import('/rng.js')
        const config = { mutation: "rand/1", crossover: "bin", strategy: "mirror", N: 5, n: 1, F: 0.5, Cr: 0 }
        const engine = new m.Engine({ ...config, budget: 505 })
        return Array.from({ length: 400 }, (_, run) => engine.run(new Random(4, run)).accepted)"""
    accepted = np.array(run(modules, body))
    expected = 5 * sum(1 / k for k in range(2, 102))
    assert abs(accepted.mean() - expected) < 5 * accepted.std(ddof=1) / 20
    assert abs(1.1 * accepted.mean() - expected) > 5 * accepted.std(ddof=1) / 20


WRONG = {
    "donors must be one of distinct, not-target, not-parents, got all": {"donors": "all"},
    "F must be from 0 to 2, got 0": {"F": 0},
    "N must be at least 3 for rand/1, got 2": {"N": 2},
    "N must be a whole number from 2 to 200, got 2.5": {"N": 2.5},
    "budget must be at least N = 5, got 4": {"budget": 4},
    "n must be a whole number from 1 to 100, got 101": {"n": 101},
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_names_the_argument_and_what_is_allowed(modules, message):
    body = """
        const right = { mutation: "rand/1", crossover: "bin", strategy: "mirror", N: 5, F: 0.5, Cr: 0.5 }
        try { new m.Engine({ ...right, ...a }) } catch (error) { return error.message }"""
    assert run(modules, body, WRONG[message]) == message
