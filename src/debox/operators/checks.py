"""What an operator from outside must do: tried in plain Python, on fixed random numbers, before it is registered.

The first call that does what it must not ends in a ValueError with the call, its outcome and what is allowed. Laws on
which the fast engine and `debox.theory` rely (weights, exchanges, uniform) are compared too: a wrong one would give
wrong numbers without a word.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import permutations, product
from math import sqrt
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from debox.operators.kinds import MOST_DONORS, Adaptation, Crossover, Donors, Mutation, Operator, Strategy
from debox.reference import LARGEST, TERMINAL

Vector = NDArray[np.float64]
Rng = np.random.Generator

MOST_LINES = 20_000  # of Python that a call may run: the longest of debox's own runs some hundred
LIMIT = 6.0  # standard errors: a right law is refused once in 10⁹ comparisons, and the random numbers are fixed
LAW_TIMES = 1000  # draws whose frequencies are compared with a law
ROUNDING = 1e-9  # between a mutation and its weights, for parents of size 1
# Bounds that a Box allows: usual ones, the widest, some of the narrowest
BOXES = [(0.0, 1.0), (-5.0, 10.0), (1e-3, 1e-3 + 1e-9), (-1e307, 1e307), (1.0, 1.0 + 2**-52), (0.0, 5e-324)]
PARENTS = {"target": "x", "best": "x_best", **{f"r{k}": f"x_r{k}" for k in range(1, MOST_DONORS + 1)}}
PAIRS = "allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"


def check(operator: Operator) -> None:
    """Raise a ValueError if the operator does what the loop does not expect of its slot."""
    CHECKS[operator.slot](operator)


class Call:
    """One call of a function of an operator: its result, its arguments before and after, and errors that show it."""

    def __init__(self, operator: Operator, *args: Any, function: Callable[..., Any] | None = None) -> None:
        self.operator, self.function, self.args = operator, function or operator.function, args
        self.names = self.function.__code__.co_varnames[: len(args)]
        self.before = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        try:
            with np.errstate(all="ignore"), limit_lines():
                self.result = self.function(*args)
        except EndlessCall:
            self.fail(f"does not end: {MOST_LINES} lines ran")
        except Exception as error:
            self.fail(f"raised {type(error).__name__}: {error}")

    def fail(self, reason: str) -> Never:
        """Raise a ValueError that shows the call: ``strategy 'mine': mine(u=1.5, x=0.5, …) gave 1.5; …``"""
        passed = zip(self.names, self.before, strict=True)
        shown = ", ".join(f"{name}={show(arg)}" for name, arg in passed if name != "rng")
        what = f"{self.operator.slot} {self.operator.name!r}: {self.function.__name__}({shown})"
        raise ValueError(f"{what} {reason}") from None

    def require(self, holds: Any, outcome: str, value: Any, allowed: str) -> None:
        """Raise a ValueError unless something holds: what came out, and what is allowed."""
        if not holds:
            self.fail(f"{outcome} {show(value)}; {allowed}")

    def may_change(self, *changed: str, returns: bool = False) -> None:
        """Raise a ValueError if the function changed other arrays than these, or returned something."""
        rule = f"it may change {' and '.join(changed)} alone"
        self.require(returns or self.result is None, "returned", self.result, f"{rule} and returns nothing")
        for name, old, new in zip(self.names, self.before, self.args, strict=True):
            if isinstance(new, np.ndarray) and name not in changed:
                self.require(np.array_equal(old, new, equal_nan=True), f"changed {name} to", new, rule)


class EndlessCall(BaseException):
    """A call ran too many lines; not an Exception, so that the operator's own code does not catch it."""


@contextmanager
def limit_lines() -> Iterator[None]:
    """Raise EndlessCall after MOST_LINES lines of Python inside this block."""
    lines_left, before = MOST_LINES, sys.gettrace()

    def trace(frame: Any, event: str, arg: Any) -> Any:
        nonlocal lines_left
        lines_left -= event == "line"
        if lines_left < 0:
            raise EndlessCall
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def show(value: Any) -> str:
    """A number or an array as a reader writes it."""
    return str(value.tolist()) if isinstance(value, np.ndarray | np.generic) else repr(value)


def is_number(value: Any) -> bool:
    """Whether compiled code can return it as a float64."""
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def compare(what: str, seen: Counter[tuple[int, ...]], law: Mapping[tuple[int, ...], float], promise: str) -> None:
    """Raise a ValueError if an outcome is not allowed, or too frequent or too rare for its probability."""
    times = seen.total()
    for outcome in {**law, **seen}:
        chance = law.get(outcome, 0.0)
        if abs(seen[outcome] - times * chance) > LIMIT * sqrt(times * chance * (1.0 - chance)):
            expected = f"with {promise} it must be about {times * chance:.0f}"
            raise ValueError(f"{what} {outcome!r} came {seen[outcome]} times in {times}; {expected}")


def check_strategy(operator: Strategy) -> None:
    """It ends in the box, from every place outside it, and does the same for the same random numbers."""
    for number, (a, b) in enumerate(BOXES):
        rng = np.random.default_rng(number)
        for far in list(points_outside(a, b, rng)):
            n = int(rng.integers(1, 6)) if operator.whole else 1
            shares = np.where(rng.random((3, n)) < 0.5, rng.integers(2, size=(3, n)), rng.random((3, n)))
            x, c, u = np.clip((1.0 - shares) * a + shares * b, a, b)  # half of the components lie on a bound
            u[rng.integers(n)] = far
            call, first = repair(operator, u, x, c, a, b, number)
            inside = operator.leaves_outside or ((a <= first) & (first <= b)).all()
            call.require(inside, "gave", first, f"allowed are numbers in [a, b] = [{a!r}, {b!r}]")
            fits = not operator.dismisses or (first == x).all()
            call.require(fits, "gave", first, "with dismisses=True the trial must become its target x")
            _, second = repair(operator, u, x, c, a, b, number)
            rule = f"then {show(second)}: with the same random numbers the result must be the same"
            call.require(np.array_equal(first, second, equal_nan=True), "gave", first, rule)


def points_outside(a: float, b: float, rng: Rng) -> Iterator[float]:
    """Places beyond both bounds: near, far, infinite, and random ones: it may be wrong in a part of the box only."""
    for distance in (*(1e-9, 0.1, 1.0, 2.5, 1e6) * 3, *rng.uniform(0.0, 1.0, 50)):
        yield from (u for u in (a - distance * (b - a), b + distance * (b - a)) if not a <= u <= b)
    yield from (np.nextafter(a, -np.inf), np.nextafter(b, np.inf), -LARGEST, LARGEST, -np.inf, np.inf)


def repair(operator: Strategy, u: Vector, x: Vector, c: Vector, a: float, b: float, seed: int) -> tuple[Call, Vector]:
    """The call of a strategy with these points, and what becomes of u."""
    rng = np.random.default_rng(seed)
    if operator.whole:
        call = Call(operator, u.copy(), x.copy(), c.copy(), np.full(len(u), a), np.full(len(u), b), rng)
        call.may_change("u")
        return call, call.args[0]
    call = Call(operator, u[0], x[0], c[0], np.float64(a), np.float64(b), rng)
    call.require(is_number(call.result), "gave", call.result, "allowed is a number")
    return call, np.array([call.result], np.float64)


def check_mutation(operator: Mutation) -> None:
    """It gives finite numbers, and parents, base and weights are those that its fields say."""
    rng, relevant = np.random.default_rng(1), set[str]()
    for F, K in product((0.05, 0.5, 1.0, 2.0), (0.1, 0.8) * 3):
        parents, scales = rng.uniform(-1.0, 1.0, len(PARENTS)), (F, K) if operator.draws_K else (F,)
        call = mutate(operator, parents, scales)
        for role, name in enumerate(PARENTS.values()):
            others = np.where(np.arange(len(PARENTS)) == role, rng.uniform(-1.0, 1.0), parents)
            relevant |= {name} if mutate(operator, others, scales).result != call.result else set()
        if operator.weights is not None:
            check_weights(operator, scales, parents, call)
    uses: dict[str, Any] = {"uses_target": "x" in relevant, "uses_best": "x_best" in relevant}
    uses["donors"] = max((int(name[3:]) for name in relevant if name.startswith("x_r")), default=0)
    depends = f"the result depends on {', '.join(sorted(relevant)) or 'no parent'}"
    for field, value in uses.items():
        given = getattr(operator, field)
        operator.refuse(given != value, f"{depends}; {field} must be {value}, got {given}")
    bases = " or ".join(repr(base) for base in ("target", "best", "r1") if PARENTS[base] in relevant)
    is_wrong = PARENTS[operator.base] not in relevant
    operator.refuse(is_wrong, f"{depends}; base must be {bases or 'one of its parents'}, got {operator.base!r}")


def mutate(operator: Mutation, parents: Vector, scales: tuple[float, ...]) -> Call:
    """The call of a mutation with these parents, F and, if it takes it, K; its result is a finite number."""
    call = Call(operator, *parents, *map(np.float64, scales))
    is_finite = is_number(call.result) and np.isfinite(call.result)
    call.require(is_finite, "gave", call.result, "allowed is a finite number")
    return call


def check_weights(operator: Mutation, scales: tuple[float, ...], parents: Vector, call: Call) -> None:
    """Weights, of target, best, r1, … as many as there are donors, add up to 1 and give the formula's result."""
    called, size = f"weights({', '.join(map(repr, scales))})", 2 + operator.donors
    try:
        weights: Any = operator.weights(*scales) if operator.weights else ()
    except Exception as error:
        raise ValueError(f"mutation {operator.name!r}: {called} raised {type(error).__name__}: {error}") from None
    is_tuple = isinstance(weights, tuple) and len(weights) == size and all(map(is_number, weights))
    rule = f"allowed is a tuple of {size} numbers, for target, best and donors"
    operator.refuse(not is_tuple, f"{called} gave {weights!r}; {rule}")
    total = sum(weights)
    operator.refuse(abs(total - 1.0) > ROUNDING, f"{called} gave {weights!r}, which add up to {total!r}, not to 1")
    weighted = float(np.dot(weights, parents[:size]))
    is_same = abs(weighted - call.result) <= ROUNDING
    call.require(is_same, "gave", call.result, f"its weights {weights!r} give {weighted!r}")


def check_crossover(operator: Crossover) -> None:
    """It takes each component from the target or the mutant, at least one from the mutant, by the law it promises."""
    rng = np.random.default_rng(1)
    for n, Cr, _ in product((1, 2, 3, 10), (0.0, 0.1, 0.5, 0.9, 1.0), range(5)):
        exchange(operator, n, Cr, rng)
    for Cr in (0.3, 0.8) if operator.exchanges else ():
        seen = Counter(exchange(operator, 3, Cr, rng) for _ in range(LAW_TIMES))
        what = f"crossover {operator.name!r} with n = 3, Cr = {Cr}: the components"
        compare(what, seen, law_of(operator.exchanges, 3, Cr), f"exchanges={operator.exchanges!r}")


def exchange(operator: Crossover, n: int, Cr: float, rng: Rng) -> tuple[int, ...]:
    """Which components of a trial come from the mutant."""
    x, v, u = rng.uniform(0.0, 1.0, n), rng.uniform(2.0, 3.0, n), np.full(n, np.nan)
    call = Call(operator, x, v, Cr, rng, u)
    call.may_change("u")
    fits = ((u == x) | (u == v)).all() and (u == v).any()
    call.require(fits, "left u =", u, "each u_i must be x_i or v_i, and at least one v_i")
    return tuple(np.flatnonzero(u == v).tolist())


def law_of(exchanges: str, n: int, Cr: float) -> dict[tuple[int, ...], float]:
    """The probability of each set of exchanged components.

    each     a set of k: one of them is I, the others of the set are taken, the rest is not: k/n Crᵏ⁻¹ (1 − Cr)ⁿ⁻ᵏ
    segment  l < n components from any of n beginnings: Crˡ⁻¹ (1 − Cr)/n each; all n of them: Crⁿ⁻¹
    """
    if exchanges == "each":
        sets = [tuple(i for i in range(n) if bits >> i & 1) for bits in range(1, 2**n)]
        return {s: len(s) / n * Cr ** (len(s) - 1) * (1.0 - Cr) ** (n - len(s)) for s in sets}
    chances = {
        tuple(sorted((first + step) % n for step in range(length))): Cr ** (length - 1) * (1.0 - Cr) / n
        for length, first in product(range(1, n), range(n))
    }
    return {**chances, tuple(range(n)): Cr ** (n - 1)}


def check_donors(operator: Donors) -> None:
    """It draws distinct individuals, none of those that it avoids, all equally likely if it says so."""
    rng = np.random.default_rng(1)
    for k, more in product(range(1, MOST_DONORS + 1), (len(operator.avoids), 7, 1000)):
        for target, best, _ in product((0, k + more - 1), (0, (k + more) // 2, k + more - 1), range(3)):
            draw(operator, k, k + more, target, best, rng)
    if operator.uniform:
        seen = Counter(draw(operator, 2, 5, 1, 3, rng) for _ in range(LAW_TIMES))
        pairs = list(permutations(set(range(5)) - avoided(operator, 1, 3), 2))
        what = f"donors {operator.name!r} with N = 5, target = 1, best = 3: the pair"
        compare(what, seen, dict.fromkeys(pairs, 1.0 / len(pairs)), "uniform=True")


def avoided(operator: Donors, target: int, best: int) -> set[int]:
    """The individuals that must not be drawn."""
    return {{"target": target, "best": best}[who] for who in operator.avoids}


def draw(operator: Donors, k: int, N: int, target: int, best: int, rng: Rng) -> tuple[int, ...]:
    """The k donors that a rule draws."""
    r = np.full(k, 2**64 - 1, np.uint64)
    call = Call(operator, N, target, best, rng, r)
    call.may_change("r")
    donors, forbidden = r.tolist(), avoided(operator, target, best)
    call.require(max(donors) < N, "left r =", r, f"allowed are indices from 0 to {N - 1}")
    call.require(len(set(donors)) == k, "left r =", r, "donors must be distinct")
    rule = f"avoids={operator.avoids!r} forbids {sorted(forbidden)}"
    call.require(not forbidden & set(donors), "left r =", r, rule)
    return tuple(donors)


def check_adaptation(operator: Adaptation) -> None:
    """It draws F and Cr that are allowed, and learns without breaking its memory, from any start and any gains."""
    rng = np.random.default_rng(1)
    for N, start in product((1, 4, 7), (operator.start, (2.0, 1.0), (1e-3, 0.0))):
        memory, cell = np.repeat(np.array(start, float)[:, None], operator.memory or N, axis=1), 0
        for gain in gains(N, rng):
            F_Cr = np.full((2, N), np.nan)
            for i in range(N):
                others = np.delete(F_Cr, i, axis=1)
                call = Call(operator, i, memory, rng, F_Cr)
                call.may_change("F_Cr")
                call.require(are_pairs(F_Cr[:, [i]]), "left F and Cr =", F_Cr[:, i], PAIRS)
                elsewhere = np.array_equal(np.delete(F_Cr, i, axis=1), others, equal_nan=True)
                call.require(elsewhere, "left F_Cr =", F_Cr, f"it may change column {i} alone")
            call = Call(operator, F_Cr, gain, memory, cell, function=operator.learn)
            call.may_change("memory", "gain", returns=True)
            cell, last = call.result, memory.shape[1] - 1
            is_cell = isinstance(cell, int | np.integer) and not isinstance(cell, bool) and 0 <= cell <= last
            allowed = f"allowed is a column of the memory, an integer from 0 to {last}"
            call.require(is_cell, "returned", cell, allowed)
            allowed = f"{PAIRS}; Cr = −1 with has_terminal_cells=True"
            call.require(are_pairs(memory, operator.has_terminal_cells), "left memory =", memory, allowed)


def are_pairs(F_Cr: Vector, has_terminal_cells: bool = False) -> bool:
    """Whether every column is a pair of 0 < F ≤ 2 and 0 ≤ Cr ≤ 1, or a terminal cell.

    With other pairs, drawing F until it is positive might never end.
    """
    F, Cr = F_Cr
    is_Cr = ((Cr >= 0) & (Cr <= 1)) | (has_terminal_cells & (Cr == TERMINAL))
    return bool((is_Cr & (F > 0) & (F <= 2)).all())


def gains(N: int, rng: Rng) -> Iterator[Vector]:
    """f(target) − f(trial) of generations without and with success, ties and infinite ones; the last is cut short"""
    yield from (np.full(N, value) for value in (-1.0, 0.0, np.inf, 1e-300, 1e300))
    yield from rng.choice([-1.0, -0.3, 0.0, 0.4, 2.0, np.inf], (12, N))
    yield rng.random((N + 1) // 2)


CHECKS: dict[str, Callable[[Any], None]] = {
    "mutation": check_mutation,
    "crossover": check_crossover,
    "strategy": check_strategy,
    "donors": check_donors,
    "adaptation": check_adaptation,
}
