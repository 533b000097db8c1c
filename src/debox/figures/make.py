"""From a table of runs to files: the figures of the catalogue."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from debox import check, files
from debox.analysis.old_runs import Runs, Table
from debox.figures import old_catalogue as catalogue
from debox.figures.draw.by_type import figure_of
from debox.figures.draw.save import FORMATS, save
from debox.figures.draw.style import in_style
from debox.figures.entry import Entry
from debox.study.study import Study


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
) -> Iterator[Path]:
    """Draw the figures of a table into the folder `out`, one by one; gives the path of each file when it is there.

    study, where: see `Runs.of`; with where={"dimension": 3} the folder is `out`/dimension=3
    formats: of pdf, png, svg     only: names or patterns     style: paper or screen
    tell: is called with what is left out
    """
    chosen = [check.choice("format", form, FORMATS) for form in formats]
    top = files.absolute(out, "out")
    runs = Runs.of(table, study, where).require_runs()
    folder = top / ",".join(f"{name}={value}" for name, value in runs.where.items())
    entries = catalogue.choose(runs, only)
    catalogue.refuse_equal_names(entries)
    for text in omissions(runs, entries):
        tell(text)
    with in_style(style):
        for entry in (entry for entry in entries if not entry.obstacle(runs)):
            record = entry.record(runs)
            for form in chosen:
                path = refuse_outside(top, folder / f"{entry.name}.{form}")
                figure = figure_of(
                    entry, runs, style, record
                )  # anew: saving lays it out, and the next would start there
                yield save(figure, path, entry.name, entry.alt_text(runs))


def refuse_outside(top: Path, path: Path) -> Path:
    """The path, if it lies in the folder `top`; else an error: the last of several checks of names from files."""
    if not Path(os.path.normpath(path)).is_relative_to(os.path.normpath(top)):
        raise ValueError(f"the figure {str(path)!r} would lie outside of {top}")
    return path


def omissions(runs: Runs, entries: Collection[Entry]) -> list[str]:
    """What is not drawn, and why: runs, whole figures, parts of figures."""
    obstacles = {entry.name: entry.obstacle(runs) for entry in entries}
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in obstacles.items():
        names_by_reason.setdefault(reason, []).append(name)
    figures = [f"left out: {', '.join(names)} ({reason})" for reason, names in names_by_reason.items() if reason]
    parts = [f"{entry.name}: {entry.omission}" for entry in entries if entry.omission and not obstacles[entry.name]]
    return [runs.omission] * bool(runs.left_out) + figures + parts
