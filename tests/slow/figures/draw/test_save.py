import io
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from debox.figures.draw.save import FORMATS, render, save
from debox.figures.draw.style import empty_figure, in_style

SHOWS = "Two words & a line where p < 1."


def saved(folder, form):
    with in_style("paper"):
        figure = empty_figure((2, 1))
        figure.add_subplot().set_title("Some letters")
        return save(figure, folder / f"name.{form}", "name", SHOWS)


def test_pdf_carries_the_alt_text_and_its_fonts_as_truetype(tmp_path):
    content = saved(tmp_path, "pdf").read_bytes()
    assert b"/Subject (Two words & a line where p < 1.)" in content
    assert b"/Type0" in content or b"/CIDFontType2" in content
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_figure_gives_the_same_file(tmp_path, form):
    assert saved(tmp_path / "a", form).read_bytes() == saved(tmp_path / "b", form).read_bytes()


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_unfinished_is_left(tmp_path, form):
    assert [path.name for path in saved(tmp_path, form).parent.iterdir()] == [f"name.{form}"]


@pytest.mark.parametrize("engine", ["constrained", "none", None])
def test_a_figure_is_drawn_once_and_looks_as_if_it_were_drawn_twice(engine):
    """savefig alone draws a figure with a layout twice; long labels move what is laid out."""

    def labelled():
        figure = empty_figure((3, 2))
        figure.set_layout_engine(engine)
        ax = figure.add_subplot()
        ax.set(xlabel="a", ylabel="two\nlines", title="Some letters", yticks=[0, 1], yticklabels=["long label", "b"])
        return figure, ax

    with in_style("paper"):
        (figure, ax), (other, _), buffer = labelled(), labelled(), io.BytesIO()
        draws, draw = [], ax.draw
        ax.draw = lambda renderer: draws.append(1) or draw(renderer)
        rendered = render(figure, "png", "name", SHOWS)
        other.savefig(buffer, format="png", metadata={"Title": "name", "Description": SHOWS})
        assert rendered == buffer.getvalue()
        assert len(draws) == 1
        assert render(figure, "png", "name", SHOWS) == rendered  # once more


SVG = "{http://www.w3.org/2000/svg}"


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
