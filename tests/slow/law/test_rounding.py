"""No kernel fuses a product with a sum: under saturation the last bit of a mutant decides whether it counts.

docs/law.md says what it would change. Whether instructions may be fused is written at each of them (`contract`) in what
Numba gives LLVM, for any processor; what LLVM makes of it is seen in the instructions for one that can fuse.
"""

from fractions import Fraction

import numpy as np
import pytest
from benchmarks.law.rounding import BEGIN, END, PAGE

from debox import Config, jit, operators
from debox.assemble import loop_for
from debox.de import algorithm
from debox.de.variation import current_to_best_1
from debox.f0.fast import clock, scan
from debox.jit import switch
from debox.jit.marking import names_in

F = 0.916


# What the page says.


def fused(a, b, c):
    """a b + c, rounded once"""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@pytest.mark.parametrize("bound", [0.0, 1.0])
def test_a_mutant_that_is_its_target_on_a_bound_is_feasible_as_debox_rounds_and_not_if_products_are_fused(bound):
    """x_r1 = x_t and x_r2 = x_best, so v = x_t but for rounding"""
    best = np.random.default_rng(1).random(1000)
    fusing = np.array([fused(F, bound - b, fused(F, b - bound, bound)) for b in best])
    assert all(current_to_best_1(bound, b, bound, b, 0, 0, 0, F) == bound for b in best)
    outside = np.mean((fusing < 0) | (fusing > 1))
    assert 0.4 < outside < 0.6 if bound == 0 else outside == 0  # 0.5 ± 6 standard errors
    assert np.abs(fusing - bound).max() < 1e-16


def test_the_page_has_the_section_on_rounding_once():
    page = PAGE.read_text("utf-8")
    assert page.count(BEGIN) == page.count(END) == 1


# What the kernels are compiled with.


def reached(dispatcher, known):
    """The dispatchers of all kernels that a kernel calls, and its own"""
    if dispatcher not in known and jit.is_compiled(dispatcher):
        known.add(dispatcher)
        for name in names_in(dispatcher.py_func):
            reached(dispatcher.py_func.__globals__.get(name), known)
    return known


def test_every_kernel_of_both_engines_has_the_same_options_and_none_lets_the_compiler_change_numbers(monkeypatch):
    monkeypatch.setattr(switch, "_interpreted", False)
    kernels = set()
    config = Config("DE/rand/1/bin mirr, N=5, F=0.5, Cr=0.5")
    whole_runs = (loop_for(config, algorithm.run), clock.advance, algorithm.build_classic)
    loops = (*whole_runs, scan.scan, scan.chances, scan.outside_bits)
    for function in (*loops, *(o.function for o in operators.OPERATORS)):
        reached(jit.dispatcher_of(function), kernels)
    assert {"rand_2", "mirror", "is_inside", "wait", "uniforms"} <= {d.py_func.__name__ for d in kernels}
    options = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    ways_in = {
        "no_cfunc_wrapper",
        "no_cpython_wrapper",
    }  # for whom the machine code is compiled, nothing of its numbers
    for dispatcher in kernels:
        assert {name: dispatcher.targetoptions[name] for name in dispatcher.targetoptions.keys() - ways_in} == options
