"""What commands that read a store cannot do: a line of words, the exit code, the message."""

import shlex
from itertools import product

import pytest
from commands import invoke
from folders import file_names
from stored_rows import edited, filled, rows

from debox.store.manifest import Manifest
from debox.store.store import Writer

CONFIG = "'DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5'"
ONE = "--where n=3"
FACTORS = "mutation, crossover, strategy, N, F, Cr, dimension, donors, reevaluate"

WRONG = [  # STORE has the dimensions 2 and 3
    ("figures STORE --only threshold", 2, "dimension = 2, 3; choose one: --where dimension=2 (in Python: "),
    ("report STORE", 2, "the runs have dimension = 2, 3"),
    ("explore STORE -o -", 2, "the runs have dimension = 2, 3"),
    *((f"{name} STORE {ONE} --where dimension=2", 2, "dimension is given twice") for name in ("figures", "claims")),
    *((f"{command} STORE {ONE},n=2", 2, "'n=3,n=2' does not read as name=value") for command in ("report", "explore")),
    ("report STORE --where N=5,F=1", 2, "repeat --where for each condition: --where mutation=rand/1 --where N=5"),
    ("figures STORE --where n=7", 2, "where: dimension must be one of 2, 3, got '7'"),
    ("report STORE --where seven", 2, "'seven' does not read as name=value"),
    ("claims STORE --where colour=7", 2, f"where must be one of {FACTORS}"),
    (f"factors STORE {ONE} --where strategy=wall", 2, "strategy must be one of saturation, got 'wall'"),
    (f"factors STORE {ONE} --confidence 2", 2, "confidence must be a number with 0 < confidence < 1, got 2.0"),
    (f"factors STORE {ONE} --of median", 2, "'median' is not one of"),
    (f"figures STORE {ONE} --only atlantis", 2, "no figure is named 'atlantis'; choose from strategies, threshold"),
    (f"figures STORE {ONE} --format jpg", 2, "format must be one of pdf, png, svg, csv, got 'jpg'"),
    (f"figures STORE {ONE} --format ''", 2, "format must be one of pdf, png, svg, csv, got ''"),
    ("figures STORE --style neon", 2, "'neon' is not one of 'paper', 'screen'"),
    (f"figures STORE {ONE} --only life --format csv --out HERE/file/a", 1, "Error: cannot write HERE/file/a: Not a d"),
    (f"report STORE {ONE} -o HERE/x.txt", 2, "must end in .html or .htm, got"),
    (f"report STORE {ONE} -o HERE/no/x.html", 1, "Error: cannot write HERE/no/x.html: there is no folder"),
    ("explore STORE -o - --open", 2, "--open shows a file: name it with -o, not -"),
    ("predict STORE 'DE/rand/1/exp sat, N=5, F=1.7, Cr=0.5' --where n=3", 2, "0.5 ≤ F ≤ 1, the levels of the study"),
    ("predict STORE 'DE/rand/1/exp sat, N=5, F=0.7'", 2, "missing: Cr"),
    (f"predict STORE {CONFIG} {ONE} --level 90", 2, "0 < level < 1"),
    (f"predict STORE {CONFIG} --where F=1", 2, "where: F is part of the configuration"),
    (f"claims STORE {ONE} --only colapse", 2, "no claim matches 'colapse'"),
    (f"claims STORE {ONE} --bound HERE/file", 1, "a Parquet file"),
    ("claims STORE --bound HERE/nothing", 1, "cannot read HERE/nothing: IO Error: No files found"),
    ("claims STORE --bound \udc80", 2, "bound must be a name in UTF-8"),
    (f"claims STORE {ONE} --compare --readings \udc80", 2, "readings must be a name in UTF-8"),
    ("claims STORE --bound ''", 2, "bound must be a path, which is not empty"),
    ("explore ''", 2, "must be a path, which is not empty"),
    ("claims STORE --readings a.parquet", 2, "give --compare, too"),
    ("claims STORE --compare --bound a.parquet", 2, "give it without --compare"),
    *(
        (f"claims STORE --compare --readings {given}", 2, f"or one file of readings, got '{given.split()[0]}'")
        for given in ("a.parquet --readings b.parquet", "=x", "name=")
    ),
    (f"claims STORE {ONE} --compare --readings mine=HERE/nothing --only factors-*", 1, "nothing"),
    *((f"{command} HERE/nothing", 1, "there is no store") for command in ("factors", "figures", "report", "explore")),
    *((f"{command} HERE/nothing", 1, "nothing") for command in ("claims", "status")),
    (f"predict HERE/nothing {CONFIG}", 1, "nothing"),
    *((f"store {command} HERE/nothing", 1, "there is no store") for command in ("pack", "export --csv -")),
    *(
        (f"store {command} STORE --drop {name}", 2, f"cannot drop '{name}'; choose from")
        for command, name in (("pack", "N"), ("export --csv -", "nothing"))
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two dimensions, two F and two Cr, three runs each."""
    levels = {"dimension": [2, 3], "F": [0.5, 1], "Cr": [0.1, 0.9]}
    configurations = ((n, f"DE/rand/1/exp sat, N=5, F={F}, Cr={Cr}") for n, F, Cr in product(*levels.values()))
    parts = [rows(range(3), configuration, n=n) for n, configuration in configurations]
    study = edited(**levels, runs=3)
    return filled(Writer.create(tmp_path_factory.mktemp("wrong") / "store", Manifest(study)), *parts).path


@pytest.mark.parametrize(("line", "code", "message"), WRONG)
def test_what_is_wrong_is_named_and_nothing_is_written(stored, tmp_path, monkeypatch, line, code, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no table")
    line, message = (text.replace("STORE", str(stored)).replace("HERE", str(tmp_path)) for text in (line, message))
    result = invoke(*shlex.split(line))
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (code, True), result.output
    assert result.stdout == ""
    assert file_names(tmp_path) == ["file"]
