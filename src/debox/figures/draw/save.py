"""A figure in a file: alt text inside, fonts embedded, the same bytes every time."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from debox import files

FORMATS = ("pdf", "png", "svg")


def save(figure: Figure, path: Path, title: str, alt_text: str) -> Path:
    """Write the figure (the suffix says how), under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.check_output(path, path.suffix)
    content = render(figure, path.suffix[1:], title, alt_text)
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
    content = draw_once(figure, format=form, metadata=metadata[form])
    return with_alt_text(content.decode(), title, alt_text).encode() if form == "svg" else content


def draw_once(figure: Figure, **options: Any) -> bytes:
    """What `savefig` writes with these options.

    It draws a figure with a layout twice, first only to have it laid out: instead, the layout engine is called.
    """
    engine, draws = figure.get_layout_engine(), 0

    def draw(renderer: Any) -> None:
        nonlocal draws
        draws += 1
        if draws == 1 and engine is not None:
            engine.execute(figure)
        else:
            type(figure).draw(figure, renderer)

    buffer = io.BytesIO()
    figure.__dict__["draw"] = draw
    try:
        figure.savefig(buffer, **options)
    finally:
        del figure.__dict__["draw"]
    if engine is not None and draws == 1:  # another matplotlib, which lays out otherwise
        buffer = io.BytesIO()
        figure.savefig(buffer, **options)
    return buffer.getvalue()


def with_alt_text(svg: str, title: str, alt_text: str) -> str:
    """The SVG with the elements that screen readers read."""
    head, tag, rest = svg.partition("<svg ")
    attributes, end, body = rest.partition(">")
    alt = f"\n <title>{escape(title)}</title>\n <desc>{escape(alt_text)}</desc>"
    return f'{head}{tag}role="img" {attributes}{end}{alt}{body}'
