"""The site of the docs, as `make docs` builds it, in a browser: readable by all, complete without a network."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe import violations

SITE = Path(__file__).parents[2] / "site"
ALL = ("minor", "moderate", "serious", "critical")
PAGES = ("index", "start", "operators", "paper", "explore", "api/minimize")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    """Where the site is served, on this computer alone."""
    if not (SITE / "index.html").exists():
        pytest.fail(f"{SITE} is missing: `make docs` builds it")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def site(browser, address):
    """A page, watched; it must ask for nothing elsewhere, and the console must stay empty."""
    browser.page.set_viewport_size({"width": 1280, "height": 720})
    yield browser
    assert [request for request in browser.requests if not request.startswith((address, "blob:", "data:"))] == []
    assert [text for text in browser.errors if "invalid theme mode" not in text] == []  # the theme's, at a first visit


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_has_a_barrier(site, address, axe, scheme, width):
    """In the dark only the colours are others."""
    rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    site.page.emulate_media(color_scheme=scheme)
    site.page.set_viewport_size({"width": width, "height": 720})
    for page in PAGES:
        site.page.goto(f"{address}{page}.html")
        assert site.page.evaluate("document.documentElement.dataset.theme") == scheme
        assert violations(site.page, axe, rules, impacts=ALL) == [], page
        assert site.page.evaluate("document.documentElement.scrollWidth") <= width, page


def test_the_explorer_loads_when_it_is_asked_for(site, address):
    site.page.goto(f"{address}explore.html")
    assert f"{address}explorer.html" not in site.requests
    site.page.click("#embedded summary")
    site.page.frame_locator("iframe.explorer").get_by_role("heading", level=1).wait_for()
    assert f"{address}explorer.html" in site.requests


def test_a_search_finds_the_page_of_a_function(site, address):
    site.page.goto(f"{address}search.html?q=measure_many")
    site.page.locator("#search-results a[href*='api/measure_many']").first.wait_for()
