"""What a notebook shows of an object: a small table and a histogram in plain HTML and SVG, without script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

MOST_VALUES = 20  # values of one entry that are shown
BAR, HEIGHT = 160, 14  # pixels: all runs, and one bar with its gap


def table(title: str, entries: Iterable[tuple[str, object]]) -> str:
    """An HTML table: a title, and a row for each name and value."""
    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th>'
        f'<td style="text-align: left">{escape(format_value(value))}</td></tr>'
        for name, value in entries
    )
    return f'<table><caption style="text-align: left"><b>{escape(title)}</b></caption><tbody>{rows}</tbody></table>'


def format_value(value: object) -> str:
    """One value, or several separated by commas; numbers with six digits."""
    several = value if isinstance(value, tuple | list) else (value,)
    texts = [f"{one:.6g}" if isinstance(one, float) else str(one) for one in several[:MOST_VALUES]]
    return ", ".join([*texts, f"… ({len(several):,} values)"] if len(several) > MOST_VALUES else texts)


def histogram(counts: Iterable[int], colour: str) -> str:
    """Runs per tenth of POIS as horizontal bars in this colour, 0 at the bottom; the numbers stand beside them."""
    bars = list(counts)
    runs, rows = max(sum(bars), 1), []
    for k, count in enumerate(bars):
        y, width = HEIGHT * (len(bars) - 1 - k), BAR * count / runs
        interval = f'<text x="62" y="{y + 11}" text-anchor="end">{k / len(bars):.1f}–{(k + 1) / len(bars):.1f}</text>'
        bar = f'<rect x="68" y="{y + 1}" width="{width:.1f}" height="{HEIGHT - 2}" fill="{colour}"/>'
        number = f'<text x="{72 + width:.1f}" y="{y + 11}">{count}</text>' if count else ""
        rows.append(interval + bar + number)
    size = f'width="{BAR + 110}" height="{HEIGHT * len(bars)}"'
    label = "Runs per tenth of POIS: " + ", ".join(map(str, bars))
    style = 'font-size="11" font-family="sans-serif" fill="currentColor"'
    return f'<svg {size} role="img" aria-label="{label}" {style}>{"".join(rows)}</svg>'
