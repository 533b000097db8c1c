"""The rules of the house: imports point inward, each heavy library has one home."""

import ast
import re
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import debox
from debox.operators.kinds import KINDS

SOURCE = Path(debox.__file__).parent
TESTS = Path(__file__).parent

# The road, from the inside out: a room imports itself and rooms above it, never its neighbours or what comes below.
ROAD = [
    {"files", "travel", "version"},
    {"reference", "core", "_core"},
    {"check", "edpois", "notebook"},
    {"operators"},
    {"config", "box", "threads"},
    {"loop"},
    {"f0", "optimize"},
    {"study.fields"},
    {"study.study"},  # what a study is; the rest of its room runs it and needs the store
    {"store"},
    {"study"},
    {"analysis"},
    {"paper"},
    {"figures"},
    {"plot"},
    {"debox"},  # the public names
    {"report", "explore", "cite"},
    {"cli"},
    {"__main__"},
]
PLACE = {room: place for place, rooms in enumerate(ROAD) for room in rooms}

# The only modules that may import these; everything else asks them.
HOMES = {
    "numba": ("operators.bridge", "optimize.objective"),
    "cloudpickle": ("operators.bridge", "operators.outside"),
    "duckdb": ("store.parquet",),
    "matplotlib": ("figures", "plot"),
    "click": ("cli",),
    "starlette": ("explore",),
    "uvicorn": ("explore",),
    "distributed": ("study.execute",),
}


class Import(NamedTuple):
    importer: str  # operators.bridge
    imported: str  # numba.core, or debox.operators.bridge
    at_import: bool  # when the importer is imported, not inside a function nor for type checkers only


def is_type_checking(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports_of(tree, importer, package, at_import=True):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # no import is in one, and most of the tree is
        if isinstance(node, ast.Import):
            yield from (Import(importer, name.name, at_import) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (Import(importer, f"{base}.{name.name}", at_import) for name in node.names)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_type_checking(node)
        yield from imports_of(node, importer, package, at_import and not later)


def imports_in(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    importer = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "debox"
    return imports_of(ast.parse(path.read_text()), importer, ["debox", *parts[:-1]])


@cache
def all_imports():
    return [found for path in sorted(SOURCE.rglob("*.py")) for found in imports_in(path)]


@cache
def internal_imports():
    return [i for i in all_imports() if i.imported.split(".")[0] == "debox"]


def room(module):
    """f0.tables → f0, debox.f0.tables → f0; a module with a place of its own: study.fields.AXES → study.fields"""
    parts = module.removeprefix("debox.").split(".")
    return ".".join(parts[:2]) if ".".join(parts[:2]) in PLACE else parts[0]


def belongs(module, *homes):
    return any(f"{module.removeprefix('debox.')}.".startswith(f"{home}.") for home in homes)


def broken(rule, imports):
    return [f"{i.importer} imports {i.imported}" for i in imports if rule(i)]


def test_the_walk_sees_the_imports():
    """Were it blind, every rule below would hold."""
    assert Import("optimize.minimize", "debox.optimize.optimizer.Optimizer", True) in all_imports()
    assert Import("operators.bridge", "numba", False) in all_imports()
    tree = ast.parse("def f():\n    from . import a\nif x:\n    from ..b import c\nclass D:\n    import e.f")
    found = list(imports_of(tree, "p.q", ["debox", "p"]))
    expected = [("debox.p.a", False), ("debox.b.c", True), ("e.f", True)]
    assert [(i.imported, i.at_import) for i in found] == expected


def test_every_module_has_its_place_on_the_road():
    assert {room(i.importer) for i in all_imports()} <= PLACE.keys()
    assert {room(i.imported) for i in internal_imports()} <= PLACE.keys()


def points_outward(i):
    at, to = room(i.importer), room(i.imported)
    return at != to and PLACE[at] <= PLACE[to]


def test_imports_point_inward():
    assert not broken(points_outward, internal_imports())
    assert points_outward(Import("reference", "debox.operators", False))
    assert points_outward(Import("optimize.saved", "debox.f0.measure", True))


def test_the_reference_imports_numpy_alone():
    """An oracle that imported what it checks would prove nothing."""
    allowed = {"numpy", *sys.stdlib_module_names}
    inside = [i for i in all_imports() if room(i.importer) == "reference"]
    assert not broken(lambda i: i.imported.split(".")[0] not in allowed, inside)


@pytest.mark.parametrize("name", ["loop.h", "operators.h", "loop.c", "fast.h", "fast.c"])
def test_the_core_below_its_module_includes_neither_python_nor_numpy(name):
    included = re.findall(r"#include [<\"](.*?)[>\"]", (SOURCE / "core" / name).read_text())
    known = {"math.h", "stddef.h", "stdint.h", "string.h"}
    known |= {"emmintrin.h", "immintrin.h", "cpuid.h", "intrin.h"}  # vectors
    assert {header for header in included if not (SOURCE / "core" / header).exists()} <= known


@pytest.mark.parametrize("later", ["study.fields", "study.study", "store", "analysis", "figures"])
def test_a_stored_study_is_read_without_the_engine(later):
    def engine(i):
        return room(i.imported) in ("loop", "_core", "reference", "f0") and not belongs(i.imported, "f0.theory")

    assert not broken(lambda i: room(i.importer) == later and engine(i), internal_imports())


@pytest.mark.parametrize("library", HOMES)
def test_a_heavy_library_has_its_homes(library):
    assert not broken(lambda i: room(i.imported) == library and not belongs(i.importer, *HOMES[library]), all_imports())


@pytest.mark.parametrize("library", ["numba", "scipy", "matplotlib", "duckdb"])
def test_a_heavy_library_is_imported_when_it_is_needed(library):
    assert not broken(lambda i: room(i.imported) == library and i.at_import, all_imports())


def test_the_public_names_exist():
    assert {"Box", "Config", "Optimizer", "minimize"} <= set(debox.__all__)
    assert all(hasattr(debox, name) for name in debox.__all__)


def imports_from_tests(tree):
    return [i.imported for i in imports_of(tree, "a test", []) if room(i.imported) in ("tests", "docs")]


def test_no_test_imports_from_a_top_level_package_that_others_install_too():
    """A regular package `tests`, such as ioh installs, comes before our folder of that name on any path."""
    assert imports_from_tests(ast.parse("from tests.store import rows")) == ["tests.store.rows"]
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text()
        if re.search(r"import.*\b(tests|docs)\b|\b(tests|docs)\b.*import", text):  # to read a whole file takes longer
            assert imports_from_tests(ast.parse(text)) == [], path


# How many files a reader opens who follows one call: those imported with it, the core counted as one.
MOST_FILES = {"optimize.minimize": 13, "f0.measure": 14, "cli.study": 28}


def files_opened(module):
    modules = {i.importer for i in all_imports()} | {"_core"}
    opened, ahead = set(), {module}
    while ahead:
        opened.add(one := ahead.pop())
        named = [i.imported.removeprefix("debox.") for i in internal_imports() if i.importer == one and i.at_import]
        found = {name if name in modules else name.rpartition(".")[0] for name in named}
        ahead |= (found & modules) - opened
    return opened - {"debox"}


@pytest.mark.parametrize("call", MOST_FILES)
def test_a_reader_of_one_call_opens_few_files(call):
    opened = files_opened(call)
    assert {call, "loop", "_core", "reference", "operators", "config"} <= opened
    assert len(opened) <= MOST_FILES[call], sorted(opened)


CONTRIBUTING = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text()


def rooms_on_the_map(text):
    """The rooms named in the first column of the map, line by line."""
    lines = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    named = [
        {name.removesuffix(".py").removesuffix("/").replace("/", ".") for name in re.findall("`(.*?)`", line)}
        for line in lines
    ]
    return [{"debox" if name == "__init__" else name for name in names} for names in named]


def rooms_there(rooms):
    """Those of these rooms that exist."""
    places = {name: SOURCE / name.replace(".", "/") for name in rooms}
    there = {name for name, at in places.items() if list(at.glob("*.*")) or Path(f"{at}.py").is_file()}
    return there | (rooms & {"debox"})


def test_the_map_for_contributors_has_every_room_in_the_order_of_the_road():
    assert rooms_on_the_map("| `a.py`, `b/d.py` | x |\n| - |\n| `__init__.py` | c |") == [
        {"a", "b.d"},
        {"debox"},
    ]
    assert rooms_on_the_map(CONTRIBUTING) == [there for rooms in ROAD if (there := rooms_there(rooms))]


@pytest.mark.parametrize("name", ["benchmarks/", "data/", "docs/spec.md", "tests/", "tests/helpers"])
def test_what_stands_beside_the_source_is_named_for_contributors(name):
    assert f"`{name}`" in CONTRIBUTING
    assert (SOURCE.parents[1] / name).exists()


def test_contributors_are_told_every_field_of_a_mutation():
    (told,) = re.findall(r"^A mutation is .*?\n\n", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    assert [field.name for field in fields(KINDS[0])[4:] if f"`{field.name}`" not in told] == []
