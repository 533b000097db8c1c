"""All figures: the list of them, and from a table to files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from debox import check, files, outputs
from debox.analysis.runs import Runs, Table
from debox.design.study import Study
from debox.figures import compact, paper
from debox.figures.draw.save import FORMATS, save
from debox.figures.draw.style import in_style
from debox.figures.sheet import Sheet

# Each gives the sheets of its kind; what they are may depend on the runs.
FIGURES: tuple[Callable[[Runs], Iterable[Sheet]], ...] = (paper.paper, *compact.COMPACT, paper.atlas, paper.panels)


def sheets(runs: Runs, only: Collection[str] = ()) -> list[Sheet]:
    """All figures, or those whose name matches one of `only` (names, or patterns such as atlas* or panels/*)."""
    found = [sheet for kind in FIGURES for sheet in kind(runs)]
    names = [sheet.name for sheet in found]
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for name in names):
            choices = dict.fromkeys(re.sub("/.*", "/*", name) for name in names)
            raise ValueError(f"no figure is named {pattern!r}; choose from {', '.join(choices)}")
    return [sheet for sheet in found if not only or any(fnmatchcase(sheet.name, pattern) for pattern in only)]


def make(
    table: Table,
    out: files.AnyPath,
    *,
    study: Study | None = None,
    where: Mapping[str, Any] | None = None,
    formats: Collection[str] = ("pdf",),
    only: Collection[str] = (),
    style: str = "paper",
    tell: Callable[[str], object] = lambda text: None,
    inputs: Collection[Path] = (),
) -> Iterator[Path]:
    """Draw the figures of a table into the folder `out`, one by one; gives the path of each file when it is there.

    study, where: see `Runs.of`; with where={"dimension": 3} the folder is `out`/dimension=3
    formats: of pdf, png, svg     only: names or patterns     style: paper or screen
    tell: is called with what is left out     inputs: files that must not be replaced: those the table was read from
    """
    chosen = [check.choice("format", form, FORMATS) for form in formats]
    top = files.absolute(out, "out")
    outputs.refuse_stores(top, Path(os.path.realpath(top)))
    runs = Runs.of(table, study, where).some()
    folder = top / ",".join(f"{name}={value}" for name, value in runs.where.items())
    wanted = sheets(runs, only)
    if twice := [name for name, count in Counter(sheet.name for sheet in wanted).items() if count > 1]:
        raise ValueError(f"two figures would have the name {twice[0]}: the names of operators are too much alike")
    for text in left_out(runs, wanted):
        tell(text)
    with in_style(style):
        for sheet in (sheet for sheet in wanted if not sheet.lacks):
            figure = sheet.drawn(runs, style)
            for form in chosen:
                path = within(top, folder / f"{sheet.name}.{form}")
                yield save(figure, path, sheet.name, sheet.alt, inputs)


def within(top: Path, path: Path) -> Path:
    """The path, if it leads nowhere but into the folder `top`: the last of several checks of names from files."""
    if not Path(os.path.normpath(path)).is_relative_to(os.path.normpath(top)):
        raise ValueError(f"the figure {str(path)!r} would lie outside of {top}")
    return path


def left_out(runs: Runs, wanted: Collection[Sheet]) -> list[str]:
    """What is not drawn, and why: runs, and figures."""
    reasons: dict[str, list[str]] = {}
    for sheet in wanted:
        if sheet.lacks:
            reasons.setdefault(sheet.lacks, []).append(sheet.name)
    figures = [f"left out: {', '.join(names)} ({reason})" for reason, names in reasons.items()]
    pieces = [f"{sheet.name}: {sheet.without}" for sheet in wanted if sheet.without and not sheet.lacks]
    return [runs.further] * bool(runs.left_out) + figures + pieces
