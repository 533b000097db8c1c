"""Links, the way back and the keyboard in a real browser: what an address may say, and where the focus stays."""

from urllib.parse import quote

import pytest

LIVE = "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000"
HOSTILE = ['x" ; touch it ; echo "', "$(touch it)", "`touch it`", "x\ntouch it", "x'y", "x y", "-x", ""]
FOCUSED = "document.activeElement.closest('label')?.innerText.split('\\n')[0] ?? document.activeElement.textContent"


def test_no_command_holds_what_is_no_name(modules):
    """In every slot and setting; the control: the usual names give a command."""
    found = modules.evaluate(
        """async (hostile) => {
        const { measureCommand, recipes } = await import('/cell.js')
        const usual = { mutation: 'rand/1', crossover: 'bin', strategy: 'none', N: 5, F: 0.5, Cr: 0.5 }
        const rest = { n: 3, budget: 60, runs: 2, seed: 1 }
        const study = { dimension: 3, budget: 60, planned: 2, seed: 1, shares: [1 / 3, 2 / 3], settings: {} }
        const said = []
        for (const text of hostile) {
            for (const slot of ['mutation', 'crossover', 'strategy', 'N', 'F', 'Cr']) {
                said.push(measureCommand({ ...usual, [slot]: text }, {}, rest))
                said.push(recipes(study, { ...usual, [slot]: text }).command)
                said.push(recipes(study, { ...usual, [slot]: text }).python.split('import').slice(1).join(''))
            }
            said.push(measureCommand(usual, { donors: text }, rest), measureCommand(usual, { [text]: 1 }, rest))
            said.push(measureCommand(usual, {}, { ...rest, seed: text }))
            if (text) said.push(recipes({ ...study, engine: text }, usual).command)
        }
        return [said, measureCommand(usual, { donors: 'not-target' }, rest)]
    }""",
        HOSTILE,
    )
    refused, usual = found
    assert set(refused) == {""}
    assert usual == (
        'debox measure "DE/rand/1/bin none, N=5, F=0.5, Cr=0.5, donors=not-target" -n 3 --budget 60 --runs 2 --seed 1'
    )


@pytest.mark.parametrize("part", ["c=DE/rand/1/bin+{}", "c=DE/{}/bin+none", "c=DE/rand/1/{}+none", "donors={}"])
def test_a_link_with_an_unknown_operator_shows_the_usual_and_says_so(shown, part):
    hostile = HOSTILE[0] if part.startswith("c") else HOSTILE[1]
    page = shown.go("live?" + part.format(quote(hostile, safe="")) + "&n=3&N=300")  # beyond the page: a command
    command = page.locator("#view .recipe pre").inner_text()
    assert command == 'debox measure "DE/rand/1/exp sat, N=300, F=0.5, Cr=0.9" -n 3 --budget 3000 --runs 50 --seed 1'
    assert "touch it" in page.locator(".refusal").inner_text()


def test_operators_of_ones_own_need_their_file(modules):
    """The command has --operators FILE, Python a line that says so; debox's own need neither."""
    found = modules.evaluate("""async () => {
        const { recipes } = await import('/cell.js')
        const operators = { mutation: { 'rand/1': 'rand/1' }, crossover: { bin: 'bin' }, strategy: { none: 'none' } }
        const study = { dimension: 3, budget: 60, planned: 2, seed: 1, shares: [1 / 3, 2 / 3], settings: {}, operators }
        const values = { mutation: 'rand/1', crossover: 'bin', strategy: 'none', N: 5, F: 0.5, Cr: 0.5 }
        return ['none', 'my-own'].map((strategy) => recipes(study, { ...values, strategy }))
    }""")
    own, foreign = found
    assert "--operators" not in own["command"]
    assert own["python"].startswith("import debox\n")
    assert foreign["command"].endswith("--seed 1 --operators FILE")
    assert foreign["python"].startswith("# first import the module that registers my-own\nimport debox\n")


def test_numbers_beyond_the_page_are_kept_in_the_command(shown):
    page = shown.go("live?c=DE/rand/1/bin+mirr&N=300&F=0.5&Cr=0.5&n=200&budget=3000000")
    command = page.locator("#view .recipe pre").inner_text()
    assert "N=300, F=0.5, Cr=0.5" in command
    assert "-n 200 --budget 3000000 " in command
    assert page.locator("output").all_inner_texts() == ["0.5", "0.5", "300", "200", "3\u00a0000\u00a0000"]
    assert page.locator(".status").first.inner_text() == "not stored"


def test_no_command_is_offered_for_a_population_that_is_too_small(shown):
    page = shown.go("live?c=DE/rand/1/bin+none&N=2&F=0.5&Cr=0.5")
    assert page.locator(".status").first.inner_text() == "N must be at least 3 for rand/1, got 2"
    assert page.locator("#view .recipe").count() == 0
    assert page.get_by_role("button", name="go on").is_disabled()


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("live?c=nonsense&N=x", "c=nonsense; N=x"),
        ("live?N=5.5&budget=1e400", "N=5.5; budget=1e400"),
        ("atlas?cell=999999", "cell=999999"),
        ("atlas?cell=0.5", "cell=0.5"),
        ("inside?speed=toString&N=4", "speed=toString; N=4"),
    ],
)
def test_what_a_link_cannot_have_is_said(shown, view, said):
    assert f": {said}. The usual" in shown.go(view).locator(".refusal").inner_text()


def test_empty_values_of_a_link_are_missing_ones(shown):
    for view in ("live?F=&N=&c=&donors=", "atlas?cell=", "inside?speed=&F="):
        assert shown.go(view).locator(".refusal").count() == 0
    assert not shown.page.locator("#drawer").is_visible()


def test_a_long_link_is_read_in_a_moment(modules):
    call = "async () => (await import('/address.js')).parseVariant('DE/' + '/'.repeat(1e6))"
    assert modules.evaluate(call) is None


def test_a_cell_is_named_by_its_configuration_or_by_its_number(modules):
    found = modules.evaluate("""async () => {
        const { cellNamed, cellText } = await import('/address.js'), { StoredStudy } = await import('/study.js')
        const axes = { mutation: ['rand/1'], crossover: ['bin'], strategy: ['mirror', 'none'], N: [5],
            F: [0.5, 1.5], Cr: [0.1] }
        const study = new StoredStudy({ axes, runs: 0, bytes: 3, marks: [60] }, new Uint8Array())
        const texts = [0, 1, 2, 3].map((cell) => cellText(study.valuesOf(cell)))
        const wrong = ['4', '-1', '1e0', 'DE/rand/1/bin mirror,5,0.7,0.1', 'DE/rand/1/bin x,5,0.5,0.1',
            'DE/rand/1/bin mirror,5', '']
        return [texts[3], texts.map((text) => cellNamed(study, text)), cellNamed(study, '2'),
            wrong.map((text) => cellNamed(study, text))]
    }""")
    assert found == ["DE/rand/1/bin none,5,1.5,0.1", [0, 1, 2, 3], 2, [-1] * 7]


def test_a_change_of_view_begins_at_the_top(shown):
    """Were a view's name an element's id, the browser would scroll to it."""
    page = shown.go("live")
    for name, view in (("Atlas", "atlas"), ("Inside a run", "inside"), ("Panel", "panel"), ("Atlas", "atlas")):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_selector(f"nav a[data-view={view}][aria-current]")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("scrollY") == 0
        ids = page.evaluate("['atlas', 'panel', 'live', 'inside'].filter((id) => document.getElementById(id))")
        assert ids == []


def test_the_way_back_closes_the_drawer_and_no_more(shown):
    shown.go("panel")
    page = shown.go("atlas")
    page.locator("#mosaic").focus()
    for key in ("ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert page.locator("#drawer").is_visible()
    assert "cell=DE/curr-to-rand/1/bin+mirr,5,0.5,0.1" in shown.address()
    page.go_back()
    assert not page.locator("#drawer").is_visible()
    assert shown.address() == "#atlas"
    assert page.evaluate("document.activeElement.id") == "mosaic"
    page.keyboard.press("ArrowRight")
    for key in ("Enter", "Escape"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.id") == "mosaic"


def test_the_focus_stays_at_what_was_chosen(shown):
    page = shown.go("atlas")
    page.get_by_role("button", name="exp", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "exp"
    for view in (LIVE, "inside"):
        page = shown.go(view)
        page.get_by_label("strategy").focus()
        page.get_by_label("strategy").select_option(index=3)
        assert page.evaluate(FOCUSED) == "strategy"


def test_the_footer_has_the_command_that_makes_the_page(shown):
    said = shown.go("atlas").locator("footer code").inner_text()
    assert said == "debox explore STORE --where dimension=3 --where budget=3000 -o page.html"


def test_of_several_adaptations_names_addresses_and_commands_tell_which(modules):
    """A command writes it as debox reads it, and nothing of fixed F and Cr; also where all runs have one adaptation."""
    found = modules.evaluate("""async () => {
        const { cellNamed, cellText, configName } = await import('/address.js')
        const { recipes } = await import('/cell.js'), { StoredStudy } = await import('/study.js')
        const axes = { mutation: ['rand/1'], crossover: ['bin'], strategy: ['none'], N: [5],
            adaptation: ['fixed', 'SHADE'], F: [0.5], Cr: [0.5] }
        const header = { axes, runs: 0, bytes: 3, marks: [60], dimension: 3, budget: 60, planned: 2, seed: 1,
            shares: [1 / 3, 2 / 3], settings: {} }
        const study = new StoredStudy(header, new Uint8Array()), all = [0, 1].map((cell) => study.valuesOf(cell))
        const { adaptation, ...alone } = all[1], stored = { ...header, settings: { adaptation } }
        const made = [recipes(study, all[0]), recipes(study, all[1]), recipes(stored, alone)]
        return [all.map(configName), all.map(cellText), all.map((one) => cellNamed(study, cellText(one))),
            made.map(({ command }) => command.split('"')[1])]
    }""")
    names, addresses, cells, commands = found
    rest = "N=5, F=0.5, Cr=0.5"
    assert names == [f"DE/rand/1/bin none {name}, {rest}" for name in ("fixed", "SHADE")]
    assert addresses == [f"DE/rand/1/bin none {name},5,0.5,0.5" for name in ("fixed", "SHADE")]
    assert cells == [0, 1]
    plain = f"DE/rand/1/bin none, {rest}"
    assert commands == [plain, f"{plain}, adaptation=SHADE", f"{plain}, adaptation=SHADE"]


def test_an_adaptation_is_chosen_live_and_gives_the_command_that_runs_it(shown):
    page = shown.go(LIVE)
    page.get_by_label("adaptation").select_option("SHADE")
    command = page.locator("#view .recipe pre")
    text = "DE/rand/1/bin mirr, N=5, F=0.5, Cr=0.5, donors=distinct, adaptation=SHADE"
    assert command.inner_text() == f'debox measure "{text}" -n 3 --budget 3000 --runs 50 --seed 1'
    assert "adaptation=SHADE" in page.url
    assert page.locator("text=generation 1, exactly").count() == 0
