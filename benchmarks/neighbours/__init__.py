"""`python -m benchmarks.neighbours` tries what debox and its neighbours have, and writes the table of README.

A module per library has a function per row; it returns the cell after it has run the installed version, or has looked
for the feature in its signatures and attributes. What was found, and of which versions, is kept in
data/neighbours.json. The extra `bench` installs the libraries.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
README, DATA = ROOT / "README.md", ROOT / "data" / "neighbours.json"
LIBRARIES = {  # and the module that tries each
    "debox": "of_debox",
    "SciPy": "of_scipy",
    "pymoo": "of_pymoo",
    "minionpy": "of_minionpy",
    "modde": "of_modde",
}
ROWS = {  # function of these modules: title of the row
    "strategies": "strategies for out-of-bounds trials",
    "one_for_each_variable": "one for each variable",
    "counts_infeasible": "counts out-of-bounds trials",
    "adaptive": "adaptive DE",
    "asks_and_tells": "ask and tell",
    "resumes": "a saved run resumes",
    "variables": "variables besides real ones",
    "constraints": "nonlinear constraints",
}
NO, YES = "–", "yes"
n, BUDGET = 3, 400
BOX = [(-5.0, 5.0)] * n  # modde's default
COUNTERS = "pois|infeas|bound|repair|correct|outside"  # part of a name that may count out-of-bounds trials
Cells = dict[str, str]  # by the title of their rows


class Slope:
    """An objective whose minimum is in a corner; it keeps the points."""

    def __init__(self) -> None:
        self.points: list[np.ndarray] = []

    def __call__(self, x: Any) -> float:
        self.points.append(np.array(x, float))
        return float(np.sum(x))

    def stayed_inside(self) -> bool:
        return bool(np.abs(self.points).max() <= 5 + 1e-12)


def parameters(*functions: Callable[..., Any]) -> str:
    """The names of all arguments."""
    return " ".join(name for function in functions for name in inspect.signature(function).parameters)


def absent(pattern: str, names: str) -> str:
    """The cell for what a library lacks: no name in the text has the pattern."""
    if found := re.findall(rf"\w*(?:{pattern})\w*", names, re.IGNORECASE):
        raise AssertionError(f"{found} may be what the table says is absent")
    return NO


def refuses(run: Callable[[], Any], error: type[Exception], message: str) -> str:
    """The cell for what ends in this error."""
    try:
        run()
    except error as raised:
        if re.search(message, str(raised)):
            return NO
        raise
    raise AssertionError("what the table says is refused is accepted")


def count_strategies(slopes: Iterable[Slope]) -> str:
    """How many of these runs, from one seed, stayed in the box and evaluated other points than the rest."""
    return str(len({np.array(slope.points).tobytes() for slope in slopes if slope.stayed_inside()}))


def name_and_version(library: str) -> str:
    return f"{library} {version(library.lower())}"


def cells_of(library: str) -> Cells:
    """What the installed version of a library has."""
    module = import_module(f"{__name__}.{LIBRARIES[library]}")
    return {title: getattr(module, function)() for function, title in ROWS.items()}


def kept() -> dict[str, Cells]:
    """What was found, by library and version."""
    return json.loads(DATA.read_text("utf-8"))


def table(found: dict[str, Cells]) -> str:
    """The table of README."""
    rows = [["", *found], ["---"] * (1 + len(found))]
    rows += [[title, *(cells[title] for cells in found.values())] for title in ROWS.values()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
