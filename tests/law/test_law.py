"""The fast f0 engine has the law of the plain one, in all short cases; tests/slow/law/test_law.py has the control."""

import pytest
from benchmarks.law.cases import SHORT
from law_in_short import assert_law_of_plain


@pytest.mark.parametrize("case", SHORT, ids=lambda case: case.text)
def test_fast_has_the_law_of_plain(case):
    assert_law_of_plain(case)
