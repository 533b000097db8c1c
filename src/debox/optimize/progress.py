"""What disp=True shows: a bar on a terminal or in a notebook with ipywidgets, else lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from time import monotonic

from debox.loop import Loop
from debox.optimize.optimizer import Optimizer
from debox.reference import INFEASIBLE

LINES = 20  # of a whole run
PAUSE = 0.1  # seconds between two states of the bar


def progress(optimizer: Optimizer) -> AbstractContextManager[Callable[[], None]]:
    """A function to be called after every generation, which shows how far the run is."""
    shows_bar = sys.stdout is not None and (sys.stdout.isatty() or is_notebook_with_widgets())
    return bar(optimizer) if shows_bar else lines(optimizer)


def is_notebook_with_widgets() -> bool:
    """Whether output goes to a notebook that can show a bar: without ipywidgets rich would warn at each state of it."""
    return type(sys.stdout).__module__ == "ipykernel.iostream" and find_spec("ipywidgets") is not None


@contextmanager
def bar(optimizer: Optimizer) -> Iterator[Callable[[], None]]:
    """A bar with the best value, POIS and the time left at this pace."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TextColumn("{task.description}"))
    loop, shown_at = optimizer._loop, 0.0
    with Progress(*columns, TimeRemainingColumn(), TextColumn("left")) as live:
        task = live.add_task("", total=optimizer.budget, completed=optimizer.nfev)

        def show(pause: float = PAUSE) -> None:
            nonlocal shown_at
            if monotonic() - shown_at >= pause:
                live.update(task, completed=optimizer.nfev, description=described(loop))
                shown_at = monotonic()

        try:
            yield show
        finally:
            show(pause=0.0)


@contextmanager
def lines(optimizer: Optimizer) -> Iterator[Callable[[], None]]:
    """A line after each twentieth of the budget, and one at the end."""
    shown = optimizer.nfev

    def show(step: int = optimizer.budget // LINES + 1) -> None:
        nonlocal shown
        if optimizer.nfev // step > shown // step:
            shown = optimizer.nfev
            of_budget = f"{shown:>9} of {optimizer.budget} evaluations"
            print(f"{of_budget}   {described(optimizer._loop)}", flush=True)

    try:
        yield show
    finally:
        show(step=1)


def described(loop: Loop) -> str:
    """The best value and POIS."""
    pois = loop.counts[INFEASIBLE] / max(loop.evaluations, 1)
    return f"f = {loop.f[loop.run.best]:<13.6g} POIS = {pois:.3f}"
