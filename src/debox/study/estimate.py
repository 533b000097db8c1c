"""How long a study takes, estimated from its factors: its runs are counted, not listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from debox.config import resolve, resolve_operator
from debox.study import cost
from debox.study.plan import runs_per_piece, seconds_of_a_chunk
from debox.study.study import Study

SLOTS_THAT_COST = ("mutation", "crossover", "donors", "adaptation")  # besides N and n


class CostGroup(NamedTuple):
    """Configurations whose runs are estimated to take the same time."""

    configs: int
    n: int
    seconds_per_run: float


def seconds(study: Study) -> float:
    """CPU time of all runs: what the chunks of the study's plan add up to.

    Parameters
    ----------
    study : Study
        The study; its runs are counted, not listed.

    Returns
    -------
    float
        Seconds of one core, estimated.

    Examples
    --------
    >>> from debox import Study
    >>> from debox.study import estimate
    >>> 0 < estimate.seconds(Study.load("smoke")) < estimate.seconds(Study.load("paper"))
    True
    """
    study.require_installed_operators()
    groups = list(cost_groups(study))
    target = seconds_of_a_chunk(
        sum(group.configs * (cost.build(group.n) + group.seconds_per_run * study.runs) for group in groups)
    )
    return sum(
        group.configs * (cost.build(group.n) * _pieces(study, group, target) + group.seconds_per_run * study.runs)
        for group in groups
    )


def _pieces(study: Study, group: CostGroup, target: float) -> int:
    """In how many pieces the runs of one of these configurations are planned."""
    return -(-study.runs // runs_per_piece(group.seconds_per_run, target))


def cost_groups(study: Study) -> Iterator[CostGroup]:
    """Every configuration counted once: what a run costs depends on some operators, N and n alone.

    The strategy decides no more than which engine does the runs.
    """
    sizes, varied = sorted(study.N), [getattr(study, slot) for slot in SLOTS_THAT_COST]
    combinations = prod(map(len, varied)) * len(sizes)
    kinds = {name: resolve_operator("strategy", name).leaves_outside for name in study.strategy}
    for plain_only in set(kinds.values()):
        strategies = [name for name, kind in kinds.items() if kind == plain_only]
        others = Study.of({**study.as_dict(), "strategy": strategies}).count_configs() // combinations
        for n, *names in product(study.dimension, *varied):
            given = {"strategy": strategies[0], **dict(zip(SLOTS_THAT_COST, names, strict=True))}
            counted = cost.count_by_seconds(resolve(given), sizes, n, study.budget_for(n), study.engine)
            for seconds_per_run, times in counted.items():
                yield CostGroup(others * times, n, seconds_per_run)
