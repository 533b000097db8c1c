"""A real browser, watched: what it logs and what it asks for; the explorer of a small study in it, and its modules."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe import FILE as AXE
from benchmarks import browser as real
from explorer_table import EVIL, small_study
from plans import planned

from debox.explore import explorer

CHROMIUM = real.CHROMIUM


@dataclass
class Watched:
    """A page, its errors and the addresses it asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path, width=1400, view=""):
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.goto(path.as_uri() + view, wait_until="load")
        return self.page


@dataclass
class Explorer(Watched):
    """A page with the explorer of a small study; it is loaded once, then only its address changes."""

    file: Path = Path()

    def go(self, view, width=1400):
        """Show a view."""
        self.open(self.file, width, f"#{view}")
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    def address(self):
        """The part from # on; playwright's own idea of it comes late."""
        return self.page.evaluate("location.hash")

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """A Chromium with a profile of its own."""
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing: `make test` installs it (apt-get install chromium)")
    with real.chromium(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture(scope="session")
def axe():
    """The script that looks for barriers."""
    if not AXE.exists():
        pytest.fail(f"{AXE} is missing: `make test` fetches it (python tests/helpers/axe.py {AXE})")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def new_page(chromium):
    """new_page(): another page, watched; who asked for it closes it."""
    return lambda: Watched(chromium.new_page())


@pytest.fixture
def browser(new_page):
    """A new page, watched."""
    watched = new_page()
    yield watched
    watched.page.close()


@pytest.fixture(scope="session")
def modules(chromium):
    """An empty page that imports the explorer's modules."""
    page = real.open_modules(chromium)
    yield page
    page.close()


@pytest.fixture(scope="session")
def run(modules):
    """run(module, body, a): what this body of a function gives, which has the module `m` and the argument `a`."""
    function = "async (a) => {{ const m = await import('/{}.js'); {} }}"
    return lambda module, body, a=None: modules.evaluate(function.format(module, body), a)


@pytest.fixture(scope="session")
def explorer_file(tmp_path_factory):
    """The explorer of the small study, one of whose strategies has a malicious name."""
    path, table = tmp_path_factory.mktemp("explorer") / "page.html", small_study()
    text = explorer(table, study=planned(table, name="small", runs=3))
    path.write_text(text.replace("my-own", EVIL.replace("<", "\\u003c")), encoding="utf-8")  # debox refuses such names
    return path


@pytest.fixture(scope="session")
def explorer_page(chromium, explorer_file):
    found = Explorer(chromium.new_page(), file=explorer_file)
    yield found
    found.page.close()


@pytest.fixture
def shown(explorer_page):
    """The explorer, after which the console must be empty."""
    explorer_page.page.bring_to_front()  # behind another page it would draw one frame a second
    explorer_page.requests.clear()
    yield explorer_page
    errors, explorer_page.errors = explorer_page.errors, []
    assert errors == []
