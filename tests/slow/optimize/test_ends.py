"""Runs that end early, in processes of their own: Ctrl-C, kills, workers, and a script without a guard."""

import os
import signal
import subprocess
import sys
import time

import pytest
from commands import run_python, start_python

ENDLESS = """
import os, sys, time
import numpy as np
import debox

def cost(x):
    if len(sys.argv) > 2:  # one process of two tells that it works
        with open(sys.argv[2], "a") as file:
            file.write(f"{os.getpid()}\\n")
    time.sleep(0.001)
    return float((x**2).sum())

def tell(now):
    print(now.nfev, flush=True)

if __name__ == "__main__":
    result = debox.minimize(cost, [(-1, 1)] * 2, N=6, budget=10**6, rng=1, callback=tell, workers=int(sys.argv[1]))
    print("status", result.status, result.nfev, result.fun == cost(result.x), flush=True)
"""


def processes_of(group):
    """Which processes a process group has."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=", "-g", str(group)], capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if "Z" not in line.split()[1]]


@pytest.mark.parametrize("to", ["group", "process"])
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_returns_the_best_so_far_and_its_processes_end_in_silence(workers, to):
    """From a terminal it goes to all processes, from elsewhere to one."""
    process = start_python(ENDLESS, workers, start_new_session=True)
    for _ in range(3):
        seen = int(process.stdout.readline())
    (os.killpg if to == "group" else os.kill)(process.pid, signal.SIGINT)
    output, told = process.communicate(timeout=60)
    said = output.splitlines()[-1].split()
    assert (process.returncode, said[:2], said[3], told) == (0, ["status", "5"], "True", "")
    assert int(said[2]) >= seen
    assert processes_of(process.pid) == []


def wait_until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_killed_run_leaves_no_processes(tmp_path, method):
    script = tmp_path / "script.py"
    code = f"import multiprocessing\nmultiprocessing.set_start_method({method!r}, force=True)\n" + ENDLESS
    script.write_text(code)
    log = tmp_path / "log"
    process = subprocess.Popen(
        [sys.executable, script, "2", log], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    process.stdout.readline()
    wait_until(lambda: len(set(log.read_text().split())) == 2)
    assert len(processes_of(process.pid)) >= 3
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: processes_of(process.pid) == [])


CHECKPOINTED = """
import sys, time
import debox
from debox.optimize import checkpoint

checkpoint.SECONDS = 0.02
def cost(x):
    time.sleep(0.0005)
    return float((x**2).sum())

seen = lambda now: print(now.nfev, flush=True)
options = {"budget": 600, "rng": 1, "callback": seen, "polish": False}
result = debox.minimize(cost, [(-1, 1)] * 2, **options, **({"checkpoint": sys.argv[1]} if len(sys.argv) > 1 else {}))
print(result.fun.hex(), result.x.tolist(), result.n_infeasible, result.pois_history.tolist())
"""


def test_a_run_that_is_killed_again_and_again_goes_on_from_its_file_to_the_same_end(tmp_path):
    path, ends, kills = tmp_path / "run.npz", [0], 0
    expected = run_python(CHECKPOINTED).stdout.splitlines()
    while kills < 99:
        process = start_python(CHECKPOINTED, path)
        seen = []
        for line in process.stdout:
            seen.append(line.strip())
            if len(seen) == 12 and seen[-1].isdigit():
                process.kill()
                kills += 1
        process.communicate()
        if process.returncode == 0:
            break
        assert int(seen[0]) > ends[-1], "more than what was done since a save is lost"
        ends.append(int(seen[0]))
    assert kills >= 3
    assert seen[-1] == expected[-1]


WITHOUT_A_GUARD = """
import multiprocessing
import debox

def cost(x):
    return float((x**2).sum())

multiprocessing.set_start_method("spawn", force=True)
debox.minimize(cost, [(-1, 1)] * 2, N=6, budget=60, rng=1, workers=2)
"""


def test_a_script_that_starts_processes_without_a_guard_is_told_of_the_guard(tmp_path):
    (tmp_path / "script.py").write_text(WITHOUT_A_GUARD)
    run = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("RuntimeError: workers=2 starts processes by 'spawn', each of which runs your script again")
    assert "if __name__ == '__main__':" in last
    guarded = WITHOUT_A_GUARD.replace("\nmultiprocessing", "\nif __name__ == '__main__':\n  multiprocessing")
    (tmp_path / "script.py").write_text(guarded.replace("\ndebox", "\n  print(debox").replace("2)\n", "2).nfev)\n"))
    run = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (run.returncode, run.stdout, run.stderr) == (0, "60\n", "")


def test_where_there_is_no_script_processes_need_a_module_with_the_objective():
    run = run_python(WITHOUT_A_GUARD)
    assert run.returncode == 1
    assert run.stderr.strip().splitlines()[-1] == (
        "RuntimeError: workers=2 starts processes by 'spawn', each of which has nothing that you define here: "
        "fun must be in a module, which they can import"
    )
    run = run_python(
        "import math\n"
        + WITHOUT_A_GUARD.replace("debox.minimize(cost, ", "debox.minimize(math.dist, args=([0, 0],), bounds=")
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_in_another_thread_a_run_goes_on_and_ends():
    run = run_python(
        "import threading, debox\n"
        "found = []\n"
        "run = lambda: found.append(debox.minimize(abs, [(0, 1)], budget=100, rng=1, workers=2, polish=False).nfev)\n"
        "thread = threading.Thread(target=run)\n"
        "thread.start(); thread.join(); print(found)"
    )
    assert (run.stdout, run.stderr) == ("[100]\n", "")
