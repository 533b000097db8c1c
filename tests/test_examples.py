"""The examples run, here with short runs."""

import csv
import importlib.util
from functools import partial
from pathlib import Path

import debox

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_panels_of_the_paper_are_shown_and_every_run_is_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(debox, "measure_many", partial(debox.measure_many, n=2, budget=300, runs=2))
    load("paper").main(str(tmp_path))
    text = capsys.readouterr().out
    assert all(f"== {figure} ==" in text for figure in ("population sizes", "mutations", "crossovers", "strategies"))
    with (tmp_path / "paper.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11 * 50 * 2  # 13 panels, of which best/1/exp sat and rand/1/exp sat are in two figures each
    assert {debox.Config(row["config"]).N for row in rows} == {5, 20, 100}
    assert all(0 <= float(row["pois"]) < 1 for row in rows)
    assert not list(tmp_path.glob("*.tmp"))
