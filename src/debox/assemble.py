"""From a checked configuration and a box to what the loop of `debox.de` takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from debox import jit, registry
from debox.box import Box
from debox.config import Config
from debox.de.algorithm import DE
from debox.de.mutation import mutate
from debox.registry import Operator


def assemble(config: Config, box: Box, strategies: Sequence[str] | None = None) -> DE:
    """The operators as kernels, with their parameters and bounds; `strategies`: one name per variable."""
    mutation = registry.find("mutation", config.mutation)
    rule = registry.donor_rule(registry.find("donors", config.donors), mutation)
    known = registry.in_slot("strategy")
    chosen = [registry.find("strategy", name) for name in strategies or [config.strategy] * box.n]
    return DE(
        donors=jit.pointer(rule.function, "donors"),
        mutation=jit.pointer(jit.specialise(mutate, formula=mutation.function), "mutation"),
        crossover=jit.pointer(registry.find("crossover", config.crossover).function, "crossover"),
        strategies=tuple(jit.pointer(strategy.function, "strategy") for strategy in only(known, chosen)),
        strategy_of=np.array([known.index(strategy) for strategy in chosen], np.uint8),
        whole=chosen[0].whole,
        n_donors=mutation.donors,
        F=config.F,
        Cr=config.Cr,
        a=np.array(box.lower),
        b=np.array(box.upper),
        reevaluate=config.reevaluate,
        frozen=config.frozen,
        v=np.empty(box.n),
        r=np.zeros(5, np.uint64),
    )


def only(known: Sequence[Operator], chosen: Sequence[Operator]) -> list[Operator]:
    """The strategies in their order, those nobody chose replaced by one that is: they are not compiled in vain."""
    return [strategy if strategy in chosen else chosen[0] for strategy in known]


def per_variable(strategy: str | Sequence[str], n: int) -> list[str]:
    """One strategy name per variable from one name or a sequence of n."""
    names = (
        list(strategy)
        if isinstance(strategy, Sequence | np.ndarray) and not isinstance(strategy, str)
        else [strategy] * n
    )
    if len(names) != n:
        raise ValueError(f"strategy must be one name or one per variable ({n}), got {len(names)}: {names}")
    chosen = [registry.find("strategy", name) for name in names]
    whole = [operator for operator in chosen if operator.whole]
    if whole and len(set(chosen)) > 1:
        raise ValueError(f"strategy {whole[0].name!r} replaces the whole solution: it cannot be mixed, got {names}")
    return [operator.name for operator in chosen]
