"""Take the pictures of docs/explorer.md from a page of the explorer: python docs/draw_explorer.py out/explorer.html"""

import io
import sys
import tempfile
from pathlib import Path

from benchmarks.browser import chromium
from PIL import Image

FOLDER = Path(__file__).parent / "figures"
COLOURS = 256
VIEWS = {
    "explorer-atlas": "atlas?cell=4234",
    "explorer-live": "live?c=DE/rand/1/exp+sat&N=5&F=0.7&Cr=0.99",
    "explorer-inside": "inside?c=DE/rand/1/bin+mirr&F=1.2&Cr=0.9&N=10&on=1",
}
STEPS = 17  # trials of the run inside: the last one leaves the box


def take(page: Path) -> None:
    """A picture of each view, 1400 pixels wide."""
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as context:
        for name, view in VIEWS.items():
            shown = context.new_page()
            shown.set_viewport_size({"width": 1400, "height": 860})
            shown.goto(f"{page.absolute().as_uri()}#{view}")
            shown.wait_for_selector("html[data-ready]")
            if name == "explorer-live":
                shown.locator(".map-section .soft", has_text="256 of 256").wait_for(timeout=120_000)
            if name == "explorer-inside":
                for _ in range(STEPS):
                    shown.get_by_role("button", name="step").click()
            image = Image.open(io.BytesIO(shown.screenshot()))
            image.convert("RGB").quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
            shown.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
