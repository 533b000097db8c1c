"""A process that forks does not leave its child waiting for threads that the child does not have."""

import os

import pytest
from commands import run_in_fork, run_python

FORKS = """
import os, signal, sys, threading, time
import numba, numba.core.compiler_lock, llvmlite.binding.ffi
from debox.de import algorithm
from debox import jit
from debox.jit import compiling
from debox.jit.folder import cache_folder
from debox.jit.locks import compiler_lock

cache_folder.cache_clear()  # that of the process from which this one was forked, and what it has compiled
compiling.dispatcher_of.cache_clear()
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_forked_while_others_compile_uses_kernels_and_does_not_hang(tmp_path, monkeypatch):
    """Also if who forks is who compiles, and if several fork at a time; all locks are free afterwards."""
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path))
    output, told = run_in_fork(FORKS)
    assert output.splitlines() == [str([0] * 3), "0", str([0] * 6), str([True] * 3)], told


IMPORTED_BEFORE_LOGGING = """
import sys, threading
assert "logging" not in sys.modules
import debox
from debox.jit.locks import compiler_lock
import logging, os

holds, forks = threading.Event(), threading.Event()
def compile_and_log():
    with compiler_lock:
        holds.set()
        forks.wait(0.5)  # the fork has taken the locks that it takes first, and waits for this one
        logging.getLogger("anyone").isEnabledFor(1)
        logging.getLogger("anyone else")

thread = threading.Thread(target=compile_and_log, daemon=True)
thread.start()
holds.wait(20)
child = os.fork()
if not child:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


def test_a_fork_does_not_keep_a_compiling_thread_from_logging_which_it_waits_for():
    ended = run_python(IMPORTED_BEFORE_LOGGING, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "0\n"), ended.stderr
