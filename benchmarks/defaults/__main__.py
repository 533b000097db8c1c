"""`python -m benchmarks.defaults [run|page|forget|grid|shapes] [--suite …] [--solver …] [--budget …] [--seeds …]
[--shard …]`

run does what is not done of the runs asked for, and page writes docs/defaults.md; with no word, both, as `python -m
benchmarks defaults` does for all runs. forget removes the runs of the solvers named, to be run anew after a change.
grid measures F and Cr of classic DE for the same page. shapes prints where polish gains over DE alone on the problems
on which its constants were chosen.
"""

import argparse

from benchmarks.defaults import grid, page, shapes
from benchmarks.defaults.execute import BUDGETS, SEEDS, SUITES, Plan, cost, execute
from benchmarks.defaults.results import LOGS, Log, forget, pack, read
from benchmarks.defaults.solvers import SOLVERS


def run(plan: Plan, shard: str = "1/1") -> None:
    """Do every n-th of the runs that are not done, say what they cost before."""
    part, parts = map(int, shard.split("/"))
    if not 1 <= part <= parts:
        raise ValueError(f"shard must be k/n with 1 ≤ k ≤ n, got {shard}")
    rows = read()
    pending = [key for key in list(plan.keys())[part - 1 :: parts] if key not in rows]
    if pending:
        print(cost(pending, rows), flush=True)
        execute(pending, Log(LOGS / f"{part}-of-{parts}.csv"))


def report() -> None:
    """All runs, then the page: what `python -m benchmarks defaults` does."""
    run(Plan())
    pack(read())
    print(page.update())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__)
    parser.add_argument("action", nargs="?", choices=["run", "page", "forget", "grid", "shapes"])
    parser.add_argument("--suite", nargs="+", choices=SUITES, default=tuple(SUITES))
    parser.add_argument("--solver", nargs="+", choices=SOLVERS, default=tuple(SOLVERS))
    parser.add_argument("--budget", nargs="+", type=int, choices=BUDGETS, default=BUDGETS)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--shard", default="1/1")
    asked = parser.parse_args()
    if asked.action == "grid":
        grid.update()
    if asked.action == "shapes":
        shapes.report()
    if asked.action == "forget":
        if tuple(asked.solver) == tuple(SOLVERS):
            parser.error("forget needs --solver: whose runs?")
        forget(asked.solver)
    if asked.action in (None, "run"):
        run(Plan(tuple(asked.suite), tuple(asked.solver), tuple(asked.budget), asked.seeds), asked.shard)
    if asked.action in (None, "page"):
        pack(read())
        print(page.update())


if __name__ == "__main__":
    main()
