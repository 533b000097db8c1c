import copy
import inspect
import itertools
import json
import pickle
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debox import Config, Study
from debox.config import CONFIG_FIELDS
from debox.study.fields import FIELDS
from debox.study.study import built_in

MINE = {"name": "mine", "mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 5, "F": 0.7, "Cr": 0.9}
WITHOUT = {name: value for name, value in MINE.items() if name not in ("F", "Cr")}


def some(values):
    """One value, or several different ones in a list."""
    return st.sampled_from(values) | st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True)


NEEDED = {
    "mutation": ["rand/1", "curr-to-best/1", "best/2"],
    "crossover": ["bin", "EXP"],
    "strategy": ["sat", "dismiss", "resample", "tor"],
    "N": [6, 7, 20],
    "F": [0.5, 1.0, 2],
    "Cr": [0, 0.25, 1.0],
}
OTHERS = {
    "donors": some(["distinct", "not-target", "not-parents"]),
    **{name: some([True, False]) for name in ("reevaluate", "frozen")},
    "repair": some(["trial", "mutant"]),
    "adaptation": some(["JADE", "L-SHADE"]) | st.just("fixed"),
    "n": some([2, 3, 30]),
    "budget": st.sampled_from([500, "50 n"]),
    "runs": st.integers(1, 60),
    "seed": st.integers(0, 2**63 - 1),
    "engine": st.sampled_from(["auto", "plain", "fast"]),
    "checkpoints": st.sampled_from([[], ["1/3"], [0.1, "1/2"]]),
}
STUDIES = st.fixed_dictionaries({"name": st.just("made"), **{k: some(v) for k, v in NEEDED.items()}}, optional=OTHERS)


def as_list(value):
    return list(value) if isinstance(value, list | tuple) else [value]


def test_the_paper_has_6000_configurations_50_runs_and_9e10_evaluations():
    paper = Study.load("paper")
    assert (paper.n_configs, paper.runs, paper.n_runs) == (6000, 50, 300_000)
    assert (paper.n_evaluations, paper.budget_for(30)) == (9 * 10**10, 300_000)
    assert (paper.dimension, paper.N) == ((30,), (5, 20, 100))
    assert paper.F == (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
    assert paper.Cr == (0.05, 0.285, 0.52, 0.755, 0.99)
    assert paper.checkpoints == (1 / 3, 2 / 3)
    assert (paper.donors, paper.reevaluate, paper.frozen) == (("distinct",), (True,), (False,))


def test_the_paper_on_the_exact_grid():
    exact = Study.of({**Study.load("paper").as_dict(), "grid": "exact"})
    assert exact.values("F") == pytest.approx([0.05 + k * 1.95 / 9 for k in range(10)], abs=1e-15)
    assert exact.values("Cr") == pytest.approx([0.05 + k * 0.94 / 4 for k in range(5)], abs=1e-15)
    few = {"mutation": ["rand/1"], "strategy": ["dismiss"], "N": [5]}
    assert {config.F for config in exact.configs(few)} == set(exact.values("F"))
    assert (exact.F[1], exact.values("N")) == (0.266, (5, 20, 100))  # as written
    close = Study(**{**MINE, "F": [0.1, 0.1009, 0.10000000000000002], "grid": "exact"})
    assert close.n_configs == len(list(close.configs())) == 2  # from the first to the last there are two numbers


def test_built_in_studies_are_called_as_their_files_and_quick_is_a_part_of_paper():
    studies = {name: Study.load(name) for name in built_in()}
    for name, study in studies.items():
        assert (study.name, Study(**study.as_dict())) == (name, study)
    paper, quick = studies["paper"], studies["quick"]
    assert [key for key in FIELDS if getattr(quick, key) != getattr(paper, key)] == ["name", "runs", "F", "Cr"]
    assert (set(quick.F) < set(paper.F), set(quick.Cr) < set(paper.Cr), quick.runs) == (True, True, 10)


@given(STUDIES, st.data())
@settings(max_examples=25)
def test_configurations_are_all_combinations_each_once_as_they_are_counted(keys, data):
    study = Study(**keys)
    usual = {"donors": "not-target" if "adaptation" in keys and keys["adaptation"] != "fixed" else "distinct"}
    usual |= {"reevaluate": True, "frozen": False, "repair": "trial", "adaptation": "fixed"}
    levels = [as_list(keys.get(name, usual.get(name))) for name in CONFIG_FIELDS]
    combined = [Config(**dict(zip(CONFIG_FIELDS, values, strict=True))) for values in itertools.product(*levels)]
    made = list(study.configs())
    assert made == list(dict.fromkeys(combined))
    drawn = {name: st.lists(st.sampled_from(getattr(study, name)), unique=True) for name in CONFIG_FIELDS}
    wanted = data.draw(st.fixed_dictionaries({}, optional=drawn))
    chosen = [one for one in made if all(getattr(one, name) in wanted[name] for name in wanted)]
    assert list(study.configs(wanted)) == list(study.configs({**wanted, "n": []})) == chosen
    dimensions = as_list(keys.get("n", 30))
    assert (study.count_configs(), study.n_configs) == (len(made), len(made) * len(dimensions))
    assert study.n_runs == study.n_configs * keys.get("runs", 50)
    budgets = [{500: 500, "50 n": 50 * n}.get(keys.get("budget"), 10_000 * n) for n in dimensions]
    assert [study.budget_for(n) for n in dimensions] == budgets
    assert study.n_evaluations == len(made) * sum(budgets) * keys.get("runs", 50)


def test_a_factor_that_is_none_is_refused():
    study = Study(**MINE)
    for name in ("stratgy", "runs", 5):
        with pytest.raises(ValueError, match=f"^wanted must be one of dimension, mutation, .*, got {name!r}$"):
            list(study.configs({name: ["dismiss"]}))


def test_studies_that_could_never_be_listed_are_counted():
    grid = {"F": [k / 1000 for k in range(1, 2001)], "Cr": [k / 5000 for k in range(5000)]}
    many = Study(**{**MINE, **grid, "runs": 10**9})
    assert many.n_evaluations == 3 * 10**21
    assert repr(many) == "<Study mine: 10000000 configurations × 1000000000 runs>"


@given(STUDIES)
@settings(max_examples=20)
def test_a_study_is_the_same_however_it_is_written_down(keys):
    study = Study(**keys)
    written = study.as_dict()
    assert list(written) == list(FIELDS)
    texts = json.loads(json.dumps(written))
    assert Study(**written) == Study.of(texts) == Study.stored(texts) == Study.of(keys) == Study.of(study) == study
    assert hash(Study(**written)) == hash(study)
    for again in (pickle.loads(pickle.dumps(study)), copy.deepcopy(study), replace(study)):
        assert again == study
        assert again.as_dict() == written
    assert replace(study, runs=61) != study
    with pytest.raises(AttributeError):
        study.runs = 61
    assert replace(study, runs=61) == Study(**{**keys, "runs": 61})


def file_of(folder, keys):
    """A study file; a JSON value is a TOML value, too."""
    path = folder / "mine.toml"
    path.write_text("\n".join(f"{name} = {json.dumps(value)}" for name, value in keys.items()))
    return path


def test_a_study_is_read_from_a_file(tmp_path, monkeypatch):
    file = file_of(tmp_path, {**MINE, "n": 7})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Study.load(file) == Study.load(str(file)) == Study.load("~/mine.toml") == Study(**MINE, n=7)


def test_everything_wrong_with_a_file_is_said_at_once(tmp_path):
    wrong = {"name": "a b", "mutation": ["rand/1", "rand/9"], "strategy": "sat", "N": 5, "F": [3, 0.5, 0], "Cr": 0.9}
    file = file_of(tmp_path, {**wrong, "runs": 0, "sed": 1})
    with pytest.raises(ValueError) as error:
        Study.load(file)
    first, *lines = str(error.value).splitlines()
    assert str(file) in first
    keys = ["unknown key 'sed'", "name ", "runs ", "unknown mutation 'rand/9'", "crossover is missing", "F ", "F "]
    assert len(lines) == len(keys)
    assert all(line.startswith(key) for line, key in zip(lines, keys, strict=True))


def test_unknown_and_missing_arguments_are_named_together():
    with pytest.raises(ValueError) as error:
        Study(**{**MINE, "mutation": None}, mutatoin="rand/1", self=1, _not_given=None)
    *unknown, missing = str(error.value).splitlines()
    assert [line.split(";")[0] for line in unknown] == ["unknown key 'mutatoin'", "unknown key 'self'"]
    assert "choose from name, seed, runs, dimension, budget, mutation, " in unknown[0]
    assert missing.startswith("mutation is missing: names of mutations")


def test_populations_too_small_for_their_mutation_or_too_large_for_the_budget_are_named():
    factors = {"mutation": ["rand/1", "rand/2"], "N": [100, 2, 4], "donors": ["distinct", "not-target"]}
    with pytest.raises(ValueError) as error:
        Study(**{**MINE, **factors, "dimension": [10, 3], "budget": "20 n"})
    besides = "distinct donors besides the target (donors='not-target')"
    assert str(error.value).splitlines() == [
        "N must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors",
        f"N must be an integer ≥ 4, got 2: rand/1 needs 3 {besides}",
        "N must be an integer ≥ 5, got 2: rand/2 needs 5 distinct donors",
        f"N must be an integer ≥ 6, got 2: rand/2 needs 5 {besides}",
        "budget must be an integer ≥ 100, got 60: dimension = 3 with N = 100",
    ]


def test_a_budget_that_some_dimension_makes_too_large_is_named():
    most = "budget must be at most 1152921504606846976 evaluations, got '576460752303423488 n' for dimension = 4"
    with pytest.raises(ValueError, match=f"^{most}$"):
        Study(**{**MINE, "dimension": [4, 1], "budget": f"{2**59} n"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"name = ", "is no TOML file"),
        (b"name = '\xe9'", "is no TOML file: 'utf-8' codec"),
        (b"", "name is missing: the study's name"),
        (b"N = " + b"[" * 10**5, "is no TOML file: maximum recursion"),
        (b"seed = 0x" + b"f" * 10**4, "seed: Exceeds the limit"),
        ("a folder", "cannot read the study .*: Is a directory"),
        ("a circle", "cannot read the study .*: .*symbolic links"),
    ],
    ids=["TOML", "text", "empty", "nested", "hexadecimal", "folder", "circle"],
)
def test_a_file_that_is_no_study_is_named(tmp_path, content, message):
    file = tmp_path / "odd.toml"
    if content == "a folder":
        file.mkdir()
    elif content == "a circle":
        file.symlink_to(file)
    else:
        file.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        Study.load(file)
    assert str(file) in str(error.value)


def test_what_is_no_study_is_named_with_the_argument():
    for wrong in (3, None, ["paper"]):
        got = "got " + re.escape(repr(wrong))
        with pytest.raises(ValueError, match="^source, if not the name of a built-in study, must be a path, " + got):
            Study.load(wrong)
        for make in (Study.of, Study.stored):
            with pytest.raises(ValueError, match="^given must be a Study or a mapping of its keys, " + got):
                make(wrong)
    with pytest.raises(ValueError, match=r"there is no study 'papre'.*paper, quick, smoke"):
        Study.load("papre")


def test_n_is_the_short_name_of_dimension():
    assert Study(**MINE, n=7) == Study(**MINE, dimension=[7]) == Study.of({**MINE, "n": 7, "dimension": None})
    for make in (Study.of, Study.stored, lambda keys: Study(**keys)):
        with pytest.raises(ValueError, match=r"^dimension is given twice: as dimension = 30 and, in short, as n = 7$"):
            make({**MINE, "n": 7, "dimension": 30})


def test_an_editor_sees_every_key_with_its_default():
    parameters = dict(inspect.signature(Study).parameters)
    assert parameters.pop("unknown").kind is inspect.Parameter.VAR_KEYWORD
    assert {parameter.kind for parameter in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    apart = {"n": None, "dimension": None, "donors": None}  # they depend on each other and on the adaptation
    assert defaults == {name: field.default for name, field in FIELDS.items()} | apart


OWN = {**MINE, "mutation": ["rand/1", "my-own/2"], "strategy": ["sat", "bounce"], "donors": ["distinct", "friends"]}


def test_a_stored_study_keeps_names_of_operators_that_are_not_installed():
    study = Study.stored({**OWN, "reevaluate": [True, False]})
    assert (study.mutation, study.strategy) == (("rand/1", "my-own/2"), ("saturation", "bounce"))
    assert study.not_installed == (("mutation", "my-own/2"), ("strategy", "bounce"), ("donors", "friends"))
    assert (study.n_configs, study.n_runs) == (2 * 2 * (1 + 2), 600)  # bounce may dismiss
    assert Study.stored(study.as_dict()) == study
    assert Study(**MINE).not_installed == ()
    for use in (lambda study: list(study.configs()), Study.require_installed_operators):
        with pytest.raises(ValueError, match="mutation 'my-own/2', strategy 'bounce', donors 'friends' is not install"):
            use(study)
    with pytest.raises(ValueError, match=r"unknown mutation 'my-own/2'(.|\n)*unknown strategy 'bounce'"):
        Study(**OWN)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"name": "<script>"}, "name must be a word"),
        ({"mutation": ["rand/1", "/../x"]}, "mutation must be a name"),
        ({"mutation": [["rand/1"]]}, "mutation must be a name"),
        ({"strategy": ["bounce", "bounce"]}, "strategy must have different values, got bounce more than once"),
        ({"N": 2}, "N must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors"),
        ({"dimension": None, "checkpoints": None}, "dimension must be an integer(.|\n)*checkpoints must be a list"),
    ],
    ids=str,
)
def test_what_a_stored_study_cannot_say_is_named(changes, named):
    with pytest.raises(ValueError, match=named):
        Study.stored({**OWN, **changes})


LAST = ("not-target",)


@pytest.mark.parametrize("adaptation", ["jDE", "JADE", "SHADE", "L-SHADE", ["SHADE", "l-shade"]])
def test_F_Cr_and_donors_that_are_not_given_are_the_adaptation_s(adaptation):
    study = Study(**WITHOUT, adaptation=adaptation)
    F, Cr = 0.5, 0.9 if adaptation == "jDE" else 0.5  # as the papers print them
    assert (study.F, study.Cr, study.donors) == ((F,), (Cr,), LAST)
    assert study == Study(**WITHOUT, adaptation=adaptation, F=F, Cr=Cr, donors="not-target")
    assert Study(**study.as_dict()) == study
    assert {(config.F, config.Cr, config.donors) for config in study.configs()} == {(F, Cr, "not-target")}
    said = Study(**MINE, adaptation=adaptation, donors="distinct")
    assert (said.F, said.Cr, said.donors) == ((0.7,), (0.9,), ("distinct",))
    assert Study(**WITHOUT, adaptation=adaptation, F=0.7).Cr == (Cr,)
    assert Study.stored({**MINE, "adaptation": "mine"}).donors == LAST
    assert Study(**MINE).donors == ("distinct",)


def test_a_replaced_adaptation_changes_what_nobody_gave_and_nothing_else():
    usual, said = Study(**WITHOUT, adaptation="JADE"), Study(**MINE, adaptation="JADE", donors="distinct")
    for study in (replace(usual, adaptation="jDE"), replace(replace(usual, runs=3), adaptation="jDE", runs=50)):
        assert study == Study(**WITHOUT, adaptation="jDE")
    assert replace(said, adaptation="jDE") == Study(**MINE, adaptation="jDE", donors="distinct")
    assert replace(said, adaptation="jDE", donors=None).donors == LAST
    assert replace(usual, adaptation="fixed", F=0.7, Cr=0.9) == Study(**MINE)
    assert replace(Study(**MINE), adaptation="jDE").donors == LAST
    assert replace(Study(**MINE), n=7).dimension == (7,)
    assert replace(Study(**MINE, n=7), runs=3).dimension == (7,)
    with pytest.raises(ValueError, match=r"^F is missing: .*\nCr is missing: .*$"):
        replace(usual, adaptation="fixed")
    with pytest.raises(ValueError, match=r"^dimension is given twice: as dimension = \(7,\) and, in short, as n = 8$"):
        replace(Study(**MINE, n=7), n=8)


DIFFERENT = "must be given, since these adaptations have different ones by default"


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ({}, ["F is missing: scale factors in (0, 2]", "Cr is missing: crossover rates in [0, 1]"]),
        (
            {"adaptation": ["fixed", "JADE"]},
            [f"{name} {DIFFERENT}: none with fixed, 0.5 with JADE" for name in ("F", "Cr")]
            + [f"donors {DIFFERENT}: distinct with fixed, not-target with JADE"],
        ),
        ({"adaptation": ["jDE", "JADE"]}, [f"Cr {DIFFERENT}: 0.9 with jDE, 0.5 with JADE"]),
        ({"adaptation": ["fixed", "JADDE"]}, ["unknown adaptation 'JADDE'"]),
        ({"adaptation": []}, ["adaptation must have at least one value"]),
        (
            {"grid": "exact", "F": [0.1, 0.5, 0.6], "Cr": 1},
            ["F must be equally spaced to three decimals with grid = 'exact', got 0.5 where 0.350 should be"],
        ),
    ],
    ids=str,
)
def test_what_does_not_follow_from_the_adaptation_is_to_be_given(given, messages):
    with pytest.raises(ValueError) as error:
        Study(**WITHOUT, **given)
    lines = str(error.value).splitlines()
    assert len(lines) == len(messages)
    assert all(line.startswith(message) for line, message in zip(lines, messages, strict=True))
