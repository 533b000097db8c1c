"""Figures and their numbers in files: alt text inside, fonts embedded, the same bytes every time."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from debox import check, files
from debox.analysis.runs import Runs, Source
from debox.figures import catalogue
from debox.figures.page import Numbers, Page
from debox.figures.style import Figure, in_style
from debox.study.study import Study

PICTURES = ("pdf", "png", "svg")
FORMATS = (*PICTURES, "csv")


def make(
    source: Source,
    out: files.AnyPath,
    *,
    study: Study | None = None,
    where: Mapping[str, Any] | Collection[str] = (),
    formats: Collection[str] = ("pdf",),
    only: Collection[str] = (),
    style: str = "paper",
    tell: Callable[[str], object] = lambda text: None,
) -> Iterator[Path]:
    """Draw the figures of some runs into the folder `out`, one by one; gives the path of each file when it is there.

    study, where: see `Runs.of`; with where={"dimension": 3} the folder is `out`/dimension=3
    formats: of pdf, png, svg and csv, the numbers     only: names or patterns     style: paper or screen
    tell: is called with what is left out
    """
    chosen = [check.choice("format", form, FORMATS) for form in formats or [""]]
    top = files.absolute(out, "out")
    runs = Runs.of(source, study, where).require_runs()
    folder = top / ",".join(f"{name}={'+'.join(map(str, levels))}" for name, levels in runs.where.items())
    pages = catalogue.choose(runs, only)
    catalogue.refuse_equal_names(pages)
    for text in omissions(runs, pages):
        tell(text)
    for page in (page for page in pages if not page.obstacle):
        for form in chosen:
            path = folder / f"{page.name}.{form}"
            if not path.resolve().is_relative_to(top.resolve()):  # the last of several checks of names from files
                raise ValueError(f"the figure {str(path)!r} would lie outside of {top}")
            yield write(path, contents(page, form, style))


def omissions(runs: Runs, pages: Collection[Page]) -> list[str]:
    """What is not drawn, and why: runs, whole figures, parts of figures."""
    names_by_reason: dict[str, list[str]] = {}
    for page in pages:
        names_by_reason.setdefault(page.obstacle, []).append(page.name)
    figures = [f"left out: {', '.join(names)} ({reason})" for reason, names in names_by_reason.items() if reason]
    parts = [f"{page.name}: {page.omission}" for page in pages if page.omission and not page.obstacle]
    return [runs.omission] * bool(runs.left_out) + figures + parts


def contents(page: Page, form: str, style: str = "paper") -> bytes:
    """The bytes of a page's file."""
    if form == "csv":
        return as_csv(page.numbers(*page.arguments)).encode()
    with in_style(style):
        return render(page.figure(style), form, page.name, page.alt_text)


def as_csv(numbers: Numbers) -> str:
    """A table of named arrays: a line for each entry of those of several dimensions, whose axes those of one name."""
    axes = [array for array in numbers.values() if array.ndim == 1]
    columns = list(numbers.values())
    if len(axes) < len(columns):
        shape, meshes = tuple(map(len, axes)), iter(np.meshgrid(*axes, indexing="ij"))
        whole = [next(meshes) if array.ndim == 1 else array for array in columns]
        columns = [np.broadcast_to(a.reshape(a.shape + (1,) * (len(shape) - a.ndim)), shape).ravel() for a in whole]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(numbers)
    writer.writerows(zip(*(column.tolist() for column in columns), strict=True))
    return text.getvalue()


def write(path: Path, content: bytes) -> Path:
    """Write the file, under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.check_output(path, path.suffix)
    with files.replacing(path) as unfinished:
        unfinished.write_bytes(content)
    return path


def render(figure: Figure, form: str, title: str, alt_text: str) -> bytes:
    """The bytes of the file."""
    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"Title": title, "Subject": alt_text, "CreationDate": None},
        "png": {"Title": title, "Description": alt_text},
        "svg": {"Date": None},
    }
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, metadata=metadata[form])
    content = buffer.getvalue()
    return with_alt_text(content.decode(), title, alt_text).encode() if form == "svg" else content


def with_alt_text(svg: str, title: str, alt_text: str) -> str:
    """The SVG with the elements that screen readers read."""
    head, tag, rest = svg.partition("<svg ")
    attributes, end, body = rest.partition(">")
    alt = f"\n <title>{escape(title)}</title>\n <desc>{escape(alt_text)}</desc>"
    return f'{head}{tag}role="img" {attributes}{end}{alt}{body}'
