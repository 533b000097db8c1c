"""What notebooks show: well-formed, without script, with the numbers in their places."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from stored_rows import MANIFEST, filled, rows

import debox
from debox import notebook
from debox.store.store import Writer

DATA = Path(__file__).parents[1] / "data" / "paper.parquet"


def parsed(html):
    return ElementTree.fromstring(f"<div>{html}</div>")


def test_a_table_has_a_line_per_entry_and_escapes_what_it_shows():
    page = parsed(notebook.table("a < b", [("F", (0.05, 2.0)), ("<script>", "&")]))
    cells = [[cell.text for cell in row] for row in page.iter("tr")]
    assert cells == [["F", "0.05, 2"], ["<script>", "&"]]
    assert page.find(".//b").text == "a < b"


def test_bars_are_shares_of_all_runs_and_the_highest_tenth_is_on_top():
    page = parsed(notebook.histogram([0, 10, 0, 30], "#63acbe"))
    bars = [(float(bar.get("y")), float(bar.get("width"))) for bar in page.iter("rect")]
    assert [width for _, width in bars] == [0, 40, 0, 120]  # of 160 pixels for 40 runs
    assert [y for y, _ in bars] == sorted((y for y, _ in bars), reverse=True)
    assert {bar.get("fill") for bar in page.iter("rect")} == {"#63acbe"}


@pytest.mark.parametrize(
    ("make", "holds"),
    [
        (
            lambda: debox.Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"),
            ["DE/rand/1/exp sat, N=5", "0.99", "saturation"],
        ),
        (
            lambda: debox.measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.5", n=2, budget=50, runs=4),
            ["mean POIS", "<svg", "50"],
        ),
        (lambda: debox.Study.load("paper"), ["6,000 configurations", "1.783", "current-to-best/1"]),
        (lambda: debox.open_store(DATA), ["300,000", "study", "paper", "<svg"]),
    ],
    ids=["Config", "Measurement", "Study", "Store"],
)
def test_objects_show_themselves(make, holds):
    html = make()._repr_html_()
    parsed(html)
    assert not re.search("<script|onload|href", html)
    assert all(text in html for text in holds)


def test_a_store_without_runs_shows_none(tmp_path):
    store = Writer.create(tmp_path / "store", MANIFEST)
    assert "<svg" not in store._repr_html_()
    assert "made-up" in repr(store)


def test_a_packed_store_without_pois_shows_how_many_runs_it_has(tmp_path):
    store = filled(Writer.create(tmp_path / "store", MANIFEST), rows(range(3)))
    assert "<svg" in store._repr_html_()
    store.pack(tmp_path / "packed.parquet", drop=["pois"])
    html = debox.open_store(tmp_path / "packed.parquet")._repr_html_()
    parsed(html)
    assert "<svg" not in html
    assert re.search(r"runs</th><td[^>]*>3<", html)


def test_a_store_that_is_gone_says_so(tmp_path):
    store = filled(Writer.create(tmp_path / "store", MANIFEST), rows(range(3)))
    shutil.rmtree(store.path)
    html = store._repr_html_()
    parsed(html)
    assert "cannot be read" in html
    assert "No such file or directory" in html
    assert "made-up" in html


def test_of_very_many_values_the_first_are_shown():
    assert notebook.format_value(tuple(range(1000))).endswith("19, … (1,000 values)")
