"""Pages of docs/ are templates of reproduction/pages/ in Jinja's language, filled with data/numbers.json and tables of
the code.

In a template `{{ collapse.cells }}` is the number `cells` that `python -m reproduction collapse` computed, and
`{{ collapse.share|f(".2f") }}` formats it. A number that is not there is an error.
"""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from debox import operators
from debox.store.schema import COLUMNS
from debox.study.fields import FIELDS
from reproduction import numbers

TEMPLATES = Path(__file__).parent / "pages"
SOURCE = "\n<!-- `python -m reproduction pages` fills reproduction/pages/{name}.md -->\n"


def estimate(pair: list[float], digits: int = 2) -> str:
    """``0.89 ± 0.04`` of a number and its standard error."""
    return " ± ".join(f"{number:.{digits}f}" for number in pair)


def percents(pair: list[float]) -> str:
    """``89 ± 4 %`` of a share and its standard error."""
    return f"{estimate([100 * number for number in pair], 0)} %"


def percent(share: float, digits: int = 1) -> str:
    """``12.3 %`` of 0.123"""
    return f"{100 * share:.{digits}f} %"


def interval(three: list[float], digits: int = 1) -> str:
    """``12.3 % [11.9, 12.6]`` of an estimated share and the ends of its interval."""
    share, low, high = (f"{100 * number:.{digits}f}" for number in three)
    return f"{share} % [{low}, {high}]"


def default(value: object) -> str:
    """The default of a study's key as TOML writes it."""
    if isinstance(value, tuple):
        return ", ".join(one if isinstance(one, str) else f"{one:.3g}" for one in value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def spaced(text: str) -> str:
    """Thousands apart by a no-break space from five digits on: 6000, 300 000."""
    text = re.sub(r"(?<![\d,])(\d),(\d{3})(?![\d,])", r"\1\2", text)
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "\N{NO-BREAK SPACE}", text)


def cell(text: object) -> str:
    """A text inside a cell of a table, where a bar would end it."""
    return spaced(str(text)).replace("|", "\\|")


def environment() -> Environment:
    """What templates may use."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "f": lambda number, form: spaced(format(number, form)),
        "estimate": estimate,
        "percent": percent,
        "percents": percents,
        "interval": interval,
    }
    made.filters |= {"default_of": default, "cell": cell, "row": lambda cells: f"| {' | '.join(map(str, cells))} |"}
    made.globals |= {"operators": operators, "FIELDS": FIELDS, "COLUMNS": COLUMNS}
    return made


def fill(name: str, known: dict[str, Any] | None = None) -> str:
    """The page of this name."""
    text = environment().get_template(f"{name}.md").render(numbers.load() if known is None else known)
    return text + SOURCE.format(name=name)


def names() -> list[str]:
    """The pages that have a template."""
    return sorted(path.stem for path in TEMPLATES.glob("*.md"))


def write() -> None:
    """Fill all pages, write those that change, and name them."""
    for name in names():
        page, text = numbers.DOCS / f"{name}.md", fill(name)
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")
            print(f"docs/{name}.md")
