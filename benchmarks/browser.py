"""A real browser for tests and benchmarks, and the page's ES modules in it, loaded as they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import debox
from debox.explore.data import operators_of
from debox.explore.html import read

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
ORIGIN = "http://debox.test"  # nobody answers there but `open_modules`
PAGE = Path(debox.__file__).parent / "explore" / "page"

BEGIN = """async ([text, operators]) => {
    const { Core, gunzip, planOf } = await import('/core.js')
    const core = new Core(await WebAssembly.compile(await gunzip(text)))
    Object.assign(window, { core, operators, plan: (config) => planOf(operators, config) })
}"""


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A Chromium with a profile of its own, in an empty folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=list(FLAGS))
        yield context
        context.close()


def open_modules(context: Any) -> Any:
    """An empty page that imports the explorer's modules, `import("/core.js")`, with an instance `core`, the table
    `operators` and a function `plan`, which gives what the core must know of a configuration."""
    page = context.new_page()
    page.route(f"{ORIGIN}/**", _answer)
    page.goto(f"{ORIGIN}/")
    page.evaluate(BEGIN, [read("core.wasm.base64"), operators_of({})])
    return page


def _answer(route: Any) -> None:
    name = route.request.url.removeprefix(ORIGIN).strip("/")
    if name.endswith(".js") and (PAGE / name).is_file():
        route.fulfill(path=PAGE / name, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>" if not name else "", content_type="text/html")
