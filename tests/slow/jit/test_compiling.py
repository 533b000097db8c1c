"""Compiled and interpreted are the same to the bit; machine code is found again as long as it is right."""

import warnings
from functools import partial
from itertools import product
from math import inf, nan

import numba
import numba.extending
import numpy as np
import pytest
from commands import run_in_fork
from foreign_kernels import twice

from debox import Box, Config, jit, registry
from debox.assemble import assemble, loop_for
from debox.de import algorithm
from debox.de.algorithm import Tally
from debox.de.variation import mutate, mutate_with_K
from debox.jit import compiling, kernel


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
        return (
            P,
            int(rng.integers(N)),
            int(rng.integers(N)),
            rng.integers(0, N, 5).astype(np.uint64),
            0.7,
            0.3,
            np.zeros(n),
        )
    return P[0], P[1], float(rng.random()), np.zeros(n)


def mutate_of(mutation):
    """The kernel of a whole mutant"""
    if mutation.draws_K:
        return jit.specialise(mutate_with_K, formula_with_K=mutation.function)
    return jit.specialise(mutate, formula=mutation.function)


@kernel
def call_mutation(mutation, P, target, best, r, F, K, v):
    """By its pointer, as the loop does: it is not compiled once more, to be called from Python"""
    mutation(P, target, best, r, F, K, v)


# strategies have a test below, adaptations in tests/slow/de/test_adaptive.py
OTHERS = [operator for operator in registry.OPERATORS if operator.slot not in ("strategy", "adaptation")]


@pytest.mark.parametrize("operator", OTHERS, ids=lambda o: o.name)
def test_compiled_operator_writes_what_the_interpreted_one_writes(operator):
    is_formula = operator.slot == "mutation"
    plain = mutate_of(operator) if is_formula else operator.function
    rng = np.random.default_rng(1)
    if is_formula:
        pointer = jit.pointer(plain, "mutation")
        twin = partial(jit.bind(call_mutation, pointer, *arguments(operator.slot, rng)), pointer)
    else:
        twin = jit.dispatcher_of(plain)
    for seed in range(50):
        *args, out = arguments(operator.slot, rng)
        results = []
        for function in (plain, twin):
            draws, out = np.random.default_rng(seed), np.zeros_like(out)
            function(*args, *([] if is_formula else [draws]), out)
            results.append((out.tobytes(), draws.random()))  # and has drawn as many numbers
        assert results[0] == results[1]
        assert np.any(out) or not is_formula


@pytest.mark.parametrize("strategy", registry.in_slot("strategy"), ids=lambda s: s.name)
def test_compiled_strategy_returns_what_the_interpreted_one_returns(strategy):
    twin = jit.dispatcher_of(strategy.function)
    boxes = [(0.0, 1.0), (0.1, 0.7), (-1e308, 1.7e308), (0.0, 5e-324), (1e6, 1e6 + 1e-9), (-3e-310, 2e-310)]
    away = [nan, inf, -inf, 1.7976931348623157e308, -1e308, 1e17, -123.456, 5e-324, 2.0**-1060, *np.linspace(-3, 3, 50)]
    for (a, b), u in product(boxes, away):
        if not a <= u <= b:
            results = [outcome(f, strategy.whole, float(u), b, a, a, b) for f in (strategy.function, twin)]
            assert results[0] == results[1]


def outcome(strategy, whole, *numbers):
    """What becomes of a component u, given x, c, a and b"""
    if not whole:
        return strategy(*numbers, np.random.default_rng(2))
    u, *others = (np.array([number]) for number in numbers)
    with np.errstate(over="ignore"):  # the width of a huge box; compiled code does not warn
        strategy(u, *others, np.random.default_rng(2))
    return u.tobytes()


# The whole run, for every configuration.


def run(text, seed, budget=38):
    """Everything that Algorithm 1 changes, as bytes, and the number of infeasible trials"""
    box, rng = Box.of([(0.0, 1.0), (-2.0, 3.0), (10.0, 10.5)]), np.random.default_rng(seed)
    config = Config(text)
    P, f, tally = box.sample(config.N, rng), np.full(config.N, nan), Tally.empty(np.array([7, 20, budget]), 3)
    fun = jit.pointer(noisy, "objective")
    call = (fun, assemble(config, box, budget=budget), P, f, budget, nan, rng, tally)
    generations = jit.bind(loop_for(config, algorithm.run), *call)(*call)
    state = [array.tobytes() for array in (P, f, *tally)]
    return [*state, generations, rng.random()], tally.counts[algorithm.INFEASIBLE]


# Each operator, and for each strategy either repair: operators do not see each other, the loop sees one at a time.
SLOTS = [[o.name for o in registry.in_slot(slot)] for slot in ("mutation", "crossover", "strategy", "donors")]
SLOTS[0] = (
    SLOTS[0][-1:] + SLOTS[0][:-1]
)  # so that penalty has no mutation with K: the loop of both would be compiled for this test alone
RUNS = [[cycle[k % len(cycle)] for cycle in SLOTS] for k in range(max(map(len, SLOTS)))]


@pytest.mark.parametrize("repair", ["trial", "mutant"])
@pytest.mark.parametrize(("mutation", "crossover", "strategy", "rule"), RUNS)
def test_compiled_run_is_the_interpreted_run_to_the_bit(mutation, crossover, strategy, rule, repair):
    text = f"DE/{mutation}/{crossover} {strategy}, N=7, F=0.9, Cr=0.6, donors={rule}, repair={repair}"
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


# What is kept of it.


def test_without_a_writable_folder_kernels_are_compiled_all_the_same(unwritable, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    dispatcher = jit.dispatcher_of.__wrapped__(kernel(twice))
    assert dispatcher(21.0) == 42
    assert dispatcher.stats.cache_path is None
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@kernel
def lifted(x):
    return x + 0.5


@kernel
def doubled(x):
    return 2 * lifted(x)


def hits(dispatcher):
    return sum(dispatcher.stats.cache_hits.values())


def test_machine_code_is_found_again_for_the_same_signature(fresh, tmp_path):
    assert [fresh(doubled)(3.0) for _ in range(2)] == [7, 7]
    again = fresh(doubled)
    assert [again(3.0), hits(again), again(3), hits(again), again(np.float32(3)), hits(again)] == [7, 1, 7, 1, 7, 1]
    assert all(path.suffix == ".nbc" for path in tmp_path.iterdir())


def test_machine_code_of_a_kernel_whose_callee_was_edited_is_compiled_again(fresh, monkeypatch, capsys):
    """Though its own source and signature are the same"""
    assert fresh(doubled)(3.0) == 7
    assert fresh(doubled)(3.0) == 7
    monkeypatch.setitem(doubled.__globals__, "lifted", kernel(lambda x: x + 1.5))
    edited = fresh(doubled)
    assert [edited(3.0), hits(edited)] == [9, 0]
    assert "cannot be read" not in capsys.readouterr().err


def test_a_kernel_without_a_source_file_is_compiled_and_not_kept(fresh, tmp_path):
    names = {}
    exec("def typed(x):\n    return x + 4", names)
    assert fresh(kernel(names["typed"]))(3) == 7
    assert not list(tmp_path.iterdir())


def made_around(shift, callee):
    @kernel
    def shifted(x, factor=10.0):
        return factor * callee(x) + shift

    return shifted


@kernel
def call_with_a_default(x):
    return shifted_by_one(x)


shifted_by_one = made_around(1.0, doubled)


def test_a_kernel_may_use_variables_around_it_and_default_arguments(fresh):
    assert fresh(shifted_by_one)(3.0, 2.0) == 2 * 7 + 1
    assert fresh(call_with_a_default)(3.0) == 10 * 7 + 1


def test_machine_code_of_a_kernel_made_with_another_variable_around_it_is_not_taken_for_it(fresh):
    """They have one name and one line of one file"""
    values = [(fresh(made_around(shift, lifted)), shift) for shift in (1.0, 1.0, 2.0)]
    assert [dispatcher(3.0, 2.0) for dispatcher, _ in values] == [8, 8, 9]
    assert [hits(dispatcher) for dispatcher, _ in values] == [0, 1, 0]


def test_machine_code_compiled_with_other_options_is_not_taken(fresh, monkeypatch):
    assert [fresh(lifted)(3.0), hits(fresh(lifted))] == [3.5, 0]
    again = fresh(lifted)
    assert [again(3.0), hits(again)] == [3.5, 1]
    monkeypatch.setitem(compiling.OPTIONS, "fastmath", {"contract"})
    other = fresh(lifted)
    assert [other(3.0), hits(other)] == [3.5, 0]


def step(x):
    return x + 1


@numba.extending.overload(step)
def compiled_step(x):
    return lambda x: x + 1


@kernel
def take_a_step(x):
    return step(x)


def test_a_kernel_that_calls_what_only_its_author_knows_how_numba_compiles_is_not_kept(fresh, tmp_path):
    """Nothing in `step` tells what `compiled_step` is, nor when it is edited."""
    assert fresh(take_a_step)(3.0) == 4
    assert not list(tmp_path.iterdir())
    assert fresh(lifted)(3.0) == 3.5
    assert list(tmp_path.iterdir())


MINE = """
import constants
from constants import SHIFT
from helpers import scale
from debox import jit

@jit.kernel
def called(x):
    return scale(x)

@jit.kernel
def imported(x):
    return x + SHIFT

@jit.kernel
def element(x):
    return x + constants.TABLE[1]

print(*(jit.bind(kernel, 1.0)(1.0) for kernel in (called, imported, element)))
"""
HELPERS = """
import constants
from debox.jit import kernel

@kernel
def scale(x):
    return constants.FACTOR * x
"""
CONSTANTS = """
import numpy as np

FACTOR, SHIFT, TABLE = {}, {}, np.array([1.0, {}])
"""


RUN_MINE = """
import runpy, sys
from debox.jit.folder import cache_folder

cache_folder.cache_clear()  # that of the process from which this one was forked
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
runpy.run_path(f"{sys.argv[1]}/mine.py", run_name="__main__")
"""


def test_a_users_kernel_is_compiled_again_when_a_constant_of_a_module_that_it_uses_is_edited(tmp_path, monkeypatch):
    """In files of the user's own, each time in another process; a kernel for each way to take a constant"""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "helpers.py").write_text(HELPERS)
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "cache"))

    def run_mine(*constants):
        (tmp_path / "constants.py").write_text(CONSTANTS.format(*constants))
        output, told = run_in_fork(RUN_MINE, tmp_path)
        compiled = [name for name in ("called", "imported", "element") if f"compiling {name}" in told]
        return output.split(), compiled

    assert run_mine(2.0, 30.0, 400.0) == (["2.0", "31.0", "401.0"], ["called", "imported", "element"])
    assert run_mine(2.0, 30.0, 400.0) == (["2.0", "31.0", "401.0"], [])
    assert run_mine(3.0, 50.0, 700.0) == (["3.0", "51.0", "701.0"], ["called", "imported", "element"])
