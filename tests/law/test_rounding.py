"""No kernel fuses a product with a sum: under saturation the last bit of a mutant decides whether it counts.

docs/law.md says what it would change. Whether instructions may be fused is written at each of them (`contract`) in what
Numba gives LLVM, for any processor; what LLVM makes of it is seen in the instructions for one that can fuse.
"""

import json
import os
import platform
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.law.rounding import BEGIN, END, PAGE

from debox import jit, registry
from debox.de import algorithm
from debox.de.mutation import current_to_best_1
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
    for function in (algorithm.run, clock.advance, scan.scan, scan.chances, *(o.function for o in registry.OPERATORS)):
        reached(jit.dispatcher_of(function), kernels)
    assert {"rand_2", "mirror", "is_inside", "wait", "uniforms"} <= {d.py_func.__name__ for d in kernels}
    options = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    assert all(dispatcher.targetoptions == options for dispatcher in kernels)


# All operators, Algorithm 1 and the fast engine's scan, compiled as they are; then a formula with contraction.
INSPECT = """
import json, re, sys
import numpy as np
from debox import Box, Config, registry
from debox.de import mutation
from debox import jit
from debox.jit import compiling
from debox.jit.pointers import signatures
from debox.assemble import assemble
from debox.f0.engines import Plain
from debox.f0.fast.tables import prepare

made = []
def note(dispatcher, function):
    made.append((function.__qualname__, dispatcher))
    return dispatcher
compiling._with_cache = note  # nothing is read from a cache: that has no code to look at

def found():
    codes = [(name, code) for name, dispatcher in made for code in dispatcher.inspect_llvm().values()]
    formulas = [dispatcher for name, dispatcher in made if "mutate" in name]
    machine = "".join(code for dispatcher in formulas for code in dispatcher.inspect_asm().values())
    return {
        "kernels": [name for name, _ in codes],
        "may fuse": [name for name, code in codes if re.search(r" (?:contract|reassoc|fast) |llvm\\.fmul?a", code)],
        "products": len(re.findall(r"\\bv?f?mul[sp]?d?\\b", machine)),
        "fused": len(re.findall(r"\\bv?fn?m(?:add|sub|la|ls)\\w*", machine)),
    }

slots = ("mutation", "crossover", "strategy", "donors")
names = [[operator.name for operator in registry.in_slot(slot)] for slot in slots]
for k in range(max(map(len, names))):
    m, c, s, d = (slot[k % len(slot)] for slot in names)
    assemble(Config(f"DE/{m}/{c} {s}, N=9, F=0.5, Cr=0.5, donors={d}"), Box.unit(3))
Plain(Config("DE/rand/1/bin sat, N=9, F=0.5, Cr=0.5"), Box.unit(3), 100, np.array([50]))
prepare(Config("DE/curr-to-best/1/exp sat, N=100, F=0.5, Cr=0.5"), 3)
print(json.dumps(found()))
made.clear()
jit.dispatcher_of.cache_clear()
jit.OPTIONS["fastmath"] = {"contract"}
formula = registry.find("mutation", "curr-to-best/1").function
jit.dispatcher_of(jit.specialise(mutation.mutate, formula=formula)).compile(signatures()["mutation"])
print(json.dumps(found()))
"""


def test_no_kernel_is_compiled_with_contraction_and_one_that_were_would_be_seen():
    environment = os.environ | {"DEBOX_JIT": "1"}
    if platform.machine() in ("x86_64", "AMD64"):
        environment["NUMBA_CPU_NAME"] = "haswell"  # it can fuse; nothing is run on it
    command = [sys.executable, "-c", INSPECT]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    as_they_are, contracted = (json.loads(line) for line in process.stdout.splitlines())
    kernels = {name.split("[")[0] for name in as_they_are["kernels"]}
    assert {"run", "propose", "scan", "outside_bits", *(o.function.__name__ for o in registry.OPERATORS)} <= kernels
    assert sum(name.startswith("mutate") for name in as_they_are["kernels"]) == len(registry.in_slot("mutation"))
    assert (as_they_are["may fuse"], as_they_are["fused"]) == ([], 0)
    assert as_they_are["products"] >= 6  # of the four formulas, one or two each
    assert len(contracted["may fuse"]) == len(contracted["kernels"]) == 2  # the formula, the loop over components
    assert contracted["fused"] >= 2
