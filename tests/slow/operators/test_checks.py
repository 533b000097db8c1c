"""An operator is tried before it is registered: debox's own pass, and an error shows where a wrong one goes wrong.

The law of a crossover or a donor rule is refused beyond 6 standard errors, once in 10⁹ comparisons; the random numbers
of the checks are fixed.
"""

import pytest

from debox.operators import OPERATORS
from debox.operators.checks import check


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: f"{operator.slot} {operator.name}")
def test_the_operators_of_debox_pass(operator):
    check(operator)
