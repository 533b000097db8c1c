"""The README says what is so: its examples run, its commands are there."""

import re
from pathlib import Path

import pytest
from benchmarks import neighbours
from markdown_pages import code_blocks

import debox

PAGE = Path(__file__).parents[1] / "README.md"
README = PAGE.read_text()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_python_examples_run_and_print_what_is_shown(capsys):
    space = {}
    for example, shown in zip(code_blocks(PAGE, "python"), code_blocks(PAGE, "text"), strict=True):
        exec(example, space)
        assert capsys.readouterr().out == shown
    assert space["result"].fun == pytest.approx(0.1)  # the minimum, at (2, 0.1, 0)


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parents[1] / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["test", "paper"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 100


def test_its_first_page_has_a_picture_for_either_scheme_that_stands_still_on_request_and_says_what_it_shows():
    first = README.split("##")[0]
    expected = [f"docs/{name}-{one}.webp" for name in ("site/still", "figures/inside") for one in ("dark", "light")]
    assert re.findall(r'src(?:set)?="(.*?)"', first) == expected
    assert all((PAGE.parent / path).is_file() for path in expected)
    medias = re.findall(r'media="(.*?)"', first)  # a browser takes the first that holds
    assert ["reduced-motion" in media for media in medias] == [True, True, False]
    assert ["dark" in media for media in medias] == [True, False, True]
    (text,) = re.findall(r'alt="(.*?)"', first)
    assert len(text) > 50


def test_the_table_of_neighbours_is_the_one_that_was_found_with_this_version_of_debox():
    assert neighbours.table(neighbours.kept()) in README, "run `python -m benchmarks.neighbours`"
    assert next(iter(neighbours.kept())) == f"debox {debox.__version__}"


def test_a_feature_that_is_there_is_not_tabled_as_absent():
    parameters = neighbours.parameters(debox.minimize)
    assert neighbours.absent("constr", parameters) == "–"
    with pytest.raises(AssertionError, match="polish"):
        neighbours.absent("Poli", parameters)


@pytest.mark.parametrize(("argument", "error"), [("12", AssertionError), ("x", ValueError), (None, TypeError)])
def test_what_is_accepted_or_fails_with_another_error_is_not_tabled_as_refused(argument, error):
    assert neighbours.refuses(lambda: int("x"), ValueError, "invalid literal") == "–"
    with pytest.raises(error):
        neighbours.refuses(lambda: int(argument), ValueError, "another message")


def test_strategies_that_do_the_same_or_leave_points_outside_count_once_or_not():
    runs = [neighbours.Slope() for _ in range(4)]
    for slope, points in zip(runs, ([1, 2], [1, 2], [2, 1], [1, 5.1]), strict=True):
        for x in points:
            slope([x])
    assert neighbours.count_strategies(runs) == "2"
