"""Kernels run as plain Python where that is asked for, with the same results."""

import inspect
import json
import os
import subprocess
import sys

import numba

import debox
from debox import jit
from debox.de import algorithm
from debox.jit import kernel


@kernel
def first(x, rng):
    return x[0]


def test_interpreted_gives_the_functions_themselves_and_ends_with_its_block():
    for raised in (None, RuntimeError):
        try:
            with jit.interpreted():
                assert jit.bind(algorithm.is_no_worse, 1.0, 2.0).__wrapped__ is algorithm.is_no_worse
                assert jit.pointer(first, "objective") is first
                with jit.interpreted():
                    pass
                assert jit.pointer(first, "objective") is first
                if raised:
                    raise raised
        except RuntimeError:
            pass
        assert jit.pointer(first, "objective") is not first


def test_blocks_that_overlap_last_until_the_last_of_them_ends():
    """As those of two threads do."""
    one, other = jit.interpreted(), jit.interpreted()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert jit.is_interpreted()
    other.__exit__(None, None, None)
    assert not jit.is_interpreted()


CONFIG = "DE/rand/1/bin sat, N=5, F=0.9, Cr=0.6"


def call_what_users_call(compiled=None):
    """What they get, as text that tells every bit"""

    def plain(x, shift):
        return x[0] * x[1] - shift

    compiled = compiled or numba.njit(plain)
    results = [debox.minimize(f, [(-1, 1), (0.5, 2)], args=(0.25,), budget=60, N=8, rng=1) for f in (compiled, plain)]
    found = [(result.population.tolist(), result.fun, result.pois) for result in results]
    measured = [debox.measure(CONFIG, n=2, budget=40, runs=2, rng=0, engine=engine) for engine in ("plain", "fast")]
    return repr([*found, *((m.pois.tolist(), m.best_f.tolist(), m.best_x.tolist()) for m in measured)])


def test_numba_told_at_run_time_to_compile_nothing_is_obeyed_with_the_same_results(monkeypatch):
    objective = numba.njit(lambda x, shift: x[0] * x[1] - shift)
    compiled = call_what_users_call(objective)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert jit.bind(algorithm.is_no_worse, 1.0, 2.0).__wrapped__ is algorithm.is_no_worse
    assert call_what_users_call() == compiled
    assert call_what_users_call(objective) == compiled  # compiled by its owner


def test_numba_disable_jit_means_what_debox_jit_0_means():
    """For the library and the command, in a process that is started with it"""
    command = ["measure", CONFIG, "-n", "2", "--budget", "40", "--runs", "2", "--json"]
    script = f"""
import sys, debox, numba
from debox.cli import main
CONFIG = {CONFIG!r}
{inspect.getsource(call_what_users_call)}
print(call_what_users_call())
sys.argv[1:] = {command}
main()"""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120
    )
    assert (process.returncode, process.stderr) == (0, "")
    called, printed = process.stdout.splitlines()
    assert called == call_what_users_call()
    assert json.loads(printed)["best_f"] == debox.measure(CONFIG, n=2, budget=40, runs=2, rng=0).best_f.tolist()
