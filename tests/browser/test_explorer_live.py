"""Live in a real browser: runs that come in, the newest wins, what the page cannot run, memory."""

import pytest
from explorer_table import EVIL

from debox import registry
from debox.explore.data import SLOTS

pytestmark = pytest.mark.slow

LIVE = "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000"
MOVES = 500
# Between two moves the page has a turn of its loop, without a wait.
MOVE = """async (moves) => {
    const slider = [...document.querySelectorAll('input')].find((one) => one.ariaLabel.startsWith('F,'))
    const { port1, port2 } = new MessageChannel()
    for (let k = 0; k < moves; k++) {
        slider.value = 0.05 + 0.01 * (k % 190)
        slider.dispatchEvent(new Event('input'))
        await new Promise((done) => { port1.onmessage = done; port2.postMessage(0) })
    }
}"""


def test_live_runs_come_in_and_the_map_fills(shown):
    page = shown.go(LIVE)
    page.locator(".status", has_text="measured, 50 runs").wait_for()
    assert "this configuration, stored, 3 runs" in page.locator(".results .soft").first.inner_text()
    page.locator(".map-line", has_text="6 dots: stored; 256 of 256").wait_for()
    for table, cells in ((0, 2 * 10), (1, 16 * 16)):
        page.locator("summary").nth(table).click()
        page.locator("details table").nth(table).wait_for()
        assert page.locator("details table").nth(table).locator("td").count() == cells
    here = page.locator("details table").first.locator("td:nth-child(2)").all_inner_texts()
    stored = page.locator("details table").first.locator("td:nth-child(3)").all_inner_texts()
    assert (sum(map(int, here)), sum(map(int, stored))) == (50, 3)
    assert page.evaluate("document.querySelectorAll('.live-picture .bar-stored rect').length") == 10
    page.get_by_role("button", name="go on to 1000 runs").click()
    page.locator(".status", has_text="measured, 1000 runs").wait_for()


def test_settings_that_nobody_has_stored_run_alone(shown):
    page = shown.go(LIVE.replace("n=3", "n=2"))
    page.locator(".status", has_text="measured, 50 runs").wait_for()
    assert "no stored runs are comparable" in page.locator(".results .soft").first.inner_text()
    assert page.locator(".live-picture .bar-stored").count() == 0
    assert "stored" not in page.locator(".map-line").inner_text()


def test_moving_a_slider_starts_anew_and_the_address_follows(shown):
    page = shown.go(LIVE)
    page.get_by_role("slider", name="F, scale factor").fill("1.25")
    page.locator(".status", has_text="measured").wait_for()
    assert "F=1.25" in shown.address()
    assert "F=1.25" in page.locator(".live-picture").get_attribute("aria-label")
    page.get_by_role("slider", name="N, population size").fill("2")
    assert page.locator(".status").first.inner_text() == "N must be at least 3 for rand/1, got 2"


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        (f"DE/rand/1/bin {EVIL}", EVIL),
        ("DE/rand/1/bin none", "none"),
        ("DE/curr-to-rand/1/exp mirr", "current-to-rand/1"),
    ],
)
def test_an_operator_without_a_twin_is_stored_grey_and_has_a_command(shown, variant, name):
    """The same for one that is chosen: its runs are shown as they are stored."""
    page = shown.go(f"live?c={variant.replace(' ', '+')}&N=5&F=0.5&Cr=0.5&n=3&budget=3000")
    assert page.locator("select.grey").count() == 1
    assert page.locator("optgroup.grey option:checked").get_attribute("value") == name
    assert page.locator(".status").first.inner_text() == "stored"
    assert page.locator(".live-picture .bar-stored rect").count() == 10
    assert not page.locator(".map-section").is_visible()
    command = f'debox measure "{variant}, N=5, F=0.5, Cr=0.5" -n 3 --budget 3000 --runs 50 --seed 1'
    assert page.locator("#view .recipe pre").all_inner_texts() == ([] if name == EVIL else [command])
    page.get_by_label("mutation").select_option("rand/1")
    page.get_by_label("strategy").select_option("mirror")
    page.locator(".status", has_text="measured, 50 runs").wait_for()
    assert page.locator("select.grey").count() == page.locator("#view .recipe").count() == 0


def test_every_operator_of_debox_is_offered(shown):
    page = shown.go(LIVE)
    for slot in SLOTS:
        options = page.locator("label", has=page.get_by_text(slot, exact=True)).locator("option")
        offered = options.evaluate_all("all => all.map((one) => one.value)")
        assert {one.name for one in registry.in_slot(slot)} <= set(offered)


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


def test_a_stored_point_of_the_map_has_all_that_is_nearest_to_it(modules):
    """Between 0.1, 0.5 and 0.9 the borders are 0.3 and 0.7; the pixels there have the colours of their medians."""
    found = modules.evaluate("""async () => {
        const { MapPicture, halfWays } = await import('/mapchart.js'), { colourOf } = await import('/scale.js')
        const picture = new MapPicture()
        picture.begin(452)
        const stored = [[0.1, 0], [0.5, 0.5], [0.9, 1]].map(([Cr, median]) => ({ F: 1, Cr, median }))
        picture.around(stored)
        const at = (F, Cr) => {
            const [x, y] = picture.place(F, Cr).map((p) => Math.round(p * devicePixelRatio))
            const [red, green, blue] = picture.context.getImageData(x, y, 1, 1).data
            return '#' + [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')
        }
        const seen = [[0.1, 0.29], [1.9, 0.31], [1, 0.69], [1, 0.71]].map((place) => at(...place))
        return [halfWays([0.1, 0.5, 0.9], 0, 1), seen, [0, 0.5, 0.5, 1].map(colourOf)]
    }""")
    borders, seen, expected = found
    assert borders == pytest.approx([0, 0.3, 0.7, 1])
    assert seen == expected


@pytest.mark.parametrize(
    ("settings", "config", "comparable"),
    [
        ({}, {}, True),
        ({}, {"n": 4}, False),
        ({}, {"budget": 7}, False),
        ({"donors": "not-target"}, {}, False),
        ({"donors": "not-target"}, {"donors": "not-target"}, True),
        ({"reevaluate": False}, {}, True),
        ({"reevaluate": False}, {"strategy": "dismiss"}, False),
        ({"repair": "mutant"}, {}, True),
        ({"repair": "mutant"}, {"strategy": "resample"}, False),
        ({"repair": "mutant"}, {"strategy": "my-own"}, False),
        ({"frozen": True}, {}, False),
        ({"adaptation": "some"}, {}, False),
    ],
)
def test_only_runs_of_the_same_settings_stand_behind(modules, settings, config, comparable):
    """Live runs with the usual settings; those that make no difference to a strategy are no other settings."""
    study = {"settings": settings, "dimension": 3, "budget": 3000}
    asked = {"strategy": "mirror", "donors": "distinct", "n": 3, "budget": 3000, **config}
    call = "async (a) => (await import('/neighbour.js')).comparable(...a)"
    assert modules.evaluate(call, [study, asked]) == comparable


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


def test_memory_stays_flat_over_many_moves_of_a_slider(shown):
    """After as many moves as make all that is kept; at most 1 MB more, and no more workers or elements.

    A histogram has about 10 kB: five hundred that were kept would be 5 MB.
    """
    page = shown.go(LIVE)
    tools = page.context.new_cdp_session(page)

    def held():
        for _ in range(2):
            page.evaluate("new Promise(requestAnimationFrame)")
            tools.send("HeapProfiler.collectGarbage")
        counters = tools.send("Memory.getDOMCounters")
        return tools.send("Runtime.getHeapUsage")["usedSize"] / 1e6, counters["nodes"], len(page.workers)

    page.evaluate(MOVE, 50)
    memory, elements, workers = held()
    page.evaluate(MOVE, MOVES)
    memory_after, elements_after, workers_after = held()
    tools.detach()
    assert memory_after - memory < 1
    assert elements_after - elements < 1000
    assert workers_after == workers
