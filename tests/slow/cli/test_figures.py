"""debox figures, on a small study that is really run and stored."""

from functools import partial

import pytest
from commands import invoke, run_python
from folders import file_names
from stored_rows import STUDY, filled, rows

import debox
from debox.store.manifest import Manifest
from debox.store.store import Writer
from debox.study.study import Study

run = partial(invoke, "figures")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two dimensions, two crossovers, four cells, three runs."""
    path = tmp_path_factory.mktemp("figures") / "store"
    operators = {"mutation": "rand/1", "crossover": ["bin", "exp"], "strategy": "sat", "N": 5}
    study = debox.Study(name="small", **operators, F=[0.5, 1.5], Cr=[0.1, 0.9], n=[2, 3], budget=60, runs=3)
    debox.run(study, path, workers=1)
    return path


def test_it_draws_what_is_asked_and_prints_the_paths(stored, tmp_path):
    only = "life,panels/*-exp-sat-N5"
    result = run(stored, "--out", tmp_path, "--where", "dimension=3", "--only", only, "--format", "png,svg")
    assert result.exit_code == 0, result.output
    expected = [f"{name}.{form}" for name in ("life", "panels/DE-rand-1-exp-sat-N5") for form in ("png", "svg")]
    assert file_names(tmp_path / "dimension=3") == expected
    assert sorted(result.stdout.splitlines()) == [str(tmp_path / "dimension=3" / name) for name in expected]
    assert "small: n = 3, budget 60, 3 runs.</desc>" in (tmp_path / "dimension=3" / expected[1]).read_text()


def test_an_option_given_again_adds_to_what_it_said(stored, tmp_path):
    conditions = ["--where", "n=3", "--where", "budget=60"]
    result = run(
        stored, "--out", tmp_path, *conditions, "--only", "threshold", "--only", "reading-key", "--format", "svg"
    )
    assert result.exit_code == 0, result.output
    assert [line.rpartition("/")[2] for line in result.stdout.splitlines()] == ["threshold.svg", "reading-key.svg"]
    assert "dimension=3" in result.stdout


def test_numbers_are_written_as_csv(stored, tmp_path):
    result = run(stored, "--out", tmp_path, "--where", "n=3", "--only", "overview", "--format", "csv")
    assert result.stdout == f"{tmp_path / 'dimension=3' / 'overview.csv'}\n", result.output
    head, *rows = (tmp_path / "dimension=3" / "overview.csv").read_text().splitlines()
    assert head == "mutation,crossover,strategy,N,F,Cr,low,median,high,runs"
    assert [row.rpartition(",")[2] for row in rows] == ["3"] * 8
    assert rows[0].startswith("rand/1,bin,saturation,5,0.5,0.1,")


def test_what_is_left_out_is_said_on_stderr(stored, tmp_path):
    result = run(
        stored,
        "--out",
        tmp_path,
        "--where",
        "dimension=3",
        "--only",
        "life,mutation*,population-sizes",
        "--format",
        "svg",
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        str(tmp_path / "dimension=3" / f"{name}.svg") for name in ("mutations", "life")
    ]
    assert result.stderr == "left out: population-sizes (no runs)\n"


def test_a_style_for_the_screen_gives_larger_letters(stored, tmp_path):
    sizes = []
    for style in ("paper", "screen"):
        run(
            stored,
            "--out",
            tmp_path / style,
            "--where",
            "dimension=3",
            "--only",
            "life",
            "--format",
            "svg",
            "--style",
            style,
        )
        text = (tmp_path / style / "dimension=3" / "life.svg").read_text()
        sizes.append(float(text.partition('width="')[2].partition("pt")[0]))
    assert sizes == pytest.approx([3.5 * 72, 1.4 * 3.5 * 72])


def test_without_matplotlib_a_message_says_how_to_get_it(stored, tmp_path):
    code = "import sys; sys.modules['matplotlib'] = None; import debox.cli; debox.cli.main()"
    result = run_python(code, "figures", stored, "--out", tmp_path, "--where", "n=3")
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_paths_are_shown_as_they_were_typed_and_a_tilde_is_the_home_folder(stored, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for out, there in (("drawn", "drawn"), ("~/drawn", "home/drawn")):
        result = run(stored, "--out", out, "--where", "dimension=3", "--only", "life", "--format", "svg")
        assert (result.exit_code, result.stdout) == (0, f"{out}/dimension=3/life.svg\n"), result.output
        assert (tmp_path / there / "dimension=3" / "life.svg").is_file()
    assert not (tmp_path / "~").exists()


def crafted(path, study, **changes):
    """A packed store whose rows say something else than debox writes."""
    given = rows(range(3), n=2)
    columns = given | {name: [value] * 3 for name, value in changes.items()}
    filled(Writer.create(path.with_suffix(""), Manifest(study)), columns).pack(path)
    return path


@pytest.mark.parametrize("slot", ["mutation", "crossover", "strategy", "donors"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, slot):
    path = crafted(tmp_path / "evil.parquet", STUDY, **{slot: "/../../x"})
    there = sorted(tmp_path.rglob("*"))
    result = run(path, "--out", tmp_path / "a" / "b", "--format", "svg")
    assert result.exit_code == 2
    assert f"the column {slot} must be a name of letters, digits, '-' and '/'" in " ".join(result.stderr.split())
    assert sorted(tmp_path.rglob("*")) == there


def test_a_store_of_operators_that_are_not_installed_is_drawn(tmp_path):
    own = {"mutation": "my-own/2", "crossover": "swap", "strategy": "bounce", "donors": "friends"}
    path = crafted(tmp_path / "own.parquet", Study.stored({**STUDY.as_dict(), "dimension": 2, **own}), **own)
    result = run(path, "--out", tmp_path / "out", "--only", "ribbons/*-against-F,overview", "--format", "svg")
    assert result.exit_code == 0, result.output
    assert file_names(tmp_path / "out") == ["overview.svg", "ribbons/DE-my-own-2-swap-against-F.svg"]
    assert "my-own/2, swap, friends are not installed here" in result.stderr
