"""`python -m benchmarks [section …]`: run the sections named, or all of them."""

import sys
import time
from importlib import import_module

from benchmarks.measure import versions

SECTIONS = ("peers", "startup", "counting", "f0")  # each is benchmarks/<name>.py with a function report()
ON_REQUEST = ("defaults",)


def main(names: list[str]) -> None:
    for name in names:
        if name not in (*SECTIONS, *ON_REQUEST):
            sys.exit(f"unknown section {name!r}; choose from {', '.join((*SECTIONS, *ON_REQUEST))}")
    print(versions())
    started = time.perf_counter()
    for name in names or SECTIONS:
        print(flush=True)
        import_module(f"benchmarks.{name}").report()
    print(f"\ntook {time.perf_counter() - started:.0f} s")


main(sys.argv[1:])
