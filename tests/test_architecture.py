"""The rules of the house: imports point inward, each heavy library has one home, tests mirror the source."""

import ast
import inspect
import os
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from commands import run_python
from for_each import for_each
from stored_rows import edited, filled, rows

import debox
from debox.analysis.runs import Runs
from debox.figures.catalogue import choose
from debox.registry.operator import FIELDS_BY_SLOT
from debox.store.manifest import Manifest
from debox.store.store import Store

SOURCE = Path(debox.__file__).parent
TESTS = Path(__file__).parent

# The road, from the inside out: a room imports itself and rooms above it, never its neighbours or what comes below.
ROAD = [
    {"files", "travel", "version"},
    {"reference"},
    {"jit"},
    {"de"},
    {"registry", "recipes", "check", "edpois", "notebook", "outputs"},
    {"config", "box", "threads"},
    {"assemble"},
    {"f0", "optimize"},
    {"design"},
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

UNMIRRORED = {
    f"test_{name}.py" for name in ("architecture", "data", "docs", "faults", "golden", "help", "readme", "wheel")
}
UNMIRRORED_FOLDERS = {"law", "browser", "torture", "defaults"}


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
    """de.variation → de, debox.de.variation → de"""
    return module.removeprefix("debox.").split(".")[0]


def belongs(module, home):
    return f"{module.removeprefix('debox.')}.".startswith(f"{home}.")


def broken(rule, imports):
    return [f"{i.importer} imports {i.imported}" for i in imports if rule(i)]


@pytest.mark.slow
def test_the_walk_sees_the_imports():
    """Were it blind, every rule below would hold."""
    assert Import("optimize.minimize", "debox.optimize.optimizer.Optimizer", True) in all_imports()
    assert Import("jit.library", "numba", False) in all_imports()
    assert Import("optimize.optimizer", "scipy.optimize.OptimizeResult", False) in all_imports()
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
    assert points_outward(Import("de.variation", "debox.registry", False))
    assert points_outward(Import("optimize.saved", "debox.f0.measure", True))


def test_the_algorithm_imports_numpy_alone():
    allowed = {"debox", "numpy", *sys.stdlib_module_names}
    inside = [i for i in all_imports() if room(i.importer) == "de"]
    assert not broken(lambda i: i.imported.split(".")[0] not in allowed, inside)


@pytest.mark.parametrize("later", ["design", "store", "analysis", "figures"])
def test_a_stored_study_is_read_without_the_engine(later):
    def engine(i):
        return room(i.imported) in ("jit", "de", "f0") and not belongs(i.imported, "f0.theory")

    assert not broken(lambda i: room(i.importer) == later and engine(i), internal_imports())


READ_AND_DRAW = """
import sys
sys.modules["numba"] = None  # whoever imports it fails
import debox
from matplotlib.figure import Figure
from debox.analysis import headline
from debox.analysis.answers import answers
from debox.analysis.collapse import LastStep
from debox.analysis.cube import Cube
from debox.analysis.runs import Runs
from debox.explore import explorer
from debox.figures.catalogue import choose
from debox.figures.data import strategy
from debox.figures.make import make
from debox.report import report
from debox.report.html import anchor

folder, packed, pictures = sys.argv[1:]
debox.open_store(folder).pack(packed)
store = debox.open_store(packed)
study, table = store.study, store.table()
runs = Runs.of(table, study)
config = "DE/rand/1/exp sat, N=5, F=0.5, Cr=0.4"
results = debox.claims(store)
assert len(debox.compare_claims(store, {"mine": folder}, only="amount")) == 2
assert debox.factors(store).strongest_pair == ("F", "Cr")
assert not debox.predict(store, config).stored
assert LastStep.of(Cube.of(runs)).falls.shape == (1, 1, 1, 1, 2)
assert [one.figure for one in answers(runs, results)] == ["overview", "factors-shares", "last-step"]
assert len(headline.summarise(runs)) == 6
assert "</html>" in explorer(table, study=study)
debox.plot.edpois(store, "DE/rand/1/exp sat", N=5).figure.savefig(f"{pictures}/panel.png")
assert len(store.edpois(config.replace("F=0.5", "F=0.4"))) == 2

# To be quick, all figures are made and none is written: that is matplotlib's part, and the picture above has it.
Figure.savefig = lambda figure, file, **options: file.write(b"<svg ></svg>")
strategy.DRAWS = 100  # of densities
page = report(table, study=study)
there = [entry.name for entry in choose(runs) if not entry.obstacle(runs)]
in_report = [name for name in there if f'id="figure-{anchor(name)}"' in page]
others = [name for name in there if name not in in_report]  # all are drawn, none twice
drawn = list(make(table, pictures, study=study, formats=["svg"], only=others))
assert [path.stem for path in drawn] == [name.split("/")[-1] for name in others]
print(*in_report, *others)
"""


@pytest.fixture
def small_store(tmp_path):
    """Two runs of 2 F by 3 Cr that were never run."""
    levels = {"F": [0.4, 0.6], "Cr": [0.2, 0.4, 0.8]}
    store = Store.create(tmp_path / "small", Manifest(edited(**levels, runs=2), source="0123456789abcdef"))
    for F, Cr in product(*levels.values()):
        made = rows(range(2), f"DE/rand/1/exp sat, N=5, F={F}, Cr={Cr}")
        pois = np.round([F * Cr, F * Cr + 0.1], 2)  # a whole number of trials in 100, 200 and 300
        filled(store, made | {name: pois for name in made if name.startswith("pois")})
    return store


@pytest.mark.slow
def test_nothing_that_reading_and_drawing_reach_needs_numba(small_store, tmp_path):
    """Claims, factors, predictions, answers, the report, the explorer, and every figure of the catalogue."""
    result = run_python(READ_AND_DRAW, small_store.path, tmp_path / "small.parquet", tmp_path)
    assert result.returncode == 0, result.stderr
    without_runs = {"population-sizes", "crossovers"}  # of runs with one N and one crossover
    names = [entry.name for entry in choose(Runs.of(small_store.table(), small_store.study))]
    assert set(result.stdout.split()) == set(names) - without_runs


@pytest.mark.slow
def test_without_numba_no_run_is_done():
    """The control: else the test above would hold whatever is imported."""
    code = "import sys; sys.modules['numba'] = None; import debox; debox.measure('DE/rand/1/bin sat, N=5, F=1, Cr=1')"
    result = run_python(code)
    assert result.returncode == 1
    assert "numba" in result.stderr.splitlines()[-1]


@for_each("library", HOMES)
def test_a_heavy_library_has_one_home(library):
    assert not broken(lambda i: room(i.imported) == library and not belongs(i.importer, HOMES[library]), all_imports())


@pytest.mark.parametrize("library", ["numba", "scipy", "matplotlib", "duckdb"])
def test_a_heavy_library_is_imported_when_it_is_needed(library):
    late = [i for i in all_imports() if not belongs(i.importer, "figures.draw")]
    assert not broken(lambda i: room(i.imported) == library and i.at_import, late)


@pytest.mark.slow
def test_importing_debox_or_its_command_loads_nothing_heavy():
    """The command imports all that debox does."""
    heavy = "{'numba', 'scipy', 'matplotlib', 'duckdb'} & set(sys.modules)"
    result = run_python(f"import sys, debox.cli; print(sorted({heavy}), 'debox' in sys.modules)", check=True)
    assert result.stdout.strip() == "[] True"


def is_mirror(test):
    """Whether this test file has a source file or room of its name, or lies in a folder named as a source file."""
    mirrored = SOURCE / test.parent / test.name.removeprefix("test_")
    return mirrored.exists() or mirrored.with_suffix("").is_dir() or (SOURCE / test.parent).with_suffix(".py").exists()


def test_every_test_file_mirrors_a_source_file():
    assert is_mirror(Path("f0/test_theory.py"))
    assert is_mirror(Path("f0/measure/test_theory.py"))
    assert not is_mirror(Path("f0/measures/test_theory.py"))
    assert not is_mirror(Path("f0/test_measures.py"))
    for path in sorted(TESTS.rglob("test_*.py")):
        test = path.relative_to(TESTS)
        if path.name not in UNMIRRORED and test.parts[0] not in UNMIRRORED_FOLDERS:
            assert is_mirror(test), f"{test} mirrors nothing"


def test_the_public_names_exist():
    assert {"Box", "Config", "Optimizer", "minimize"} <= set(debox.__all__)
    assert all(hasattr(debox, name) for name in debox.__all__)


def imports_from_tests(tree):
    return [i.imported for i in imports_of(tree, "a test", []) if room(i.imported) in ("tests", "docs")]


@pytest.mark.slow
def test_no_test_imports_from_a_top_level_package_that_others_install_too():
    """A regular package `tests`, such as ioh installs, comes before our folder of that name on any path."""
    assert imports_from_tests(ast.parse("from tests.store import rows")) == ["tests.store.rows"]
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text()
        if re.search(r"import.*\b(tests|docs)\b|\b(tests|docs)\b.*import", text):  # to read a whole file takes longer
            assert imports_from_tests(ast.parse(text)) == [], path


@pytest.mark.slow
def test_tests_run_beside_an_installed_package_called_tests(tmp_path):
    for package in ("tests", "tests/store", "tests/helpers", "docs"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    path = os.pathsep.join([str(tmp_path), str(SOURCE.parent)])
    code = "import sys, pytest, tests; print(tests.__file__); sys.exit(pytest.main(sys.argv[1:]))"
    file = TESTS / "store" / "test_checksum.py"
    ended = run_python(code, "-n", "0", "-rA", file, env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path, timeout=120)
    assert str(tmp_path) in ended.stdout  # the other package is imported before ours could be
    assert "passed" in ended.stdout, ended.stdout + ended.stderr
    assert ended.returncode == 0


# How many files a reader opens who follows one call: those imported with it, the compiler's room counted as one. No
# number may grow, and whoever needs fewer files lowers it. The aim of 15, 20 and 38 was set before F and Cr adapted;
# with the adaptations, the loop's parts for them and the recipes that is 18, 23 and 41. (To import those three late
# would hide from everyone where the loop goes.) To join more files would put two jobs into one or make it long.
MOST_FILES = {"optimize.minimize": 17, "f0.measure": 22, "cli.study": 41}


def files_opened(module):
    modules = {i.importer for i in all_imports()}
    opened, ahead = set(), {module}
    while ahead:
        opened.add(one := ahead.pop())
        if room(one) == "jit":
            continue
        named = [i.imported.removeprefix("debox.") for i in internal_imports() if i.importer == one and i.at_import]
        found = {name if name in modules else name.rpartition(".")[0] for name in named}
        ahead |= (found & modules) - opened
    return {"jit" if room(name) == "jit" else name for name in opened} - {"debox"}


@pytest.mark.parametrize("call", MOST_FILES)
def test_a_reader_of_one_call_opens_few_files(call):
    opened = files_opened(call)
    assert {call, "jit", "de.algorithm", "registry", "registry.operator"} <= opened
    assert len(opened) <= MOST_FILES[call], sorted(opened)


CONTRIBUTING = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text()


def rooms_on_the_map(text):
    """The rooms named in the first column of the map, line by line."""
    lines = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    named = [{name.removesuffix(".py").removesuffix("/") for name in re.findall("`(.*?)`", line)} for line in lines]
    return [{"debox" if name == "__init__" else name for name in names} for names in named]


def rooms_there(rooms):
    """Those of these rooms that exist."""
    return {
        name
        for name in rooms
        if name == "debox" or list(SOURCE.glob(f"{name}/*.py")) or (SOURCE / f"{name}.py").is_file()
    }


def test_the_map_for_contributors_has_every_room_in_the_order_of_the_road():
    assert rooms_on_the_map("| `a.py`, `b/` | x |\n|---|---|\n| `__init__.py` | `c/` |") == [{"a", "b"}, {"debox"}]
    assert rooms_on_the_map(CONTRIBUTING) == [there for rooms in ROAD if (there := rooms_there(rooms))]


@for_each("name", ["benchmarks/", "data/", "docs/spec.md", "studies/", "tests/", "tests/helpers"])
def test_what_stands_beside_the_source_is_named_for_contributors(name):
    assert f"`{name}`" in CONTRIBUTING
    assert (SOURCE.parents[1] / name).exists()


def test_contributors_are_told_every_field_of_a_mutation():
    (told,) = re.findall(r"^A mutation is .*?\n\n", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    assert [field for field in FIELDS_BY_SLOT["mutation"] if f"`{field}`" not in told] == []


def test_slow_means_the_same_to_contributors_and_to_pytest():
    options = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    (mark,) = (one for one in options["markers"] if one.startswith("slow:"))
    meaning = r"takes\s(.*?)( is marked|;)"
    (said,) = (found[1] for found in re.finditer(meaning, CONTRIBUTING) if "slow" in CONTRIBUTING[found.end() :][:40])
    assert re.search(meaning, mark)[1] == said


def test_the_room_of_execution_says_where_a_study_is_defined():
    assert debox.Study.__module__ == "debox.design.study"
    assert "`Study` itself" in debox.study.__doc__
    assert "debox.design" in debox.study.__doc__


def is_slow(node):
    """Is this a test that is marked slow?"""
    return any(ast.unparse(mark).endswith("mark.slow") for mark in node.decorator_list)


def quick_tests(path):
    functions = (node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef))
    return [node.name for node in functions if node.name.startswith("test_") and not is_slow(node)]


@pytest.mark.slow
def test_quick_tests_cover_every_room():
    """`make quick` leaves out tests that are marked slow, and whole folders that mirror no room."""
    assert "test_imports_point_inward" in quick_tests(Path(__file__))
    assert "test_tests_run_beside_an_installed_package_called_tests" not in quick_tests(Path(__file__))
    rooms = {path.parent for path in TESTS.rglob("test_*.py")} - {TESTS / name for name in UNMIRRORED_FOLDERS}
    for folder in sorted(rooms):
        assert any(quick_tests(path) for path in folder.glob("test_*.py")), folder


def test_hypothesis_draws_no_numbers_of_the_modules_that_happen_to_be_imported():
    """Else each worker would look at other examples, which depend on the tests that it has imported."""
    from hypothesis.internal.conjecture import providers

    assert len(providers._get_local_constants()) == 0


def test_for_each_tries_every_case_and_names_the_one_that_fails():
    seen = []

    @for_each(("a", "b"), [(1, 2), pytest.param(3, 4)])
    @for_each("c", "xy")
    def claim(fixture, a, b, c):
        seen.append((fixture, a, b, c))
        assert (b, c) != (4, "y")

    assert list(inspect.signature(claim).parameters) == ["fixture"]
    with pytest.raises(AssertionError) as error:
        claim(fixture=0)
    assert seen == [(0, 1, 2, "x"), (0, 1, 2, "y"), (0, 3, 4, "x"), (0, 3, 4, "y")]
    assert error.value.__notes__ == ["in the case c = 'y'", "in the case a = 3, b = 4"]


@dataclass(frozen=True)
class Case:
    """What pytest collects: a case of a test, and the argument of its mark `long`, if it has that."""

    originalname: str
    number: int
    every: int | None = None
    path: str = "test_it.py"

    def get_closest_marker(self, name):
        return None if self.every is None or name != "long" else pytest.mark.long(self.every).mark


def test_every_kth_case_of_a_long_test_is_not_left_to_make_law(pytestconfig):
    conftest = pytestconfig.pluginmanager.get_plugin(str(Path(__file__).with_name("conftest.py")))
    short, long, none = ([Case(name, k, every) for k in range(7)] for name, every in (("a", None), ("b", 3), ("c", 0)))
    left = conftest.leave_to_make_law([case for cases in zip(short, long, none, strict=True) for case in cases])
    assert left == {*none, *(long[k] for k in (1, 2, 4, 5))}
