"""debox explore, on a small study that is really run and stored."""

import json
import re
from functools import partial

import numpy as np
import pytest
from commands import invoke
from stored_rows import edited, filled, rows

import debox
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Writer, file_of_built_in

run = partial(invoke, "explore")


def part(n):
    """Three runs in n dimensions, never run, with whole numbers of trials at the checkpoints."""
    columns = rows(range(3), n=n)
    return columns | {f"pois_at_{name}": np.arange(3) / mark for name, mark in (("third", 100), ("two_thirds", 200))}


@pytest.fixture
def stored(tmp_path):
    """Two dimensions, one cell, three runs."""
    manifest = Manifest(edited(dimension=[2, 3], runs=3))
    return filled(Writer.create(tmp_path / "store", manifest), part(2), part(3)).path


def header_of(text):
    return json.loads(re.search(r'id="header">(.*?)</script>', text)[1])


def test_it_writes_one_file_and_prints_its_path(stored, tmp_path):
    out = tmp_path / "small.html"
    result = run(stored, "-o", out, "--where", "dimension=3")
    assert (result.exit_code, result.stdout) == (0, f"{out}\n"), result.output
    header = header_of(out.read_text())
    assert (header["name"], header["dimension"], header["budget"], header["runs"]) == ("made-up", 3, 300, 3)


def test_it_prints_the_page(stored):
    assert header_of(run(stored, "-o", "-", "--where", "n=2").stdout)["dimension"] == 2


def test_without_a_store_it_is_the_study_of_the_paper_whatever_is_called_paper_here(tmp_path, monkeypatch):
    """A directory `paper` here is the store of whoever names it, not of who names none."""
    opened = []

    def open_store(path):
        opened.append(path)
        raise StoreError("far enough")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper").mkdir()
    monkeypatch.setattr(debox, "open_store", open_store)
    assert "far enough" in run("-o", "x.html").output
    assert "far enough" in run("paper", "-o", "x.html").output
    assert opened == [file_of_built_in("paper"), "paper"]
    assert opened[0].is_file()
    assert tmp_path not in opened[0].parents
