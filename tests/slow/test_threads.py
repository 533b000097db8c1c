"""Threads: calls are made, results and errors come back, and nobody waits for what was left behind."""

from commands import run_python


def test_the_end_of_a_program_does_not_wait_for_them():
    script = "import time; from debox.threads import Threads; Threads(1).submit(time.sleep, 600); print('end')"
    result = run_python(script, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")
