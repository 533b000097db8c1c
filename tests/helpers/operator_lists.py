"""Operators that tests go through: all of a kind, or the paper's where each one more is compiled for seconds."""

from debox import registry

PAPER_MUTATIONS = [registry.find("mutation", name) for name in ("rand/1", "rand/2", "best/1", "current-to-best/1")]
PAPER_STRATEGIES = [registry.find("strategy", name) for name in ("saturation", "toroidal", "mirror", "COTN", "dismiss")]
FAST_MUTATIONS = [
    mutation for mutation in registry.in_slot("mutation") if not mutation.draws_K and not mutation.uses_p_best
]
CODED_MUTATIONS = [m for m in FAST_MUTATIONS if sum(map(bool, m.weights(0.7))) <= 5]  # as codes of 16 bits can be
PAGE_MUTATIONS = [  # those that the explorer has
    mutation for mutation in FAST_MUTATIONS if not getattr(mutation, "uses_p_best", False)
]
FAST_STRATEGIES = [strategy for strategy in registry.in_slot("strategy") if not strategy.leaves_outside]
