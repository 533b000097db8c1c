"""SVG files made parts of a page."""

import re

from debox.figures.draw.save import render
from debox.figures.draw.style import empty_figure, in_style
from debox.report.svg import inline, prefix_ids, round_coordinates

FILE = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg role="img" width="252pt" height="331.2pt" viewBox="0 0 252 331.2" xmlns="http://www.w3.org/2000/svg">
 <title>life</title>
 <metadata><a href="http://example.org/"/></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <path id="a" d="M 1.23456 2 L 3.5 4.999999" style="stroke-width: 0.12345"/>
 <use href="#a"/><use xlink:href="#a"/><g clip-path="url(#a)"/><a href="#elsewhere"/>
</svg>
"""


def test_what_only_files_have_is_gone():
    text = inline(FILE, "figure-life")
    assert text.startswith('<svg id="figure-life" role="img" style="max-width: 315pt" viewBox="0 0 252 331.2"')
    assert "DOCTYPE" not in text
    assert "metadata" not in text
    assert "252pt" not in text  # 1.25 × 252 = 315
    assert text.rstrip().endswith("</svg>")


def test_its_style_does_not_reach_the_rest_of_the_page():
    assert "<style>#figure-life *{stroke-linejoin: round}</style>" in inline(FILE, "figure-life")


def test_ids_and_references_to_them_get_the_name_in_front_and_others_do_not():
    text = prefix_ids('<p id="a"/><use xlink:href="#a"/><g clip-path="url(#a)"/><a href="#elsewhere"/>', "x")
    assert text == '<p id="x-a"/><use xlink:href="#x-a"/><g clip-path="url(#x-a)"/><a href="#elsewhere"/>'


def test_coordinates_of_paths_are_shortened_and_nothing_else():
    text = round_coordinates('<path d="M 1.23456 2 L 3.5 4.999999" style="stroke-width: 0.12345"/>')
    assert text == '<path d="M 1.23 2 L 3.5 4.99" style="stroke-width: 0.12345"/>'


def test_two_figures_share_no_id_and_every_reference_is_answered():
    with in_style("paper"):
        figure = empty_figure((2, 2))
        figure.add_subplot().plot([0, 1], [0, 1], "o")
        svg = render(figure, "svg", "line", "A line.").decode()
    one, other = inline(svg, "one"), inline(svg, "other")
    ids = [re.findall(r'\bid="([^"]+)"', text) for text in (one, other)]
    assert len(ids[0]) > 10
    assert not set(ids[0]) & set(ids[1])
    references = re.findall(r'(?:href="|url\()#([^")]+)', one)
    assert references
    assert set(references) <= set(ids[0])
