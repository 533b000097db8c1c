"""`python -m benchmarks.sanitize`: the tests of the core on a build with address and undefined-behaviour sanitizers.

Before that a run whose size is wrong on purpose must be seen: else the sanitizers see nothing. For GCC, on Linux.
"""

import os
import subprocess
import sys

from benchmarks import variants

TESTS = ("tests/test_core.py", "tests/test_golden.py")
OVERRUN = """
import numpy as np
from debox import Box, Config
from debox.loop import Loop
from debox.reference import POPULATION
config, rng = Config("DE/rand/1/bin mirror, N=5, F=0.5, Cr=0.9"), np.random.default_rng(1)
loop = Loop(config, Box.unit(3), budget=100_000, rng=rng, P=rng.random((5, 3)), marks=np.empty(0, np.int64))
loop.run.generations, loop.sizes[POPULATION] = 0, 6  # one more than there are
loop.propose()
"""
PYTEST = f"import sys, pytest; sys.exit(pytest.main([*{TESTS}, '-n', '0']))"


def environment() -> dict[str, str]:
    """In which Python, itself without sanitizers, can load a core that has them; leaks are not asked for."""
    library = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    return {**os.environ, "LD_PRELOAD": library.strip(), "ASAN_OPTIONS": "detect_leaks=0"}


def main() -> None:
    core, given = variants.build_core(*variants.SANITIZED), environment()
    try:
        variants.python(core, OVERRUN, env=given, stderr=subprocess.PIPE)
    except subprocess.CalledProcessError as ended:
        if "AddressSanitizer: heap-buffer-overflow" not in ended.stderr:
            sys.exit(f"FAILED: an overrun ended in something else:\n{ended.stderr}")
    else:
        sys.exit("FAILED: an overrun was not seen")
    try:
        variants.python(core, PYTEST, env=given)
    except subprocess.CalledProcessError:
        sys.exit(f"FAILED: {', '.join(TESTS)} on the core with sanitizers")
    print(f"sanitizers: nothing found by {', '.join(TESTS)}")


if __name__ == "__main__":
    main()
