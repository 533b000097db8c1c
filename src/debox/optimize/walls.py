"""Walls: what a run of `minimize` did at the bounds of each variable, in numbers and in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.loop import Loop
from debox.optimize.variables import Choice, Fixed, Integer, Periodic, Space

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ON_THE_BOUND, DRIFTING, OUTSIDE = "on the bound", "drifting", "outside"
FREE, FIXED = "free", "fixed"
AT = 1e-4  # of the range: so close is x where it sits on a bound
NEAR = 0.01  # of the range: so close is what counts as near a bound
MOST = 0.5  # of the final population, near the bound on which x sits
DRIFTS_WITHIN, DRIFTS_FROM, ONE_SIDED = 0.05, 0.05, 0.9  # of the range; of late trials; of the variable's violations
SENTENCES = 6  # of a kind, before the other variables are only listed
NAMES = 6  # in a list


@dataclass(frozen=True, eq=False)
class Walls:
    """What happened at the bounds of each variable; `print` says it in sentences.

    A variable is

    - "on the bound" where x is within 1e-4 of the range from a bound, and at least half of the final population is
      near it or polish found x: the objective falls beyond, or has its minimum there.
    - "drifting" where x is not on a bound but within 5 % of the range from it, and at least 5 % of late trials
      violate this bound, with at least 90 % of the variable's late violations: the run ended before it had
      converged, so that it is not clear whether x goes to the bound.
    - "outside" where x is beyond a bound, as the strategy none allows.
    - "fixed" if it is `Fixed`.
    - "free" otherwise, and always if it is a `Periodic`, a `Choice` or an `Integer` of two values.

    Late is the second half of the evaluations of Differential Evolution, near is within 1 % of the range. Ranges are
    those of what is searched: of the logarithm where log=True. Of an `Integer` and a `Choice` the values are compared,
    not what is searched.
    A variable that does not matter to the objective may end on a bound, too, which is common with the strategy
    saturation.
    A result has no walls where its run began in a file that an earlier version saved.

    Parameters
    ----------
    names : tuple of str
        Of the variables: those of the bounds, or x[0], x[1], …
    verdict : tuple of str
        One of these.
    lower_early, lower_late, upper_early, upper_late : ndarray of int, shape (n,)
        Violations of each bound, counted before repair, in the first and in the second half of these evaluations.
    distance_lower, distance_upper : ndarray of float, shape (n,)
        From x to each bound, in widths of the range; NaN of a Fixed. Negative beyond the bound.
    near_lower, near_upper : ndarray of float, shape (n,)
        Share of the final population near each bound.
    wraps : ndarray of int, shape (n,)
        How often each periodic variable was wrapped.
    late : int
        Evaluations of Differential Evolution in their second half.
    bounds : tuple of pairs
        As they were given; of a Choice its first and last option.

    Examples
    --------
    >>> import debox
    >>> bounds = {"length": (0, 2), "width": (0, 2), "turn": debox.Periodic(0, 360)}
    >>> result = debox.minimize(lambda x: (x[0] - 3) ** 2 + (x[1] - 1) ** 2, bounds, budget=2000, rng=1)
    >>> result.walls.verdict
    ('on the bound', 'free', 'free')
    >>> result.walls.on()
    [0]
    """

    names: tuple[str, ...]
    verdict: tuple[str, ...]
    lower_early: Integers
    lower_late: Integers
    upper_early: Integers
    upper_late: Integers
    distance_lower: Floats
    distance_upper: Floats
    near_lower: Floats
    near_upper: Floats
    wraps: Integers
    late: int
    bounds: tuple[tuple[Any, Any], ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Walls):
            return NotImplemented
        mine, others = vars(self).values(), vars(other).values()
        return all(np.array_equal(a, b, equal_nan=isinstance(a, np.ndarray)) for a, b in zip(mine, others, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def on(self, verdict: str = ON_THE_BOUND) -> list[int]:
        """The indices of the variables with this verdict.

        Parameters
        ----------
        verdict : str, default "on the bound"
            One of those above.

        Returns
        -------
        list of int
            In their order.
        """
        return [j for j, one in enumerate(self.verdict) if one == verdict]

    def _side(self, j: int) -> str:
        """The bound that is closer to x."""
        return "lower" if self.distance_lower[j] < self.distance_upper[j] else "upper"

    def _place(self, j: int) -> str:
        """Such as ``upper bound 2.0``."""
        side = self._side(j)
        return f"{side} bound {short(self.bounds[j][side == 'upper'])}"

    def _sentence(self, j: int) -> str:
        """What happened at the bound closer to variable j."""
        side, name = self._side(j), self.names[j]
        there = int(getattr(self, f"{side}_late")[j])
        trials = f"{percent(there, self.late)} of late trials"
        if self.verdict[j] == DRIFTING:
            distance = 100 * getattr(self, f"distance_{side}")[j]
            return f"{name} ends {distance:.2g} % of its range from its {self._place(j)}, which {trials} violate: \
more evaluations would show whether it goes there."
        if self.verdict[j] == OUTSIDE:
            return f"{name} lies beyond its {self._place(j)}."
        if there >= 0.01 * self.late:
            share = percent(there, int(self.lower_late[j] + self.upper_late[j]))
            evidence = f"; {share} of its late violations are there ({trials})"
        elif getattr(self, f"near_{side}")[j] >= MOST:
            evidence = f", and so does {100 * getattr(self, f'near_{side}')[j]:.0f} % of the final population"
        else:
            evidence = ", where polish ended"
        return f"{name} sits on its {self._place(j)}{evidence}: widen it if you can."

    def __str__(self) -> str:
        lines = []
        for verdict, what in ((OUTSIDE, "outside"), (ON_THE_BOUND, "on a bound"), (DRIFTING, "drifting to a bound")):
            found = self.on(verdict)
            lines += [self._sentence(j) for j in found[:SENTENCES]]
            if more := found[SENTENCES:]:
                lines.append(f"{len(more)} more are {what}: {listed([self.names[j] for j in more])}.")
        free = [j for j in self.on(FREE) if not self.wraps[j]]
        if free:
            is_are = "is" if len(free) == 1 else "are"
            lines.append(f"{listed([self.names[j] for j in free])} {is_are} free{'' if lines else ' of the bounds'}.")
        if wrapped := np.flatnonzero(self.wraps).tolist():
            lines.append(f"Wrapped: {listed([f'{self.names[j]} {self.wraps[j]:,} times' for j in wrapped])}.")
        return "\n".join(lines)

    __repr__ = __str__

    def message(self) -> str:
        """The variables on a bound in a few words; empty if there are none."""
        found = self.on()
        if len(found) == 1:
            return f"{self.names[found[0]]} is on its {self._place(found[0])}"
        return f"on a bound: {listed([f'{self.names[j]} ({self._side(j)})' for j in found])}" if found else ""


def walls(space: Space, loop: Loop, x: Floats, has_converged: bool = False, is_polished: bool = False) -> Walls:
    """The walls of the run so far, where x is the best point of the box. The population does not follow polish."""
    evaluations = loop.evaluations
    half = int(np.searchsorted(loop.marks, evaluations / 2, "right")) - 1  # the last mark in the first half
    early = loop.violations_at[half] if half >= 0 else np.zeros_like(loop.violations)
    late = loop.violations - early
    late_evaluations = evaluations - int(loop.marks[half] if half >= 0 else 0)

    kinds = space._kinds
    searched = [one for one in kinds if not isinstance(one, Fixed)]
    half_a_cell = np.array([0.5 if isinstance(one, Integer | Choice) else 0.0 for one in searched])
    first, last = loop.a + half_a_cell, loop.b - half_a_cell

    def places(points: Floats) -> Floats:
        """Between the bounds, 0 to 1; of cells, those of their values."""
        values: Floats = np.where(half_a_cell > 0, np.clip(np.floor(points + 0.5), first, last), points)
        return (values - first) / (last - first)  # type: ignore[no-any-return]

    with np.errstate(all="ignore"):  # points that are not repaired may be infinite
        place, population = places(x), places(loop.population)
        near = np.array([(population <= NEAR).mean(axis=0), (population >= 1 - NEAR).mean(axis=0)])
        distance = np.array([place, 1 - place])
        one_sided = late >= np.maximum(ONE_SIDED * late.sum(axis=0), 1)
        drifts = (distance <= DRIFTS_WITHIN) & (late >= DRIFTS_FROM * late_evaluations) & one_sided
        sits = (abs(distance) <= AT) & ((near >= MOST) | is_polished)
        outside = ~((distance >= -AT).all(axis=0))
    has_bounds = np.array([not isinstance(one, Periodic | Choice) for one in searched])
    has_bounds &= (half_a_cell == 0) | (last - first > 1)
    verdict = np.where(drifts.any(axis=0) & has_bounds & (not has_converged), DRIFTING, FREE)
    verdict = np.where(sits.any(axis=0) & has_bounds, ON_THE_BOUND, verdict)
    verdict = np.where(outside, OUTSIDE, verdict)

    def of_all(numbers: NDArray[Any], of_fixed: Any) -> NDArray[Any]:
        everything = np.full(space.n, of_fixed, numbers.dtype)
        everything[space.is_searched] = numbers
        return everything

    return Walls(
        names=space.names or tuple(f"x[{j}]" for j in range(space.n)),
        verdict=tuple(of_all(verdict, FIXED).tolist()),
        lower_early=of_all(early[0], 0),
        lower_late=of_all(late[0], 0),
        upper_early=of_all(early[1], 0),
        upper_late=of_all(late[1], 0),
        distance_lower=of_all(distance[0], np.nan),
        distance_upper=of_all(distance[1], np.nan),
        near_lower=of_all(near[0], 0.0),
        near_upper=of_all(near[1], 0.0),
        wraps=of_all(loop.wraps, 0),
        late=late_evaluations,
        bounds=tuple(ends(one) for one in kinds),
    )


def ends(variable: Any) -> tuple[Any, Any]:
    """The bounds of a variable in its own values."""
    if isinstance(variable, Fixed):
        return variable.value, variable.value
    if isinstance(variable, Choice):
        return variable.options[0], variable.options[-1]
    return variable.lower, variable.upper


def history(loop: Loop, polished: Sequence[tuple[int, float]] = ()) -> Any:
    """A record array with about 100 rows: evaluations, fun, spread and pois so far.

    `fun` and `spread` are those at the end of the generation. Spread: the standard deviation of the population in
    widths of the range, mean over the variables searched. `polished` has evaluations and best values: where polish
    began, and of rows that follow, in which spread and pois stay.
    """
    done, passed = loop.evaluations, loop.marks <= loop.evaluations
    columns = (loop.marks, loop.best_at, loop.spread_at, loop.infeasible_at)
    rows = [column[passed] for column in columns]
    if done and (not passed.any() or loop.marks[passed][-1] != done):
        with np.errstate(all="ignore"):
            spread = ((loop.population - loop.a) / (loop.b - loop.a)).std(axis=0).mean()
        now = (done, polished[0][1] if polished else loop.f[loop.run.best], spread, loop.counts[1])
        rows = [np.append(row, value) for row, value in zip(rows, now, strict=True)]
    for step in polished[1:]:
        if step[0] > rows[0][-1]:
            rows = [np.append(row, value) for row, value in zip(rows, (*step, rows[2][-1], rows[3][-1]), strict=True)]
    evaluations, fun, spread, infeasible = rows
    table = np.recarray(len(evaluations), [("evaluations", "i8"), ("fun", "f8"), ("spread", "f8"), ("pois", "f8")])
    table["evaluations"], table["fun"], table["spread"] = evaluations, fun, spread
    table["pois"] = infeasible / np.clip(evaluations, 1, max(done, 1))
    return table


def listed(names: Sequence[str]) -> str:
    """Names such as ``a, b and c``; of many the first ones, and how many more there are."""
    *first, last = names if len(names) <= NAMES else [*names[: NAMES - 1], f"{len(names) - NAMES + 1} more"]
    return f"{', '.join(first)} and {last}" if first else last


def percent(part: float, whole: float) -> str:
    """Such as ``93 %``; never 100 % of what is not all."""
    share = 100 * part / max(whole, 1)
    return f"{min(share, 99) if part < whole else share:.0f} %"


def short(bound: Any) -> str:
    """A bound with six digits."""
    return repr(float(f"{bound:.6g}")) if isinstance(bound, float) else str(bound)
