"""A real browser, watched: what it logs and what it asks for; and the explorer's modules in it."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from benchmarks import browser as real

CHROMIUM = real.CHROMIUM


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
    with real.chromium(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture
def browser(chromium):
    """A new page, watched."""
    watched = Watched(chromium.new_page())
    watched.page.on("console", lambda m: watched.errors.append(m.text) if m.type in ("error", "warning") else None)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: watched.requests.append(request.url))
    yield watched
    watched.page.close()


@pytest.fixture(scope="session")
def modules(chromium):
    """An empty page that imports the explorer's modules."""
    page = real.open_modules(chromium)
    yield page
    page.close()
