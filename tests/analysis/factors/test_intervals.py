"""Forms by matrices that are written out; intervals hold the true share about as often as they say."""

from math import inf, isnan

import numpy as np
import pytest
from benchmarks import factors as synthetic
from projections import written_out

from debox.analysis.factors.analyse import remove_noise
from debox.analysis.factors.cells import Cells, mean, quantiles
from debox.analysis.factors.decompose import subsets, variances
from debox.analysis.factors.intervals import Form, forms, interval, value


@pytest.fixture
def cells():
    """Six cells of three quantiles each."""
    return quantiles(np.random.default_rng(5).random((2, 3, 6)))


def test_a_form_is_that_of_the_matrices_written_out(cells):
    """C = A − g B over cells and numbers, D with a block per cell, as whole matrices."""
    every, J, g = subsets(2), 3, 0.3
    w = np.array([0, 0.5, 0, 1.0])
    C = sum((w[k] - g * bool(u)) * np.kron(written_out(u, (2, 3)), np.eye(J)) for k, u in enumerate(every))
    D = np.zeros((18, 18))
    for k, block in enumerate(cells.noise.reshape(6, J, J)):
        D[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
    t = cells.estimate.ravel()
    V = remove_noise(cells)
    (form,) = forms(cells, [w], V)
    assert form.a - g * form.b == pytest.approx((t @ C @ t - np.trace(C @ D)) / 18, abs=1e-12)
    assert value(form.noise, g) == pytest.approx(t @ C @ D @ C @ t, rel=1e-9)
    assert value(form.length, g) == pytest.approx(t @ C @ C @ t, rel=1e-9)
    assert value(form.trace, g) == pytest.approx(np.trace(C @ D @ C @ D), rel=1e-9)
    assert form.numbers == 18


ONE_NUMBER = {"numbers": 1, "weight": 1.0, "weight_squared": 1.0, "others": True}


def simple(a, trace, noise=1.0, relative=False, b=1.0):
    return Form(a, b, relative, noise=(noise, 0, 0), length=(1.0, 0, 0), trace=(trace, 0, 0), **ONE_NUMBER)


def test_limits_solve_the_equation_of_the_test():
    """One number t ~ N(θ, 1): a = t² − 1 has the variance 4θ² + 2, so the limits solve (a − g)² = z² (4 g + 2)."""
    z2 = 1.959963984540054**2
    low, high = interval(simple(10.0, trace=1.0), 0.95)
    roots = np.roots([1, -2 * 10 - 4 * z2, 100 - 2 * z2])
    assert high == pytest.approx(max(roots), rel=1e-9)
    assert low == pytest.approx(min(roots), rel=1e-9)


def test_below_zero_only_noise_is_left():
    """(a − g)² = 2 z² for g < 0."""
    assert interval(simple(0.0, trace=1.0), 0.95)[0] == pytest.approx(-1.959963984540054 * np.sqrt(2), rel=1e-9)


def test_without_noise_an_interval_is_a_point():
    assert interval(simple(0.25, trace=0.0, noise=0.0), 0.95) == pytest.approx((0.25, 0.25), abs=1e-9)


def test_an_interval_grows_with_its_confidence():
    (low, high), (lower, higher) = (interval(simple(5.0, 1.0), confidence) for confidence in (0.5, 0.99))
    assert lower < low < 5 < high < higher


def test_a_share_of_what_is_not_there_may_be_anything_and_of_nothing_is_not_known():
    same = dict.fromkeys(("noise", "length", "trace"), (1.0, 0, 1))
    weak = Form(a=0.0, b=0.01, relative=True, **same, **ONE_NUMBER)
    assert interval(weak, 0.95) == (-inf, inf)
    assert all(isnan(limit) for limit in interval(simple(0.0, 0.0, b=0.0), 0.95))


def test_a_factor_without_freedom_has_the_share_zero_and_one_alone_the_share_one():
    runs = np.random.default_rng(6).normal([[0.0], [1.0], [5.0]], 0.1, (3, 8))[:, None, :]
    found = mean(runs)
    alone, none, both = (interval(form, 0.95) for form in forms(found, np.eye(4)[[2, 1, 3]], remove_noise(found)))
    assert alone == pytest.approx((1, 1), abs=1e-6)
    assert none == both == (0, 0)


def test_shares_of_known_cells_are_those_of_their_variances():
    """x + y over two and three levels, by the synthetic studies' own reckoning: what coverage is measured against."""
    expected = synthetic.true_shares(synthetic.CELLS[..., None])
    V = variances([synthetic.CELLS.mean((0, 2), keepdims=True) - synthetic.CELLS.mean()])
    assert expected[1] == pytest.approx(V[0] / synthetic.CELLS.var(), rel=1e-9)
    assert expected[0] == pytest.approx(0, abs=1e-12)
    assert expected[6:].sum() == pytest.approx(1)


def test_expected_order_statistics_of_two_normal_runs():
    assert synthetic.normal_order_statistics(2) == pytest.approx([-1 / np.sqrt(np.pi), 1 / np.sqrt(np.pi)], abs=1e-5)


def test_noise_of_a_cell_that_is_estimated_as_negative_on_the_whole_does_no_harm():
    found = Cells(np.array([[0.1], [0.5]]), np.full((2, 1, 1), -1e-4))
    (form,) = forms(found, [np.array([0.0, 1.0])], remove_noise(found), relative=False)
    low, high = interval(form, 0.95)
    assert low <= 0.0401 <= high
