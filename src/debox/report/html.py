"""HTML by hand: a page that needs nothing but itself, tables, and figures as parts of it; every text is escaped."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape

LARGEST = 1.25  # times its own size: how large a figure may be shown
STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #5a5a5a; --line: #d8d8d8; --paper: #fff; --tint: #f4f6f8;
  --link: #0b57d0 }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --soft: #a8a8a8; --line: #444; --paper: #16181a; --tint: #23272b; --link: #8ab4f8 }
}
a { color: var(--link) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem }
p, figcaption, li { max-width: 45rem }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none }
.numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem; padding: 0 }
.numbers div { background: var(--tint); border-radius: .4rem; padding: .6rem .8rem }
.numbers dt { font-size: 1.5rem; font-weight: 600 }
.numbers dd { margin: 0; font-size: .85rem; color: var(--soft) }
.facts { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr; gap: .2rem 1rem; font-size: .9rem }
.facts dt { font-weight: 600 }
.facts dd { margin: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .7rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper) }
.text th, .text td { text-align: left; vertical-align: top }
.text :is(th, td):nth-child(-n + 2) { white-space: normal; min-width: 12rem; max-width: 26rem; font-weight: 400;
  position: static }
caption { text-align: left }
figure { margin: 1.5rem 0; break-inside: avoid }
figure img { display: block; width: 100%; height: auto; background: #fff }
figcaption { font-size: .875rem; color: var(--soft) }
figure input { position: absolute; opacity: 0 }
figure label { display: inline-block; font-size: .875rem; color: var(--link); cursor: pointer; padding: .3rem 0 }
figure input:focus-visible + label { outline: 2px solid var(--link) }
figure input:checked ~ .wide img { min-width: 68rem }
@media (min-width: 72rem) { figure label { display: none } }
summary { cursor: pointer; padding: .3rem 0 }
@media print {
  body { max-width: none; padding: 0; font-size: 9pt }
  nav, figure label { display: none }
  figure img, figure input:checked ~ .wide img { max-height: 23cm; min-width: 0 }
  details::details-content { content-visibility: visible }
  .wide { overflow: visible }
  table { font-size: 8pt }
  th, td { white-space: normal; padding-right: .4rem }
  th:first-child { position: static }
  h2 { break-after: avoid }
}
"""


def page(title: str, lead: str, sections: Mapping[str, str]) -> str:
    """The whole file; sections are the HTML below each title, the rest is text."""
    links = "".join(f'<li><a href="#{anchor(name)}">{escape(name)}</a></li>' for name in sections)
    body = "\n".join(section(name, content) for name, content in sections.items())
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'  # else browsers ask for a favicon
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
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
