"""Pictures of docs/ that are figures of debox, from the paper's study."""

import re

from debox.analysis.runs import Runs
from debox.figures import catalogue
from debox.figures.style import in_style
from reproduction import pictures
from reproduction.numbers import DATA, DOCS


def names() -> set[str]:
    """The pictures that pages show."""
    return {name for path in DOCS.glob("*.md") for name in re.findall(r"\(figures/(.+?)\.png\)", path.read_text())}


def draw(*only: str) -> None:
    """All that pages show, or those of these names."""
    with in_style("paper"):
        for page in catalogue.choose(Runs.of(DATA / "paper.parquet")):
            if page.name in (only or names()):
                print(pictures.save(page.figure(), page.name))
