"""Checks of a user's operator before it is registered: calls in plain Python with fixed random numbers.

The first wrong call ends in a ValueError with the call, its outcome and what is allowed. Laws that the fast engine and
`debox.theory` rely on (weights, exchanges, uniform) are checked too: a wrong one would silently give wrong numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, permutations, product
from math import sqrt
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from debox.operators.kinds import Adaptation, Crossover, Donors, Function, Mutation, Operator, Strategy, is_number
from debox.reference import LARGEST, TERMINAL

Vector = NDArray[np.float64]

LIMIT = 6.0  # standard errors: a right law is refused once in 10⁹ comparisons, and the random numbers are fixed
LAW_TIMES = 1000  # draws whose frequencies are compared with a law
ROUNDING = 1e-9  # between a mutation and its weights, for parents in [-1, 1]
# Usual bounds, the widest and some of the narrowest that a Box allows
BOXES = [(0.0, 1.0), (-5.0, 10.0), (1e-3, 1e-3 + 1e-9), (-1e307, 1e307), (1.0, 1.0 + 2**-52), (0.0, 5e-324)]
PARENTS = Mutation.arguments[:7]
# The probability that of three components just these k are exchanged, one as I, the others by chance; or as a segment
LAWS: dict[str, Callable[[int, float], float]] = {
    "each": lambda k, Cr: k / 3 * Cr ** (k - 1) * (1.0 - Cr) ** (3 - k),
    "segment": lambda k, Cr: Cr ** (k - 1) * ((1.0 - Cr) / 3 if k < 3 else 1.0),
}
PAIRS = "allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"


def check(operator: Operator) -> None:
    """Raise a ValueError if the operator breaks a rule of its slot."""
    of_kind: dict[Any, Callable[[Any], None]] = {Mutation: check_mutation, Crossover: check_crossover}
    of_kind |= {Strategy: check_strategy, Donors: check_donors, Adaptation: check_adaptation}
    of_kind[type(operator)](operator)


class Call:
    """A call of a function of an operator, which changes no other arrays: its result, and its arguments `before`."""

    def __init__(self, operator: Operator, *args: Any, changes: str = "", function: Function | None = None) -> None:
        self.operator, self.function = operator, function or operator.function
        passed = dict(zip(self.function.__code__.co_varnames, args, strict=False))
        self.before = {name: np.copy(arg) if isinstance(arg, np.ndarray) else arg for name, arg in passed.items()}
        try:
            with np.errstate(all="ignore"):
                self.result = self.function(*args)
        except Exception as error:
            self.fail(f"raised {type(error).__name__}: {error}")
        rule = f"it may change {' and '.join(changes.split())} alone"
        is_silent = self.result is None or function is not None or not changes
        self.require(is_silent, "returned", self.result, f"{rule} and returns nothing")
        for name, arg in passed.items():
            is_same = not isinstance(arg, np.ndarray) or np.array_equal(arg, self.before[name], equal_nan=True)
            self.require(is_same or name in changes.split(), f"changed {name} to", arg, rule)

    def fail(self, reason: str) -> Never:
        """Raise a ValueError that shows the call: ``strategy 'mine': mine(u=1.5, x=0.5, …) gave 1.5; …``"""
        shown = ", ".join(f"{name}={show(arg)}" for name, arg in self.before.items() if name != "rng")
        what = f"{self.operator.slot} {self.operator.name!r}: {self.function.__name__}({shown})"
        raise ValueError(f"{what} {reason}") from None

    def require(self, holds: Any, outcome: str, value: Any, allowed: str) -> None:
        """Raise a ValueError with the outcome and what is allowed unless something holds."""
        if not holds:
            self.fail(f"{outcome} {show(value)}; {allowed}")


def show(value: Any) -> str:
    """A number or an array as a reader writes it."""
    return str(value.tolist()) if isinstance(value, np.ndarray | np.generic) else repr(value)


def compare(what: str, seen: Counter[tuple[int, ...]], law: Mapping[tuple[int, ...], float], promise: str) -> None:
    """Raise a ValueError if an outcome is not allowed, or too frequent or too rare for its probability."""
    times = seen.total()
    for outcome in {**law, **seen}:
        chance = law.get(outcome, 0.0)
        if abs(seen[outcome] - times * chance) > LIMIT * sqrt(times * chance * (1.0 - chance)):
            expected = f"with {promise} it must be about {times * chance:.0f}"
            raise ValueError(f"{what} {outcome!r} came {seen[outcome]} times in {times}; {expected}")


def check_strategy(operator: Strategy) -> None:
    """It ends in the box from everywhere outside, and gives the same with the same random numbers."""
    for number, (a, b) in enumerate(BOXES):
        rng = np.random.default_rng(number)
        for far in list(points_outside(a, b, rng)):
            n = int(rng.integers(1, 6)) if operator.whole else 1
            shares = np.where(rng.random((3, n)) < 0.5, rng.integers(2, size=(3, n)), rng.random((3, n)))
            x, c, u = np.clip((1.0 - shares) * a + shares * b, a, b)  # half of the components lie on a bound
            u[rng.integers(n)] = far
            call, again = (repair(operator, u, x, c, a, b, number) for _ in range(2))
            gave, then = call.result, again.result
            is_inside = operator.leaves_outside or np.all((a <= gave) & (gave <= b))
            call.require(is_inside, "gave", gave, f"allowed are numbers in [a, b] = [{a!r}, {b!r}]")
            is_target = not operator.dismisses or np.all(gave == x)
            call.require(is_target, "gave", gave, "with dismisses=True the trial must become its target x")
            rule = f"then {show(then)}: with the same random numbers the result must be the same"
            call.require(np.array_equal(gave, then, equal_nan=True), "gave", gave, rule)


def repair(operator: Strategy, u: Vector, x: Vector, c: Vector, a: float, b: float, seed: int) -> Call:
    """A call of a strategy with these points, whose result is the repaired u."""
    rng = np.random.default_rng(seed)
    if operator.whole:
        repaired, box = u.copy(), (np.full(u.size, a), np.full(u.size, b))
        call = Call(operator, repaired, x.copy(), c.copy(), *box, rng, changes="u")
        call.result = repaired
    else:
        call = Call(operator, u[0], x[0], c[0], np.float64(a), np.float64(b), rng)
        call.require(is_number(call.result), "gave", call.result, "allowed is a number")
    return call


def points_outside(a: float, b: float, rng: np.random.Generator) -> Iterator[float]:
    """Points beyond both bounds: near, far, infinite, and random ones, for errors in a part of the box."""
    for distance in (*(1e-9, 0.1, 1.0, 2.5, 1e6) * 3, *rng.uniform(0.0, 1.0, 50)):
        yield from (u for u in (a - distance * (b - a), b + distance * (b - a)) if not a <= u <= b)
    yield from (np.nextafter(a, -np.inf), np.nextafter(b, np.inf), -LARGEST, LARGEST, -np.inf, np.inf)


def check_mutation(operator: Mutation) -> None:
    """It gives finite numbers; its parents, base and weights agree with its fields."""
    rng, relevant = np.random.default_rng(1), set[str]()

    def mutate(parents: Vector) -> Call:
        call = Call(operator, *parents, *map(np.float64, scales))
        is_finite = is_number(call.result) and np.isfinite(call.result)
        call.require(is_finite, "gave", call.result, "allowed is a finite number")
        return call

    for F, K in product((0.05, 0.5, 1.0, 2.0), (0.1, 0.8) * 3):
        parents, scales = rng.uniform(-1.0, 1.0, len(PARENTS)), (F, K) if operator.draws_K else (F,)
        call = mutate(parents)
        for role, name in enumerate(PARENTS):
            others = np.where(np.arange(len(PARENTS)) == role, rng.uniform(-1.0, 1.0), parents)
            relevant |= {name} if mutate(others).result != call.result else set()
        if operator.weights is not None:
            check_weights(operator, scales, parents, call)
    uses: dict[str, Any] = {"uses_target": "x" in relevant, "uses_best": "x_best" in relevant}
    uses["donors"] = max((int(name[3:]) for name in relevant if name.startswith("x_r")), default=0)
    depends = f"the result depends on {', '.join(sorted(relevant)) or 'no parent'}"
    for field, value in uses.items():
        given = getattr(operator, field)
        operator.refuse(given != value, f"{depends}; {field} must be {value}, got {given}")
    is_base = {"target": "x", "best": "x_best", "r1": "x_r1"}[operator.base] in relevant
    operator.refuse(not is_base, f"{depends}; base must be one of these, got {operator.base!r}")


def check_weights(operator: Mutation, scales: tuple[float, ...], parents: Vector, call: Call) -> None:
    """The weights of target, best and the donors add up to 1 and give the formula's result."""
    weights, size = Call(operator, *scales, function=operator.weights).result, 2 + operator.donors
    is_tuple = isinstance(weights, tuple) and len(weights) == size and all(map(is_number, weights))
    weighted = np.dot(weights, parents[:size]) if is_tuple else np.nan
    fits = is_tuple and abs(sum(weights) - 1.0) <= ROUNDING and abs(weighted - call.result) <= ROUNDING
    rule = f"its weights must be a tuple of {size} numbers (target, best, donors) that add up to 1 and give the same"
    call.require(fits, "gave", call.result, f"{rule}, got {weights!r}, which give {show(weighted)}")


def check_crossover(operator: Crossover) -> None:
    """It takes each component from the target or the mutant, at least one from the mutant, with the declared law."""
    rng = np.random.default_rng(1)

    def exchange(n: int, Cr: float) -> tuple[int, ...]:
        x, v, u = rng.uniform(0.0, 1.0, n), rng.uniform(2.0, 3.0, n), np.full(n, np.nan)
        call = Call(operator, x, v, Cr, rng, u, changes="u")
        fits = ((u == x) | (u == v)).all() and (u == v).any()
        call.require(fits, "left u =", u, "each u_i must be x_i or v_i, and at least one v_i")
        return tuple(np.flatnonzero(u == v).tolist())  # the components from the mutant

    for n, Cr, _ in product((1, 2, 3, 10), (0.0, 0.1, 0.5, 0.9, 1.0), range(5)):
        exchange(n, Cr)
    for Cr in (0.3, 0.8) if operator.exchanges else ():
        seen = Counter(exchange(3, Cr) for _ in range(LAW_TIMES))
        chance = LAWS[operator.exchanges]
        law = {which: chance(k, Cr) for k in (1, 2, 3) for which in combinations(range(3), k)}
        what = f"crossover {operator.name!r} with n = 3, Cr = {Cr}: the components"
        compare(what, seen, law, f"exchanges={operator.exchanges!r}")


def check_donors(operator: Donors) -> None:
    """It draws distinct individuals, none that it avoids, all equally likely if it is declared uniform."""
    rng = np.random.default_rng(1)

    def draw(k: int, N: int, target: int, best: int) -> tuple[int, ...]:
        r = np.full(k, 2**64 - 1, np.uint64)
        call = Call(operator, N, target, best, rng, r, changes="r")
        donors, avoided = r.tolist(), {{"target": target, "best": best}[who] for who in operator.avoids}
        fits = len(set(donors)) == k and max(donors) < N and not avoided & set(donors)
        but = f" but {sorted(avoided)}: avoids={operator.avoids!r}" if avoided else ""
        call.require(fits, "left r =", r, f"allowed are distinct indices from 0 to {N - 1}{but}")
        return tuple(donors)

    for k, more in product(range(1, 6), (len(operator.avoids), 7, 1000)):
        for target, best, _ in product((0, k + more - 1), (0, (k + more) // 2, k + more - 1), range(3)):
            draw(k, k + more, target, best)
    if operator.uniform:
        seen = Counter(draw(2, 5, 1, 3) for _ in range(LAW_TIMES))
        pairs = list(permutations(set(range(5)) - {{"target": 1, "best": 3}[who] for who in operator.avoids}, 2))
        what = f"donors {operator.name!r} with N = 5, target = 1, best = 3: the pair"
        compare(what, seen, dict.fromkeys(pairs, 1.0 / len(pairs)), "uniform=True")


def check_adaptation(operator: Adaptation) -> None:
    """F, Cr and the memory stay in their ranges, from any start and with any gains."""
    rng = np.random.default_rng(1)
    for N, start in product((1, 4, 7), (operator.start, (2.0, 1.0), (1e-3, 0.0))):
        memory, cell = np.repeat(np.array(start, float)[:, None], operator.memory or N, axis=1), 0
        last = memory.shape[1] - 1
        gains = [np.full(N, gain) for gain in (-1.0, 0.0, np.inf, 1e-300, 1e300)]
        gains += [*rng.choice([-1.0, -0.3, 0.0, 0.4, 2.0, np.inf], (12, N)), rng.random((N + 1) // 2)]  # a cut one, too
        for gain in gains:
            F_Cr = np.full((2, N), np.nan)
            for i in range(N):
                call = Call(operator, i, memory, rng, F_Cr, changes="F_Cr")
                call.require(are_pairs(F_Cr[:, [i]]), "left F and Cr =", F_Cr[:, i], PAIRS)
                column_alone = np.where(np.arange(N) == i, F_Cr, call.before["F_Cr"])
                is_alone = np.array_equal(F_Cr, column_alone, equal_nan=True)
                call.require(is_alone, "left F_Cr =", F_Cr, f"it may change column {i} alone")
            call = Call(operator, F_Cr, gain, memory, cell, changes="memory gain", function=operator.learn)
            cell = call.result
            is_cell = isinstance(cell, int | np.integer) and not isinstance(cell, bool) and 0 <= cell <= last
            call.require(is_cell, "returned", cell, f"allowed is a column of the memory, an integer from 0 to {last}")
            is_memory = are_pairs(memory, operator.has_terminal_cells)
            call.require(is_memory, "left memory =", memory, f"{PAIRS}; Cr = −1 with has_terminal_cells=True")


def are_pairs(F_Cr: Vector, has_terminal_cells: bool = False) -> bool:
    """Whether every column is a pair of 0 < F ≤ 2, without which a draw may not end, and 0 ≤ Cr ≤ 1, or terminal."""
    F, Cr = F_Cr
    is_Cr = ((Cr >= 0) & (Cr <= 1)) | (has_terminal_cells & (Cr == TERMINAL))
    return bool((is_Cr & (F > 0) & (F <= 2)).all())
