"""What a mutation must do: give a finite number that depends on the parents and weights that its fields name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from debox.registry.checks.calls import call, fail, is_number, text_of

if TYPE_CHECKING:
    from debox.registry import Operator

FACTORS = (0.05, 0.5, 0.9, 1.0, 2.0)  # values of F
KS = (0.1, 0.8)  # values of K, for each F in turn, if the mutation takes it
POINTS = 12  # for each of them
PARENTS = ("x", "x_best", "x_r1", "x_r2", "x_r3", "x_r4", "x_r5")
BASES = {"target": "x", "best": "x_best", "r1": "x_r1"}
ROUNDING = 1e-9  # how far a formula and its weights may be apart, for parents of size 1


def check(operator: Operator) -> None:
    """Try a mutation: numbers, parents, base, weights."""
    rng = np.random.default_rng(1)
    samples = [
        (rng.uniform(-1.0, 1.0, len(PARENTS)), (F, KS[point % 2]) if operator.draws_K else (F,))
        for F in FACTORS
        for point in range(POINTS)
    ]
    results = [mutant_component(operator, parents, scales) for parents, scales in samples]
    relevant = [
        name
        for role, name in enumerate(PARENTS)
        if any(
            mutant_component(operator, replace_parent(parents, role, rng), scales) != result
            for (parents, scales), result in zip(samples, results, strict=True)
        )
    ]
    check_parents(operator, relevant)
    if operator.weights is not None:
        for (parents, scales), result in zip(samples, results, strict=True):
            check_weights(operator, parents, scales, result)


def mutant_component(operator: Operator, parents: NDArray[np.float64], scales: tuple[float, ...]) -> float:
    """The mutant's component, which must be a finite number; scales are F and, if the mutation takes it, K."""
    args = [*parents, *map(np.float64, scales)]
    result = call(operator, *args)
    if not (is_number(result) and np.isfinite(result)):
        fail(operator, args, f"gave {text_of(result)}", "allowed is a finite number")
    return float(result)


def replace_parent(parents: NDArray[np.float64], role: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The parents, one of them exchanged for another."""
    others = parents.copy()
    others[role] = rng.uniform(-1.0, 1.0)
    return others


def check_parents(operator: Operator, relevant: list[str]) -> None:
    """The arguments that the result depends on are those that the fields name."""
    what, depends = f"mutation {operator.name!r}", f"the result depends on {', '.join(relevant) or 'no parent'}"
    for field, parent in (("uses_target", "x"), ("uses_best", "x_best")):
        if getattr(operator, field) != (parent in relevant):
            raise ValueError(f"{what}: {depends}; {field} must be {parent in relevant}, got {getattr(operator, field)}")
    donors = max((int(name[3:]) for name in relevant if name.startswith("x_r")), default=0)
    if operator.donors != donors:
        raise ValueError(f"{what}: {depends}; donors must be {donors}, got {operator.donors}")
    if BASES[operator.base] not in relevant:
        allowed = " or ".join(repr(base) for base, parent in BASES.items() if parent in relevant) or "nothing"
        raise ValueError(f"{what}: {depends}; base must be {allowed}, got {operator.base!r}")


def check_weights(operator: Operator, parents: NDArray[np.float64], scales: tuple[float, ...], result: float) -> None:
    """weights(F), of target, best, r1, … as many as there are donors, add up to 1 and give the formula's result."""
    weights = weights_of(operator, scales)
    what = f"mutation {operator.name!r}: weights({', '.join(map(repr, scales))})"
    if not isinstance(weights, tuple) or not all(map(is_number, weights)) or len(weights) != 2 + operator.donors:
        raise ValueError(
            f"{what} gave {weights!r}; allowed is a tuple of {2 + operator.donors} numbers, for target, best and donors"
        )
    if abs(sum(weights) - 1.0) > ROUNDING:
        raise ValueError(f"{what} gave {weights!r}, which add up to {sum(weights)!r}; they must add up to 1")
    weighted = float(np.dot(weights, parents[: len(weights)]))
    if abs(weighted - result) > ROUNDING:
        fail(operator, [*parents, *scales], f"gave {result!r}", f"its weights {weights!r} give {weighted!r}")


def weights_of(operator: Operator, scales: tuple[float, ...]) -> Any:
    """What the weights are for F, or F and K; an error of their own is raised as a ValueError."""
    try:
        return operator.weights(*scales) if operator.weights else ()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    raise ValueError(f"mutation {operator.name!r}: weights({', '.join(map(repr, scales))}) raised {reason}")
