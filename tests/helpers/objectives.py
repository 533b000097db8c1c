"""An objective that tests of `minimize` share: for points and for columns of points, plain and compiled."""

import numba

from debox import Optimizer

BOUNDS = [(-1.0, 1.0), (0.25, 2.0), (-3.0, 4.0)]


def squares(x, centre=0.3):
    """For a point (n,) and for points (n, S), with the same roundings."""
    total = 0.0
    for i in range(len(x)):
        total = total + (x[i] - centre) * (x[i] - centre)
    return total


compiled_squares = numba.njit(squares)


def asked_and_told(**options):
    optimizer = Optimizer(BOUNDS, **options)
    while not optimizer.done:
        X = optimizer.ask()
        optimizer.tell(X, [squares(x) for x in X])
    return optimizer.result
