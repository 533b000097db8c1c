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


@pytest.fixture
def drawn(run):
    found = packed(table(runs=(3, 3, 1, 2), budget=6000, counts=COUNTS), runs=3, budget=6000)
    return lambda module, body, **given: run(module, STUDY + body, {**found._asdict(), "panel": PANEL, **given})


def test_bars_have_the_colours_of_the_figures(run):
    for name, colour in run("numbers", "return m.CLASS_COLOURS").items():
        assert f".bar-{name} rect {{ fill: {colour} }}" in read("page.css")


def test_bars_of_a_panel_count_runs_of_those_planned_upward_in_their_colours(drawn):
    """Three runs are planned: one has a third of the width. POIS 0.45 lies in the fifth tenth from below.

    The orange bar is notched: its two pieces are shorter by the notch, 0.06 of the width, than three runs.
    """
    body = """
        const { picture } = m.drawPanel(study, a.panel), number = (e, name) => Number(e.getAttribute(name))
        return [...picture.querySelectorAll('.frame-line')].map((frame) => {
            const bars = frame.parentNode.querySelector('g')
            return [bars.getAttribute('class'), [...bars.querySelectorAll('rect')].map((bar) => [
                number(bar, 'width') / number(frame, 'width'),
                (number(frame, 'y') + number(frame, 'height') - number(bar, 'y')) / number(frame, 'height')])]
        })"""
    teal, orange, third, apart = drawn("panel", body)
    assert teal == ["bar-teal", [[1, pytest.approx(0.1)]]]
    assert orange == ["bar-orange", [[pytest.approx(0.47), pytest.approx(0.1)]] * 2]
    assert third == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(0.5)]]]
    assert apart == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(top)] for top in (0.1, 0.6)]]


def test_cells_of_the_atlas_have_the_colour_of_their_median_and_rise_with_F(drawn):
    """Medians 1/6000, 30/6000, 2700/6000 and (600 + 3600)/2/6000; the 5 % quantiles are others."""
    body = """
        const { colourOf } = await import('/numbers.js'), drawn = []
        const layout = m.layoutAtlas(study.axes, 800), context = { strokeRect() {}, fillStyle: '',
            fillRect(x, y, w, h) { if (w === layout.cellWidth) drawn.push([x, y, this.fillStyle]) } }
        m.drawCells(context, layout, study)
        return [drawn, a.medians.map(colourOf), layout.cellWidth, layout.cellHeight]"""
    medians = [1 / 6000, 30 / 6000, 2700 / 6000, 2100 / 6000]
    cells, colours, width, height = drawn("atlas", body, medians=medians)
    assert [colour for *_, colour in cells] == colours
    assert len(set(colours)) == 4
    (x, y, _), *others = cells  # F = 0.5 and Cr = 0.1: below at the left
    assert [(a - x, b - y) for a, b, _ in others] == [(width, 0), (0, -height), (width, -height)]


def test_the_bars_of_a_configuration_have_its_colour_and_its_life_goes_by_stretches(drawn):
    """Cell 3: after 2000, 4000 and 6000 trials 200, 300 and 600 were outside: 0.1, 0.05 and 0.15 of each 2000."""
    body = """
        const colour = (k) => m.cellPicture(study, k, '', NaN).querySelector('g[class^=bar]').getAttribute('class')
        return [[0, 1, 2].map(colour), study.withinStretches(3).map((part) => [...part])]"""
    colours, parts = drawn("cell", body)
    assert colours == ["bar-teal", "bar-orange", "bar-violet"]
    assert parts == [[0.1, 0.6], [0.05, 0.3], [0.15, 0.9]]


@pytest.mark.parametrize(
    ("settings", "link"),
    [
        ({}, ["run it here"]),
        ({"donors": "not-target"}, ["run it here"]),
        ({"donors": "not-parents"}, ["run it here"]),
        ({"repair": "mutant"}, []),
        ({"adaptation": "SHADE"}, []),
    ],
)
def test_the_drawer_has_the_exact_value_and_a_link_if_the_page_runs_the_configuration(drawn, settings, link):
    """The exact value is that of the rule for donors; where F and Cr adapt there is none."""
    body = """
        const drawer = document.createElement('aside'), text = (one) => one.textContent
        study.axes.mutation = ["current-to-best/1"]
        m.showCell(drawer, study, 1, () => {})
        const rows = [...drawer.querySelectorAll('.numbers tr')].map((row) => [...row.children].map(text))
        return [[...drawer.querySelectorAll('a')].map(text), Object.fromEntries(rows)]"""
    links, numbers = drawn("cell", body, changed={"settings": settings})
    assert links == ["its panel", *link]
    if "adaptation" in settings:
        assert "generation 1, exactly" not in numbers
    else:
        config = Config(f"DE/curr-to-best/1/bin mirr, N=5, F=0.5, Cr=0.9, donors={settings.get('donors', 'distinct')}")
        exact = theory.frozen_pois(config, 3, 6000)
        assert float(numbers["generation 1, exactly"]) == pytest.approx(exact, rel=1e-3)


LAYOUT = """
    const [mutations, Crs, width] = a, many = (size) => Array.from({ length: size }, (_, k) => k)
    const axes = { mutation: many(mutations), N: [5, 20], crossover: ['bin'], strategy: ['none'],
        F: [0.5, 1.5], Cr: many(Crs) }
    const last = { mutation: mutations - 1, N: 20, crossover: 'bin', strategy: 'none', F: 1.5, Cr: Crs - 1 }
    const layout = m.layoutAtlas(axes, width), { x, y } = m.placeOf(layout, last)
    return [x + layout.cellWidth, layout.width, y, m.valuesAt(layout, x + 0.5, y + 0.5).Cr]"""


@pytest.mark.parametrize(("mutations", "Crs"), [(2, 5), (30, 50)])
def test_the_last_cell_lies_within_the_picture(run, mutations, Crs):
    """The larger study needs 60 grids of 50 cells of 2 pixels or more: 6000 pixels, of which a screen has 1000."""
    end, width, top, Cr = run("atlas", LAYOUT, [mutations, Crs, 1000])
    assert end <= width
    assert width >= (6000 if Crs == 50 else 1000)
    assert (top, Cr) == (44, Crs - 1)


def test_several_adaptations_are_groups_of_rows_and_arrows_lead_from_one_to_the_next(run):
    """From the top: bin, fixed; bin, SHADE; exp, fixed; exp, SHADE: two strategies each. Below a grid lies the next."""
    body = """
        const axes = { mutation: ['rand/1'], N: [5], crossover: ['bin', 'exp'], adaptation: ['fixed', 'SHADE'],
            strategy: ['mirror', 'none'], F: [0.5, 1.5], Cr: [0.1, 0.9] }
        const layout = m.layoutAtlas(axes, 1000), groups = layout.rows.map((row) => [m.groupName(row), row.strategy])
        const { tops, gridHeight } = layout, gaps = tops.slice(1).map((top, k) => top - tops[k] - gridHeight)
        const { x, y } = m.placeOf(layout, a)
        return [groups, m.valuesAt(layout, x + 0.5, y + 0.5), m.step(axes, a, 'F', -1), gaps]"""
    last = {"mutation": "rand/1", "N": 5, "crossover": "bin", "adaptation": "fixed"}
    last |= {"strategy": "none", "F": 0.5, "Cr": 0.9}
    groups, there, below, gaps = run("atlas", body, last)
    names = ["bin, fixed", "bin, SHADE", "exp, fixed", "exp, SHADE"]
    assert groups == [[name, strategy] for name in names for strategy in ("mirror", "none")]
    assert there == last
    assert below == {**last, "adaptation": "SHADE", "strategy": "mirror", "F": 1.5}
    assert gaps == [5, 12, 5, 12, 5, 12, 5]
