"""debox report, on a small study that is really run and stored; and files that commands write."""

import os
from functools import partial
from types import SimpleNamespace

import pytest
from commands import invoke
from drawings import tell_instead_of_drawing
from stored_rows import STUDY, filled, rows

import debox
from debox.store.manifest import Manifest
from debox.store.store import Writer
from debox.study.study import Study

run = partial(invoke, "report")
PAGE = "<!doctype html>\nPOIS ≤ 1\n"


@pytest.fixture
def packed(stored, tmp_path):
    path = tmp_path / "small.parquet"
    debox.open_store(stored).pack(path, drop=["best_x"])
    return path


@pytest.fixture
def page(monkeypatch):
    """To write a report takes a while; where it goes is another question."""
    monkeypatch.setattr("debox.report.report", lambda *args, **options: PAGE)


def test_it_writes_one_file_prints_its_path_and_reads_packed_files(stored, packed, tmp_path, monkeypatch):
    tell_instead_of_drawing(monkeypatch)
    (tmp_path / "pages").mkdir()
    for source, name in ((stored, "a.html"), (packed, "b.html")):
        result = run(source, "-o", tmp_path / "pages" / name, "--where", "dimension=3")
        assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'pages' / name}\n"), result.output
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["a.html", "b.html"]
    text = (tmp_path / "pages" / "a.html").read_text()
    assert (tmp_path / "pages" / "b.html").read_text() == text
    assert "8 of 8 configurations have runs, 24 of 24 runs are stored." in text
    assert "<dt>dimension</dt><dd>3</dd>" in text
    assert f"<dt>made by: debox</dt><dd>{debox.__version__}</dd>" in text
    assert text.count("<figure>") > 5


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("how", ["itself", "link", "hard link", "another"])
def test_a_packed_store_is_not_replaced(stored, packed, tmp_path, how):
    out, before = tmp_path / "x.html", packed.read_bytes()
    if how == "link":
        out.symlink_to(packed)
    elif how == "hard link":
        out.hardlink_to(packed)
    else:
        out = packed
    result = run(stored if how == "another" else packed, "-o", out, "--where", "dimension=3")
    assert (result.exit_code, str(out) in result.stderr) == (2, True), result.output
    assert packed.read_bytes() == before


@pytest.mark.usefixtures("page")
def test_a_report_goes_through_a_link_and_to_the_output(stored, tmp_path):
    (tmp_path / "there.html").write_text("old")
    (tmp_path / "link.html").symlink_to("there.html")
    assert run(stored, "-o", tmp_path / "link.html", "--where", "dimension=3").exit_code == 0
    assert (tmp_path / "there.html").read_text(encoding="utf-8") == PAGE
    assert (tmp_path / "link.html").is_symlink()
    assert run(stored, "-o", "-", "--where", "dimension=3").stdout == PAGE


@pytest.mark.usefixtures("page")
def test_names_that_are_not_utf8_work_or_are_named(stored, tmp_path):
    """A report has such a name; a store has not, for DuckDB cannot read it. Nothing ends in a traceback."""
    out = os.fsencode(tmp_path) + b"/caf\xe9.html"
    good = run(stored, "-o", os.fsdecode(out), "--where", "dimension=3")
    assert good.exit_code == 0, good.output
    assert os.path.getsize(out) == len(PAGE.encode())
    os.symlink(stored, os.fsencode(tmp_path) + b"/caf\xe9")
    bad = run(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"), "-o", os.fsdecode(out))
    assert bad.exit_code == 2
    assert "a store must be a name in UTF-8, which DuckDB needs" in " ".join(bad.stderr.split())


def test_a_store_of_operators_that_are_not_installed_is_reported(crafted, tmp_path):
    own = {"mutation": "my-own/2", "crossover": "swap", "strategy": "bounce", "donors": "friends"}
    study = Study.stored({**STUDY.as_dict(), "dimension": 2, **own})
    result = run(crafted(study, **own), "-o", tmp_path / "x.html")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "x.html").read_text()
    assert "DE/my-own/2/swap bounce, N=5" in text
    assert "no exact curve: my-own/2, swap, friends are not installed here" in text


def test_a_script_in_a_manifest_does_not_become_one_of_the_page(tmp_path, monkeypatch):
    tell_instead_of_drawing(monkeypatch)
    evil = '<script>alert("x")</script>'
    store = filled(Writer.create(tmp_path / "a", Manifest(STUDY, versions={evil: "5", "debox": evil})), rows(range(3)))
    assert run(store.path, "-o", tmp_path / "x.html").exit_code == 0
    text = (tmp_path / "x.html").read_text()
    assert (text.count("<script"), text.count("&lt;script&gt;")) == (0, 2)
    manifest = store.path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"{STUDY.name}"', '"<script>"'))
    result = run(store.path, "-o", tmp_path / "y.html")
    assert (result.exit_code, "name must be a word" in result.stderr) == (1, True), result.output


@pytest.mark.parametrize("command", ["report", "explore"])
def test_where_nothing_can_be_printed_nothing_is_drawn(stored, monkeypatch, command):
    """The error comes first: a report takes a minute."""
    monkeypatch.setattr("debox.report.report", lambda *args, **options: pytest.fail("drawn"))
    monkeypatch.setattr("debox.explore.explorer", lambda *args, **options: pytest.fail("written"))
    monkeypatch.setattr("debox.cli.common.sys", SimpleNamespace(stdout=None))
    result = invoke(command, stored, "-o", "-", "--where", "dimension=3")
    assert (result.exit_code, result.stderr) == (1, "Error: cannot print: there is no standard output\n")
