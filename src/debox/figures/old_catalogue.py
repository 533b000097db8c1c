"""The catalogue: every figure that debox can draw of some runs, by name. Nothing here needs matplotlib.

A figure is a module of `data`, which makes its record and its entries, the module of the same name in `draw`, and a
line of FIGURES.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fnmatch import fnmatchcase

from debox.analysis.old_runs import Runs
from debox.figures.data import (
    atlas,
    comparison,
    contours,
    drift,
    edpois,
    factor_interaction,
    factor_shares,
    last_step,
    life,
    overview,
    reading_key,
    ribbons,
    sketch,
    strategies,
    threshold,
)
from debox.figures.entry import Entry

# Which entries there are may depend on the runs: a page per mutation, a file per panel.
FIGURES: tuple[Callable[[Runs], Iterable[Entry]], ...] = (
    strategies.entries,
    threshold.entries,
    reading_key.entries,
    sketch.entries,
    comparison.entries,
    overview.entries,
    ribbons.entries,
    contours.entries,
    life.entries,
    drift.entries,
    factor_shares.entries,
    factor_interaction.entries,
    last_step.entries,
    atlas.entries,
    edpois.entries,
)


def choose(runs: Runs, patterns: Collection[str] = ()) -> list[Entry]:
    """All entries, or those whose name matches a pattern (a name, or such as atlas* or panels/*), in their order."""
    entries = [entry for figure in FIGURES for entry in figure(runs)]
    names = [entry.name for entry in entries]
    for pattern in patterns:
        if not isinstance(pattern, str) or not any(fnmatchcase(name, pattern) for name in names):
            choices = dict.fromkeys(re.sub("/.*", "/*", name) for name in names)
            raise ValueError(f"no figure is named {pattern!r}; choose from {', '.join(choices)}")
    return [entry for entry in entries if not patterns or any(fnmatchcase(entry.name, one) for one in patterns)]


def find(runs: Runs, name: str) -> Entry:
    """The one entry of this name, if its figure can be drawn; else a ValueError that says why not."""
    entries = choose(runs, [name])
    refuse_equal_names(entries)
    if len(entries) > 1:
        raise ValueError(f"{name!r} matches {len(entries)} figures, such as {entries[0].name}: give the name of one")
    if obstacle := entries[0].obstacle(runs):
        raise ValueError(f"the figure {name} cannot be drawn: {obstacle}")
    return entries[0]


def refuse_equal_names(entries: Iterable[Entry]) -> None:
    """Raise a ValueError if two figures have one name, as those of the mutations my/1 and my-1 have."""
    if equal := [name for name, count in Counter(entry.name for entry in entries).items() if count > 1]:
        raise ValueError(f"two figures would have the name {equal[0]}: the names of operators are too much alike")
