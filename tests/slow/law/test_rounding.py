"""The core fuses no product with a sum: under saturation the last bit of a mutant decides whether it counts.

docs/law.md says what it would change.
"""

import subprocess
from fractions import Fraction

import numpy as np
import pytest
from benchmarks import variants
from benchmarks.law.contraction import inspect
from benchmarks.law.rounding import BEGIN, END, PAGE

from debox import _core, operators
from debox.reference import current_to_best_1

F = 0.916


def fused(a, b, c):
    """a b + c, rounded once"""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@pytest.mark.parametrize("bound", [0.0, 1.0])
def test_a_mutant_that_is_its_target_on_a_bound_is_feasible_as_debox_rounds_and_not_if_products_are_fused(bound):
    """x_r1 = x_t and x_r2 = x_best, so v = x_t but for rounding"""
    best = np.random.default_rng(1).random(1000)
    fusing = np.array([fused(F, bound - b, fused(F, b - bound, bound)) for b in best])
    assert all(current_to_best_1(bound, b, bound, b, 0, 0, 0, F) == bound for b in best)
    outside = np.mean((fusing < 0) | (fusing > 1))
    assert 0.4 < outside < 0.6 if bound == 0 else outside == 0  # 0.5 ± 6 standard errors
    assert np.abs(fusing - bound).max() < 1e-16


def test_the_page_has_the_section_on_rounding_once():
    page = PAGE.read_text("utf-8")
    assert page.count(BEGIN) == page.count(END) == 1


def test_the_core_fuses_nothing():
    found = inspect(_core.__file__)
    assert found.fusing == []
    assert found.products > 100  # its code was seen


FORMULAS = {operator.function.__name__ for operator in operators.in_slot("mutation")}
MEASURE = (
    "import debox; print(*debox.measure('DE/curr-to-best/1/exp sat, N=100, F=0.916, Cr=0.99', runs=2, rng=1).pois)"
)


def test_in_a_core_that_fuses_it_would_be_seen_in_every_formula_and_in_the_counts():
    core = variants.build_core("-O2", *variants.FUSED)  # no less optimises so
    assert set(FORMULAS) <= set(inspect(core).fusing)
    ours, others = (variants.python(one, MEASURE, stdout=subprocess.PIPE).stdout for one in (_core.__file__, core))
    assert ours != others
