"""Where the cells of the atlas lie: all within the picture, whatever the number of columns."""

import pytest

LAYOUT = """async ([mutations, Crs, width]) => {
    const { layoutAtlas, placeOf, valuesAt } = await import('/mosaic.js')
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


def test_a_name_takes_no_more_room_than_its_grid(modules):
    """Letters of 10 pixels: five and an ellipsis in 60."""
    call = """async (texts) => {
        const { fitting } = await import('/atlaschart.js')
        const context = { measureText: (text) => ({ width: 10 * text.length }) }
        return texts.map((text) => fitting(context, text, 60))
    }"""
    assert modules.evaluate(call, ["mirror", "saturation", "n"]) == ["mirror", "satur…", "n"]


def test_several_adaptations_are_groups_of_rows_and_arrows_lead_from_one_to_the_next(modules):
    """From the top: bin, fixed; bin, SHADE; exp, fixed; exp, SHADE: two strategies each. Below a grid lies the next."""
    found = modules.evaluate("""async () => {
        const { groupName, layoutAtlas, placeOf, step, valuesAt } = await import('/mosaic.js')
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


def test_the_name_of_an_adaptation_has_room_beside_its_rows_and_the_crossover_beside_all_of_its(modules):
    """Four grids for each adaptation: its name stands in the middle of them, and no letter is lost."""
    drawn = modules.evaluate("""async () => {
        const { layoutAtlas } = await import('/mosaic.js'), { drawNames } = await import('/atlaschart.js')
        const axes = { mutation: ['rand/1'], N: [5], crossover: ['bin', 'exp'], adaptation: ['fixed', 'L-SHADE'],
            strategy: ['mirror', 'none', 'toroidal', 'dismiss'], F: [0.5, 1.5], Cr: [0.1, 0.9] }
        const layout = layoutAtlas(axes, 1000, 300), drawn = []
        const real = document.createElement('canvas').getContext('2d')
        const at = { save() {}, restore() {}, rotate() {}, translate(x, y) { this.place = [x, y] },
            measureText(text) { real.font = this.font; return real.measureText(text) },
            fillText(text) { drawn.push([text, ...(this.place ?? [])]) } }
        drawNames(at, layout)
        const { tops, gridHeight } = layout, middle = (first, last) => (tops[first] + tops[last] + gridHeight) / 2
        return [drawn, [middle(0, 3), middle(4, 7), middle(8, 11), middle(12, 15)], [middle(0, 7), middle(8, 15)]]
    }""")
    names, of_groups, of_crossovers = drawn
    found = {
        text: [(x, y) for name, x, y in (one for one in names if len(one) == 3) if name == text] for text, *_ in names
    }
    assert [y for _, y in sorted(found["fixed"] + found["L-SHADE"], key=lambda place: place[1])] == of_groups
    assert [found["bin"][0][1], found["exp"][0][1]] == of_crossovers
    assert 10 < found["bin"][0][0] < found["fixed"][0][0] - 14  # beside it, and on the picture
