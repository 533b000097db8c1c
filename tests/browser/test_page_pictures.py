"""The page's pictures, of four cells whose counts are made up: what is drawn where, by hand."""

import pytest
from explorer_table import packed, table

from debox import Config, theory
from debox.explore.html import read

PANEL = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5}
# F and Cr: 0.5, 0.1: teal; 0.5, 0.9: orange; 1.5, 0.1: a run of three, violet; 1.5, 0.9: two runs far apart
COUNTS = [0, 1, 6, 30, 30, 30, 2700, 600, 3600]
STUDY = """
    const { StoredStudy } = await import('/study.js'), { gunzip } = await import('/core.js')
    const study = Object.assign(new StoredStudy(a.header, await gunzip(a.counts)), a.changed ?? {})
"""


def run(modules, body, **given):
    found = packed(table(runs=(3, 3, 1, 2), budget=6000, counts=COUNTS), runs=3, budget=6000)
    argument = {"header": found.header, "counts": found.counts, "panel": PANEL, **given}
    return modules.evaluate(f"async (a) => {{ {STUDY} {body} }}", argument)


def test_bars_have_the_colours_of_the_figures(modules):
    colours = run(modules, "return (await import('/numbers.js')).CLASS_COLOURS")
    assert colours.keys() == {"teal", "orange", "violet"}
    for name, colour in colours.items():
        assert f".bar-{name} rect {{ fill: {colour} }}" in read("page.css")


def test_bars_of_a_panel_count_runs_of_those_planned_upward_in_their_colours(modules):
    """Three runs are planned: one has a third of the width. POIS 0.45 lies in the fifth tenth from below.

    The orange bar is notched: its two pieces are shorter by the notch, 0.06 of the width, than three runs.
    """
    body = """
        const { drawPanel } = await import('/panel.js'), number = (e, name) => Number(e.getAttribute(name))
        const { picture } = drawPanel(study, a.panel)
        return [...picture.querySelectorAll('.frame-line')].map((frame) => {
            const bars = frame.parentNode.querySelector('g')
            return [bars.getAttribute('class'), [...bars.querySelectorAll('rect')].map((bar) => [
                number(bar, 'width') / number(frame, 'width'),
                (number(frame, 'y') + number(frame, 'height') - number(bar, 'y')) / number(frame, 'height')])]
        })"""
    teal, orange, third, apart = run(modules, body)
    assert teal == ["bar-teal", [[1, pytest.approx(0.1)]]]
    assert orange == ["bar-orange", [[pytest.approx(0.47), pytest.approx(0.1)]] * 2]
    assert third == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(0.5)]]]
    assert apart == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(top)] for top in (0.1, 0.6)]]


def test_cells_of_the_atlas_have_the_colour_of_their_median_and_rise_with_F(modules):
    """Medians 1/6000, 30/6000, 2700/6000 and (600 + 3600)/2/6000; the 5 % quantiles are others."""
    body = """
        const { drawCells, layoutAtlas } = await import('/atlas.js')
        const { colourOf } = await import('/numbers.js'), drawn = []
        const layout = layoutAtlas(study.axes, 800), context = { strokeRect() {}, fillStyle: '',
            fillRect(x, y, w, h) { if (w === layout.cellWidth) drawn.push([x, y, this.fillStyle]) } }
        drawCells(context, layout, study)
        return [drawn, a.medians.map(colourOf), layout.cellWidth, layout.cellHeight]"""
    medians = [1 / 6000, 30 / 6000, 2700 / 6000, 2100 / 6000]
    drawn, colours, width, height = run(modules, body, medians=medians)
    assert [colour for *_, colour in drawn] == colours
    assert len(set(colours)) == 4
    (x, y, _), *others = drawn  # F = 0.5 and Cr = 0.1: below at the left
    assert [(a - x, b - y) for a, b, _ in others] == [(width, 0), (0, -height), (width, -height)]


def test_the_life_of_a_run_is_told_by_stretches(modules):
    """Cell 3: after 2000, 4000 and 6000 trials 200, 300 and 600 were outside: 0.1, 0.05 and 0.15 of each 2000."""
    found = run(modules, "return study.withinStretches(3).map((part) => [...part])")
    assert found == [[0.1, 0.6], [0.05, 0.3], [0.15, 0.9]]


def test_the_bars_of_a_configuration_have_its_colour(modules):
    body = """
        const { cellPicture } = await import('/cell.js')
        const bars = (k) => cellPicture(study, k, '', NaN).querySelector('g[class^=bar]')
        return [0, 1, 2].map((k) => bars(k).getAttribute('class'))"""
    assert run(modules, body) == ["bar-teal", "bar-orange", "bar-violet"]


@pytest.mark.parametrize(
    ("changed", "link"),
    [
        ({}, "run it here"),
        ({"settings": {"donors": "not-parents"}}, "run it here"),
        ({"settings": {"repair": "mutant"}}, None),
        ({"settings": {"adaptation": "SHADE"}}, None),
    ],
)
def test_only_what_the_page_runs_is_said_to_run_here(modules, changed, link):
    body = """
        const { showCell } = await import('/cell.js'), drawer = document.createElement('aside')
        showCell(drawer, study, 1, () => {})
        return [...drawer.querySelectorAll('a')].map((one) => one.textContent)"""
    assert run(modules, body, changed=changed) == ["its panel", *([link] if link else [])]


NUMBERS = """
    const { showCell } = await import('/cell.js'), drawer = document.createElement('aside')
    study.axes.mutation = ["current-to-best/1"]
    showCell(drawer, study, 1, () => {})
    const texts = (row) => [...row.children].map((one) => one.textContent)
    return Object.fromEntries([...drawer.querySelectorAll('.numbers tr')].map(texts))"""


@pytest.mark.parametrize("donors", ["distinct", "not-target", "not-parents"])
def test_the_exact_value_is_that_of_the_rule_for_donors(modules, donors):
    found = run(modules, NUMBERS, changed={"settings": {} if donors == "distinct" else {"donors": donors}})
    config = Config(f"DE/curr-to-best/1/bin mirr, N=5, F=0.5, Cr=0.9, donors={donors}")
    assert float(found["generation 1, exactly"]) == pytest.approx(theory.frozen_pois(config, 3, 6000), rel=1e-3)


def test_where_F_and_Cr_adapt_there_is_no_exact_value(modules):
    assert "generation 1, exactly" not in run(modules, NUMBERS, changed={"settings": {"adaptation": "jDE"}})


LAYOUT = """async ([mutations, Crs, width]) => {
    const { layoutAtlas, placeOf, valuesAt } = await import('/atlas.js')
    const many = (size) => Array.from({ length: size }, (_, k) => k)
    const axes = { mutation: many(mutations), N: [5, 20], crossover: ['bin'], strategy: ['none'],
        F: [0.5, 1.5], Cr: many(Crs) }
    const last = { mutation: mutations - 1, N: 20, crossover: 'bin', strategy: 'none', F: 1.5, Cr: Crs - 1 }
    const layout = layoutAtlas(axes, width)
    const { x, y } = placeOf(layout, last)
    return [x + layout.cellWidth, y, layout.width, valuesAt(layout, x + 0.5, y + 0.5).Cr,
        placeOf(layout, { ...last, F: 0.5 }).y > y]
}"""


@pytest.mark.parametrize(("mutations", "Crs"), [(2, 5), (30, 50)])
def test_the_last_cell_lies_within_the_picture(modules, mutations, Crs):
    """The larger study needs 60 grids of 50 cells of 2 pixels or more: 6000 pixels, of which a screen has 1000."""
    end, top, width, Cr, upward = modules.evaluate(LAYOUT, [mutations, Crs, 1000])
    assert end <= width
    assert width >= (6000 if Crs == 50 else 1000)
    assert (top, Cr, upward) == (44, Crs - 1, True)


def test_several_adaptations_are_groups_of_rows_and_arrows_lead_from_one_to_the_next(modules):
    """From the top: bin, fixed; bin, SHADE; exp, fixed; exp, SHADE: two strategies each. Below a grid lies the next."""
    found = modules.evaluate("""async () => {
        const { groupName, layoutAtlas, placeOf, step, valuesAt } = await import('/atlas.js')
        const axes = { mutation: ['rand/1'], N: [5], crossover: ['bin', 'exp'], adaptation: ['fixed', 'SHADE'],
            strategy: ['mirror', 'none'], F: [0.5, 1.5], Cr: [0.1, 0.9] }
        const layout = layoutAtlas(axes, 1000), groups = layout.rows.map((row) => [groupName(row), row.strategy])
        const last = { mutation: 'rand/1', N: 5, crossover: 'bin', adaptation: 'fixed', strategy: 'none', F: 0.5,
            Cr: 0.9 }
        const { tops, gridHeight } = layout, gaps = tops.slice(1).map((top, k) => top - tops[k] - gridHeight)
        const { x, y } = placeOf(layout, last)
        return [groups, valuesAt(layout, x + 0.5, y + 0.5), last, step(axes, last, 'F', -1), gaps]
    }""")
    groups, there, last, below, gaps = found
    names = ["bin, fixed", "bin, SHADE", "exp, fixed", "exp, SHADE"]
    assert groups == [[name, strategy] for name in names for strategy in ("mirror", "none")]
    assert there == last
    assert below == {**last, "adaptation": "SHADE", "strategy": "mirror", "F": 1.5}
    assert gaps == [5, 12, 5, 12, 5, 12, 5]
