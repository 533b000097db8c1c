"""What `pip install debox` brings: the package, the page's modules, studies and the paper's runs, and nothing else."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BESIDE = {"data": ["data/paper.parquet", "data/readings.parquet"]}
USED = """
import debox
from debox.analysis.claims.readings import READINGS, tables_of
from debox.explore.bundle import bundle, source
store = debox.open_store("paper")
print(debox.__file__)
print(store.study.name, len(store.table(["pois"])["pois"]))
print(set(tables_of(None)) <= set(READINGS), "class Engine" in bundle("worker"), len(source("page.css")) > 1000)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without a network, unpacked into an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        opened.extractall(folder / "unpacked")
    return folder / "unpacked"


def names_below(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in files}


def test_the_wheel_holds_the_package_its_studies_and_the_papers_runs_and_nothing_else(wheel):
    expected = {f"debox/{name}" for name in names_below(ROOT / "src" / "debox")}
    expected |= {f"debox/{folder}/{Path(path).name}" for folder, paths in BESIDE.items() for path in paths}
    there = {name for name in names_below(wheel) if ".dist-info/" not in name}
    assert there == expected
    assert {"debox/explore/page/engine.js", "debox/explore/page/page.html", "debox/data/paper.parquet"} <= there


def test_the_papers_study_opens_from_the_wheel_alone(wheel):
    environment = os.environ | {"PYTHONPATH": str(wheel)}
    found = subprocess.run(
        [sys.executable, "-c", USED], cwd=wheel, env=environment, check=True, capture_output=True, text=True
    )
    where, *rest = found.stdout.splitlines()
    assert Path(where) == wheel / "debox" / "__init__.py"
    assert rest == ["paper 300000", "True True True"]
