"""Random numbers for a batch of trials: one SFC64 generator per trial, side by side, stepped in a loop that vectorises.

SFC64 is C. Doty-Humphrey's (PractRand); each lane does what NumPy's SFC64 of the same state does. A generator of ours
is worth its few lines because it draws twice as fast as a call of NumPy's for each number (see docs/speed.md).
"""

import numpy as np

from debox.de.jit import kernel

SHIFT_OUT, SHIFT_RIGHT, SHIFT_LEFT, ROTATE, ROTATE_BACK, ONE = map(np.uint64, (11, 11, 3, 24, 40, 1))


@kernel
def uniforms(lanes, u):
    """A fresh U(0,1) for every trial of the batch; lanes[:, t] is the state of lane t"""
    a, b, c, counter = lanes[0], lanes[1], lanes[2], lanes[3]
    for t in range(u.size):
        out = a[t] + b[t] + counter[t]
        counter[t] += ONE
        a[t] = b[t] ^ (b[t] >> SHIFT_RIGHT)
        b[t] = c[t] + (c[t] << SHIFT_LEFT)
        c[t] = ((c[t] << ROTATE) | (c[t] >> ROTATE_BACK)) + out
        u[t] = np.int64(out >> SHIFT_OUT) * 2.0**-53
