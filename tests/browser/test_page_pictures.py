"""The page's pictures, of four cells whose counts are made up: what is drawn where, by hand."""

import pytest
from explorer_table import packed, table

from debox import Config, theory
from debox.explore.bundle import source
from debox.study.fields import AXES

PANEL = {"mutation": "rand/1", "crossover": "bin", "strategy": "mirror", "N": 5}
# F and Cr: 0.5, 0.1: teal; 0.5, 0.9: orange; 1.5, 0.1: a run of three, violet; 1.5, 0.9: two camps of one run each
COUNTS = [0, 1, 6, 30, 30, 30, 2700, 600, 3600]
STUDY = """
    const { StoredStudy, gunzip } = await import('/data.js'), { summarise } = await import('/summary.js')
    const study = Object.assign(new StoredStudy(a.header, await gunzip(a.counts)), a.changed ?? {})
    study.summary = (cell) => summarise(study.pois(cell))
"""


def run(modules, body, **given):
    found = packed(table(runs=(3, 3, 1, 2), budget=6000, counts=COUNTS), runs=3, budget=6000)
    argument = {"header": found.header, "counts": found.counts, "panel": PANEL, **given}
    return modules.evaluate(f"async (a) => {{ {STUDY} {body} }}", argument)


def test_the_axes_of_the_page_are_those_of_a_study(modules):
    assert run(modules, "return Object.keys(study.valuesOf(0))") == list(AXES)


def test_bars_have_the_colours_of_the_figures(modules):
    colours = run(modules, "return (await import('/scale.js')).CLASS_COLOURS")
    assert colours.keys() == {"teal", "orange", "violet"}
    for name, colour in colours.items():
        assert f".bar-{name} rect {{ fill: {colour} }}" in source("page.css")


def test_bars_of_a_panel_count_runs_of_those_planned_upward_in_their_colours(modules):
    """Three runs are planned: one has a third of the width. POIS 0.45 lies in the fifth tenth from below.

    The orange bar is notched: its two pieces are shorter by the notch, 0.06 of the width, than three runs.
    """
    body = """
        const { drawPanel } = await import('/panelchart.js'), number = (e, name) => Number(e.getAttribute(name))
        const { picture } = drawPanel(study, a.panel)
        return [...picture.querySelectorAll('.frame-line')].map((frame) => {
            const bars = frame.parentNode.querySelector('g')
            return [bars.getAttribute('class'), [...bars.querySelectorAll('rect')].map((bar) => [
                number(bar, 'width') / number(frame, 'width'),
                (number(frame, 'y') + number(frame, 'height') - number(bar, 'y')) / number(frame, 'height')])]
        })"""
    teal, orange, third, camps = run(modules, body)
    assert teal == ["bar-teal", [[1, pytest.approx(0.1)]]]
    assert orange == ["bar-orange", [[pytest.approx(0.47), pytest.approx(0.1)]] * 2]
    assert third == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(0.5)]]]
    assert camps == ["bar-violet", [[pytest.approx(1 / 3), pytest.approx(top)] for top in (0.1, 0.6)]]


def test_cells_of_the_atlas_have_the_colour_of_their_median_and_rise_with_F(modules):
    """Medians 1/6000, 30/6000, 2700/6000 and (600 + 3600)/2/6000; the 5 % quantiles are others."""
    body = """
        const { drawCells } = await import('/atlaschart.js'), { layoutAtlas } = await import('/mosaic.js')
        const { colourOf } = await import('/scale.js'), drawn = []
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
    body = "return (await import('/cellchart.js')).withinStretches(study, 3).map((part) => [...part])"
    assert run(modules, body) == [[0.1, 0.6], [0.05, 0.3], [0.15, 0.9]]


def test_the_bars_of_a_configuration_have_its_colour(modules):
    body = """
        const { cellPicture } = await import('/cellchart.js')
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
