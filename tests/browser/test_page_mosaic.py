"""Where the cells of the atlas lie: all within the picture, whatever the number of columns."""

import pytest

pytestmark = pytest.mark.slow

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
