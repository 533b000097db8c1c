"""Random numbers for a batch of trials: one SFC64 generator per trial, side by side, stepped in a loop that vectorises.

SFC64 is C. Doty-Humphrey's (PractRand); each lane does what NumPy's SFC64 of the same state does. A generator of ours
is worth its few lines because it draws twice as fast as a call of NumPy's for each number (see docs/speed.md).
"""

import numpy as np

from debox.jit import kernel

SHIFT_OUT, SHIFT_RIGHT, SHIFT_LEFT, ROTATE, ROTATE_BACK, ONE = map(np.uint64, (11, 11, 3, 24, 40, 1))


@kernel
def uniforms(lanes, trials, u):
    """A fresh U(0,1) for each of so many trials; lanes[:, t] is the state of lane t"""
    for t in range(trials):
        a, b, c, counter = lanes[0, t], lanes[1, t], lanes[2, t], lanes[3, t]
        out = a + b + counter
        lanes[0, t] = b ^ (b >> SHIFT_RIGHT)
        lanes[1, t] = c + (c << SHIFT_LEFT)
        lanes[2, t] = ((c << ROTATE) | (c >> ROTATE_BACK)) + out
        lanes[3, t] = counter + ONE
        u[t] = np.int64(out >> SHIFT_OUT) * 2.0**-53
