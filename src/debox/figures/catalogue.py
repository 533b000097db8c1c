"""The catalogue: every figure that debox can draw of some runs, by name. Nothing here needs matplotlib.

A figure is a module of this folder, and a line of FIGURES for each kind of pages that it has. The module has

- ``numbers(…)``, which returns what the figure shows as named arrays,
- ``draw(ax, …)``, which takes the same arguments and draws into one Axes; where a figure needs several of them, or its
  key first, ``draw_page(figure, …)``,
- ``legend()``, the handles of its key, if it has one,
- ``pages(runs)``, the pages that it has, each with its name, its caption and what keeps these runs from being drawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fnmatch import fnmatchcase

from debox.analysis.runs import Runs
from debox.figures import (
    contours,
    drift,
    edpois,
    factor_interaction,
    factor_shares,
    last_step,
    life,
    reading_key,
    ribbons,
    sketch,
    strategies,
    threshold,
)
from debox.figures.page import Page
from debox.study.fields import ADAPTATION, SHARED

# Which pages a figure has may depend on the runs: one per mutation, one per panel.
FIGURES: dict[str, Callable[[Runs], Iterable[Page]]] = {
    "strategies": strategies.pages,
    "threshold": threshold.pages,
    "reading-key": reading_key.pages,
    "sketch-3d": sketch.pages,
    "comparisons": edpois.comparisons,
    "ribbons": ribbons.pages,
    "contours": contours.pages,
    "life": life.pages,
    "drift": drift.pages,
    "factors-shares": factor_shares.pages,
    "factors-interaction": factor_interaction.pages,
    "last-step": last_step.pages,
    "atlas": edpois.atlas,
    "panels": edpois.pages,
}


def choose(runs: Runs, patterns: Collection[str] = ()) -> list[Page]:
    """All pages, or those whose name matches a pattern (a name, or such as atlas* or panels/*), in their order.

    A ValueError if runs differ in more than the factors of AXES and the adaptation.
    """
    runs = runs.require_one(*(name for name in SHARED if name != ADAPTATION))
    pages = [page for figure in FIGURES.values() for page in figure(runs)]
    names = [page.name for page in pages]
    for pattern in patterns:
        if not isinstance(pattern, str) or not any(fnmatchcase(name, pattern) for name in names):
            choices = dict.fromkeys(re.sub("/.*", "/*", name) for name in names)
            raise ValueError(f"no figure is named {pattern!r}; choose from {', '.join(choices)}")
    return [page for page in pages if not patterns or any(fnmatchcase(page.name, one) for one in patterns)]


def find(runs: Runs, name: str) -> Page:
    """The one page of this name, if it can be drawn; else a ValueError that says why not."""
    pages = choose(runs, [name])
    refuse_equal_names(pages)
    if len(pages) > 1:
        raise ValueError(f"{name!r} matches {len(pages)} figures, such as {pages[0].name}: give the name of one")
    if obstacle := pages[0].obstacle:
        raise ValueError(f"the figure {name} cannot be drawn: {obstacle}")
    return pages[0]


def refuse_equal_names(pages: Iterable[Page]) -> None:
    """Raise a ValueError if two figures have one name, as those of the mutations my/1 and my-1 have."""
    if equal := [name for name, count in Counter(page.name for page in pages).items() if count > 1]:
        raise ValueError(f"two figures would have the name {equal[0]}: the names of operators are too much alike")
