"""A real browser, watched: what it logs and what it asks for."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


@dataclass
class Watched:
    """A page, its errors and the addresses it asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, path, width):
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.goto(path.as_uri(), wait_until="load")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """A Chromium with a profile of its own."""
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing: `make test` installs it (apt-get install chromium)")
    with sync_playwright() as playwright:
        profile = tmp_path_factory.mktemp("profile")
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=list(FLAGS))
        yield context
        context.close()


@pytest.fixture
def browser(chromium):
    """A new page, watched."""
    watched = Watched(chromium.new_page())
    watched.page.on("console", lambda m: watched.errors.append(m.text) if m.type in ("error", "warning") else None)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: watched.requests.append(request.url))
    yield watched
    watched.page.close()
