"""Atlas, panels and the drawer of a configuration in a real browser."""

import re
from io import BytesIO

import matplotlib.image
import numpy as np
import pytest
from explorer_table import small_study
from playwright.sync_api import expect

import debox
from debox import Config

TWO = "panel?p=DE/rand/1/exp+sat,5&p=DE/rand/1/exp+mirr,5"


def test_arrows_lead_from_cell_to_cell_and_enter_opens_one(shown):
    """In the atlas past the end of a grid into the next, whose top is the largest F; in a panel they stay in it."""
    page, drawer = shown.go("atlas"), shown.page.locator("#drawer")
    page.locator("#mosaic").focus()
    shown.press("ArrowRight", "ArrowRight", "ArrowUp")
    assert re.search(r"DE/curr-to-rand/1/bin mirr, N=5, F=1.5, Cr=0.5\b.*median", shown.text(".readout"))
    shown.press("ArrowDown", "ArrowDown", "ArrowLeft", "Enter")
    name = "DE/curr-to-rand/1/bin my-own, N=5, F=1.5, Cr=0.1"
    assert shown.text("#drawer h2").replace("<img/src=x/onerror=alert(1)>", "my-own") == name
    shown.press("Escape")
    shown.press("ArrowUp", "Enter")
    assert shown.text("#drawer h2") == "DE/curr-to-rand/1/bin mirr, N=5, F=0.5, Cr=0.1"
    assert drawer.locator(".ecdf circle").count() == 3  # every run is a dot
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert shown.text("#drawer h2") == "DE/curr-to-rand/1/bin mirr, N=5, F=0.5, Cr=0.1"
    shown.press("Escape")
    assert not drawer.is_visible()
    assert shown.address() == "#atlas"
    page = shown.go("panel?p=DE/rand/1/exp+sat,5")
    page.locator(".panel-picture").focus()
    shown.press("ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "Enter")
    assert shown.text("#drawer h2") == "DE/rand/1/exp sat, N=5, F=1.5, Cr=0.5"


def test_pointing_and_clicking_find_the_cell_that_is_drawn_there(shown):
    page = shown.go("atlas?N=20&crossover=exp")
    box = page.locator("#mosaic").bounding_box()
    x, y = box["x"] + 58, box["y"] + 46  # the corner of the first grid: largest F, smallest Cr
    page.mouse.move(x, y)
    assert "N=20, F=1.5, Cr=0.1" in shown.text(".readout")
    page.mouse.click(x, y)
    assert "N=20, F=1.5, Cr=0.1" in shown.text("#drawer h2")
    page.get_by_role("button", name="close").click()
    expect(page.locator("body")).to_have_css("padding-right", "0px")  # the view is as wide as it was
    page.mouse.dblclick(x, y)
    assert shown.text("h1") == "Panels"


def test_filters_are_in_the_address(shown):
    page = shown.go("atlas")
    for name in ("rand/1", "20", "sat", "mirr"):
        page.get_by_role("button", name=name, exact=True).click()
    assert shown.address() == "#atlas?mutation=rand/1&strategy=mirror,saturation&N=20"
    page.locator("summary").click()
    page.locator("details table").first.wait_for()
    assert page.locator("details tbody tr").count() == 2 * 2  # crossovers × strategies


def test_a_student_finds_words_and_formulas(shown):
    page = shown.go("atlas")
    assert "POIS, the proportion of infeasible solutions" in shown.text(".words")
    chip = page.get_by_role("button", name="rand/1", exact=True)
    assert chip.get_attribute("title") == "rand/1: v = x_r1 + F (x_r2 − x_r3)"


def test_a_panel_is_that_of_the_spec_with_a_cell_beside(shown):
    """A rectangle for each F and Cr, bars that count the three runs, a circle at (Cr, F/2)."""
    page = shown.go("panel?p=DE/rand/1/exp+sat,5")
    picture = page.locator(".panel-picture")
    assert picture.locator(".frame-line").count() == picture.locator(".place").count() == 2 * 3
    frame, circle = (
        picture.locator(one).first.evaluate(
            "one => Object.fromEntries([...one.attributes].map(({ name, value }) => [name, Number(value)]))"
        )
        for one in (".frame-line", ".place")
    )  # F = 0.5, Cr = 0.1
    assert circle["cx"] - frame["x"] == pytest.approx(0.1 * frame["width"])
    assert circle["cy"] - frame["y"] == pytest.approx(0.75 * frame["height"])
    picture.hover(position={"x": 100, "y": 60})
    assert shown.text(".beside h2") == "F=1.5, Cr=0.1"
    assert page.locator(".beside .ecdf circle").count() == 3


def test_the_same_cell_is_outlined_in_all_panels_and_its_difference_is_said(shown):
    """The numbers are also in tables, F downward from the largest."""
    page = shown.go(TWO)
    page.locator(".panel-picture").first.hover(position={"x": 120, "y": 60})
    assert page.locator(".outline[visibility=visible]").count() == 2
    numbers = r"DE/rand/1/exp sat, N=5: ([\d.]+); DE/rand/1/exp mirr, N=5: ([\d.]+) \(([+−±])([\d.]+)\)"
    first, second, sign, size = re.search(rf"F=1.5, Cr=0.1: median POIS of {numbers}", shown.text(".readout")).groups()
    difference = float(second) - float(first)
    assert (sign, float(size)) == ("+" if difference > 0 else "−", pytest.approx(abs(difference)))
    assert difference != 0
    page.locator("summary").click()
    tables = page.locator("details table")
    tables.first.wait_for()
    assert tables.first.locator("tbody th").all_inner_texts() == ["1.5", "0.5"]
    assert [tables.nth(k).locator("td").first.inner_text() for k in (0, 1)] == [first, second]
    for panels in (3, 4):
        page.get_by_role("button", name="compare").click()
        assert shown.address().count("p=") == panels
    assert page.get_by_role("button", name="compare").count() == page.locator(".beside").count() == 0  # four at most
    page.get_by_role("button", name="remove DE/rand/1/exp mirr").click()
    assert shown.address().count("p=") == 3


def taken(page, kind):
    """What a button of the drawer saves."""
    with page.expect_download() as saved:
        page.get_by_role("button", name=kind).click()
    return saved.value.path().read_bytes()


def test_runs_are_taken_away_with_all_that_they_depend_on(shown):
    """POIS is the same at all marks of this study: 1000, 2000 and 3000 evaluations have so many times it.

    Cell 7 of the small study: operators are ordered by name, and Cr changes first, then F, then N.
    """
    values = {"mutation": "current-to-rand/1", "crossover": "bin", "strategy": "mirror", "N": 20, "F": 0.5, "Cr": 0.5}
    rows = small_study()
    pois = rows["pois"][np.all([rows[name] == value for name, value in values.items()], axis=0)]
    head, *lines = taken(shown.go("atlas?cell=7"), "CSV").decode().splitlines()
    marks = "infeasible_at_1000,infeasible_at_2000,infeasible_at_3000"
    assert head == f"mutation,crossover,strategy,N,F,Cr,dimension,budget,donors,seed,run,{marks},pois"
    fixed = ",".join(map(str, values.values()))
    assert lines == [
        f"{fixed},3,3000,distinct,0,{run},{round(1000 * p)},{round(2000 * p)},{round(3000 * p)},{p:g}"
        for run, p in enumerate(pois)
    ]
    assert len(set(pois)) == len(lines) == 3


def test_a_picture_taken_away_says_what_it_shows_and_is_the_same_in_the_dark(shown):
    """Colours are those of the paper, on white, under the configuration, n, the budget and the runs."""
    light = taken(shown.go("atlas?cell=7"), "SVG").decode()
    shown.page.get_by_role("button", name="dark").click()
    dark, picture = taken(shown.page, "SVG").decode(), taken(shown.page, "PNG")
    assert shown.page.evaluate("document.documentElement.dataset.theme") == "dark"
    shown.page.get_by_role("button", name="light").click()
    assert light == dark
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", light)
    assert texts[:2] == ["DE/curr-to-rand/1/bin mirr, N=20, F=0.5, Cr=0.5", "small: n = 3, budget 3000, 3 runs"]
    assert {'fill="rgb(96, 26, 47)"', 'fill="#ffffff"', 'font-weight="600"'} <= set(re.findall(r'\S+="[^"]*"', light))
    pixels = (255 * matplotlib.image.imread(BytesIO(picture))).round().astype(int)
    assert pixels.shape[:2] == tuple(3 * int(re.search(rf'{side}="(\d+)"', light)[1]) for side in ("height", "width"))
    assert pixels[0, 0, :3].tolist() == pixels[-1, -1, :3].tolist() == [255, 255, 255]
    assert (pixels[..., :3] == [96, 26, 47]).all(axis=-1).mean() > 0.01  # violet bars


def test_the_drawer_has_the_quantiles_of_the_runs_and_the_exact_value_of_generation_1(shown):
    """Cell 103 is as cell 7, with rand/1, for which there is a formula. A wide screen has room for the drawer."""
    page = shown.go("atlas?cell=103")
    rows = dict(zip(*(page.locator(f".numbers {cell}").all_inner_texts() for cell in ("th", "td")), strict=True))
    assert shown.text("#drawer h2") == "DE/rand/1/bin mirr, N=20, F=0.5, Cr=0.5"
    pois = small_study()["pois"][3 * 7 : 3 * 8]
    for name, q in (("least", 0), ("5 %", 0.05), ("25 %", 0.25), ("median", 0.5), ("95 %", 0.95), ("largest", 1)):
        assert float(rows[name]) == pytest.approx(np.quantile(pois, q), rel=1e-3), name
    exact = debox.theory.frozen_pois(Config("DE/rand/1/bin mirr, N=20, F=0.5, Cr=0.5"), 3, 3000)
    assert float(rows["generation 1, exactly"]) == pytest.approx(exact, rel=1e-3)
    plate, line = page.locator(".cell-picture .plate").first, page.locator(".cell-picture .mark line")
    left, wide, x = (float(place) for place in (*map(plate.get_attribute, ("x", "width")), line.get_attribute("x1")))
    assert (x - left) / wide == pytest.approx(exact, rel=1e-6)
    expect(page.locator("body")).to_have_css("padding-right", "432px")
    drawer, atlas = (page.locator(one).bounding_box() for one in ("#drawer", ".frame"))
    assert atlas["x"] + atlas["width"] <= drawer["x"]
    page.set_viewport_size({"width": 1250, "height": 900})
    narrow = page.locator(".frame").evaluate("frame => frame.clientWidth")
    expect(page.locator("#mosaic")).to_have_css("width", f"{narrow}px")
