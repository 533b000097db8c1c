"""Two kernels that count numbers of a sample, for tests of what is done with kernels."""

from typing import Any, NamedTuple

import numpy as np

from debox.jit import kernel


class Sample(NamedTuple):
    numbers: Any
    size: int


@kernel
def above(sample, limit):
    return np.sum(sample.numbers[: sample.size] > limit)


@kernel
def below(sample, limit):
    return np.sum(sample.numbers[: sample.size] < limit)
