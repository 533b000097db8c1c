"""What `pip install debox` brings: the package, the page's modules, studies and the paper's runs, and nothing else.

With a C compiler the core is part of it, without one the install goes through and debox says at its first use."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from commands import invoke
from markdown_it import MarkdownIt

import debox

ROOT = Path(__file__).parents[2]
ADDRESS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["debox"]["address"]
BESIDE = {"data": ["data/paper.npz", "data/readings.parquet"]}
USED = """
import debox
from debox.paper.readings import READINGS, tables_of
from debox.explore.html import bundle, read
store = debox.open_store("paper")
print(debox.__file__)
print(store.study.name, len(store.table(["pois"])["pois"]))
print(set(tables_of(None)) <= set(READINGS), "class Core" in bundle("worker"), len(read("page.css")) > 1000)
try:
    store.table(["best_f"])
except ValueError as error:
    print(error)
"""
COMMANDS = {
    "claims": ["claims", "paper", "--only", "size-*"],
    "compare": ["claims", "paper", "--compare", "--only", "collapse-*"],
    "factors": ["factors", "paper"],
    "predict": ["predict", "paper", "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"],
    "explore": ["explore", "-o", "-"],
}


WITHOUT_CORE = """
import warnings
import debox
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    found = [debox.minimize(lambda x: float((x * x).sum()), [(-5, 5)] * 3, budget=60, rng=1) for _ in range(2)]
setting = "DE/rand/1/bin mirror, N=5, F=0.5, Cr=0.9"
sizes = dict(n=3, budget=100, runs=1, rng=1)
print(debox.__file__)
print(found[0].nfev, [one.filename.rpartition('/')[2] for one in seen], str(seen[0].message))
print(debox.measure(setting, **sizes, engine="plain").pois)
for engine in ("auto", "fast"):
    try:
        debox.measure(setting, **sizes, engine=engine)
    except RuntimeError as error:
        print(error)
"""


def built(folder, sdist, **environment):
    """The wheel of a source distribution, made without a network."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", str(folder), str(sdist)]
    subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def unpacked(path):
    with zipfile.ZipFile(path) as opened:
        opened.extractall(path.parent / "unpacked")
    return path.parent / "unpacked"


def python(folder, *arguments):
    """What Python prints that finds debox in this folder alone."""
    command, environment = [sys.executable, *arguments], os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def targets_in(metadata):
    """Where links and pictures of a package's description lead, and its other fields."""
    fields, _, description = metadata.partition("\n\n")
    found = []
    for token in [one for block in MarkdownIt().parse(description) for one in (block, *(block.children or []))]:
        found += [token.attrs[name] for name in ("href", "src") if name in token.attrs]
        if token.type in ("html_inline", "html_block"):
            found += re.findall(r'\b(?:href|src|srcset)="([^"]*)"', token.content)
    return found, fields


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The source distribution, made of a copy of the tree that was never built."""
    tree = tmp_path_factory.mktemp("sdist") / "tree"
    unwanted = shutil.ignore_patterns(
        ".*", "build", "out", "tests", "benchmarks", "docs", "*.egg-info", "*.so", "*.pyd"
    )
    shutil.copytree(ROOT, tree, ignore=unwanted)
    make = "from setuptools import build_meta; build_meta.build_sdist('..')"
    subprocess.run([sys.executable, "-c", make], cwd=tree, check=True, capture_output=True)
    (path,) = tree.parent.glob("*.tar.gz")
    return path


@pytest.fixture(scope="module")
def wheel_file(sdist, tmp_path_factory):
    return built(tmp_path_factory.mktemp("wheel"), sdist, DEBOX_CORE="required")


@pytest.fixture(scope="module")
def wheel(wheel_file):
    """The wheel, built from the source distribution, unpacked into an empty folder."""
    return unpacked(wheel_file)


def names_below(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in files}


def test_the_wheel_holds_the_package_its_studies_and_the_papers_runs_and_nothing_else(wheel):
    expected = {f"debox/{name}" for name in names_below(ROOT / "src" / "debox")}
    expected |= {f"debox/{folder}/{Path(path).name}" for folder, paths in BESIDE.items() for path in paths}
    there = {name for name in names_below(wheel) if ".dist-info/" not in name}
    assert there == expected
    assert {"debox/explore/page/core.wasm.base64", "debox/explore/page/page.html", "debox/data/paper.npz"} <= there


def test_the_papers_study_opens_from_the_wheel_alone(wheel):
    where, *rest = python(wheel, "-c", USED).splitlines()
    assert Path(where) == wheel / "debox" / "__init__.py"
    study, modules, error = rest
    assert (study, modules) == ("paper 300000", "True True True")
    assert "'best_f'" in error
    assert "data/paper.parquet in debox's repository" in error


@pytest.mark.parametrize("what", COMMANDS)
def test_the_wheels_counts_say_what_the_whole_study_says(wheel, what):
    here = invoke(*COMMANDS[what])
    assert here.exit_code == 0
    assert len(here.stdout) > 200
    assert python(wheel, "-m", "debox", *COMMANDS[what]) == here.stdout


def test_the_wheel_is_small(wheel_file):
    """Much of it is counts of the paper's study; the study itself would be 7.6 MB."""
    assert wheel_file.stat().st_size < 3.5e6


def test_the_metadata_of_a_wheel_leads_to_no_file_of_the_repository(wheel):
    (path,) = wheel.glob("*.dist-info/METADATA")
    targets, fields = targets_in(path.read_text())
    assert [target for target in targets if not re.match("https?:|#", target)] == []
    here, _ = targets_in(f"\n\n{(ROOT / 'README.md').read_text()}")
    assert [target for target in here if not re.match("https?:|#", target)] != []
    assert "make test" in path.read_text()
    assert ("Project-URL" in fields) == bool(ADDRESS)
    assert "Classifier: Typing :: Typed" in fields


def test_once_there_is_an_address_the_metadata_lead_there(tmp_path):
    """The files of the README are those of the repository."""
    tree, address = tmp_path / "tree", "https://example.org/debox"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("*.egg-info", "*.so", "__pycache__"))
    for name in ("setup.py", "README.md", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / name, tree / name)
    settings = (tree / "pyproject.toml").read_text()
    (tree / "pyproject.toml").write_text(re.sub('(?m)^address = ".*?"', f'address = "{address}/"', settings))
    make = "from setuptools import build_meta; build_meta.prepare_metadata_for_build_wheel('..')"
    subprocess.run([sys.executable, "-c", make], cwd=tree, check=True, capture_output=True)
    targets, fields = targets_in((tmp_path / f"debox-{debox.__version__}.dist-info" / "METADATA").read_text())
    assert f"Project-URL: Source, {address}\n" in fields
    ours = [target.removeprefix(f"{address}/") for target in targets if target.startswith(address)]
    assert len(ours) > 3
    files = [re.sub("^(blob|raw)/main/|#.*", "", target) for target in ours]
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert all(re.match("https?:|#", target) for target in targets)


def test_one_wheel_with_the_core_serves_python_3_11_and_all_later_versions(wheel_file, wheel):
    assert "-cp311-abi3-" in wheel_file.name
    assert list((wheel / "debox").glob("_core.*abi3.so")) + list((wheel / "debox").glob("_core.pyd"))


def test_without_a_compiler_debox_installs_and_says_at_its_first_use_how_to_get_the_core(sdist, tmp_path):
    bare = unpacked(built(tmp_path, sdist, CC="false", DEBOX_CORE="optional"))
    assert not [*(bare / "debox").glob("_core.*so"), *(bare / "debox").glob("_core.pyd")]
    where, run, pois, *errors = python(bare, "-c", WITHOUT_CORE).splitlines()
    assert Path(where) == bare / "debox" / "__init__.py"
    nfev, files, message = run.split(" ", 2)
    assert (nfev, files) == ("60", "['<string>']")  # one warning
    assert "pip install --force-reinstall" in message
    assert 0.0 <= float(pois.strip("[]")) <= 1.0
    assert len(errors) == 2
    assert all("pip install" in error and "engine='plain'" in error for error in errors)
    assert "Usage" in python(bare, "-m", "debox", "--help")
