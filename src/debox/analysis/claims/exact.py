"""Statements that need no statistics: mathematics, checked by formula; and what no stored study can test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import fsum

from debox import operators
from debox.analysis.claims.finding import Finding
from debox.analysis.claims.levels import NotTestableError, select_values
from debox.analysis.cube import Cube
from debox.analysis.first_generation import component_chances
from debox.f0 import theory

ONLY_IF_MUTANT = (
    "impossible, in any generation: a trial is its feasible target with components of the mutant, so it is infeasible "
    "only if the mutant is"
)
ROUGHLY = 0.01  # a share of components "is" Cr if it is so within one percent of all components

Values = Iterator[tuple[str, float]]  # of a point of the grid: its name and the number that the statement is about


def bin_minus_Cr(cube: Cube) -> Values:
    """|expected share of components that bin exchanges − Cr| = (1 − Cr)/n"""
    select_values(cube, "crossover", "bin")
    for Cr in cube.axes["Cr"]:
        yield f"Cr={Cr:g}", abs(theory.expected_exchanges("bin", cube.dimension, Cr) / cube.dimension - Cr)


def exp_minus_Cr(cube: Cube) -> Values:
    """|expected share of components that exp exchanges − Cr|, with a share of (1 − Crⁿ)/(n (1 − Cr))"""
    select_values(cube, "crossover", "exp")
    for Cr in cube.axes["Cr"]:
        yield f"Cr={Cr:g}", abs(theory.expected_exchanges("exp", cube.dimension, Cr) / cube.dimension - Cr)


def bin_minus_exp(cube: Cube) -> Values:
    """Expected share of components that bin exchanges − that of exp"""
    select_values(cube, "crossover", ("bin", "exp"))
    for Cr in cube.axes["Cr"]:
        shares = [theory.expected_exchanges(name, cube.dimension, Cr) / cube.dimension for name in ("bin", "exp")]
        yield f"Cr={Cr:g}", shares[0] - shares[1]


def trial_minus_mutant(cube: Cube) -> Values:
    """P(trial infeasible) − P(mutant infeasible) in generation 1; with Cr = 1 the trial is the mutant"""
    for mutation, crossover, N, F in product(*(cube.axes[name] for name in ("mutation", "crossover", "N", "F"))):
        crossed = theory.formula_for(theory.TRIAL_CHANCES, operators.find("crossover", crossover))
        ways = component_chances(mutation, cube.donors, N, F)
        mutant = fsum(chance * crossed(p, 1.0, cube.dimension) for p, chance in ways)
        for Cr in cube.axes["Cr"]:
            trial = fsum(chance * crossed(p, Cr, cube.dimension) for p, chance in ways)
            yield f"{mutation}/{crossover}, N={N}, F={F:g}, Cr={Cr:g}", trial - mutant


@dataclass(frozen=True)
class Formula:
    """A number, known exactly, is on the claimed side of a bound."""

    compute: Callable[[Cube], Values]
    above: float | None = None
    at_most: float | None = None
    reason: str = ""  # why it can or cannot be so

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"exactly: {(self.compute.__doc__ or '').splitlines()[0]}"

    @property
    def criterion(self) -> str:
        """When a point of the grid agrees."""
        side = f"above {self.above:g}" if self.above is not None else f"at most {self.at_most:g}"
        return f"a point of the grid agrees if the number is {side}; nothing is random, so there is no p"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The number at every point of the grid; not where F and Cr of trials are other ones than those of the grid."""
        if cube.adaptation != "fixed":
            raise NotTestableError(
                f"no exact formula is known where F and Cr adapt, got adaptation {cube.adaptation!r}"
            )
        try:
            values = dict(self.compute(cube))
        except ValueError as error:  # an operator that theory does not know
            raise NotTestableError(str(error)) from None
        side = [
            value > self.above if self.above is not None else value <= (self.at_most or 0) for value in values.values()
        ]
        agree = sum(side) / len(side)
        least, most = (f(values, key=lambda name: values[name]) for f in (min, max))
        low, high = (round(values[name], 9) + 0.0 for name in (least, most))
        evidence = (
            f"{sum(side)} of {len(side)} points of the grid agree; the number goes from {low:.4g} ({least}) to "
            f"{high:.4g} ({most}){'; ' * bool(self.reason)}{self.reason}"
        )
        return Finding(high, "largest value", None, None, len(side), agree, 1 - agree, evidence)


@dataclass(frozen=True)
class NotInAStudy:
    """No stored study decides it; `reason` says what would."""

    reason: str

    @property
    def statistic(self) -> str:
        """What is computed."""
        return "none here"

    @property
    def criterion(self) -> str:
        """What would decide."""
        return self.reason

    def find(self, cube: Cube, promised: float) -> Finding:
        """Nothing."""
        raise NotTestableError(self.reason)
