"""Operators that tests go through: all of a kind, or the paper's where each one more is compiled for seconds."""

from debox import operators

PAPER_MUTATIONS = [operators.find("mutation", name) for name in ("rand/1", "rand/2", "best/1", "current-to-best/1")]
PAPER_CELLS = [
    (mutation.name, crossover.name, rule.name)
    for mutation in PAPER_MUTATIONS
    for crossover in operators.in_slot("crossover")
    for rule in operators.in_slot("donors")
]
PAPER_STRATEGIES = [
    operators.find("strategy", name) for name in ("saturation", "toroidal", "mirror", "COTN", "dismiss")
]
FAST_MUTATIONS = [
    mutation for mutation in operators.in_slot("mutation") if not mutation.draws_K and not mutation.uses_p_best
]
CODED_MUTATIONS = [m for m in FAST_MUTATIONS if sum(map(bool, m.weights(0.7))) <= 5]  # as codes of 16 bits can be
FAST_STRATEGIES = [strategy for strategy in operators.in_slot("strategy") if not strategy.leaves_outside]
