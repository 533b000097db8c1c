"""Has the fast engine the law of the plain one, in short? Every second case in tests/slow, all in tests/law."""

from benchmarks.law.compare import LEVEL, compare

RUNS, LONGEST = 75, 3001


def shortened(case):
    """Less budget, so that the plain engine needs no more than a millisecond or so"""
    return case._replace(budget=min(case.budget, LONGEST))


def assert_law_of_plain(case):
    comparison = compare(shortened(case), runs=RUNS)
    assert min(comparison.p.values()) >= LEVEL, comparison
