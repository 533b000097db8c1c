"""`python -m benchmarks.readings [RUNS] [PART …]`: do the runs, pack them into data/readings.parquet, write the page.

`run`, `pack`, `page`, `check` alone do one of these; RUNS is 50, and a study that was begun goes on.
"""

import sys

from benchmarks.readings import pack, page
from benchmarks.readings.studies import run_all

STEPS = ("run", "pack", "page", "check")


def main() -> None:
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    steps = [word for word in words if word in STEPS] or [*STEPS]
    parts = [word for word in words if not word.isdigit() and word not in STEPS]
    if "run" in steps:
        run_all(numbers[0] if numbers else 50, parts)
    if "pack" in steps:
        pack.pack()
    if "page" in steps:
        page.write()
    if "check" in steps:
        page.write_check()


if __name__ == "__main__":
    main()
