"""The explorer in a real browser: links, policy, names that stay text, themes; nothing but itself, nothing logged."""

import numpy as np
import pytest
from adaptations import with_adaptations
from explorer_table import EVIL
from explorer_table import table as few
from plans import planned

from debox.explore import explorer

VIEWS = {
    "atlas": "How often does Differential Evolution leave the box?",
    "panel?p=DE/rand/1/exp+sat,5&p=DE/curr-to-rand/1/bin+mirr,20": "Panels",
    "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000": "Live",
    "inside?c=DE/rand/1/bin+tor&F=2&Cr=1": "Inside a run",
}
BROKEN = (
    "nonsense?x=1",
    "panel?p=garbage&p=DE/rand/1/exp+sat,7",
    "live?c=x&N=abc&F=9&budget=-1&donors=none",
    "inside?c=DE/x/y+z&on=0.4&N=1e9",
    "atlas?cell=99999&N=3",
)


@pytest.mark.parametrize("width", [390, 1400])
def test_a_link_opens_its_view_without_requests_or_overflow(shown, width):
    shown.page.goto("about:blank")  # so that the file is loaded
    for view, title in VIEWS.items():
        page = shown.go(view, width)
        assert page.locator("h1").inner_text() == title
        assert page.locator("nav [aria-current]").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    allowed = (shown.file.as_uri(), "data:,", "blob:", "about:")
    assert {url for url in shown.requests if not url.startswith(allowed)} == set()
    assert any(url.startswith(shown.file.as_uri()) for url in shown.requests)


def test_a_broken_link_shows_what_can_be_shown(shown):
    for view in BROKEN:
        page = shown.go(view)
        assert page.locator("h1").inner_text() in VIEWS.values()
        assert not page.locator("#drawer").is_visible()


@pytest.mark.parametrize("runs", [(1, 0, 0, 0), (3, 0, 1, 2)])
def test_studies_that_are_tiny_or_unfinished_are_shown(browser, tmp_path, runs):
    rows, path = few(runs=runs), tmp_path / "page.html"
    rows |= {"adaptation": np.full(sum(runs), "some")}  # a column that debox does not know
    path.write_text(explorer(rows, study=planned(rows, runs=3)), encoding="utf-8")
    browser.open(path, 1400)
    for view in ("atlas?cell=0", "panel", "live", "inside"):
        browser.page.evaluate("view => { location.hash = view }", view)
        browser.page.wait_for_selector(f"html[data-ready] nav a[data-view={view.split('?')[0]}][aria-current]")
    assert browser.errors == []


def test_names_of_a_study_stay_text(shown):
    """In the atlas, its table, panels, the drawer, Live and a file that is taken away; no lines to copy hold them."""
    page = shown.go("atlas")
    assert page.get_by_role("button", name=EVIL).count() == 1
    page.locator("summary").click()
    page.locator("table a", has_text=EVIL).first.wait_for()
    assert page.locator("table a", has_text=EVIL).count() == 8
    page.locator("table a", has_text=EVIL).first.click()
    assert EVIL in page.locator(".panel h2").inner_text()
    page.locator(".panel-picture").click(position={"x": 100, "y": 100})
    assert EVIL in page.locator("#drawer h2").inner_text()
    assert page.locator("#drawer pre").all_inner_texts() == ["# no lines: debox takes no operator of such a name"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    assert "<" not in saved.value.suggested_filename
    assert page.get_by_role("link", name="run it here").count() == 0  # the page has no such operator
    shown.go(shown.address().replace("#panel?p=", "live?c=").split(",")[0])
    assert page.locator("#view section", has_text=f"{EVIL} run in Python").count() == 1
    assert page.locator("#view .recipe").count() == 0
    assert page.locator("img").count() == 0


def test_the_policy_refuses_scripts_and_styles_from_outside(browser, explorer_file):
    """The control: were there no policy, both would work."""
    browser.open(explorer_file, 1400)
    browser.page.evaluate("""() => {
        const script = document.createElement('script')
        script.textContent = 'window.broken = 1'
        document.body.append(script)
        document.body.setAttribute('style', 'color: rgb(1, 2, 3)')
    }""")
    assert browser.page.evaluate("window.broken") is None
    assert browser.page.evaluate("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"
    assert len([error for error in browser.errors if "Content Security Policy" in error]) == 2


def test_back_and_forward_go_through_the_views(shown):
    page = shown.go("atlas")
    page.get_by_role("link", name="Panel", exact=True).click()
    page.get_by_role("link", name="Live", exact=True).click()
    seen = []
    for move in (page.go_back, page.go_back, page.go_forward):
        move()
        seen.append(page.locator("h1").inner_text())
    assert seen == ["Panels", VIEWS["atlas"], "Panels"]


def test_light_and_dark_follow_the_system_and_the_button(shown):
    background = "getComputedStyle(document.body).backgroundColor"
    shown.page.emulate_media(color_scheme="dark")
    page = shown.go("atlas")
    dark = page.evaluate(background)
    page.get_by_role("button", name="light").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)" != dark
    page.get_by_role("button", name="dark").click()
    assert page.evaluate(background) == dark
    shown.page.emulate_media(color_scheme="light")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(background) == "rgb(255, 255, 255)"


SHIFTS = """() => new Promise((done) => {
    let total = 0
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => setTimeout(() => done(total), 50))
})"""


@pytest.mark.parametrize(
    ("view", "width"), [("atlas", 1400), ("live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=2&budget=1000", 390)]
)
def test_nothing_moves_after_a_view_is_there(shown, view, width):
    """What a browser calls the layout shift, from the load of the page on and while runs come in; 0.1 is called good.

    The control: a paragraph put in above all others moves them.
    """
    shown.page.goto("about:blank")
    page = shown.go(view, width)
    if view.startswith("live"):
        page.locator(".map-line", has_text="256 of 256").wait_for()
    assert page.evaluate(SHIFTS) < 0.02
    page.evaluate("""() => {
        const text = document.createElement('p')
        text.textContent = 'here'
        document.body.prepend(text, document.createElement('hr'), document.createElement('hr'))
    }""")
    assert page.evaluate(SHIFTS) > 0.02


def test_adaptations_are_filtered_in_the_atlas_and_chosen_in_a_panel(browser, tmp_path):
    rows, path = with_adaptations(few(), fixed=0, SHADE=0), tmp_path / "page.html"
    path.write_text(explorer(rows, study=planned(rows, runs=3)), encoding="utf-8")
    browser.open(path, 1000)
    page = browser.page
    page.get_by_role("group", name="adaptation").get_by_role("button", name="SHADE").click()
    page.locator("button[aria-pressed=true]", has_text="SHADE").wait_for()
    assert page.evaluate("location.hash") == "#atlas?adaptation=SHADE"
    page.goto(f"{path.as_uri()}#panel?p=DE/rand/1/bin+mirr+SHADE,5")
    page.locator(".chooser").get_by_label("adaptation").select_option("fixed")
    page.locator(".panel h2", has_text="DE/rand/1/bin mirr fixed, N=5").wait_for()
    assert "fixed" in page.evaluate("location.hash")
    assert browser.errors == []
