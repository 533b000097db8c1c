"""The rules of the house that only a new Python process shows: what is imported, and beside what tests run."""

import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import run_python
from stored_rows import edited, filled, rows

import debox
from debox.analysis.runs import Runs
from debox.figures.catalogue import choose
from debox.store.manifest import Manifest
from debox.store.store import Writer

SOURCE = Path(debox.__file__).parent
TESTS = Path(__file__).parents[1]


READ_AND_DRAW = """
import sys
sys.modules["debox.loop"] = None  # whoever imports it, or the engines of f0, fails
import debox
from matplotlib.figure import Figure
from debox.analysis.last_step import LastStep
from debox.analysis.runs import Runs
from debox.explore import explorer
from debox.figures import strategies
from debox.figures.catalogue import choose
from debox.figures.save import make
from debox.report import report
from debox.report.html import anchor

folder, packed, pictures = sys.argv[1:]
debox.open_store(folder).pack(packed)
store = debox.open_store(packed)
study, table = store.study, store.table()
runs = Runs.of(store)
config = "DE/rand/1/exp sat, N=5, F=0.5, Cr=0.4"
assert debox.paper.claims(store)
assert len(debox.paper.compare(store, {"mine": folder}, only="amount-*")) == 1
assert debox.factors(store).strongest_pair == ("F", "Cr")
assert not debox.predict(store, config).stored
assert LastStep.of(runs).falls.shape == (1, 1, 1, 1, 2)
assert "</html>" in explorer(table, study=study)
debox.plot.edpois(store, "DE/rand/1/exp sat", N=5).figure.savefig(f"{pictures}/panel.png")
assert len(store.edpois(config.replace("F=0.5", "F=0.4"))) == 2

# To be quick, all figures are made and none is written: that is matplotlib's part, and the picture above has it.
Figure.savefig = lambda figure, file, **options: file.write(b"<svg ></svg>")
strategies.DRAWS = 100  # of densities
page = report(table, study=study)
there = [page.name for page in choose(runs) if not page.obstacle]
in_report = [name for name in there if f'id="figure-{anchor(name)}"' in page]
others = [name for name in there if name not in in_report]  # all are drawn, none twice
drawn = list(make(store, pictures, formats=["svg"], only=others))
assert [path.stem for path in drawn] == [name.split("/")[-1] for name in others]
print(*in_report, *others)
"""


@pytest.fixture
def small_store(tmp_path):
    """Two runs of 2 F by 3 Cr that were never run."""
    levels = {"F": [0.4, 0.6], "Cr": [0.2, 0.4, 0.8]}
    store = Writer.create(tmp_path / "small", Manifest(edited(**levels, runs=2)))
    for F, Cr in product(*levels.values()):
        made = rows(range(2), f"DE/rand/1/exp sat, N=5, F={F}, Cr={Cr}")
        pois = np.round([F * Cr, F * Cr + 0.1], 2)  # a whole number of trials in 100, 200 and 300
        filled(store, made | {name: pois for name in made if name.startswith("pois")})
    return store


def test_nothing_that_reading_and_drawing_reach_needs_the_loop(small_store, tmp_path):
    """Claims, factors, predictions, answers, the report, the explorer, and every figure of the catalogue."""
    result = run_python(READ_AND_DRAW, small_store.path, tmp_path / "small.parquet", tmp_path)
    assert result.returncode == 0, result.stderr
    without_runs = {"population-sizes", "crossovers"}  # of runs with one N and one crossover
    names = [page.name for page in choose(Runs.of(small_store))]
    assert set(result.stdout.split()) == set(names) - without_runs


def test_without_the_loop_no_run_is_done():
    """The control: else the test above would hold whatever is imported."""
    code = (
        "import sys; sys.modules['debox.loop'] = None; import debox; debox.measure('DE/rand/1/bin sat, N=5, F=1, Cr=1')"
    )
    result = run_python(code)
    assert result.returncode == 1
    assert "debox.loop" in result.stderr.splitlines()[-1]


def test_importing_debox_or_its_command_loads_nothing_heavy():
    """The command imports all that debox does."""
    heavy = "{'numba', 'scipy', 'matplotlib', 'duckdb'} & set(sys.modules)"
    result = run_python(f"import sys, debox.cli; print(sorted({heavy}), 'debox' in sys.modules)", check=True)
    assert result.stdout.strip() == "[] True"


def test_tests_run_beside_an_installed_package_called_tests(tmp_path):
    for package in ("tests", "tests/store", "tests/helpers", "docs"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    path = os.pathsep.join([str(tmp_path), str(SOURCE.parent)])
    code = "import sys, pytest, tests; print(tests.__file__); sys.exit(pytest.main(sys.argv[1:]))"
    file = TESTS / "store" / "test_schema.py"
    ended = run_python(code, "-n", "0", "-rA", file, env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path, timeout=120)
    assert str(tmp_path) in ended.stdout  # the other package is imported before ours could be
    assert "passed" in ended.stdout, ended.stdout + ended.stderr
    assert ended.returncode == 0
