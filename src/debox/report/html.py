"""HTML by hand: a page that needs nothing but itself, tables, and figures as parts of it; every text is escaped."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

LARGEST = 1.25  # times its own size: how large a figure may be shown


def page(title: str, lead: str, sections: Mapping[str, str]) -> str:
    """The whole file; sections are the HTML below each title, the rest is text."""
    links = "".join(f'<li><a href="#{anchor(name)}">{escape(name)}</a></li>' for name in sections)
    style = files("debox.report").joinpath("page.css").read_text("utf-8")
    body = "\n".join(section(name, content) for name, content in sections.items())
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'  # else browsers ask for a favicon
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1>{paragraph(lead)}</header>\n<nav><ul>{links}</ul></nav>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def section(name: str, body: str) -> str:
    return f'<section id="{anchor(name)}">\n<h2>{escape(name)}</h2>\n{body}\n</section>'


def anchor(name: str) -> str:
    """A title as an id: Where did DE go? → where-did-de-go"""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def numbers(entries: Iterable[tuple[str, str]]) -> str:
    """Large numbers, each with what it counts."""
    cells = "".join(f"<div><dt>{escape(number)}</dt><dd>{escape(what)}</dd></div>" for number, what in entries)
    return f'<dl class="numbers">{cells}</dl>'


def facts(entries: Iterable[tuple[str, str]]) -> str:
    """Names and what they are."""
    return f'<dl class="facts">{"".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in entries)}</dl>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, wrap: bool = False) -> str:
    """A table that scrolls by itself where it is too wide; its first column names the rows, in lines if `wrap`."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    name = f"<caption><h3>{escape(caption)}</h3></caption>"
    kind = ' class="text"' if wrap else ""
    return f'<div class="wide"><table{kind}>{name}<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def collapsible(title: str, body: str) -> str:
    """A part that is closed until the reader opens it."""
    return f"<details><summary>{escape(title)}</summary>\n{body}\n</details>"


def figure(name: str, svg: bytes, alt_text: str, caption: str, width: float) -> str:
    """A figure as wide as the page, but not much wider than its own width, in points; larger on request."""
    switch = f'<input type="checkbox" id="{name}-larger"><label for="{name}-larger">larger / fit to the page</label>'
    svg = re.sub(rb'(?<= d=")[^"]+', lambda path: re.sub(rb"(\.\d\d)\d+", rb"\1", path[0]), svg)  # what can be seen
    source = f"data:image/svg+xml;base64,{b64encode(svg).decode()}"
    image = f'<img id="{name}" src="{source}" alt="{escape(alt_text)}" style="max-width: {LARGEST * width:.0f}pt">'
    return f'<figure>{switch}<div class="wide">{image}</div><figcaption>{escape(caption)}</figcaption></figure>'
