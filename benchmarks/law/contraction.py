"""Whether the compiler may fuse a product with a sum in kernels: seen in what Numba gives LLVM, and in machine code."""

import json
import os
import platform
import subprocess
import sys
from typing import Any

# Operators and the fast engine's scan, and Algorithm 1 if all are asked for, compiled as they are; then a formula with
# contraction.
PROGRAM = """
import json, re, sys
import numpy as np
from debox import Box, Config, operators
from debox.de import variation
from debox import jit
from debox.jit import compiling
from debox.jit.pointers import signatures
from debox.assemble import assemble
from debox.f0.engines import Plain
from debox.f0.fast.clock import prepare

made = []
def note(dispatcher, function, caller):
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
names = [[operator.name for operator in operators.in_slot(slot)] for slot in slots]
if sys.argv[1] == "formulas":
    names[1:] = [slot[:1] for slot in names[1:]]
for k in range(max(map(len, names))):
    m, c, s, d = (slot[k % len(slot)] for slot in names)
    assemble(Config(f"DE/{m}/{c} {s}, N=9, F=0.5, Cr=0.5, donors={d}"), Box.unit(3), budget=100)
if sys.argv[1] == "all":
    Plain(Config("DE/rand/1/bin sat, N=9, F=0.5, Cr=0.5"), Box.unit(3), 100, np.array([50]))
prepare(Config("DE/curr-to-best/1/exp sat, N=100, F=0.5, Cr=0.5"), 3)
print(json.dumps(found()))
made.clear()
jit.dispatcher_of.cache_clear()
jit.OPTIONS["fastmath"] = {"contract"}
formula = operators.find("mutation", "curr-to-best/1").function
jit.dispatcher_of(jit.specialise(variation.mutate, formula=formula)).compile(signatures()["mutation"])
print(json.dumps(found()))
"""


def inspect_kernels(which: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is found in "all" kernels, or in the "formulas" of mutations and the scan; and in one that may fuse."""
    environment = os.environ | {"DEBOX_JIT": "1"}
    if platform.machine() in ("x86_64", "AMD64"):
        environment["NUMBA_CPU_NAME"] = "haswell"  # it can fuse; nothing is run on it
    command = [sys.executable, "-c", PROGRAM, which]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    as_they_are, contracted = (json.loads(line) for line in process.stdout.splitlines())
    return as_they_are, contracted
