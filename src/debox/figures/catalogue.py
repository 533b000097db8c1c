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
from collections.abc import Callable, Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from debox.analysis.runs import Runs
from debox.figures import (
    compare,
    contours,
    convergence,
    drift,
    edpois,
    factor_interaction,
    factor_shares,
    last_step,
    life,
    measurement,
    overview,
    reading_key,
    ribbons,
    sketch,
    strategies,
    threshold,
    walls,
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
    "overview": overview.pages,
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
# Figures of what functions return: what these results have, what they are called, and their page.
RESULTS: dict[str, tuple[tuple[str, ...], str, Callable[[Any], Page]]] = {
    "compare": (("strategies", "values"), "comparison must be a Comparison, as debox.compare returns it", compare.page),
    "convergence": (("history",), "result must be a result of debox.minimize", convergence.page),
    "measurement": (("config", "pois", "histogram"), "m must be a Measurement", measurement.page),
    "walls": (("walls",), "result must be a result of debox.minimize", walls.page),
}


def of_one_setting(runs: Runs) -> Runs:
    """The runs, which may differ in the factors of AXES and the adaptation; a ValueError if they do in another."""
    return runs.require_one(*(name for name in SHARED if name != ADAPTATION))


def choose(runs: Runs, patterns: Collection[str] = ()) -> list[Page]:
    """All pages, or those whose name matches a pattern (a name, or such as atlas* or panels/*), in their order.

    A ValueError if runs differ in more than the factors of AXES and the adaptation.
    """
    one = of_one_setting(runs)
    pages = [page for figure in FIGURES.values() for page in figure(one)]
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
    return require_drawable(pages[0])


def require_drawable(page: Page) -> Page:
    """Itself; a ValueError that says why it cannot be drawn."""
    if page.obstacle:
        raise ValueError(f"the figure {page.name} cannot be drawn: {page.obstacle}")
    return page


def of_result(name: str, result: Any) -> Page:
    """The figure of what `debox.compare`, `debox.measure` or `debox.minimize` returns; a ValueError if it is not."""
    parts, wanted, page = RESULTS[name]
    if not all(one in result if isinstance(result, Mapping) else hasattr(result, one) for one in parts):
        raise ValueError(f"{wanted}, got {result!r}")
    return page(result)


def refuse_equal_names(pages: Iterable[Page]) -> None:
    """Raise a ValueError if two figures have one name, as those of the mutations my/1 and my-1 have."""
    if equal := [name for name, count in Counter(page.name for page in pages).items() if count > 1]:
        raise ValueError(f"two figures would have the name {equal[0]}: the names of operators are too much alike")
