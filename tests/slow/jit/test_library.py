"""Numba is imported when something is compiled, and not before."""

import os
import subprocess
import sys

import numba
import pytest

from debox import jit
from debox.jit import kernel


def test_only_functions_compiled_by_their_owner_count_as_compiled():
    assert jit.is_compiled(numba.njit(lambda x: x))
    assert not jit.is_compiled(kernel(lambda x: x))


IMPORT_AND_COMPILE = """
import debox
print('numba' in sys.modules)
from debox import jit
from debox.de import variation
jit.dispatcher_of(variation.rand_1)"""


@pytest.mark.parametrize(
    ("script", "environment", "imported"),
    [
        (IMPORT_AND_COMPILE, {"DEBOX_JIT": "1"}, ["False", "True"]),
        (
            "import debox; debox.minimize(lambda x: x @ x, [(-1, 1)] * 2, budget=60, rng=1)",
            {"DEBOX_JIT": "0"},
            ["False"],
        ),
    ],
    ids=["compiled", "interpreted"],
)
def test_numba_is_imported_when_something_is_compiled_and_never_in_an_interpreted_process(
    tmp_path, script, environment, imported
):
    command = [sys.executable, "-c", f"import sys\n{script}\nprint('numba' in sys.modules)"]
    environment = {"DEBOX_CACHE_DIR": str(tmp_path), **environment}
    process = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert process.stdout.split() == imported
