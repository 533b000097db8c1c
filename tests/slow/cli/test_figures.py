"""debox figures, on a small study that is really run and stored; what it refuses is in tests/cli/test_wrong.py."""

import pytest
from commands import invoke, run_python
from folders import file_names


@pytest.fixture
def draw(stored, tmp_path):
    """draw(figures, option, …): what `debox figures --only FIGURES` prints, of the runs with n = 3, as svg."""

    def call(only, *options, out=tmp_path, formats="svg", where="n=3"):
        chosen = ("--where", where, "--only", only, "--format", formats)
        result = invoke("figures", stored, "--out", out, *chosen, *options)
        assert result.exit_code == 0, result.output
        return result

    return call


def test_it_draws_what_is_asked_and_prints_the_paths(draw, tmp_path):
    result = draw("life,panels/*-exp-sat-N5", formats="png,svg")
    expected = [f"{name}.{form}" for name in ("life", "panels/DE-rand-1-exp-sat-N5") for form in ("png", "svg")]
    assert file_names(tmp_path / "dimension=3") == expected
    assert sorted(result.stdout.splitlines()) == [str(tmp_path / "dimension=3" / name) for name in expected]
    assert "small: n = 3, budget 60, 3 runs.</desc>" in (tmp_path / "dimension=3" / expected[1]).read_text()


def test_an_option_given_again_adds_to_what_it_said_and_what_is_left_out_is_said_on_stderr(draw, tmp_path):
    result = draw("life,mutation*", "--only", "population-sizes", "--where", "budget=60")
    assert result.stdout.splitlines() == [
        str(tmp_path / "dimension=3,budget=60" / f"{name}.svg") for name in ("mutations", "life")
    ]
    assert result.stderr == "left out: population-sizes (no runs)\n"


def test_numbers_are_written_as_csv(draw, tmp_path):
    assert draw("overview", formats="csv").stdout == f"{tmp_path / 'dimension=3' / 'overview.csv'}\n"
    head, *rows = (tmp_path / "dimension=3" / "overview.csv").read_text().splitlines()
    assert head == "mutation,crossover,strategy,N,F,Cr,low,median,high,runs"
    assert [row.rpartition(",")[2] for row in rows] == ["3"] * 8
    assert rows[0].startswith("rand/1,bin,saturation,5,0.5,0.1,")


def test_a_style_for_the_screen_gives_larger_letters(draw, tmp_path):
    sizes = []
    for style in ("paper", "screen"):
        draw("life", "--style", style, out=tmp_path / style)
        text = (tmp_path / style / "dimension=3" / "life.svg").read_text()
        sizes.append(float(text.partition('width="')[2].partition("pt")[0]))
    assert sizes == pytest.approx([3.5 * 72, 1.4 * 3.5 * 72])


def test_without_matplotlib_a_message_says_how_to_get_it(stored, tmp_path):
    code = "import sys; sys.modules['matplotlib'] = None; import debox.cli; debox.cli.main()"
    result = run_python(code, "figures", stored, "--out", tmp_path, "--where", "n=3")
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_paths_are_shown_as_they_were_typed_and_a_tilde_is_the_home_folder(draw, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for out, there in (("drawn", "drawn"), ("~/drawn", "home/drawn")):
        assert draw("life", out=out, formats="csv").stdout == f"{out}/dimension=3/life.csv\n"
        assert (tmp_path / there / "dimension=3" / "life.csv").is_file()
    assert not (tmp_path / "~").exists()


@pytest.mark.parametrize("slot", ["mutation", "crossover", "strategy", "donors"])
def test_a_name_that_leads_out_of_the_folder_is_refused(crafted, tmp_path, slot):
    path = crafted(**{slot: "/../../x"})
    there = sorted(tmp_path.rglob("*"))
    result = invoke("figures", path, "--out", tmp_path / "a" / "b", "--format", "svg")
    assert result.exit_code == 2
    assert f"the column {slot} must be a name of letters, digits, '-' and '/'" in " ".join(result.stderr.split())
    assert sorted(tmp_path.rglob("*")) == there
