"""measure: POIS on f0. Checks the arguments, divides the runs among threads and collects their results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from debox import check, edpois, threads
from debox.box import Box
from debox.config import CONFIG_FIELDS, Config
from debox.f0.engines import ENGINES, Run, Setting, Trace, choose_engine, columns, do_runs

Floats = NDArray[np.float64]

KEYWORD_HINTS = dict.fromkeys(CONFIG_FIELDS, "it is part of the configuration")
RUNS_PER_TASK = 25
MOST_RUNS = 10**7  # of a configuration: their outcomes, some 1 kB each, are held in memory


@dataclass(frozen=True, eq=False, repr=False)
class Measurement:
    """POIS and other results of independent runs of one configuration on f0; `measure` makes it.

    Attributes
    ----------
    config : Config
    n, budget, seed : int
    engine : {"plain", "fast"}
    checkpoints : tuple of float
        What was measured, and the engine that did the runs.
    pois : ndarray of float, shape (runs,)
        Infeasible trials divided by the budget. This and the other arrays are not writeable.
    pois_at : ndarray of float, shape (runs, checkpoints)
        Infeasible trials so far divided by evaluations so far.
    accepted : ndarray of int, shape (runs,)
        Trials that replaced their target.
    best_f, best_x : ndarray of float, shapes (runs,) and (runs, n)
        The best value at the end, and the point that has it.
    seconds : float
        CPU time of the runs, over all threads.
    trace : Trace or None, default None
        Diagnostics of the population along the runs, if asked for.

    Examples
    --------
    >>> from debox import measure
    >>> m = measure("DE/rand/1/bin dism, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
    >>> m.engine, m.checkpoints == (1 / 3, 2 / 3), m.pois_at.shape
    ('fast', True, (3, 2))
    """

    config: Config
    n: int
    budget: int
    seed: int
    engine: str
    checkpoints: tuple[float, ...]
    pois: Floats
    pois_at: Floats
    accepted: NDArray[np.int64]
    best_f: Floats
    best_x: Floats
    seconds: float
    trace: Trace | None = None

    def __post_init__(self) -> None:
        for array in (self.pois, self.pois_at, self.accepted, self.best_f, self.best_x):
            array.flags.writeable = False

    def __repr__(self) -> str:
        return f"<Measurement {self.config}: {len(self.pois)} runs, mean POIS {self.mean():.4f}>"

    def _repr_html_(self) -> str:
        from debox import notebook

        entries = [
            ("on f0", f"n = {self.n}, budget {self.budget:,}, {len(self.pois)} runs, seed {self.seed}, {self.engine}"),
            ("mean POIS", self.mean()),
            ("5 %, 50 %, 95 %", tuple(self.quantiles((0.05, 0.5, 0.95)))),
        ]
        bars = notebook.histogram(self.histogram().tolist(), edpois.COLOURS[self.colour()])
        return notebook.table(str(self.config), entries) + bars

    def mean(self) -> float:
        """Mean POIS over the runs, in [0, 1]."""
        return float(self.pois.mean())

    def quantiles(self, q: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> Floats:
        """Quantiles of POIS over the runs, interpolated between them, one per entry of `q`.

        Parameters
        ----------
        q : sequence of float, default (0.05, 0.25, 0.5, 0.75, 0.95)
            Which, in [0, 1].
        """
        return np.quantile(self.pois, q)

    def histogram(self) -> NDArray[np.int64]:
        """The numbers of runs in each tenth of POIS: [0, 0.1], (0.1, 0.2], …, (0.9, 1]."""
        return edpois.histogram(self.pois)

    def colour(self) -> str:
        """The colour in which the paper draws such a distribution.

        "teal": all runs within 0.001 of 0, or all of 1; "orange": all at 0.001 to 0.01 from it; else "violet".
        """
        return edpois.colour(self.pois)


def measure(
    config: Config | str,
    *,
    n: int = 30,
    budget: int = 300_000,
    runs: int = 50,
    rng: int | np.random.Generator | None = 0,
    engine: str = "auto",
    checkpoints: Sequence[float] = (1 / 3, 2 / 3),
    box: Any = None,
    trace: bool = False,
    workers: int = 1,
    **unknown: Never,
) -> Measurement:
    """Run a configuration on f0 and count its infeasible trials.

    f0 gives every point a new random value and so shows the algorithm without a landscape (Kononova, Caraffini & Bäck,
    Information Sciences 581, 2021). POIS is the proportion of infeasible solutions: trials outside the box before
    repair, divided by evaluations.

    Parameters
    ----------
    config : Config or str
        The configuration: "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"; or a recipe, which has its own N: "L-SHADE".
    n : int, default 30
        The dimension.
    budget : int, default 300000
        Evaluations per run, at least N; it is spent exactly.
    runs : int, default 50
        Independent runs.
    rng : int, numpy.random.Generator or None, default 0
        The seed. Run k depends on (seed, config, k) and the other arguments, not on the numbers of runs and workers.
        A Generator gives a seed; None gives a new one every time.
    engine : {"auto", "plain", "fast"}, default "auto"
        "plain" executes Algorithm 1, "fast" has the same law, "auto" chooses by the configuration.
    checkpoints : sequence of float, default (1/3, 2/3)
        Shares of the budget, in (0, 1), at which POIS so far is recorded. With the fast engine other checkpoints, or
        `trace`, give other runs of the same law.
    box : bounds, optional
        What `Box.of` takes; n is then their number. POIS does not depend on them, `best_x` does.
    trace : bool, default False
        Whether to record diagnostics of the population at some 50 log-spaced points.
    workers : int, default 1
        Threads; -1 for all cores.

    Returns
    -------
    Measurement
        POIS and other results of each run.

    Raises
    ------
    MemoryError
        If the populations or the results do not fit into memory.

    Examples
    --------
    >>> from debox import measure
    >>> m = measure("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", n=3, budget=300, runs=4, rng=1)
    >>> m.pois.shape, m.best_x.shape
    ((4,), (4, 3))
    """
    given = dict(locals())
    check.reject_unknown_keywords(measure, given.pop("unknown"), KEYWORD_HINTS)
    # measure_many could read the text, but its errors begin with 'configs[0]:'.
    given["box"] = box = box_of(n, box)
    return measure_many([Config.of(given.pop("config"), box.n, budget)], **given)[0]


def sample_pois(config: Config | str, **options: Any) -> NDArray[np.float64]:
    """The POIS of each run, as `measure` gives it.

    Parameters
    ----------
    config : Config or str
        The configuration.
    **options
        Those of `measure`.

    Returns
    -------
    ndarray of float, shape (runs,)
        Infeasible trials divided by the budget, run by run; not writeable.

    Examples
    --------
    >>> from debox import sample_pois
    >>> sample_pois("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", n=3, budget=300, runs=4).shape
    (4,)
    """
    return measure(config, **options).pois


def measure_many(
    configs: Iterable[Config | str],
    *,
    n: int = 30,
    budget: int = 300_000,
    runs: int = 50,
    rng: int | np.random.Generator | None = 0,
    engine: str = "auto",
    checkpoints: Sequence[float] = (1 / 3, 2 / 3),
    box: Any = None,
    trace: bool = False,
    workers: int = -1,
    **unknown: Never,
) -> list[Measurement]:
    """`measure` for several configurations, in parallel threads; each result is what `measure` alone would give.

    Parameters
    ----------
    configs : iterable of Config or str
        The configurations; of a recipe without N, such as "L-SHADE", N depends on n and budget.
    n, budget, runs, rng, engine, checkpoints, box, trace
        As in `measure`.
    workers : int, default -1
        Threads; -1 for all cores.

    Returns
    -------
    list of Measurement
        One per configuration, in their order.

    Examples
    --------
    >>> from debox import measure_many
    >>> walls = ["DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", "DE/rand/1/bin tor, N=5, F=0.7, Cr=0.9"]
    >>> [m.config.strategy for m in measure_many(walls, n=3, budget=300, runs=2)]
    ['saturation', 'toroidal']
    """
    check.reject_unknown_keywords(measure_many, unknown, KEYWORD_HINTS)
    if isinstance(configs, str) or not isinstance(configs, Iterable):
        raise ValueError(f"configs must be an iterable of configurations, got {configs!r}")
    configurations, box = [], box_of(n, box)
    for k, config in enumerate(configs):
        try:
            configurations.append(Config.of(config, box.n, budget))
        except (TypeError, ValueError) as error:
            error.args = (f"configs[{k}]: {error}",)
            raise
    largest = max((config.N for config in configurations), default=1)
    runs = check.integer("runs", runs, 1, most=MOST_RUNS)
    workers = threads.check_count(workers)
    setting = Setting(
        budget=check.budget(budget, largest, f"N = {largest} points start a run"),
        seed=check.seed(rng),
        engine=check.choice("engine", engine, ("auto", *ENGINES)),
        checkpoints=check.shares("checkpoints", checkpoints),
        trace=check.boolean("trace", trace),
        box=box,
    )
    parts = [range(first, min(first + RUNS_PER_TASK, runs)) for first in range(0, runs, RUNS_PER_TASK)]
    tasks = list(product(configurations, parts))
    done = iter(threads.call_all(lambda task: do_runs(task[0], setting, task[1]), tasks, workers, setting.stop))
    return [collect(config, setting, [run for _ in parts for run in next(done)]) for config in configurations]


def box_of(n: object, box: Any) -> Box:
    """The given box, or [0, 1]ⁿ."""
    return Box.unit(check.integer("n", n, 1)) if box is None else Box.of(box, "box")


def collect(config: Config, setting: Setting, runs: Sequence[Run]) -> Measurement:
    """Runs of a configuration as one Measurement."""
    engine = choose_engine(setting.engine, config.operators, config.N, setting.budget)
    done = (config, setting.box.n, setting.budget, setting.seed, engine, setting.checkpoints)
    trace = Trace.of([run.diagnostics for run in runs]) if setting.trace else None
    return Measurement(*done, **columns(runs, setting), seconds=sum(run.seconds for run in runs), trace=trace)
