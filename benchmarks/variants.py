"""Builds of the C core of their own, for readings of the paper's text, controls and sanitizers; none is ever shipped.

A build takes 10 seconds and lives as long as the process that asked for it. `python` starts one that runs on it.
"""

import atexit
import importlib.machinery
import importlib.util
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
CORE = ROOT / "src" / "debox" / "core"
FLAGS = ("-std=c11", "-O3", "-g0", "-ffp-contract=off", "-fvisibility=hidden")  # those of setup.py; later ones win
TOLERANCE = ("-DTOLERANCE=0x1p-50",)  # core/loop.h says what it does
IMMEDIATE = ("-DIMMEDIATE=1",)  # core/fast.c says what it does; of the fast engine alone
FUSED = ("-ffp-contract=fast", *(("-mfma",) if platform.machine() in ("x86_64", "AMD64") else ()))
SANITIZED = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@cache
def build_core(*flags: str) -> Path:
    """The C core compiled with these flags after those of debox."""
    folder = Path(tempfile.mkdtemp(prefix="debox-core-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compiler = (sysconfig.get_config_var("CC") or "cc").split()
    numpy = Path(np.__file__).parent / "random" / "lib"
    headers = [f"-I{path}" for path in (sysconfig.get_path("include"), np.get_include())]
    given = ["-shared", "-fPIC", "-DPy_LIMITED_API=0x030B0000", *headers, *FLAGS, *flags]
    sources = sorted(map(str, CORE.glob("*.c")))
    library = folder / "_core.abi3.so"
    subprocess.run([*compiler, *given, *sources, f"-L{numpy}", "-lnpyrandom", "-lm", "-o", library], check=True)
    return library


def adopt(library: Path | str) -> None:
    """Let debox run on this core in this process, which has not run anything yet."""
    if "debox.loop" in sys.modules:
        raise RuntimeError("debox has its core already: adopt another one before debox is used")
    loader = importlib.machinery.ExtensionFileLoader("debox._core", str(library))
    spec = importlib.util.spec_from_file_location("debox._core", library, loader=loader)
    assert spec is not None
    sys.modules["debox._core"] = module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)


def python(library: Path, code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A Python process that runs this code on this core; it must end well."""
    adopting = f"from benchmarks.variants import adopt; adopt({str(library)!r})\n"
    command = [sys.executable, "-c", adopting + code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, text=True, check=True, **options)
