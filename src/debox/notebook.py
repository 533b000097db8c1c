"""What a notebook shows of an object: a small table and a histogram in plain HTML and SVG, without script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

COLOURS = {"teal": "#63acbe", "orange": "#ee442f", "violet": "#601a2f"}  # docs/spec.md §4
MOST = 20  # values of one entry that are shown
BAR, HEIGHT = 160, 14  # pixels: all runs, and one bar with its gap


def table(title: str, entries: Iterable[tuple[str, object]]) -> str:
    """A title and, line by line, names and what they are."""
    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th>'
        f'<td style="text-align: left">{escape(in_words(value))}</td></tr>'
        for name, value in entries
    )
    return f'<table><caption style="text-align: left"><b>{escape(title)}</b></caption><tbody>{rows}</tbody></table>'


def in_words(value: object) -> str:
    """One value, or several separated by commas; numbers as a reader writes them."""
    several = value if isinstance(value, tuple | list) else (value,)
    said = [f"{one:.6g}" if isinstance(one, float) else str(one) for one in several[:MOST]]
    return ", ".join([*said, f"… ({len(several):,} values)"] if len(several) > MOST else said)


def histogram(counts: Iterable[int], colour: str) -> str:
    """Runs per tenth of POIS as horizontal bars, 0 at the bottom; the numbers stand beside them."""
    bars = list(counts)
    runs, rows = max(sum(bars), 1), []
    for k, count in enumerate(bars):
        y, width = HEIGHT * (len(bars) - 1 - k), BAR * count / runs
        label = f'<text x="62" y="{y + 11}" text-anchor="end">{k / len(bars):.1f}–{(k + 1) / len(bars):.1f}</text>'
        bar = f'<rect x="68" y="{y + 1}" width="{width:.1f}" height="{HEIGHT - 2}" fill="{COLOURS[colour]}"/>'
        number = f'<text x="{72 + width:.1f}" y="{y + 11}">{count}</text>' if count else ""
        rows.append(label + bar + number)
    size = f'width="{BAR + 110}" height="{HEIGHT * len(bars)}"'
    said = "Runs per tenth of POIS: " + ", ".join(map(str, bars))
    style = 'font-size="11" font-family="sans-serif" fill="currentColor"'
    return f'<svg {size} role="img" aria-label="{said}" {style}>{"".join(rows)}</svg>'
