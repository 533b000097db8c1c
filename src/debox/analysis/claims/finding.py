"""What a test found, before it is judged; what every test can say of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from debox.analysis.cube import Cube


@dataclass(frozen=True)
class Finding:
    """Numbers of one claim.

    effect, unit: how much, and of what
    p: of what the claim promises; p_half: of half of the promised share; None: mathematics, nothing is random
    cells: how many speak; agree, against: which share of them does so for and against the claim
    evidence: a sentence made of these numbers
    """

    effect: float
    unit: str
    p: float | None
    p_half: float | None
    cells: int
    agree: float
    against: float
    evidence: str


class Test(Protocol):
    """One way of testing a claim."""

    @property
    def statistic(self) -> str:
        """What is computed."""

    @property
    def criterion(self) -> str:
        """When a cell agrees, and what p refers to."""

    def find(self, cube: Cube, promised: float) -> Finding:
        """What the part of a study that the claim speaks of shows; NotTestableError if it cannot show anything."""
