"""Effects of tables whose variances are known by hand; projections as matrices that are written out."""

import numpy as np
import pytest
from projections import written_out

from debox.analysis.factors.decompose import (
    degrees,
    effects,
    projections,
    subsets,
    sums_by_agreement,
    variances,
    weighted_sum,
)

LEVELS = (2, 3, 4)


@pytest.fixture
def table():
    return np.random.default_rng(1).normal(size=(*LEVELS, 5))


def test_subsets_are_all_and_the_empty_one_is_first():
    assert subsets(2) == [(), (1,), (0,), (0, 1)]
    assert len(set(subsets(6))) == 64


def test_an_additive_function_has_main_effects_only():
    """x_a + 10 y_b with x = 0, 1 and y = 0, 1, 2: variances 1/4 and 100 · 2/3."""
    a, b = np.meshgrid([0.0, 1.0], [0.0, 1.0, 2.0], indexing="ij")
    V = dict(zip(subsets(2), variances(effects((a + 10 * b)[..., None])), strict=True))
    assert V[0,] == pytest.approx(1 / 4, abs=1e-12)
    assert V[1,] == pytest.approx(200 / 3, abs=1e-12)
    assert V[0, 1] == pytest.approx(0, abs=1e-12)
    assert V[()] == pytest.approx(10.5**2)


def test_a_product_of_centred_functions_is_all_interaction():
    """x y with x = ±1 and y = −1, 0, 1: variance 1 · 2/3."""
    product = np.multiply.outer([-1.0, 1.0], [-1.0, 0.0, 1.0])
    assert variances(effects(product[..., None])) == pytest.approx([0, 0, 0, 2 / 3], abs=1e-12)


def test_a_product_of_any_functions_by_hand():
    """∏ (m_k + z_k) with variances s_k² has V_u = ∏_{k ∈ u} s_k² ∏_{k ∉ u} m_k²."""
    values = [np.array([1.0, 3.0]), np.array([0.0, 1.0, 5.0]), np.array([2.0, 2.0, 3.0, 7.0])]
    table = values[0][:, None, None] * values[1][:, None] * values[2]
    by_hand = [np.prod([x.var() if k in u else x.mean() ** 2 for k, x in enumerate(values)]) for u in subsets(3)]
    assert variances(effects(table[..., None])) == pytest.approx(by_hand, rel=1e-12)


def test_effects_sum_to_the_table_and_their_variances_to_its_variance(table):
    parts = effects(table)
    assert weighted_sum(parts, np.ones(8)) == pytest.approx(table, abs=1e-12)
    spread = np.mean((table - table.mean(axis=(0, 1, 2))) ** 2)
    assert variances(parts)[1:].sum() == pytest.approx(spread, abs=1e-12)


def test_effects_of_different_subsets_are_orthogonal_and_sum_to_zero_along_their_factors(table):
    parts = effects(table)
    for i, (u, one) in enumerate(zip(subsets(3), parts, strict=True)):
        assert all(one.sum(axis=k) == pytest.approx(0, abs=1e-12) for k in u)
        assert all(np.mean(one * other) == pytest.approx(0, abs=1e-12) for other in parts[:i])


def test_a_factor_of_one_level_has_no_effect_at_all():
    parts = effects(np.random.default_rng(2).normal(size=(3, 1, 2, 4)))
    without = [V for u, V in zip(subsets(3), variances(parts), strict=True) if 1 in u]
    assert without == [0.0] * 4
    assert degrees((3, 1, 2)).tolist() == [1, 1, 0, 0, 2, 2, 0, 0]


def agreements(levels):
    """Which factors two cells agree in: the index of that subset, for all pairs of cells."""
    cells = np.array(list(np.ndindex(*levels)))
    same = cells[:, None, :] == cells[None, :, :]
    return same @ (2 ** np.arange(len(levels))[::-1])


def test_projections_are_those_written_out():
    agree, entries = agreements(LEVELS), projections(LEVELS)
    for u, row, d in zip(subsets(3), entries, degrees(LEVELS), strict=True):
        P = written_out(u, LEVELS)
        assert row[agree] == pytest.approx(P, abs=1e-12)
        assert np.trace(P) == pytest.approx(d)
        assert np.diag(P) == pytest.approx(d / 24)  # every cell's noise counts alike


def test_sums_by_agreement_are_those_of_all_pairs(table):
    cells = table.reshape(24, 5)
    products, agree = cells @ cells.T, agreements(LEVELS)
    by_hand = [products[agree == e].sum() for e in range(8)]
    assert sums_by_agreement(table) == pytest.approx(by_hand, rel=1e-9)
