"""debox predict, on a stored study that was never run."""

import json
import re

import pytest
from commands import invoke
from reproduction import numbers
from stored_rows import edited, filled, rows

import debox
from debox.store.manifest import Manifest
from debox.store.store import Writer

CONFIG = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Four F, three Cr, three runs each."""
    F, Cr = [0.3, 0.5, 1.0, 1.5], [0.1, 0.5, 0.9]
    parts = [rows(range(3), f"DE/rand/1/exp sat, N=5, F={f}, Cr={c}") for f in F for c in Cr]
    path = tmp_path_factory.mktemp("predict") / "store"
    filled(Writer.create(path, Manifest(edited(F=F, Cr=Cr, runs=3))), *parts)
    return path


def test_it_prints_what_python_says(stored):
    result = invoke("predict", stored, CONFIG)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{debox.predict(stored, CONFIG)}\n"
    assert invoke("predict", stored, "DE/rand/1/exp sat", "-N", 5, "-F", 0.7, "--cr", 0.5).stdout == result.stdout


def test_json_holds_the_band(stored):
    result = invoke("predict", stored, CONFIG, "--json", "--level", 0.8, "--where", "dimension=3")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == debox.predict(stored, CONFIG).as_dict(0.8)


def test_the_help_says_what_the_page_says_of_simulating():
    said = re.search(r"50 runs .*\s+take about ([\d.]+) s of one core", invoke("predict", "--help").output)
    assert said[1] == f"{numbers.load()['prediction']['seconds'][0]:.2g}"
