"""What an operator from outside must do once it is compiled: the same as its Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from debox import jit
from debox.registry.checks import adaptation, crossover, strategy
from debox.registry.checks.calls import describe_call, text_of
from debox.registry.fingerprint import fingerprint

if TYPE_CHECKING:
    from debox.registry import Operator

ROUNDING = 1e-9  # a compiled exponential or sine may differ from Python's in its last bits


@cache
def check(operator: Operator) -> None:
    """Compile an operator at its first use and compare it with its Python; a ValueError names it and the reason."""
    check_function(operator, operator.function, cases(operator))
    if operator.learn is not None:
        check_function(operator, operator.learn, learning_cases(operator))


def refuse_changed(operator: Operator) -> None:
    """Raise a ValueError if a value that the operator uses is another than when it was first used, and compiled."""
    if fingerprint(operator) != fingerprint_at_first_use(operator):
        raise ValueError(
            f"{operator.slot} {operator.name!r} uses a value that has changed since it was compiled: its runs would be "
            "those of the old value; start a new process, or register another operator"
        )


@cache
def fingerprint_at_first_use(operator: Operator) -> str:
    return fingerprint(operator)


def check_function(operator: Operator, function: Callable[..., Any], cases: Iterable[list[Any]]) -> None:
    """Compare one of the operator's functions, compiled, with its Python."""
    reason = ""
    for number, args in enumerate(cases):
        try:
            compiled = outcome(jit.bind(function, *args), args, number)
        except Exception as error:
            if reason := jit.why_not_compiled(error):
                break
            raised = f"raised {type(error).__name__} when compiled: {error}"
            raise ValueError(f"{describe_call(operator, args, function)} {raised}") from error
        python = outcome(function, args, number)
        if not all(is_same(*pair) for pair in zip(compiled, python, strict=True)):
            difference = f"gives {format_outcome(compiled)} when compiled, {format_outcome(python)} in Python"
            raise ValueError(f"{describe_call(operator, args, function)} {difference}; both must be the same")
    if reason:
        raise ValueError(f"Numba cannot compile {function.__name__!r}, the {operator.slot} {operator.name!r}: {reason}")


def is_same(compiled: Any, python: Any) -> bool:
    """Whether two numbers or arrays are the same within rounding; most are equal, which is seen sooner."""
    if np.array_equal(compiled, python):
        return True
    return np.allclose(compiled, python, ROUNDING, ROUNDING, equal_nan=True)


def cases(operator: Operator) -> Iterator[list[Any]]:
    """Arguments of a few calls, as the loop makes them."""
    rng = np.random.default_rng(1)
    if operator.slot == "mutation":
        K = [0.3] if operator.draws_K else []
        yield from ([*rng.uniform(-1.0, 1.0, 7), F, *K] for F in rng.uniform(0.1, 2.0, 20))
    elif operator.slot == "crossover":
        for n, Cr in product(crossover.SIZES, crossover.RATES):
            yield [rng.random(n), rng.random(n), Cr, rng, np.zeros(n)]
    elif operator.slot == "donors":
        for k, more in product(range(1, 6), range(5)):
            N = k + len(operator.avoids) + more
            yield [N, int(rng.integers(N)), int(rng.integers(N)), rng, np.zeros(k, np.uint64)]
    elif operator.slot == "adaptation":
        for N in adaptation.SIZES:
            yield from ([i, adaptation.first_memory(operator, N), rng, np.zeros((2, N))] for i in range(N))
    else:
        for a, b in strategy.BOXES[:2]:
            for u, x, c in product(
                strategy.points_outside(a, b), strategy.points_inside(a, b), strategy.points_inside(a, b)
            ):
                numbers = [float(value) for value in (u, x, c, a, b)]
                yield [*([np.full(2, value) for value in numbers] if operator.whole else numbers), rng]


def learning_cases(operator: Operator) -> Iterator[list[Any]]:
    """Arguments of calls by which an adaptation learns."""
    rng = np.random.default_rng(1)
    for N in adaptation.SIZES:
        memory = adaptation.first_memory(operator, N)
        yield from ([rng.uniform(0.1, 1.0, (2, len(gain))), gain, memory, 0] for gain in adaptation.gains(N, rng))


def outcome(function: Any, args: list[Any], seed: int) -> list[Any]:
    """What a call returns, what it leaves in arrays and which random number comes next."""
    rng = np.random.default_rng(seed)
    copies = [rng if isinstance(arg, np.random.Generator) else np.copy(arg)[()] for arg in args]
    with np.errstate(all="ignore"):
        returned = function(*copies)
    arrays = [arg.astype(float) for arg in copies if isinstance(arg, np.ndarray)]
    return [np.nan if returned is None else returned, *arrays, rng.random()]


def format_outcome(outcome: list[Any]) -> str:
    """The number that was returned or, if there is none, the arrays."""
    returned, *arrays, _ = outcome
    return text_of(np.float64(returned)) if not np.isnan(returned) else ", ".join(map(text_of, arrays))
