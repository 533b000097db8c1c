"""SIGINT at random moments: each must end a run, and the same optimizer must be able to go on.

    python -m benchmarks.torture.interrupts 2000 [kind …]

Another process sends them, a random moment after it is told that a run is about to begin. One that is lost leaves a run
that never ends: an alarm then ends the process. One that is raised twice, or outside of a run, ends it, too. `minimize`
returns the best so far, or raises KeyboardInterrupt if there is none, as everything else does.
"""

import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import numpy as np

import debox

BOUNDS, CONFIG = [(-5.0, 5.0)] * 10, "DE/rand/1/bin sat, N=5, F=0.5, Cr=0.9"
LONGEST = 3e-3  # seconds from the beginning of a run to the signal
SECONDS = 60  # after which a signal counts as lost
ENDLESS = 2**60
INTERRUPTED = 5  # the status of a result


def sphere(x: np.ndarray) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i] * x[i]
    return total


def minimize(fun: Callable[..., object], **options: object) -> Callable[[], object]:
    """A run without an end; it has run before, so that what is compiled is compiled."""
    given: dict[str, Any] = {"N": 8, "rng": 1, "on_interrupt": "raise"}
    run = lambda budget: debox.minimize(fun, BOUNDS, **given, budget=budget, **options)  # noqa: E731
    run(20)
    return lambda: run(ENDLESS)


def compiled_minimize() -> Callable[[], object]:
    import numba

    return minimize(numba.njit(sphere))


def operator(compiled: bool) -> Callable[[], object]:
    """A run with a strategy of a user, whom the core calls in compiled code or in Python, through ctypes."""

    def halfway(u: float, x: float, c: float, a: float, b: float, rng: np.random.Generator) -> float:
        """(a + b)/2"""
        return (a + b) / 2

    def target(u: float, x: float, c: float, a: float, b: float, rng: np.random.Generator) -> float:
        """x, by an object that Numba does not know"""
        return SimpleNamespace(x=x).x

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Numba cannot compile 'target'", RuntimeWarning)
        strategy = debox.strategy("halfway")(halfway) if compiled else debox.strategy("to-target")(target)
        return minimize(sphere, variant="DE/rand/1/bin", strategy=strategy, F=2.0)


def optimizer(by_asking: bool) -> Callable[[], object]:
    """An optimizer that goes on after every interrupt; at its end it must be where an undisturbed one is."""

    def begin() -> debox.Optimizer:
        return debox.Optimizer(BOUNDS, "L-SHADE", N=12, budget=20_000, rng=1)

    def ask_and_tell(opt: debox.Optimizer) -> None:
        while not opt.done:
            X = opt.ask()
            opt.tell(X, [sphere(x) for x in X])

    runs = [begin(), begin()]
    runs[0].run(sphere)

    def go_on() -> None:
        while True:
            ask_and_tell(runs[1]) if by_asking else runs[1].run(sphere)
            if any(not np.array_equal(runs[0].result[name], runs[1].result[name]) for name in runs[0].result):
                sys.exit("an optimizer that was interrupted goes on to another end")
            runs[1] = begin()

    return go_on


def measure(engine: str, **options: object) -> Callable[[], object]:
    def run(budget: int, runs: int) -> object:
        return debox.measure(CONFIG, n=30, budget=budget, runs=runs, engine=engine, **options)

    run(1000, 10)
    return lambda: run(2**40, 10**6)  # the fast engine ends ten of them by itself


KINDS: dict[str, Callable[[], Callable[[], object]]] = {
    "minimize, Python": lambda: minimize(sphere),
    "minimize, vectorised": lambda: minimize(sphere, vectorized=True),
    "minimize, Numba": compiled_minimize,
    "operator, ctypes": lambda: operator(compiled=False),
    "operator, Numba": lambda: operator(compiled=True),
    "Optimizer, ask and tell": lambda: optimizer(by_asking=True),
    "Optimizer, run": lambda: optimizer(by_asking=False),
    "measure, plain": lambda: measure("plain"),
    "measure, fast": lambda: measure("fast"),
    "measure, two threads": lambda: measure("fast", workers=2),
}


def interrupt(run: Callable[[], object], count: int) -> int:
    """Run it, and interrupt it, so often; how many were heard."""
    told, tell = os.pipe()
    heard, main = 0, os.getpid()
    sender = os.fork()
    if sender == 0:
        os.close(tell)
        rng = random.Random(count)
        while os.read(told, 1):
            time.sleep(rng.uniform(0, LONGEST))
            os.kill(main, signal.SIGINT)
        os._exit(0)
    for _ in repeat(None, count):
        signal.alarm(SECONDS)
        try:
            os.write(tell, b".")
            heard += getattr(run(), "status", None) == INTERRUPTED
        except KeyboardInterrupt:
            heard += 1
    signal.alarm(0)
    os.close(tell)
    os.waitpid(sender, 0)
    return heard


def main(count: int, kinds: Sequence[str] = ()) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for kind in kinds or KINDS:
        print(f"{kind}: {interrupt(KINDS[kind](), count)} of {count} heard", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
