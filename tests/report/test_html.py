"""HTML by hand: well formed, and nothing said can break it."""

import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest

from debox.report import html

EVIL = '<script>alert("x")</script>&'
VOID = {"meta", "link", "input", "img"}


class Balance(HTMLParser):
    """Every tag that opens closes, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


PIECES = {
    "page": html.page(EVIL, EVIL, {EVIL: "<p>body</p>", "Second": ""}),
    "paragraph": html.paragraph(EVIL),
    "numbers": html.numbers([(EVIL, EVIL)]),
    "facts": html.facts([(EVIL, EVIL)]),
    "table": html.table(["", EVIL], [[EVIL, EVIL]], EVIL),
    "collapsible": html.collapsible(EVIL, "<p>body</p>"),
    "figure": html.figure("name", b"<svg></svg>", EVIL, EVIL, 252),
}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES.keys())
def test_tags_are_balanced_and_text_is_escaped(piece):
    reader = Balance()
    reader.feed(piece)
    assert reader.open == []
    assert "script" not in reader.seen
    assert "&lt;script&gt;" in piece


def test_a_page_names_its_sections_and_links_to_them():
    page = html.page("Title", "Lead.", {"What was run": "<p>a</p>", "Tables": "<p>b</p>"})
    assert page.startswith("<!doctype html>")
    assert '<a href="#what-was-run">What was run</a>' in page
    assert '<section id="what-was-run">' in page
    assert page.index("<p>a</p>") < page.index("<p>b</p>")
    assert 'name="viewport"' in page


def test_a_page_asks_for_nothing():
    page = html.page("Title", "Lead.", {})
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page


def test_an_anchor_is_plain():
    assert html.anchor("Where does DE/rand/1 leave?") == "where-does-de-rand-1-leave"


def test_a_figure_is_the_file_itself_with_shorter_paths_and_what_it_shows_in_words():
    file = (
        b'<svg><g transform="scale(0.015625)"/><path id="a" d="M 1.23456 2 L 3.5 4.999999" style="w: 0.12345"/></svg>'
    )
    shown = html.figure("figure-life", file, "A run's life.", "Caption.", 252)
    found = re.search(r'<img id="figure-life" src="data:image/svg\+xml;base64,(.*?)" alt="(.*?)" style="(.*?)">', shown)
    assert b64decode(found[1]) == file.replace(b"1.23456", b"1.23").replace(b"4.999999", b"4.99")
    assert found[2] == "A run&#x27;s life."
    assert found[3] == "max-width: 315pt"  # 1.25 × 252
