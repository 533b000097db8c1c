"""The committed parts of the explorer are current: its core, and the page of the docs."""

import base64
import gzip
import json
import re
from pathlib import Path

import debox
from debox.explore import explorer
from debox.explore.build import compile_core, read_core

DOCS = Path(__file__).parents[3] / "docs" / "explorer.html"


def parts_of(page):
    """The header and the packed counts of a page, as they stand in it."""
    return {name: re.search(rf'id="{name}">(.*?)</script>', page)[1] for name in ("header", "counts")}


def parts(page):
    """The page without its data, its header without the version, and what its counts unpack to."""
    header, counts = parts_of(page).values()
    rest = page.replace(header, "").replace(counts, "")
    return rest, json.loads(header) | {"version": ""}, gzip.decompress(base64.b64decode(counts))


def test_the_core_of_the_page_is_what_its_sources_give():
    """Byte for byte, with ziglang in the version of constraints.txt."""
    how = "core/ or page/core.c changed: python -m debox.explore.build, then python -m reproduction draw explorer page"
    assert compile_core() == read_core(), how


def test_the_page_of_the_docs_is_what_explore_writes(monkeypatch):
    """`python -m reproduction draw explorer page` writes it anew. Compressed bytes may differ from one zlib to another.

    Nearly all of the file is its runs, 300 000 with three counts each: their room is bounded, the modules' is not.
    """
    compress = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda data, level, mtime: compress(data, 1, mtime=mtime))  # to be quick
    store = debox.open_store("paper")
    for ours, now in zip(parts(DOCS.read_text("utf-8")), parts(explorer(store)), strict=True):
        assert ours == now, "docs/explorer.html is not current: python -m reproduction draw explorer page"
    assert len(parts_of(DOCS.read_text("utf-8"))["counts"]) < 2_200_000
