"""plan: the runs of a study in chunks. A run's id depends on what defines the run, not on its place in the study.

Two options choose a part of a study: `only`, values of its factors, and `shard`, the i-th of n parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from debox import check, operators
from debox.config import Config
from debox.store import schema
from debox.study import cost
from debox.study.fields import FACTORS, level_of, long_name, several
from debox.study.study import Study

if TYPE_CHECKING:
    from debox.operators.outside import Parcel

WANTED_CHUNKS = 500  # in a plan, unless chunks would become shorter or longer than this:
SHORTEST, LONGEST = 0.1, 30.0  # seconds; short chunks make many parts, long ones are lost if a worker is killed
MOST_CONFIGS, MOST_RUNS = 10**6, 10**7  # of a plan, which is held in memory, as are the ids of finished runs


@dataclass(frozen=True)
class Task:
    """Some runs of one configuration."""

    config: Config
    n: int
    budget: int
    runs: Sequence[int]  # their numbers; a range takes little memory
    seconds_per_run: float  # estimated

    @property
    def seconds(self) -> float:
        """Estimated CPU time of all of them, building the engine included."""
        return cost.build(self.n) + self.seconds_per_run * len(self.runs)


@dataclass(frozen=True)
class Chunk:
    """What a worker is given: tasks, and what all runs of the study share; small when pickled."""

    seed: int
    engine: str
    checkpoints: tuple[float, ...]
    tasks: tuple[Task, ...]
    operators: tuple[Parcel, ...] = ()  # those of the study that are not debox's own

    @property
    def n_runs(self) -> int:
        return sum(len(task.runs) for task in self.tasks)

    @property
    def seconds(self) -> float:
        return sum(task.seconds for task in self.tasks)

    def ids(self) -> list[str]:
        return [id for task in self.tasks for id in ids(task, self)]


def ids(task: Task, of: Study | Chunk) -> list[str]:
    """The id of each run of a task of this study or chunk."""
    return schema.ids(task.config, task.n, task.budget, task.runs, of)


def seconds_of(chunks: Sequence[Chunk]) -> float:
    """Estimated CPU time of chunks, compiling the operators of users included."""
    return sum(chunk.seconds for chunk in chunks) + (cost.compiling(len(chunks[0].operators)) if chunks else 0)


def plan(
    study: Study,
    *,
    only: str | Mapping[str, Any] | None = None,
    shard: tuple[int, int] | None = None,
    finished: Collection[str] = frozenset(),
) -> list[Chunk]:
    """The runs of a study that are not finished, in chunks of similar cost, the costliest runs first.

    only   just the configurations with these values: "strategy=sat,N=5"; several values of one factor: "N=5,N=20"
    shard  (i, n): the i-th of n parts of similar cost, for i = 1..n
    """
    every = list(tasks(study, only))
    target = min(max(sum(task.seconds for task in every) / WANTED_CHUNKS, SHORTEST), LONGEST)
    pieces = [piece for task in every for piece in split(task, target)]
    pieces.sort(key=lambda task: -task.seconds_per_run)
    pieces = pieces[shard[0] - 1 :: shard[1]] if shard else pieces
    if finished:
        pieces = [left for task in pieces if (left := without_finished(task, study, finished)).runs]
    chunks = [c for n in study.dimension for c in group([p for p in pieces if p.n == n], study, target)]
    return sorted(chunks, key=lambda chunk: -chunk.tasks[0].seconds_per_run)


def tasks(study: Study, only: str | Mapping[str, Any] | None = None) -> Iterator[Task]:
    """Every configuration and dimension with all its runs, in the order of the study's file."""
    study.require_installed_operators()
    wanted = select_values(study, only)
    configs = Study.of({**study.as_dict(), "grid": "printed", **wanted}).n_configs
    if configs > MOST_CONFIGS or configs * study.runs > MOST_RUNS:
        many = f"study {study.name!r}: {configs * study.runs:,} runs of {configs:,} configurations are too many"
        most = f"at most {MOST_RUNS:,} runs and {MOST_CONFIGS:,} configurations"
        raise ValueError(f"{many} for one plan: {most}; name some with only, or make several studies of it")
    chosen = list(study.configs(wanted))
    if not chosen:
        raise ValueError(f"only: no configuration of study {study.name!r} has {only!r}")
    for n in wanted.get("dimension", study.dimension):
        budget = study.budget_for(n)
        for config in chosen:
            yield Task(config, n, budget, range(study.runs), cost.seconds(config, n, budget, study.engine))


def split(task: Task, target: float) -> Iterator[Task]:
    """A task in pieces of at most `target` seconds, or of one run."""
    each = max(1, int(target / task.seconds_per_run))
    for first in range(0, len(task.runs), each):
        yield replace(task, runs=task.runs[first : first + each])


def without_finished(task: Task, study: Study, finished: Collection[str]) -> Task:
    """The task without the runs that are finished."""
    left = tuple(run for run, id in zip(task.runs, ids(task, study), strict=True) if id not in finished)
    return replace(task, runs=left) if len(left) < len(task.runs) else task


def group(pieces: Sequence[Task], study: Study, target: float) -> Iterator[Chunk]:
    """Successive pieces in chunks of about `target` seconds."""
    named = [operators.find(slot, name) for slot in operators.SLOTS for name in getattr(study, slot)]
    parcels: tuple[Parcel, ...] = ()
    if operators.from_outside(named):
        from debox.operators.outside import pack

        parcels = pack(named)
    begin, spent = 0, 0.0
    for end, task in enumerate(pieces, 1):
        spent += task.seconds
        if end == len(pieces) or spent + pieces[end].seconds > target:
            yield Chunk(study.seed, study.engine, study.checkpoints, tuple(pieces[begin:end]), parcels)
            begin, spent = end, 0.0


def parse_shard(given: str | tuple[int, int]) -> tuple[int, int]:
    """'3/8', or (3, 8) → (3, 8)"""
    written = given if isinstance(given, str) else "/".join(map(str, given)) if isinstance(given, Iterable) else ""
    match = re.fullmatch(r"(\d+)/(\d+)", written)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got {given!r}")
    return int(match[1]), int(match[2])


def select_values(study: Study, only: str | Mapping[str, Any] | None) -> dict[str, list[Any]]:
    """The values of each factor that `only` names, as the study has them."""
    if not isinstance(only, str | Mapping | None):
        raise ValueError(f"only must be text such as 'strategy=sat,N=5' or a mapping of factors, got {only!r}")
    pairs = only.items() if isinstance(only, Mapping) else [_pair(text) for text in (only or "").split(",") if text]
    wanted: dict[str, list[Any]] = {}
    for name, given in pairs:
        factor = check.choice("a factor in only", long_name(name), FACTORS)
        found = [level_of(factor, study.values(factor), value, "only") for value in several(given) or (given,)]
        wanted[factor] = list(dict.fromkeys([*wanted.get(factor, ()), *found]))
    return wanted


def _pair(text: str) -> tuple[str, str]:
    factor, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"only: {text!r} does not read as factor=value, e.g. 'strategy=sat,N=5'")
    return factor.strip(), value.strip()
