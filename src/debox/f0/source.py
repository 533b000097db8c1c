"""digest: the state of the code that a run's numbers depend on."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

from debox.de import jit

PACKAGE = Path(__file__).parents[1]
ROOMS = ("de/**/*.py", "f0/**/*.py", "assemble.py", "box.py", "config.py", "registry.py")
# They compile, keep, describe, compare or refuse; the options of the compiler are looked at themselves.
WITHOUT_NUMBERS = {
    *("cache.py", "jit.py", "private.py"),
    *("measurement.py", "source.py", "theory.py", "trace.py"),
}


@cache
def digest() -> str:
    """16 hex digits that change with the code, not with its comments and docstrings; each Python has its own."""
    sources = [path for room in ROOMS for path in sorted(PACKAGE.glob(room)) if path.name not in WITHOUT_NUMBERS]
    code = [f"{path.relative_to(PACKAGE).as_posix()} {without_docstrings(path.read_text('utf-8'))}" for path in sources]
    return hashlib.sha256("\n".join([repr(jit.OPTIONS), *code]).encode()).hexdigest()[:16]


def without_docstrings(source: str) -> str:
    """What the source says to Python, written out."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)
