"""The digest of the code that makes a run's numbers: a constant for debox's own, and operators from outside."""

import re

import pytest

from debox import operators, register
from debox.operators.kinds import Mutation
from debox.study import work


def plus(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F x_r2"""
    return x_r1 + F * x_r2


def minus(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 − F x_r2"""
    return x_r1 - F * x_r2


@pytest.fixture
def mine():
    return register(Mutation("mine", plus, donors=2))


def test_the_digest_of_debox_is_that_of_stores_that_were_written_before(mine):
    assert work.source_digest(operators.OPERATORS) == work.source_digest() == "1d18543b0dbcbc78"


def test_an_operator_from_outside_is_in_the_digest_of_what_uses_it(mine):
    own, word = work.source_digest([mine, operators.find("strategy", "mirror"), mine]).split(" ")
    assert own == work.source_digest()
    assert re.fullmatch("mutation:mine=[0-9a-f]{16}", word)
    assert work.source_digest([Mutation("mine", minus, donors=2)]) != work.source_digest([mine])
    assert work.source_digest([Mutation("other", plus, donors=2)]) != work.source_digest([mine])


def test_the_order_of_operators_does_not_matter(mine):
    both = [mine, Mutation("other", minus, donors=2)]
    assert work.source_digest(both) == work.source_digest(both[::-1])
