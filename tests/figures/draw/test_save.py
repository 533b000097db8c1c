import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from debox.figures.draw.save import save
from debox.figures.draw.style import empty_figure, in_style

SHOWS = "Two words & a line where p < 1."
SVG = "{http://www.w3.org/2000/svg}"


def saved(folder, form):
    with in_style("paper"):
        figure = empty_figure((2, 1))
        figure.add_subplot().set_title("Some letters")
        return save(figure, folder / f"name.{form}", "name", SHOWS)


def test_svg_has_title_and_description_for_those_who_do_not_see_it(tmp_path):
    root = ET.parse(saved(tmp_path, "svg")).getroot()
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert (root[0].text, root[1].text) == ("name", SHOWS)


def test_svg_needs_no_font_and_no_other_file(tmp_path):
    text = saved(tmp_path, "svg").read_text()
    assert f"{SVG}text" not in {element.tag for element in ET.fromstring(text).iter()}
    assert not re.search(r'(href|src)="(?!#)', text)


def test_png_carries_the_alt_text(tmp_path):
    with Image.open(saved(tmp_path, "png")) as image:
        assert (image.info["Title"], image.info["Description"]) == ("name", SHOWS)
        assert image.size == (600, 300)  # 2 in × 1 in at 300 dpi


def test_nothing_unfinished_is_left_where_the_file_cannot_be(tmp_path):
    (tmp_path / "name.svg").mkdir()
    with pytest.raises(ValueError, match="it is not a file"):
        saved(tmp_path, "svg")
    assert [path.name for path in tmp_path.iterdir()] == ["name.svg"]


def test_files_beside_it_stay_as_they_are(tmp_path):
    other = tmp_path / "name.svg.tmp"
    other.write_text("of someone else")
    saved(tmp_path, "svg")
    assert other.read_text() == "of someone else"
