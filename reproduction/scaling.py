"""What a run costs against n, N and budget: `python -m reproduction run scaling` measures debox.study.cost anew."""

import importlib
import re
import time
from itertools import cycle, product
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.measure import progress, versions

from debox import Box, Config, operators
from debox.cli.study import duration
from debox.f0.engines import Setting, do_runs, engine_for
from debox.study import cost
from reproduction.numbers import load, store

SIZES, DIMENSIONS, SHARES = (5, 20, 100), (10, 30, 100, 300, 1000), (0.1, 1, 10)
PAPER_N, PER_VARIABLE = 30, 10_000  # the paper's n; and its budget, a variable
MUTATIONS, CROSSOVERS, STRATEGIES = (
    [operator.name for operator in operators.in_slot(slot)] for slot in ("mutation", "crossover", "strategy")
)
MUTATIONS, STRATEGIES = MUTATIONS[:4], STRATEGIES[:4]  # others take the times of the most similar ones
VARIANTS = list(product(MUTATIONS, CROSSOVERS))
CELLS = list(product((0.05, 0.483, 0.916, 1.35, 1.783), (0.05, 0.52, 0.99)))  # F, Cr
FEW_CELLS = CELLS[1::4]
PLAIN_BUDGET = 30_000  # the plain engine's time is proportional to its budget
LARGE = {"configurations": 10_000, "n": 1000, "runs": 50}


def seconds(variant: tuple[str, str], N: int, n: int, budget: int, engine: str, cells: list, runs: int = 2) -> float:
    """CPU time of a run, mean over cells (F, Cr), each with a strategy in turn and the shorter of some runs."""
    spent = []
    for (F, Cr), strategy in zip(cells, cycle(STRATEGIES), strict=False):
        config = Config(mutation=variant[0], crossover=variant[1], strategy=strategy, N=N, F=F, Cr=Cr)
        setting = Setting(Box(np.zeros(n), np.ones(n)), budget, 0, engine, (1 / 3, 2 / 3))
        spent.append(min(run.seconds for run in do_runs(config, setting, range(runs))))
    return float(np.mean(spent))


def plain_seconds(variant: tuple[str, str], n: int, budget: int) -> float:
    return seconds(variant, 20, n, PLAIN_BUDGET, "plain", FEW_CELLS) * budget / PLAIN_BUDGET


def base() -> dict:
    """Milliseconds of a run with the paper's n and budget: the fast engine for each N, and the plain one."""
    ms, budget = {}, PER_VARIABLE * PAPER_N
    for variant in VARIANTS:
        progress(f"scaling: {'/'.join(variant)}")
        fast = (round(1e3 * seconds(variant, N, PAPER_N, budget, "fast", CELLS), 2) for N in SIZES)
        ms[variant] = (*fast, round(1e3 * plain_seconds(variant, PAPER_N, budget)))
    return ms


def ratios(pairs: dict[float, tuple[int, int]], whole: float) -> dict:
    """For each (n, budget): the time of all variants ÷ that of the paper's; for each N, then for the plain engine."""
    totals = {}
    for key, (n, budget) in pairs.items():
        progress(f"scaling: n = {n}, budget = {budget}")
        runs = 2 if n * budget < 10**8 else 1
        fast = [sum(seconds(v, N, n, budget, "fast", FEW_CELLS, runs) for v in VARIANTS) for N in SIZES]
        totals[key] = [*fast, sum(plain_seconds(v, n, budget) for v in VARIANTS)]
    rising = np.maximum.accumulate(list(totals.values()))  # noise must not make longer runs cheaper
    shares = rising / rising[list(pairs).index(whole)]
    return {key: tuple(float(f"{ratio:.3g}") for ratio in row) for key, row in zip(pairs, shares, strict=True)}


def build_line() -> tuple[float, float]:
    """CPU time before the first run of a configuration: that of no variable, and of each one more."""
    first, last = DIMENSIONS[0], DIMENSIONS[-1]
    slope = (build_seconds(last) - (at_first := build_seconds(first))) / (last - first)
    return at_first - slope * first, slope


def build_seconds(n: int) -> float:
    """CPU time before the first run of a configuration in n dimensions."""
    setting = Setting(Box(np.zeros(n), np.ones(n)), PER_VARIABLE * n, 0, "fast", (1 / 3, 2 / 3))
    configs = [Config(mutation=m, crossover=x, strategy="sat", N=N, F=0.5, Cr=0.5) for m, x in VARIANTS for N in SIZES]
    begun = time.process_time()
    for config in configs:
        engine_for(config, setting)
    return (time.process_time() - begun) / len(configs)


def adaptive_ratio() -> float:
    """How many times as long as the most similar of the tables' a plain run takes where F and Cr adapt: all recipes."""
    times = []
    for name, recipe in operators.RECIPES.items():
        config = Config.of(name, PAPER_N)
        setting = Setting(Box.unit(PAPER_N), PER_VARIABLE * PAPER_N, 0, "plain", (1 / 3, 2 / 3))
        adaptive = min(run.seconds for run in do_runs(config, setting, range(2)))
        similar = cost.similar_in_table(recipe.mutation, recipe.crossover)
        times.append(adaptive / plain_seconds(similar, PAPER_N, PER_VARIABLE * PAPER_N))
    return float(np.mean(times))


def literal(table: dict) -> str:
    """A dictionary as the source writes it."""
    rows = [f"    {key!r}: {value!r},".replace("'", '"') for key, value in table.items()]
    return "\n".join(["{", *rows, "}"])


def write_tables(ms: dict, by_n: dict, by_budget: dict, adaptive: float, build: tuple[float, float]) -> None:
    """Put what was measured between the marks in cost.py."""
    lines = [
        f"SIZES = {SIZES}  # N",
        "MS = {  # for these N, and of the plain engine" + literal(ms)[1:],
        "# Times as many ms, for these N and for plain: with another n (and a budget of 10 000 n),",
        f"BY_DIMENSION = {literal(by_n)}",
        "# and with another budget, by what it is ÷ 10 000 n.",
        f"BY_BUDGET = {literal(by_budget)}",
        f"ADAPTIVE = {adaptive:.2g}  # times as many ms, for plain, where F and Cr adapt or p-best are drawn",
        f"BUILD = ({build[0]:.2g}, {build[1]:.2g})"
        "  # seconds before the first run of a configuration, and as many more for each variable",
    ]
    path = Path(cost.__file__)
    marks = r"(# <tables>\n).*?(\n# </tables>)"
    path.write_text(re.sub(marks, lambda m: m[1] + "\n".join(lines) + m[2], path.read_text(), flags=re.DOTALL))
    importlib.reload(cost)


def scaled(by: dict) -> dict:
    """The mean of all variants times the factors of a table."""
    mean = np.mean(list(cost.MS.values()), axis=0)
    return {value: np.multiply(mean, factors) for value, factors in by.items()}


def numbers(measured_with: str = "") -> dict[str, Any]:
    """What the page tells of the tables of debox.study.cost, and with which versions they were measured."""
    by_n, by_budget, whole = scaled(cost.BY_DIMENSION), scaled(cost.BY_BUDGET), PER_VARIABLE * PAPER_N
    of_a_run = np.mean(by_n[LARGE["n"]][: len(SIZES)]) / 1e3
    total = (cost.build(LARGE["n"]) + of_a_run * LARGE["runs"]) * LARGE["configurations"]
    return {
        "measured_with": measured_with or load()["scaling"]["measured_with"],
        "sizes": cost.SIZES,
        "variants": [{"name": "/".join(variant), "ms": ms} for variant, ms in cost.MS.items()],
        "by_n": [{"name": n, "ms": ms} for n, ms in by_n.items()],
        "by_budget": [{"name": f"{int(share * whole):,}", "ms": ms} for share, ms in by_budget.items()],
        "large": LARGE,
        "hours": total / 3600,
        "cores": [{"cores": cores, "time": duration(total / cores)} for cores in (2, 32, 256, 1024)],
    }


def run() -> None:
    """Measure anew, write debox.study.cost, then the numbers of the page."""
    ms = base()
    by_n = ratios({n: (n, PER_VARIABLE * n) for n in DIMENSIONS}, PAPER_N)
    by_budget = ratios({share: (PAPER_N, int(share * PER_VARIABLE * PAPER_N)) for share in SHARES}, 1)
    write_tables(ms, by_n, by_budget, adaptive_ratio(), build_line())
    store("scaling", numbers(versions(["debox", "numpy"])))
