"""A process that forks does not leave its child waiting for threads that the child does not have."""

import os
import subprocess
import sys

import pytest

FORKS = """
import os, signal, sys, threading, time
import numba, numba.core.compiler_lock, llvmlite.binding.ffi
from debox.de import algorithm
from debox import jit
from debox.jit.locks import compiler_lock

signal.alarm(100)
numba.njit(lambda x: x + 1)(1)  # a user's own; Numba gets ready once, for all children

def child_ends(kind):
    child = os.fork()
    if not child:
        signal.alarm(20)  # a hanging child is killed
        call = kind(1), kind(2)
        os._exit(0 if jit.bind(algorithm.is_no_worse, *call)(*call) else 1)
    return os.waitpid(child, 0)[1]

def fork_while_another_thread_holds(lock):
    holds, forks = threading.Event(), threading.Event()
    def hold():
        with lock:
            holds.set()
            forks.wait(0.3)  # the fork comes, or waits for us
    thread = threading.Thread(target=hold)
    thread.start()
    holds.wait(20)
    status = child_ends(int)
    forks.set()
    thread.join(20)
    return status

print([fork_while_another_thread_holds(lock) for lock in (
    compiler_lock, numba.core.compiler_lock.global_compiler_lock, llvmlite.binding.ffi.lib._lock)])
with compiler_lock, numba.core.compiler_lock.global_compiler_lock:
    print(child_ends(float))
statuses = []
threads = [threading.Thread(target=lambda: statuses.extend(child_ends(int) for _ in range(3))) for _ in range(2)]
threads.append(threading.Thread(target=lambda: [numba.njit(lambda x: x + k)(1) for k in range(4)]))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(60)
print(statuses)
free = []
thread = threading.Thread(target=lambda: [free.append(lock.acquire(timeout=5)) for lock in (
    compiler_lock, numba.core.compiler_lock.global_compiler_lock._lock, llvmlite.binding.ffi.lib._lock._lock)])
thread.start()
thread.join(20)
print(free)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_forked_while_others_compile_uses_kernels_and_does_not_hang(tmp_path):
    """Also if who forks is who compiles, and if several fork at a time; all locks are free afterwards."""
    environment = os.environ | {"DEBOX_CACHE_DIR": str(tmp_path), "DEBOX_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert process.stdout.splitlines() == [str([0] * 3), "0", str([0] * 6), str([True] * 3)], process.stderr
