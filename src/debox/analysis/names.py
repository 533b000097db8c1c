"""Panels, and what operators are called.

Runs of an operator that is not installed can be drawn, too: it is then called by its own name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from debox import check, operators
from debox.config import parse
from debox.study.fields import ADAPTATION, in_words

VARIANT = ("mutation", "crossover", "strategy")  # the operators of a text such as DE/rand/1/exp sat


def short(slot: str, name: str) -> str:
    """The name that the paper's captions use."""
    operator = operators.find_or_none(slot, name)
    return operator.short if operator else name


def full_name(present: Collection[str], slot: str, name: str) -> str:
    """The full name of an operator: one of those present in the runs, or one of the table; else a ValueError."""
    if present and name not in present and operators.find_or_none(slot, name) is None:
        raise ValueError(f"unknown {slot} {name!r}; there are runs with {in_words({slot: present})}")
    return name if name in present else operators.find(slot, name).name


class Panel(NamedTuple):
    """A mutation, crossover, strategy and N: what one EDPOIS panel shows for all F and Cr.

    Among runs with several adaptations a panel has one of them; else it names none.
    """

    mutation: str
    crossover: str
    strategy: str
    N: int
    adaptation: str = ""

    @classmethod
    def of(cls, text: str, N: int | None = None, there: Mapping[str, Collection[Any]] | None = None) -> Panel:
        """``Panel.of("DE/rand/1/exp sat", N=5)`` or ``Panel.of("DE/rand/1/exp sat, N=5")``

        there: what the runs have of mutation, crossover and strategy, which need not be installed
        """
        parts = parse(text)
        sizes = {value for value in (parts.pop("N", None), N) if value is not None}
        adaptation = parts.pop(ADAPTATION, "")
        if parts.keys() != set(VARIANT):
            raise ValueError(f"{text!r} does not read as 'DE/mutation/crossover strategy', e.g. 'DE/rand/1/exp sat'")
        if len(sizes) != 1:
            wrong = (
                f"N is given twice: in {text!r} and as N={N}" if sizes else f"N is missing: write {text + ', N=5'!r}"
            )
            raise ValueError(wrong)
        there = there or {}
        mutation, crossover, strategy = (full_name(there.get(slot, ()), slot, parts[slot]) for slot in VARIANT)
        adapts = full_name(there.get(ADAPTATION, ()), ADAPTATION, adaptation) if adaptation else ""
        return cls(mutation, crossover, strategy, check.integer("N", sizes.pop(), 1), adapts)

    @property
    def name(self) -> str:
        """``DE/curr-to-best/1/bin sat``, or ``DE/curr-to-best/1/bin sat, SHADE``"""
        mutation, strategy = short("mutation", self.mutation), short("strategy", self.strategy)
        return with_adaptation(f"DE/{mutation}/{self.crossover} {strategy}", self.adaptation)

    @property
    def title(self) -> str:
        """``DE/curr-to-best/1/bin sat, N=5``"""
        return f"{self.name}, N={self.N}"


def with_adaptation(text: str, adaptation: str) -> str:
    """The text and the adaptation behind it, if one is named."""
    return f"{text}, {short(ADAPTATION, adaptation)}" if adaptation else text
