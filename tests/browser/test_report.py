"""The report in a real browser, on a phone and on a wide screen."""

from itertools import product

import numpy as np
import pytest
from plans import planned

from debox.report import report
from debox.study.fields import AXES

WIDTHS = [390, 1400]


def table():
    """Three runs of 48 configurations with POIS made up; n = 3, budget 30."""
    grid = (["rand/1"], ["bin", "exp"], ["mirror", "saturation"], [5, 20], [0.5, 1.5], [0.1, 0.5, 0.9])
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


@pytest.fixture(scope="module")
def opened(new_page, page):
    """The report, opened once: a page of megabytes takes a second."""
    watched = new_page()
    watched.open(page, WIDTHS[0])
    yield watched
    watched.page.close()


@pytest.fixture
def report_at(opened):
    """report_at(width): the report on a screen of this width, or in print; at first no switch is on."""

    def show(width, media="screen"):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.page.emulate_media(media=media)
        return opened.page

    opened.page.bring_to_front()
    opened.page.evaluate("document.querySelectorAll('figure input').forEach((one) => { one.checked = false })")
    return show


def test_it_logs_no_error_and_asks_for_nothing_but_itself(opened, report_at, page):
    for width in WIDTHS:
        report_at(width).evaluate("new Promise((done) => requestAnimationFrame(() => done()))")
        assert opened.errors == []
        assert set(opened.requests) - {"data:,"} == {page.as_uri()}


def test_the_watcher_sees_errors_and_requests(browser, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text('<img src="missing.png"><script>throw Error("seen")</script>')
    browser.open(bad, 390)
    assert any("seen" in error for error in browser.errors)
    assert (tmp_path / "missing.png").as_uri() in browser.requests


VISIBLE = "one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 20"
PLACE_AND_SIZE = f"""all => all.map((one) => {{
    const place = one.getBoundingClientRect()
    return [{VISIBLE}, place.x, place.width, place.height, one.complete && one.naturalWidth]
}})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_is_visible_and_fits_the_page(report_at, page, width):
    figures = report_at(width).locator("figure img").evaluate_all(PLACE_AND_SIZE)
    assert len(figures) == page.read_text().count("<figure>") == 9
    for visible, x, wide, tall, own_width in figures:
        assert visible
        assert wide > 0.8 * min(width, 500)
        assert tall > 100
        assert x >= 0
        assert x + wide <= width
        assert own_width > 200  # 0 if the picture were broken


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_never_wider_than_the_screen(report_at, width):
    assert report_at(width).evaluate("document.documentElement.scrollWidth") <= width


def test_a_figure_grows_on_request_and_scrolls_in_its_own_frame(report_at):
    page = report_at(390)
    figure = page.locator("figure").first
    before = figure.locator("img").bounding_box()["width"]
    figure.locator("label").click()
    assert figure.locator("img").bounding_box()["width"] > 2 * before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


A4 = 680  # CSS pixels between margins of 1.5 cm
ALL_VISIBLE = f"all => all.map((one) => {VISIBLE})"
SCROLLING = "all => all.map((one) => [getComputedStyle(one).overflowX, one.scrollWidth <= one.clientWidth])"


def test_print_shows_every_table_whole(report_at):
    """Folded ones too, and nothing that one would have to scroll to."""
    tables, frames = (report_at(A4).locator(name) for name in ("table", ".wide"))
    assert not all(tables.evaluate_all(ALL_VISIBLE))  # on the screen some are folded
    report_at(A4).locator("figure input").first.check(force=True)
    report_at(A4, media="print")
    assert all(tables.evaluate_all(ALL_VISIBLE))
    found = frames.evaluate_all(SCROLLING)
    assert found
    assert {(overflow, fits) for overflow, fits in found} == {("visible", True)}


def test_print_shows_every_figure_and_no_switch(report_at):
    figures, labels = (report_at(390).locator(name) for name in ("figure img", "figure label"))
    shows_label = "all => all.map((one) => one.checkVisibility({ visibilityProperty: true }))"
    assert all(labels.evaluate_all(shows_label))  # on a phone
    report_at(390, media="print")
    assert all(figures.evaluate_all(ALL_VISIBLE))
    assert labels.count() == 9
    assert not any(labels.evaluate_all(shows_label))
