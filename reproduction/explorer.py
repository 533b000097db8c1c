"""docs/explorer.html, the explorer of the paper's study, the pictures of its page, and README's moving ones.

`draw explorer` draws all three; with the word `page`, `pictures` or `moving` one only.
"""

import io
import tempfile
from pathlib import Path

from benchmarks.browser import chromium
from PIL import Image

import debox
from debox.explore import explorer
from reproduction.numbers import DOCS
from reproduction.pictures import COLOURS

PAGE, FOLDER = DOCS / "explorer.html", DOCS / "figures"
VIEWS = {
    "explorer-atlas": "atlas?cell=4234",
    "explorer-live": "live?c=DE/rand/1/exp+sat&N=5&F=0.7&Cr=0.99",
    "explorer-inside": "inside?c=DE/rand/1/bin+mirr&F=1.2&Cr=0.9&N=10&on=1",
}
STEPS = 17  # trials of the run inside: the last one leaves the box
MOVING = "inside?c=DE/rand/1/bin+mirr&F=0.8&Cr=0.9&N=10&on=1"
SECONDS, FRAME, SIZE = 20, 100, 440  # of the moving picture: its length, milliseconds of a frame, pixels
STILL = 7  # the frame for readers who prefer no motion: a trial outside, and its way back


def write() -> None:
    """The explorer of the paper's study, into the docs."""
    PAGE.write_text(explorer(debox.open_store("paper")), encoding="utf-8")


def take() -> None:
    """A picture of each view, 1400 pixels wide."""
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as context:
        for name, view in VIEWS.items():
            shown = context.new_page()
            shown.set_viewport_size({"width": 1400, "height": 860})
            shown.goto(f"{PAGE.as_uri()}#{view}")
            shown.wait_for_selector("html[data-ready]")
            shown.wait_for_timeout(1000)  # the view makes room for the drawer half a second after it is opened
            if name == "explorer-live":
                shown.locator(".map-section .soft", has_text="256 of 256").wait_for(timeout=120_000)
            if name == "explorer-inside":
                for _ in range(STEPS):
                    shown.get_by_role("button", name="step").click()
            image = Image.open(io.BytesIO(shown.screenshot()))
            image.convert("RGB").quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
            shown.close()


def record() -> None:
    """A population at the bounds, trial by trial, light and dark. The page's clock goes on by a frame at a time."""
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as context:
        for scheme in ("light", "dark"):
            shown = context.new_page()
            shown.emulate_media(color_scheme=scheme)
            shown.set_viewport_size({"width": 1000, "height": 900})
            shown.clock.install(time=0)
            shown.goto(f"{PAGE.as_uri()}#{MOVING}")
            shown.wait_for_selector("html[data-ready]")
            shown.clock.pause_at(60_000)
            shown.get_by_role("button", name="play").click()
            frames = []
            for _ in range(1000 * SECONDS // FRAME):
                shown.clock.run_for(FRAME)
                image = Image.open(io.BytesIO(shown.locator("#box").screenshot()))
                frames.append(image.convert("RGB").resize((SIZE, SIZE), Image.Resampling.LANCZOS))
            options = {"append_images": frames[1:], "duration": FRAME, "loop": 0, "quality": 60, "method": 6}
            frames[0].save(FOLDER / f"inside-{scheme}.webp", save_all=True, **options)
            frames[STILL].save(DOCS / "site" / f"still-{scheme}.webp", quality=60, method=6)
            shown.close()


WRITERS = {"page": write, "pictures": take, "moving": record}


def draw(*words: str) -> None:
    """What the words name, or all."""
    for word in words or WRITERS:
        WRITERS[word]()
