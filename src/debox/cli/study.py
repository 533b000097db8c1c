"""debox study show, run, status, store pack, store export, store verify; and how the progress of a study is shown."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from debox import files
from debox.cli.common import OPERATORS, STORE, Command, Group, list_option
from debox.store.store import open_store
from debox.study import execute
from debox.study.execute import Report
from debox.study.fields import FIELDS, several
from debox.study.plan import plan, seconds_of
from debox.study.study import HOW_TO_INSTALL, Study, built_in
from debox.study.verify import status_of
from debox.study.verify import verify as verify_store

MOST_LINES = 10  # about the progress of a study where there is no terminal
DROP = list_option("--drop", metavar="COLUMNS", help="Columns to leave out, e.g. best_x,seconds.")


@click.group(cls=Group)
def study() -> None:
    """Look at a study before it is run."""


@study.command()
@click.argument("name", metavar="[NAME|FILE]", required=False)
@OPERATORS
def show(name: str | None) -> None:
    """Show the factors of a study, how many runs it has and how long they take; without a name, list those built in."""
    for known in [name] if name else built_in():
        designed = Study.load(known)
        click.echo(describe_study(designed) if name else repr(designed)[1:-1])


def describe_study(designed: Study) -> str:
    """What `debox study show` prints of a study."""
    lines = [f"study {designed.name}"]
    for key in FIELDS:
        written = [f"{one:.6g}" if isinstance(one, float) else str(one) for one in several(designed.values(key))]
        lines += [f"  {key:<12}{', '.join(written)}"] if key not in ("name", "grid") else []
    try:
        seconds, cores = seconds_of(plan(designed)), os.cpu_count() or 1
        time = f"about {duration(seconds)} of CPU time (estimated), {duration(seconds / cores)} on {cores} cores"
    except ValueError as error:  # it cannot be planned
        time = str(error)
    runs = f"{designed.n_configs:,} configurations × {designed.runs} runs = {designed.n_runs:,} runs"
    return "\n".join([*lines, "", f"  {runs}, {designed.n_evaluations:,} evaluations", f"  {time}"])


@click.command(cls=Command)
@click.argument("name", metavar="NAME|FILE")
@click.option("--store", required=True, help="Directory of the results; an unfinished one is resumed.")
@click.option("--workers", type=int, help="Threads [default: all cores]; with --dask: chunks at a time.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler, e.g. tcp://host:8786.")
@click.option("--shard", metavar="i/n", help="Do the i-th of n parts, for job arrays; shards may share a store.")
@list_option("--only", metavar="FACTORS", help='Some configurations, e.g. "strategy=sat,N=5".')
@click.option("--json", "as_json", is_flag=True, help="Print every event as a line of JSON.")
@OPERATORS
def run(name: str, store: str, dask: str | None, only: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Run a study: do what its store does not have yet.

    \b
      debox run paper --store out/paper          the paper's study
      debox run mine.toml --store out/mine       yours
    If it is interrupted, the same command resumes it.
    """
    if dask:
        logging.disable(logging.ERROR)  # of a lost scheduler Dask logs a page, the command says it in a line
    try:
        with reporting(as_json) as report:
            execute.run(name, store, executor=dask, only=",".join(only), report=report, **options)
    except (KeyboardInterrupt, SystemExit):
        click.echo(f"the finished runs are in {store}; the same command does the rest", err=True)
        raise
    if not as_json:
        click.echo(f"{store}: done" if only or options["shard"] else f"{store} is complete")


@click.command(cls=Command)
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@OPERATORS
def status(store: str, as_json: bool) -> None:
    """Show how far the study in STORE is, whether all parts are intact and who is writing."""
    facts = status_of(open_store(store), glance=True)
    click.echo(json.dumps(facts) if as_json else describe_status(facts))


def describe_status(facts: dict[str, Any]) -> str:
    """What `debox status` prints, and `debox store verify` of a store without problems."""
    share = f"{facts['runs']:,} of {facts['of']:,} runs ({100 * facts['runs'] // facts['of']} %)"
    left = f", about {duration(facts['seconds_left'])} of CPU time left" if facts["seconds_left"] else ""
    lines = [f"{facts['study']}: {share} in {facts['parts']} part{'s' * (facts['parts'] != 1)}{left}"]
    if facts["other_runs"]:
        lines.append(f"and {facts['other_runs']:,} runs that the study, as it stands now, does not ask for")
    if facts["not_installed"]:
        lines.append(f"not installed: {', '.join(facts['not_installed'])}; to run the study, {HOW_TO_INSTALL}")
    lines.append(
        f"repeated {facts['redone']:,} of the stored runs: {len(facts['differing']) or 'none'} with another result"
    )
    lines += facts["differing"]
    lines += [f"damaged, `debox run` does its runs again: {part}" for part in facts["bad_parts"]]
    lines += [f"being written by {writer}" for writer in facts["writers"]]
    return "\n".join(lines)


@click.group(cls=Group)
def store() -> None:
    """Look after the results of a study."""


@store.command()
@STORE
@click.argument("file", type=click.Path(), required=False)
@click.option("-o", "--out", type=click.Path(), help="The same as FILE.")
@DROP
def pack(store: str, file: str | None, out: str | None, drop: tuple[str, ...]) -> None:
    """Write STORE into one Parquet FILE, which debox, pandas, polars, DuckDB and R's arrow read.

    FILE is the directory's name with .parquet unless given. The manifest goes with it.
    """
    if file is not None and out is not None:
        raise click.UsageError(f"the file to write is given twice: as {file} and as -o {out}")
    target = file or out
    if target is None:
        folder = os.path.normpath(files.absolute(store))  # also of a store named . or ~
        if os.path.isfile(folder):
            raise ValueError(f"-o NEW.parquet is needed: {store} is a file, not a directory")
        target = f"{folder}.parquet"
    open_store(store).pack(target, drop=drop)
    print_size(target)


def print_size(written: str) -> None:
    """Print the file and its size."""
    click.echo(f"{click.format_filename(written)}: {files.absolute(written).stat().st_size / 1e6:,.2f} MB")


@store.command()
@STORE
@click.option("--csv", "file", required=True, type=click.Path(), help="The .csv file to write; - to print it.")
@DROP
def export(store: str, file: str, drop: tuple[str, ...]) -> None:
    """Write STORE as text: a line per run, numbers with all their digits, best_x as numbers between spaces."""
    printed = file == "-"
    if printed and sys.stdout is None:
        raise click.ClickException("cannot print: there is no standard output")
    open_store(store).to_csv(sys.stdout if printed else file, drop=drop)
    if not printed:
        print_size(file)


@store.command()
@STORE
@click.option("--sample", metavar="K|all", help="How many runs to do again [default: some of each kind, for 5 s].")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the choice of the K runs [default: another each time]."
)
@OPERATORS
def verify(store: str, sample: str | None, seed: int | None) -> None:
    """Check STORE: checksums, ids against what defines each run; do runs again and compare them bit for bit."""
    wanted = int(sample) if sample and sample.lstrip("-").isdigit() else sample
    facts = verify_store(open_store(store), sample=wanted, rng=seed)
    if problems := facts["problems"]:
        raise click.ClickException("\n".join([f"{store} is not what it should be:", *problems]))
    click.echo(f"{describe_status(facts)}\nno problems were found")


# Progress: a live bar on a terminal, a few lines elsewhere, JSON on request.


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
        return f"repeated {event['runs']:,} of the stored runs in {duration(event['seconds'])}: the same to the bit"
    if name == "waiting":
        return f"waiting for workers at {event['address']}"
    if name == "bad part":
        return f"damaged, its runs are done again: {event['part']}"
    if name in ("split", "failed"):
        then = "each configuration is tried alone" if name == "split" else "given up"
        return f"{event['error']} ({then}) in runs {', '.join(execute.shorten(event['ids']))}"
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
