"""digest: the state of the code that a run's numbers depend on, operators from outside included."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from debox import jit, registry

PACKAGE = Path(__file__).parents[1]
ROOMS = (
    "jit/**/*.py",
    "de/**/*.py",
    "f0/**/*.py",
    "assemble.py",
    "box.py",
    "config.py",
    "registry/__init__.py",
    "registry/operator.py",
)
# Files of these rooms that change no number: they keep, describe, compare or refuse. Of jit/ the others do: marking,
# specialising and compiling decide which kernel is called, native code writes instructions, pointers have types.
# OPTIONS, which stand in library.py, are part of the digest by themselves.
FILES_THAT_CHANGE_NO_NUMBER = {
    *(f"jit/{name}.py" for name in ("__init__", "binding", "cache", "fingerprint", "folder", "library")),
    *(f"jit/{name}.py" for name in ("locks", "objectives", "private", "progress", "switch")),
    *(f"f0/{name}.py" for name in ("measure", "measurement", "source", "theory", "trace")),
}


def digest(operators: Iterable[registry.Operator] = ()) -> str:
    """The state of debox's code and, for each of the operators that is from outside, slot, name and fingerprint.

    ``0123456789abcdef strategy:mine=0123456789abcdef``
    """
    from debox.registry.fingerprint import fingerprint

    outside = registry.from_outside(operators)
    return " ".join([own_digest(), *(f"{o.slot}:{o.name}={fingerprint(o)}" for o in outside)])


@cache
def own_digest() -> str:
    """16 hex digits that change with debox's code, not with its comments and docstrings; each Python has its own."""
    paths = [path.relative_to(PACKAGE).as_posix() for room in ROOMS for path in sorted(PACKAGE.glob(room))]
    sources = [(path, (PACKAGE / path).read_text("utf-8")) for path in paths if path not in FILES_THAT_CHANGE_NO_NUMBER]
    code = [f"{path} {without_docstrings(source)}" for path, source in sources]
    return hashlib.sha256("\n".join([repr(jit.OPTIONS), *code]).encode()).hexdigest()[:16]


def without_docstrings(source: str) -> str:
    """The code of a source text in a normal form, without docstrings, comments and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)
