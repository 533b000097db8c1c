"""Shows the events of an execution: a live bar on a terminal, a few lines elsewhere, JSON on request."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from debox.study.execute import MOST_SHOWN, Report

MOST_LINES = 10  # about the progress of a study where there is no terminal


@contextmanager
def reporting(as_json: bool) -> Iterator[Report]:
    """The function that `debox.run` calls with every event."""
    if as_json:
        yield lambda event: click.echo(json.dumps(event))
    elif sys.stderr is not None and sys.stderr.isatty():
        with live_bar() as report:
            yield report
    else:
        yield Lines()


def duration(seconds: float) -> str:
    """5 s, 3 min 20 s, 2 h 5 min, 3 d 4 h"""
    for size, name, part, part_name in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if seconds >= size:
            whole, rest = divmod(seconds, size)
            return f"{whole:.0f} {name} {rest // part:.0f} {part_name}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def describe_event(event: dict[str, Any]) -> str:
    """An event as a line of text; "" for events without one."""
    name, share = event["event"], f"{event.get('runs', 0):,} of {event.get('of', 0):,} runs"
    if name == "planned":
        todo = f"{duration(event['seconds'])} of CPU time to go" if event["chunks"] else "nothing left to do"
        return f"{event['study']}: {share} are stored, {todo}"
    if name == "progress":
        buffered = f", {event['buffered']:,} to be written" if event["buffered"] else ""
        rate = event["evaluations"] / event["seconds"]
        return f"{share}{buffered}, {rate:.2g} evaluations/s, {duration(event['left'])} left"
    if name == "redone":
        return f"{event['runs']:,} stored runs done again in {duration(event['seconds'])}: all the same to the bit"
    if name == "waiting":
        return f"waiting for workers at {event['address']}"
    if name == "bad part":
        return f"damaged, its runs are done again: {event['part']}"
    if name in ("split", "failed"):
        then = "each configuration is tried alone" if name == "split" else "given up"
        ids = ", ".join(event["ids"][:MOST_SHOWN]) + (" …" if len(event["ids"]) > MOST_SHOWN else "")
        return f"{event['error']} ({then}) in runs {ids}"
    return ""


class Lines:
    """Plain lines on stderr: the beginning, tenths of the runs, and whatever goes wrong."""

    tenth = 0

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] == "progress":
            before, self.tenth = self.tenth, MOST_LINES * (event["runs"] + event["buffered"]) // event["of"]
            if self.tenth == before:
                return
        if line := describe_event(event):
            with suppress(OSError):  # a study goes on even if its log is full
                click.echo(line, err=True)


@contextmanager
def live_bar() -> Iterator[Report]:
    """A live bar on stderr: runs done, evaluations per second, time left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TextColumn("{task.description}"))
    progress = Progress(*columns, console=Console(stderr=True))
    task = progress.add_task("", total=None)

    def report(event: dict[str, Any]) -> None:
        if event["event"] == "running":
            progress.update(task, total=event["of"], completed=event["runs"])
            progress.start()
        elif event["event"] == "progress":
            progress.update(task, completed=event["runs"] + event["buffered"], description=describe_event(event))
        elif line := describe_event(event):
            progress.console.print(line, markup=False, highlight=False)

    try:
        yield report
    finally:
        progress.stop()
