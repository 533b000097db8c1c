"""Inside a run in a real browser: what is shown is Algorithm 1, and motion only where it is wanted."""

import pytest

pytestmark = pytest.mark.slow


def test_inside_a_run_counts_what_it_shows(shown):
    """With F = 2 many trials leave the box; torus brings them back: the strip and the line say so."""
    page = shown.go("inside?c=DE/rand/1/bin+tor&F=2&Cr=1&N=5")
    told = []
    for _ in range(20):
        page.get_by_role("button", name="step").click()
        told.append(page.locator(".readout").inner_text())
    outside = sum("is outside; tor brings it back" in text for text in told)
    accepted = sum("It is no worse: it replaces its target" in text for text in told)
    assert 0 < outside < 20
    counts = page.locator(".status").inner_text()
    assert counts.startswith(f"{outside} of 20 trials outside")
    assert f"{accepted} accepted, generation 5" in counts
    assert page.locator(".story li").count() == 5


WALK = """async ([mutation, strategy]) => {
    const { Walk, LANDSCAPES } = await import('/walk.js'), { Random } = await import('/rng.js'), seen = []
    const variant = { mutation, crossover: 'bin', strategy, donors: 'distinct' }
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
            const mutant = ({ base, pairs }) => {
                let v = base[0]
                for (let k = 0; k < pairs.length; k += 2) v += 0.9 * (pairs[k][0] - pairs[k + 1][0])
                return v
            }
            seen.push(walk.f.every((value, i) => value <= f[i]), walk.P.every((x) => x >= 0 && x <= 1),
                trials.every((t) => mutation !== 'best/1' || t.base[0] === x_best),
                trials.every((t) => t.mutant[0] === mutant(t)), trials.every((t) => t.outside === outside(t)),
                trials.every((t) => !t.accepted || replaced(t)),
                trials.every((t) => t.accepted === t.f <= t.before),
                trials.every((t) => strategy !== 'penalty' || !(t.outside && t.accepted)),
                trials.every((t) => (t.drawn > 1) === (strategy === 'resample' && t.outside)))
        }
    }
    return [seen.length, seen.every(Boolean)]
}"""


@pytest.mark.parametrize(
    "names", [("best/1", "mirror"), ("rand-to-best/1", "resample"), ("current-to-best/2", "penalty")]
)
def test_a_walk_is_algorithm_1(modules, names):
    """Values never rise, points stay in the box, a generation's mutants come from the population before it."""
    assert modules.evaluate(WALK, list(names)) == [3 * 20 * 14, True]


def test_a_coordinate_outside_never_looks_as_if_it_were_inside(modules):
    call = "async (xs) => { const m = await import('/story.js'); return xs.map(m.coordinate) }"
    found = modules.evaluate(call, [0, 0.5, 1, 1.2, -0.7, -0.003, 1.00004, -1e-17])
    assert found[:5] == ["0.00", "0.50", "1.00", "1.20", "−0.70"]
    assert found[5:] == ["−0.0030", "1.000040", "−0.00000000000000001"]


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
    page = shown.go("inside?c=DE/rand/1/bin+tor&F=0.8&Cr=1&N=5&speed=slow")
    page.get_by_role("button", name="play").click()
    page.locator(".status", has_text="of 1 trials").wait_for()
    pictures, trial = page.evaluate(DRAWN, [10, 9] if motion == "reduce" else [500, 2])
    page.get_by_role("button", name="pause").click()
    shown.page.emulate_media(reduced_motion="no-preference")
    assert "of 1 trials" in trial
    assert pictures == 1 if motion == "reduce" else pictures > 1
