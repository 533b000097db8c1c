"""plan: the runs of a study in chunks. A run's id depends on what defines the run, not on its place in the study.

Two options choose a part of a study: `only`, values of its factors, and `shard`, the i-th of n parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from debox import operators
from debox.config import Config
from debox.operators.kinds import Operator
from debox.store import schema
from debox.study import cost
from debox.study.fields import FACTORS, FIELDS, long_name
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
        """How many runs."""
        return sum(len(task.runs) for task in self.tasks)

    @property
    def evaluations(self) -> int:
        """How many evaluations they do."""
        return sum(task.budget * len(task.runs) for task in self.tasks)

    @property
    def seconds(self) -> float:
        """Estimated CPU time of all runs."""
        return sum(task.seconds for task in self.tasks)

    def operators_here(self) -> tuple[Operator, ...]:
        """The operators that are not debox's own; registers them in this process if needed."""
        if not self.operators:
            return ()
        from debox.operators.outside import unpack

        return tuple(map(unpack, self.operators))

    def ids(self) -> list[str]:
        """The ids of the runs, in their order."""
        return [id for task in self.tasks for id in ids(task, self)]


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
    all_tasks = list(tasks(study, only))
    target = seconds_of_a_chunk(sum(task.seconds for task in all_tasks))
    pieces = [piece for task in all_tasks for piece in split(task, target)]
    pieces.sort(key=lambda task: -task.seconds_per_run)
    if shard:
        i, of = shard
        pieces = pieces[i - 1 :: of]
    if finished:
        pieces = [left for task in pieces if (left := without_finished(task, study, finished)).runs]
    parcels = parcels_of(study)
    grouped = [
        chunk for n in study.dimension for chunk in group_into_chunks([p for p in pieces if p.n == n], study, target)
    ]
    grouped = [replace(chunk, operators=parcels) for chunk in grouped] if parcels else grouped
    return sorted(grouped, key=lambda chunk: -chunk.tasks[0].seconds_per_run)


def parse_shard(given: str | tuple[int, int]) -> tuple[int, int]:
    """'3/8', or (3, 8) → (3, 8)"""
    numbers = "/".join(map(str, given)) if isinstance(given, Iterable) else ""
    match = re.fullmatch(r"(\d+)/(\d+)", given if isinstance(given, str) else numbers)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got {given!r}")
    return int(match[1]), int(match[2])


def operators_of(study: Study) -> list[Operator]:
    """The operators that a study names."""
    return [operators.find(slot, name) for slot in operators.SLOTS for name in getattr(study, slot)]


def parcels_of(study: Study) -> tuple[Parcel, ...]:
    """The operators of a study that are not debox's own, ready to be sent to workers."""
    if not (outside := operators.from_outside(operators_of(study))):
        return ()
    from debox.operators.outside import pack

    return pack(outside)


def seconds_of_a_chunk(total: float) -> float:
    """How many seconds a chunk of a plan of `total` seconds of CPU time should take."""
    return min(max(total / WANTED_CHUNKS, SHORTEST), LONGEST)


def tasks(study: Study, only: str | Mapping[str, Any] | None = None) -> Iterator[Task]:
    """Every configuration and dimension with all its runs, in the order of the study's file."""
    study.require_installed_operators()
    wanted = select_values(study, only)
    refuse_too_many(study, Study.of({**study.as_dict(), "grid": "printed", **wanted}).n_configs)
    dimensions = [n for n in study.dimension if n in wanted.get("dimension", study.dimension)]
    chosen = list(study.configs(wanted))
    if not chosen:
        raise ValueError(f"only: no configuration of study {study.name!r} has {only!r}")
    for n in dimensions:
        budget = study.budget_for(n)
        for config in chosen:
            yield Task(config, n, budget, range(study.runs), cost.seconds(config, n, budget, study.engine))


def select_values(study: Study, only: str | Mapping[str, Any] | None) -> dict[str, list[Any]]:
    """The values of each factor that `only` names, checked against those of the study."""
    wanted: dict[str, list[Any]] = {}
    for name, value in _pairs(only):
        factor = long_name(name)
        if factor not in FACTORS:
            raise ValueError(f"only: unknown factor {factor!r}; choose from {', '.join(FACTORS)}")
        for checked in FIELDS[factor].check(_parse_value(factor, value)):
            wanted.setdefault(factor, []).append(_value_in_study(study, factor, checked))
    return {factor: list(dict.fromkeys(values)) for factor, values in wanted.items()}


def _pairs(only: object) -> list[tuple[str, Any]]:
    """The factors that `only` names, each with a value."""
    if isinstance(only, Mapping):
        return list(only.items())
    if not isinstance(only, str | None):
        raise ValueError(f"only must be text such as 'strategy=sat,N=5' or a mapping of factors, got {only!r}")
    return [_parse_pair(text) for text in (only or "").split(",") if text]


def _value_in_study(study: Study, factor: str, given: Any) -> Any:
    """The value of the study that is given exactly or as it is printed."""
    values = study.values(factor)
    matches = [value for value in values if value == given] or [
        value for value in values if given in _printed_forms(value)
    ]
    if not matches:
        choices = ", ".join(map(str, values))
        raise ValueError(f"only: {factor}={given} is not in study {study.name!r}; choose from {choices}")
    return min(matches, key=lambda value: abs(value - given)) if len(matches) > 1 else matches[0]


def _printed_forms(value: Any) -> tuple[float, ...]:
    """0.2666… as it is printed: 0.267, rounded, or 0.266, cut."""
    return (float(f"{value:.3f}"), float(f"{value:.6f}"[:-3])) if isinstance(value, float) else ()


def _parse_pair(text: str) -> tuple[str, str]:
    factor, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise ValueError(f"only: {text!r} does not read as factor=value, e.g. 'strategy=sat,N=5'")
    return factor, value


def _parse_value(factor: str, value: Any) -> Any:
    """A value given as text, converted to the factor's type."""
    kind = {"N": int, "dimension": int, "F": float, "Cr": float}.get(factor)
    if factor in ("reevaluate", "frozen") and isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower(), value)
    try:
        return kind(value) if kind and isinstance(value, str) else value
    except ValueError:
        return value  # the check says what is allowed


def refuse_too_many(study: Study, configs: int) -> None:
    """Raise an error if so many configurations of the study, with their runs, are more than fit into a plan."""
    if configs > MOST_CONFIGS or configs * study.runs > MOST_RUNS:
        raise ValueError(
            f"study {study.name!r}: {configs * study.runs:,} runs of {configs:,} configurations are too many for one "
            f"plan, which is held in memory: at most {MOST_RUNS:,} runs and {MOST_CONFIGS:,} configurations; "
            "name some with only, or make several studies of it"
        )


def split(task: Task, target: float) -> Iterator[Task]:
    """A task in pieces of at most `target` seconds, or of one run."""
    each = runs_per_piece(task.seconds_per_run, target)
    for first in range(0, len(task.runs), each):
        yield replace(task, runs=task.runs[first : first + each])


def runs_per_piece(seconds_per_run: float, target: float) -> int:
    """How many runs a piece has that takes `target` seconds."""
    return max(1, int(target / seconds_per_run))


def without_finished(task: Task, study: Study, finished: Collection[str]) -> Task:
    """The task without the runs that are finished."""
    with_ids = zip(task.runs, ids(task, study), strict=True)
    left = tuple(run for run, id in with_ids if id not in finished)
    return replace(task, runs=left) if len(left) < len(task.runs) else task


def group_into_chunks(pieces: Iterable[Task], study: Study, target: float) -> Iterator[Chunk]:
    """Successive pieces in chunks of about `target` seconds."""
    shared = (study.seed, study.engine, study.checkpoints)
    together: list[Task] = []
    spent = 0.0
    for task in pieces:
        if together and spent + task.seconds > target:
            yield Chunk(*shared, tuple(together))
            together, spent = [], 0.0
        together.append(task)
        spent += task.seconds
    if together:
        yield Chunk(*shared, tuple(together))


def ids(task: Task, of: Study | Chunk) -> list[str]:
    """The id of each run of a task, of which seed, engine and checkpoints are those of its study or chunk."""
    return schema.ids(task.config, task.n, task.budget, task.runs, of)
