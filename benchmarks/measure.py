"""What every section needs: CPU time, a verdict on a demand, a table, a line that says what is being measured."""

import platform
import sys
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from typing import TypeVar

Result = TypeVar("Result")

PACKAGES = ("debox", "numpy", "numba", "scipy", "pygmo", "minionpy", "fcmaes", "pymoo", "cma", "ioh")


def cpu_seconds(function: Callable[[], Result]) -> tuple[float, Result]:
    """The CPU time of a call, over all threads of this process, and what it returned."""
    started = time.process_time()
    result = function()
    return time.process_time() - started, result


def verdict(demand: str, measured: float, limit: float, unit: str = "") -> str:
    """One line: the demand, what was measured, the limit, and ok or MISSED."""
    outcome = "ok" if measured <= limit else "MISSED"
    return f"  {demand:<74}{measured:>7.3f} ≤ {limit:<5.3g} {unit:<3} {outcome}"


def table(head: list[str], rows: list[list[str]], words: int = 1) -> str:
    """The first columns hold words and are aligned to the left, the others numbers."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in [head, *rows]:
        cells = [f"{cell:{'<' if k < words else '>'}{widths[k]}}" for k, cell in enumerate(row)]
        lines.append("  " + "  ".join(cells))
    return "\n".join(lines)


def progress(text: str) -> None:
    """Tell the person waiting, on stderr, what is going on."""
    print(f"benchmarks: {text} …", file=sys.stderr, flush=True)


def versions(packages: Iterable[str] = PACKAGES) -> str:
    """What is compared, on what."""
    found = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)
