"""The rules of the house: imports point inward, each heavy library has one home, tests mirror the source."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import debox

SOURCE = Path(debox.__file__).parent
TESTS = Path(__file__).parent

# The road, from the inside out: a room imports itself and rooms above it, never its neighbours or what comes below.
ROAD = [
    {"files", "travel", "version"},
    {"jit"},
    {"de"},
    {"registry", "check", "edpois", "notebook", "outputs"},
    {"config", "box", "threads"},
    {"assemble"},
    {"f0", "optimize"},
    {"store"},
    {"study"},
    {"analysis"},
    {"figures"},
    {"plot"},
    {"debox"},  # the public names
    {"report", "explore"},
    {"cli"},
    {"__main__"},
]
PLACE = {room: place for place, rooms in enumerate(ROAD) for room in rooms}

# The only modules that may import these; everything else asks them.
HOMES = {
    "numba": "jit",
    "duckdb": "store.database",
    "matplotlib": "figures.draw",
    "click": "cli",
    "starlette": "explore",
    "uvicorn": "explore",
    "distributed": "study.execute",
}

UNMIRRORED = {f"test_{name}.py" for name in ("architecture", "data", "docs", "faults", "golden", "readme")}
UNMIRRORED_FOLDERS = {"law", "browser", "torture"}


class Import(NamedTuple):
    importer: str  # jit.library
    imported: str  # numba.core, or debox.jit.library
    at_import: bool  # when the importer is imported, not inside a function nor for type checkers only


def is_type_checking(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports_of(tree, importer, package, at_import=True):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (Import(importer, name.name, at_import) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (Import(importer, f"{base}.{name.name}", at_import) for name in node.names)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_type_checking(node)
        yield from imports_of(node, importer, package, at_import and not later)


def all_imports():
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        importer = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "debox"
        package = ["debox", *parts[:-1]]
        yield from imports_of(ast.parse(path.read_text()), importer, package)


IMPORTS = list(all_imports())
INTERNAL = [i for i in IMPORTS if i.imported.split(".")[0] == "debox"]


def room(module):
    """de.mutation → de, debox.de.mutation → de"""
    return module.removeprefix("debox.").split(".")[0]


def belongs(module, home):
    return f"{module.removeprefix('debox.')}.".startswith(f"{home}.")


def broken(rule, imports):
    return [f"{i.importer} imports {i.imported}" for i in imports if rule(i)]


def test_the_walk_sees_the_imports():
    """Were it blind, every rule below would hold."""
    assert Import("optimize.minimize", "debox.optimize.optimizer.Optimizer", True) in IMPORTS
    assert Import("jit.library", "numba", False) in IMPORTS
    assert Import("optimize.optimizer", "scipy.optimize.OptimizeResult", False) in IMPORTS
    tree = ast.parse("def f():\n    from . import a\nif x:\n    from ..b import c\nclass D:\n    import e.f")
    found = list(imports_of(tree, "p.q", ["debox", "p"]))
    expected = [("debox.p.a", False), ("debox.b.c", True), ("e.f", True)]
    assert [(i.imported, i.at_import) for i in found] == expected


def test_every_module_has_its_place_on_the_road():
    assert {room(i.importer) for i in IMPORTS} <= PLACE.keys()
    assert {room(i.imported) for i in INTERNAL} <= PLACE.keys()


def points_outward(i):
    at, to = room(i.importer), room(i.imported)
    return at != to and PLACE[at] <= PLACE[to]


def test_imports_point_inward():
    assert not broken(points_outward, INTERNAL)
    assert points_outward(Import("de.mutation", "debox.registry", False))
    assert points_outward(Import("optimize.saved", "debox.f0.measure", True))


def test_the_algorithm_imports_numpy_alone():
    allowed = {"debox", "numpy", *sys.stdlib_module_names}
    inside = [i for i in IMPORTS if room(i.importer) == "de"]
    assert not broken(lambda i: i.imported.split(".")[0] not in allowed, inside)


@pytest.mark.parametrize("later", ["store", "analysis", "figures"])
def test_a_stored_study_is_read_without_the_engine(later):
    def engine(i):
        return room(i.imported) in ("jit", "de", "f0") and not belongs(i.imported, "f0.theory")

    assert not broken(lambda i: room(i.importer) == later and engine(i), INTERNAL)


@pytest.mark.parametrize("library", HOMES)
def test_a_heavy_library_has_one_home(library):
    assert not broken(lambda i: room(i.imported) == library and not belongs(i.importer, HOMES[library]), IMPORTS)


@pytest.mark.parametrize("library", ["numba", "scipy", "matplotlib", "duckdb"])
def test_a_heavy_library_is_imported_when_it_is_needed(library):
    late = [i for i in IMPORTS if not belongs(i.importer, "figures.draw")]
    assert not broken(lambda i: room(i.imported) == library and i.at_import, late)


@pytest.mark.parametrize("module", ["debox", "debox.cli"])
def test_importing_debox_loads_nothing_heavy(module):
    heavy = "{'numba', 'scipy', 'matplotlib', 'duckdb'} & set(sys.modules)"
    code = f"import sys, {module}; print(sorted({heavy}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_every_test_file_mirrors_a_source_file():
    for path in sorted(TESTS.rglob("test_*.py")):
        folder = path.relative_to(TESTS).parent
        if path.name in UNMIRRORED or (folder.parts and folder.parts[0] in UNMIRRORED_FOLDERS):
            continue
        mirrored = SOURCE / folder / path.name.removeprefix("test_")
        assert mirrored.exists() or mirrored.with_suffix("").is_dir(), f"{folder / path.name} mirrors nothing"


def test_the_public_names_exist():
    assert {"Box", "Config", "Optimizer", "minimize"} <= set(debox.__all__)
    assert all(hasattr(debox, name) for name in debox.__all__)


# How many files a reader opens who follows one call: those imported with it, the compiler's room counted as one.
MOST_FILES = {"optimize.minimize": 15, "f0.measure": 24}


def files_opened(module):
    modules = {i.importer for i in IMPORTS}
    opened, ahead = set(), [module]
    while ahead:
        opened.add(one := ahead.pop())
        if room(one) == "jit":
            continue
        named = [i.imported.removeprefix("debox.") for i in INTERNAL if i.importer == one and i.at_import]
        found = {name if name in modules else name.rpartition(".")[0] for name in named}
        ahead += (found & modules) - opened
    return {"jit" if room(name) == "jit" else name for name in opened} - {"debox"}


@pytest.mark.parametrize("call", MOST_FILES)
def test_a_reader_of_one_call_opens_few_files(call):
    opened = files_opened(call)
    assert {call, "jit", "de.algorithm", "registry"} <= opened
    assert len(opened) <= MOST_FILES[call], sorted(opened)
