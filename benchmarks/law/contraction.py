"""Whether products are fused with sums in a built core: seen in its machine code, as objdump (binutils) shows it."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

# x86-64: vfmadd231sd and its like; ARM: fmadd, fmla and their like
FUSED = re.compile(r"\b(?:vfn?m(?:add|sub|addsub|subadd)\d{3}[sp][sd]|fn?m(?:add|sub|la|ls))\b")
PRODUCT = re.compile(r"\b(?:v?mul[sp]d|fmul)\b")


class Arithmetic(NamedTuple):
    """How many products a core has, and the functions in which one is fused with a sum."""

    products: int
    fusing: list[str]


def inspect(core: Path | str) -> Arithmetic:
    """What a core computes with."""
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(core)]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    functions = re.findall(r"^[0-9a-f]+ <([^>]+)>:\n(.*?)(?=\n\n|\Z)", code, re.DOTALL | re.MULTILINE)
    fusing = [name for name, instructions in functions if FUSED.search(instructions)]
    return Arithmetic(len(PRODUCT.findall(code)), fusing)
