"""Checks of values that are not one key's alone; those of the keys are in test_fields.py."""

import pytest

from debox.design import checks


def test_exact_values_are_those_that_were_cut_to_three_decimals():
    printed = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
    exact = checks.equally_spaced("F", printed)
    assert exact == pytest.approx([0.05 + k * 1.95 / 9 for k in range(10)], abs=1e-15)
    assert checks.equally_spaced("F", (0.7,)) == (0.7,)


def test_values_that_are_not_equally_spaced_have_no_exact_ones():
    with pytest.raises(ValueError, match=r"Cr must be equally spaced.*got 0\.4 where 0\.500 should be"):
        checks.equally_spaced("Cr", (0.0, 0.4, 1.0))
