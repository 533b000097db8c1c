"""debox study show, debox run, debox status."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from debox.cli.common import OPERATORS, with_operators_hint
from debox.cli.progress import duration, reporting
from debox.store.errors import StoreError
from debox.study import execute
from debox.study.fields import FACTORS, FIELDS
from debox.study.study import HOW_TO_INSTALL, Study, built_in
from debox.study.work import StudyError

MOST_VALUES = 50  # of a factor that are shown


@click.group()
def study() -> None:
    """Look at a study before it is run."""


@study.command()
@click.argument("name", metavar="[NAME|FILE]", required=False)
@OPERATORS
def show(name: str | None) -> None:
    """Show the factors of a study, how many runs it has and how long they take; without a name, list those built in."""
    for known in [name] if name else built_in():
        click.echo(describe_study(load_study(known)) if name else repr(load_study(known))[1:-1])


class StudyFileError(click.ClickException):
    """A study that does not exist or is wrong; the command's usage is not printed with it."""

    exit_code = 2


def load_study(source: str) -> Study:
    try:
        return Study.load(source)
    except ValueError as error:
        raise StudyFileError(with_operators_hint(error)) from None


def describe_study(designed: Study) -> str:
    """What `debox study show` prints of a study."""
    from debox.study import estimate

    lines = [f"study {designed.name}"]
    for key in FIELDS:
        value = designed.values(key) if key in FACTORS else getattr(designed, key)
        text = _join_values(value) if isinstance(value, tuple) else _format_value(value)
        lines += [f"  {key:<12}{text}"] if key not in ("name", "grid") else []
    seconds, cores = estimate.seconds(designed), os.cpu_count() or 1
    return "\n".join(
        [
            *lines,
            "",
            f"  {designed.n_configs:,} configurations × {designed.runs} runs = {designed.n_runs:,} runs, "
            f"{designed.n_evaluations:,} evaluations",
            f"  about {duration(seconds)} of CPU time (estimated), {duration(seconds / cores)} on {cores} cores",
        ]
    )


def _join_values(values: tuple[Any, ...]) -> str:
    """All values, or the first and the last if there are more than MOST_VALUES."""
    if len(values) <= MOST_VALUES:
        return ", ".join(map(_format_value, values))
    shown = [*map(_format_value, values[: MOST_VALUES - 1]), "…", _format_value(values[-1])]
    return f"{', '.join(shown)} ({len(values):,} values)"


def _format_value(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@click.command()
@click.argument("name", metavar="NAME|FILE")
@click.option("--store", required=True, help="Directory of the results; an unfinished one is resumed.")
@click.option("--workers", type=int, help="Threads [default: all cores]; with --dask: chunks at a time.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler, e.g. tcp://host:8786.")
@click.option("--shard", metavar="i/n", help="Do the i-th of n parts, for job arrays; shards may share a store.")
@click.option(
    "--only",
    metavar="FACTORS",
    multiple=True,
    callback=lambda context, option, texts: ",".join(texts) or None,
    help='Some configurations, e.g. "strategy=sat,N=5".',
)
@click.option("--json", "as_json", is_flag=True, help="Print every event as a line of JSON.")
@OPERATORS
def run(name: str, store: str, dask: str | None, as_json: bool, **options: Any) -> None:
    """Run a study: do what its store does not have yet.

    \b
      debox run paper --store out/paper          the paper's study
      debox run mine.toml --store out/mine       yours
    If it is interrupted, the same command resumes it.
    """
    try:
        with reporting(as_json) as report:
            execute.run(load_study(name), store, executor=dask, report=report, **options)
    except ValueError as error:
        raise click.UsageError(with_operators_hint(error)) from None
    except (StudyError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except (KeyboardInterrupt, SystemExit):
        click.echo(f"the finished runs are in {store}; the same command does the rest", err=True)
        raise
    if not as_json:
        click.echo(f"{store} is complete" if not options["only"] and not options["shard"] else f"{store}: done")


@click.command()
@click.argument("store", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@OPERATORS
def status(store: str, as_json: bool) -> None:
    """Show how far the study in STORE is, whether all parts are intact and who is writing."""
    from debox.study.verify import status_of

    try:
        facts = status_of(store)
    except (StoreError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(facts) if as_json else describe_status(facts))


def describe_status(facts: dict[str, Any]) -> str:
    """What `debox status` prints."""
    share = f"{facts['runs']:,} of {facts['of']:,} runs ({100 * facts['runs'] // facts['of']} %)"
    has_estimate = facts["runs"] < facts["of"] and facts["seconds_left"] is not None
    left = f", about {duration(facts['seconds_left'])} of CPU time left" if has_estimate else ""
    lines = [f"{facts['study']}: {share} in {facts['parts']} part{'s' * (facts['parts'] != 1)}{left}"]
    if facts["other_runs"]:
        lines.append(f"and {facts['other_runs']:,} runs that the study, as it stands now, does not ask for")
    if facts["not_installed"]:
        lines.append(f"not installed: {', '.join(facts['not_installed'])}; to run the study, {HOW_TO_INSTALL}")
    if facts["redone"]:
        lines.append(f"{facts['redone']} runs done again, {len(facts['differing']) or 'none'} come out differently")
    lines += facts["differing"]
    lines += [f"damaged, `debox run` does its runs again: {part}" for part in facts["bad_parts"]]
    lines += [f"being written by {writer}" for writer in facts["writers"]]
    return "\n".join(lines)
