"""Axe finds no serious barrier in any view of the explorer, light and dark, wide and narrow."""

import pytest
from axe import script, violations

VIEWS = (
    "atlas",
    "atlas?cell=7",
    "panel?p=DE/rand/1/exp+sat,5&p=DE/curr-to-rand/1/bin+mirr,20",
    "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000",
    "live?c=DE/rand/1/bin+none&N=5&F=0.5&Cr=0.5&n=3&budget=3000",
    "inside?c=DE/rand/1/bin+tor&F=2&Cr=1",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_no_view_has_a_serious_barrier(shown, axe, scheme, width):
    """In the dark only the colours are others."""
    rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    shown.page.emulate_media(color_scheme=scheme)
    for view in VIEWS:
        page = shown.go(view, width)
        if view.startswith("inside"):
            page.get_by_role("button", name="step").click()
        if view.startswith("panel"):
            page.locator("summary").click()
            page.locator("details table").first.wait_for()
        assert violations(page, axe, rules) == [], view
    shown.page.emulate_media(color_scheme="light")


def test_barriers_are_seen(browser, axe, tmp_path):
    """The control: a picture without a text, and grey text on grey."""
    path = tmp_path / "bad.html"
    path.write_text(
        '<html lang="en"><title>bad</title><img src="data:,"><p style="color: #aaa; background: #bbb">dim</p>'
    )
    browser.open(path, 390)
    assert {rule for rule, *_ in violations(browser.page, axe)} == {"image-alt", "color-contrast"}


def test_another_archive_is_refused():
    with pytest.raises(ValueError, match="has the SHA-512 z4PhNX7v"):  # of nothing
        script(b"")
