"""Compiled and interpreted are the same to the bit; whoever forks does not wait for compilers that are not there."""

import inspect
import json
import os
import re
import subprocess
import sys
import warnings
from itertools import product
from math import inf, nan
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import debox
from debox import Box, Config, registry
from debox.assemble import assemble
from debox.de import algorithm, jit
from debox.de.jit import kernel
from debox.de.mutation import mutate


@pytest.fixture(autouse=True)
def _compiling(monkeypatch):
    """Whatever DEBOX_JIT says where the tests run."""
    monkeypatch.setattr(jit, "_interpreted", False)


# The operators.


@kernel
def noisy(x, rng):
    """Σ x² + U: depends on the point, and draws"""
    total = rng.random()
    for i in range(x.size):
        total += x[i] * x[i]
    return total


def arguments(slot, rng):
    """Of one call of an operator, without its Generator"""
    N, n = int(rng.integers(6, 12)), int(rng.integers(1, 7))
    P = rng.normal(size=(N, n))
    if slot == "donors":
        return N, int(rng.integers(N)), int(rng.integers(N)), np.zeros(int(rng.integers(2, 5)), np.uint64)
    if slot == "mutation":
        return P, int(rng.integers(N)), int(rng.integers(N)), rng.integers(0, N, 5).astype(np.uint64), 0.7, np.zeros(n)
    return P[0], P[1], float(rng.random()), np.zeros(n)


@pytest.mark.slow
@pytest.mark.parametrize("operator", [o for o in registry.OPERATORS if o.slot != "strategy"], ids=lambda o: o.name)
def test_compiled_operator_writes_what_the_interpreted_one_writes(operator):
    is_formula = operator.slot == "mutation"
    plain = jit.specialise(mutate, formula=operator.function) if is_formula else operator.function
    twin, rng = jit.compiled(plain), np.random.default_rng(1)
    for seed in range(50):
        *args, out = arguments(operator.slot, rng)
        results = []
        for function in (plain, twin):
            draws, out = np.random.default_rng(seed), np.zeros_like(out)
            function(*args, *([] if is_formula else [draws]), out)
            results.append((out.tobytes(), draws.random()))  # and has drawn as many numbers
        assert results[0] == results[1]
        assert np.any(out) or not is_formula


@pytest.mark.slow
@pytest.mark.parametrize("strategy", registry.in_slot("strategy"), ids=lambda s: s.name)
def test_compiled_strategy_returns_what_the_interpreted_one_returns(strategy):
    twin = jit.compiled(strategy.function)
    boxes = [(0.0, 1.0), (0.1, 0.7), (-1e308, 1.7e308), (0.0, 5e-324), (1e6, 1e6 + 1e-9), (-3e-310, 2e-310)]
    away = [nan, inf, -inf, 1.7976931348623157e308, -1e308, 1e17, -123.456, 5e-324, 2.0**-1060, *np.linspace(-3, 3, 50)]
    for (a, b), u in product(boxes, away):
        if not a <= u <= b:
            results = [f(float(u), b, a, b, np.random.default_rng(2)) for f in (strategy.function, twin)]
            assert results[0] == results[1]


# The whole run, for every configuration.


def run(text, seed, budget=38):
    """Everything that Algorithm 1 changes, as bytes, and the number of infeasible trials"""
    box, rng = Box.of([(0.0, 1.0), (-2.0, 3.0), (10.0, 10.5)]), np.random.default_rng(seed)
    config = Config(text)
    P, f, counts = box.sample(config.N, rng), np.full(config.N, nan), np.zeros(5, np.int64)
    marks, violations = np.array([7, 20, budget]), np.zeros(3, np.int64)
    infeasible_at = np.zeros(3, np.int64)
    fun = jit.pointer(noisy, "objective")
    call = (fun, assemble(config, box), P, f, budget, nan, rng, counts, marks, infeasible_at, violations)
    generations = jit.bind(algorithm.run, *call)(*call)
    state = [array.tobytes() for array in (P, f, counts, infeasible_at, violations)]
    return [*state, generations, rng.random()], counts[algorithm.INFEASIBLE]


@pytest.mark.slow
@pytest.mark.parametrize("rule", [o.name for o in registry.in_slot("donors")])
@pytest.mark.parametrize("strategy", [o.name for o in registry.in_slot("strategy")])
@pytest.mark.parametrize("crossover", [o.name for o in registry.in_slot("crossover")])
@pytest.mark.parametrize("mutation", [o.name for o in registry.in_slot("mutation")])
def test_compiled_run_is_the_interpreted_run_to_the_bit(mutation, crossover, strategy, rule):
    text = f"DE/{mutation}/{crossover} {strategy}, N=7, F=0.9, Cr=0.6, donors={rule}"
    compiled, infeasible = run(text, seed=3)
    with jit.interpreted():
        assert run(text, seed=3)[0] == compiled
    assert infeasible > 0  # the strategy was at work
    assert run(text, seed=4)[0] != compiled


def test_compiling_warns_of_nothing_whatever_the_users_filters():
    jit.pointer(noisy, "objective")  # Numba is imported before, so a filter set on that occasion does not help
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run("DE/rand/1/bin sat, N=7, F=0.9, Cr=0.6", seed=3)


# Which of the two is used.


def test_kernels_are_plain_functions_and_bind_gives_their_compiled_twin():
    bound = jit.bind(algorithm.no_worse, 1.0, 2.0)
    assert type(algorithm.no_worse) is type(run)
    assert bound is not algorithm.no_worse
    assert (bound(1.0, 2.0), bound(2.0, 1.0), bound(nan, inf)) == (True, False, False)


def test_interpreted_gives_the_functions_themselves_and_ends_with_its_block():
    for raised in (None, RuntimeError):
        try:
            with jit.interpreted():
                assert jit.bind(algorithm.no_worse, 1.0, 2.0).__wrapped__ is algorithm.no_worse
                assert jit.pointer(noisy, "objective") is noisy
                with jit.interpreted():
                    pass
                assert jit.pointer(noisy, "objective") is noisy
                if raised:
                    raise raised
        except RuntimeError:
            pass
        assert jit.pointer(noisy, "objective") is not noisy


class Sample(NamedTuple):
    numbers: Any
    size: int


@kernel
def above(sample, limit):
    return np.sum(sample.numbers[: sample.size] > limit)


@kernel
def below(sample, limit):
    return np.sum(sample.numbers[: sample.size] < limit)


@kernel
def ask(count, sample, limit):
    return 100 + count(sample, limit)


@pytest.mark.slow
def test_one_compiled_loop_asks_any_counter():
    sample = Sample(np.array([1.0, 2.0, 3.0, 4.0, 9.0]), 4)
    counters = [jit.counter(function, sample, 2.5) for function in (above, below)]
    for limit, answers in [(2.5, [102, 102]), (1.5, [103, 101]), (4.0, [100, 103])]:
        asks = [jit.bind(ask, count, sample, limit) for count in counters]
        assert asks[0] is asks[1]
        assert [asks[0](count, sample, limit) for count in counters] == answers
        with jit.interpreted():
            assert [jit.bind(ask, f, sample, limit)(f, sample, limit) for f in (above, below)] == answers


@kernel
def many(sample, limit):
    return sample.size << 40


def test_a_counter_may_count_beyond_32_bits():
    call = Sample(np.zeros(1), 3), 2.5
    count = jit.counter(many, *call)
    assert jit.bind(ask, count, *call)(count, *call) == 100 + 3 * 2**40


def test_a_counter_is_made_once_and_interpreted_it_is_the_function_itself():
    sample = Sample(np.zeros(1), 1)
    assert jit.counter(above, sample, 2.5) is jit.counter(above, sample, 3.5)
    assert jit.counter(above, sample, 2.5) is not above
    with jit.interpreted():
        assert jit.counter(above, sample, 2.5) is above


def test_objective_passes_the_arguments_in_both_forms():
    fun = numba.njit(lambda x, factor, shift: factor * x.sum() + shift)
    x = np.array([1.0, 2.0])
    args, value = jit.objective(fun, (10.0, 4.0))
    assert value(x, args) == 34
    with jit.interpreted():
        args, value = jit.objective(fun.py_func, (10.0, 4.0))
        assert value(x, args) == 34


def test_objective_without_arguments_is_a_function_of_the_point_and_the_random_numbers():
    fun = numba.njit(lambda x: x.sum())
    x, rng = np.array([1.0, 2.0]), np.random.default_rng(1)
    assert jit.objective(fun)(x, rng) == 3
    with jit.interpreted():
        assert jit.objective(fun.py_func)(x, rng) == 3


def test_a_compiled_function_among_the_arguments_is_called():
    calls = numba.njit(lambda x, shift, function: function(x) + shift)
    double = numba.njit(lambda x: 2 * x[0])
    assert jit.objective(calls, (0.5, double))(np.array([3.0]), np.random.default_rng(1)) == 6.5


@numba.njit
def returns_an_array(x):
    return x


@numba.njit
def adds(x, shift):
    return x[0] + shift


@pytest.mark.parametrize(
    ("fun", "args", "message"),
    [
        (
            returns_an_array,
            (),
            r"the objective 'returns_an_array' .*: No conversion from array\(float64.*\) to float64",
        ),
        (
            adds,
            ("s",),
            r"the objective 'adds' .*: No implementation of .* signature: >>> add\(float64, unicode_type\)$",
        ),
        (adds, ({},), r"the objective 'adds' with its args: Cannot determine Numba type of <class 'dict'>"),
        (adds, (2**70,), r"the objective 'adds' with its args: Int value is too large: 1180591620717411303424"),
        (adds, (), "the objective 'adds' .*missing a required argument: 'shift'"),
    ],
    ids=["array", "text", "dictionary", "huge", "too few"],
)
def test_an_objective_that_numba_refuses_is_named_with_the_reason_in_one_line(fun, args, message):
    with pytest.raises(ValueError, match=f"^Numba cannot compile {message}") as caught:
        jit.objective(fun, args)
    assert "\n" not in str(caught.value)


def test_only_functions_compiled_by_their_owner_count_as_compiled():
    assert jit.is_compiled(numba.njit(lambda x: x))
    assert not jit.is_compiled(noisy)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "environment", "imported"),
    [
        ("import debox", {"DEBOX_JIT": "1"}, False),
        ("import debox; debox.minimize(lambda x: x @ x, [(-1, 1)] * 2, budget=60, rng=1)", {"DEBOX_JIT": "0"}, False),
        ("from debox.de import jit, mutation; jit.compiled(mutation.rand_1)", {"DEBOX_JIT": "1"}, True),
    ],
    ids=["import", "interpreted", "compiled"],
)
def test_numba_is_imported_when_something_is_compiled_and_never_in_an_interpreted_process(
    tmp_path, script, environment, imported
):
    command = [sys.executable, "-c", f"import sys; {script}; print('numba' in sys.modules)"]
    environment = {"DEBOX_CACHE_DIR": str(tmp_path), **environment}
    process = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert process.stdout.strip() == str(imported)


CONFIG = "DE/rand/1/bin sat, N=5, F=0.9, Cr=0.6"


def call_what_users_call():
    """What they get, as text that tells every bit"""
    compiled, plain = numba.njit(lambda x, shift: x[0] * x[1] - shift), lambda x, shift: x[0] * x[1] - shift
    results = [debox.minimize(f, [(-1, 1), (0.5, 2)], args=(0.25,), budget=60, N=8, rng=1) for f in (compiled, plain)]
    found = [(result.population.tolist(), result.fun, result.pois) for result in results]
    measured = [debox.measure(CONFIG, n=2, budget=40, runs=2, rng=0, engine=engine) for engine in ("plain", "fast")]
    return repr([*found, *((m.pois.tolist(), m.best_f.tolist(), m.best_x.tolist()) for m in measured)])


@pytest.mark.slow
def test_numba_told_at_run_time_to_compile_nothing_is_obeyed_with_the_same_results(monkeypatch):
    compiled = call_what_users_call()
    objective = numba.njit(lambda x: x[0] * x[1])
    before = debox.minimize(objective, [(-1, 1)] * 2, budget=60, rng=1).x.tolist()
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert jit.bind(algorithm.no_worse, 1.0, 2.0).__wrapped__ is algorithm.no_worse
    assert call_what_users_call() == compiled
    assert debox.minimize(objective, [(-1, 1)] * 2, budget=60, rng=1).x.tolist() == before  # compiled by its owner


@pytest.mark.slow
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


# Forks.

FORKS = """
import os, signal, sys, threading, time
import numba, numba.core.compiler_lock, llvmlite.binding.ffi
from debox.de import algorithm, jit

signal.alarm(100)
numba.njit(lambda x: x + 1)(1)  # a user's own; Numba gets ready once, for all children

def child_ends(kind):
    child = os.fork()
    if not child:
        signal.alarm(20)  # a hanging child is killed
        call = kind(1), kind(2)
        os._exit(0 if jit.bind(algorithm.no_worse, *call)(*call) else 1)
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
    jit._lock, numba.core.compiler_lock.global_compiler_lock, llvmlite.binding.ffi.lib._lock)])
with jit._lock, numba.core.compiler_lock.global_compiler_lock:
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
    jit._lock, numba.core.compiler_lock.global_compiler_lock._lock, llvmlite.binding.ffi.lib._lock._lock)])
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


# What machine code is kept under.


def test_formulas_of_one_name_that_do_something_else_are_kept_apart():
    """Else the machine code of the one, kept on disk, would be run for the other."""

    def formulas(shift):
        names = {"SHIFT": shift}
        exec("def mine(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):\n    return x_r1 + SHIFT", names)
        return jit.specialise(mutate, formula=jit.kernel(names["mine"])).__qualname__

    assert formulas(0.0) == formulas(0.0)
    assert formulas(0.0) != formulas(1.0)


def fingerprint(body, **names):
    """Of a kernel with a piece of code in it, compiled from its source"""
    exec(f"def mine(x):\n    return {body}", names)
    return jit._fingerprint(jit.kernel(names["mine"]))


PIECES = ["(lambda y: y + 1.0)(x)", "sum(y * 2.0 for y in (x, x))", "(lambda y: (lambda z: z - 1.0)(y))(x)"]


@pytest.mark.slow
@pytest.mark.parametrize("body", PIECES)
def test_a_fingerprint_is_the_same_for_the_same_code_in_a_kernel_and_in_any_process(body):
    script = f"""
from debox.de import jit
names = {{}}
exec("def mine(x):\\n    return {body}", names)
print(jit._fingerprint(names["mine"]))"""
    processes = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True) for _ in range(2)]
    found = [fingerprint(body), fingerprint(body), *(process.stdout.strip() for process in processes)]
    assert len(set(found)) == 1
    assert re.fullmatch("[0-9a-f]{8}", found[0])


@pytest.mark.parametrize("body", PIECES)
@pytest.mark.parametrize(
    ("what", "other"), [("1.0", "3.0"), ("2.0", "3.0"), (" + ", " - "), (" - ", " + "), ("*", "/")]
)
def test_a_fingerprint_tells_what_the_code_in_a_kernel_does(body, what, other):
    assert (fingerprint(body) == fingerprint(body.replace(what, other))) == (what not in body)


def test_a_fingerprint_tells_what_the_code_in_a_kernel_names():
    def shifted(shift):
        return fingerprint("(lambda y: y + SHIFT)(x)", SHIFT=shift)

    assert shifted(0.0) == shifted(0.0)
    assert shifted(0.0) != shifted(1.0)
    called = [fingerprint("(lambda y: other(y, y))(x)", other=other) for other in (above, below, above)]
    assert called[0] == called[2] != called[1]


@kernel
def first_of(numbers):
    return numbers[0]


def test_an_array_that_may_not_be_written_is_of_another_type():
    """The types of ordinary arrays are kept; this one is not ordinary, and code that writes must not get it."""
    numbers = np.ones(3)
    numbers.flags.writeable = False
    assert jit.bind(first_of, numbers)(numbers) == 1
    assert jit.bind(first_of, np.ones(3)) is not jit.bind(first_of, numbers)
    assert [kind.mutable for (kind,) in jit.compiled(first_of).signatures] == [False, True]
