"""The price of counting: the compiled run as it is, against the same run with the counting cut out.

The second run is built from the same kernels with `count` and `repair_components` replaced by the two below. Both walk
the same way, which is checked; only the counts differ.
"""

import warnings
from types import FunctionType

import numba
import numpy as np

from benchmarks.measure import cpu_seconds, progress, table, verdict
from debox import Box, Config, jit
from debox.assemble import assemble, loop_for
from debox.de import algorithm
from debox.de.algorithm import EVALUATIONS, INFEASIBLE, Tally

n, BUDGET, REPEATS, LIMIT = 30, 300_000, 9, 1.05
CONFIGURATIONS = (
    "DE/rand/1/bin mirr, N=100, F=0.5, Cr=0.9",
    "DE/rand/1/bin mirr, N=5, F=0.5, Cr=0.9",
    "DE/rand/1/bin sat, N=100, F=1.0, Cr=0.99, frozen=True",  # nearly every trial is infeasible, in many components
)


@jit.kernel
def only_evaluations(f, infeasible, tally):
    """`count` without the counts, but for what the budget needs"""
    tally.counts[EVALUATIONS] += f.size


@jit.kernel
def only_repair(u, x, c, a, b, strategies, strategy_of, rng, violations):
    """`repair_components` without the counts"""
    for i in range(u.size):
        if not a[i] <= u[i] <= b[i]:
            u[i] = strategies[strategy_of[i]](u[i], x[i], c[i], a[i], b[i], rng)
    return False


@jit.kernel
def sphere(x, rng):
    """x·x"""
    total = 0.0
    for i in range(x.size):
        total += x[i] * x[i]
    return total


UNCOUNTED = {"count": only_evaluations, "repair_components": only_repair}


def build(kernel, replaced):
    """A kernel compiled with some of those it calls replaced; not cached, for the cache would not see the difference"""
    names = {name: replaced.get(name, kernel.__globals__.get(name)) for name in kernel.__code__.co_names}
    callees = {name: build(f, replaced) for name, f in names.items() if hasattr(f, "__kernel__")}
    twin = FunctionType(kernel.__code__, {**kernel.__globals__, **callees}, kernel.__name__)
    return numba.njit(twin, **jit.OPTIONS)


def run_once(run, text, seed):
    """Seconds, the final population and the POIS of a run of a configuration"""
    config, box, rng = Config(text), Box.of([(-5.0, 5.0)] * n), np.random.default_rng(seed)
    P, f, tally = box.sample(config.N, rng), np.empty(config.N), Tally.empty(np.arange(1, 101) * (BUDGET // 100), n)
    call = (jit.pointer(sphere, "objective"), assemble(config, box, budget=BUDGET), P, f, BUDGET, np.nan, rng, tally)
    seconds, _ = cpu_seconds(lambda: run(*call))
    return seconds, P, tally.counts[INFEASIBLE] / BUDGET


def measure(runs, text):
    """Seconds of each run, the best of the repeats, taken in turns; and the POIS"""
    best = [np.inf] * len(runs)
    for seed in range(REPEATS):
        done = [run_once(run, text, seed) for run in runs]
        if not all(np.array_equal(done[0][1], P) for _, P, _ in done):
            raise RuntimeError(f"{text!r} without the counting walks another way: bring this benchmark up to date")
        best = [min(old, seconds) for old, (seconds, _, _) in zip(best, done, strict=True)]
    return best, done[0][2]


def report() -> None:
    for name in UNCOUNTED:
        if not hasattr(getattr(algorithm, name, None), "__kernel__"):
            raise RuntimeError(f"debox.de.algorithm has no kernel {name!r} any more: bring this benchmark up to date")
    progress("the price of counting")
    warnings.filterwarnings("ignore", "First-class function type feature is experimental")
    run = loop_for(Config(CONFIGURATIONS[0]), algorithm.run)  # that of the others, too
    counting, not_counting = build(run, {}), build(run, UNCOUNTED)
    for run in (counting, not_counting):
        run_once(run, CONFIGURATIONS[0], 0)  # compiles
    print(f"The price of counting: CPU time per evaluation in µs, best of {REPEATS}, Numba sphere, budget {BUDGET}\n")
    body, verdicts = [], []
    for text in CONFIGURATIONS:
        seconds, pois = measure((counting, counting, not_counting), text)
        first, again, without = (1e6 * s / BUDGET for s in seconds)
        body.append([text, *(f"{number:.3f}" for number in (pois, first, again, without))])
        verdicts.append(
            verdict(
                f"counting / not counting, {text.split(', F')[0]}, POIS {pois:.3f}", min(first, again) / without, LIMIT
            )
        )
    print(table(["configuration", "POIS", "counting", "counting again", "not counting"], body))
    print("\nDemands (counting again is the same code: the difference is noise)")
    print("\n".join(verdicts))
