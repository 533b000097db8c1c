"""What debox says is to be cited: BibTeX that agrees with the table of operators and with CITATION.cff."""

import re
from pathlib import Path

import pytest
from commands import invoke

import debox
from debox import cite, operators
from debox.store.manifest import Manifest
from debox.store.store import Writer
from debox.version import RELEASED

ROOT = Path(__file__).parents[1]
CFF = (ROOT / "CITATION.cff").read_text()
BY_NAME = {operators.SCIPY, operators.MINION}  # citations of software, which name no authors
REQUIRED = {
    "article": {"author", "title", "journal", "volume", "year", "doi"},
    "book": {"author", "title", "publisher", "year", "doi"},
    "incollection": {"author", "title", "booktitle", "publisher", "pages", "year"},
    "inproceedings": {"author", "title", "booktitle", "pages", "year", "doi"},
    "misc": {"author", "title", "url", "year"},
    "software": {"author", "title", "version", "year"},
    "techreport": {"author", "title", "institution", "number", "year"},
}


MINIMIZE = ["zhang2009", "storn1997", "caraffini2019", "tanabe2014", "hansen2016", "byrd1995"]  # its default


def fields_of(entry):
    return dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))


def keys_in(text):
    return re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)


@pytest.mark.parametrize("key", list(cite.entries()))
def test_an_entry_is_bibtex_with_all_that_its_kind_needs(key):
    entry = cite.entries()[key]
    kind, found = re.fullmatch(r"@(\w+)\{(\w+),\n(?:  \w+ = \{.*\},\n)*  \w+ = \{.*\}\n\}", entry).groups()
    assert found == key
    fields = fields_of(entry)
    assert REQUIRED[kind] <= fields.keys()
    assert all(value.count("{") == value.count("}") for value in fields.values())
    assert entry.isascii()  # accents are commands: every BibTeX reads them
    assert re.fullmatch(r"10\.\d{4,}/\S+", fields.get("doi", "10.1000/1"))
    assert re.fullmatch(r"(\d+)--(\d+)", fields.get("pages", "1--2"))


@pytest.mark.parametrize("operator", operators.OPERATORS, ids=lambda one: one.name)
def test_every_operator_of_debox_has_a_reference(operator):
    assert cite.KEYS[operator.citation] in cite.entries()


def test_every_reference_is_of_an_operator_or_of_polish():
    cited = {cite.KEYS[operator.citation] for operator in operators.OPERATORS}
    assert set(cite.entries()) == cited | {"debox", *cite.POLISH}


@pytest.mark.parametrize("citation", sorted(cite.KEYS.keys() - BY_NAME))
def test_a_reference_agrees_with_the_citation_in_the_table_of_operators(citation):
    fields = fields_of(cite.entries()[cite.KEYS[citation]])
    assert re.search(r"\d{4}", citation)[0] == fields["year"]
    names = re.match(r"(.*?)(?: et al\.)? \d{4}", citation)[1].replace("ń", r"{\'n}").replace("ä", r"{\"a}")
    assert [name for name in re.split(r", | & ", names) if name not in fields["author"]] == []
    volume = re.search(r" (\d+)$", citation)
    assert volume is None or volume[1] == fields["volume"]


def test_citation_cff_and_the_changes_say_the_same():
    paper, ours = (fields_of(cite.entries()[key]) for key in ("kononova2021", "debox"))
    start, end = paper["pages"].split("--")
    values = {"doi": paper["doi"], "volume": paper["volume"], "start": start, "end": end, "year": paper["year"]}
    for name, value in values.items():
        assert re.findall(rf"^  {name}: (.*)$", CFF, re.MULTILINE) == [value]
    assert f'  title: "{paper["title"]}"\n' in CFF
    assert f"\nversion: {debox.__version__}\ndate-released: {RELEASED}\n" in CFF
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert newest == f"{debox.__version__} ({RELEASED})"
    assert (ours["version"], ours["year"]) == (debox.__version__, RELEASED[:4])


@pytest.mark.parametrize(
    ("what", "keys"),
    [
        ([], MINIMIZE),
        (["debox"], MINIMIZE),
        (["debox sat, N=50"], MINIMIZE),
        (["DE/rand/1/exp sat"], ["storn1997", "storn1995", "caraffini2019"]),
        (["DE/best/2/bin proj-mid, N=9, adaptation=jDE"], ["price2005", "storn1997", "biedrzycki2019", "brest2006"]),
        (["SHADE mirror"], ["zhang2009", "storn1997", "caraffini2019", "tanabe2013"]),
        (["l-shade"], ["zhang2009", "storn1997", "tanabe2014"]),
    ],
)
def test_a_configuration_is_cited_by_its_operators(what, keys):
    result = invoke("cite", *what)
    assert result.exit_code == 0
    assert keys_in(result.stdout) == ["debox", "kononova2021", *keys]


def test_operators_from_outside_are_named_with_the_citation_that_they_have(with_operators):
    debox.strategy("cited", citation="Doe 2030, J. Boxes")(nearer)
    debox.strategy("uncited")(nearer)
    assert "\n% strategy cited: Doe 2030, J. Boxes\n" in invoke("cite", "DE/rand/1/bin cited").stdout
    assert "\n% strategy uncited: it has no citation\n" in invoke("cite", "DE/rand/1/bin uncited").stdout


def test_a_stored_study_names_its_operators_from_outside_installed_or_not(with_operators, tmp_path, monkeypatch):
    debox.strategy("uncited")(nearer)
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": "uncited", "N": 5, "F": 0.5, "Cr": 0.5}
    store = Writer.create(tmp_path / "own", Manifest(debox.Study(name="own", n=2, budget=20, runs=1, **factors)))
    for comment in ("it has no citation", "not installed"):
        written = invoke("cite", str(store.path)).stdout
        assert "strategies for infeasible trials: uncited; " in " ".join(written.split())
        assert written.endswith(f"\n\n% strategy uncited: {comment}\n")
        assert keys_in(written) == ["debox", "kononova2021", "storn1997"]
        monkeypatch.setattr(operators, "REGISTRATIONS", ())


def nearer(u, x, c, a, b, rng):
    """the violated bound"""
    return min(max(u, a), b)


@pytest.fixture
def with_operators(monkeypatch):
    monkeypatch.setattr(operators, "REGISTRATIONS", ())


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """A store of two dimensions with 48 of its 96 runs."""
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": ["sat", "dism"], "N": [5, 8], "F": 0.5}
    factors |= {"Cr": [0.1, 0.9], "adaptation": ["fixed", "jDE"], "donors": "distinct", "checkpoints": [0.125]}
    study = debox.Study(name="a-study", seed=77, dimension=[2, 3], budget="40 n", runs=3, **factors)
    return debox.run(study, tmp_path_factory.mktemp("some") / "some", workers=1, only="N=5")


def test_the_methods_of_a_stored_study_say_what_was_run(some):
    result = invoke("cite", str(some.path))
    assert result.exit_code == 0
    paragraph, _, rest = result.stdout.partition("\n\n")
    text = " ".join(paragraph.split())
    for part in (
        r"The study \emph{a-study} has 16 configurations",
        r"mutations: rand/1~\cite{storn1997};",
        r"strategies for infeasible trials: saturation~\cite{caraffini2019} and dismiss~\cite{caraffini2019};",
        r"adaptations of F and Cr: fixed~\cite{storn1997} and jDE~\cite{brest2006}",
        "population sizes N: 5 and 8; scale factors F: 0.5; crossover rates Cr: 0.1 and 0.9",
        "Each was run 3 times on n = 2 variables (80 evaluations) and n = 3 variables (120 evaluations): 96 runs",
        ", of which 48 are finished.",
        "the seed of the study (77), the configuration, and the number of the run.",
        r"was noted after 12.5 \% of the evaluations and at the end.",
        f"done with debox {debox.__version__}, ",
    ):
        assert part in text
    assert not re.search(r"(?<!\\)[_%&#$]", paragraph)  # LaTeX would read them as commands
    cited = re.findall(r"\\cite\{(\w+)\}", paragraph)
    assert set(cited) == set(keys_in(rest))


def test_settings_other_than_usual_are_part_of_the_methods(tmp_path):
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": "dism", "N": 5, "F": 0.5, "Cr": 0.5}
    study = debox.Study(name="odd", n=2, budget=20, runs=1, reevaluate=[True, False], frozen=True, **factors)
    store = debox.run(study, tmp_path / "odd", workers=1)
    text = " ".join(cite.methods(store).split())
    assert "; crossover rates Cr: 0.5; reevaluate: True and False; frozen: True. Each" in text


def test_runs_that_the_study_no_longer_asks_for_are_not_counted(tmp_path):
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": "sat", "F": 0.5, "Cr": 0.5, "n": 2, "budget": 20}
    debox.run(debox.Study(name="less", runs=3, N=[5, 6], **factors), tmp_path / "less", workers=1)
    fewer = debox.Study(name="less", runs=2, N=[5, 7], **factors)
    store = debox.run(fewer, tmp_path / "less", workers=1, only="N=5")
    assert " evaluations): 4 runs, of which 2 are finished. " in " ".join(cite.methods(store).split())


@pytest.mark.parametrize(
    ("what", "message"),
    [("out/nothing", "there is no store"), ("DE/rand/1/bin saat", "unknown strategy 'saat'; did you mean 'sat")],
)
def test_what_is_neither_is_named(what, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke("cite", what)
    assert result.exit_code != 0
    assert message in result.output
