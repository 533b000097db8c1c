"""How long a study takes, estimated from its factors: its runs are counted, not listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from debox.config import resolve, resolve_operator
from debox.design.study import Study
from debox.study import cost
from debox.study.plan import runs_per_piece, seconds_of_a_chunk


class CostGroup(NamedTuple):
    """Configurations whose runs are estimated to take the same time."""

    configs: int
    n: int
    seconds: float  # of a run


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
        sum(group.configs * (cost.build(group.n) + group.seconds * study.runs) for group in groups)
    )
    return sum(
        group.configs * (cost.build(group.n) * _pieces(study, group, target) + group.seconds * study.runs)
        for group in groups
    )


def _pieces(study: Study, group: CostGroup, target: float) -> int:
    """In how many pieces the runs of one of these configurations are planned."""
    return -(-study.runs // runs_per_piece(group.seconds, target))


def cost_groups(study: Study) -> Iterator[CostGroup]:
    """Every configuration counted once: what a run costs depends on mutation, crossover, donors, N and n alone.

    The strategy decides no more than which engine does the runs.
    """
    sizes, combinations = sorted(study.N), len(study.mutation) * len(study.crossover) * len(study.donors) * len(study.N)
    kinds = {name: resolve_operator("strategy", name).leaves_outside for name in study.strategy}
    for plain_only in set(kinds.values()):
        strategies = [name for name, kind in kinds.items() if kind == plain_only]
        others = study.count_configs({"strategy": strategies}) // combinations
        for n, *names in product(study.dimension, study.mutation, study.crossover, study.donors):
            mutation, crossover, donors = names
            given = {"mutation": mutation, "crossover": crossover, "strategy": strategies[0], "donors": donors}
            counted = cost.count_by_seconds(resolve(given), sizes, n, study.budget_for(n), study.engine)
            for seconds, times in counted.items():
                yield CostGroup(others * times, n, seconds)
