"""From a checked configuration and a box to what the loop of `debox.de` takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from debox import jit, registry
from debox.box import Box
from debox.config import Config
from debox.de import adaptive, algorithm
from debox.de.adaptive import AdaptiveParts
from debox.de.algorithm import BASE_BEST, BASE_R1, BASE_TARGET, COMPETES, DE, LOSES, UNSEEN
from debox.de.strategies import dismiss, saturation
from debox.de.variation import mutate, mutate_with_K
from debox.registry import Operator

Kernel = Callable[..., Any]
BASES = {"r1": BASE_R1, "best": BASE_BEST, "target": BASE_TARGET}
PLACES_OF_STRATEGIES = 8  # where variables differ in their strategy


def assemble(config: Config, box: Box, strategies: Sequence[Operator] | None = None, budget: int | None = None) -> DE:
    """The operators as kernels, with their parameters and bounds; if `config.adapts`, for a run of this budget.

    `config.adapts` is true for p-best with fixed F and Cr, too: adaptive runs are these and those whose F and Cr adapt.
    `strategies`: one per variable. Only adaptive runs need the budget; beyond it they would have no trials left.
    """
    de = assemble_fixed(config, box, strategies)
    if not config.adapts:
        return de
    if budget is None:
        raise TypeError(f"{config} is assembled for a budget: the kernels of adaptive runs follow it")
    return de._replace(adaptation=assemble_adaptation(config, budget))


def assemble_adaptation(config: Config, budget: int) -> AdaptiveParts:
    """The adaptation with an empty archive and a memory that has learned nothing."""
    adaptation, mutation, N = config.operators.adaptation, config.operators.mutation, config.N
    check_compiled(adaptation)
    assembled = AdaptiveParts(
        sample=jit.pointer(adaptation.function, "sample"),
        learn=jit.pointer(adaptation.learn, "learn"),
        memory=np.empty((2, adaptation.memory or N)),
        sizes=np.zeros(3, np.int64),
        gain=np.zeros(N),
        order=np.arange(N),
        belongs_to_individuals=adaptation.memory == 0,
        uses_p_best=mutation.uses_p_best,
        p=adaptation.p,
        p_varies=adaptation.p_varies,
        archives=adaptation.archives if mutation.uses_archive else 0.0,
        keeps_ties=adaptation.keeps_ties,
        avoided=len(config.operators.rule.avoids),
        least=min(max(adaptation.last_N, config.smallest_N), N) if adaptation.last_N else N,
        budget=budget,
    )
    adaptive.restart(assembled, config.F, config.Cr)
    return assembled


def assemble_fixed(config: Config, box: Box, strategies: Sequence[Operator] | None = None) -> DE:
    """The operators as kernels, with their parameters and bounds."""
    mutation, crossover, strategy = config.operators[:3]
    chosen = strategies or [strategy] * box.n
    check_compiled(mutation, crossover, config.operators.rule, *chosen)
    whole = chosen[0].whole  # of all variables then: `per_variable` refuses to mix
    of_variables = [saturation if whole else operator.function for operator in chosen]
    components = list(dict.fromkeys(of_variables))
    mutate_all = (
        jit.specialise(mutate_with_K, formula_with_K=mutation.function)
        if mutation.draws_K
        else jit.specialise(mutate, formula=mutation.function)
    )
    return DE(
        donors=jit.pointer(config.operators.rule.function, "donors"),
        mutation=jit.pointer(mutate_all, "mutation"),
        crossover=jit.pointer(crossover.function, "crossover"),
        strategies=tuple(jit.pointer(function, "strategy") for function in pad_strategies(components)),
        strategy_of=np.array([components.index(function) for function in of_variables], np.uint16),
        whole=whole,
        whole_strategy=jit.pointer(chosen[0].function if whole else dismiss, "whole strategy"),
        redraws=chosen[0].redraws,
        base=BASES[mutation.base],
        n_donors=mutation.donors,
        F=config.F,
        Cr=config.Cr,
        a=np.array(box.lower),
        b=np.array(box.upper),
        fate=UNSEEN if chosen[0].penalises else COMPETES if config.reevaluate else LOSES,
        frozen=config.frozen,
        v=np.empty(box.n),
        r=np.zeros(5, np.uint64),
    )


def loop_for(config: Config, loop: Kernel, **names: Kernel) -> Kernel:
    """A kernel that proposes trials, such as `algorithm.run`, for a configuration; names as in specialise.

    There is no other way to run one: `propose` raises until this puts that of a configuration there.
    """
    kernels = kernels_to_swap(config)
    more = {name: jit.specialise(kernel, **kernels) for name, kernel in names.items()}
    return jit.specialise(loop, **kernels, **more)


def kernels_to_swap(config: Config) -> dict[str, Kernel]:
    """The kernels of a configuration, by the names whose places they take in Algorithm 1.

    They differ if `config.adapts`, and for K, redraws, repair of the mutant, penalties. As branches of one loop they
    would make every other trial slower.
    """
    kernels = {"propose": proposer_for(config)}
    if config.operators.strategy.penalises:
        kernels["is_unseen"] = algorithm.is_infeasible
    if config.adapts:
        kernels["next_generation"] = adaptive.next_generation
        kernels["rank"], kernels["trials_left"] = adaptive.rank, adaptive.trials_left
    return kernels


def proposer_for(config: Config) -> Kernel:
    """The kernel that takes the place of `propose`: it makes the trials of a generation."""
    build = builder_for(config)
    if build is algorithm.build_classic:  # what it does is written out in these
        return adaptive.propose if config.adapts else algorithm.propose_classic
    return jit.specialise(adaptive.propose_each if config.adapts else algorithm.propose_each, build=build)


def builder_for(config: Config) -> Kernel:
    """The kernel that makes one trial, as `proposer_for` makes many; the fast engine has no use for the others."""
    draws_K, redraws = config.operators.mutation.draws_K, config.operators.strategy.redraws
    if not (draws_K or redraws or config.repair == "mutant"):
        return algorithm.build_classic
    build: Kernel = algorithm.build_from_repaired_mutant if config.repair == "mutant" else algorithm.build_or_redraw
    draw_mutant = adaptive.draw_mutant if config.adapts else algorithm.draw_mutant
    if draws_K:
        draw_mutant = jit.specialise(draw_mutant, draw_K=algorithm.draw_uniform_K)
    return jit.specialise(build, draw_mutant=draw_mutant) if draw_mutant is not algorithm.draw_mutant else build


def check_compiled(*operators: Operator) -> None:
    """Refuse an operator from outside that does not do compiled what it does in Python, or has changed since then."""
    if (outside := registry.from_outside(operators)) and not jit.is_interpreted():
        from debox.registry.checks.compiled import check, refuse_changed

        for operator in outside:
            check(operator)
            refuse_changed(operator)


def pad_strategies(functions: Sequence[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """The functions, the first repeated up to 1, 8, 16, … of them: the loop is compiled anew for each other number.

    One alone, as most runs have it, stays alone: each pointer is an argument of the loop.
    """
    places = 1 if len(functions) == 1 else PLACES_OF_STRATEGIES
    while places < len(functions):
        places *= 2
    return [*functions, *[functions[0]] * (places - len(functions))]
