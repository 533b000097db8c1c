"""All strategies that repair a component by itself, a small graph each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from debox import operators
from debox.analysis.old_runs import Runs
from debox.figures.data.strategy import Densities, Graph, strategy
from debox.figures.entry import COLUMN, PAGE, Entry
from debox.operators.kinds import Strategy

IN_THE_PAPER = ("saturation", "toroidal", "mirror", "COTN")
DESCRIPTION = (
    "What three strategies make of a component u: saturation sets it to the violated bound, toroidal wraps it around, "
    "mirror reflects it; and the densities of COTN's random values, falling from the violated bound inward."
)
ROW = 1.6  # inches, the height of a graph
BOX, RANGE = (40.0, 90.0), (-20.0, 175.0)
OTHER_BOXES = {"saturation": ((50.0, 100.0), (-20.0, 140.0))}  # as the paper has it


@dataclass(frozen=True)
class Strategies:
    """A graph or densities per strategy."""

    graphs: tuple[Graph | Densities, ...]

    @property
    def columns(self) -> int:
        """How many graphs stand side by side: two in a journal's column, four on a page."""
        return columns_for(len(self.graphs))


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure, the same for all runs."""
    names = [operator.name for operator in component_strategies()]
    others = [name for name in names if name not in IN_THE_PAPER]
    text = (
        f"{DESCRIPTION} Likewise {', '.join(others)}, with the target a quarter up the box and the base three quarters."
        if others
        else DESCRIPTION
    )
    columns = columns_for(len(names))
    size = (COLUMN if columns == 2 else PAGE[0], ROW * ceil(len(names) / columns))
    yield Entry("strategies", text, size, lambda runs: strategies())


def columns_for(graphs: int) -> int:
    """2 for up to four graphs, else 4."""
    return 2 if graphs <= 4 else 4


def component_strategies() -> tuple[Strategy, ...]:
    """The strategies that have a graph: those that repair a component by itself, and do not draw the trial anew."""
    return tuple(operator for operator in operators.in_slot("strategy") if not operator.whole and not operator.redraws)


def strategies() -> Strategies:
    """All strategies for a component, in the order of the table."""
    return Strategies(tuple(strategy_in_its_box(operator) for operator in component_strategies()))


def strategy_in_its_box(operator: Strategy) -> Graph | Densities:
    """The graph of a strategy on the box and range that the figure shows it on."""
    (a, b), u_range = OTHER_BOXES.get(operator.name, (BOX, RANGE))
    return strategy(operator, a, b, u_range)
