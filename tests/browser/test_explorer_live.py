"""Live in a real browser: runs that come in, the newest wins, what the page cannot run, memory."""

import numpy as np
import pytest
from explorer_table import EVIL, small_study

from debox import operators
from debox.operators import SLOTS

LIVE = "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000"
BEHIND = ".results .soft"


def measured(shown, view, runs=50):
    page = shown.go(view)
    page.locator(".status", has_text=f"measured, {runs} runs").wait_for()
    return page


def test_live_runs_come_in_and_the_map_fills(shown):
    page = measured(shown, LIVE)
    assert "this configuration, stored, 3 runs" in shown.text(BEHIND)
    page.locator(".map-line", has_text="6 dots: stored; 256 of 256").wait_for()
    page.locator("summary").nth(1).click()
    page.locator("details table").first.wait_for()
    assert page.locator("details table td").count() == 16 * 16
    assert page.locator(".live-picture .bar-stored rect").count() == 10
    page.get_by_role("button", name="go on to 1000 runs").click()
    page.locator(".status", has_text="measured, 1000 runs").wait_for()


RUN_50 = """(F) => {
    const variant = { mutation: 'rand/1', crossover: 'bin', strategy: 'mirror', donors: 'distinct' }
    core.configure(plan({ ...variant, N: 5, F, Cr: 0.5, n: 3, budget: 3000 }))
    return Array.from({ length: 50 }, (_, k) => core.run(1, k) / 3000)
}"""


def tenths(pois):
    """Runs in [0, 0.1], (0.1, 0.2], …, as the table has them."""
    places = np.maximum(np.ceil(np.round(np.asarray(pois) * 10, 9)), 1).astype(int) - 1
    return [str(count) for count in np.bincount(places, minlength=10)]


def test_the_runs_are_those_of_the_core_before_and_after_a_move(shown, modules):
    """Runs 0 to 49 of seed 1; the three stored ones are those of the cell with the same values."""
    page, table = shown.go(LIVE), small_study()
    page.locator("summary").first.click()
    rows = page.locator("details table").first
    for F in (0.5, 1.5):
        page.get_by_role("slider", name="F, scale factor").fill(str(F))
        page.locator(".status", has_text="measured, 50 runs").wait_for()
        assert rows.locator("td:nth-child(2)").all_inner_texts() == tenths(modules.evaluate(RUN_50, F))
        same = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5, "F": F, "Cr": 0.5}
        stored = table["pois"][np.all([table[name] == value for name, value in same.items()], axis=0)]
        assert rows.locator("td:nth-child(3)").all_inner_texts() == tenths(stored)
        assert page.locator(".live-picture .mark").count() == 1
    assert "F=1.5" in shown.address()
    assert "F=1.5" in page.locator(".live-picture").get_attribute("aria-label")


def test_a_click_on_the_map_chooses_its_place_and_leaves_the_map(shown):
    """Point 4 from the left, 12 from below, of 16: Cr = 4.5/16, F = 2 · 12.5/16; the way back leads back."""
    page = shown.go(LIVE)
    canvas = page.locator(".map canvas")
    canvas.evaluate("(canvas) => { canvas.dataset.same = 'yes' }")
    box = canvas.bounding_box()
    wide, tall = box["width"] - 52, box["height"] - 44  # without the axes: 44 + 8 and 6 + 38
    canvas.click(position={"x": 44 + wide * 4.5 / 16, "y": 6 + tall * 3.5 / 16})
    assert "F=1.5625&Cr=0.2813" in shown.address()
    assert page.locator("output").all_inner_texts()[:2] == ["1.5625", "0.2813"]
    assert "F=1.5625, Cr=0.2813" in page.locator(".live-picture").get_attribute("aria-label")
    assert canvas.get_attribute("data-same") == "yes"
    page.go_back()
    assert "F=0.5&Cr=0.5" in shown.address()


def test_a_study_begins_at_a_configuration_that_it_has(shown):
    """It has F = 0.5 and 1.5, Cr = 0.1, 0.5 and 0.9: 0.5 and 0.9 are nearest to the paper's 0.7 and 0.99."""
    page = shown.go("live")
    assert page.locator("output").all_inner_texts() == ["0.5", "0.9", "5", "3", "3000"]
    assert "this configuration, stored, 3 runs" in shown.text(BEHIND)


def test_settings_that_nobody_has_stored_run_alone(shown):
    page = measured(shown, LIVE.replace("n=3", "n=2"))
    assert "no stored runs are comparable" in shown.text(BEHIND)
    assert page.locator(".live-picture .bar-stored").count() == 0
    assert "stored" not in shown.text(".map-line")


def test_what_no_engine_runs_is_said_and_has_no_command(shown):
    page = shown.go(LIVE.replace("mirr", "none"))
    page.get_by_role("slider", name="N, population size").fill("2")
    assert shown.text(".status") == "N must be at least 3 for rand/1, got 2"
    assert page.locator("#view .recipe").count() == 0
    assert page.get_by_role("button", name="go on").is_disabled()


COMMAND = 'debox measure "{}" -n 3 --budget 3000 --runs 50 --seed 1'


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        (f"DE/rand/1/bin {EVIL}", EVIL),
        ("DE/rand/1/bin none", "none"),
        ("DE/curr-to-rand/1/exp mirr", "current-to-rand/1"),
    ],
)
def test_an_operator_that_the_page_does_not_run_is_stored_grey_and_has_a_command(shown, variant, name):
    """The same for one that is chosen: its runs are shown as they are stored."""
    page = shown.go(f"live?c={variant.replace(' ', '+')}&N=5&F=0.5&Cr=0.5&n=3&budget=3000")
    assert page.locator("select.grey").count() == 1
    assert page.locator("optgroup.grey option:checked").get_attribute("value") == name
    assert shown.text(".status") == "stored"
    assert page.locator(".live-picture .bar-stored rect").count() == 10
    assert not page.locator(".map-section").is_visible()
    expected = [] if name == EVIL else [COMMAND.format(f"{variant}, N=5, F=0.5, Cr=0.5")]
    assert page.locator("#view .recipe pre").all_inner_texts() == expected
    page.get_by_label("mutation").select_option("rand/1")
    page.get_by_label("strategy").select_option("mirror")
    page.locator(".status", has_text="measured, 50 runs").wait_for()
    assert page.locator("select.grey").count() == page.locator("#view .recipe").count() == 0


def test_every_operator_of_debox_is_offered_and_the_link_names_donors_and_adaptation(shown):
    page = shown.go(LIVE)
    for slot in SLOTS:
        options = page.locator("label", has=page.get_by_text(slot, exact=True)).locator("option")
        offered = options.evaluate_all("all => all.map((one) => one.value)")
        assert {one.name for one in operators.in_slot(slot)} <= set(offered)
    page.get_by_label("donors").select_option("not-target")
    page.get_by_label("adaptation").select_option("SHADE")
    assert shown.address().endswith("&donors=not-target&adaptation=SHADE")
    page.get_by_label("donors").select_option("distinct")
    text = "DE/rand/1/bin mirr, N=5, F=0.5, Cr=0.5, donors=distinct, adaptation=SHADE"
    assert shown.text("#view .recipe pre") == COMMAND.format(text)
    assert page.locator("text=generation 1, exactly").count() == 0


def test_a_map_is_filled_coarsely_first_and_every_point_once(run):
    body = """
        const config = { mutation: 'rand/1', crossover: 'bin', strategy: 'mirror', donors: 'distinct', N: 5 }
        const jobs = (each) => [...new m.LiveMap({ operators }, () => {}).jobs(config, each)]
        const runs = (job) => [job.point.x, job.point.y, job.first, job.count]
        const coarse = m.coarseToFine(8).slice(0, 5).map(({ x, y, size }) => [x, y, size])
        return [coarse, jobs(1).map(runs), jobs(100).map(runs)]"""
    first, quick, slow = run("map", body)
    assert first == [[x, y, 2] for x, y in ((0, 0), (2, 0), (4, 0), (6, 0), (0, 2))]
    assert len({tuple(run) for run in quick}) == len(quick) == 16 * 16
    assert {tuple(run[2:]) for run in quick} == {(0, 3)}
    assert len({tuple(run) for run in slow}) == len(slow) == 3 * 16 * 16
    assert [run[2] for run in slow] == [0] * 256 + [1] * 256 + [2] * 256


def test_places_of_the_map_are_those_of_its_axes_and_stored_points_have_all_that_is_nearest(run):
    """F from 0 below to 2 above, Cr from 0 at the left to 1; 452 pixels wide, of which the axes take 52.

    Between points stored at Cr = 0.1, 0.5 and 0.9 the borders are 0.3 and 0.7: there change the colours of medians.
    """
    body = """
        const { colourOf } = await import('/numbers.js'), picture = new m.MapPicture()
        picture.begin(452)
        const stored = [[0.1, 0], [0.5, 0.5], [0.9, 1]].map(([Cr, median]) => ({ F: 1, Cr, median }))
        picture.around(stored)
        const at = ([F, Cr]) => {
            const [x, y] = picture.place(F, Cr).map((p) => Math.round(p * devicePixelRatio))
            const bytes = [...picture.context.getImageData(x, y, 1, 1).data].slice(0, 3)
            return '#' + bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
        }
        const height = picture.size[1], [x, y] = picture.place(0, 1)
        return [[m.settingsAt({ x: 0, y: 0 }), m.settingsAt({ x: 8, y: 15 })], picture.place(2, 0), [x, y - height],
            [picture.pointAt(45, 7), picture.pointAt(443, height - 39), picture.pointAt(43, 7)],
            a.map(at), [0, 0.5, 0.5, 1].map(colourOf)]"""
    found = run("map", body, [[0.1, 0.29], [1.9, 0.31], [1, 0.69], [1, 0.71]])
    assert found[0] == [{"F": 0.0625, "Cr": 0.0313}, {"F": 1.9375, "Cr": 0.5313}]
    assert found[1:3] == [[44, 6], [444, -38]]
    assert found[3] == [{"x": 0, "y": 15}, {"x": 15, "y": 0}, None]
    assert found[4] == found[5]


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
        ({"adaptation": "some"}, {"adaptation": "some"}, True),
        ({}, {"adaptation": "some"}, False),
    ],
)
def test_only_runs_of_the_same_settings_stand_behind(run, settings, config, comparable):
    """Live runs with the usual settings; those that make no difference to a strategy are no other settings."""
    study = {"settings": settings, "dimension": 3, "budget": 3000, "axes": {}}
    asked = {"strategy": "mirror", "donors": "distinct", "n": 3, "budget": 3000, **config}
    body = "return m.StoredStudy.prototype.isComparable.call({ ...a[0], operators }, a[1])"
    assert run("study", body, [study, asked]) == comparable


def test_answers_to_an_older_ticket_are_never_painted_and_busy_workers_are_replaced(run):
    """Workers made of nothing answer when the test says so. One that never does gets its 150 ms once, not anew with
    every one of eight moves, 100 ms apart.
    """
    body = """
        const made = [], painted = [], wait = (time) => new Promise((done) => setTimeout(done, time))
        const make = () => {
            made.push({ posted: [], postMessage(m) { this.posted.push(m) }, terminate() { this.ended = true } })
            return made.at(-1)
        }
        const pool = new m.Pool(make, 1), jobs = () => made[0].posted.map((one) => one.job)
        const start = (...all) => pool.start(all.values(), (data) => painted.push(data.job))
        const answer = (w, k) => w.onmessage({ data: w.posted[k] })
        start('old', 'older')
        start('new', 'newer')
        answer(made[0], 0)
        answer(made[0], 1)
        for (let move = 0; move < 8; move++) {
            start(move)
            await wait(100)
        }
        const ended = made[0].ended
        start('last')
        answer(made[0], 2)
        for (const one of made.slice(1)) one.posted.forEach((_, k) => answer(one, k))
        return [painted, jobs(), ended, made.length > 2]"""
    painted, given, *replaced = run("worker", body)
    assert painted[0] == "new"
    assert set(painted[1:]) <= {"last"}
    assert given == ["old", "new", "newer"]
    assert replaced == [True, True]


DRAG = """
    const { StoredStudy } = await import('/study.js'), started = [], addresses = []
    const root = document.createElement('main')
    const axes = { mutation: ['rand/1'], crossover: ['bin'], strategy: ['mirror'], N: [20], F: [0.5], Cr: [0.5] }
    const header = { axes, operators, runs: 0, bytes: 3, marks: [60], dimension: 3, budget: 60, settings: {} }
    const study = new StoredStudy(header, new Uint8Array())
    const pool = { start(jobs, paint) { started.push({ job: jobs.next().value, paint }) },
        stop() { started.push('stop') } }
    document.body.append(root)
    const view = m.showLive(root, new URLSearchParams(), { study, pool, go: (...all) => addresses.push(all) })
    const slider = [...root.querySelectorAll('input')].find((one) => one.ariaLabel.startsWith('F,'))
    const send = (event, value) => { slider.value = value; slider.dispatchEvent(new Event(event)) }
    const painted = () => {
        const picture = root.querySelector('.live-picture'), bars = [...picture.querySelectorAll('g[class^=bar] rect')]
        const F = picture.getAttribute('aria-label').match(/F=([\\d.]+)/)[1]
        return [F, bars.some((bar) => Number(bar.getAttribute('height')) > 0)]
    }
    const Fs = () => started.map((one) => one.job?.plan.F ?? one), said = []
    for (const F of [0.6, 0.7, 0.8]) send('input', F)
    said.push(Fs())
    started[0].paint({ job: started[0].job, infeasible: [30], milliseconds: 100 })
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    said.push(Fs(), painted(), root.querySelector('.older .status').textContent)
    send('input', 0.9)
    send('change', 0.9)
    said.push(Fs(), addresses.at(-1)[1].F)
    view.close()
    root.remove()
    return [...said, Fs().at(-1)]"""


def test_runs_stream_in_while_a_slider_moves_and_the_newest_place_wins(run):
    """A slider at 0.5 moves to 0.8 before a run is there: the run is painted as one of 0.5, then 0.8 begins.

    Letting the slider go at 0.9 begins at once; leaving the view stops the workers.
    """
    status = "running 1 of 50 in your browser, F=0.5"
    assert run("live", DRAG) == [[0.5], [0.5, 0.8], ["0.5", True], status, [0.5, 0.8, 0.9], 0.9, "stop"]


def test_the_axis_counts_what_the_bars_show(run):
    """Three runs apart before two apart: a half of three runs is no whole number, so the axis ends at 2.

    A run is then half as high as the plate, and a half of the stored ones three quarters.
    """
    body = """
        const config = { mutation: 'x', crossover: 'bin', donors: 'distinct', N: 5, F: 1, Cr: 1, n: 3, budget: 60 }
        const picture = m.drawLive({ operators }, config, [0.05, 0.35, 0.95], [0.15, 0.25])
        const tall = (one) => Number(one.getAttribute('height')), plate = tall(picture.querySelector('.plate'))
        const highest = (bars) => Math.max(...[...bars.querySelectorAll('rect')].map(tall))
        const ticks = [...picture.querySelectorAll('text')].map((text) => text.textContent)
        return [...[...picture.querySelectorAll('g[class^=bar]')].map((bars) => highest(bars) / plate), ticks]"""
    stored, ours, ticks = run("live", body)
    assert [stored, ours] == pytest.approx([0.75, 0.5])
    assert "2" in ticks


MOVE = """async (moves) => {
    const slider = [...document.querySelectorAll('input')].find((one) => one.ariaLabel.startsWith('F,'))
    const { port1, port2 } = new MessageChannel() // between two moves the page has a turn of its loop, without a wait
    for (let k = 0; k < moves; k++) {
        slider.value = 0.05 + 0.01 * (k % 190)
        slider.dispatchEvent(new Event('input'))
        await new Promise((done) => { port1.onmessage = done; port2.postMessage(0) })
    }
}"""


def test_memory_stays_flat_over_many_moves_of_a_slider(shown):
    """After as many moves as make all that is kept; at most 1 MB more, and no more workers or elements.

    A histogram has about 10 kB: five hundred that were kept would be 5 MB.
    """
    page, held = shown.go(LIVE), []
    tools = page.context.new_cdp_session(page)
    for moves in (50, 500):
        page.evaluate(MOVE, moves)
        for _ in range(2):
            page.evaluate("new Promise(requestAnimationFrame)")
            tools.send("HeapProfiler.collectGarbage")
        nodes, bytes_used = tools.send("Memory.getDOMCounters")["nodes"], tools.send("Runtime.getHeapUsage")["usedSize"]
        held.append((bytes_used, nodes, len(page.workers)))
    tools.detach()
    (memory, elements, workers), (memory_after, elements_after, workers_after) = held
    assert memory_after - memory < 1e6
    assert elements_after - elements < 1000
    assert workers_after == workers
