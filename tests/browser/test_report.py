"""The report in a real browser, on a phone and on a wide screen."""

from itertools import product

import numpy as np
import pytest
from plans import planned

from debox.design.fields import AXES
from debox.report import report

WIDTHS = [390, 1400]


def table():
    """Three runs of 96 configurations with POIS made up; n = 3, budget 30."""
    grid = (["rand/1", "best/1"], ["bin", "exp"], ["mirror", "saturation"], [5, 20], [0.5, 1.5], [0.1, 0.5, 0.9])
    cells = list(product(*grid))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells]), 3) for k, name in enumerate(AXES)}
    pois = np.random.default_rng(1).integers(0, 11, 3 * len(cells)) / 10
    at = dict.fromkeys(("pois", "pois_at_third", "pois_at_two_thirds"), pois)
    return columns | at | {"dimension": np.full(len(pois), 3), "budget": np.full(len(pois), 30)}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report(table(), study=planned(table(), name="small", runs=3)), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", WIDTHS)
def test_it_logs_no_error_and_asks_for_nothing_but_itself(browser, page, width):
    browser.open(page, width)
    assert browser.errors == []
    assert set(browser.requests) - {"data:,"} == {page.as_uri()}


def test_the_watcher_sees_errors_and_requests(browser, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text('<img src="missing.png"><script>throw Error("seen")</script>')
    browser.open(bad, 390)
    assert any("seen" in error for error in browser.errors)
    assert (tmp_path / "missing.png").as_uri() in browser.requests


@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_is_visible_and_fits_the_page(browser, page, width):
    browser.open(page, width)
    figures = browser.page.locator("figure svg[role=img]")
    assert figures.count() == page.read_text().count("<figure>") > 10
    for k in range(figures.count()):
        figure = figures.nth(k)
        assert figure.is_visible()
        box = figure.bounding_box()
        assert box["width"] > 0.8 * min(width, 500)
        assert box["height"] > 100
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        ink = figure.evaluate("svg => { const b = svg.getBBox(); return [b.width, b.height] }")
        assert min(ink) > 50


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_never_wider_than_the_screen(browser, page, width):
    browser.open(page, width)
    assert browser.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_figure_grows_on_request_and_scrolls_in_its_own_frame(browser, page):
    browser.open(page, 390)
    figure = browser.page.locator("figure").first
    before = figure.locator("svg").bounding_box()["width"]
    figure.locator("label").click()
    assert figure.locator("svg").bounding_box()["width"] > 2 * before
    assert browser.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_marks_of_one_figure_are_not_drawn_with_those_of_another(browser, page):
    """Every id is there once, and every <use> finds its shape in its own figure."""
    browser.open(page, 1400)
    twice, astray = browser.page.evaluate("""() => {
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id)
        const uses = [...document.querySelectorAll('use')]
        const target = u => document.getElementById((u.getAttribute('xlink:href') || u.getAttribute('href')).slice(1))
        return [ids.length - new Set(ids).size,
                uses.filter(u => target(u)?.closest('svg') !== u.closest('svg')).length]
    }""")
    assert (twice, astray) == (0, 0)
    assert browser.page.locator("use").count() > 100


A4 = 680  # CSS pixels between margins of 1.5 cm


def test_print_shows_every_table_whole(browser, page):
    """Folded ones too, and nothing that one would have to scroll to."""
    browser.open(page, A4)
    tables, frames = browser.page.locator("table").all(), browser.page.locator(".wide").all()
    visible = "table => table.checkVisibility() && table.getBoundingClientRect().height > 20"
    assert not all(table.evaluate(visible) for table in tables)  # on the screen some are folded
    browser.page.locator("figure input").first.check(force=True)
    browser.page.emulate_media(media="print")
    assert all(table.evaluate(visible) for table in tables)
    assert {frame.evaluate("frame => getComputedStyle(frame).overflowX") for frame in frames} == {"visible"}
    assert all(frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth") for frame in frames)


def test_print_shows_every_figure_and_no_switch(browser, page):
    browser.open(page, 1400)
    browser.page.emulate_media(media="print")
    assert all(figure.is_visible() for figure in browser.page.locator("figure svg[role=img]").all())
    assert not any(label.is_visible() for label in browser.page.locator("figure label").all())
