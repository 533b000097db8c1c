"""The f0 engines: fast against plain cell by cell, the whole study extrapolated, compilation and memory."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import product

import numpy as np

from benchmarks.measure import cpu_seconds, progress, table, verdict
from debox import Box, Config, Study, jit, operators
from debox.f0.engines import ENGINES, Fast, stream
from debox.f0.fast import batch, fixed_point, scan
from debox.f0.fast.scan import BATCH as TRIALS
from debox.jit import kernel

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
ALL_KERNELS = """
import debox
for m in ("rand/1", "rand/2", "best/1", "curr-to-best/1"):
    for x in ("bin", "exp"):
        for s in ("sat", "tor", "mirr", "COTN", "dism"):
            for engine in ("plain", "fast"):
                debox.measure(f"DE/{m}/{x} {s}, N=8, F=0.5, Cr=0.5", n=30, budget=2000, runs=1, engine=engine)
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


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


def parts() -> None:
    """Where the time goes: each step of a batch of simulated trials, repeated alone; and what an acceptance adds."""
    rows = []
    for text in ("DE/rand/1/bin mirr, Cr=0.52", "DE/rand/1/exp mirr, Cr=0.52", "DE/rand/2/bin mirr, Cr=0.52"):
        config, frozen = Config(text, N=100, F=0.7), Config(text, N=100, F=0.7, frozen=True)
        fast, quiet = (Fast(c, Box.unit(N_DIM), BUDGET, np.zeros(0, np.int64)) for c in (config, frozen))
        pairs = [(shortest(fast, config, 0, 1), shortest(quiet, frozen, 0, 1)) for _ in range(31)]
        simulated = min(seconds for _, seconds in pairs)
        per_acceptance = np.median([more - less for more, less in pairs]) / fast.outcome().accepted
        sim, de = quiet.tables[0], quiet.de
        mutation = operators.find("mutation", config.mutation)
        names = {"formula": mutation.function, "bits_of_terms": fixed_point.bits_for(mutation.weights(config.F))}
        steps = [
            (numpy_uniforms, (quiet.rng, TRIALS, sim.u)),
            (batch.uniforms, (sim.lanes, TRIALS, sim.u)),
            (batch.draw_distinct, (config.N, de.n_donors, sim.lanes, TRIALS, sim.u, sim.parents)),
            (
                jit.specialise(scan.scan, **names),
                (
                    *(sim.points, TRIALS, sim.parents, sim.places, sim.mask, sim.spans, config.F),
                    *(sim.p_feasible, sim.u, sim.undecided),
                ),
            ),
        ]
        times = [*(per_trial(function, arguments) for function, arguments in steps), simulated / BUDGET]
        rows.append([f"{config.variant}, N=100", *(f"{t * 1e9:.1f}" for t in (*times, per_acceptance))])
    print(
        "\nns per simulated trial: one number from NumPy's SFC64, from a lane; donors, with their numbers; scan; all."
    )
    print("ns that a run in which trials are accepted takes more, per acceptance\n")
    print(table(["", "NumPy", "lane", "donors", "scan", "all", "acceptance"], rows))


@kernel
def numpy_uniforms(rng, trials, u):
    for t in range(trials):
        u[t] = rng.random()


def per_trial(function: Callable[..., object], arguments: tuple[object, ...]) -> float:
    """CPU time of a kernel per trial of a batch, less that of a call for none."""
    call, repeats = jit.bind(function, *arguments), 5000
    shortest = {TRIALS: np.inf, 0: np.inf}
    for _ in range(9):
        for trials in shortest:  # by turns: the machine has slow moments
            given = [trials if argument is TRIALS else argument for argument in arguments]
            seconds, _ = cpu_seconds(lambda given=given: [call(*given) for _ in range(repeats)])
            shortest[trials] = min(shortest[trials], seconds)
    return (shortest[TRIALS] - shortest[0]) / repeats / TRIALS


def kernels() -> None:
    """Compiling everything with an empty cache; what a process then weighs."""
    progress("compiling all kernels")
    command = [sys.executable, "-c", ALL_KERNELS]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "DEBOX_CACHE_DIR": cache}
        before = os.times()
        cold = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        after = os.times()
        warm = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print()
    print(verdict(f"all kernels, cold: wall (CPU {cpu:.1f} s)", after.elapsed - before.elapsed, 40, "s"))
    memory = f"memory of a worker with all kernels (while compiling them: {int(cold.stdout) / 1024:.0f} MB)"
    print(verdict(memory, int(warm.stdout) / 1024, 300, "MB"))


def report() -> None:
    print("The f0 engines")
    ratios()
    study()
    parts()
    kernels()
