"""debox report, on a small study that is really run and stored."""

import os
from functools import partial
from types import SimpleNamespace

import pytest
from commands import invoke, run_python
from drawings import tell_instead_of_drawing
from stored_rows import STUDY, filled, rows

import debox
from debox.store.manifest import Manifest
from debox.store.store import Writer
from debox.study.study import Study

run = partial(invoke, "report")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two dimensions, four cells, three runs."""
    path = tmp_path_factory.mktemp("report") / "store"
    operators = {"mutation": "rand/1", "crossover": "exp", "strategy": "sat", "N": 5}
    study = debox.Study(name="small", **operators, F=[0.5, 1.5], Cr=[0.1, 0.9], n=[2, 3], budget=60, runs=3)
    debox.run(study, path, workers=1)
    return path


@pytest.fixture(scope="module")
def report_page(stored, tmp_path_factory):
    """The report of one of the dimensions"""
    out = tmp_path_factory.mktemp("page") / "small.html"
    result = run(stored, "-o", out, "--where", "dimension=3")
    assert (result.exit_code, result.stdout) == (0, f"{out}\n"), result.output
    return out


def test_it_writes_one_file_and_prints_its_path(report_page):
    assert [path.name for path in report_page.parent.iterdir()] == ["small.html"]
    text = report_page.read_text()
    assert "4 of 4 configurations have runs, 12 of 12 runs are stored." in text
    assert "<dt>dimension</dt><dd>3</dd>" in text
    assert f"<dt>made by: debox</dt><dd>{debox.__version__}</dd>" in text


def test_a_packed_file_gives_the_same_report(stored, tmp_path, monkeypatch):
    tell_instead_of_drawing(monkeypatch)
    debox.open_store(stored).pack(tmp_path / "small.parquet", drop=["best_x"])
    for source, page in ((stored, "a.html"), (tmp_path / "small.parquet", "b.html")):
        assert run(source, "-o", tmp_path / page, "--where", "dimension=3").exit_code == 0
    text = (tmp_path / "a.html").read_text()
    assert text.count("<figure>") > 5
    assert (tmp_path / "b.html").read_text() == text


def test_a_study_that_has_shrunk_is_told_as_it_stands(tmp_path):
    study = {
        "name": "small",
        "mutation": "rand/1",
        "crossover": "exp",
        "strategy": "sat",
        "N": 5,
        "Cr": 0.9,
        "dimension": 2,
    }
    for F, runs in (([0.5, 1.5], 3), ([1.5], 2)):
        debox.run(debox.Study(**study, F=F, runs=runs, budget=60, checkpoints=[0.5]), tmp_path / "store", workers=1)
    result = run(tmp_path / "store", "-o", tmp_path / "x.html")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "x.html").read_text()
    left_out = "4 runs are not of this study."
    assert f"1 of 1 configurations have runs, 2 of 2 runs are stored. {left_out}" in text
    assert "life needs the checkpoints 1/3 and 2/3" in text
    assert 'id="figure-reading-key"' in text


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ([], "the runs have dimension = 2, 3"),
        (["--where", "n=7"], "dimension must be one of 2, 3, got '7'"),
        (["--where", "seven"], "'seven' does not read as name=value"),
    ],
    ids=["several n", "no such n", "no pair"],
)
def test_what_is_wrong_is_named_and_ends_with_2(stored, tmp_path, args, named):
    result = run(stored, "-o", tmp_path / "x.html", *args)
    assert (result.exit_code, named in result.output) == (2, True), result.output
    assert not (tmp_path / "x.html").exists()


def test_no_store_is_an_error_without_a_traceback(tmp_path):
    result = run(tmp_path / "nothing", "-o", tmp_path / "x.html")
    assert result.exit_code == 1
    assert "there is no store" in result.output


def test_a_file_that_cannot_be_written_is_an_error_without_a_traceback(stored, tmp_path):
    result = run(stored, "-o", tmp_path / "nowhere" / "x.html", "--where", "dimension=3")
    assert result.exit_code == 1
    assert (
        result.stderr
        == f"Error: cannot write {tmp_path / 'nowhere' / 'x.html'}: there is no folder {tmp_path / 'nowhere'}\n"
    )


def test_without_matplotlib_a_message_says_how_to_get_it(stored, tmp_path):
    code = "import sys; sys.modules['matplotlib'] = None; import debox.cli; debox.cli.main()"
    result = run_python(code, "report", stored, "-o", tmp_path / "x.html", "--where", "dimension=3")
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.fixture
def packed(stored, tmp_path):
    path = tmp_path / "small.parquet"
    debox.open_store(stored).pack(path)
    return path


@pytest.mark.parametrize("how", ["itself", "link", "hard link", "text"])
def test_what_must_not_be_replaced_is_named_and_stays(stored, packed, tmp_path, how):
    out, before = tmp_path / "x.html", packed.read_bytes()
    if how == "itself":
        out = packed
    elif how == "link":
        out.symlink_to(packed)
    elif how == "hard link":
        out.hardlink_to(packed)
    else:
        out = tmp_path / "notes.txt"
        out.write_text("dear to me")
    result = run(packed, "-o", out, "--where", "dimension=3")
    assert result.exit_code == 2, result.output
    assert str(out) in result.stderr
    assert packed.read_bytes() == before
    assert how != "text" or out.read_text() == "dear to me"


def test_a_packed_store_is_not_replaced_by_the_report_of_another(stored, packed):
    result = run(stored, "-o", packed, "--where", "dimension=3")
    assert (result.exit_code, "must end in .html or .htm" in result.stderr) == (2, True), result.output
    assert debox.open_store(packed).bad_parts() == []


@pytest.fixture
def page(monkeypatch):
    """What is told takes a while; where it goes is another question."""
    monkeypatch.setattr("debox.report.report", lambda *args, **options: "<!doctype html>\nPOIS ≤ 1\n")
    return "<!doctype html>\nPOIS ≤ 1\n"


def test_a_report_goes_through_a_link_and_to_the_output(stored, tmp_path, page):
    (tmp_path / "there.html").write_text("old")
    (tmp_path / "link.html").symlink_to("there.html")
    assert run(stored, "-o", tmp_path / "link.html", "--where", "dimension=3").exit_code == 0
    assert (tmp_path / "there.html").read_text(encoding="utf-8") == page
    assert (tmp_path / "link.html").is_symlink()
    assert run(stored, "-o", "-", "--where", "dimension=3").stdout == page


def test_names_that_are_not_utf8_work_or_are_named(stored, tmp_path, page):
    """A report has such a name; a store has not, for DuckDB cannot read it. Nothing ends in a traceback."""
    out = os.fsencode(tmp_path) + b"/caf\xe9.html"
    good = run(stored, "-o", os.fsdecode(out), "--where", "dimension=3")
    assert good.exit_code == 0, good.output
    assert os.path.getsize(out) == len(page.encode())
    os.symlink(stored, os.fsencode(tmp_path) + b"/caf\xe9")
    bad = run(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"), "-o", os.fsdecode(out))
    assert bad.exit_code == 2
    assert "a store must be a name in UTF-8, which DuckDB needs" in " ".join(bad.stderr.split())


def test_a_store_of_operators_that_are_not_installed_is_told(tmp_path):
    own = {"mutation": "my-own/2", "crossover": "swap", "strategy": "bounce", "donors": "friends"}
    columns = rows(range(3), n=2) | {name: [value] * 3 for name, value in own.items()}
    study = Study.stored({**STUDY.as_dict(), "dimension": 2, **own})
    filled(Writer.create(tmp_path / "store", Manifest(study)), columns)
    result = run(tmp_path / "store", "-o", tmp_path / "x.html")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "x.html").read_text()
    assert "DE/my-own/2/swap bounce, N=5" in page
    assert "no exact curve: my-own/2, swap, friends are not installed here" in page


def test_a_script_in_a_manifest_does_not_become_one_of_the_page(tmp_path):
    evil = '<script>alert("x")</script>'
    versions = {evil: "5", "debox": evil}
    filled(Writer.create(tmp_path / "store", Manifest(STUDY, versions=versions)), rows(range(3)))
    result = run(tmp_path / "store", "-o", tmp_path / "x.html")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "x.html").read_text()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 2


def test_a_script_for_the_name_of_a_study_is_refused(tmp_path):
    store = filled(Writer.create(tmp_path / "store", Manifest(STUDY)), rows(range(3)))
    manifest = store.path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(STUDY.name, "<script>"))
    result = run(tmp_path / "store", "-o", tmp_path / "x.html")
    assert (result.exit_code, "name must be a word" in result.stderr) == (1, True), result.output
    assert not (tmp_path / "x.html").exists()


def test_the_help_of_debox_says_what_a_report_has():
    (line,) = [line for line in invoke("--help").output.splitlines() if "debox report" in line]
    assert line.endswith("  answers, claims, factors, figures in one HTML file")


@pytest.mark.parametrize("command", ["report", "explore"])
def test_where_nothing_can_be_printed_nothing_is_drawn(stored, monkeypatch, command):
    """The error comes first: a report takes a minute."""
    monkeypatch.setattr("debox.report.report", lambda *args, **options: pytest.fail("drawn"))
    monkeypatch.setattr("debox.explore.explorer", lambda *args, **options: pytest.fail("written"))
    monkeypatch.setattr("debox.cli.common.sys", SimpleNamespace(stdout=None))
    result = invoke(command, stored, "-o", "-", "--where", "dimension=3")
    assert (result.exit_code, result.stderr) == (1, "Error: cannot print: there is no standard output\n")
