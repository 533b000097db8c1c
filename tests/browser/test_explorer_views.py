"""Atlas, panels and the drawer of a configuration in a real browser."""

import re
import shlex
from io import BytesIO
from types import SimpleNamespace

import matplotlib.image
import numpy as np
import pytest
from explorer_table import small_study
from playwright.sync_api import expect

import debox
from debox import Config


def test_a_cell_of_the_atlas_opens_its_distribution_by_keys(shown):
    page = shown.go("atlas")
    page.locator("#mosaic").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert re.search(r"DE/.*, N=5, F=1.5, Cr=0.5\b.*median", page.locator(".readout").inner_text())
    page.keyboard.press("Enter")
    drawer = page.locator("#drawer")
    assert "F=1.5, Cr=0.5" in drawer.locator("h2").inner_text()
    assert drawer.locator(".ecdf circle").count() == 3  # every run is a dot
    assert "cell=" in shown.address()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert "F=1.5, Cr=0.5" in drawer.locator("h2").inner_text()
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert "cell=" not in shown.address()


def test_the_tab_key_reaches_all_that_can_be_used(shown):
    page = shown.go("atlas")
    page.evaluate("document.activeElement.blur()")
    usable = page.locator("header a, header button, #view a, #view button, #view summary, #mosaic").count()
    reached = set()
    for _ in range(usable + 2):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(document.activeElement.id || document.activeElement.textContent)"))
    assert {"Atlas", "Panel", "Live", "Inside a run", "theme", "rand/1", "exp", "mirr", "20", "mosaic"} <= reached
    assert "The same as a table" in reached


def test_pointing_and_clicking_find_the_cell_that_is_drawn_there(shown):
    page = shown.go("atlas?N=20&crossover=exp")
    box = page.locator("#mosaic").bounding_box()
    place = page.evaluate("""() => {
        const canvas = document.getElementById('mosaic')
        return [canvas.clientWidth, canvas.clientHeight]
    }""")
    assert place[0] == pytest.approx(box["width"])
    page.mouse.move(box["x"] + 58, box["y"] + 46)  # the corner of the first grid: largest F, smallest Cr
    assert "N=20, F=1.5, Cr=0.1" in page.locator(".readout").inner_text()
    page.mouse.click(box["x"] + 58, box["y"] + 46)
    assert "N=20, F=1.5, Cr=0.1" in page.locator("#drawer h2").inner_text()
    page.get_by_role("button", name="close").click()
    expect(page.locator("body")).to_have_css("padding-right", "0px")  # the view is as wide as it was
    page.mouse.dblclick(box["x"] + 58, box["y"] + 46)
    assert page.locator("h1").inner_text() == "Panels"


def test_filters_are_in_the_address(shown):
    page = shown.go("atlas")
    page.get_by_role("button", name="rand/1", exact=True).click()
    page.get_by_role("button", name="20", exact=True).click()
    assert shown.address().endswith("#atlas?mutation=rand/1&N=20")
    page.locator("summary").click()
    page.locator("details table").first.wait_for()
    assert page.locator("details tbody tr").count() == 2 * 4  # crossovers × strategies


def test_a_panel_is_that_of_the_spec(shown):
    """A rectangle for each F and Cr, bars that count the three runs, a circle at (Cr, F/2)."""
    picture = shown.go("panel?p=DE/rand/1/exp+sat,5").locator(".panel-picture")
    assert picture.locator(".frame-line").count() == picture.locator(".place").count() == 2 * 3
    wide, tall = (float(picture.locator(".frame-line").first.get_attribute(side)) for side in ("width", "height"))
    bars = picture.evaluate("p => [...p.querySelectorAll('g[class^=bar] rect')].map(r => +r.getAttribute('width'))")
    assert sum(bars) == pytest.approx(6 * wide, rel=0.02)  # all runs of each cell; notches have no length here
    frame, circle = picture.locator(".frame-line").first, picture.locator(".place").first  # F = 0.5, Cr = 0.1
    assert float(circle.get_attribute("cx")) - float(frame.get_attribute("x")) == pytest.approx(0.1 * wide)
    assert float(circle.get_attribute("cy")) - float(frame.get_attribute("y")) == pytest.approx(0.75 * tall)


def test_the_medians_of_panels_are_there_as_tables(shown):
    """F downward from the largest; the cell F = 1.5, Cr = 0.9 has the median that the readout says."""
    page = shown.go("panel?p=DE/rand/1/exp+sat,5&p=DE/rand/1/exp+mirr,5")
    page.locator("summary").click()
    page.locator("details table").first.wait_for()
    assert page.locator("details table").count() == 2
    assert page.locator("details table").first.locator("tbody th").all_inner_texts() == ["1.5", "0.5"]
    page.locator(".panel-picture").first.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    median = re.search(
        r"F=1.5, Cr=0.9: median POIS of DE/rand/1/exp sat, N=5: ([\d.]+)", page.locator(".readout").inner_text()
    )
    assert page.locator("details table").first.locator("tbody tr").first.locator("td").last.inner_text() == median[1]


def test_beside_a_single_panel_is_the_distribution_of_the_cell_under_the_pointer(shown):
    page = shown.go("panel?p=DE/rand/1/exp+sat,5")
    page.locator(".panel-picture").hover(position={"x": 100, "y": 60})
    assert page.locator(".beside h2").inner_text() == "F=1.5, Cr=0.1"
    assert page.locator(".beside .ecdf circle").count() == 3
    assert shown.go("panel?p=DE/rand/1/exp+sat,5&p=DE/rand/1/exp+mirr,5").locator(".beside").count() == 0


def test_the_same_cell_is_outlined_in_all_panels_and_its_difference_is_said(shown):
    page = shown.go("panel?p=DE/rand/1/exp+sat,5&p=DE/rand/1/exp+mirr,5")
    page.locator(".panel-picture").first.hover(position={"x": 120, "y": 60})
    assert page.locator(".outline[visibility=visible]").count() == 2
    said = page.locator(".readout").inner_text()
    numbers = r"DE/rand/1/exp sat, N=5: ([\d.]+); DE/rand/1/exp mirr, N=5: ([\d.]+) \(([+−±])([\d.]+)\)"
    first, second, sign, size = re.search(rf"F=1.5, Cr=.*median POIS of {numbers}", said).groups()
    difference = float(second) - float(first)
    assert (sign, float(size)) == ("+" if difference > 0 else "−", pytest.approx(abs(difference)))
    assert difference != 0
    for panels in (3, 4):
        page.get_by_role("button", name="compare").click()
        assert shown.address().count("p=") == panels
    assert page.get_by_role("button", name="compare").count() == 0  # four are the most
    page.get_by_role("button", name="remove DE/rand/1/exp mirr").click()
    assert shown.address().count("p=") == 3


def test_arrows_move_through_a_panel_and_enter_opens_a_cell(shown):
    page = shown.go("panel?p=DE/rand/1/exp+sat,5")
    page.locator(".panel-picture").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert "DE/rand/1/exp sat, N=5, F=1.5, Cr=0.5" in page.locator("#drawer h2").inner_text()


def taken(page, kind):
    """What a button of the drawer saves."""
    with page.expect_download() as saved:
        page.get_by_role("button", name=kind).click()
    return saved.value.path().read_bytes()


def of_cell_7():
    """The rows of the small study's cell 7: operators are ordered by name, and Cr changes first, then F, then N."""
    values = {"mutation": "current-to-rand/1", "crossover": "bin", "strategy": "mirror", "N": 20, "F": 0.5, "Cr": 0.5}
    rows = small_study()
    chosen = np.all([rows[name] == value for name, value in values.items()], axis=0)
    return values, rows["pois"][chosen]


def test_runs_are_taken_away_with_all_that_they_depend_on(shown):
    """POIS is the same at all marks of this study: 1000, 2000 and 3000 evaluations have so many times it."""
    values, pois = of_cell_7()
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
    dark = taken(shown.page, "SVG").decode()
    picture = taken(shown.page, "PNG")
    assert shown.page.evaluate("document.documentElement.dataset.theme") == "dark"
    shown.page.get_by_role("button", name="light").click()
    assert light == dark
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", light)
    assert texts[:2] == ["DE/curr-to-rand/1/bin mirr, N=20, F=0.5, Cr=0.5", "small: n = 3, budget 3000, 3 runs"]
    assert 'fill="rgb(96, 26, 47)"' in light  # violet bars
    assert {'fill="#ffffff"', 'font-weight="600"'} <= set(re.findall(r'\S+="[^"]*"', light))
    pixels = (255 * matplotlib.image.imread(BytesIO(picture))).round().astype(int)
    height, width = (3 * int(re.search(rf'{side}="(\d+)"', light)[1]) for side in ("height", "width"))
    assert pixels.shape[:2] == (height, width)
    assert pixels[0, 0, :3].tolist() == pixels[-1, -1, :3].tolist() == [255, 255, 255]
    assert (pixels[..., :3] == [96, 26, 47]).all(axis=-1).mean() > 0.01


def test_the_drawer_has_the_quantiles_of_the_runs_and_the_exact_value_of_generation_1(shown):
    page = shown.go("atlas?cell=103")  # as cell 7, with rand/1, for which there is a formula
    rows = dict(zip(*(page.locator(f".numbers {cell}").all_inner_texts() for cell in ("th", "td")), strict=True))
    assert page.locator("#drawer h2").inner_text() == "DE/rand/1/bin mirr, N=20, F=0.5, Cr=0.5"
    pois = small_study()["pois"][3 * 7 : 3 * 8]
    for name, q in (("least", 0), ("5 %", 0.05), ("25 %", 0.25), ("median", 0.5), ("95 %", 0.95), ("largest", 1)):
        assert float(rows[name]) == pytest.approx(np.quantile(pois, q), rel=1e-3), name
    exact = debox.theory.frozen_pois(Config("DE/rand/1/bin mirr, N=20, F=0.5, Cr=0.5"), 3, 3000)
    assert float(rows["generation 1, exactly"]) == pytest.approx(exact, rel=1e-3)
    plate, line = page.locator(".cell-picture .plate").first, page.locator(".cell-picture .mark line")
    left, wide, x = (float(place) for place in (*map(plate.get_attribute, ("x", "width")), line.get_attribute("x1")))
    assert (x - left) / wide == pytest.approx(exact, rel=1e-6)


def test_the_view_makes_room_for_the_drawer_on_a_wide_screen(shown):
    page = shown.go("atlas?cell=7")
    expect(page.locator("body")).to_have_css("padding-right", "432px")
    drawer, atlas = (page.locator(one).bounding_box() for one in ("#drawer", ".frame"))
    assert atlas["x"] + atlas["width"] <= drawer["x"]
    page.keyboard.press("Escape")
    expect(page.locator("body")).to_have_css("padding-right", "0px")


def test_a_student_finds_words_and_formulas(shown):
    page = shown.go("atlas")
    assert "POIS, the proportion of infeasible solutions" in page.locator(".words").inner_text()
    chip = page.get_by_role("button", name="rand/1", exact=True)
    assert chip.get_attribute("title") == "rand/1: v = x_r1 + F (x_r2 − x_r3)"


def test_a_page_that_cannot_begin_says_why(browser, explorer_file, tmp_path):
    path = tmp_path / "broken.html"
    path.write_text(re.sub(r'(id="counts">)\S+', r"\1AAAA", explorer_file.read_text("utf-8")), encoding="utf-8")
    browser.open(path, 1400)
    browser.page.get_by_role("alert").wait_for()
    assert browser.page.get_by_role("alert").inner_text().startswith("This page cannot be shown: ")
    assert len(browser.errors) == 1  # for those who look into the console


USUAL = {"settings": {}, "shares": [1 / 3, 2 / 3], "engine": "auto"}
OTHER = {"settings": {"donors": "not-target", "repair": "mutant", "frozen": True}, "shares": [0.5], "engine": "plain"}
ADAPTIVE = {**USUAL, "settings": {"donors": "distinct", "adaptation": "jDE"}}


@pytest.mark.parametrize("settings", [USUAL, OTHER, ADAPTIVE])
def test_the_recipes_are_the_runs_of_the_study(modules, monkeypatch, settings):
    """What the lines ask `measure` for is what the study plans; that it gives the same runs is `measure`'s promise."""
    study = {"dimension": 3, "budget": 3000, "planned": 7, "seed": 4, **settings}
    values = {"mutation": "current-to-best/1", "crossover": "exp", "strategy": "conservatism"}
    values |= {"N": 5, "F": 0.7, "Cr": 0.9}
    call = """async ([names, ...a]) => {
        (await import('/address.js')).learnNames(names)
        return (await import('/cell.js')).recipes(...a)
    }"""
    shorts = {"mutation": ("current-to-best/1", "curr-to-best/1"), "strategy": ("conservatism", "cons")}
    names = {slot: {name: {"short": short}} for slot, (name, short) in shorts.items()}
    found, asked = modules.evaluate(call, [names, study, values]), []
    monkeypatch.setattr(
        debox, "measure", lambda config, **rest: asked.append((Config(config), rest)) or SimpleNamespace(pois=0)
    )
    exec(found["python"], {})
    ((config, rest),) = asked
    assert config == Config(**values, **settings["settings"])
    engine = {"engine": "plain", "checkpoints": [0.5]} if settings is OTHER else {}
    assert rest == {"n": 3, "budget": 3000, "runs": 7, "rng": 4, **engine}
    if settings is OTHER:
        assert found["command"] == ""
    else:
        *command, text = shlex.split(found["command"])[:3]
        assert (command, Config(text)) == (["debox", "measure"], config)
        assert found["command"].endswith("-n 3 --budget 3000 --runs 7 --seed 4")
