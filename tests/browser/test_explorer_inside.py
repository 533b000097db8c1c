"""Inside a run in a real browser: what is shown is Algorithm 1, and motion only where it is wanted."""

import pytest

RUN = "inside?c=DE/rand/1/bin+tor&Cr=1&N=5"


def test_inside_a_run_counts_what_it_shows(shown):
    """With F = 2 many trials leave the box; torus brings them back: the counts and the line say so."""
    page, told = shown.go(f"{RUN}&F=2"), []
    for _ in range(20):
        page.get_by_role("button", name="step").click()
        told.append(shown.text(".readout"))
    outside = sum("is outside; tor brings it back" in text for text in told)
    accepted = sum("It is no worse: it replaces its target" in text for text in told)
    assert 0 < outside < 20
    counts = shown.text(".status")
    assert counts.startswith(f"{outside} of 20 trials outside")
    assert f"{accepted} accepted, generation 5" in counts
    assert page.locator(".story li").count() == 5


def test_a_coordinate_outside_never_looks_as_if_it_were_inside(run):
    found = run("inside", "return a.map(m.coordinate)", [0, 0.5, 1, 1.2, -0.7, -0.003, 1.00004, -1e-17])
    assert found == ["0.00", "0.50", "1.00", "1.20", "−0.70", "−0.0030", "1.000040", "−0.00000000000000001"]


DRAWN = """async ([frames, enough]) => {
    const canvas = document.getElementById('box'), pictures = new Set()
    const counts = () => document.querySelector('.status').textContent, trial = counts()
    for (let k = 0; k < frames && pictures.size < enough && counts() === trial; k++) {
        pictures.add(canvas.toDataURL())
        await new Promise(requestAnimationFrame)
    }
    return [pictures.size, trial]
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_reader_who_wants_no_motion_sees_one_picture_of_each_trial(shown, motion):
    shown.page.emulate_media(reduced_motion=motion)
    page = shown.go(f"{RUN}&F=0.8&speed=slow")
    page.get_by_role("button", name="play").click()
    page.locator(".status", has_text="of 1 trials").wait_for()
    pictures, trial = page.evaluate(DRAWN, [10, 9] if motion == "reduce" else [500, 2])
    page.get_by_role("button", name="pause").click()
    shown.page.emulate_media(reduced_motion="no-preference")
    assert "of 1 trials" in trial
    assert pictures == 1 if motion == "reduce" else pictures > 1


def test_play_and_pause_in_one_frame_leave_one_loop(shown):
    """Three presses before a frame: it plays, and asks for one frame at a time."""
    asked = shown.go(f"{RUN}&F=0.8&speed=slow").evaluate("""async () => {
        const play = document.querySelector('button.strong'), real = window.requestAnimationFrame
        for (let k = 0; k < 3; k++) play.click()
        let asked = 0
        window.requestAnimationFrame = (act) => { asked++; return real.call(window, act) }
        await new Promise((done) => real(() => real(done)))
        window.requestAnimationFrame = real
        play.click()
        return asked
    }""")
    assert asked in (1, 2)


# A canvas' context that notes what is drawn, in the colours' names
DRAW = """
    const seen = [], style = document.documentElement.style, add = (...at) => path.push(at.slice(0, 2).map(Math.round))
    for (const name of ['outside', 'accent', 'accepted', 'soft', 'ink']) style.setProperty(`--${name}`, name)
    let path = []
    const note = (kind) => function () { seen.push([kind, this[`${kind}Style`], path]) }
    const context = { beginPath: () => { path = [] }, lineTo: add, arc: add, fill: note('fill'), stroke: note('stroke'),
        setLineDash() {}, fillRect() {}, strokeRect() {},
        fillText(text) { if (text) seen.push(['text', this.fillStyle, text]) } }
    m.drawWalk(context, 400, 0.5, 1, new Float64Array(), a, 1, null)
    document.documentElement.removeAttribute('style')
    return seen"""
NEAR = {"x": [0.5, 0.5], "base": [0.5, 0.5], "pairs": [[0.9, 0.5], [0.1, 0.5]]}
NEAR |= {"mutant": [1.3, 0.5], "trial": [1.3, 0.5]}
NEAR |= {"target": 0, "outside": True, "repaired": [0.7, 0.5], "accepted": True, "refused": False}
FAR = NEAR | {"mutant": [2.5, 0.5], "trial": [2.5, 0.5]}


def test_a_trial_outside_is_orange_and_has_an_arrow_to_where_it_is_put(run):
    """The box is 200 pixels wide, from 100 to 300: 1.3 lies at 360, 0.7 at 240, and 0.5 at 200."""
    seen = run("inside", DRAW, NEAR)
    assert ["fill", "outside", [[360, 200]]] in seen
    assert ["stroke", "outside", [[360, 200], [240, 200]]] in seen
    assert ["fill", "accepted", [[240, 200]]] in seen
    assert all(kind != "text" for kind, *_ in seen)
    inside = run("inside", DRAW, NEAR | {"trial": [0.7, 0.5], "outside": False, "accepted": False})
    assert ["fill", "accent", [[240, 200]]] in inside
    assert not any(colour in ("outside", "accepted") for _, colour, _ in inside)


def test_a_trial_further_out_is_marked_where_its_way_leaves_the_picture(run):
    """The arrow begins at its true place, 600; the mark is at the picture's edge, less 10 pixels, on the same line."""
    seen = run("inside", DRAW, FAR)
    assert ["stroke", "outside", [[600, 200], [240, 200]]] in seen
    assert ["text", "outside", "further out"] in seen
    assert [399, 200] in next(path for kind, colour, path in seen if kind == "fill" and colour == "outside")
    assert not any(path == [[360, 200]] for _, _, path in seen)


def test_the_strip_is_orange_where_a_trial_was_outside_and_tall_where_it_was_accepted(run):
    body = """
        const canvas = document.createElement('canvas'), { style } = document.documentElement, ratio = devicePixelRatio
        style.setProperty('--outside', '#ff0000')
        style.setProperty('--soft', '#0000ff')
        m.drawStrip(canvas, 500, [{ outside: true, accepted: false }, { outside: false, accepted: true }])
        document.documentElement.removeAttribute('style')
        return a.map(([x, y]) => [...canvas.getContext('2d').getImageData(x * ratio, y * ratio, 1, 1).data])"""
    pixels = run("inside", body, [[2, 20], [2, 5], [7, 20], [7, 5]])
    assert pixels == [[255, 0, 0, 255], [0, 0, 0, 0], [0, 0, 255, 255], [0, 0, 255, 255]]


RECORD = NEAR | {"generation": 1, "drawn": 1, "f": 0.25, "before": 0.5}
WORSE = RECORD | {"accepted": False, "f": 0.75}
LOST = WORSE | {"f": None, "refused": True}


@pytest.mark.parametrize(
    ("record", "fate", "end"),
    [
        (RECORD, "mirror brings it back. It is no worse: it replaces its target", "accepted value 0.250 ≤ 0.500"),
        (WORSE, "mirror brings it back. It is worse: it is forgotten", "forgotten value 0.750 > 0.500"),
        (WORSE, "dismiss puts its target in its place. The target stays as it is", "forgotten value 0.750 > 0.500"),
        (
            LOST,
            "penalty makes it worse than any other. It is forgotten, and its target stays",
            "forgotten without a value",
        ),
    ],
)
def test_the_story_says_what_became_of_a_trial(run, record, fate, end):
    body = "return [m.tell(...a), m.storyOf(a[0], { strategy: a[1], F: 1 }, 1).at(-1).textContent]"
    told = f"Generation 1, target 1. The trial is outside; {fate}."
    assert run("inside", body, [record, fate.split()[0]]) == [told, end]
