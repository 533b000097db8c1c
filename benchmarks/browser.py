"""A real browser for tests and benchmarks, and the page's ES modules in it, loaded as they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import debox

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
ORIGIN = "http://debox.test"  # nobody answers there but `open_modules`
FOLDERS = (Path(debox.__file__).parent / "explore" / "page", Path(__file__).parent / "law")


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A Chromium with a profile of its own, in an empty folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=list(FLAGS))
        yield context
        context.close()


def open_modules(context: Any) -> Any:
    """An empty page that imports the explorer's modules, and those of benchmarks/law, as `import("/engine.js")`."""
    page = context.new_page()
    page.route(f"{ORIGIN}/**", _answer)
    page.goto(f"{ORIGIN}/")
    return page


def _answer(route: Any) -> None:
    name = route.request.url.removeprefix(ORIGIN).strip("/")
    found = [folder / name for folder in FOLDERS if name.endswith(".js") and (folder / name).is_file()]
    if found:
        route.fulfill(path=found[0], content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>" if not name else "", content_type="text/html")
