"""The first call on a new computer: nothing is compiled, nothing is written, nothing is said."""

import os
import subprocess
import sys

from folders import file_names

CALL = """
import debox
result = debox.minimize(lambda x: ((x - 1) ** 2).sum(), [(0, 5)] * 4, budget=2000, rng=1)
m = debox.measure("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", budget=300, runs=1)
print(result.nfev <= 2000, result.fun < 1e-3, 0 < m.mean() < 1)
"""


def test_a_first_call_in_an_empty_home_only_prints_what_it_found(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-c", CALL], env=environment, cwd=home, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "True True True\n", "")
    assert file_names(home) == []
