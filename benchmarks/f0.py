"""The f0 engines: fast against plain cell by cell, and the whole study extrapolated."""

from itertools import product

import numpy as np

from benchmarks.measure import cpu_seconds, progress, table, verdict
from debox import Box, Config, Study, operators
from debox.f0.engines import ENGINES, Fast, stream

# The paper's study.
N_DIM, BUDGET, RUNS, SIZES = 30, 300_000, 50, (5, 20, 100)
F_GRID = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
CR_GRID = (0.05, 0.285, 0.52, 0.755, 0.99)
MUTATIONS, CROSSOVERS, STRATEGIES = (
    [operators.find(slot, name) for name in getattr(Study.load("paper"), slot)]
    for slot in ("mutation", "crossover", "strategy")
)

PLAIN_BUDGET = 30_000  # the plain engine's time is proportional to its budget
CELLS_PER_PANEL = 3  # 360 configurations


def seconds_per_run(engine: str, config: Config, budget: int, runs: int) -> float:
    """CPU time of a run, the shortest of some."""
    box = Box.unit(N_DIM)
    runner = ENGINES[engine](config, box, budget, np.array([budget // 3, 2 * budget // 3]))
    times = []
    for run in range(runs):
        runner.begin(stream(0, config, run))
        times.append(cpu_seconds(lambda: runner.advance(budget))[0])
    return min(times)


def ratios() -> None:
    """Time of the plain engine ÷ time of the fast one, over a (F, Cr) subgrid of every (mutation, crossover, N)."""
    rows, worst = [], {"N=5": np.inf, "best/1, N=20": np.inf, "N=100": np.inf}
    for mutation, crossover in product(MUTATIONS, CROSSOVERS):
        row = [f"{mutation.short}/{crossover.short}"]
        for N in SIZES:
            progress(f"fast against plain: {row[0]}, N={N}")
            plain = fast = 0.0
            for F, Cr in product((0.266, 0.7, 1.35), CR_GRID):
                config = Config(mutation=mutation.name, crossover=crossover.name, strategy="mirror", N=N, F=F, Cr=Cr)
                plain += seconds_per_run("plain", config, PLAIN_BUDGET, 2) * BUDGET / PLAIN_BUDGET
                fast += seconds_per_run("fast", config, BUDGET, 3)
            ratio = plain / fast
            row.append(f"{plain / 15 * 1e3:.0f} / {fast / 15 * 1e3:.2f} = {ratio:.0f}")
            kind = "best/1, N=20" if N == 20 and mutation.name == "best/1" else f"N={N}"
            worst[kind] = min(worst.get(kind, np.inf), ratio)
        rows.append(row)
    print("ms per run of 300 000 evaluations, plain / fast = ratio; mean over F in {0.266, 0.7, 1.35} and the 5 Cr\n")
    print(table(["", *(f"N={N}" for N in SIZES)], rows))
    print()
    for kind, demanded in (("N=5", 100), ("best/1, N=20", 100), ("N=100", 8)):
        print(verdict(f"{kind}: demanded ratio ÷ smallest ratio ({worst[kind]:.0f})", demanded / worst[kind], 1.0))


def study() -> None:
    """Core-seconds of the whole study from a stratified sample: some (F, Cr) cells of each of the 120 panels."""
    rng = np.random.default_rng(0)
    total = dict.fromkeys(SIZES, 0.0)
    grid = list(product(F_GRID, CR_GRID))
    for N in SIZES:
        progress(f"a sample of the study: N={N}")
        for mutation, crossover, strategy in product(MUTATIONS, CROSSOVERS, STRATEGIES):
            for cell in rng.choice(len(grid), CELLS_PER_PANEL, replace=False):
                F, Cr = grid[cell]
                names = {"mutation": mutation.name, "crossover": crossover.name, "strategy": strategy.name}
                config = Config(**names, N=N, F=F, Cr=Cr)
                total[N] += quiet_seconds_per_run(config) * RUNS * len(grid) / CELLS_PER_PANEL
    configurations = 120 * CELLS_PER_PANEL
    parts = ", ".join(f"N={N} {seconds:.0f} s" for N, seconds in total.items())
    print(f"\nThe whole study (300 000 runs), from {configurations} configurations: {parts}")
    print(verdict("core-seconds (on a quiet core)", sum(total.values()), 900, "s"))


def quiet_seconds_per_run(config: Config) -> float:
    """CPU time of a run of the fast engine, mean of two, each the shortest of 3 repeats: the core is never quiet."""
    fast = Fast(config, Box.unit(N_DIM), BUDGET, np.array([BUDGET // 3, 2 * BUDGET // 3]))
    return float(np.mean([shortest(fast, config, run, 3) for run in range(2)]))


def shortest(fast: Fast, config: Config, run: int, repeats: int) -> float:
    """CPU time of a run, the shortest of some repeats."""
    times = []
    for _ in range(repeats):
        fast.begin(stream(0, config, run))
        times.append(cpu_seconds(lambda: fast.advance(BUDGET))[0])
    return min(times)


def report() -> None:
    print("The f0 engines")
    ratios()
    study()
