"""The explorer in a real browser: each view, its address, its policy, and nothing but itself."""

import re
import shlex
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from explorer_table import table as few
from plans import planned

import debox
from debox import Config
from debox.design.fields import AXES
from debox.explore import explorer

pytestmark = pytest.mark.slow

EVIL = "<img/src=x/onerror=alert(1)>"
VIEWS = {
    "atlas": "How often does Differential Evolution leave the box?",
    "panel?p=DE/rand/1/exp+sat,5&p=DE/best/1/bin+mirr,20": "Panels",
    "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000": "Live",
    "inside?c=DE/rand/1/bin+tor&F=2&Cr=1": "Inside a run",
}


def table():
    """Three runs of 192 configurations with POIS made up, n = 3, budget 3000."""
    grid = (
        ["rand/1", "best/1"],
        ["bin", "exp"],
        ["mirror", "saturation", "my-own"],
        [5, 20],
        [0.5, 1.5],
        [0.1, 0.5, 0.9],
    )
    cells = list(product(*grid))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells], object), 3) for k, name in enumerate(AXES)}
    columns |= {name: columns[name].astype(float if name in "FCr" else int) for name in ("N", "F", "Cr")}
    pois = np.random.default_rng(1).integers(0, 11, 3 * len(cells)) / 10
    at = dict.fromkeys(("pois", "pois_at_third", "pois_at_two_thirds"), pois)
    return columns | at | {"dimension": np.full(len(pois), 3), "budget": np.full(len(pois), 3000)}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    text = explorer(table(), study=planned(table(), name="small", runs=3))
    path.write_text(text.replace("my-own", EVIL.replace("<", "\\u003c")), encoding="utf-8")  # debox refuses such names
    return path


def go(browser, page, view, width=1400):
    browser.page.set_viewport_size({"width": width, "height": 900})
    browser.page.goto(f"{page.as_uri()}#{view}")
    browser.page.wait_for_selector("html[data-ready]")
    return browser.page


def address(shown):
    """The part from # on; playwright's own idea of it comes late."""
    return shown.evaluate("location.hash")


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.split("?")[0])
@pytest.mark.parametrize("width", [390, 1400])
def test_a_link_opens_its_view_without_errors_requests_or_overflow(browser, page, view, width):
    shown = go(browser, page, view, width)
    assert shown.locator("h1").inner_text() == VIEWS[view]
    assert shown.locator("nav [aria-current]").count() == 1
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    others = {url for url in browser.requests if not url.startswith((page.as_uri(), "data:,", "blob:"))}
    assert (browser.errors, others) == ([], set())


BROKEN = (
    "nonsense?x=1",
    "panel?p=garbage&p=DE/rand/1/exp+sat,7",
    "live?c=x&N=abc&F=9&budget=-1",
    "atlas?cell=99999&N=3",
)


@pytest.mark.parametrize("view", BROKEN)
def test_a_broken_link_shows_what_can_be_shown(browser, page, view):
    shown = go(browser, page, view)
    assert shown.locator("h1").inner_text() in VIEWS.values()
    assert not shown.locator("#drawer").is_visible()
    assert browser.errors == []


@pytest.mark.parametrize("runs", [(1, 0, 0, 0), (3, 0, 1, 2)])
def test_studies_that_are_tiny_or_unfinished_are_shown(browser, tmp_path, runs):
    rows, path = few(runs=runs), tmp_path / "page.html"
    path.write_text(explorer(rows, study=planned(rows, runs=3)), encoding="utf-8")
    for view in ("atlas?cell=0", "panel", "live", "inside"):
        go(browser, path, view)
    assert browser.errors == []


def test_names_of_a_study_stay_text(browser, page):
    shown = go(browser, page, "atlas")
    assert shown.get_by_role("button", name=EVIL).count() == 1
    assert shown.locator("img").count() == 0
    shown.locator("summary").click()
    assert shown.locator("table a", has_text=EVIL).count() == 8
    assert browser.errors == []


def test_the_policy_refuses_scripts_and_styles_from_outside(browser, page):
    """The control: were there no policy, both would work."""
    shown = go(browser, page, "atlas")
    shown.evaluate("""() => {
        const script = document.createElement('script')
        script.textContent = 'window.broken = 1'
        document.body.append(script)
        document.body.setAttribute('style', 'color: rgb(1, 2, 3)')
    }""")
    assert shown.evaluate("window.broken") is None
    assert shown.evaluate("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"


def test_a_cell_of_the_atlas_opens_its_distribution_and_back_goes_back(browser, page):
    shown = go(browser, page, "atlas")
    shown.locator("#atlas").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        shown.keyboard.press(key)
    assert re.search(r"DE/.*, N=5, F=1.5, Cr=0.5\b.*median", shown.locator(".readout").inner_text())
    shown.keyboard.press("Enter")
    drawer = shown.locator("#drawer")
    assert "F=1.5, Cr=0.5" in drawer.locator("h2").inner_text()
    assert drawer.locator("circle").count() == 3  # every run is a dot
    assert "cell=" in address(shown)
    shown.reload()
    shown.wait_for_selector("html[data-ready]")
    assert "F=1.5, Cr=0.5" in drawer.locator("h2").inner_text()
    shown.keyboard.press("Escape")
    assert not drawer.is_visible()
    shown.get_by_role("link", name="Panel", exact=True).click()
    assert shown.locator("h1").inner_text() == "Panels"
    shown.go_back()
    assert shown.locator("h1").inner_text() == VIEWS["atlas"]


def test_filters_are_in_the_address(browser, page):
    shown = go(browser, page, "atlas")
    shown.get_by_role("button", name="rand/1").click()
    shown.get_by_role("button", name="20", exact=True).click()
    assert address(shown).endswith("#atlas?mutation=rand/1&N=20")
    shown.locator("summary").click()
    assert shown.locator("tbody tr").count() == 2 * 3  # crossovers × strategies


def test_a_panel_is_that_of_the_spec(browser, page):
    """A rectangle for each F and Cr, bars that count the three runs, a circle at (Cr, F/2)."""
    shown = go(browser, page, "panel?p=DE/rand/1/exp+sat,5")
    picture = shown.locator(".panel-picture")
    assert picture.locator(".frame-line").count() == picture.locator(".place").count() == 2 * 3
    wide, tall = (float(picture.locator(".frame-line").first.get_attribute(side)) for side in ("width", "height"))
    bars = picture.evaluate("p => [...p.querySelectorAll('g[class^=bar] rect')].map(r => +r.getAttribute('width'))")
    assert sum(bars) == pytest.approx(6 * wide, rel=0.02)  # all runs of each cell; notches have no length here
    frame, circle = picture.locator(".frame-line").first, picture.locator(".place").first  # F = 0.5, Cr = 0.1
    assert float(circle.get_attribute("cx")) - float(frame.get_attribute("x")) == pytest.approx(0.1 * wide)
    assert float(circle.get_attribute("cy")) - float(frame.get_attribute("y")) == pytest.approx(0.75 * tall)


def test_the_same_cell_is_outlined_in_all_panels_and_its_difference_is_said(browser, page):
    shown = go(browser, page, "panel?p=DE/rand/1/exp+sat,5&p=DE/rand/1/exp+mirr,5")
    shown.locator(".panel-picture").first.hover(position={"x": 120, "y": 60})
    assert shown.locator(".outline[visibility=visible]").count() == 2
    assert re.search(
        r"F=1.5, Cr=.*median POIS .*; DE/rand/1/exp mirr, N=5: .*[+−±]", shown.locator(".readout").inner_text()
    )
    shown.get_by_role("button", name="compare").click()
    assert address(shown).count("p=") == 3


def test_a_configuration_can_be_taken_away(browser, page):
    shown = go(browser, page, "atlas?cell=7")
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="CSV").click()
    lines = saved.value.path().read_text().splitlines()
    assert (
        lines[0]
        == "mutation,crossover,strategy,N,F,Cr,row,infeasible_at_1000,infeasible_at_2000,infeasible_at_3000,pois"
    )
    assert len(lines) == 1 + 3
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="SVG").click()
    assert saved.value.path().read_text().startswith("<svg")
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="PNG").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


PLAIN = {"shares": [0.5], "engine": "plain"}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"donors": "not-target", **PLAIN},
        {"donors": "not-target", "adaptation": "L-SHADE", **PLAIN},
        {"donors": "distinct", "adaptation": "jDE", **PLAIN},
        {"repair": "mutant", **PLAIN},
    ],
)
def test_the_recipes_are_the_runs_of_the_study(modules, monkeypatch, settings):
    """What the lines ask `measure` for is what the study plans; that it gives the same runs is `measure`'s promise."""
    study = {"donors": "distinct", "reevaluate": True, "frozen": False, "shares": [1 / 3, 2 / 3], "engine": "auto"}
    study |= {"dimension": 3, "budget": 3000, "planned": 7, "seed": 4, "repair": "trial", "adaptation": "fixed"}
    study |= settings
    values = {"mutation": "current-to-best/1", "crossover": "exp", "strategy": "resample", "N": 5, "F": 0.7, "Cr": 0.9}
    call = "async (a) => (await import('/recipes.js')).recipes(...a)"
    found, asked = modules.evaluate(call, [study, values]), []
    monkeypatch.setattr(
        debox, "measure", lambda config, **rest: asked.append((Config(config), rest)) or SimpleNamespace(pois=0)
    )
    exec(found["python"], {})
    ((config, rest),) = asked
    assert config == Config(**values, **{name: study[name] for name in ("donors", "repair", "adaptation")})
    engine = {"engine": "plain", "checkpoints": [0.5]} if settings else {}
    assert rest == {"n": 3, "budget": 3000, "runs": 7, "rng": 4, **engine}
    if settings:
        assert found["command"] == ""
    else:
        *command, text = shlex.split(found["command"])[:3]
        assert (command, Config(text)) == (["debox", "measure"], config)
        assert found["command"].endswith("-n 3 --budget 3000 --runs 7 --seed 4")


def test_live_runs_come_in_and_the_map_fills(browser, page):
    shown = go(browser, page, "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000")
    shown.locator(".status", has_text="measured, 50 runs").wait_for()
    assert "this configuration, stored, 3 runs" in shown.locator(".results .soft").first.inner_text()
    shown.locator(".map-section .soft", has_text="256 of 256").wait_for()
    assert shown.evaluate("document.querySelectorAll('.live-picture .bar-stored rect').length") == 10
    assert browser.errors == []


def test_a_map_is_filled_coarsely_first_and_every_point_once(modules):
    found = modules.evaluate("""async () => {
        const { LiveMap, coarseToFine } = await import('/map.js')
        const jobs = (each) => [...new LiveMap({}, () => {}).jobs({}, each)]
        const runs = (job) => [job.point.x, job.point.y, job.first, job.count]
        const coarse = coarseToFine(8, 8).slice(0, 5).map(({ x, y, size }) => [x, y, size])
        return [coarse, jobs(1).map(runs), jobs(100).map(runs)]
    }""")
    first, quick, slow = found
    assert first == [[x, y, 2] for x, y in ((0, 0), (2, 0), (4, 0), (6, 0), (0, 2))]
    assert len({tuple(run) for run in quick}) == len(quick) == 16 * 16
    assert {tuple(run[2:]) for run in quick} == {(0, 3)}
    assert len({tuple(run) for run in slow}) == len(slow) == 3 * 16 * 16
    assert [run[2] for run in slow] == [0] * 256 + [1] * 256 + [2] * 256


def test_moving_a_slider_starts_anew_and_the_address_follows(browser, page):
    shown = go(browser, page, "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000")
    shown.get_by_role("slider", name="F, scale factor").fill("1.25")
    shown.locator(".status", has_text="measured").wait_for()
    assert "F=1.25" in address(shown)
    assert "F=1.25" in shown.locator(".live-picture").get_attribute("aria-label")
    shown.get_by_role("slider", name="N, population size").fill("2")
    assert shown.locator(".status").first.inner_text() == "N must be at least 3 for rand/1, got 2"


def test_an_operator_without_a_twin_is_shown_with_the_command_that_runs_it(browser, page):
    shown = go(browser, page, f"live?c=DE/rand/1/bin+{EVIL}&N=5&F=0.5&Cr=0.5")
    assert shown.locator("option:disabled").count() == 1
    assert "runs in Python only: debox measure" in shown.locator(".status").first.inner_text()


def test_answers_to_an_older_ticket_are_never_painted_and_busy_workers_are_replaced(modules):
    """Workers made of nothing: they answer when the test says so."""
    found = modules.evaluate("""async () => {
        const { Pool } = await import('/pool.js'), made = [], painted = []
        const make = () => {
            made.push({ posted: [], postMessage(m) { this.posted.push(m) }, terminate() { this.ended = true } })
            return made.at(-1)
        }
        const pool = new Pool(make, 1)
        const answer = (w, k) => w.onmessage({ data: { ...w.posted[k], value: w.posted[k].job } })
        pool.start(['old', 'older'].values(), (data) => painted.push(data.value))
        pool.start(['new', 'newer'].values(), (data) => painted.push(data.value))
        answer(made[0], 0)
        answer(made[0], 1)
        pool.start(['last'].values(), (data) => painted.push(data.value))
        await new Promise((done) => setTimeout(done, 400))
        answer(made[1], 0)
        answer(made[0], 2)
        return [painted, made.length, made[0].ended, made[0].posted.map((m) => m.job)]
    }""")
    assert found == [["new", "last"], 2, True, ["old", "new", "newer"]]


def test_inside_a_run_counts_what_it_shows(browser, page):
    """With F = 2 many trials leave the box; torus brings them back: the strip and the line say so."""
    shown = go(browser, page, "inside?c=DE/rand/1/bin+tor&F=2&Cr=1&N=5")
    told = []
    for _ in range(20):
        shown.get_by_role("button", name="step").click()
        told.append(shown.locator(".readout").inner_text())
    outside = sum("is outside; tor brings it back" in text for text in told)
    accepted = sum("it replaces its target" in text for text in told)
    assert 0 < outside < 20
    counts = shown.locator(".status").inner_text()
    assert counts.startswith(f"{outside} of 20 trials outside")
    assert f"{accepted} accepted, generation 5" in counts


def test_a_walk_is_algorithm_1(modules):
    """Values never rise, points stay in the box, a generation's mutants come from the population before it."""
    found = modules.evaluate("""async () => {
        const { Walk, LANDSCAPES } = await import('/walk.js'), { Random } = await import('/rng.js'), seen = []
        const variant = { mutation: 'best/1', crossover: 'bin', strategy: 'mirror', donors: 'distinct' }
        for (const landscape of Object.keys(LANDSCAPES)) {
            const walk = new Walk({ ...variant, N: 6, F: 0.9, Cr: 0.8 }, landscape, new Random(3))
            for (let generation = 0; generation < 20; generation++) {
                const P = walk.P.slice(), f = walk.f.slice(), x_best = P[2 * walk.best], trials = []
                for (let i = 0; i < 6; i++) {
                    trials.push(walk.step())
                    if (i < 5) seen.push(walk.P.every((x, k) => x === P[k]))
                }
                const replaced = ({ target: i, repaired: [x, y] }) => walk.P[2 * i] === x && walk.P[2 * i + 1] === y
                const outside = ({ trial }) => Math.min(...trial) < 0 || Math.max(...trial) > 1
                const mutant = ({ base, pairs }) => base[0] + 0.9 * (pairs[0][0] - pairs[1][0])
                seen.push(walk.f.every((value, i) => value <= f[i]), walk.P.every((x) => x >= 0 && x <= 1),
                    trials.every((t) => t.base[0] === x_best && t.mutant[0] === mutant(t)),
                    trials.every((t) => t.outside === outside(t)), trials.every((t) => t.accepted === replaced(t)))
            }
        }
        return [seen.length, seen.every(Boolean)]
    }""")
    assert found == [3 * 20 * 10, True]


def test_light_and_dark_follow_the_system_and_the_button(browser, page):
    browser.page.emulate_media(color_scheme="dark")
    shown = go(browser, page, "atlas")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = shown.evaluate(background)
    shown.locator("#theme").click()
    assert shown.evaluate(background) == "rgb(255, 255, 255)" != dark
    browser.page.emulate_media(color_scheme="light")
