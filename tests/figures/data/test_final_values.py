import numpy as np
import pytest

from debox.figures.data.final_values import final_values
from debox.optimize.compare import Comparison


def comparison(values):
    values = np.array(values, dtype=float)
    names = tuple("abc"[: len(values)])
    pois = np.linspace(0.1, 0.3, values.size).reshape(values.shape)
    evaluations, seeds = np.full(values.shape, 1000), tuple(range(values.shape[1]))
    return Comparison(names, values, pois, evaluations, values[:, :, None].copy(), seeds, "jDE")


def test_rows_stand_from_the_best_down_with_their_numbers():
    record = final_values(comparison([np.arange(5, 14), np.arange(1, 10)]))
    assert [row.strategy for row in record.rows] == ["b", "a"]
    assert [row.median for row in record.rows] == [5, 9]
    assert [row.interval for row in record.rows] == [(2, 8), (6, 12)]  # 2nd and 8th of 9
    assert record.rows[1].values == tuple(range(5, 14))
    assert record.rows[1].pois == pytest.approx(0.1 + 0.2 * 4 / 17)
    assert record.title == "jDE, 9 runs of 1,000 evaluations"


def test_the_best_and_the_worse_are_told_apart():
    record = final_values(comparison([[5] * 9, [1] * 9, [1] * 8 + [2]]))
    assert [(row.strategy, row.verdict) for row in record.rows] == [("b", "best"), ("c", ""), ("a", "worse")]


@pytest.mark.parametrize(
    ("values", "is_log"),
    [([1, 100], True), ([1, 5], False), ([0, 100], False), ([-1, 100], False), ([1e-9, 1e-3], True)],
)
def test_the_axis_is_logarithmic_where_positive_values_span_more_than_a_factor_of_ten(values, is_log):
    assert final_values(comparison([values])).is_log is is_log
