"""`python -m benchmarks [--write] [section …]`: the sections named, or all; --write: into docs/speed.md too."""

import io
import sys
import time
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

from benchmarks.measure import versions

# Each is benchmarks/<name>.py with a function report().
SECTIONS = ("peers", "overhead", "startup", "f0", "study", "figures", "explorer")
SPEED = Path(__file__).parents[1] / "docs" / "speed.md"
FENCE = "```"


class Both(io.StringIO):
    """What is printed, and a copy of it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)
        return super().write(text)


def main(*names: str) -> None:
    for name in names:
        if name not in SECTIONS:
            sys.exit(f"unknown section {name!r}; choose from {', '.join(SECTIONS)}")
    print(versions())
    started = time.perf_counter()
    for name in names or SECTIONS:
        print(flush=True)
        import_module(f"benchmarks.{name}").report()
    print(f"\ntook {time.perf_counter() - started:.0f} s")


def write(text: str) -> None:
    """Replace the figures at the end of docs/speed.md."""
    before = SPEED.read_text().split(FENCE)[0]
    SPEED.write_text(f"{before}{FENCE}\n{text}{FENCE}\n")


arguments = sys.argv[1:]
with redirect_stdout(Both()) as printed:
    main(*(name for name in arguments if name != "--write"))
if "--write" in arguments:
    write(printed.getvalue())
