"""The explorer as a whole in a real browser: links, the way back, the keyboard, policy, names that stay text, themes,
barriers; nothing is asked for but itself, nothing logged.
"""

import re

import numpy as np
import pytest
from adaptations import with_adaptations
from axe import script, violations
from explorer_table import EVIL
from explorer_table import table as few
from plans import planned

from debox.explore import explorer

LIVE = "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000"
VIEWS = {
    "atlas": "How often does Differential Evolution leave the box?",
    "panel?p=DE/rand/1/exp+sat,5&p=DE/curr-to-rand/1/bin+mirr,20": "Panels",
    LIVE: "Live",
    "inside?c=DE/rand/1/bin+tor&F=2&Cr=1": "Inside a run",
}
ALL = ("minor", "moderate", "serious", "critical")
ALSO = ("atlas?cell=7", LIVE.replace("mirr", "none"))  # the drawer; what the page does not run


@pytest.mark.parametrize("width", [390, 1400])
def test_a_link_opens_its_view_without_requests_or_overflow(shown, width):
    shown.page.goto("about:blank")  # so that the file is loaded
    for view, title in VIEWS.items():
        page = shown.go(view, width)
        assert shown.text("h1") == title
        assert page.locator("nav [aria-current]").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert {
        url for url in shown.requests if not url.startswith((shown.file.as_uri(), "data:,", "blob:", "about:"))
    } == set()
    assert any(url.startswith(shown.file.as_uri()) for url in shown.requests)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_no_view_has_a_barrier(shown, axe, scheme, width):
    """In the dark only the colours are others."""
    rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    shown.page.emulate_media(color_scheme=scheme)
    for view in (*VIEWS, *ALSO):
        page = shown.go(view, width)
        if view.startswith("inside"):
            page.get_by_role("button", name="step").click()
        if view.startswith("panel"):
            page.locator("summary").click()
            page.locator("details table").first.wait_for()
        assert violations(page, axe, rules, impacts=ALL) == [], view
    shown.page.emulate_media(color_scheme="light")


def test_barriers_are_seen(browser, axe, tmp_path):
    """The control: a picture without a text, and grey text on grey. No other script than axe's is taken for it."""
    path, grey = tmp_path / "bad.html", '<p style="color: #aaa; background: #bbb">dim</p>'
    path.write_text(f'<html lang="en"><title>bad</title><img src="data:,">{grey}')
    assert {rule for rule, *_ in violations(browser.open(path), axe)} == {"image-alt", "color-contrast"}
    with pytest.raises(ValueError, match="has the SHA-512 z4PhNX7v"):  # of nothing
        script(b"")


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("live?c=nonsense&N=x&F=9e9&budget=-1&donors=none", "c=nonsense; donors=none; N=x; F=9e9; budget=-1"),
        ("live?N=5.5&budget=1e400", "N=5.5; budget=1e400"),
        ("live?c=DE/rand/1/bin+x%22+;+touch", 'c=DE/rand/1/bin x" ; touch'),
        ("atlas?cell=999999&N=3", "cell=999999"),
        ("atlas?cell=0.5", "cell=0.5"),
        ("inside?c=DE/x/y+z&on=0.4&speed=toString&N=4", "c=DE/x/y z; speed=toString; N=4; on=0.4"),
        ("live?F=&N=&c=&donors=", None),
        ("atlas?cell=", None),
        ("nonsense?x=1", None),
        ("panel?p=garbage&p=DE/rand/1/exp+sat,7", None),
    ],
)
def test_a_broken_link_shows_the_usual_and_says_so(shown, view, said):
    page = shown.go(view)
    assert shown.text("h1") in VIEWS.values()
    assert not page.locator("#drawer").is_visible()
    assert page.locator(".refusal").count() == (said is not None)
    if said:
        assert f": {said}. The usual" in shown.text(".refusal")


@pytest.mark.parametrize("runs", [(1, 0, 0, 0), (3, 0, 1, 2)])
def test_studies_that_are_tiny_or_unfinished_are_shown(browser, tmp_path, runs):
    rows, path = few(runs=runs), tmp_path / "page.html"
    rows |= {"adaptation": np.full(sum(runs), "some")}  # a column that debox does not know
    path.write_text(explorer(rows, study=planned(rows, runs=3)), encoding="utf-8")
    browser.open(path)
    for view in ("atlas?cell=0", "panel", "live", "inside"):
        browser.page.evaluate("view => { location.hash = view }", view)
        browser.page.wait_for_selector(f"html[data-ready] nav a[data-view={view.split('?')[0]}][aria-current]")
    assert browser.errors == []


def test_adaptations_are_filtered_in_the_atlas_and_chosen_in_a_panel(browser, tmp_path):
    rows, path = with_adaptations(few(), fixed=0, SHADE=0), tmp_path / "page.html"
    path.write_text(explorer(rows, study=planned(rows, runs=3)), encoding="utf-8")
    page = browser.open(path)
    page.get_by_role("group", name="adaptation").get_by_role("button", name="SHADE").click()
    page.locator("button[aria-pressed=true]", has_text="SHADE").wait_for()
    assert page.evaluate("location.hash") == "#atlas?adaptation=SHADE"
    page.goto(f"{path.as_uri()}#panel?p=DE/rand/1/bin+mirr+SHADE,5")
    page.locator(".chooser").get_by_label("adaptation").select_option("fixed")
    page.locator(".panel h2", has_text="DE/rand/1/bin mirr fixed, N=5").wait_for()
    assert browser.errors == []


def test_names_of_a_study_stay_text(shown):
    """In the atlas, its table, panels, the drawer, Live and a file that is taken away; no lines to copy hold them."""
    page = shown.go("atlas")
    assert page.get_by_role("button", name=EVIL).count() == 1
    page.locator("summary").click()
    links = page.locator("table a", has_text=EVIL)
    links.first.wait_for()
    assert links.count() == 8
    links.first.click()
    assert EVIL in shown.text(".panel h2")
    page.locator(".panel-picture").click(position={"x": 100, "y": 100})
    assert EVIL in shown.text("#drawer h2")
    assert page.locator("#drawer pre").all_inner_texts() == ["# no lines: debox takes no operator of such a name"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    assert "<" not in saved.value.suggested_filename
    assert page.get_by_role("link", name="run it here").count() == 0  # the page has no such operator
    shown.go(shown.address().replace("#panel?p=", "live?c=").split(",")[0])
    assert page.locator("#view section", has_text=f"{EVIL} run in Python").count() == 1
    assert page.locator("#view .recipe").count() == page.locator("img").count() == 0


def test_the_policy_refuses_scripts_and_styles_from_outside(browser, explorer_file):
    """The control: were there no policy, both would work."""
    page = browser.open(explorer_file)
    found = page.evaluate("""() => {
        const script = document.createElement('script')
        script.textContent = 'window.broken = 1'
        document.body.append(script)
        document.body.setAttribute('style', 'color: rgb(1, 2, 3)')
        return [window.broken ?? null, getComputedStyle(document.body).color === 'rgb(1, 2, 3)']
    }""")
    assert found == [None, False]
    assert len([error for error in browser.errors if "Content Security Policy" in error]) == 2


def test_a_page_that_cannot_begin_says_why(browser, explorer_file, tmp_path):
    path = tmp_path / "broken.html"
    path.write_text(re.sub(r'(id="counts">)[^<]+', r"\1AAAA", explorer_file.read_text("utf-8")), encoding="utf-8")
    alert = browser.open(path).get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text().startswith("This page cannot be shown: ")
    assert len(browser.errors) == 1  # for those who look into the console


def test_back_and_forward_go_through_the_views_each_from_its_top(shown):
    """Were a view's name an element's id, the browser would scroll to it."""
    page, seen = shown.go("atlas"), []
    for name in ("Panel", "Live"):
        page.evaluate("scrollTo(0, 400)")
        page.get_by_role("link", name=name, exact=True).evaluate("one => one.click()")  # without a scroll to it
        page.wait_for_selector(f"nav a[data-view={name.lower()}][aria-current]")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("scrollY") == 0
    for move in (page.go_back, page.go_back, page.go_forward):
        move()
        seen.append(shown.text("h1"))
    assert seen == ["Panels", VIEWS["atlas"], "Panels"]


def test_the_way_back_closes_the_drawer_and_no_more(shown):
    shown.go("panel")
    page, focused = shown.go("atlas"), "document.activeElement.id"
    page.locator("#mosaic").focus()
    shown.press("ArrowRight", "Enter")
    assert page.locator("#drawer").is_visible()
    assert "cell=DE/curr-to-rand/1/bin+mirr,5,0.5,0.1" in shown.address()
    page.go_back()
    assert not page.locator("#drawer").is_visible()
    assert (shown.address(), page.evaluate(focused)) == ("#atlas", "mosaic")
    shown.press("ArrowRight", "Enter", "Escape")
    assert page.evaluate(focused) == "mosaic"


def test_the_tab_key_reaches_all_that_can_be_used(shown):
    page = shown.go("atlas")
    page.evaluate("document.activeElement.blur()")
    usable = page.locator("header a, header button, #view a, #view button, #view summary, #mosaic").count()
    reached = set()
    for _ in range(usable + 2):
        shown.press("Tab")
        reached.add(page.evaluate("(document.activeElement.id || document.activeElement.textContent)"))
    assert {"Atlas", "Panel", "Live", "Inside a run", "theme", "rand/1", "exp", "mirr", "20", "mosaic"} <= reached
    assert "The same as a table" in reached


def test_the_focus_stays_at_what_was_chosen(shown):
    focused = "document.activeElement.closest('label')?.innerText.split('\\n')[0] ?? document.activeElement.textContent"
    page = shown.go("atlas")
    page.get_by_role("button", name="exp", exact=True).focus()
    shown.press("Enter")
    assert page.evaluate(focused) == "exp"
    for view in (LIVE, "inside"):
        page = shown.go(view)
        page.get_by_label("strategy").focus()
        page.get_by_label("strategy").select_option(index=3)
        assert page.evaluate(focused) == "strategy"


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


@pytest.mark.parametrize(("view", "width"), [("atlas", 1400), (LIVE.replace("budget=3000", "budget=1000"), 390)])
def test_nothing_moves_after_a_view_is_there(shown, view, width):
    """What a browser calls the layout shift, from the load of the page on and while runs come in; 0.1 is called good.

    The control: lines put in above all others move them.
    """
    shown.page.goto("about:blank")
    page = shown.go(view, width)
    if view.startswith("live"):
        page.locator(".map-line", has_text="256 of 256").wait_for()
    assert page.evaluate(SHIFTS) < 0.02
    page.evaluate("for (let k = 0; k < 3; k++) document.body.prepend(document.createElement('hr'))")
    assert page.evaluate(SHIFTS) > 0.02


def test_the_footer_has_the_command_that_makes_the_page(shown):
    shown.go("atlas")
    assert shown.text("footer code") == "debox explore STORE --where dimension=3 --where budget=3000 -o page.html"
