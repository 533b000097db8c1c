"""The pages of docs show what is there."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
LINKS = [
    (page, link)
    for page in sorted(DOCS.glob("*.md"))
    for link in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())
]


@pytest.mark.parametrize(("page", "link"), LINKS, ids=[f"{page.name} {link}" for page, link in LINKS])
def test_a_picture_shown_is_there(page, link):
    assert (page.parent / link).is_file()


def test_pictures_are_few_small_and_all_shown():
    pictures = sorted(path for path in (DOCS / "figures").rglob("*") if path.is_file())
    assert pictures == sorted(page.parent / link for page, link in LINKS if link.startswith("figures/"))
    assert sum(path.stat().st_size for path in pictures) < 1_000_000


def test_the_page_of_figures_says_which_data_it_shows():
    assert re.search(r"<!-- data -->\nDrawn from [\d,]+ runs: ", (DOCS / "figures.md").read_text())
