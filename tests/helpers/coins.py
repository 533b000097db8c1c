"""Crossovers throw coins: all that these can show, and a generator that shows it."""

from fractions import Fraction
from itertools import product
from math import prod


class Scripted:
    """Stands in for a Generator: gives the prescribed numbers in their order."""

    def __init__(self, *numbers):
        self.left = list(numbers)

    def random(self):
        return self.left.pop(0)


def coins(n, Cr):
    """All that n coins can show: their numbers U, 0 for U ≤ Cr and 2 for U > Cr, and the probability of it"""
    Cr = Fraction(Cr)
    for shown in product((True, False), repeat=n):
        yield [0.0 if go_on else 2.0 for go_on in shown], prod(Cr if go_on else 1 - Cr for go_on in shown)
