"""My program is typed: mypy and pyright accept what is right in it, and the pages' examples, and see what is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import playwright
import pytest
from markdown_pages import code_blocks

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

RIGHT = """# mypy: disallow-untyped-calls, disallow-untyped-defs, warn-return-any
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import debox


def cost(x: NDArray[np.float64], scale: float) -> float:
    return float((x**2).sum()) * scale


def named(p: Mapping[str, Any]) -> float:
    return float(p["coils"])


bounds = {"coils": debox.Integer(1, 9), "wire": debox.Real(1e-5, 1, log=True), "hook": debox.Periodic(0, 360)}
result = debox.minimize(cost, [(0, 5), debox.Fixed(3)], args=(2.0,), x0=[1, 3], budget=100, time_limit=60, workers=2)
best: float = result.fun
print(result.walls, result.infeasible_per_bound[0], best)
debox.minimize(named, bounds, named=True, checkpoint=Path("run.npz"), budget=1e4, callback=lambda now: now.fun < 1)
opt = debox.Optimizer(bounds, "DE/rand/1/bin", strategy=["mirror", "COTN", "mirror"], budget=100)
points: NDArray[np.float64] = opt.ask()
opt.tell(points, [named(opt.params(x)) for x in points])
found = debox.compare(named, bounds, strategies=["mirror", "COTN"], budget=100)
print(found.best, found.worse, found.medians.min())
"""
WRONG = """
debox.minimize(cost, [(0, 5)], budget="many")
debox.minimize(cost, [(0, 5)], seed=1)
opt.tell(points)
debox.Integer("1", 9)
debox.measure("DE/rand/1/exp sat", runs="fifty")
found.worst
"""


def programs_of(page):
    """The examples of a page; one that imports nothing goes on from the one before."""
    programs = []
    for code in code_blocks(page, "python"):
        if "import debox" in code or not programs:
            programs.append(code)
        else:
            programs[-1] += code
    return programs


def by_mypy(folder, names):
    options = ["--check-untyped-defs", "--ignore-missing-imports", "--cache-dir", ROOT / "build" / "mypy"]
    return printed_by(["-m", "mypy", *options, *names], folder, r"^(\S+\.py):(\d+): error: ")


def by_pyright(folder, names):
    """With the Node that Playwright brings, so that pyright downloads none."""
    path = str(Path(playwright.__file__).parent / "driver")
    return printed_by(
        ["-m", "pyright", "--pythonpath", sys.executable, *names],
        folder,
        r"^\s*\S*?([^/\\\s]+\.py):(\d+):\d+ - error: ",
        PATH=path,
    )


def printed_by(command, folder, pattern, **environment):
    """File and line of each error that a checker prints."""
    run = subprocess.run(
        [sys.executable, *command], cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    return re.findall(pattern, run.stdout, re.MULTILINE)


@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_a_checker_accepts_what_is_right_and_sees_what_is_wrong(checker, tmp_path):
    written = {f"{page.stem}_{k}.py": code for page in PAGES for k, code in enumerate(programs_of(page))}
    assert len(written) > 8
    written["program.py"] = RIGHT + WRONG
    for name, code in written.items():
        (tmp_path / name).write_text(code)
    found = checker(tmp_path, written)
    assert [line for line in found if line[0] != "program.py"] == []
    lines = written["program.py"].splitlines()
    assert [lines[int(number) - 1] for _, number in found] == WRONG.strip().splitlines()
