"""A fingerprint changes with what a kernel does, and with nothing else."""

import re
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from debox.jit import kernel
from debox.jit.fingerprint import fingerprint


class Sample(NamedTuple):
    numbers: Any
    size: int


@kernel
def above(sample, limit):
    return np.sum(sample.numbers[: sample.size] > limit)


@kernel
def below(sample, limit):
    return np.sum(sample.numbers[: sample.size] < limit)


def fingerprint_of(body, **names):
    """Of a kernel with a piece of code in it, compiled from its source"""
    exec(f"def mine(x):\n    return {body}", names)
    return fingerprint(kernel(names["mine"]))


PIECES = ["(lambda y: y + 1.0)(x)", "sum(y * 2.0 for y in (x, x))", "(lambda y: (lambda z: z - 1.0)(y))(x)"]


@pytest.mark.parametrize("body", PIECES)
def test_a_fingerprint_is_the_same_for_the_same_code_in_a_kernel_and_in_any_process(body):
    script = f"""
from debox.jit.fingerprint import fingerprint
names = {{}}
exec("def mine(x):\\n    return {body}", names)
print(fingerprint(names["mine"]))"""
    processes = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True) for _ in range(2)]
    found = [fingerprint_of(body), fingerprint_of(body), *(process.stdout.strip() for process in processes)]
    assert len(set(found)) == 1
    assert re.fullmatch("[0-9a-f]{8}", found[0])


@pytest.mark.parametrize("body", PIECES)
@pytest.mark.parametrize(
    ("what", "other"), [("1.0", "3.0"), ("2.0", "3.0"), (" + ", " - "), (" - ", " + "), ("*", "/")]
)
def test_a_fingerprint_tells_what_the_code_in_a_kernel_does(body, what, other):
    assert (fingerprint_of(body) == fingerprint_of(body.replace(what, other))) == (what not in body)


def test_a_fingerprint_tells_what_the_code_in_a_kernel_names():
    def shifted(shift):
        return fingerprint_of("(lambda y: y + SHIFT)(x)", SHIFT=shift)

    assert shifted(0.0) == shifted(0.0)
    assert shifted(0.0) != shifted(1.0)
    called = [fingerprint_of("(lambda y: other(y, y))(x)", other=other) for other in (above, below, above)]
    assert called[0] == called[2] != called[1]
