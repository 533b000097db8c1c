import numpy as np
import pytest

from debox.study.execute import is_part_due


@pytest.mark.parametrize(("elapsed", "seconds"), [(0, 5), (250, 5), (1000, 20), (3000, 60), (10**6, 60)])
def test_a_part_is_written_every_2_percent_of_the_time_at_least_5_and_at_most_60_seconds(elapsed, seconds):
    assert [is_part_due([], since, elapsed) for since in (seconds - 0.01, seconds + 0.01)] == [False, True]


@pytest.mark.parametrize(("numbers", "is_due"), [(7_999_625, False), (7_999_626, True)])
def test_a_part_is_written_at_64_megabytes(numbers, is_due):
    """Of 8 bytes a number, and 300 a row."""
    rows = [{"id": np.zeros(5), "best_x": np.broadcast_to(0.0, size)} for size in (1, numbers - 1)]
    assert is_part_due(rows, 0, 0) == is_due
