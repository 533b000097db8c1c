"""Compile the core that the page runs: `python -m debox.explore.build`, whenever core/*.[ch] or page/core.c change.

It needs ziglang, a C compiler that comes as a Python package (`pip install --group dev`), in the version of
constraints.txt: another one makes other bytes of the same meaning.
"""

from __future__ import annotations

import base64
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parent / "page"
CORE = PAGE / "core.wasm.base64"
FLAGS = ("-std=c11", "-O3", "-g0", "-ffp-contract=off", "-msimd128", "-Wall", "-Wextra")
TARGET = ("-target", "wasm32-wasi", "-mexec-model=reactor", "-Wl,--no-entry,--strip-all,-z,stack-size=65536")
COLUMNS = 120


def compile_core() -> bytes:
    """The module of WebAssembly that page/core.c is compiled to."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "core.wasm")
        command = [sys.executable, "-m", "ziglang", "cc", *TARGET, *FLAGS, "core.c", "-o", str(out)]
        subprocess.run(command, check=True, cwd=PAGE)
        return out.read_bytes()


def read_core() -> bytes:
    """The module in the page's sources."""
    return gzip.decompress(base64.b64decode(CORE.read_text()))


if __name__ == "__main__":
    text = base64.b64encode(gzip.compress(compile_core(), 9, mtime=0)).decode("ascii")
    CORE.write_text("".join(f"{text[k : k + COLUMNS]}\n" for k in range(0, len(text), COLUMNS)))
